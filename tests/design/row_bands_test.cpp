// Bands of rows: what they make and keep against one row after another, and what schedules of them
// compute.
#include "engine/design/cycle_model.h"
#include "engine/design/move_hardware.h"
#include "engine/design/row_bands.h"
#include "engine/design/schedule_json.h"
#include "engine/design/tensor_slots.h"
#include "engine/lower_design/lower_design.h"
#include "engine/support/rng.h"
#include "tests/lower_design/random_outside.h"
#include "tests/lower_design/random_windows.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry {

using design::BandedTensor;
using design::ComputeStep;
using design::RowRange;
using design::RowUse;

namespace {

/// A chain with some values that are read again further on.
struct Chain {
    std::vector<BandedTensor> tensors;
    std::vector<RowUse> uses;
    std::int64_t rows = 1;
};

Chain anyChain(std::uint64_t seed) {
    SplitMix64 rng(seed);
    Chain chain;
    std::int64_t height = rng.range(4, 30);
    chain.tensors.push_back({height, {}, 0});
    const std::int64_t layers = rng.range(1, 4);
    for (std::int64_t k = 0; k < layers; ++k) {
        RowUse use{static_cast<std::size_t>(k), static_cast<std::size_t>(k + 1)};
        if (rng.range(0, 4) == 0) {
            use.repeat = rng.range(2, 3);
            height *= use.repeat;
            chain.uses.push_back(use);
            chain.tensors.push_back({height, {}, 0});
            continue;
        }
        use.kernel = rng.range(1, 4);
        use.stride = rng.range(1, 2);
        use.pad = rng.range(0, use.kernel - 1);
        use.pool = rng.range(1, 2);
        const std::int64_t windows = (height + 2 * use.pad - use.kernel) / use.stride + 1;
        if (height + 2 * use.pad < use.kernel || windows / use.pool < 1)
            break;
        const bool same = windows == height && use.pool == 1;
        if (same && k > 0) // an addend of the rows made
            chain.uses.push_back({use.source, use.result, 1, 1, 0, 1});
        height = windows / use.pool;
        chain.uses.push_back(use);
        chain.tensors.push_back({height, {}, 0});
    }
    chain.rows = rng.range(1, chain.tensors.front().height);
    return chain;
}

/// Rows of the source that one row of the result is made of, by the definition of a window.
std::set<std::int64_t> rowsFor(const RowUse& use, std::int64_t row, std::int64_t height) {
    if (use.repeat > 1)
        return {row / use.repeat};
    std::set<std::int64_t> rows;
    for (std::int64_t w = row * use.pool; w < (row + 1) * use.pool; ++w)
        for (std::int64_t k = 0; k < use.kernel; ++k)
            if (const std::int64_t y = w * use.stride + k - use.pad; y >= 0 && y < height)
                rows.insert(y);
    return rows;
}

} // namespace

namespace {

/// Behind the end of its ring, at the beginning.
bool goesOn(const design::Schedule& schedule, const design::StoredTensor& tensor) {
    const design::Slot& slot = schedule.slot(tensor.slot);
    return slot.ring && tensor.base + schedule.storedWords(tensor.id) > slot.depth;
}

} // namespace

TEST(RowBands, MakeEachRowOnceAndBeforeItIsRead) {
    int banded = 0;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        Chain chain = anyChain(seed);
        if (chain.uses.empty())
            continue;
        design::planBands(chain.tensors, chain.uses, chain.rows);
        const std::size_t bands = chain.tensors.front().made.size();
        banded += bands > 1;
        std::vector<std::int64_t> made(chain.tensors.size(), 0);
        for (std::size_t band = 0; band < bands; ++band)
            for (std::size_t t = 0; t < chain.tensors.size(); ++t) {
                const RowRange rows = chain.tensors[t].made[band];
                ASSERT_EQ(rows.begin, made[t]) << "one behind the other";
                ASSERT_LE(rows.end, chain.tensors[t].height);
                made[t] = rows.end;
                for (const RowUse& use : chain.uses)
                    for (std::int64_t row = rows.begin; use.result == t && row < rows.end; ++row)
                        for (const std::int64_t y :
                             rowsFor(use, row, chain.tensors[use.source].height)) {
                            ASSERT_LT(y, made[use.source]) << "seed " << seed;
                            ASSERT_GE(y, made[use.source] - chain.tensors[use.source].kept)
                                << "it stays, seed " << seed;
                        }
            }
        for (std::size_t t = 0; t < chain.tensors.size(); ++t)
            EXPECT_EQ(made[t], chain.tensors[t].height);
    }
    EXPECT_GT(banded, 200);
}

