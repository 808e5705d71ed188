// Mistakes in stream items: each with its place, code and what was expected.
#include "tests/frontend/parse_helpers.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/support/effort.h"

#include "engine/support/limits.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Diagnostics of `body` in line 2 of a stream with the inputs x, y (Seq 6 u8) and b (Seq 6 bit).
std::vector<std::string> streamPlaces(const std::string& body) {
    return placesOf("stream s { input x : Seq 6 u8; input z : Seq 6 u8; input b : Seq 6 bit;\n" +
                    body + "\n}");
}

std::string streamMessage(const std::string& body) {
    const auto parsed = parse("stream s { input x : Seq 6 u8;\n" + body + "\n}", "test.mq");
    return parsed ? "" : format(parsed.error());
}

TEST(StreamErrors, Syntax) {
    EXPECT_THAT(placesOf("stream { }"), ElementsAre("1:8 syntax"));
    EXPECT_THAT(placesOf("stream s"), ElementsAre("1:9 syntax"));
    EXPECT_THAT(streamPlaces("output o = x"), ElementsAre("3:1 syntax"));
    EXPECT_THAT(streamPlaces("output o = ;"), ElementsAre("2:12 syntax"));
    EXPECT_THAT(streamPlaces("output o = map(fn -> x, x);"), ElementsAre("2:19 syntax"));
    EXPECT_THAT(streamPlaces("output o = map(fn v v, x);"), ElementsAre("2:22 syntax"));
    EXPECT_THAT(streamPlaces("output o = reduce(assoc add, x);"), ElementsAre("2:25 syntax"));
    EXPECT_THAT(streamPlaces("output o = const([1, 2 : Seq 2 u8);"), ElementsAre("2:24 syntax"));
    EXPECT_THAT(streamPlaces("weight w = 3; output o = x;"), ElementsAre("2:1 syntax"));
    EXPECT_THAT(streamPlaces("lett w = x; output o = w;"), ElementsAre("2:1 syntax"));
    EXPECT_THAT(streamPlaces("let bank = x; output o = x;"), ElementsAre("2:5 reserved-name"));
}

TEST(StreamErrors, Types) {
    EXPECT_THAT(streamPlaces("input q : Seq 0 u8; output o = x;"),
                ElementsAre("2:15 bad-dimension"));
    EXPECT_THAT(streamPlaces("input q : Seq -3 u8; output o = x;"),
                ElementsAre("2:15 bad-dimension"));
    EXPECT_THAT(streamPlaces("input q : Seq 3 u9; output o = x;"),
                ElementsAre("2:17 unknown-type"));
    EXPECT_THAT(streamPlaces("input q : Seq 3000000000 u8; output o = x;"),
                ElementsAre("2:11 too-large"));
    EXPECT_THAT(
        streamPlaces("input q : Seq 65536 Seq 65536 Seq 65536 Seq 65536 Seq 65536 u8; output o = "
                     "x;"),
        ElementsAre("2:11 too-large"));
    EXPECT_THAT(streamPlaces("input q : (Seq 2 u8, u8); output o = x;"),
                ElementsAre("2:11 type-mismatch"));
}

