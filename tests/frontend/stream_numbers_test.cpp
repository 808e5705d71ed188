// Named numbers of streams and arithmetic in sizes; expected values are computed by hand.
#include "tests/frontend/parse_helpers.h"
#include "tests/frontend/stream_helpers.h"

#include "engine/support/limits.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// Diagnostics of `body` in line 2 of a stream with the input x (Seq 6 u8).
std::vector<std::string> numberPlaces(const std::string& body) {
    return placesOf("stream s { input x : Seq 6 u8;\n" + body + "\n}");
}

std::string numberMessage(const std::string& body) {
    const auto parsed = parse("stream s { input x : Seq 6 u8;\n" + body + "\n}", "test.mq");
    return parsed ? "" : format(parsed.error());
}

TEST(StreamNumbers, SizesAreExpressions) {
    const std::string named = "let W = 12; let H = W / 4; ";
    EXPECT_EQ(outputType(named + "input x : Seq W * H u8; output y = x;"), "Seq 36 u8");
    EXPECT_EQ(outputType(named + "input x : Seq W - 2 Seq 2 * W + 1 u8; output y = x;"),
              "Seq 10 Seq 25 u8");
    EXPECT_EQ(outputType(named + "input x : Seq H (u8, bit); output y = x;"), "Seq 3 (u8, bit)");
    EXPECT_EQ(outputType(named + "input x : Seq (H - 1) * (W + 1) (u8, bit); output y = x;"),
              "Seq 26 (u8, bit)");
    EXPECT_EQ(outputType(named + "input x : Seq W - 2 - 3 STuple H u8; output y = x;"),
              "Seq 7 STuple 3 u8");
    EXPECT_EQ(outputType("input x : Seq 100 / 5 / 2 u8; output y = x;"), "Seq 10 u8");
    EXPECT_EQ(outputType("input x : Seq -(3 - 7) - -1 u8; output y = x;"), "Seq 5 u8");
    EXPECT_EQ(outputType("input x : Seq 0x10 u8; output y = x;"), "Seq 16 u8");
}

// Each name is not deep and each number neither, but one through the other.
TEST(StreamNumbers, DeepNumbersOfDeepNumbersAreRefused) {
    constexpr int kNames = kMaxDepth - 10, kParentheses = kMaxDepth - 10;
    std::string body;
    for (int k = 0; k < kNames; ++k) {
        body += "let a" + std::to_string(k) + " = ";
        for (int p = 0; p < kParentheses; ++p)
            body += "(1+";
        body += "a" + std::to_string(k + 1) + std::string(kParentheses, ')') + "; ";
    }
    body += "let a" + std::to_string(kNames) + " = 1; ";
    EXPECT_THAT(numberPlaces(body + "output o = select(a0, x);"), Contains(HasSubstr("too-deep")));
}

// A function sees numbers where it is written, whatever its caller calls its parameters.
TEST(StreamNumbers, AreThoseOfThePlaceWhereAFunctionIsWritten) {
    EXPECT_THAT(runStream("stream s { let W = 4; let f = fn v -> add(v, W); input x : Seq 3 u8;\n"
                          "let g = fn W -> f(W); output y = map(g, x); }",
                          {{1, 2, 3}}),
                ElementsAre(5, 6, 7));
}

// The mistake is told once, and what uses the operator is no other one.
TEST(StreamNumbers, CannotTakeTheNameOfAnOperator) {
    EXPECT_THAT(numberPlaces("let add = 3; output o = map(fn v -> add(v, 1), x);"),
                ElementsAre(HasSubstr("reserved-name")));
}

TEST(StreamNumbers, ParametersAreExpressions) {
    const std::string text = "stream s { let N = 6; let HALF = N / 2; input x : Seq N u8;\n";
    EXPECT_THAT(runStream(text + "output y = shift(HALF + 1, x); }", {iota(6)}),
                ElementsAre(kU, kU, kU, kU, 1, 2));
    EXPECT_THAT(runStream(text + "output y = select(N - 1, x); }", {iota(6)}), ElementsAre(6));
    EXPECT_THAT(runStream(text + "output y = up(HALF, select(0, x)); }", {iota(6)}),
                ElementsAre(1, 1, 1));
    EXPECT_EQ(outputType("let N = 6; input x : Seq N u8; output y = partition(N / 2, 2, x);"),
              "Seq 3 Seq 2 u8");
    EXPECT_THAT(
        runStream(text + "output y = map2(add, x, counter(N, HALF - 1 : u8)); }", {iota(6)}),
        ElementsAre(1, 4, 7, 10, 13, 16));
}

TEST(StreamNumbers, OperandsAndConstants) {
    const std::string text = "stream s { let K = 5; let M = -K; input x : Seq 3 i8;\n";
    EXPECT_THAT(runStream(text + "output y = map(fn v -> add(v, K), x); }", {{1, 2, 3}}),
                ElementsAre(6, 7, 8));
    EXPECT_THAT(runStream(text + "output y = map(fn v -> add(v, 2 * M + 1), x); }", {{1, 2, 3}}),
                ElementsAre(-8, -7, -6));
    EXPECT_THAT(runStream(text + "output y = const([K, M - 1, 7] : Seq K - 2 i8); }", {{1, 2, 3}}),
                ElementsAre(5, -6, 7));
    EXPECT_THAT(
        runStream(text + "output y = const([(K, 1), (2, M)] : Seq 2 (u8, i8)); }", {{0, 0, 0}}),
        ElementsAre(5, 1, 2, -5));
    EXPECT_THAT(runStream(text + "output y = map(fn v -> if(lt(v, K), v, M), x); }", {{4, 5, 6}}),
                ElementsAre(4, -5, -5));
}

