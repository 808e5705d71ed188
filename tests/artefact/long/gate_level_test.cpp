// Designs as gates: one with a convolution, and one whose weights are external, behind registers.
#include "engine/artefact/axi_export.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/device/device_file.h"
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
    hdl::ExportRequest request = requestFor(convPoolRequant());
    request.vectors = 2;
    request.device = *device::findDevice("ice40up5k");
    const std::string name = request.program.name;
    expectRight(made("design", hdl::designArtefact(request)),
                {hdl::kDesignVerilogBench, name + "_tb", name + "_top"});
}

TEST_F(GateLevel, OfADesignWithExternalWeightsBehindRegistersIsRight) {
    const TestDesign design = smallestExternal();
    ASSERT_TRUE(design.schedule.memory);
    hdl::ExportRequest request = requestFor(design);
    request.vectors = 2;
    request.device = *device::findDevice("ice40up5k");
    request.form.interface = hdl::ExportInterface::Axi;
    request.form.streamBits = 32;
    const std::string name = request.program.name;
    expectRight(made("external", hdl::designArtefact(request)),
                {hdl::kAxiBench, name + "_axi_tb", name + "_axi"});
}

} // namespace marquetry::test