TEST(StreamErrors, Names) {
    EXPECT_THAT(streamPlaces("output o = shift(1, xx);"), ElementsAre("2:21 unknown-name"));
    EXPECT_THAT(streamPlaces("output o = shfit(1, x);"), ElementsAre("2:12 unknown-operator"));
    EXPECT_THAT(streamPlaces("let x = z; output o = x;"), ElementsAre("2:5 duplicate-name"));
    EXPECT_THAT(streamPlaces("let add = x; output o = x;"), ElementsAre("2:5 reserved-name"));
    EXPECT_THAT(streamPlaces("output o = map2(fn v v -> v, x, z);"),
                ElementsAre("2:22 duplicate-name"));
    EXPECT_THAT(streamPlaces("output o = map(fn add -> x, x);"), ElementsAre("2:19 reserved-name"));
    EXPECT_THAT(streamPlaces("output o = x(1);"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = add;"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = fn v -> v;"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("let w = shift(0, x); output o = map(abs, w);"),
                ElementsAre("2:9 bad-parameter"));
    EXPECT_THAT(streamPlaces("let q = x;"), ElementsAre("1:8 no-output"));
}

TEST(StreamErrors, FunctionsAreClosed) {
    EXPECT_THAT(streamPlaces("output o = map(fn v -> map2(add, v, x), x);"),
                ElementsAre("2:37 not-closed"));
    EXPECT_THAT(
        streamPlaces("output o = map(fn r -> map(fn v -> add(v, r), r), partition(2, 3, x));"),
        ElementsAre("2:43 not-closed"));
    EXPECT_THAT(streamPlaces("let f = fn v -> add(v, 1); output o = map(f, map(fn v -> f(v), x));"),
                ElementsAre());
}

TEST(StreamErrors, Operands) {
    EXPECT_THAT(streamPlaces("output o = map(add, x);"), ElementsAre("2:16 operand-count"));
    EXPECT_THAT(streamPlaces("output o = map2(add, x);"), ElementsAre("2:12 operand-count"));
    EXPECT_THAT(streamPlaces("output o = map(shift, x);"), ElementsAre("2:16 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = add(x, z);"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = map2(add, x, b);"), ElementsAre("2:17 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = map2(add, x, partition(2, 3, z));"),
                ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = map(fn v -> add(1, 2), x);"),
                ElementsAre("2:28 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = map(fn v -> add(v, 256), x);"),
                ElementsAre("2:31 number-too-large"));
    EXPECT_THAT(streamPlaces("output o = map(fn v -> add(v, -1), x);"),
                ElementsAre("2:31 number-too-large"));
    EXPECT_THAT(streamPlaces("output o = map(fn v -> div(v, 256), x);"),
                ElementsAre("2:31 number-too-large"));
    EXPECT_THAT(streamPlaces("output o = map(fn v -> if(v, v, v), x);"),
                ElementsAre("2:24 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = partition(4, 2, x);"), ElementsAre("2:12 bad-parameter"));
    EXPECT_THAT(streamPlaces("output o = partition(-2, -3, x);"),
                ElementsAre("2:12 bad-parameter"));
    EXPECT_THAT(streamPlaces("output o = select(6, x);"), ElementsAre("2:12 bad-parameter"));
    EXPECT_THAT(streamPlaces("output o = up(3, x);"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = shift(x, x);"), ElementsAre("2:18 bad-parameter"));
    EXPECT_THAT(streamPlaces("output o = unpartition(x);"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = tuple_to_seq(map2(stuple, x, z));"),
                ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = map2(fn a b -> append(a, b), x, z);"),
                ElementsAre("2:27 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = map(fst, x);"), ElementsAre("2:16 type-mismatch"));
}

TEST(StreamErrors, Constants) {
    EXPECT_THAT(streamPlaces("output o = const([1, 2] : Seq 3 u8);"),
                ElementsAre("2:18 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = const([1, [2]] : Seq 2 u8);"),
                ElementsAre("2:22 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = const(300 : u8);"), ElementsAre("2:18 number-too-large"));
    EXPECT_THAT(streamPlaces("output o = const((1, 2, 3) : (u8, u8));"),
                ElementsAre("2:18 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = counter(0, 1 : u8);"), ElementsAre("2:20 bad-parameter"));
    EXPECT_THAT(streamPlaces("output o = counter(4, 1 : bit);"), ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(streamPlaces("output o = counter(4, 900 : u8);"),
                ElementsAre("2:23 number-too-large"));
}

TEST(StreamErrors, OnlyAssociativeFunctionsReduce) {
    EXPECT_THAT(streamPlaces("output o = reduce(sub, x);"), ElementsAre("2:19 not-associative"));
    EXPECT_THAT(streamPlaces("output o = reduce(fn p q -> add(p, q), x);"),
                ElementsAre("2:19 not-associative"));
    EXPECT_THAT(streamPlaces("output o = reduce(assoc fn p q -> add(p, q), x);"), ElementsAre());
    EXPECT_THAT(streamPlaces("output o = reduce(assoc fn p q -> lt(p, q), x);"),
                ElementsAre("2:12 type-mismatch"));
}

TEST(StreamErrors, MessagesNameBothTypes) {
    EXPECT_THAT(streamMessage("output o = map2(fn a b -> add(a, b), x, counter(6, 1 : u16));"),
                HasSubstr("the operands have different types: u8 and u16"));
    EXPECT_THAT(streamMessage("output o = map2(add, x, counter(7, 1 : u8));"),
                HasSubstr("the sequences have different lengths: Seq 6 u8 and Seq 7 u8"));
    EXPECT_THAT(streamMessage("output o = shfit(1, x);"), HasSubstr("did you mean 'shift'?"));
}

TEST(StreamErrors, SeveralMistakesInOneRun) {
    EXPECT_THAT(
        streamPlaces("let p = shift(0, x); let q = ; let r = add(x, 1); output o = nothing;"),
        ElementsAre("2:9 bad-parameter", "2:30 syntax", "2:47 type-mismatch", "2:62 unknown-name"));
}

TEST(StreamErrors, DeepAndHugeProgramsAreRefused) {
    std::string deep = "x";
    for (int k = 0; k < 5000; ++k)
        deep = "shift(1, " + deep + ")";
    EXPECT_THAT(streamPlaces("output o = " + deep + ";"), testing::Contains(HasSubstr("too-deep")));
    std::string types = "u8";
    for (int k = 0; k < 5000; ++k)
        types = "Seq 1 " + types;
    EXPECT_THAT(streamPlaces("input d : " + types + "; output o = x;"),
                testing::Contains(HasSubstr("too-deep")));
    std::string chain = "let f0 = fn v -> add(v, 1);";
    std::string doubling = "let g0 = fn v -> add(v, v);";
    for (int k = 1; k < 500; ++k) {
        const std::string last = std::to_string(k - 1);
        chain += "let f" + std::to_string(k) + " = fn v -> f" + last + "(v);";
        doubling +=
            "let g" + std::to_string(k) + " = fn v -> add(g" + last + "(v), g" + last + "(v));";
    }
    EXPECT_THAT(streamPlaces(chain + "output o = map(f499, x);"),
                testing::Contains(HasSubstr("too-deep")));
    EXPECT_THAT(streamPlaces(doubling + "output o = map(g40, x);"),
                testing::Contains(HasSubstr("too-large")));
}

TEST(StreamErrors, WrongInputsOfARun) {
    const ir::StreamProgram stream = streamOf("stream s { input x : Seq 2 u8; output y = x; }");
    const ir::StreamType type = ir::seqOf(2, ir::scalarStream(ir::Scalar::U8));
    EXPECT_EQ(interpret(stream, {}).error()[0].code, "input-missing");
    EXPECT_EQ(interpret(stream, {{"x", {type, {1}}}}).error()[0].code, "type-mismatch");
    EXPECT_EQ(interpret(stream, {{"x", {type, {1, 256}}}}).error()[0].code, "type-mismatch");
    EXPECT_EQ(interpret(stream, {{"x", {type, {1, 2}}}, {"z", {type, {1, 2}}}}).error()[0].code,
              "unknown-name");
}

TEST(StreamErrors, MoreElementsThanAreHeldAreRefused) {
    const std::string text = "stream s { input x : Seq 400000000 u8; output y = shift(1, x); }";
    const auto refused = interpret(streamOf(text), {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "too-large");
    EXPECT_THAT(refused.error()[0].message, HasSubstr("800000000 elements at the same time"));
    EXPECT_EQ(refused.error()[0].file, "test.mq");
}

/// 32 to the power of `levels` elements are computed, of which no more are there at a time than a
/// chunk of a map holds on each level.
ir::StreamProgram nested(int levels) {
    std::string text = "stream s { input x : Seq 1 u32;\n"
                       "let f0 = fn v -> map(fn w -> add(w, 1), v);\n";
    for (int level = 1; level <= levels; ++level) {
        const std::string inner = "f" + std::to_string(level - 1);
        text += "let f" + std::to_string(level) + " = fn v -> reduce(add, unpartition(map(" +
                inner + ", partition(32, 1, up(32, v)))));\n";
    }
    return streamOf(text + "output y = f" + std::to_string(levels) + "(x); }");
}

const std::map<std::string, ir::StreamData> kOne{
    {"x", {ir::seqOf(1, ir::scalarStream(ir::Scalar::U32)), {1}}}};

TEST(StreamErrors, MoreStepsThanAreTakenAreRefused) {
    EXPECT_TRUE(ir::checkInterpretable(nested(7))); // 3.4e10 elements
    const auto refused = interpret(nested(9), kOne);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error()[0].code, "too-large");
    const std::string& message = refused.error()[0].message;
    EXPECT_THAT(message, HasSubstr(" operations on elements; the limit is " +
                                   std::to_string(kMaxInterpretedSteps)));
    const std::size_t asked = message.find(" takes ");
    ASSERT_NE(asked, std::string::npos) << message;
    EXPECT_GE(std::stoll(message.substr(asked + 7)), std::int64_t{1} << (5 * 9)) << message;
    EXPECT_EQ(refused.error()[0].file, "test.mq");
}

TEST(StreamErrors, AStopEndsFunctionsInsideFunctionsSoon) {
    const auto small = interpret(nested(2), kOne);
    ASSERT_TRUE(small);
    EXPECT_EQ((*small)[0].words, (std::vector<std::int64_t>{2 * 32 * 32}));
    const ir::StreamProgram some = nested(4);
    const ir::StreamProgram more = nested(6); // a thousand times as much
    const test::Effort usual =
        test::leastEffortOf(2, [&] { EXPECT_TRUE(interpret(some, kOne).has_value()); });
    for (const double share : {0.1, 0.7, 1.9}) {
        const auto after = test::leastEffortAfterStop(3, share * usual, [&](std::stop_token stop) {
            const auto result = interpret(more, kOne, stop);
            ASSERT_FALSE(result);
            EXPECT_EQ(result.error()[0].code, "cancelled");
        });
        ASSERT_TRUE(after) << "a thousand times as much took less";
        std::cout << *after << " after " << share << " of " << usual << "\n";
        EXPECT_LT(*after, 0.5 * usual) << share;
    }
}

/// Pairs of pairs double with each level.
TEST(StreamErrors, PairsOfTooManyPartsAreRefused) {
    std::string body = "let p0 = x;";
    for (int level = 0; level < 40; ++level) {
        const std::string last = "p" + std::to_string(level);
        body += "let p" + std::to_string(level + 1) + " = map2(tuple, " + last + ", " + last + ");";
    }
    EXPECT_THAT(streamPlaces(body + "output y = p40;"), testing::Contains(HasSubstr("too-large")));
}

} // namespace
} // namespace marquetry::frontend