TEST(StreamNumbers, AnyOrderAndNamesOfNumbers) {
    EXPECT_EQ(outputType("input x : Seq B u8; let A = B; output y = partition(A / C, C, x); let B "
                         "= 2 * C; let C = 3;"),
              "Seq 2 Seq 3 u8");
}

/// Parameters hide numbers, as they hide values.
TEST(StreamNumbers, ParametersHideThem) {
    const std::string text = "stream s { let K = 5; input x : Seq 3 u8;\n";
    EXPECT_THAT(runStream(text + "output y = map(fn K -> add(K, 1), x); }", {{1, 2, 3}}),
                ElementsAre(2, 3, 4));
    EXPECT_THAT(runStream(text + "output y = map2(fn a K -> add(a, K), x, x); }", {{1, 2, 3}}),
                ElementsAre(2, 4, 6));
    EXPECT_THAT(numberPlaces("let K = 5; output y = map(fn K -> add(K, K + 1), x);"),
                ElementsAre("2:42 type-mismatch"));
}

TEST(StreamNumbersErrors, EachHasItsPlaceAndCode) {
    EXPECT_THAT(numberPlaces("input q : Seq W u8; output o = x;"),
                ElementsAre("2:15 unknown-name"));
    EXPECT_THAT(numberPlaces("let W = 2; input q : Seq W - 2 u8; output o = x;"),
                ElementsAre("2:26 bad-dimension"));
    EXPECT_THAT(numberPlaces("let W = 2; input q : Seq W - 3 u8; output o = x;"),
                ElementsAre("2:26 bad-dimension"));
    EXPECT_THAT(numberPlaces("let W = 9223372036854775807; let V = W + 1; output o = x;"),
                ElementsAre("2:38 number-too-large"));
    EXPECT_THAT(numberPlaces("let W = 4294967296; input q : Seq W * W u8; output o = x;"),
                ElementsAre("2:35 number-too-large"));
    EXPECT_THAT(numberPlaces("let W = 65536; input q : Seq W * W u8; output o = x;"),
                ElementsAre("2:26 too-large"));
    EXPECT_THAT(numberPlaces("let A = -9223372036854775807 - 1; let B = A / -1; output o = x;"),
                ElementsAre("2:43 number-too-large"));
    EXPECT_THAT(numberPlaces("let W = 7 / 2; output o = x;"), ElementsAre("2:9 bad-parameter"));
    EXPECT_THAT(numberPlaces("let W = 7 / (2 - 2); output o = x;"),
                ElementsAre("2:9 bad-parameter"));
    EXPECT_THAT(numberPlaces("input q : Seq x u8; output o = x;"),
                ElementsAre("2:15 type-mismatch"));
    EXPECT_THAT(numberPlaces("let x = 3; output o = x;"), ElementsAre("2:5 duplicate-name"));
    EXPECT_THAT(numberPlaces("let W = 3; let W = 4; output o = x;"),
                ElementsAre("2:16 duplicate-name"));
    EXPECT_THAT(numberPlaces("let W = 300; output o = map(fn v -> add(v, W), x);"),
                ElementsAre("2:44 number-too-large"));
    EXPECT_THAT(numberPlaces("let W = 3; output o = W;"), ElementsAre("2:23 type-mismatch"));
    EXPECT_THAT(numberPlaces("output o = 2 + 3;"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(numberPlaces("let W = ; input q : Seq W u8; output o = x;"),
                ElementsAre("2:9 syntax"));
    EXPECT_THAT(numberPlaces("let W = 3 +; output o = x;"), ElementsAre("2:12 syntax"));
    EXPECT_THAT(numberPlaces("let W = (3; output o = x;"), ElementsAre("2:11 syntax"));
    EXPECT_THAT(numberPlaces("input q : Seq shift(1, x) u8; output o = x;"),
                ElementsAre("2:21 syntax"));
}

TEST(StreamNumbersErrors, ACycleIsToldOnce) {
    EXPECT_THAT(numberPlaces("let A = A + 1; output o = x;"), ElementsAre("2:9 number-cycle"));
    EXPECT_THAT(numberPlaces("let A = B + 1; let B = 2 * A; input q : Seq B u8; output o = x;"),
                ElementsAre("2:28 number-cycle"));
    EXPECT_THAT(numberMessage("let A = A + 1; output o = x;"),
                HasSubstr("the number 'A' depends on itself"));
}

TEST(StreamNumbersErrors, ValuesHaveOperatorsOfTheirOwn) {
    EXPECT_THAT(numberPlaces("output o = x + 1;"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(numberMessage("output o = map(fn v -> v + 1, x);"), HasSubstr("add(a, b)"));
    EXPECT_THAT(numberMessage("output o = shift(1, x) * 2;"),
                HasSubstr("'*' works on numbers, not on values"));
}

TEST(StreamNumbersErrors, DeepAndLongOnesAreNoTrouble) {
    std::string deep = "3";
    std::string wide = "3";
    std::string chain;
    for (int k = 0; k < 5000; ++k) {
        deep = "(" + deep + ")";
        wide += " + 0 * 2";
        chain += "let A" + std::to_string(k) + " = A" + std::to_string(k + 1) + " + 1;";
    }
    EXPECT_THAT(numberPlaces("input q : Seq " + deep + " u8; output o = x;"),
                Contains(HasSubstr("too-deep")));
    EXPECT_EQ(outputType("input x : Seq " + wide + " u8; output y = x;"), "Seq 3 u8");
    EXPECT_THAT(numberPlaces(chain + "let A5000 = 1; output o = x;"),
                Contains(HasSubstr("too-deep")));
}

} // namespace
} // namespace marquetry::frontend
