// External weights: the image byte by byte, and what a replay says of the clocks that calls wait.
#include "engine/design/weight_traffic.h"

#include "engine/design/cycle_model.h"
#include "engine/design/schedule_json.h"
#include "engine/design/windows.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_windows.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry {

using design::ComputeStep;
using test::TestDesign;

namespace {

/// A random design with external weights; none when it has no weights.
std::optional<TestDesign> externalDesign(std::uint64_t seed) {
    TestDesign design = test::randomDesign(seed);
    SplitMix64 rng(seed);
    if (test::makeExternal(design.schedule, rng) == 0)
        return std::nullopt;
    return design;
}

/// Words as they are read, each filled up to whole beats; the parts of the image to whole bursts.
class ExpectedImage {
public:
    explicit ExpectedImage(const TestDesign& design) : schedule_(design.schedule) {
        for (const design::ScheduleUnit& unit : schedule_.units)
            packed_.push_back(
                design::packWeights(schedule_, unit.id, design.program, design.values));
    }

    void word(const design::ScheduleUnit& unit, std::int64_t word) {
        const std::int64_t elements = unit.weightElements(schedule_.lanes);
        const int bits = ir::storedBits(unit.weight);
        for (std::int64_t e = 0; e < elements; ++e) {
            const auto value = static_cast<std::uint64_t>(
                packed_[unit.id.index()][static_cast<std::size_t>(word * elements + e)]);
            for (int low = 0; low < bits; low += 8)
                bytes_.push_back(static_cast<char>(value >> low & 255));
        }
        fill(schedule_.memory->beatBytes);
    }
    void endPart() { fill(16 * schedule_.memory->beatBytes); }

    const std::vector<std::vector<std::int64_t>>& packed() const { return packed_; }
    const std::string& bytes() const { return bytes_; }

private:
    void fill(std::int64_t whole) {
        while (std::ssize(bytes_) % whole != 0)
            bytes_.push_back('\0');
    }
    const design::Schedule& schedule_;
    std::vector<std::vector<std::int64_t>> packed_;
    std::string bytes_;
};

/// A convolution of four blocks on a unit of 2 × 8 products, whose weights are external.
TestDesign fourBlocks(const design::ExternalMemory& memory, std::int64_t ring) {
    test::ScheduleBuilder builder("c", 8);
    const auto unit = builder.unit("u", 2);
    const auto x = builder.input("x", {ir::Scalar::I8, {4, 4, 16}});
    builder.output("y", builder.conv(unit, x, {8, 1, 1, 0}, {}));
    TestDesign design = builder.finish();
    design.schedule.memory = memory;
    design::ScheduleUnit& u = design.schedule.units[0];
    u.externalWords = u.weightWords;
    u.weightWords = 0;
    u.ringWords = ring;
    std::get<ComputeStep>(design.schedule.steps[1]).external = true;
    return design;
}

} // namespace

TEST(WeightTraffic, ImagesHoldEveryWordInTheOrderOfItsUse) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const auto test = externalDesign(seed);
        if (!test)
            continue;
        ++designs;
        const design::Schedule& schedule = test->schedule;
        ExpectedImage image(*test);
        for (const design::ScheduleUnit& unit : schedule.units)
            for (std::int64_t w = 0; w < unit.weightWords; ++w)
                image.word(unit, w);
        image.endPart();
        for (const design::Step& step : schedule.steps)
            if (const auto* call = std::get_if<ComputeStep>(&step); call && call->external)
                for (std::int64_t w = 0;
                     w < call->rowBlocks * design::reductionWords(schedule, *call); ++w)
                    image.word(schedule.unit(call->unit), call->weightBase + w);
        image.endPart();
        EXPECT_EQ(design::weightImage(schedule, image.packed()), image.bytes()) << seed;
    }
    EXPECT_GE(designs, 30);
}

