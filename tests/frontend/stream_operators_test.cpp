// Operators on words beyond those of L_seq: against plain integers of 64 bits, on every pair of
// bytes and on words of 16 and 32 bits around their edges.
#include "tests/frontend/parse_helpers.h"
#include "tests/frontend/stream_helpers.h"

#include "engine/support/rng.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Int = std::int64_t;
using Words = std::vector<std::int64_t>;

struct Bounds {
    std::string name;
    int bits;
    Int low;
    Int high;
};

const std::vector<Bounds> kScalars = {
    {"u8", 8, 0, 255},          {"i8", 8, -128, 127},       {"u16", 16, 0, 65535},
    {"i16", 16, -32768, 32767}, {"u32", 32, 0, 4294967295}, {"i32", 32, -2147483648, 2147483647},
};

/// By counting: the number of the scalar that differs by a multiple of 2^bits.
Int modulo(Int value, const Bounds& to) {
    const Int count = Int{1} << to.bits;
    const Int above = ((value - to.low) % count + count) % count;
    return to.low + above;
}

/// All pairs of bytes; of longer words the edges and some others.
std::pair<Words, Words> pairsOf(const Bounds& scalar) {
    Words some;
    if (scalar.bits == 8) {
        for (Int n = scalar.low; n <= scalar.high; ++n)
            some.push_back(n);
    } else {
        some = {scalar.low, scalar.low + 1, -1, 0, 1, 2, scalar.high - 1, scalar.high};
        std::erase_if(some, [&](Int n) { return n < scalar.low; });
        SplitMix64 random(7);
        while (some.size() < 80)
            some.push_back(random.range(scalar.low, scalar.high));
    }
    std::pair<Words, Words> pairs;
    for (const Int a : some) {
        for (const Int b : some) {
            pairs.first.push_back(a);
            pairs.second.push_back(b);
        }
    }
    return pairs;
}

void expectBinary(const std::string& op, const Bounds& scalar,
                  const std::function<Int(Int, Int)>& meaning) {
    const auto [a, b] = pairsOf(scalar);
    const std::string type = "Seq " + std::to_string(a.size()) + " " + scalar.name;
    const Words found = runStream("stream s { input a : " + type + "; input b : " + type +
                                      "; output y = map2(" + op + ", a, b); }",
                                  {a, b});
    ASSERT_EQ(found.size(), a.size());
    for (std::size_t k = 0; k < a.size(); ++k)
        ASSERT_EQ(found[k], meaning(a[k], b[k]))
            << op << " of " << scalar.name << " " << a[k] << " " << b[k];
}

TEST(StreamOperators, BitwiseOnIntegers) {
    for (const Bounds& s : kScalars) {
        expectBinary("and", s, [](Int a, Int b) { return a & b; });
        expectBinary("or", s, [](Int a, Int b) { return a | b; });
        expectBinary("xor", s, [](Int a, Int b) { return a ^ b; });
        expectBinary("fn a b -> not(a)", s, [&](Int a, Int) { return modulo(-1 - a, s); });
    }
}

TEST(StreamOperators, Comparisons) {
    for (const Bounds& s : kScalars) {
        expectBinary("le", s, [](Int a, Int b) { return a <= b ? 1 : 0; });
        expectBinary("ge", s, [](Int a, Int b) { return a >= b ? 1 : 0; });
        expectBinary("gt", s, [](Int a, Int b) { return a > b ? 1 : 0; });
        expectBinary("ne", s, [](Int a, Int b) { return a != b ? 1 : 0; });
    }
}

TEST(StreamOperators, SaturatingSums) {
    for (const Bounds& s : kScalars) {
        expectBinary("add_sat", s, [&](Int a, Int b) { return std::clamp(a + b, s.low, s.high); });
        expectBinary("sub_sat", s, [&](Int a, Int b) { return std::clamp(a - b, s.low, s.high); });
    }
}

TEST(StreamOperators, ClampIsTheLesserOfTheGreater) {
    for (const Bounds& s : kScalars) {
        const Int low = s.low + 5;
        const Int high = s.high - 9;
        expectBinary("fn a b -> clamp(a, " + std::to_string(low) + ", " + std::to_string(high) +
                         ")",
                     s, [&](Int a, Int) { return std::clamp(a, low, high); });
        expectBinary("fn a b -> clamp(a, b, 3)", s,
                     [](Int a, Int b) { return std::min<Int>(std::max(a, b), 3); });
    }
}

TEST(StreamOperators, ArithmeticShiftsRoundDown) {
    for (const Bounds& s : kScalars) {
        if (s.low == 0)
            continue;
        for (const int by : {0, 1, 3, s.bits - 1, s.bits, 200})
            expectBinary("fn a b -> asr(a, " + std::to_string(by) + ")", s, [&](Int a, Int) {
                const Int divisor = Int{1} << std::min(by, 40);
                return (a - ((a % divisor + divisor) % divisor)) / divisor;
            });
    }
}

