#include "engine/extract/call_info.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace marquetry::extract {
namespace {

/// A 3 × 3 convolution of `pixels` × `pixels` and one of single elements of `few` × `few`, each of
/// 8 channels to 8, with what follows them.
std::string twoConvolutions(int pixels, int few, const std::string& scaling) {
    const auto extent = [](int n) { return std::to_string(n) + ", " + std::to_string(n); };
    return "design d { input x : i8[" + extent(pixels) + ", 8] = zeros; input z : i8[" +
           extent(few) + ", 8] = zeros; weight w : i8[8, 3, 3, 8] = random(seed: 1);" +
           "weight v : i8[8, 1, 1, 8] = random(seed: 2);" +
           "output a = requant(conv(x, w, pad: 1)" + scaling + "); output b = requant(conv(z, v)" +
           scaling + "); }";
}

rules::Lowered loweredOf(const std::string& text) {
    rules::LoweringParams params;
    params.lanes = 8;
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered);
    return *std::move(lowered);
}

TEST(LeastReduction, IsOneWhereNothingIsScaled) {
    EXPECT_EQ(leastReduction(loweredOf(twoConvolutions(32, 4, ", shift: 4"))), 1);
}

/// Reductions take 9 words and 1: with `least` words for the short ones, pixels² · 9 + few² ·
/// least clocks for each row.
TEST(LeastReduction, LengthensAllCallsByATwentiethAtMost) {
    for (const auto& [pixels, few] : {std::pair(32, 4), {32, 8}, {16, 8}, {16, 4}, {8, 8}}) {
        const double shortest = 9.0 * pixels * pixels + few * few;
        std::int64_t expected = 1;
        for (std::int64_t least = 2; least <= 16; least *= 2)
            if (static_cast<double>(std::max<std::int64_t>(9, least) * pixels * pixels +
                                    few * few * least) <= 1.05 * shortest)
                expected = least;
        const auto lowered = loweredOf(twoConvolutions(pixels, few, ", mul: 3, shift: 4"));
        EXPECT_EQ(leastReduction(lowered), expected) << pixels << " " << few;
        const std::vector<CallInfo> calls = callInfos(lowered);
        ASSERT_EQ(calls.size(), 2U);
        EXPECT_EQ(calls[0].reductionWords, 9);
        EXPECT_EQ(calls[1].reductionWords, 1);
    }
}

} // namespace
} // namespace marquetry::extract
