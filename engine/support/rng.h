// SplitMix64, the project's one random generator: seeded, passed in, the same on every machine.
// `random(seed: …)` sources of the language are defined by this sequence: the state starts at the
// seed and is advanced before each draw.
#pragma once

#include "engine/support/hash.h"

#include <cstdint>

namespace marquetry {

class SplitMix64 {
public:
    explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15ULL;
        return mix(state_);
    }

    /// A value of lo … hi inclusive: lo + draw mod (hi − lo + 1).
    std::int64_t range(std::int64_t lo, std::int64_t hi) {
        const std::uint64_t span =
            static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) + 1;
        const std::uint64_t draw = next();
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) +
                                         (span == 0 ? draw : draw % span));
    }

private:
    std::uint64_t state_;
};

} // namespace marquetry
