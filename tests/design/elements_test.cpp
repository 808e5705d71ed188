// Functions of elements: their schedules compute what programs say.
#include "tests/lower_design/random_elements.h"
#include "tests/oracles/simulate.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace marquetry {

namespace {

/// Which form a stencil has; empty of what is none.
std::string stencilForm(const design::Schedule& schedule, const design::Step& step) {
    const auto* compute = std::get_if<design::ComputeStep>(&step);
    if (compute == nullptr || !compute->stencilPad)
        return "";
    if (schedule.unit(compute->unit).lanewise())
        return "columns";
    return compute->kernel.horizontal > 1 ? "words" : "lines";
}

} // namespace

TEST(Elements, SchedulesComputeWhatProgramsSay) {
    std::set<std::pair<cost::RowFunction, cost::SecondOperand>> seen;
    std::set<std::string> stencils;
    for (std::uint64_t seed = 0; seed < 800 && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE(test::randomElementsText(seed));
        const test::TestDesign design = test::randomElements(seed);
        for (const design::Step& step : design.schedule.steps) {
            if (const auto* rows = std::get_if<design::RowStep>(&step))
                seen.emplace(rows->function, rows->second);
            stencils.insert(stencilForm(design.schedule, step));
        }
        const auto got = simulate(design.schedule, design.program, design.values);
        ASSERT_EQ(got.size(), design.program.outputs.size());
        for (std::size_t k = 0; k < got.size(); ++k)
            EXPECT_EQ(got[k], design.values[design.program.outputs[k].value.index()])
                << design.program.outputs[k].name;
    }
    // Of each function but sums, with every second operand that it can have; sums of constants of a
    // row are biases.
    EXPECT_GE(seen.size(), 16U);
    EXPECT_TRUE(seen.contains({cost::RowFunction::LookUp, cost::SecondOperand::Entry}));
    EXPECT_EQ(stencils, (std::set<std::string>{"", "columns", "words", "lines"}));
}

} // namespace marquetry