// The image holds the words of a layer once; the ranges of bursts bring them for every band.
TEST(WeightTraffic, BandsReadTheirWordsAgain) {
    int banded = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        auto test = test::randomBands(seed);
        SplitMix64 rng(seed);
        if (!test || test::makeExternal(test->schedule, rng) == 0)
            continue;
        const design::Schedule& schedule = test->schedule;
        const auto reads = design::externalReads(schedule);
        if (reads.stored == reads.runs)
            continue;
        ++banded;
        ExpectedImage read(*test);
        std::set<std::pair<std::string, std::int64_t>> calls;
        for (const design::Step& step : schedule.steps)
            if (const auto* call = std::get_if<ComputeStep>(&step); call && call->external) {
                for (std::int64_t w = 0;
                     w < call->rowBlocks * design::reductionWords(schedule, *call); ++w)
                    read.word(schedule.unit(call->unit), call->weightBase + w);
                read.endPart();
                calls.emplace(call->layer, call->weightBase);
            }
        const std::string image = design::weightImage(schedule, read.packed());
        const std::int64_t burst = 16 * schedule.memory->beatBytes;
        const std::int64_t begin =
            burst * design::burstsOf(schedule, design::residentRuns(schedule));
        std::string bytes;
        for (const design::BurstRange& range : reads.ranges)
            bytes += image.substr(static_cast<std::size_t>(begin + range.first * burst),
                                  static_cast<std::size_t>(range.bursts * burst));
        EXPECT_EQ(bytes, read.bytes()) << seed;
        EXPECT_EQ(reads.stored.size(), calls.size()) << seed;
        EXPECT_EQ(std::ssize(image) - begin, burst * design::burstsOf(schedule, reads.stored));
    }
    EXPECT_GE(banded, 20);
}

TEST(WeightTraffic, NothingWaitsOfAMemoryThatIsAheadOfIt) {
    // A word takes one beat and serves a clock; the load of the input takes longer than the first
    // words need.
    const auto prediction = design::predictCycles(fourBlocks({16, 16, 0}, 8).schedule);
    EXPECT_EQ(prediction.waiting, 0);
}

TEST(WeightTraffic, CallsOfOnePassAreAsSlowAsTheirMemory) {
    for (const double rate : {1.0, 2.0, 4.0}) {
        test::ScheduleBuilder builder("m", 8);
        const auto unit = builder.unit("u", 2);
        const auto x = builder.input("x", {ir::Scalar::I8, {32}});
        builder.output("y", builder.mv(unit, x, 64, {}));
        TestDesign design = builder.finish();
        design.schedule.memory = design::ExternalMemory{4, rate, 20};
        design::ScheduleUnit& u = design.schedule.units[0];
        std::swap(u.externalWords, u.weightWords);
        u.ringWords = 8;
        std::get<ComputeStep>(design.schedule.steps[1]).external = true;
        const auto prediction = design::predictCycles(design.schedule);
        // 64 × 32 bytes at the rate, from the start of the run on.
        const double read = 64 * 32 / rate;
        EXPECT_GE(static_cast<double>(prediction.total), read);
        EXPECT_LE(static_cast<double>(prediction.total), read + 20 + 100) << rate;
    }
}

TEST(WeightTraffic, ALongerRingNeverWaitsLonger) {
    std::int64_t before = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t ring : {2, 3, 4, 6, 8}) {
        const auto waits = design::predictCycles(fourBlocks({4, 0.4, 10}, ring).schedule).waiting;
        EXPECT_LE(waits, before) << ring;
        before = waits;
    }
    EXPECT_GT(before, 0);
}

// A block has two words of two beats, and the ring no more. The last pixel takes the first word in
// clock T and the second one in T + 1, and the next block could begin in T + 2. Its words come in T
// + 1 to T + 4, so they can be used in T + 3 and T + 5: each a clock late, in three blocks of four.
TEST(WeightTraffic, AWordThatWaitsForItsPlaceComesInTheClockBehind) {
    const design::ExternalMemory memory{8, 8, 0};
    const std::int64_t shortest = design::predictCycles(fourBlocks(memory, 2).schedule).waiting;
    const std::int64_t longest = design::predictCycles(fourBlocks(memory, 64).schedule).waiting;
    EXPECT_EQ(shortest - longest, 6);
}

TEST(WeightTraffic, QueuesHoldWhatIsUnderWay) {
    EXPECT_EQ(design::queueBeats({32, 24.3, 300}), 512);
    EXPECT_EQ(design::queueBeats({8, 8, 0}), 32);
    EXPECT_EQ(design::queueBeats({16, 16, 100}), 256);
}

TEST(WeightTraffic, SchedulesWithMemoryRoundTrip) {
    for (std::uint64_t seed = 0; seed < 20; ++seed)
        if (const auto test = externalDesign(seed)) {
            const auto json = design::toJson(test->schedule);
            const auto back = design::scheduleFromJson(nlohmann::ordered_json::parse(json.dump()));
            ASSERT_TRUE(back);
            EXPECT_EQ(design::toJson(*back).dump(), json.dump());
            EXPECT_EQ(back->memory, test->schedule.memory);
        }
}

} // namespace marquetry
