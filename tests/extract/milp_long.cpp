// VGG's first four to six layers: CBC gets ten minutes each, and what the pool search found must
// lie between CBC's bound and its best.
#include "tests/extract/milp_comparison.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"
#include "engine/extract/extract.h"

#include <gtest/gtest.h>

namespace marquetry {

using design::CostModel;

class MilpLayers : public ::testing::TestWithParam<std::tuple<int, CostModel>> {};

TEST_P(MilpLayers, HoldThePoolSearchsAnswerBetweenBoundAndBest) {
    const auto [layers, model] = GetParam();
    const rules::Lowered lowered = test::spaceOf(test::vggText(layers), model, {}, 0);
    extract::ExtractParams params;
    params.model = model;
    params.device = *device::findDevice("arria10");
    params.limits = params.device.limits;
    params.method = extract::SearchMethod::Milp;
    params.explain = false;
    params.seconds = 600;
    const auto result = extract::extract(lowered, params);
    ASSERT_TRUE(result.has_value());
    ASSERT_TRUE(result->milp.has_value());
    const extract::MilpResult& milp = *result->milp;
    std::cout << layers << " layers, " << toString(model) << ": CBC " << toString(milp.outcome)
              << " [" << milp.bound << ", " << milp.time << "] after " << milp.stats.solve.seconds
              << " s, " << milp.stats.variables << " variables\n";
    if (!result->design) {
        EXPECT_EQ(milp.time, milp::kInfinity);
        return;
    }
    double ours = 0;
    for (const design::DesignCall& call : result->design->calls)
        ours += static_cast<double>(call.cycles);
    std::cout << "    pool search " << ours << "\n";
    const double slack = 1e-6 * ours + static_cast<double>(result->design->calls.size());
    EXPECT_NE(milp.outcome, milp::SolveStatus::Infeasible);
    EXPECT_LE(milp.bound, ours + slack);
    EXPECT_GE(milp.time, ours - slack);
}

INSTANTIATE_TEST_SUITE_P(Vgg, MilpLayers,
                         ::testing::Combine(::testing::Values(4, 5, 6),
                                            ::testing::Values(CostModel::Cycles,
                                                              CostModel::Published,
                                                              CostModel::PublishedOpen)));

TEST(MilpPrograms, AgreeWithThePoolSearch) {
    const test::Tally tally = test::compareRandomPrograms(20, 60, 4);
    EXPECT_GE(tally.compared, 120);
    EXPECT_GT(tally.feasible, 60);
}

TEST(MilpPrograms, AgreeWithThePoolSearchUnderPins) {
    const test::Tally tally = test::comparePinnedPrograms(50, 150, 4);
    EXPECT_GE(tally.compared, 100);
    EXPECT_GT(tally.feasible, 25);
}

} // namespace marquetry
