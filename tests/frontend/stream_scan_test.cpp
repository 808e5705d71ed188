// Scans: states against loops, types, and the mistakes that can be made.
#include "tests/frontend/parse_helpers.h"
#include "tests/frontend/stream_helpers.h"

#include "engine/support/rng.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(StreamScan, LeavesTheStateBehindEachElement) {
    EXPECT_THAT(runStream("stream s { input x : Seq 4 u8; output y = scan(add, 10, x); }",
                          {{1, 2, 3, 250}}),
                ElementsAre(11, 13, 16, 10)); // modulo the width
    EXPECT_THAT(runStream("stream s { input x : Seq 4 i8; output y = scan(max, -128, x); }",
                          {{-9, -12, 4, 1}}),
                ElementsAre(-9, -9, 4, 4));
    EXPECT_THAT(runStream("stream s { input x : Seq 1 u8; output y = scan(sub, 3, x); }", {{1}}),
                ElementsAre(2));
}

TEST(StreamScan, StartsAnewInEachElementOfTheSequenceAround) {
    SplitMix64 random(5);
    std::vector<std::int64_t> words, expected;
    for (int line = 0; line < 7; ++line) {
        std::int64_t state = 9;
        for (int k = 0; k < 5; ++k) {
            words.push_back(random.range(0, 255));
            state = (3 * state + words.back()) % 65536;
            expected.push_back(state);
        }
    }
    const std::string body = "fn s v -> add(mul(s, 3), as_u16(v)), const(9 : u16)";
    EXPECT_EQ(runStream("stream s { input x : Seq 7 (Seq 5 u8); output y = map(fn l -> scan(" +
                            body + ", l), x); }",
                        {words}),
              expected);
    // Over the lines all lines of a picture are one state after the other.
    std::int64_t sums[5] = {1, 1, 1, 1, 1};
    expected.clear();
    for (std::size_t k = 0; k < 35; ++k)
        expected.push_back(sums[k % 5] = (sums[k % 5] + words[k]) % 256);
    EXPECT_EQ(runStream("stream s { input x : Seq 7 (Seq 5 u8); output y = scan(fn s l -> "
                        "map2(add, s, l), 1, x); }",
                        {words}),
              expected);
}

TEST(StreamScan, AStateMayHaveATypeOfItsOwn) {
    EXPECT_EQ(outputType("input x : Seq 6 u8; output y = scan(fn s v -> add(s, as_u32(v)), "
                         "const(7 : u32), x);"),
              "Seq 6 u32");
    EXPECT_EQ(outputType("input x : Seq 6 u8; let zero = const((0, 1) : (u8, bit)); output y = "
                         "scan(fn s v -> tuple(v, eq(v, fst(s))), zero, x);"),
              "Seq 6 (u8, bit)");
    EXPECT_EQ(outputType("input x : Seq 6 (Seq 2 u8); let N = 3; output y = scan(fn s l -> "
                         "map2(add, s, l), 2 * N, x);"),
              "Seq 6 Seq 2 u8");
    // An output beside the state: how often the value before has been the same.
    EXPECT_THAT(runStream("stream s { input x : Seq 6 u8; output y = map(snd, scan(fn s v -> "
                          "tuple(v, if(eq(v, fst(s)), add(snd(s), 1), const(0 : u8))), "
                          "const((0, 0) : (u8, u8)), x)); }",
                          {{0, 0, 5, 5, 5, 1}}),
                ElementsAre(1, 2, 0, 1, 2, 0));
}

TEST(StreamScan, UndefinedElementsMakeTheStateUndefined) {
    EXPECT_THAT(runStream("stream s { input x : Seq 3 u8; output y = scan(add, 0, shift(1, x)); }",
                          {{1, 2, 3}}),
                ElementsAre(kU, kU, kU));
    EXPECT_THAT(runStream("stream s { input x : Seq 4 u8; output y = scan(fn s v -> if(lt(s, 5), "
                          "add(s, 4), v), 0, shift(-2, x)); }",
                          {{1, 2, 3, 4}}),
                ElementsAre(4, 8, kU, kU));
}

TEST(StreamScan, ProgramsThatNameSomethingSoKeepTheirMeaning) {
    EXPECT_THAT(runStream("stream s { input x : Seq 2 u8; let scan = fn v -> add(v, 1); output y = "
                          "map(scan, map(fn v -> scan(v), x)); }",
                          {{1, 2}}),
                ElementsAre(3, 4));
}

TEST(StreamScan, RefusesWhatIsNoStateOrNoFunction) {
    const std::string x = "input x : Seq 3 u8; ";
    EXPECT_THAT(firstErrorOf(x + "output y = scan(add, x);"),
                HasSubstr("operand-count 'scan' takes 3 arguments, not 2 | scan(f, initial, x)"));
    EXPECT_THAT(firstErrorOf(x + "output y = scan(add, x, x);"),
                HasSubstr("not-constant the state before the first element is no constant | write "
                          "a number or const(0 : u16)"));
    EXPECT_THAT(firstErrorOf(x + "output y = scan(add, 256, x);"),
                HasSubstr("number-too-large 256 does not fit into u8 | const(v : t)"));
    EXPECT_THAT(firstErrorOf(x + "output y = scan(abs, 0, x);"),
                HasSubstr("operand-count 'scan' calls its function with 2 arguments, but abs"));
    EXPECT_THAT(firstErrorOf(x + "output y = scan(0, add, x);"),
                HasSubstr("type-mismatch expected a value, but 'add' is a function"));
    EXPECT_THAT(firstErrorOf(x + "output y = scan(lt, 0, x);"),
                HasSubstr("type-mismatch the function of a scan yields the next state, u8, not bit "
                          "| the type of the state is that of the constant"));
    EXPECT_THAT(firstErrorOf(x + "output y = scan(add, const(0 : u16), x);"),
                HasSubstr("type-mismatch the operands have different types: u16 and u8"));
    EXPECT_THAT(firstErrorOf("input x : Seq 3 (u8, u8); output y = scan(fn s v -> v, 0, x);"),
                HasSubstr("type-mismatch expected a state of (u8, u8), but found the number 0"));
    EXPECT_THAT(firstErrorOf("input x : u8; output y = scan(add, 0, x);"),
                HasSubstr("type-mismatch expected a sequence, but found u8"));
    EXPECT_THAT(
        firstErrorOf("input x : Seq 2 (Seq 65537 u8); output y = scan(fn s l -> map2(add, s, "
                     "l), 0, x);"),
        HasSubstr("too-large the state of a scan has 65537 words; the limit is "
                  "65536"));
    EXPECT_THAT(firstErrorOf(x + "let k = 2; output y = scan(fn s v -> add(s, w), 0, x);"),
                HasSubstr("unknown-name there is no value 'w'"));
}

} // namespace
} // namespace marquetry::frontend
