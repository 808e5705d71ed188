// Clocks of memories by estimate: figures added up by hand from the delays of the cells.
#include "engine/artefact/memory_paths.h"
#include "engine/artefact/signal_arrival.h"
#include "engine/cost/clock_cells.h"
#include "tests/lower_memory/banked_fixture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::hdl {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

cost::ClockEstimate estimated(const BankedMemory& memory, const std::string& family) {
    return cost::estimateClock(family, memoryPaths(memory, *memoryModule(memory), family));
}

BankedMemory example(const std::string& name) {
    const auto items = exampleMemories();
    return plannedMemory(*std::ranges::find(items, name, &ir::MemoryProgram::name));
}

TEST(MemoryPaths, OfMemoriesInLutsGoThroughATableToAnAddress) {
    const BankedMemory memory = example("denoise");
    ASSERT_FALSE(memory.plan.blockRam);
    ASSERT_TRUE(memory.plan.groups[0].tabulated);
    ASSERT_EQ(memory.plan.groups[0].counterBits, 6);
    ASSERT_EQ(memory.scheme.depth, 64);
    // A counter, a LUT of the table, the LUT of the memory.
    const cost::ClockEstimate estimate = estimated(memory, "xc7");
    EXPECT_DOUBLE_EQ(estimate.cellsPs, 303 + 450 + 642);
    EXPECT_DOUBLE_EQ(estimate.pathPs, estimate.cellsPs + 2 * 450);
    EXPECT_THAT(estimate.path, StartsWith("the read address of bank"));
    EXPECT_THAT(estimate.basis, HasSubstr("wires: assumed"));
    // No bit of the table looks at more than four of the counters' bits.
    EXPECT_DOUBLE_EQ(estimated(memory, "ecp5").cellsPs,
                     525 + 430 + cost::clockCells("ecp5")->lutRamRead);
}

TEST(MemoryPaths, OfBlockRamEndBehindTheCrossbar) {
    const BankedMemory memory = example("issue60");
    ASSERT_TRUE(memory.plan.blockRam);
    ASSERT_LE(memory.lanes[0].hardware.seen, 4) << "a choice that is one LUT";
    const cost::ClockEstimate estimate = estimated(memory, "xc7");
    EXPECT_DOUBLE_EQ(estimate.cellsPs, 2454 + 450);
    EXPECT_DOUBLE_EQ(estimate.pathPs, estimate.cellsPs + 450);
    EXPECT_THAT(estimate.path, StartsWith("what r"));
}

TEST(MemoryPaths, AddressesThatAreAddedUpTakeLonger) {
    const char* const loops = " for t in 0 .. 50 { read a[?r(t)]; }";
    const auto even =
        memoryWith(memoryItem("e", cat("array a : i16[1024];", loops)), {{{1}, 1, 8}});
    const auto odd = memoryWith(memoryItem("o", cat("array a : i16[1024];", loops)), {{{1}, 1, 7}});
    // Wires to the banks, and sums modulo 7.
    EXPECT_GT(estimated(odd, "xc7").pathPs, 1.5 * estimated(even, "xc7").pathPs);
    EXPECT_EQ(estimated(odd, "abacus").mhz, 0);
}

class Arrivals : public ::testing::Test {
protected:
    cost::ClockPath at(const rtl::Expr& word) { return SignalArrival(module_, "xc7", 6).at(word); }
    static int levels(const cost::ClockPath& path) { return static_cast<int>(path.logic.size()); }

    rtl::Module module_{"m"};
    rtl::Expr a_ = module_.reg("a", rtl::bits(8));
    rtl::Expr b_ = module_.reg("b", rtl::bits(8));
    rtl::Expr c_ = module_.reg("c");
};

TEST_F(Arrivals, LogicIsOneLutAsFarAsItsInputsFit) {
    const rtl::Expr both = module_.wire("both", a_ & b_);
    EXPECT_EQ(levels(at(both)), 1);
    const rtl::Expr chosen = module_.wire("chosen", rtl::choose(c_, both, a_));
    EXPECT_EQ(levels(at(chosen)), 1) << "a bit of each, and c";
    EXPECT_EQ(levels(at(module_.wire("low", a_.slice(0, 6) == 5))), 1);
    EXPECT_EQ(levels(at(module_.wire("same", a_ == 5))), 2) << "eight bits";
    EXPECT_EQ(levels(at(module_.wire("twice", ~~a_))), 0);
}

TEST_F(Arrivals, SumsStandBetweenLogic) {
    const rtl::Expr sum = module_.wire("sum", a_ + b_);
    const rtl::Expr late = module_.wire("late", sum == 7);
    const cost::ClockPath path = at(late);
    EXPECT_EQ(path.sums, std::vector<int>{8});
    EXPECT_EQ(levels(path), 2);
    EXPECT_EQ(at(module_.wire("more", a_ >= 9)).sums, std::vector<int>{8}) << "a carry chain";
    EXPECT_TRUE(at(module_.wire("few", a_.slice(0, 3) >= 2)).sums.empty());
}

TEST_F(Arrivals, WhatComesLateEntersLast) {
    const rtl::Expr sum = module_.wire("sum", a_ + b_);
    const rtl::Expr one = module_.wire("one", sum.bit(7) & (a_ == 5));
    EXPECT_EQ(levels(at(one)), 1) << "the comparison is done before the sum is";
    EXPECT_EQ(at(one).sums.size(), 1U);
}

} // namespace
} // namespace marquetry::hdl
