// Tables of constants: words against loops, ranges of indices, and the mistakes that can be made.
#include "tests/frontend/parse_helpers.h"
#include "tests/frontend/stream_helpers.h"

#include "engine/ir/stream_ranges.h"
#include "engine/support/rng.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string listOf(const std::vector<std::int64_t>& words) {
    std::string text = "[";
    for (const std::int64_t word : words)
        text += (text.size() > 1 ? ", " : "") + std::to_string(word);
    return text + "]";
}

TEST(StreamTable, HoldsTheWordAtEachIndex) {
    SplitMix64 random(3);
    for (const std::int64_t length : {1, 2, 10, 200, 256}) {
        std::vector<std::int64_t> words, indices, expected;
        for (std::int64_t k = 0; k < length; ++k)
            words.push_back(random.range(-32768, 32767));
        for (int k = 0; k < 64; ++k) {
            indices.push_back(random.range(0, 255));
            expected.push_back(
                words[static_cast<std::size_t>(std::min(indices.back(), length - 1))]);
        }
        const std::string last = std::to_string(length - 1);
        EXPECT_EQ(runStream("stream s { input x : Seq 64 u8; let t = table(" + listOf(words) +
                                " : i16); output y = map(fn v -> t(min(v, " + last + ")), x); }",
                            {indices}),
                  expected);
    }
}

TEST(StreamTable, IsAFunctionWhereverOneMayBe) {
    const std::string words = "let N = 3; let t = table([N, 2 * N, -1, 5] : i8);";
    const std::string x = "input x : Seq 3 u8; ";
    EXPECT_THAT(runStream("stream s { " + x + words +
                              "let twice = fn f v -> add(f(v), f(v)); output y = map(fn v -> "
                              "twice(t, and(v, 3)), x); }",
                          {{0, 1, 7}}),
                ElementsAre(6, 12, 10));
    EXPECT_THAT(runStream("stream s { " + x +
                              "let even = fn f v -> f(and(v, 1)); output y = map(fn v -> "
                              "even(table([4, 9] : u8), v), x); }",
                          {{0, 1, 7}}),
                ElementsAre(4, 9, 9));
    EXPECT_EQ(outputType(x + words + "output y = map(fn v -> t(lsr(v, 6)), x);"), "Seq 3 i8");
    // Programs that name something so keep their meaning.
    EXPECT_THAT(runStream("stream s { input x : Seq 2 u8; let table = fn v -> add(v, 1); output y "
                          "= map(table, map(fn v -> table(v), x)); }",
                          {{1, 2}}),
                ElementsAre(3, 4));
}

TEST(StreamTable, AnUndefinedIndexFindsAnUndefinedWord) {
    EXPECT_THAT(runStream("stream s { input x : Seq 3 u8; let t = table([7, 8, 9, 4] : u8); output "
                          "y = map(fn v -> t(and(v, 3)), shift(1, x)); }",
                          {{0, 1, 2}}),
                ElementsAre(kU, 7, 8));
}

TEST(StreamTable, RefusesIndicesThatMayBeOutside) {
    const std::string x = "input x : Seq 3 u8; let t = table([1, 2, 3, 4, 5] : u8); ";
    EXPECT_EQ(firstErrorOf(x + "output y = map(t, x);"),
              "index-outside the index may be 0 to 255, but t has words 0 to 4 | clamp(v, 0, 4) is "
              "inside");
    EXPECT_EQ(firstErrorOf(x + "output y = map(fn v -> t(clamp(v, 0, 4)), x);"), "");
    EXPECT_EQ(firstErrorOf(x + "output y = map(fn v -> t(and(v, 3)), x);"), "");
    EXPECT_THAT(firstErrorOf(x + "output y = map(fn v -> t(and(v, 7)), x);"), HasSubstr("0 to 7"));
    EXPECT_THAT(
        firstErrorOf("input x : Seq 3 i8; let t = table([1, 2] : u8); output y = map(fn v -> "
                     "t(min(v, 1)), x);"),
        HasSubstr("the index may be -128 to 1"));
    EXPECT_EQ(firstErrorOf("input x : Seq 3 i8; let t = table([1, 2] : u8); output y = map(fn v -> "
                           "t(clamp(v, 0, 1)), x);"),
              "");
    // The words of one table may be the indices of another.
    EXPECT_EQ(firstErrorOf(x + "let u = table([1, 2, 3, 4, 5, 6] : u8); output y = map(fn v -> "
                               "u(t(and(v, 3))), x);"),
              "");
}

TEST(StreamTable, RefusesWhatIsNoTable) {
    const std::string x = "input x : Seq 3 u8; ";
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 300] : u8); output y = x;"),
                HasSubstr("number-too-large 300 does not fit into u8"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, [2]] : u8); output y = x;"),
                HasSubstr("type-mismatch expected a number of type u8"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 2] : fix1_7); output y = x;"),
                HasSubstr("the words of a table are scalars"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 2] : Seq 2 u8); output y = x;"),
                HasSubstr("the words of a table are scalars"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 2]); output y = x;"),
                HasSubstr("':' and the type of a word of the table"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 2] : u8); output y = t;"),
                HasSubstr("expected a value, but 't' is a function"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 2] : u8); output y = map(fn v -> t(v, v), x);"),
                HasSubstr("'t' takes 1 arguments, not 2"));
    EXPECT_THAT(
        firstErrorOf(x + "let t = table([1, 2] : u8); output y = map(fn v -> t(lt(v, 3)), x);"),
        HasSubstr("an integer as index of the table"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 2] : u8); output y = t(x);"),
                HasSubstr("apply it to every element with map"));
    EXPECT_THAT(firstErrorOf(x + "let t = table([1, 2] : u8); output y = map(fn v -> t(t), x);"),
                HasSubstr("works on values, not on functions"));
    const std::vector<std::int64_t> many(70'000, 1);
    EXPECT_THAT(firstErrorOf(x + "let t = table(" + listOf(many) + " : u8); output y = x;"),
                HasSubstr("too-large"));
}

/// Every word that comes is in the range that was found for its expression.
TEST(StreamTable, RangesHoldWhatComes) {
    const std::vector<std::string> bodies = {
        "and(v, 12)",         "lsr(v, 3)",         "clamp(v, 9, 40)",  "xor(and(v, 5), 8)",
        "t(and(v, 3))",       "sub(v, v)",         "add(v, 1)",        "mul(and(v, 3), 7)",
        "if(lt(v, 9), v, 3)", "max(lsl(v, 1), 7)", "min(not(v), 200)", "t(t(and(v, 1)))"};
    for (const std::string& body : bodies) {
        const ir::StreamProgram program =
            streamOf("stream s { input x : Seq 256 u8; let t = table([3, 1, 2, 0] : u8); output y "
                     "= map(fn v -> " +
                     body + ", x); }");
        const ir::StreamGraph& function = *program.graph.nodes.back().function;
        const ir::WordRange range = ir::wordRange(function, function.outputs[0].node);
        std::int64_t least = 255, most = 0;
        const auto words = ir::evaluate(program.graph, {iota(256, 0)}, 1)[0];
        for (const std::int64_t word : words) {
            least = std::min(least, word);
            most = std::max(most, word);
        }
        EXPECT_LE(range.low, least) << body;
        EXPECT_GE(range.high, most) << body;
    }
}

} // namespace
} // namespace marquetry::frontend
