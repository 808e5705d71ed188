// Runs of several frames made of any schedule, for property tests.
#pragma once

#include "engine/design/schedule.h"

namespace marquetry::test {

/// The schedule with runs of so many frames, its tensors as far apart as before for each frame;
/// false and unchanged where it may not be (design/batch.h). Steps are joined afterwards.
bool makeBatch(design::Schedule& schedule, std::int64_t frames);

} // namespace marquetry::test