TEST(StreamOperators, CastsKeepTheNumberModuloTheWidthOrItsNearest) {
    for (const Bounds& from : kScalars) {
        for (const Bounds& to : kScalars) {
            const std::string plain = "fn a b -> as_" + to.name + "(a)";
            const std::string nearest = "fn a b -> sat_" + to.name + "(a)";
            expectBinary(plain, from, [&](Int a, Int) { return modulo(a, to); });
            expectBinary(nearest, from, [&](Int a, Int) { return std::clamp(a, to.low, to.high); });
        }
        expectBinary("fn a b -> as_bit(a)", from, [](Int a, Int) { return a & 1; });
    }
}

TEST(StreamOperators, BitsAreCastAndCombined) {
    const std::string in = "stream s { input c : Seq 4 bit; input d : Seq 4 bit; output y = ";
    const Words c = {0, 0, 1, 1};
    const Words d = {0, 1, 0, 1};
    EXPECT_THAT(runStream(in + "map2(xor, c, d); }", {c, d}), ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(runStream(in + "map2(ne, c, d); }", {c, d}), ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(runStream(in + "map2(le, c, d); }", {c, d}), ElementsAre(1, 1, 0, 1));
    EXPECT_THAT(runStream(in + "map(as_i8, c); }", {c, d}), ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(runStream(in + "map(sat_u16, c); }", {c, d}), ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(runStream(in + "map(as_bit, c); }", {c, d}), ElementsAre(0, 0, 1, 1));
    EXPECT_THAT(runStream(in + "reduce(xor, c); }", {{1, 1, 1, 0}, d}), ElementsAre(1));
    EXPECT_THAT(runStream(in + "map(fn v -> and(v, not(0)), c); }", {c, d}),
                ElementsAre(0, 0, 1, 1));
}

TEST(StreamOperators, WhatDependsOnAnUndefinedElementIsUndefined) {
    const std::string in = "stream s { input a : Seq 3 u8; output y = map(fn v -> ";
    for (const char* body :
         {"add_sat(v, 1)", "clamp(v, 1, 9)", "as_i32(v)", "sat_i8(v)", "ne(v, 1)", "xor(v, 1)"})
        EXPECT_THAT(runStream(in + body + ", shift(2, a)); }", {{1, 2, 3}}),
                    ElementsAre(kU, kU, testing::Ne(kU)))
            << body;
}

/// Programs from before these operators may have names like theirs.
TEST(StreamOperators, TheirNamesMayBeTaken) {
    const std::string in = "stream s { input x : Seq 2 u8; ";
    EXPECT_THAT(runStream(in + "let xor = shift(1, x); output y = xor; }", {{1, 2}}),
                ElementsAre(kU, 1));
    EXPECT_THAT(runStream(in + "let le = fn v -> add(v, 1); output y = map(le, x); }", {{1, 2}}),
                ElementsAre(2, 3));
    EXPECT_THAT(
        runStream(in + "let ne = fn v -> add(v, 1); output y = map(fn v -> ne(v), x); }", {{1, 2}}),
        ElementsAre(2, 3));
    EXPECT_THAT(runStream(in + "output y = map2(fn gt clamp -> sub(gt, clamp), x, x); }", {{1, 2}}),
                ElementsAre(0, 0));
    EXPECT_THAT(runStream(in + "let asr = 7; output y = map(fn v -> add(v, asr), x); }", {{1, 2}}),
                ElementsAre(8, 9));
}

std::vector<std::string> operatorPlaces(const std::string& body) {
    return placesOf("stream s { input x : Seq 6 u8; input i : Seq 6 i8; input b : Seq 6 bit;\n" +
                    body + "\n}");
}

TEST(StreamOperatorsErrors, Operands) {
    EXPECT_THAT(operatorPlaces("output o = map(fn v -> asr(v, 1), x);"),
                ElementsAre("2:24 type-mismatch"));
    EXPECT_THAT(operatorPlaces("output o = map2(xor, x, i);"), ElementsAre("2:17 type-mismatch"));
    EXPECT_THAT(operatorPlaces("output o = xor(x, i);"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(operatorPlaces("output o = map(fn v -> add_sat(v, 256), x);"),
                ElementsAre("2:35 number-too-large"));
    EXPECT_THAT(operatorPlaces("output o = map(fn v -> clamp(v, 1), x);"),
                ElementsAre("2:24 operand-count"));
    EXPECT_THAT(operatorPlaces("output o = map(fn v -> clamp(v, 1, 300), x);"),
                ElementsAre("2:36 number-too-large"));
    EXPECT_THAT(operatorPlaces("output o = map2(fn v w -> clamp(v, 1, w), x, i);"),
                ElementsAre("2:27 type-mismatch"));
    EXPECT_THAT(operatorPlaces("output o = map2(add_sat, b, b);"),
                ElementsAre("2:17 type-mismatch"));
    EXPECT_THAT(operatorPlaces("output o = as_u16(x);"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(operatorPlaces("output o = map(fn v -> sat_u8(tuple(v, v)), x);"),
                ElementsAre("2:24 type-mismatch"));
    EXPECT_THAT(operatorPlaces("output o = reduce(add_sat, x);"),
                ElementsAre("2:19 not-associative"));
    const auto parsed = parse("stream s { input x : Seq 6 u8; output o = map(fn v -> asr(v, 1), "
                              "x); }",
                              "test.mq");
    ASSERT_FALSE(parsed);
    EXPECT_THAT(format(parsed.error()), HasSubstr("lsr shifts unsigned ones"));
}

} // namespace
} // namespace marquetry::frontend
