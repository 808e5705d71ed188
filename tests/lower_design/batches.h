// Runs of several frames made of any schedule, for property tests.
#pragma once

#include "tests/lower_design/schedule_builder.h"

#include <optional>

namespace marquetry::test {

/// The schedule with runs of so many frames, its tensors as far apart as before for each frame;
/// false and unchanged where it may not be (design/batch.h). Steps are joined afterwards.
bool makeBatch(design::Schedule& schedule, std::int64_t frames);

/// A random chain of layers whose frames come in 2 … 4 groups of 1 or 2, two or three of them begun
/// at once; `joins`: with joined calls. Nothing where the seed's may not have them, or is large.
std::optional<TestDesign> randomGroups(std::uint64_t seed, bool joins);

} // namespace marquetry::test
