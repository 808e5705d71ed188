#include "tests/frontend/onnx/model_builder.h"
#include "tests/frontend/onnx/node_by_node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t kZero = -7;

/// smallModel's accumulators: x − 3 in halves, weights in quarters, biases in eighths.
Numbers accumulators(const Numbers& input) {
    const int weights[2][4] = {{1, -2, 3, 4}, {-5, 6, 7, -8}};
    const int biases[2] = {10, -20};
    const auto at = [&](int y, int x) {
        return y < 0 || x > 2 ? 0 : input[static_cast<std::size_t>(y * 3 + x)] - 3;
    };
    Numbers sums;
    for (int o = 0; o < 2; ++o)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 3; ++x)
                sums.push_back(weights[o][0] * at(y - 1, x) + weights[o][1] * at(y - 1, x + 1) +
                               weights[o][2] * at(y, x) + weights[o][3] * at(y, x + 1) + biases[o]);
    return sums;
}

/// sum / 8 ÷ 3/4 = sum / 6: the integer nearest, the even one of two, or with `up` the greater.
std::int64_t sixth(std::int64_t sum, bool up) {
    const std::int64_t floor = sum >= 0 ? sum / 6 : -((5 - sum) / 6);
    const std::int64_t rest = sum - 6 * floor;
    const bool next = rest > 3 || (rest == 3 && (up || floor % 2 != 0));
    return floor + (next ? 1 : 0);
}

/// The input's integers have been compared with the file's as they are: three of its accumulators
/// are halves of a step.
class GoldenSmallModel : public testing::Test {
protected:
    GoldenSmallModel() : network_(importOnnx(smallModel().bytes(), "", "m.onnx")) {
        golden_["in_q"] = {3, 5, -12, 12, 0, 3, 3, -9, 10};
        sums_ = accumulators(golden_["in_q"]);
        for (const std::int64_t sum : sums_)
            golden_["out_q"].push_back(
                std::clamp<std::int64_t>(sixth(sum, false) + kZero, -128, 127));
    }

    NodeByNode checked() {
        NodeByNode check(*network_, golden_);
        check.run();
        return check;
    }

    /// Where the accumulator is half a step, and even and up differ.
    std::size_t tie() const {
        for (std::size_t k = 0; k < sums_.size(); ++k)
            if (sixth(sums_[k], true) != sixth(sums_[k], false))
                return k;
        return sums_.size();
    }

    Result<Imported> network_;
    Golden golden_;
    Numbers sums_;
};

TEST_F(GoldenSmallModel, EqualsItsGoldenValues) {
    ASSERT_TRUE(network_) << format(network_.error());
    const NodeByNode check = checked();
    EXPECT_THAT(check.faults, IsEmpty());
    EXPECT_EQ(check.elements, 18U);
    EXPECT_EQ(check.ties + check.nearTies, 0U);
}

TEST_F(GoldenSmallModel, MayBeAStepAwayAtAnExactTie) {
    ASSERT_LT(tie(), sums_.size());
    golden_["out_q"][tie()] += 1;
    const NodeByNode check = checked();
    EXPECT_THAT(check.faults, IsEmpty());
    EXPECT_EQ(check.ties, 1U);
}

TEST_F(GoldenSmallModel, MayNotBeTwoStepsAwayAtATie) {
    ASSERT_LT(tie(), sums_.size());
    golden_["out_q"][tie()] += 2;
    EXPECT_THAT(checked().faults, ElementsAre(HasSubstr("more than one step")));
}

TEST_F(GoldenSmallModel, MayNotBeAStepAwayElsewhere) {
    for (std::size_t k = 0; k < sums_.size(); ++k) {
        if (sums_[k] % 3 == 0)
            continue;
        const auto golden = golden_["out_q"];
        golden_["out_q"][k] += golden[k] == 127 ? -1 : 1;
        EXPECT_THAT(checked().faults, ElementsAre(HasSubstr("is exactly"))) << k;
        golden_["out_q"] = golden;
    }
}

TEST_F(GoldenSmallModel, HasTheShapeOfTheFile) {
    golden_["out_q"].pop_back();
    EXPECT_THAT(checked().faults, ElementsAre(HasSubstr("number of elements")));
}

} // namespace
} // namespace marquetry::frontend::onnx
