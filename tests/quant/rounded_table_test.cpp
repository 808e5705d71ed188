#include "engine/quant/rounded_table.h"

#include "engine/support/rng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace marquetry::quant {
namespace {

constexpr RealFunction kFunctions[] = {
    RealFunction::Identity,    RealFunction::Relu,      RealFunction::LeakyRelu,
    RealFunction::HardSigmoid, RealFunction::HardSwish, RealFunction::Sigmoid,
    RealFunction::Tanh,        RealFunction::Erf,       RealFunction::Gelu,
    RealFunction::GeluTanh,    RealFunction::Silu,      RealFunction::Exp,
    RealFunction::Elu};

const FunctionParams kParams = {Rational(1, 5), Rational(1, 2)};

/// In long double by the C library, with other formulas where there are any.
long double inLongDouble(RealFunction function, long double x) {
    const long double alpha = 0.2L;
    switch (function) {
    case RealFunction::Identity:
        return x;
    case RealFunction::Relu:
        return std::max(0.0L, x);
    case RealFunction::LeakyRelu:
        return x < 0 ? alpha * x : x;
    case RealFunction::HardSigmoid:
        return std::clamp(alpha * x + 0.5L, 0.0L, 1.0L);
    case RealFunction::HardSwish:
        return x * std::clamp(x / 6 + 0.5L, 0.0L, 1.0L);
    case RealFunction::Sigmoid:
        return 0.5L + std::tanh(x / 2) / 2;
    case RealFunction::Tanh:
        return std::tanh(x);
    case RealFunction::Erf:
        return std::erf(x);
    case RealFunction::Gelu:
        return x * std::erfc(-x * std::sqrt(0.5L)) / 2;
    case RealFunction::GeluTanh:
        return x / 2 *
               (1 + std::tanh(std::sqrt(2 / std::acos(-1.0L)) * (x + 0.044715L * x * x * x)));
    case RealFunction::Silu:
        return x / (1 + std::exp(-x));
    case RealFunction::Exp:
        return std::exp(x);
    case RealFunction::Elu:
        return x < 0 ? alpha * std::expm1(x) : x;
    }
    return 0;
}

TableRequest drawnTable(SplitMix64& rng, RealFunction function, RoundingMode mode) {
    TableRequest request;
    request.function = function;
    request.params = kParams;
    request.inputScale = *Rational::fromDouble(static_cast<float>(rng.range(1, 1000)) * 1e-4F);
    request.outputScale = *Rational::fromDouble(static_cast<float>(rng.range(1, 400)) * 1e-4F);
    request.inputZero = rng.range(-128, 127);
    request.outputZero = rng.range(-128, 127);
    request.mode = mode;
    return request;
}

/// What the C library gives lies within one step, and within none where it is away from a half.
TEST(RoundedTable, AgreesWithTheLibraryOfC) {
    SplitMix64 rng(1);
    int compared = 0;
    for (int round = 0; round < 8; ++round)
        for (const RealFunction function : kFunctions)
            for (const RoundingMode mode : {RoundingMode::Even, RoundingMode::Down}) {
                const TableRequest request = drawnTable(rng, function, mode);
                const auto table = roundedTable(request);
                ASSERT_TRUE(table) << format(table.error());
                ASSERT_EQ(table->values.size(), 256U);
                for (int i = 0; i < 256; ++i) {
                    const long double x =
                        static_cast<long double>(request.inputScale.toDouble()) *
                        static_cast<long double>(request.first + i - request.inputZero);
                    const long double steps =
                        inLongDouble(function, x) /
                        static_cast<long double>(request.outputScale.toDouble());
                    const long double place = mode == RoundingMode::Down ? steps : steps + 0.5L;
                    if (std::fabs(place - std::round(place)) < 1e-12L * (1 + std::fabs(steps)))
                        continue;
                    const long double expected =
                        std::clamp(std::floor(place) + static_cast<long double>(request.outputZero),
                                   -128.0L, 127.0L);
                    ASSERT_EQ(static_cast<long double>(table->values[static_cast<std::size_t>(i)]),
                              expected)
                        << toString(function) << " of " << static_cast<double>(x);
                    ++compared;
                }
            }
    EXPECT_GT(compared, 50'000);
}

/// e^x by its power series in rationals, at x / 2^16 and squared sixteen times: an interval.
struct Interval {
    Rational low, high;
};
Rational cut(const Rational& value, bool up) {
    const Rational grid(powerOfTwo(420));
    return Rational(up ? (value * grid).ceil() : (value * grid).floor()) / grid;
}
Interval exponential(const Rational& x) {
    const Rational small = x.abs() / Rational(1 << 16);
    Rational term = 1;
    Interval sum = {Rational(0), Rational(0)};
    for (int n = 1; n < 60; ++n) {
        sum = {sum.low + cut(term, false), sum.high + cut(term, true)};
        term = cut(term * small / Rational(n), true);
    }
    // The terms were rounded up; what that adds, and the rest of the series, is far below 2^-380.
    const Rational slack(Integer(1), powerOfTwo(380));
    sum = {sum.low - slack, sum.high + slack};
    for (int n = 0; n < 16; ++n)
        sum = {cut(sum.low * sum.low, false), cut(sum.high * sum.high, true)};
    if (x.sign() < 0)
        return {Rational(1) / sum.high, Rational(1) / sum.low};
    return sum;
}

TEST(RealFunctions, DigitsAreWithinTheErrorThatIsAssumed) {
    SplitMix64 rng(2);
    const Rational error(Integer(1), boost::multiprecision::pow(Integer(10), 70));
    const auto expectNear = [&](RealFunction function, const Rational& x, const Interval& value) {
        const RealValue found = evaluate(function, kParams, x);
        ASSERT_TRUE(found.digits);
        // Of the digits as an exact rational.
        const int exponent = ilogb(*found.digits) - 398;
        const Integer mantissa = static_cast<Integer>(ldexp(*found.digits, -exponent));
        const Rational scale(powerOfTwo(static_cast<unsigned>(std::abs(exponent))));
        const Rational digits =
            exponent < 0 ? Rational(mantissa) / scale : Rational(mantissa) * scale;
        EXPECT_LE((digits - value.low).abs(), error * value.low.abs()) << toString(function);
        EXPECT_LE((digits - value.high).abs(), error * value.high.abs()) << toString(function);
    };
    for (int round = 0; round < 60; ++round) {
        const Rational x(rng.range(-2'000'000, 2'000'000), rng.range(100'000, 900'000));
        if (x.isZero())
            continue;
        const auto [low, high] = exponential(x);
        const Rational one = 1;
        expectNear(RealFunction::Exp, x, {low, high});
        expectNear(RealFunction::Sigmoid, x, {low / (one + low), high / (one + high)});
        const Rational low2 = low * low, high2 = high * high;
        expectNear(RealFunction::Tanh, x,
                   {(low2 - one) / (low2 + one), (high2 - one) / (high2 + one)});
        if (x.sign() < 0)
            expectNear(RealFunction::Elu, x,
                       {kParams.alpha * (low - one), kParams.alpha * (high - one)});
    }
}

/// By the continued fraction of its tail, e^−t² / (√π·(t + ½/(t + 1/(t + 3⁄2/(t + …))))).
TEST(RealFunctions, GeluKeepsItsDigitsWhereItVanishes) {
    for (const int x : {-9, -14, -20, -30, -40}) {
        const Digits120 t = Digits120(-x) / sqrt(Digits120(2));
        Digits120 fraction = t;
        for (int n = 6000; n > 0; --n)
            fraction = t + Digits120(n) / 2 / fraction;
        const Digits120 pi = acos(Digits120(-1));
        const Digits120 tail = exp(-t * t) / (sqrt(pi) * fraction);
        const RealValue found = evaluate(RealFunction::Gelu, {}, Rational(x));
        ASSERT_TRUE(found.digits);
        EXPECT_LT(abs(*found.digits / (x * tail / 2) - 1), pow(Digits120(10), -90)) << x;
    }
}

/// erf x = 2/√π · Σ (−1)^n x^(2n+1) / (n! (2n+1)), compared by its square so that only π is needed.
TEST(RealFunctions, ErfIsItsPowerSeries) {
    const std::string digits =
        "31415926535897932384626433832795028841971693993751058209749445923078"
        "1640628620899862803482534211706798214808651";
    const Rational pi(Integer(digits), boost::multiprecision::pow(
                                           Integer(10), static_cast<unsigned>(digits.size() - 1)));
    for (const std::int64_t eighths : {-17, -3, 1, 5, 12, 24, 31}) {
        const Rational x(eighths, 8);
        Rational power = x, sum;
        for (int n = 0; n < 260; ++n) {
            sum = sum + power / Rational(2 * n + 1);
            power = -(power * x * x / Rational(n + 1));
        }
        const Rational square = Rational(4) * sum * sum / pi;
        const RealValue found = evaluate(RealFunction::Erf, {}, x);
        ASSERT_TRUE(found.digits);
        const Digits120 expected = Digits120(square.numerator()) / Digits120(square.denominator());
        const Digits120 off = abs(*found.digits * *found.digits / expected - 1);
        EXPECT_LT(off, pow(Digits120(10), -90)) << eighths;
        EXPECT_EQ(found.digits->sign(), x.sign());
    }
}

TEST(RoundedTable, RationalFunctionsAreExactAtTies) {
    TableRequest request;
    request.function = RealFunction::LeakyRelu;
    request.params.alpha = Rational(1, 4);
    const auto table = roundedTable(request);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->rational, 256);
    EXPECT_EQ(table->ties, 32);
    EXPECT_EQ(table->margin, 0.25);
    EXPECT_EQ(table->values[128 - 6], -2); // −1.5
    EXPECT_EQ(table->values[128 - 2], 0);  // −0.5
    EXPECT_EQ(table->values[128 - 7], -2);
    EXPECT_EQ(table->values[128 + 100], 100);
}

TEST(RoundedTable, ALimitIsNotReached) {
    // 1 / scale is 127.5; sigmoid of 300 is below 1 by less than double or 100 digits can tell.
    TableRequest request;
    request.function = RealFunction::Sigmoid;
    request.inputScale = 300;
    request.outputScale = Rational(2, 255);
    request.first = -1;
    request.last = 1;
    request.greatest = 255;
    request.least = 0;
    const auto up = [&](RoundingMode mode) {
        request.mode = mode;
        return roundedTable(request)->values;
    };
    EXPECT_THAT(up(RoundingMode::Up), testing::ElementsAre(0, 64, 127));
    EXPECT_THAT(up(RoundingMode::Even), testing::ElementsAre(0, 64, 127));
    EXPECT_THAT(up(RoundingMode::Down), testing::ElementsAre(0, 63, 127));
    request.function = RealFunction::Gelu;
    request.outputScale = 4;
    request.inputScale = 1002;
    request.greatest = 1000;
    request.least = -1000;
    EXPECT_THAT(up(RoundingMode::Even), testing::ElementsAre(0, 0, 250));
    EXPECT_THAT(up(RoundingMode::Down), testing::ElementsAre(-1, 0, 250));
    request.inputScale = 1000;
    EXPECT_THAT(up(RoundingMode::Down), testing::ElementsAre(-1, 0, 249));
}

TEST(RoundedTable, ScalesOfAnySizeAreDecided) {
    for (const double in : {5e-324, 1e-45, 1e-20, 1e20, 3.4e38, 1.7e308})
        for (const double out : {5e-324, 1e-45, 1e-20, 1e20, 3.4e38, 1.7e308})
            for (const RealFunction function : kFunctions) {
                TableRequest request;
                request.function = function;
                request.params = kParams;
                request.inputScale = *Rational::fromDouble(in);
                request.outputScale = *Rational::fromDouble(out);
                request.first = -3;
                request.last = 3;
                const auto table = roundedTable(request);
                ASSERT_TRUE(table) << toString(function) << " " << in << " " << out << "\n"
                                   << format(table.error());
                EXPECT_TRUE(std::ranges::is_sorted(table->values) ||
                            function >= RealFunction::Gelu || function == RealFunction::HardSwish);
            }
}

std::string tableCodeOf(const TableRequest& request) {
    const auto table = roundedTable(request);
    return table ? "" : table.error().front().code;
}

TEST(RoundedTable, BadRequestsAreErrors) {
    TableRequest request;
    request.inputScale = 0;
    EXPECT_EQ(tableCodeOf(request), "quant-scale");
    request.inputScale = -1;
    EXPECT_EQ(tableCodeOf(request), "quant-scale");
    request.inputScale = Rational(powerOfTwo(1200));
    EXPECT_EQ(tableCodeOf(request), "quant-scale");
    request.inputScale = 1;
    request.first = INT64_MIN;
    request.last = INT64_MAX;
    EXPECT_EQ(tableCodeOf(request), "requant-range");
    request.first = INT64_MAX - 1;
    EXPECT_EQ(tableCodeOf(request), "");
    request.last = request.first - 1;
    EXPECT_EQ(tableCodeOf(request), "requant-range");
    request.last = request.first;
    request.least = request.greatest;
    EXPECT_EQ(tableCodeOf(request), "requant-range");
}

TEST(RealFunctions, NamesAreReadBack) {
    for (const RealFunction function : kFunctions)
        EXPECT_EQ(realFunctionNamed(toString(function)), function);
    EXPECT_FALSE(realFunctionNamed("softsign"));
}

} // namespace
} // namespace marquetry::quant
