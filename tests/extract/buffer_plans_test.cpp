// Banks of a design's buffers: conflict-free and injective by enumeration, fewest, cheapest, kept.
#include "engine/banking/find_witness.h"
#include "engine/extract/buffer_plans.h"

#include "engine/banking/search.h"
#include "engine/device/device_file.h"

#include <gtest/gtest.h>

namespace marquetry {
namespace {

using extract::BufferPlan;
using extract::BufferPlans;

/// One tensor in one slot, loaded, written `rows` at once by a unit, stored.
design::Schedule scheduleOf(std::int64_t depth, std::int64_t lanes, std::int64_t rows,
                            bool loaded) {
    design::Schedule schedule;
    schedule.lanes = lanes;
    design::Slot slot;
    slot.id = design::SlotId{0};
    slot.name = "slot";
    slot.depth = depth;
    slot.storedLanes = lanes;
    schedule.slots = {slot};
    design::StoredTensor tensor;
    tensor.id = design::TensorId{0};
    tensor.slot = slot.id;
    tensor.pixels = depth;
    tensor.channels = lanes;
    schedule.tensors = {tensor};
    design::ScheduleUnit unit;
    unit.id = design::UnitId{0};
    unit.parallel = rows;
    schedule.units = {unit};
    if (loaded)
        schedule.steps.emplace_back(design::LoadStep{"x", tensor.id});
    design::ComputeStep compute;
    compute.unit = unit.id;
    compute.input = compute.output = tensor.id;
    schedule.steps.emplace_back(compute);
    return schedule;
}

TEST(BufferPlans, AreFreeOfConflictsAndHaveTheFewestBanks) {
    const device::Device device = *device::findDevice("xc7k160t");
    for (const std::int64_t lanes : {1, 2, 8, 16, 64})
        for (std::int64_t rows = 1; rows <= lanes; rows *= 2)
            for (const std::int64_t depth : {1, 2, 33, 520}) {
                SCOPED_TRACE(std::to_string(depth) + " words of " + std::to_string(lanes) +
                             ", written by " + std::to_string(rows));
                BufferPlans plans(device, device.limits);
                const design::Schedule schedule = scheduleOf(depth, lanes, rows, true);
                const BufferPlan& plan = plans.of(schedule, design::SlotId{0});
                ASSERT_EQ(plan.wordElements, rows);
                const std::int64_t words = lanes / rows;
                EXPECT_EQ(plan.scheme.banks(), words) << "a read takes them all";
                std::set<std::pair<std::int64_t, std::int64_t>> places;
                for (std::int64_t w = 0; w < depth; ++w) {
                    std::set<std::int64_t> readTogether;
                    for (std::int64_t l = 0; l < words; ++l) {
                        const std::int64_t bank = plan.scheme.bank({w, l});
                        EXPECT_TRUE(readTogether.insert(bank).second);
                        EXPECT_TRUE(places.emplace(bank, plan.scheme.offset({w, l})).second);
                        EXPECT_LT(plan.scheme.offset({w, l}), plan.scheme.depth);
                    }
                }
                EXPECT_EQ(plan.scheme.depth, depth) << "no word is wasted";
                if (depth != 33)
                    continue;
                // The complete search finds nothing with fewer banks.
                const auto runs = design::writtenRuns(schedule, design::SlotId{0});
                const auto pattern =
                    banking::accessPattern(design::slotAccesses(schedule.slots[0], runs));
                ASSERT_TRUE(pattern.has_value());
                banking::SearchParams params;
                params.maxCopies = 1;
                const banking::SearchResult found = banking::search(*pattern, params);
                EXPECT_EQ(found.minBanks, plan.scheme.banks());
                EXPECT_TRUE(found.proved());
                EXPECT_FALSE(banking::findWitness(*pattern, plan.scheme.maps));
            }
}

TEST(BufferPlans, AreKeptByPattern) {
    const device::Device device = *device::findDevice("arria10");
    BufferPlans plans(device, device.limits);
    const design::SlotId slot{0};
    const BufferPlan* first = &plans.of(scheduleOf(100, 8, 2, true), slot);
    EXPECT_EQ(first, &plans.of(scheduleOf(100, 8, 2, true), slot));
    EXPECT_NE(first, &plans.of(scheduleOf(100, 8, 4, true), slot));
    EXPECT_NE(first, &plans.of(scheduleOf(101, 8, 2, true), slot));
    EXPECT_NE(first, &plans.of(scheduleOf(100, 8, 2, false), slot));
}

/// As many memories of that part of the words; what turns them is priced, too.
TEST(BufferPlans, HaveMemoriesOfEachTurn) {
    const device::Device device = *device::findDevice("arria10");
    BufferPlans plans(device, device.limits);
    const design::SlotId slot{0};
    design::Schedule schedule = scheduleOf(6001, 8, 4, true);
    schedule.slots[0].turns = 4;
    const BufferPlan whole = plans.of(schedule, slot);
    schedule.slots[0].turns = 1;
    schedule.slots[0].depth = 1501;
    const BufferPlan turn = plans.of(schedule, slot);
    EXPECT_EQ(whole.scheme.text(), turn.scheme.text());
    EXPECT_EQ(whole.banks(), 4 * turn.banks());
    EXPECT_EQ(whole.resources.bram, 4 * turn.resources.bram);
    const double bits = static_cast<double>(8 * schedule.slots[0].elementBits);
    EXPECT_EQ(whole.resources.lut, 4 * turn.resources.lut + 4 * bits);
}

TEST(BufferPlans, PriceTheRegistersOfTheWordsThatUnitsTake) {
    const device::Device device = *device::findDevice("arria10");
    BufferPlans plans(device, device.limits);
    const design::SlotId slot{0};
    design::Schedule schedule = scheduleOf(100, 8, 4, true);
    schedule.slots[0].turns = 4;
    schedule.units[0].span = 3;
    const BufferPlan three = plans.of(schedule, slot);
    EXPECT_EQ(three.wordsTaken, 3);
    schedule.steps.pop_back(); // no unit reads it
    const BufferPlan none = plans.of(schedule, slot);
    EXPECT_EQ(none.wordsTaken, 0);
    schedule = scheduleOf(100, 8, 4, true);
    const BufferPlan one = plans.of(schedule, slot);
    const double bits = static_cast<double>(8 * schedule.slots[0].elementBits);
    EXPECT_EQ(three.resources.ff - 4 * (one.resources.ff - bits), 3 * bits);
}

// The price says how many LUTs a block is worth: with fewer it stays in blocks, and what it costs
// is the difference between both.
TEST(BufferPlans, ArePricedInLutsForABlock) {
    const device::Device device = *device::findDevice("xc7z020");
    BufferPlans plans(device, device.limits);
    const double usual = device.limits.lut / device.limits.bram;
    int cheap = 0, dear = 0;
    for (const std::int64_t depth : {3, 60, 400, 1024, 9000}) {
        const design::Schedule schedule = scheduleOf(depth, 64, 16, true);
        const design::SlotId slot = schedule.slots[0].id;
        const extract::LutPrice price = plans.formsOf(schedule, slot).price;
        ASSERT_TRUE(price) << depth;
        const extract::BufferPlan& luts = plans.of(schedule, slot, *price);
        const extract::BufferPlan& blocks = plans.of(schedule, slot, *price * 0.999);
        EXPECT_TRUE(luts.bank.lutRam);
        EXPECT_FALSE(blocks.bank.lutRam);
        EXPECT_EQ(luts.resources.bram, 0);
        EXPECT_NEAR(luts.resources.lut, blocks.resources.lut + *price * blocks.resources.bram,
                    1e-6 * luts.resources.lut);
        EXPECT_EQ(plans.of(schedule, slot).bank.lutRam, *price < usual) << depth;
        (*price < usual ? cheap : dear) += 1;
    }
    EXPECT_GT(cheap, 0);
    EXPECT_GT(dear, 0);
    const device::Device none = *device::findDevice("ice40up5k");
    BufferPlans without(none, none.limits);
    const design::Schedule schedule = scheduleOf(60, 64, 16, true);
    EXPECT_FALSE(without.formsOf(schedule, schedule.slots[0].id).price) << "it has no such memory";
}

TEST(BufferPlans, AreCarriedByTheSchedule) {
    const device::Device device = *device::findDevice("arria10");
    BufferPlans plans(device, device.limits);
    design::Schedule schedule = scheduleOf(512, 64, 64, true);
    extract::carryPlans(plans, {}, schedule);
    EXPECT_EQ(schedule.slots[0].writeLanes, 64);
    EXPECT_EQ(schedule.slots[0].memoryBits, 40) << "the width of an M20K";
    EXPECT_FALSE(schedule.slots[0].lutRam);
    schedule = scheduleOf(3, 64, 16, true);
    extract::carryPlans(plans, {}, schedule);
    EXPECT_EQ(schedule.slots[0].writeLanes, 16);
    EXPECT_TRUE(schedule.slots[0].lutRam);
}

} // namespace
} // namespace marquetry
