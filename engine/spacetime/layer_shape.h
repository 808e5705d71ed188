// The shapes of one layer Seq n that the scheduler searches.
//
// A shape is the layers TSeq groups (period − groups), SSeq lanes, TSeq 1 (spread − 1), with layers
// that have no effect left out. groups · lanes = n, and the layer takes period · spread times the
// time of its elements. The five shapes of background/aetherling.md, "Output types", have this
// form: all in space, in time, in time with lanes, and with idle time after the group or between
// the elements. So has every other divisor of n as the number of lanes.
//
// Order of lists: groups descending, then period descending. Thread rule: value types, pure.
#pragma once

#include "engine/spacetime/seq_type.h"

namespace marquetry::spacetime {

struct LayerShape {
    std::int64_t groups = 1;
    std::int64_t period = 1; ///< ≥ groups
    std::int64_t lanes = 1;
    std::int64_t spread = 1;
    bool operator==(const LayerShape&) const = default;

    std::int64_t time() const { return period * spread; }
};

/// In ascending order; n ≥ 1. O(√n) for a prime, less when the second largest factor is small.
std::vector<std::int64_t> divisors(std::int64_t n);

/// The shapes of Seq n that take `time` clocks, at most `maxLanes` wide. A shape of one group has
/// its idle time as spread, so shapes with the same slots occur once.
std::vector<LayerShape> layerShapes(std::int64_t n, std::int64_t time, std::int64_t maxLanes);

/// The layers with effect, outermost first and around nothing; SSeq 1 when there is none.
std::vector<SeqType> layersOf(const LayerShape& shape);
/// `layers`, outermost first, around an element.
SeqType around(const std::vector<SeqType>& layers, SeqType element);
SeqType around(const LayerShape& shape, SeqType element);

} // namespace marquetry::spacetime
