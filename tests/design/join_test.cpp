// Joined steps: their delay against a clock-by-clock play of both nests, and what they save.
#include "engine/design/build_schedule.h"
#include "engine/design/cycle_model.h"
#include "engine/design/join.h"
#include "tests/lower_design/random_design.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace marquetry {

using design::ComputeStep;
using design::Schedule;

namespace {

/// Clocks after the start of a step at which it writes the last group of a word, and reads a word
/// for the first time.
struct Played {
    std::map<std::int64_t, std::int64_t> lastWrite;
    std::map<std::int64_t, std::int64_t> firstRead;
};

/// From the comment on the nest in design/schedule.h and the stages named in
/// lower_design/design_modules.h alone.
Played play(const Schedule& schedule, const ComputeStep& step) {
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    const design::StoredTensor& input = schedule.tensor(step.input);
    const design::StoredTensor& output = schedule.tensor(step.output);
    const std::int64_t parallel = unit.pass ? schedule.lanes : unit.parallel;
    const std::int64_t pool = step.epilogue.poolSize;
    const std::int64_t kernel = unit.pass ? 1 : step.kernel;
    const std::int64_t words = unit.pass ? 1 : step.channelWords;
    std::int64_t levels = 0;
    while ((1 << levels) < schedule.lanes)
        ++levels;
    // Slot, operand register, products, adder tree, accumulator; then at most six stages.
    const std::int64_t latency = (unit.pass ? 2 : 4 + levels) + 6;
    Played played;
    std::int64_t clock = 0; // the set-up
    for (std::int64_t block = 0; block < step.rowBlocks; ++block)
        for (std::int64_t py = 0; py < step.height / pool; ++py)
            for (std::int64_t px = 0; px < step.width / pool; ++px) {
                for (std::int64_t wy = 0; wy < pool; ++wy)
                    for (std::int64_t wx = 0; wx < pool; ++wx)
                        for (std::int64_t ky = 0; ky < kernel; ++ky)
                            for (std::int64_t kx = 0; kx < kernel; ++kx)
                                for (std::int64_t w = 0; w < words; ++w) {
                                    ++clock;
                                    const std::int64_t y = (py * pool + wy) * step.stride + ky -
                                                           (unit.pass ? 0 : step.pad);
                                    const std::int64_t x = (px * pool + wx) * step.stride + kx -
                                                           (unit.pass ? 0 : step.pad);
                                    if (y < 0 || x < 0 || y >= input.height || x >= input.width)
                                        continue;
                                    const std::int64_t word =
                                        (y * input.width + x) * input.wordsPerPixel +
                                        (unit.pass ? block : w);
                                    played.firstRead.emplace(word, clock);
                                }
                const std::int64_t pixel = py * (step.width / pool) + px;
                const std::int64_t word =
                    pixel * output.wordsPerPixel + block * parallel / schedule.lanes;
                played.lastWrite[word] = clock + latency;
            }
    return played;
}

/// Clocks that a reader started `delay` after the writer leaves between a write and its read, at
/// the word where they are closest; one is the least that works.
std::int64_t slack(const Played& writer, const Played& reader, std::int64_t delay) {
    std::int64_t least = 1'000'000'000;
    for (const auto& [word, read] : reader.firstRead)
        if (const auto written = writer.lastWrite.find(word); written != writer.lastWrite.end())
            least = std::min(least, delay + read - written->second);
    return least;
}

} // namespace

TEST(Join, TheDelayIsTheLeastThatNeverReadsTooEarly) {
    int pairs = 0, tight = 0, saved = 0;
    for (std::uint64_t seed = 0; seed < 1500; ++seed) {
        const Schedule schedule = test::randomDesign(seed).schedule;
        const std::vector<std::int64_t> alone = design::predictCycles(schedule).steps;
        for (std::size_t i = 1; i < schedule.steps.size(); ++i) {
            if (!design::mayOverlap(schedule, i))
                continue;
            const auto& writer = std::get<ComputeStep>(schedule.steps[i - 1]);
            const auto& reader = std::get<ComputeStep>(schedule.steps[i]);
            const std::int64_t delay = design::joinDelay(schedule, writer, reader);
            const Played first = play(schedule, writer);
            const Played second = play(schedule, reader);
            ASSERT_GE(slack(first, second, delay), 1) << "seed " << seed << " step " << i;
            ASSERT_GE(delay + alone[i], alone[i - 1]) << "the reader ends last";
            const bool least = slack(first, second, delay - 1) < 1;
            ASSERT_TRUE(least || delay + alone[i] == alone[i - 1] ||
                        delay == design::kLeastJoinDelay)
                << "seed " << seed;
            ASSERT_LT(delay, alone[i - 1]);
            ++pairs;
            tight += least;
            saved += 4 * (alone[i - 1] - delay) > alone[i - 1];
        }
    }
    EXPECT_GT(pairs, 200);
    EXPECT_GT(tight, 100);
    EXPECT_GT(saved, 50);
}

TEST(Join, PredictionsCountWhatOverlapsOnce) {
    int joined = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Schedule schedule = test::randomDesign(seed).schedule;
        const design::CyclePrediction apart = design::predictCycles(schedule);
        joined += test::joinSteps(schedule);
        const design::CyclePrediction together = design::predictCycles(schedule);
        std::int64_t expected = apart.total;
        for (std::size_t i = 1; i < schedule.steps.size(); ++i)
            if (const auto* step = std::get_if<ComputeStep>(&schedule.steps[i]);
                step != nullptr && step->joinedAfter)
                expected -= apart.steps[i - 1] - *step->joinedAfter;
        EXPECT_EQ(together.total, expected) << "seed " << seed;
    }
    EXPECT_GT(joined, 50);
}

TEST(Join, NeedsTwoUnitsAndPortsOfTheirOwn) {
    test::ScheduleBuilder builder("ports");
    const auto first = builder.unit("first", 2);
    const auto second = builder.unit("second", 2);
    test::EpilogueSpec narrow;
    narrow.requantBefore = test::requant(7);
    const auto x = builder.input("x", {ir::Scalar::I8, {4, 4, 8}});
    const auto a = builder.conv(first, x, {8, 3, 1, 1}, narrow);
    test::EpilogueSpec adding = narrow;
    adding.addend = x; // what `first` still reads
    const auto b = builder.conv(second, a, {8, 3, 1, 1}, adding);
    builder.output("y", builder.conv(second, b, {8, 3, 1, 1}, narrow));
    const Schedule schedule = builder.finish(1).schedule;
    EXPECT_FALSE(design::mayOverlap(schedule, 1)) << "the first computes on what was loaded";
    EXPECT_FALSE(design::mayOverlap(schedule, 2)) << "both read x";
    EXPECT_FALSE(design::mayOverlap(schedule, 3)) << "one unit";
    EXPECT_FALSE(design::mayOverlap(schedule, 4)) << "an output";
}

} // namespace marquetry
