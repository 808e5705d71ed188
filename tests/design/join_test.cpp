// Joined steps: their delay against a clock-by-clock play of both nests, and what they save.
#include "engine/design/build_schedule.h"
#include "engine/design/cycle_model.h"
#include "engine/design/join.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

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

/// Clocks from an address to the write: slot, word register, operand register, products, adder
/// tree, accumulator; then at most six stages. Lanes have no tree, and those of a pool no products.
/// Rows that leave in groups wait in a register before.
std::int64_t latencyOf(const design::ScheduleUnit& unit, std::int64_t lanes) {
    std::int64_t levels = 0;
    while ((1 << levels) < unit.span * lanes)
        ++levels;
    if (unit.lanewise())
        return (unit.pass ? 4 : 5) + 6;
    return (unit.pass ? 3 : 5 + levels) + 6;
}

/// The groups in which the rows of a block leave.
struct Groups {
    std::int64_t rows = 1, count = 1;

    Groups(const Schedule& schedule, const design::ScheduleUnit& unit)
        : rows(unit.reduces() ? std::gcd(unit.parallel, schedule.lanes) : schedule.lanes),
          count(unit.reduces() ? unit.parallel / rows : 1) {}
};

/// Reads the window of a pixel from the clock after `clock` on, of a row as many words at once as
/// the unit takes, or several rows at once; how many clocks that takes.
std::int64_t readWindow(const Schedule& schedule, const ComputeStep& step, std::int64_t block,
                        ir::PerAxis pixel, std::int64_t clock, Played& played) {
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    const design::StoredTensor& input = schedule.tensor(step.input);
    const ir::PerAxis kernel = unit.reduces() ? step.kernel : ir::PerAxis(1);
    const ir::PerAxis pad = unit.reduces() ? step.pad : ir::PerAxis(0);
    const std::int64_t words = unit.reduces() ? step.channelWords : 1;
    const auto& rows = schedule.slot(input.slot).window;
    const std::int64_t begin = clock;
    for (std::int64_t ky = 0; ky < kernel.vertical; ++ky)
        for (std::int64_t kx = 0; kx < kernel.horizontal; ++kx)
            for (std::int64_t w = 0; w < words; ++w) {
                const bool next = rows ? kx + w == 0 && ky % rows->rows == 0
                                       : unit.lanewise() || (kx * words + w) % unit.span == 0;
                clock += next ? 1 : 0;
                const std::int64_t y = pixel.vertical * step.stride.vertical + ky - pad.vertical;
                const std::int64_t x =
                    pixel.horizontal * step.stride.horizontal + kx - pad.horizontal;
                if (y < 0 || x < 0 || y >= input.height || x >= input.width)
                    continue;
                const std::int64_t pixelWord = (y * input.width + x) * input.wordsPerPixel;
                if (!unit.pass && !unit.lanewise())
                    played.firstRead.emplace(pixelWord + w, clock);
                else
                    for (std::int64_t k = block * unit.span;
                         k < std::min((block + 1) * unit.span, input.wordsPerPixel); ++k)
                        played.firstRead.emplace(pixelWord + k, clock);
            }
    return clock - begin;
}

/// From the comment on the nest in design/schedule.h and the stages named in
/// lower_design/design_modules.h alone.
Played play(const Schedule& schedule, const ComputeStep& step) {
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    const design::StoredTensor& output = schedule.tensor(step.output);
    const std::int64_t parallel = unit.rows(schedule.lanes);
    const std::int64_t pool = step.epilogue.poolSize;
    const Groups groups(schedule, unit);
    const std::int64_t latency = latencyOf(unit, schedule.lanes) + (groups.count > 1 ? 1 : 0);
    Played played;
    std::int64_t clock = 0; // the set-up
    for (std::int64_t py = 0; py < step.height / pool; ++py)
        for (std::int64_t px = 0; px < step.width / pool; ++px)
            for (std::int64_t block = 0; block < step.rowBlocks; ++block) {
                std::int64_t last = clock;
                for (std::int64_t wy = 0; wy < pool; ++wy)
                    for (std::int64_t wx = 0; wx < pool; ++wx) {
                        const std::int64_t words = readWindow(
                            schedule, step, block, {py * pool + wy, px * pool + wx}, clock, played);
                        last = clock + words;
                        clock += std::max(words, groups.count);
                    }
                const std::int64_t pixel = py * (step.width / pool) + px;
                for (std::int64_t group = 0; group < groups.count; ++group) {
                    const std::int64_t word =
                        (block * parallel + group * groups.rows) / schedule.lanes;
                    if (word < output.wordsPerPixel)
                        played.lastWrite[pixel * output.wordsPerPixel + word] =
                            last + latency + group;
                }
            }
    return played;
}

