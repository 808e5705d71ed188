// All types that a value can take in a given time (background/aetherling.md, "Output types").
//
// Every layer of Seq gets a factor of the time and one of five shapes: all in space (one clock);
// in time; in time with a group of lanes (the largest number of groups that divides the length and
// fits the time); in time with the idle time spread over two, or evenly over three, layers.
// Deviation: idle times are found among the divisors of the time, not by counting through all.
//
// Order: deterministic, by factors of the outermost layer first, then by shape as listed above.
// Complexity: types found × depth; factors by trial division, O(√clocks). Thread rule: pure.
#pragma once

#include "engine/spacetime/seq_type.h"

namespace marquetry::spacetime {

/// The shapes of one layer Seq n that take `time` clocks, around `element`.
std::vector<SeqType> layerTypes(std::int64_t n, std::int64_t time, const SeqType& element);

/// The types that erase to `type` up to layers, and take `time` ≥ 1 clocks. STuple stays in space.
/// Empty when there are none: no layer can be spread over a part of the time.
std::vector<SeqType> outputTypes(const ir::StreamType& type, std::int64_t time);
/// How many those are, without making them; at most `most`.
std::int64_t countOutputTypes(const ir::StreamType& type, std::int64_t time, std::int64_t most);

} // namespace marquetry::spacetime
