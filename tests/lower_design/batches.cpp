#include "tests/lower_design/batches.h"

#include "engine/design/cycle_model.h"
#include "engine/design/frame_groups.h"
#include "engine/lower_design/lower_design.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_elements.h"
#include "tests/lower_design/random_outside.h"
#include "tests/lower_design/random_products.h"
#include "tests/lower_design/random_streams.h"
#include "tests/lower_design/random_windows.h"

#include <algorithm>

namespace marquetry::test {

bool makeBatch(design::Schedule& schedule, std::int64_t frames) {
    design::Schedule batch = schedule;
    batch.frames = frames;
    for (design::Slot& slot : batch.slots)
        slot.depth *= frames;
    for (design::StoredTensor& tensor : batch.tensors)
        tensor.base *= frames;
    if (!hdl::check(batch))
        return false;
    schedule = std::move(batch);
    return true;
}

namespace {

std::optional<TestDesign> grouped(TestDesign design, std::uint64_t seed, GroupCalls calls) {
    constexpr std::int64_t kMostCycles = 8'000;
    constexpr std::uint64_t kManyGroups = 12;
    if (seed / 2 % 2 == 1)
        makeBatch(design.schedule, 2); // where it may have several frames in a group
    const bool joins = calls == GroupCalls::Joined;
    if ((joins && joinSteps(design.schedule) == 0) || !design::whyOneGroup(design.schedule).empty())
        return std::nullopt;
    const auto groups = static_cast<std::int64_t>(seed % 5 == 4 ? kManyGroups : 2 + seed % 3);
    const auto atOnce = static_cast<std::int64_t>(2 + seed / 4 % 2);
    const bool sparing = seed % 3 == 0;
    design.schedule =
        design::inGroups(design.schedule, {groups, sparing ? 4 : atOnce,
                                           calls == GroupCalls::InQueues, sparing, sparing});
    if (design::predictCycles(design.schedule).total > kMostCycles)
        return std::nullopt;
    return design;
}

} // namespace

std::optional<TestDesign> randomGroups(std::uint64_t seed, GroupCalls calls) {
    return grouped(seed % 2 == 0 ? randomDesign(seed) : randomWindows(seed), seed, calls);
}

std::optional<TestDesign> randomMovedGroups(std::uint64_t seed, GroupCalls calls) {
    std::optional<TestDesign> design = randomMoved(seed, false);
    const bool moves = std::ranges::any_of(design->schedule.steps, [](const design::Step& step) {
        return std::holds_alternative<design::MoveStep>(step);
    });
    return moves ? grouped(*std::move(design), seed, calls) : std::nullopt;
}

std::optional<TestDesign> randomRowGroups(std::uint64_t seed, GroupCalls calls) {
    TestDesign design = seed % 2 == 0 ? randomElements(seed / 2) : randomProducts(seed / 2);
    const bool rows = std::ranges::any_of(design.schedule.steps, [](const design::Step& step) {
        const auto* move = std::get_if<design::MoveStep>(&step);
        return std::holds_alternative<design::RowStep>(step) || (move != nullptr && !move->target);
    });
    return rows ? grouped(std::move(design), seed, calls) : std::nullopt;
}

std::optional<TestDesign> randomStreamGroups(std::uint64_t seed, GroupCalls calls) {
    return grouped(randomStreamAndProducts(seed), seed, calls);
}

} // namespace marquetry::test
