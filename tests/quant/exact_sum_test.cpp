#include "engine/quant/exact_sum.h"

#include "engine/support/rng.h"
#include "tests/quant/enumeration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::quant {
namespace {

constexpr RoundingMode kSumModes[] = {RoundingMode::Up, RoundingMode::Down, RoundingMode::Away,
                                      RoundingMode::Even};

/// (a·pa + b·pb + c) / q.
struct SmallSum {
    std::int64_t pa = 1, pb = 1, c = 0, q = 1;
    std::int64_t loA = 0, hiA = 0, loB = 0, hiB = 0;
    RoundingMode mode = RoundingMode::Up;
    std::int64_t zero = 0, least = -128, greatest = 127;

    SumRequest request() const {
        return {{SumOperand{Rational(Integer(pa), Integer(q)), loA, hiA},
                 SumOperand{Rational(Integer(pb), Integer(q)), loB, hiB}},
                Rational(Integer(c), Integer(q)),
                mode,
                zero,
                least,
                greatest};
    }
    /// As a sum of one value, the numerator.
    SmallRequest asOne() const { return {1, q, 0, 0, 0, mode, zero, least, greatest}; }
    std::int64_t expected(std::int64_t a, std::int64_t b) const {
        return expectedResult(asOne(), a * pa + b * pb + c);
    }
};

std::ostream& operator<<(std::ostream& out, const SmallSum& s) {
    return out << "(a·" << s.pa << " + b·" << s.pb << " + " << s.c << ") / " << s.q << " over "
               << s.loA << " … " << s.hiA << ", " << s.loB << " … " << s.hiB << " "
               << toString(s.mode) << " zero " << s.zero << " in " << s.least << " … "
               << s.greatest;
}

struct Numbers {
    Wide a = 0, b = 0, add = 0;
    unsigned shift = 0;
    Wide tie = 0;
};

bool isEqual(const SmallSum& small, const Numbers& numbers) {
    const SmallRequest one = small.asOne();
    for (std::int64_t a = small.loA; a <= small.hiA; ++a)
        for (std::int64_t b = small.loB; b <= small.hiB; ++b)
            if (formulaResult(one, 1, a * numbers.a + b * numbers.b, numbers.add, numbers.shift,
                              numbers.tie) != small.expected(a, b))
                return false;
    return true;
}

void expectExactSum(const SmallSum& small) {
    const auto answer = exactSum(small.request());
    ASSERT_TRUE(answer) << small << "\n" << format(answer.error());
    EXPECT_TRUE(
        isEqual(small, {answer->muls[0], answer->muls[1], answer->add, answer->shift, answer->tie}))
        << small;
    EXPECT_TRUE(verify(small.request(), *answer)) << small;
}

SmallSum drawnSum(SplitMix64& rng, std::int64_t values) {
    SmallSum small;
    small.q = rng.range(1, rng.range(0, 1) == 0 ? 12 : 20'000);
    small.pa = rng.range(-2 * small.q, 2 * small.q);
    small.pb = rng.range(-2 * small.q, 2 * small.q);
    small.c = rng.range(0, 1) == 0 ? 0 : rng.range(-3 * small.q, 3 * small.q);
    small.loA = rng.range(-20, 5);
    small.hiA = small.loA + rng.range(0, values);
    small.loB = rng.range(-20, 5);
    small.hiB = small.loB + rng.range(0, values);
    small.mode = kSumModes[rng.range(0, 3)];
    small.zero = rng.range(-9, 9);
    if (rng.range(0, 1) == 0) {
        small.least = rng.range(-30, 0);
        small.greatest = small.least + rng.range(1, 40);
    } else {
        small.least = -10'000;
        small.greatest = 10'000;
    }
    return small;
}

TEST(ExactSum, EqualsEnumeration) {
    SplitMix64 rng(1);
    for (int round = 0; round < 600 && !testing::Test::HasFailure(); ++round)
        expectExactSum(drawnSum(rng, 20));
}

/// All multipliers, addends and windows of a shift.
bool sumExistsByTrial(const SmallSum& small, unsigned shift) {
    const Wide step = Wide(1) << shift;
    const Wide corner = small.expected(small.loA, small.loB);
    const Wide slopeA = small.expected(small.hiA, small.loB) - corner;
    const Wide slopeB = small.expected(small.loA, small.hiB) - corner;
    const auto most = [&](Wide slope) { return ((slope < 0 ? -slope : slope) + 2) * step; };
    const Wide windows = small.mode == RoundingMode::Even && shift > 0 ? step / 2 : Wide(1);
    for (Wide a = -most(slopeA); a <= most(slopeA); ++a)
        for (Wide b = -most(slopeB); b <= most(slopeB); ++b) {
            const Wide origin = corner * step - a * small.loA - b * small.loB;
            for (Wide add = origin - 2 * step; add <= origin + 2 * step; ++add)
                for (Wide tie = 0; tie < windows; ++tie)
                    if (isEqual(small, {a, b, add, shift, tie}))
                        return true;
        }
    return false;
}

TEST(ExactSum, NoSmallerShiftHasAnyIntegersInSmallCases) {
    SplitMix64 rng(2);
    int tried = 0;
    for (int round = 0; round < 1500; ++round) {
        SmallSum small = drawnSum(rng, 4);
        small.least = -1000;
        small.greatest = 1000;
        small.zero = 0;
        small.pa /= 2;
        small.pb /= 2;
        const auto answer = exactSum(small.request());
        ASSERT_TRUE(answer) << small << "\n" << format(answer.error());
        if (answer->shift == 0 || answer->shift > 4)
            continue;
        ++tried;
        EXPECT_FALSE(sumExistsByTrial(small, answer->shift - 1)) << small << " " << answer->shift;
    }
    EXPECT_GT(tried, 300);
}

/// As a residual addition has it: float32 scales, 8-bit operands with zero points folded away.
TEST(ExactSum, ResidualAdditionsOf8Bits) {
    SplitMix64 rng(3);
    for (int round = 0; round < 6; ++round) {
        const auto scale = [&] {
            return *Rational::fromDouble(static_cast<float>(rng.range(1, 1 << 24)) * 0x1p-26F);
        };
        const Rational out = scale();
        SumRequest request;
        request.operands[0] = {scale() / out, -255, 0};
        request.operands[1] = {scale() / out, -120, 135};
        request.zero = rng.range(-128, 127);
        request.mode = kSumModes[3 - round % 4];
        const auto answer = exactSum(request);
        ASSERT_TRUE(answer) << format(answer.error());
        EXPECT_TRUE(verify(request, *answer));
        for (std::int64_t a = -255; a <= 0; a += 3)
            for (std::int64_t b = -120; b <= 135; ++b)
                ASSERT_EQ(integerResult(request, *answer, a, b), exactResult(request, a, b));
    }
}

TEST(ExactSum, VerifyFindsChanges) {
    SplitMix64 rng(4);
    int wrong = 0;
    for (int round = 0; round < 600; ++round) {
        const SmallSum small = drawnSum(rng, 12);
        auto answer = exactSum(small.request());
        ASSERT_TRUE(answer) << small;
        answer->muls[0] += rng.range(-1, 1);
        answer->muls[1] += rng.range(-1, 1);
        answer->add += rng.range(-3, 3);
        const bool same = isEqual(
            small, {answer->muls[0], answer->muls[1], answer->add, answer->shift, answer->tie});
        wrong += same ? 0 : 1;
        ASSERT_EQ(verify(small.request(), *answer), same) << small;
    }
    EXPECT_GT(wrong, 100);
}

TEST(ExactSum, FiguresOfTheProof) {
    const SmallSum small = {1, 2, 0, 4, -8, 7, -8, 7, RoundingMode::Even, 0, -100, 100};
    const auto answer = exactSum(small.request());
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->muls, (std::array<std::int64_t, 2>{1, 2}));
    EXPECT_EQ(answer->shift, 2U);
    EXPECT_EQ(answer->error, Rational(0));
    EXPECT_EQ(answer->ties, 64);
}

std::string sumCodeOf(const SumRequest& request) {
    const auto answer = exactSum(request);
    return answer ? "" : answer.error().front().code;
}

TEST(ExactSum, WhatCannotBeAnswered) {
    SumRequest request;
    request.operands[0].factor = request.operands[1].factor = Rational(1);
    EXPECT_EQ(sumCodeOf(request), "");
    request.operands[0].lo = 128;
    EXPECT_EQ(sumCodeOf(request), "requant-range");
    request.operands[0] = {Rational(1), -5000, 5000};
    request.operands[1] = {Rational(1), -5000, 5000};
    EXPECT_EQ(sumCodeOf(request), "requant-range");
    request.operands[1] = {Rational(powerOfTwo(33)), -1, 1};
    request.least = INT64_MIN;
    request.greatest = INT64_MAX;
    EXPECT_EQ(sumCodeOf(request), "requant-multiplier");
}

} // namespace
} // namespace marquetry::quant
