// The table of registers as a table in Markdown.
//
// A line for each field: offset, register, bits, field, access, value behind the reset, meaning.
// Thread rule: pure.
#pragma once

#include "engine/control/register_map.h"

#include <string>

namespace marquetry::hdl {

std::string registerTable(const RegisterMap& map);

} // namespace marquetry::hdl
