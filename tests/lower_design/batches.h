// Runs of several frames made of any schedule, for property tests.
#pragma once

#include "tests/lower_design/schedule_builder.h"

#include <optional>

namespace marquetry::test {

/// The schedule with runs of so many frames, its tensors as far apart as before for each frame;
/// false and unchanged where it may not be (design/batch.h). Steps are joined afterwards.
bool makeBatch(design::Schedule& schedule, std::int64_t frames);

/// Calls of units of products run one after another, some joined to the one before, or in queues.
enum class GroupCalls : std::uint8_t { Alone, Joined, InQueues };

/// A random chain of layers whose frames come in 2 … 4 or 12 groups of 1 or 2, two or three of them
/// begun at once. Nothing where the seed's may not have such calls, or is large.
std::optional<TestDesign> randomGroups(std::uint64_t seed, GroupCalls calls);
/// Likewise of a program with layers that move.
std::optional<TestDesign> randomMovedGroups(std::uint64_t seed, GroupCalls calls);
/// Likewise of a program with functions of rows or of elements, or with units that hold tensors in
/// place of weights.
std::optional<TestDesign> randomRowGroups(std::uint64_t seed, GroupCalls calls);
/// Likewise of a stream unit and products behind it.
std::optional<TestDesign> randomStreamGroups(std::uint64_t seed, GroupCalls calls);

} // namespace marquetry::test
