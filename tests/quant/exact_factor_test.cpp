#include "engine/quant/exact_factor.h"

#include "engine/support/rng.h"
#include "tests/quant/enumeration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::quant {
namespace {

constexpr RoundingMode kModes[] = {RoundingMode::Up, RoundingMode::Down, RoundingMode::Away,
                                   RoundingMode::Even};

/// Solved, verified, and equal to the enumeration at every accumulator.
void expectExact(const SmallRequest& small) {
    const FactorRequest request = small.request();
    const Result<ExactFactor> answer = exactFactor(request);
    ASSERT_TRUE(answer) << small << "\n" << format(answer.error());
    const auto difference =
        firstDifference(small, answer->mul, answer->add, answer->shift, answer->tie);
    EXPECT_FALSE(difference) << small << ": at " << *difference << " with " << answer->mul << " "
                             << answer->add << " " << answer->shift << " " << answer->tie;
    EXPECT_TRUE(verify(request, *answer)) << small;
    if (answer->halfUpWill) {
        SmallRequest up = small;
        up.mode = RoundingMode::Up;
        for (std::int64_t x = small.lo; x <= small.hi; ++x)
            ASSERT_EQ(formulaResult(up, x, answer->mul, answer->add, answer->shift, 0),
                      expectedResult(small, x))
                << small << " by half up";
    }
}

SmallRequest drawn(SplitMix64& rng, RoundingMode mode) {
    SmallRequest small;
    small.q = rng.range(1, rng.range(0, 1) == 0 ? 12 : 100'000);
    small.p = rng.range(-3 * small.q, 3 * small.q) / rng.range(1, 40);
    small.c = rng.range(0, 1) == 0 ? 0 : rng.range(-8 * small.q, 8 * small.q);
    small.lo = rng.range(-300, 200);
    small.hi = small.lo + rng.range(0, 200);
    small.mode = mode;
    small.zero = rng.range(-20, 20);
    if (rng.range(0, 1) == 0) {
        small.least = rng.range(-40, 20);
        small.greatest = small.least + rng.range(1, 60);
    } else {
        small.least = -100'000;
        small.greatest = 100'000;
    }
    return small;
}

TEST(ExactFactor, EqualsEnumerationForRandomFactors) {
    SplitMix64 rng(1);
    for (int round = 0; round < 1500 && !testing::Test::HasFailure(); ++round)
        for (const RoundingMode mode : kModes)
            expectExact(drawn(rng, mode));
}

TEST(ExactFactor, EqualsEnumerationWhereHalvesAreMany) {
    for (const std::int64_t q : {2, 4, 6, 10, 12, 14, 18, 64})
        for (std::int64_t p = -q - 1; p <= q + 1; ++p)
            for (const RoundingMode mode : kModes)
                for (const std::int64_t zero : {-3, 0})
                    expectExact({p, q, zero, -90, 150, mode, zero, -20, 25});
}

TEST(ExactFactor, SaturatesAtEitherSide) {
    for (const RoundingMode mode : kModes) {
        expectExact({7, 3, 0, -1000, -900, mode, 0, -128, 127});
        expectExact({7, 3, 0, 900, 1000, mode, 0, -128, 127});
        expectExact({-7, 3, 0, -1000, 1000, mode, -128, -128, 127});
        expectExact({1, 1'000'000, 0, -1000, 1000, mode, 0, 0, 255});
        expectExact({1'000'000, 1, 0, -1000, 1000, mode, 5, 0, 255});
        expectExact({0, 1, 1, -1000, 1000, mode, 5, 0, 255});
    }
}

/// Whether integers of a shift give the exact rounding: all multipliers, addends and windows for
/// which the ends of the range could be right.
bool existsByTrial(const SmallRequest& small, unsigned shift,
                   std::optional<Wide> below = std::nullopt) {
    const Wide step = Wide(1) << shift;
    const Wide first = expectedResult(small, small.lo), last = expectedResult(small, small.hi);
    const Wide slope = (last > first ? last - first : first - last) + 2;
    const Wide windows =
        small.mode == RoundingMode::Even && shift > 0 ? step / 2 : static_cast<Wide>(1);
    // Only multipliers smaller in magnitude, if that is asked.
    const Wide most = below ? *below - 1 : slope * step;
    for (Wide mul = -most; mul <= most; ++mul)
        for (Wide add = (first - 2) * step - mul * small.lo;
             add <= (first + 2) * step - mul * small.lo; ++add)
            for (Wide tie = 0; tie < windows; ++tie)
                if (!firstDifference(small, mul, add, shift, tie))
                    return true;
    return false;
}

TEST(ExactFactor, NoSmallerShiftHasAnyIntegers) {
    SplitMix64 rng(2);
    std::array<int, 8> shifts{};
    for (int round = 0; round < 1200; ++round) {
        SmallRequest small;
        small.q = rng.range(1, 30);
        small.p = rng.range(-2 * small.q, 2 * small.q);
        small.c = rng.range(0, 1) == 0 ? 0 : rng.range(-small.q, small.q);
        small.lo = rng.range(-9, 4);
        small.hi = small.lo + rng.range(1, 9);
        small.mode = kModes[round % 4];
        small.least = -1000;
        small.greatest = 1000;
        const auto answer = exactFactor(small.request());
        ASSERT_TRUE(answer) << small;
        if (answer->shift >= shifts.size())
            continue;
        ++shifts[answer->shift];
        ASSERT_FALSE(existsByTrial(small, answer->shift, Wide(std::abs(answer->mul))))
            << small << answer->mul;
        if (answer->shift > 0) {
            ASSERT_FALSE(existsByTrial(small, answer->shift - 1)) << small << answer->shift;
        }
    }
    for (std::size_t shift = 0; shift < 5; ++shift)
        EXPECT_GT(shifts[shift], 10) << shift;
}

TEST(ExactFactor, NoSmallerShiftUnderSaturation) {
    SplitMix64 rng(3);
    for (int round = 0; round < 400; ++round) {
        SmallRequest small;
        small.q = rng.range(1, 30);
        small.p = rng.range(-2 * small.q, 2 * small.q);
        small.lo = rng.range(-9, 0);
        small.hi = small.lo + rng.range(5, 12);
        small.mode = kModes[round % 4];
        small.least = rng.range(-4, 2);
        small.greatest = small.least + rng.range(1, 5);
        const auto answer = exactFactor(small.request());
        ASSERT_TRUE(answer) << small;
        // The trial starts from the value at the low end, which is known where it is not saturated.
        const std::int64_t first = expectedResult(small, small.lo);
        if (answer->shift == 0 || answer->shift > 5 || first == small.least ||
            first == small.greatest)
            continue;
        ASSERT_FALSE(existsByTrial(small, answer->shift - 1)) << small << answer->shift;
    }
}

TEST(ExactFactor, DyadicFactorsNeedNoWindow) {
    for (const RoundingMode mode : kModes) {
        const SmallRequest small = {3, 8, 0, -4000, 4000, mode, 0, -100'000, 100'000};
        const auto answer = exactFactor(small.request());
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->mul, 3);
        EXPECT_EQ(answer->add, 0);
        EXPECT_EQ(answer->shift, 3U);
        EXPECT_EQ(answer->tie, 0);
        EXPECT_EQ(answer->proof.error, Rational(0));
        EXPECT_EQ(answer->proof.margin, Rational(1, 8));
    }
}

TEST(ExactFactor, ManyTiesOfAnOddDenominatorNeedAWindow) {
    const SmallRequest small = {1, 6, 0, -1000, 1000, RoundingMode::Even, 0, -1000, 1000};
    const auto answer = exactFactor(small.request());
    ASSERT_TRUE(answer);
    EXPECT_GT(answer->tie, 0);
    EXPECT_FALSE(answer->halfUpWill);
    EXPECT_EQ(answer->proof.ties, 334);
    EXPECT_EQ(answer->proof.margin, Rational(1, 6));
    expectExact(small);
}

TEST(ExactFactor, ProofCountsWhatEnumerationCounts) {
    SplitMix64 rng(4);
    for (int round = 0; round < 500; ++round) {
        const SmallRequest small = drawn(rng, kModes[round % 4]);
        const auto answer = exactFactor(small.request());
        ASSERT_TRUE(answer) << small;
        const FactorProof& proof = answer->proof;
        Integer ties = 0;
        Rational margin, error;
        for (Integer x = proof.first; x <= proof.last; ++x) {
            const Rational value = small.request().factor * Rational(x) + small.request().addend;
            const Rational place =
                small.mode == RoundingMode::Down ? value : value + Rational(1, 2);
            const Rational above = place - Rational(place.floor());
            const Rational off = std::min(above, Rational(1) - above);
            ties += off.isZero() ? 1 : 0;
            if (!off.isZero())
                margin = margin.isZero() ? off : std::min(margin, off);
            const Rational line(answer->mul * x + answer->add, powerOfTwo(answer->shift));
            error = std::max(error, (line - value).abs());
        }
        ASSERT_EQ(proof.ties, ties) << small;
        ASSERT_EQ(proof.margin, margin) << small;
        ASSERT_EQ(proof.error, error) << small;
    }
}

TEST(ExactFactor, VerifyFindsEveryChangeThatEnumerationFinds) {
    SplitMix64 rng(5);
    int wrong = 0, right = 0;
    for (int round = 0; round < 3000; ++round) {
        const SmallRequest small = drawn(rng, kModes[round % 4]);
        auto answer = exactFactor(small.request());
        ASSERT_TRUE(answer) << small;
        ExactFactor changed = *answer;
        changed.mul += rng.range(-1, 1);
        changed.add += rng.range(-2, 2) * (round % 3 == 0 ? 1 : changed.tie + 1);
        changed.tie = std::max<std::int64_t>(0, changed.tie - rng.range(0, 1));
        const bool same =
            !firstDifference(small, changed.mul, changed.add, changed.shift, changed.tie);
        (same ? right : wrong) += 1;
        ASSERT_EQ(verify(small.request(), changed), same) << small;
    }
    EXPECT_GT(wrong, 500);
    EXPECT_GT(right, 300);
}

/// Equal on both sides of places where the result changes, and at the ends of the range.
void expectExactAtSteps(const FactorRequest& request, const ExactFactor& answer, SplitMix64& rng) {
    EXPECT_TRUE(verify(request, answer));
    for (int probe = 0; probe < 200; ++probe) {
        const Rational step =
            Rational(rng.range(request.least, request.greatest) - request.zero) - Rational(1, 2);
        const Integer near = ((step - request.addend) / request.factor).floor() + rng.range(-1, 2);
        const std::int64_t x = toInt64(std::clamp(near, Integer(request.lo), Integer(request.hi)));
        ASSERT_EQ(integerResult(request, answer, x), exactResult(request, x)) << x;
    }
    for (const std::int64_t x : {request.lo, request.hi})
        EXPECT_EQ(integerResult(request, answer, x), exactResult(request, x)) << x;
}

TEST(ExactFactor, WholeRangeOf32BitsIsDecided) {
    SplitMix64 rng(6);
    int answered = 0;
    for (int round = 0; round < 400; ++round) {
        FactorRequest request;
        const auto scale = static_cast<float>(rng.range(1 << 20, 1 << 24)) * 0x1p-36F;
        const auto out = static_cast<float>(rng.range(1 << 20, 1 << 24)) * 0x1p-26F;
        request.factor = *Rational::fromDouble(scale) / *Rational::fromDouble(out);
        request.lo = INT32_MIN;
        request.hi = INT32_MAX;
        request.mode = kModes[round % 4];
        request.zero = rng.range(-128, 127);
        const auto answer = exactFactor(request);
        ASSERT_TRUE(answer) << format(answer.error());
        expectExactAtSteps(request, *answer, rng);
        answered += answer->shift > 10 ? 1 : 0;
    }
    EXPECT_GT(answered, 300);
}

TEST(ExactFactor, WholeRangeWithoutSaturation) {
    SplitMix64 rng(7);
    for (const RoundingMode mode : kModes)
        for (const std::int64_t p : {-1023, -3, 5, 1023}) {
            FactorRequest request = {
                Rational(p, 1024), Rational(rng.range(-5, 5)), INT32_MIN, INT32_MAX, mode, -7};
            request.least = INT64_MIN;
            request.greatest = INT64_MAX;
            const auto answer = exactFactor(request);
            ASSERT_TRUE(answer) << format(answer.error());
            EXPECT_EQ(answer->mul, p);
            EXPECT_EQ(answer->shift, 10U);
            request.least = INT32_MIN;
            request.greatest = INT32_MAX;
            expectExactAtSteps(request, *answer, rng);
        }
}

TEST(ExactFactor, AnswersAtTheEdgesOf64BitAccumulators) {
    for (const RoundingMode mode : kModes) {
        FactorRequest request = {Rational(1, 3), Rational(), INT64_MIN, INT64_MAX, mode};
        const auto answer = exactFactor(request);
        ASSERT_TRUE(answer) << format(answer.error());
        EXPECT_TRUE(verify(request, *answer));
        for (const std::int64_t x : {INT64_MIN, INT64_MAX, std::int64_t{382}, std::int64_t{-385}})
            EXPECT_EQ(integerResult(request, *answer, x), exactResult(request, x)) << x;
        request.factor = Rational(-1);
        request.least = INT64_MIN;
        request.greatest = INT64_MAX;
        const auto negated = exactFactor(request);
        ASSERT_TRUE(negated);
        EXPECT_EQ(negated->mul, -1);
        EXPECT_EQ(integerResult(request, *negated, INT64_MIN), INT64_MAX);
        EXPECT_TRUE(verify(request, *negated));
    }
}

std::string codeOf(const FactorRequest& request) {
    const auto answer = exactFactor(request);
    return answer ? "" : answer.error().front().code;
}

TEST(ExactFactor, WhatDoesNotFitIsAnAnswer) {
    FactorRequest wide = {Rational(12'345, 98'765), Rational(), INT32_MIN, INT32_MAX,
                          RoundingMode::Up};
    wide.least = INT32_MIN;
    wide.greatest = INT32_MAX;
    const auto answer = exactFactor(wide);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().front().code, "requant-multiplier");
    EXPECT_TRUE(answer.error().front().isAnswer);
    EXPECT_THAT(answer.error().front().message, testing::HasSubstr("needs a multiplier of "));

