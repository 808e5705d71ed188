// Functions that take functions, and tuples of any length; expected values are computed by hand.
#include "tests/frontend/parse_helpers.h"
#include "tests/frontend/stream_helpers.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kIn = "stream s { input x : Seq 3 u8; input z : Seq 3 u8; ";

TEST(StreamFunctions, AreArguments) {
    EXPECT_THAT(runStream(kIn + "let each = fn f xs -> map(f, xs); "
                                "output y = each(fn v -> add(v, 1), x); }",
                          {{1, 2, 3}, {0, 0, 0}}),
                ElementsAre(2, 3, 4));
    EXPECT_THAT(runStream(kIn + "let both = fn f a b -> map2(f, a, b); "
                                "output y = both(sub, x, z); }",
                          {{5, 6, 7}, {1, 1, 2}}),
                ElementsAre(4, 5, 5));
    EXPECT_THAT(runStream(kIn + "let inc = fn v -> add(v, 1); let twice = fn f v -> f(f(v)); "
                                "output y = map(fn v -> twice(inc, v), x); }",
                          {{1, 2, 3}, {0, 0, 0}}),
                ElementsAre(3, 4, 5));
    EXPECT_THAT(runStream(kIn + "let fold = fn f xs -> reduce(f, xs); output y = fold(max, x); }",
                          {{1, 7, 3}, {0, 0, 0}}),
                ElementsAre(7));
}

/// A function uses the functions of the place where it is written, not of that where it is applied.
TEST(StreamFunctions, KeepTheFunctionsOfTheirPlace) {
    EXPECT_THAT(runStream(kIn + "let apply = fn f v -> f(v); "
                                "let both = fn f v -> apply(fn w -> f(w), add(v, v)); "
                                "output y = map(fn v -> both(fn u -> add(u, 100), v), x); }",
                          {{1, 2, 3}, {0, 0, 0}}),
                ElementsAre(102, 104, 106));
    EXPECT_THAT(runStream(kIn + "let over = fn f xs -> map(fn v -> f(f(v)), xs); "
                                "output y = over(fn v -> mul(v, 3), x); }",
                          {{1, 2, 3}, {0, 0, 0}}),
                ElementsAre(9, 18, 27));
    EXPECT_THAT(runStream(kIn + "let f = fn v -> add(v, 1); let g = fn f v -> f(v); "
                                "output y = map(fn v -> f(g(fn u -> mul(u, 2), v)), x); }",
                          {{1, 2, 3}, {0, 0, 0}}),
                ElementsAre(3, 5, 7));
}

TEST(StreamFunctions, TuplesOfMany) {
    const std::string x = "input x : Seq 6 u8; ";
    EXPECT_EQ(outputType(x + "output y = zip(x, x);"), "Seq 6 STuple 2 u8");
    EXPECT_EQ(outputType(x + "output y = zip(x, shift(1, x), x, x);"), "Seq 6 STuple 4 u8");
    EXPECT_EQ(outputType(x + "output y = map(fn v -> stuple(v, v, v), x);"), "Seq 6 STuple 3 u8");
    EXPECT_EQ(outputType(x + "let p = partition(2, 3, x); output y = map2(zip, p, p);"),
              "Seq 2 Seq 3 STuple 2 u8");
    EXPECT_THAT(runStream(kIn + "output y = unpartition(map(tuple_to_seq, partition(3, 1, "
                                "zip(x, z, shift(1, x))))); }",
                          {{1, 2, 3}, {7, 8, 9}}),
                ElementsAre(1, 7, kU, 2, 8, 1, 3, 9, 2));
}

std::vector<std::string> functionPlaces(const std::string& body) {
    return placesOf("stream s { input x : Seq 6 u8;\n" + body + "\n}");
}

TEST(StreamFunctionsErrors, EachHasItsPlaceAndCode) {
    EXPECT_THAT(functionPlaces("let each = fn f xs -> map(f, xs); output y = each(x, x);"),
                ElementsAre("2:27 type-mismatch"));
    EXPECT_THAT(functionPlaces("let each = fn f xs -> add(f, xs); output y = each(abs, x);"),
                ElementsAre("2:27 type-mismatch"));
    EXPECT_THAT(functionPlaces("let each = fn f xs -> map(f, xs); output y = each(add, x);"),
                ElementsAre("2:27 operand-count"));
    EXPECT_THAT(functionPlaces("let each = fn f xs -> map(f, xs); output y = each(abs);"),
                ElementsAre("2:46 operand-count"));
    EXPECT_THAT(functionPlaces("let g = fn f v -> f(v, 1); output y = map(fn v -> g(abs, v), x);"),
                ElementsAre("2:24 type-mismatch"));
    EXPECT_THAT(functionPlaces("let g = fn f f -> f; output y = map(fn v -> g(abs, v), x);"),
                ElementsAre("2:14 duplicate-name"));
    EXPECT_THAT(functionPlaces("output y = zip(x);"), ElementsAre("2:12 operand-count"));
    EXPECT_THAT(functionPlaces("output y = zip(x, x, counter(5, 1 : u8));"),
                ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(functionPlaces("output y = zip(x, counter(6, 1 : u16));"),
                ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(functionPlaces("output y = map(fn v -> stuple(v, v, as_u16(v)), x);"),
                ElementsAre("2:24 type-mismatch"));
}

TEST(StreamFunctionsErrors, FunctionsOfThemselvesEnd) {
    EXPECT_THAT(functionPlaces("let w = fn f v -> f(f, v); output y = map(fn v -> w(w, v), x);"),
                ElementsAre("2:24 too-deep"));
    EXPECT_THAT(functionPlaces("let w = fn f v -> tuple(f(f, v), f(f, v)); "
                               "output y = map(fn v -> w(w, v), x);"),
                ElementsAre(HasSubstr("too-deep")));
    std::string doubling = "let g0 = fn v -> v;";
    for (int k = 1; k < 60; ++k) {
        const std::string last = "g" + std::to_string(k - 1);
        doubling += "let g" + std::to_string(k) + " = fn v -> " + last + "(" + last + "(v));";
    }
    EXPECT_THAT(functionPlaces(doubling + "output y = map(g59, x);"),
                ElementsAre(HasSubstr("too-large")));
}

} // namespace
} // namespace marquetry::frontend