TEST(RowBands, KeepNoMoreRowsThanAreReadAgain) {
    // Windows of three rows, of which two are kept, and as many new ones as a band makes.
    std::vector<BandedTensor> tensors = {{20, {}, 0}, {20, {}, 0}, {20, {}, 0}};
    design::planBands(tensors, {{0, 1, 3, 1, 1, 1}, {1, 2, 3, 1, 1, 1}}, 4);
    EXPECT_EQ(tensors[0].kept, 6);
    EXPECT_EQ(tensors[1].kept, 7) << "the last band makes a row more";
    EXPECT_EQ(tensors[1].made.front(), (RowRange{0, 3})) << "the next row is to come";
    EXPECT_EQ(tensors[1].made.back(), (RowRange{15, 20}));
}

TEST(RowBands, OfTheFirstTensorHoldAllRowsOfARow) {
    // What is repeated is there as a whole: of the result come whole rows.
    std::vector<BandedTensor> tensors = {{12, {}, 0}, {12, {}, 0}};
    design::planBands(tensors, {{design::kThere, 0, 1, 1, 0, 1, 3}, {0, 1, 1, 1, 0, 1}}, 4);
    EXPECT_EQ(tensors[0].made, (std::vector<RowRange>{{0, 6}, {6, 12}}));
}

TEST(RowBands, WithMovesComputeTheProgram) {
    int designs = 0, several = 0, wraps = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const auto test = test::randomMoved(seed, true, seed % 3);
        if (!test)
            continue;
        ASSERT_EQ(design::simulate(test->schedule, test->program, test->values), test->outputs())
            << "seed " << seed << "\n"
            << test::randomMovedText(seed);
        const Status sound = hdl::check(test->schedule);
        ASSERT_TRUE(sound) << "seed " << seed << ": " << sound.error().front().message;
        ++designs;
        for (const auto& moves : design::movesOfMovers(test->schedule))
            several += moves.size() > 1;
        for (const design::Step& step : test->schedule.steps)
            if (const auto* move = std::get_if<design::MoveStep>(&step))
                for (const design::TensorId id : {move->source, *move->target})
                    wraps += goesOn(test->schedule, test->schedule.tensor(id));
    }
    EXPECT_GE(designs, 200);
    EXPECT_GE(several, 200);
    EXPECT_GE(wraps, 50);
}

TEST(RowBands, SchedulesComputeTheProgram) {
    int bands = 0, loads = 0, addends = 0, windows = 0, wraps = 0, uneven = 0;
    for (std::uint64_t seed = 0; seed < 600; ++seed) {
        const auto test = test::randomBands(seed);
        if (!test)
            continue;
        ASSERT_EQ(design::simulate(test->schedule, test->program, test->values), test->outputs())
            << "seed " << seed;
        const auto json = design::toJson(test->schedule);
        const auto back = design::scheduleFromJson(nlohmann::ordered_json::parse(json.dump()));
        ASSERT_TRUE(back) << format(back.error());
        EXPECT_EQ(design::toJson(*back).dump(), json.dump());
        ++bands;
        loads += std::holds_alternative<design::LoadStep>(test->schedule.steps[0]) &&
                 std::ranges::count_if(test->schedule.steps, [](const design::Step& step) {
                     return std::holds_alternative<design::LoadStep>(step);
                 }) > 1;
        for (const design::Step& step : test->schedule.steps)
            if (const auto* call = std::get_if<ComputeStep>(&step)) {
                const design::StoredTensor& input = test->schedule.tensor(call->input);
                const design::Slot& slot = test->schedule.slot(input.slot);
                addends += call->epilogue.addend.has_value() && input.firstRow;
                windows += slot.ring && slot.window;
                const bool behind = slot.ring && input.base + input.words() > slot.depth;
                wraps += behind;
                uneven += behind && slot.wraps();
            }
    }
    EXPECT_GT(bands, 250);
    EXPECT_GT(loads, 80);
    EXPECT_GT(addends, 5);
    EXPECT_GT(windows, 20);
    EXPECT_GT(wraps, 50);
    EXPECT_GT(uneven, 30) << "depths that are no power of two";
}

