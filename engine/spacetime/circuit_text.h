// An L_st program as text: a line for each node with its operands and its type, functions indented
// behind the first operator that has them. Complexity: linear in the text. Thread rule: pure.
#pragma once

#include "engine/spacetime/operators.h"

#include <string>

namespace marquetry::spacetime {

/// Of a well-typed program.
std::string toText(const Graph& circuit);

} // namespace marquetry::spacetime
