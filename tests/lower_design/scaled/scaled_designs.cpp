#include "tests/lower_design/scaled/scaled_designs.h"

#include "engine/design/build_schedule.h"
#include "engine/design/write_back.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace marquetry::test {

namespace {

class UnitsOf {
public:
    UnitsOf(const ir::Program& program, const ir::LayerPlan& plan, const ScaledHardware& hardware)
        : program_(program), plan_(plan), hardware_(hardware) {
        request_.program = &program;
        request_.plan = &plan;
        request_.lanes = hardware.lanes;
        request_.wholeWindows = hardware.wholeWindows;
        for (const ir::Layer& layer : plan.layers)
            request_.layerUnits.push_back(unitOf(layer));
    }

    const design::ScheduleRequest& request() const { return request_; }

private:
    design::UnitId unitOf(const ir::Layer& layer) {
        const ir::Scalar operand = program_.value(layer.input).type.scalar;
        const bool pass = layer.pass;
        const ir::Scalar weight = pass ? ir::Scalar::I8 : program_.value(*layer.weight).type.scalar;
        const design::LaneFunction function = design::laneFunctionOf(program_, layer);
        const bool lanewise = function != design::LaneFunction::None;
        const auto [at, fresh] = known_.try_emplace({pass, operand, weight, function},
                                                    design::UnitId(request_.units.size()));
        if (!fresh)
            return at->second;
        design::ScheduleUnit unit;
        unit.id = at->second;
        unit.name = (pass ? "pass" : "unit") + std::to_string(unit.id.value());
        unit.pass = pass;
        unit.span = pass && !lanewise ? 1 : hardware_.span;
        unit.parallel = pass || lanewise ? unit.span * hardware_.lanes : hardware_.parallel;
        unit.operand = operand;
        unit.weight = weight;
        unit.writeBack =
            design::WriteBack{pass && !lanewise ? hardware_.lanes : hardware_.writeLanes,
                              design::writeBackForm(program_, plan_, pass),
                              0,
                              {}};
        request_.units.push_back(unit);
        return unit.id;
    }

    const ir::Program& program_;
    const ir::LayerPlan& plan_;
    ScaledHardware hardware_;
    design::ScheduleRequest request_;
    std::map<std::tuple<bool, ir::Scalar, ir::Scalar, design::LaneFunction>, design::UnitId> known_;
};

} // namespace

TestDesign scaledDesign(const std::string& text, const ScaledHardware& hardware) {
    TestDesign design;
    design.program = *programOf(text);
    const ir::LayerPlan plan = ir::planLayers(design.program);
    EXPECT_TRUE(plan.scales);
    EXPECT_TRUE(plan.unsupported.empty())
        << (plan.unsupported.empty() ? "" : format(plan.unsupported));
    const ir::Layer* none = plan.firstUnbuildable();
    EXPECT_EQ(none, nullptr) << (none ? none->unbuildable : "");
    design.schedule = design::buildSchedule(UnitsOf(design.program, plan, hardware).request());
    return design;
}

} // namespace marquetry::test
