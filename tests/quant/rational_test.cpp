#include "engine/quant/floor_line.h"
#include "engine/quant/rational.h"

#include "engine/support/rng.h"

#include <gtest/gtest.h>

namespace marquetry::quant {
namespace {

TEST(Rational, TakesTheExactValueOfBits) {
    EXPECT_EQ(Rational::fromDouble(0.1F)->text(), "13421773/134217728");
    EXPECT_EQ(Rational::fromDouble(-3.0)->text(), "-3");
    EXPECT_EQ(*Rational::fromDouble(5e-324), Rational(Integer(1), powerOfTwo(1074)));
    EXPECT_EQ(*Rational::fromDouble(0x1p1023), Rational(powerOfTwo(1023)));
    EXPECT_FALSE(Rational::fromDouble(std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(Rational::fromDouble(std::numeric_limits<double>::quiet_NaN()));
    for (const double value : {0.0, 0.1, -1e300, 5e-324, 3e-310, 12345.678})
        EXPECT_EQ(Rational::fromDouble(value)->toDouble(), value);
}

TEST(Rational, RoundsHalvesAsTheModeSays) {
    const auto all = [](std::int64_t numerator) {
        std::string text;
        for (const auto mode :
             {RoundingMode::Up, RoundingMode::Down, RoundingMode::Away, RoundingMode::Even})
            text += rounded(Rational(numerator, 4), mode).str() + " ";
        return text;
    };
    EXPECT_EQ(all(-6), "-1 -2 -2 -2 ");
    EXPECT_EQ(all(-2), "0 -1 -1 0 ");
    EXPECT_EQ(all(-1), "0 -1 0 0 ");
    EXPECT_EQ(all(2), "1 0 1 0 ");
    EXPECT_EQ(all(3), "1 0 1 1 ");
    EXPECT_EQ(all(6), "2 1 2 2 ");
}

TEST(Rational, BitsOfTwosComplement) {
    EXPECT_EQ(signedBits(0), 1U);
    EXPECT_EQ(signedBits(-1), 1U);
    EXPECT_EQ(signedBits(1), 2U);
    EXPECT_EQ(signedBits(127), 8U);
    EXPECT_EQ(signedBits(-128), 8U);
    EXPECT_EQ(signedBits(128), 9U);
}

TEST(FloorLine, EqualsEnumeration) {
    SplitMix64 rng(1);
    for (int round = 0; round < 3000; ++round) {
        const FloorLine line = {rng.range(-60, 60), rng.range(-90, 90), rng.range(1, 40)};
        const FloorLine other = {line.slope + rng.range(-1, 1), line.offset + rng.range(-2, 2),
                                 line.divisor};
        const IntegerRange range = {rng.range(-30, 10), rng.range(10, 40)};
        const Integer a = rng.range(-9, 9), b = rng.range(-9, 9);
        Integer sum = 0, zeros = 0, most = -100'000, least = 0, greatest = 0;
        bool same = true;
        for (Integer x = range.first; x <= range.last; ++x) {
            sum += line.at(x);
            most = std::max(most, Integer(a * x + b * line.at(x)));
            same = same && line.at(x) == other.at(x);
            const Integer residue = line.slope * x + line.offset - line.divisor * line.at(x);
            zeros += residue == 0 ? 1 : 0;
            greatest = std::max(greatest, residue);
            if (residue != 0)
                least = least == 0 ? residue : std::min(least, residue);
        }
        ASSERT_EQ(floorSum(line, range), sum);
        ASSERT_EQ(maxWeightedFloor(line, range, a, b), most);
        ASSERT_EQ(sameFloors(line, other, range), same);
        const Residues found = residues(line, range);
        ASSERT_EQ(found.zeros, zeros);
        ASSERT_EQ(found.leastPositive, least);
        ASSERT_EQ(found.greatest, greatest);
    }
}

} // namespace
} // namespace marquetry::quant
