// What the words of a kernel are called, by what computes them. Thread rule: pure.
#pragma once

#include "engine/datapath/datapath.h"

namespace marquetry::hdl {

const char* nameOf(datapath::CellKind kind);

} // namespace marquetry::hdl
