// A bank scheme as a C++ header for programs that high-level synthesis (HLS) makes hardware of.
//
// It says in comments what directives can say of the scheme (hls_directives.h) and what they
// cannot: copies and which read goes to which, and how many accesses a bank serves in a clock. For
// every scheme it has the bank and the offset of an address as constexpr functions (C++14), for an
// array that is declared copies × banks × words, whose first two dimensions any tool can partition
// completely. The numbers are those of Scheme::bank and Scheme::offset.
//
// Same input, same bytes. Complexity: O(maps · dimensions + lanes). Thread rule: pure.
#pragma once

#include "engine/banking/pattern.h"
#include "engine/banking/scheme.h"

#include <string>
#include <string_view>

namespace marquetry::banking {

/// How the header begins.
inline constexpr std::string_view kHlsHead = "// Banks of array ";

std::string hlsHeader(const ir::MemoryProgram& memory, const AccessPattern& pattern,
                      const Scheme& scheme);

} // namespace marquetry::banking
