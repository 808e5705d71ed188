// The states of the scheduler as data, in the form of an e-graph: one class for each (value,
// layout) that was looked at, and in it the ways to get the value in that layout. A way is an
// operator on classes of its operands, or `reshape` from the class of the same value in another
// layout. A term of a class is then a circuit.
//
// Only the values of the program itself are classes; a function is part of its map's way. A term
// may produce a value in two layouts, which the search does not, so the least term is at most as
// large as the least circuit. Classes are ordered by value and by the text of the type; every class
// has a way and belongs to a term of a root. Thread rule: value types.
#pragma once

#include "engine/device/resources.h"
#include "engine/ir/stream_program.h"
#include "engine/spacetime/seq_type.h"

#include <string>
#include <vector>

namespace marquetry::spacetime {

struct StateClass {
    ir::StreamNodeId value; ///< of the program after its rewrites, but for grouping
    SeqType type;
};

struct StateWay {
    std::size_t ofClass = 0;
    std::string op;                    ///< "map2(add)", "shift 1920", "reshape", "input x"
    std::vector<std::size_t> operands; ///< classes
    device::Resources area;
    bool chosen = false; ///< part of the chosen circuit
};

struct StateGraph {
    std::vector<StateClass> classes;
    std::vector<StateWay> ways;     ///< ascending by class
    std::vector<std::size_t> roots; ///< classes of the output
    std::size_t chosenRoot = 0;     ///< that of the chosen circuit
    bool complete = true;           ///< false: a limit ended the search
};

} // namespace marquetry::spacetime
