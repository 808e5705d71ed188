// Programs of moves, products of activations and functions of rows: what extraction prices is what
// the schedule takes, the design is verified, and it computes what the program says.
#include "engine/design/cycle_model.h"
#include "engine/design/verify.h"
#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"
#include "engine/ir/interpreter.h"
#include "tests/extract/params_within.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_products.h"
#include "tests/oracles/simulate.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

namespace marquetry {
namespace {

/// Extracted within so many DSP blocks, under words of so many lanes.
void expectExtracted(const std::string& text, double dsp, std::int64_t lanes, int& designs) {
    SCOPED_TRACE(text);
    rules::LoweringParams lowering;
    lowering.lanes = lanes;
    auto lowered = rules::lower(test::programOf(text), lowering);
    ASSERT_TRUE(lowered.has_value()) << format(lowered.error());
    egraph::SaturationParams limits;
    limits.maxIterations = 4;
    egraph::saturate(*lowered->egraph, lowered->rewrites, limits);
    const extract::ExtractParams params = test::paramsWithin(dsp);
    const auto result = extract::extract(*lowered, params);
    ASSERT_TRUE(result.has_value()) << format(result.error());
    if (!result->design)
        return;
    const design::Design& design = *result->design;
    ASSERT_TRUE(design.schedule) << design.notExportable;
    EXPECT_EQ(design.cycles, design::predictCycles(*design.schedule).total);
    EXPECT_LE(result->lowerBound, static_cast<double>(design.cycles));
    const Status status = design::verifyDesign(design, params.device);
    EXPECT_TRUE(status) << (status ? "" : format(status.error()));
    const ir::Program& program = *lowered->program;
    const auto expected = ir::interpret(program, {});
    const auto got = simulate(*design.schedule, program, expected->values);
    for (std::size_t k = 0; k < got.size(); ++k)
        EXPECT_EQ(got[k], expected->values[program.outputs[k].value.index()])
            << program.outputs[k].name;
    ++designs;
}

} // namespace

TEST(ExtractedCopies, OfLayoutsComputeWhatProgramsSay) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed)
        expectExtracted(test::randomLayoutsText(seed), 64, std::int64_t{8} << seed % 3, designs);
    EXPECT_GT(designs, 280);
}

TEST(ExtractedCopies, OfProductsAndRowsComputeWhatProgramsSay) {
    int designs = 0;
    for (std::uint64_t seed = 0; seed < 300 && !testing::Test::HasFailure(); ++seed)
        expectExtracted(test::randomProductsText(seed), seed % 2 == 0 ? 64 : 200,
                        std::int64_t{8} << seed % 2, designs);
    EXPECT_GT(designs, 250);
}

} // namespace marquetry