/// Of a load: a clock after the set-up a beat comes, in the next one what it completes is written.
Played play(const Schedule& schedule, const design::LoadStep& step) {
    const design::StoredTensor& tensor = schedule.tensor(step.tensor);
    const std::int64_t perBeat = 8 / ir::info(tensor.scalar).bytes;
    Played played;
    std::int64_t clock = 2;
    for (std::int64_t pixel = 0; pixel < tensor.pixels; ++pixel)
        for (std::int64_t first = 0; first < tensor.channels; first += perBeat)
            played.lastWrite[pixel * tensor.wordsPerPixel + first / schedule.lanes] = clock++;
    return played;
}

Played play(const Schedule& schedule, const design::Step& step) {
    if (const auto* load = std::get_if<design::LoadStep>(&step))
        return play(schedule, *load);
    return play(schedule, std::get<ComputeStep>(step));
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

/// Pairs of calls that were joined, and how they came out.
struct Joins {
    int pairs = 0, loads = 0, tight = 0, saved = 0, whole = 0;

    void expectLeast(const Schedule& schedule, std::uint64_t seed) {
        const std::vector<std::int64_t> alone = design::predictCycles(schedule).steps;
        for (std::size_t i = 1; i < schedule.steps.size(); ++i) {
            if (!design::mayOverlap(schedule, i))
                continue;
            const design::Step& writer = schedule.steps[i - 1];
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
            const bool load = std::holds_alternative<design::LoadStep>(writer);
            ASSERT_LT(delay, alone[i - 1] + (load ? 1 : 0)) << "a load may have one word";
            ++pairs;
            loads += load;
            whole += schedule.slot(schedule.tensor(reader.input).slot).window.has_value();
            tight += least;
            saved += 4 * (alone[i - 1] - delay) > alone[i - 1];
        }
    }
};

} // namespace

TEST(Join, TheDelayIsTheLeastThatNeverReadsTooEarly) {
    Joins joins;
    for (std::uint64_t seed = 0; seed < 1500 && !HasFatalFailure(); ++seed)
        joins.expectLeast(test::randomDesign(seed).schedule, seed);
    EXPECT_GT(joins.loads, 200);
    EXPECT_GT(joins.pairs - joins.loads, 200);
    EXPECT_GT(joins.tight, 100);
    EXPECT_GT(joins.saved, 50);
}

TEST(Join, TheDelayIsTheLeastForWindowsOfEveryForm) {
    Joins joins;
    for (std::uint64_t seed = 0; seed < 600 && !HasFatalFailure(); ++seed)
        joins.expectLeast(test::randomWindows(seed).schedule, seed);
    EXPECT_GT(joins.loads, 150);
    EXPECT_GT(joins.pairs - joins.loads, 150);
    EXPECT_GT(joins.tight, 50);
    EXPECT_GT(joins.saved, 20);
    EXPECT_GT(joins.whole, 3) << "windows that are read whole";
}

TEST(Join, PredictionsCountWhatOverlapsOnce) {
    int joined = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Schedule schedule = test::randomDesign(seed).schedule;
        const design::CyclePrediction apart = design::predictCycles(schedule);
        joined += test::joinSteps(schedule, seed % 2 == 0);
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
    EXPECT_FALSE(design::mayOverlap(schedule, 0)) << "a load";
    EXPECT_TRUE(design::mayOverlap(schedule, 1)) << "the first computes on what is loaded";
    EXPECT_FALSE(design::mayOverlap(schedule, 2)) << "both read x";
    EXPECT_FALSE(design::mayOverlap(schedule, 3)) << "one unit";
    EXPECT_FALSE(design::mayOverlap(schedule, 4)) << "an output";
}

} // namespace marquetry
