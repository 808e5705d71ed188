// R3-SEQ (EngineIR R3-fuse: background/engineir.md, "Rules and their conditions"): two calls become
// one call on a unit that is made of two units, the second of which reads what the first still
// writes:
//
//   call(V, w2, buf(writeback(call(U, w1, s)))) = call(Seq(U, V), w1, s, w2)
//
// Both sides compute the same value, so this is an equality whatever the units are. The program
// says which calls follow each other (ir::joinableLayers), and there is one rule for each such pair
// of calls. What overlapping them saves is computed in design/join.h.
// Thread rule: pure.
#pragma once

#include "engine/egraph/rewrite.h"
#include "engine/rules/skeletons.h"

#include <vector>

namespace marquetry::rules {

/// Two calls of the program that may be joined.
struct JoinedCall {
    struct WriteBack {
        egraph::OpId op;
        bool addend = false; ///< has a stored operand beside the value
    };
    egraph::OpId writer;
    egraph::OpId reader;
    egraph::OpId joined;
    std::vector<WriteBack> writeBack; ///< of the writer, innermost first
    std::size_t writerOperands = 1;   ///< stored operands after the unit
    std::size_t readerOperands = 1;
    std::size_t readerInput = 0; ///< which of them is the writer's result
};

std::vector<egraph::Rewrite> joinRewrites(const TermLanguage& terms,
                                          const std::vector<JoinedCall>& joins);

} // namespace marquetry::rules
