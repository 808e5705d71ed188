// The table of registers for people: its cells, and a table in Markdown.
//
// A row for each field: offset, register, bits, field, access, value behind the reset, meaning.
// Thread rule: pure.
#pragma once

#include "engine/control/register_map.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

using RegisterRow = std::vector<std::string>;
RegisterRow registerColumns();
/// `fixed`: stands, unless empty, for the values of fixed fields.
std::vector<RegisterRow> registerRows(const RegisterMap& map, const std::string& fixed = "");

/// Of a map that is no particular hardware's: fixed fields have no value.
std::string registerTable(const RegisterMap& map);

} // namespace marquetry::hdl
