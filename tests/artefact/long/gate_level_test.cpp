// Designs as gates: one with a convolution, and one whose weights are external, behind registers.
#include "tests/artefact/gate_level.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/test_designs.h"

#include <limits>

namespace marquetry::test {

namespace {

/// Of random designs with external weights the one with the fewest multipliers: their models are
/// slow.
TestDesign smallestExternal() {
    TestDesign smallest;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        TestDesign design = randomDesign(seed);
        SplitMix64 rng(seed);
        if (makeExternal(design.schedule, rng) == 0)
            continue;
        const hdl::RtlPlan plan = hdl::makePlan(design.schedule);
        std::int64_t multipliers = 0;
        for (const hdl::UnitPlan& unit : plan.units)
            multipliers += unit.multipliers(plan.lanes);
        if (multipliers < fewest) {
            fewest = multipliers;
            smallest = std::move(design);
        }
    }
    return smallest;
}

} // namespace

TEST_F(GateLevel, OfADesignIsRight) {
    expectDesignRight(convPoolRequant());
}

TEST_F(GateLevel, OfADesignWithExternalWeightsBehindRegistersIsRight) {
    const TestDesign design = smallestExternal();
    ASSERT_TRUE(design.schedule.memory);
    expectDesignRight(design, true);
}

} // namespace marquetry::test
