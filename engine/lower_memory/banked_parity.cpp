// Addresses of XOR-linear schemes: a bit of the bank is an XOR of index bits, and the offset is the
// bits that are left out of it. The indices come from the loop counters or from outside.
#include "engine/lower_memory/banked_address.h"

#include "engine/banking/flat_maps.h"
#include "engine/support/checked_math.h"

#include <bit>
#include <cstdlib>

namespace marquetry::hdl {

namespace {

/// a + b, where b's bits begin above those of a: no adder.
bool apart(std::int64_t largestBelow, std::int64_t factor) {
    return factor > 0 && largestBelow >= 0 &&
           static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largestBelow))) <=
               std::countr_zero(static_cast<std::uint64_t>(factor));
}

} // namespace

/// Of a lane that knows its counters. Terms are added from the smallest on, so that what does not
/// overlap is wired.
Expr AddressLogic::index(const BankedLane& lane, std::size_t dim) {
    const int width = selectBits(memory_.pattern.dims[dim]);
    const std::size_t nest = nestOf(lane);
    const auto& generators = memory_.pattern.nests[nest].generators;
    const auto terms = banking::indexTerms(source(lane), memory_.pattern.nests[nest], dim);
    std::int64_t largest = source(lane).offset[dim];
    Expr sum = rtl::constant(largest, width);
    for (const std::size_t g : terms) {
        const std::int64_t factor = source(lane).matrix[dim][g];
        const Expr term = logic_.times(counter(nest, g), factor, width);
        sum = apart(largest, factor) ? logic_.named(sum | term) : logic_.add(sum, term, width);
        const bool stays = factor > 0 && largest >= 0;
        largest = stays ? largest + factor * (generators[g].trips - 1) : -1;
    }
    return sum;
}

LaneAddress AddressLogic::parity(const BankedLane& lane) {
    const bool decoded = lane.hardware.mode == banking::AddressMode::Decoded;
    std::vector<Expr> indices;
    for (std::size_t d = 0; d < memory_.pattern.dims.size(); ++d) {
        const bool one = memory_.pattern.dims[d] == 1;
        indices.push_back(one       ? rtl::constant(0, 0)
                          : decoded ? ports_.lanes.at(lane.name).at[d]
                                    : index(lane, d));
    }
    return {decoded ? rtl::constant(1, 1) : happens(lane), parityCode(indices),
            parityOffset(indices)};
}

Expr AddressLogic::parityCode(const std::vector<Expr>& indices) {
    std::vector<Expr> code;
    for (const ir::FlatMap& map : memory_.scheme.maps) {
        Expr bit = rtl::constant(0, 1);
        for (std::size_t d = 0; d < indices.size(); ++d) {
            for (int place = 0; place < indices[d].width(); ++place) {
                if ((map.alpha[d] >> place & 1) != 0)
                    bit = bit ^ logic_.bitsOf(indices[d], place, 1);
            }
        }
        code.push_back(logic_.named(bit));
    }
    return logic_.named(rtl::join(code));
}

Expr AddressLogic::parityOffset(const std::vector<Expr>& indices) {
    const banking::Scheme& scheme = memory_.scheme;
    const int width = offsetBits();
    Expr offset = rtl::constant(0, width);
    for (std::size_t d = 0; d < indices.size(); ++d) {
        std::vector<Expr> kept;
        for (int place = indices[d].width(); place-- > 0;) {
            if ((scheme.replaced[d] >> place & 1) == 0)
                kept.push_back(logic_.bitsOf(indices[d], place, 1));
        }
        const Expr rest = logic_.fit(rtl::join(kept), width);
        const Expr before = logic_.times(offset, scheme.boxes[d], width);
        offset = apart(scheme.boxes[d] - 1, scheme.boxes[d]) ? logic_.named(before | rest)
                                                             : logic_.add(before, rest, width);
    }
    return offset;
}

} // namespace marquetry::hdl
