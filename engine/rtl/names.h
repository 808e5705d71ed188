// Verilog identifiers from the names of items, layers, units and ports.
//
// Letters, digits and single underscores stay, everything else becomes an underscore; names never
// start with a digit or an underscore, nor end in one; after 108 characters they are cut. Those
// that are reserved (reserved_words.h) get "_x", those that are given already "_2", "_3", ...;
// letters of both cases are the same there. Thread rule: not shared.
#pragma once

#include "engine/rtl/scope.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::hdl {

using rtl::identifier;

/// What names of a kind end in behind the part that they share: "" is that part alone.
using NameEndings = std::vector<std::string>;

class NameTable {
public:
    /// Keeps a name from being given.
    void take(std::string_view name);

    /// A part of longer names close to `name`, given once; it may be reserved by itself.
    std::string part(std::string_view name);

    /// A name of signals or instances close to `name`: with each of the endings it is free.
    std::string unique(std::string_view name, const NameEndings& endings = {""});

    /// The same for names of modules.
    std::string uniqueModule(std::string_view name, const NameEndings& endings = {""});

private:
    std::string give(std::string_view name, const NameEndings& endings, std::string_view sources);

    std::set<std::string> taken_; ///< in lower case
};

} // namespace marquetry::hdl
