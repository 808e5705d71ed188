// What streamed circuits take of the logic that they share, while not every call's way is decided.
//
// Units: LUT, flip-flops, blocks of block RAM. Complexity: O(demands · options) to make.
// Thread rule: pure.
#pragma once

#include "engine/extract/pool.h"

#include <vector>

namespace marquetry::extract {

class PoolLogic {
public:
    PoolLogic(const PoolProblem& problem, const WayChoice& ways);

    /// Some choice among the ways has room.
    bool feasible() const { return fits(least_); }
    /// Some choice among the ways has none.
    bool open() const { return !fits(most_); }
    /// The option is among the ways and has room beside the least that the others take.
    bool allows(std::size_t demand, const PrivateOption& option) const;
    bool fits(const device::Resources& logic) const { return logic.fits(limit_); }
    /// Least that the demand's ways take.
    const device::Resources& least(std::size_t demand) const { return spans_[demand].least; }
    /// Part of the limit on the scarcest resource.
    double share(const device::Resources& logic) const;
    /// The demand whose ways differ most in what they take.
    std::size_t widest() const;

private:
    struct Span {
        device::Resources least;
        device::Resources most;
    };

    Span spanOf(const CallDemand& demand, Ways ways) const;

    const WayChoice& ways_;
    device::Resources limit_;
    device::Resources least_;
    device::Resources most_;
    std::vector<Span> spans_; ///< by demand
    double device::Resources::*scarcest_ = &device::Resources::lut;
};

} // namespace marquetry::extract
