// R-STREAM: a call of a convolution becomes a call of a stream unit that has the weights built in
// (`Stream[kernel, T]` of background/engineir.md, "Sorts and terms"):
//
//   call(U, buf(w), s) = call(Stream[layer, 1/n], s)
//
// This holds for the values of w that the program declares. It is therefore a rule on calls and not
// on units: a unit of the same shape with other weights is another function. Side condition:
// ir::convStreamOf, and a pixel that fits in one stored word, in and out. T is 1/n pixels per
// clock: the rows of a pixel are written `parallel` at a time, a power of two, in n = ceil(rows /
// parallel) clocks.
//
// There is one rule for each call and n. What the unit is made of and costs: cost/stream_unit.h.
// Thread rule: pure.
#pragma once

#include "engine/egraph/rewrite.h"
#include "engine/ir/conv_stream.h"
#include "engine/rules/skeletons.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::rules {

/// Slower units of one call are not worth more choices: n is at most this.
inline constexpr std::int64_t kMaxStreamInterval = 8;

/// One unit a call may be streamed through.
struct StreamUnit {
    egraph::OpId op; ///< "Stream[c1, 1/2]"
    std::int64_t interval = 1;
    std::int64_t parallel = 1; ///< rows written at a time
};

/// A call that may be streamed.
struct StreamedCall {
    std::size_t layer = 0;
    ir::ConvStream conv;
    egraph::OpId call;
    egraph::OpId weight;           ///< what its second operand stores
    egraph::OpId streamed;         ///< the call without its weight
    std::vector<StreamUnit> units; ///< fastest first
};

/// The side condition; nullopt where it does not hold.
std::optional<ir::ConvStream> streamable(const ir::Program& program, const ir::Layer& layer,
                                         std::int64_t lanes);
/// Units for so many rows, without operators, fastest first.
std::vector<StreamUnit> streamUnits(std::int64_t rows, std::int64_t lanes);

std::vector<egraph::Rewrite> streamRewrites(const TermLanguage& terms,
                                            const std::vector<StreamedCall>& calls);

} // namespace marquetry::rules
