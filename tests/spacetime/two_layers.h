// Types of sequences in one or two layers, which is enough for every kind of change of layout.
#pragma once

#include "tests/spacetime/exhaustive.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace marquetry::spacetime {

/// Elements and clocks.
inline const std::vector<std::pair<std::int64_t, std::int64_t>> kSmallSizes = {
    {4, 4}, {6, 4}, {6, 6}, {8, 4}, {12, 3}, {4, 12}, {12, 6}};

/// All types of so many elements in so many clocks.
inline std::vector<SeqType> typesOf(std::int64_t elements, std::int64_t time) {
    const ir::StreamType byte = ir::scalarStream(ir::Scalar::U8);
    std::vector<SeqType> all;
    for (std::int64_t outer = 1; outer <= elements; ++outer) {
        if (elements % outer != 0)
            continue;
        for (SeqType& type :
             exhaustive::types(ir::seqOf(outer, ir::seqOf(elements / outer, byte)), time))
            all.push_back(std::move(type));
    }
    return all;
}

} // namespace marquetry::spacetime