    FactorRequest tiny = {Rational(1, powerOfTwo(200)), Rational(1, 2), -1, 1, RoundingMode::Down};
    tiny.addend = Rational(Integer(1), powerOfTwo(300));
    EXPECT_EQ(codeOf(tiny), "");
    wide.factor = Rational(powerOfTwo(40) + 1);
    wide.greatest = INT64_MAX;
    EXPECT_EQ(codeOf(wide), "requant-multiplier");
    wide.factor = Rational(powerOfTwo(40) + 1, powerOfTwo(100));
    wide.lo = INT64_MIN;
    wide.hi = INT64_MAX;
    wide.least = INT64_MIN;
    EXPECT_EQ(codeOf(wide), "requant-multiplier");
}

TEST(ExactFactor, MultiplierAtTheEdgeOf32Bits) {
    FactorRequest request = {Rational(INT32_MIN), Rational(), -5, 5, RoundingMode::Even};
    request.least = INT64_MIN;
    request.greatest = INT64_MAX;
    ASSERT_TRUE(exactFactor(request));
    EXPECT_EQ(exactFactor(request)->mul, INT32_MIN);
    EXPECT_EQ(exactFactor(request)->proof.mulBits, 32U);
    request.factor = -request.factor;
    EXPECT_EQ(codeOf(request), "requant-multiplier");
}