TEST(RowBands, TakeTheClocksOfWholeLayersAndThoseToBeginAndEndThem) {
    const std::string text = R"(design bands {
  input  x : i8[24, 10, 8] = random(seed: 1);
  weight w : i8[16, 3, 3, 8] = random(seed: 2);
  weight v : i8[8, 3, 3, 16] = random(seed: 3);
  let    c = requant(conv(x, w, pad: 1), shift: 8);
  output y = requant(conv(c, v, pad: 1), shift: 8);
})";
    const test::TestDesign whole = test::designOf(text, 8, 4);
    const test::TestDesign banded =
        test::designOf(text, 8, 4, 1, false, 0, [](design::ScheduleRequest& request) {
            request.bands = {{0, 1, 6}}; // of x
        });
    EXPECT_EQ(design::simulate(banded.schedule, banded.program, banded.values), banded.outputs());
    ASSERT_EQ(banded.schedule.steps.size(), 4U * 3 + 1);
    // A load begins and ends in two clocks; a call of 8 lanes in 1 + 3 + 2 + 3 + 6.
    EXPECT_EQ(design::predictCycles(banded.schedule).total,
              design::predictCycles(whole.schedule).total + 3 * (2 + 2 * 15));
    const auto depth = [](const test::TestDesign& design, std::size_t slot) {
        return design.schedule.slots[slot].depth;
    };
    EXPECT_EQ(depth(whole, 1), 480) << "of 24 · 10 pixels of two words";
    EXPECT_EQ(depth(banded, 1), 192) << "9 rows of 20 words are kept, a multiple of 128 / 8";
    EXPECT_EQ(depth(banded, 0), 80) << "8 rows of ten words are kept";
}

// A slot has as many turns as the widest unit that reads it takes words: a ring is not reused where
// its words are no whole number of them.
TEST(RowBands, RingsAreReusedInWholeTurns) {
    const test::TestDesign design = test::designOf(R"(design bands {
  input  x : i8[24, 7, 8] = random(seed: 1);
  weight w : i8[8, 3, 3, 8] = random(seed: 2);
  output y = requant(conv(x, w, pad: 1, stride: 7), shift: 8);
})",
                                                   8, 4);
    const auto reused = [&](std::int64_t rows, std::int64_t span) {
        design::Schedule schedule;
        schedule.lanes = 8;
        schedule.units.resize(1);
        schedule.units[0].span = span;
        design::TensorSlots slots(schedule, design.program);
        const ir::ValueId x = design.program.inputs.front();
        const design::TensorId ring = slots.storeRing(x, {});
        slots.placeRing(ring, rows, 0);
        slots.release(ring, 1);
        const ir::ValueId y = design.program.outputs.front().value;
        const design::StoredTensor& tensor = schedule.tensor(slots.store(y, 2));
        EXPECT_TRUE(tensor.slot != schedule.tensor(ring).slot ||
                    schedule.slot(tensor.slot).depth % span == 0);
        return tensor.slot == schedule.tensor(ring).slot;
    };
    EXPECT_TRUE(reused(3, 1)) << "22 words";
    EXPECT_FALSE(reused(3, 4)) << "22 words are no turns of four";
    EXPECT_TRUE(reused(4, 4)) << "28 words";
    EXPECT_FALSE(reused(4, 8));
}

} // namespace marquetry
