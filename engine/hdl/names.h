// Verilog identifiers from the names of layers, units and ports.
//
// Letters, digits and underscores stay, everything else becomes an underscore; names never start
// with a digit, end in an underscore, are a keyword, or are given twice. Thread rule: not shared.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace marquetry::hdl {

/// An identifier close to `name`; not unique by itself.
std::string identifier(std::string_view name);

bool isVerilogKeyword(std::string_view word);

class NameTable {
public:
    /// An identifier close to `name` that this table has not given before.
    std::string unique(std::string_view name);

private:
    std::set<std::string> taken_;
};

} // namespace marquetry::hdl