TEST(ExactFactor, DenormalAndHugeFactorsHaveExactAnswers) {
    for (const double factor : {5e-324, 1e-310, 1e-45, 1e30, 1e300, 1.7e308})
        for (const RoundingMode mode : kModes)
            for (const double sign : {1.0, -1.0}) {
                const FactorRequest request = {*Rational::fromDouble(sign * factor), Rational(),
                                               -4000, 4000, mode};
                const auto answer = exactFactor(request);
                ASSERT_TRUE(answer) << format(answer.error());
                EXPECT_TRUE(verify(request, *answer));
                for (std::int64_t x = -4000; x <= 4000; ++x)
                    ASSERT_EQ(integerResult(request, *answer, x), exactResult(request, x)) << x;
            }
}

TEST(ExactFactor, EmptyRangesAreErrors) {
    FactorRequest request = {Rational(1, 3), Rational(), 5, 4, RoundingMode::Up};
    EXPECT_EQ(codeOf(request), "requant-range");
    request.hi = 5;
    request.greatest = request.least;
    EXPECT_EQ(codeOf(request), "requant-range");
}

TEST(ExactFactor, HalfUpIsOfferedWhereResultsAgree) {
    SplitMix64 rng(8);
    int offered = 0, kept = 0;
    for (int round = 0; round < 2500; ++round) {
        const SmallRequest small = drawn(rng, RoundingMode::Even);
        const auto half = asHalfUp(small.request());
        if (!half) {
            ++kept;
            continue;
        }
        ++offered;
        for (std::int64_t x = small.lo; x <= small.hi; ++x)
            ASSERT_EQ(exactResult(*half, x), expectedResult(small, x)) << small;
    }
    EXPECT_GT(offered, 100);
    EXPECT_GT(kept, 100);
}

TEST(ExactFactor, ProofReadsAsASentence) {
    const FactorRequest request = {Rational(1, 6), Rational(), -100, 100, RoundingMode::Even};
    const auto answer = exactFactor(request);
    ASSERT_TRUE(answer);
    EXPECT_EQ(text(answer->proof), "exact for -100 … 100: error at most 6.52e-2, nearest other "
                                   "value 1.66e-1 from a threshold, 34 ties");
}

} // namespace
} // namespace marquetry::quant
