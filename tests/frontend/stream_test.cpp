// Stream items: what they parse to, their types, and their meaning. Expected values are computed
// here by plain loops, or are those printed for the same programs (Aetherling's tests).
#include "engine/ir/stream_live_words.h"
#include "tests/frontend/stream_helpers.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using Words = std::vector<std::int64_t>;

TEST(Stream, TypesOfTheLanguage) {
    for (const char* type : {"Seq 16 u8", "Seq 3 Seq 4 (u8, bit)", "Seq 2 STuple 3 i32", "fix1_7",
                             "Seq 5 ((u8, i8), fix1_7)"})
        EXPECT_EQ(outputType("input x : " + std::string(type) + "; output y = x;"), type);
}

TEST(Stream, TypesAreInferred) {
    const std::string x = "input x : Seq 12 u8; ";
    EXPECT_EQ(outputType(x + "output y = map(fn v -> lt(v, 3), x);"), "Seq 12 bit");
    EXPECT_EQ(outputType(x + "output y = partition(3, 4, x);"), "Seq 3 Seq 4 u8");
    EXPECT_EQ(outputType(x + "output y = unpartition(partition(3, 4, x));"), "Seq 12 u8");
    EXPECT_EQ(outputType(x + "output y = reduce(add, x);"), "Seq 1 u8");
    EXPECT_EQ(outputType(x + "output y = up(7, select(2, x));"), "Seq 7 u8");
    EXPECT_EQ(outputType(x + "output y = map2(tuple, x, counter(12, 2 : i16));"),
              "Seq 12 (u8, i16)");
    EXPECT_EQ(outputType(x + "output y = map2(append, map2(stuple, x, x), x);"),
              "Seq 12 STuple 3 u8");
    EXPECT_EQ(outputType(x + "output y = map(tuple_to_seq, partition(12, 1, "
                             "map2(stuple, shift(1, x), x)));"),
              "Seq 12 Seq 2 u8");
    EXPECT_EQ(outputType(x + "output y = map(seq_to_tuple, partition(3, 4, x));"),
              "Seq 3 Seq 1 STuple 4 u8");
    EXPECT_EQ(outputType("output y = const([[1, 2], [3, 4]] : Seq 2 Seq 2 i8);"), "Seq 2 Seq 2 i8");
}

TEST(Stream, TheExampleOfTheLanguageReference) {
    const std::string text = R"(stream conv1d {
        input x  : Seq 16 u8;
        let s1   = shift(1, x);
        let s2   = shift(1, s1);
        let w    = map(tuple_to_seq, partition(16, 1, map2(append, map2(stuple, s2, s1), x)));
        let sums = map(fn win -> reduce(add, win), w);
        output y = unpartition(map(fn s -> map(fn v -> div(v, 43), s), sums));
    })";
    Words expected = {kU, kU};
    for (std::int64_t k = 2; k < 16; ++k)
        expected.push_back(((3 * k) * 43) >> 7);
    EXPECT_EQ(runStream(text, {iota(16)}), expected);
}

/// The 3 × 3 convolution of the published benchmarks, rows of `width` pixels.
std::string conv(const std::string& type, int width, int size, const std::string& body) {
    const std::string n = std::to_string(size);
    const std::string w = std::to_string(width);
    const std::string window =
        "let win = fn a b c -> map(tuple_to_seq, partition(" + n +
        ", 1, map2(append, map2(stuple, a, b), c)));\n"
        "let rows = fn a b c -> map(tuple_to_seq, partition(" +
        n +
        ", 1, map2(fn p q -> append(p, q), map2(fn p q -> stuple(p, q), a, b), c)));\n"
        "let row = fn p -> win(shift(1, shift(1, p)), shift(1, p), p);\n"
        "let window = fn p -> rows(row(shift(" +
        w + ", shift(" + w + ", p))), row(shift(" + w + ", p)), row(p));\n";
    return "stream conv {\ninput x : Seq " + n + " " + type + ";\n" + window + body + "}\n";
}

TEST(Stream, ConvolutionOfThePublishedTest) {
    const std::string text = conv("u8", 4, 16,
                                  "let k = fn v -> v;\n"
                                  "let kernel = fn w -> map(fn s -> map(fn v -> lsr(v, 4), s), "
                                  "reduce(assoc fn a b -> map2(add, a, b), map(fn r -> "
                                  "reduce(add, r), map2(fn r c -> map2(lsl, r, c), w, "
                                  "const([[0, 1, 0], [1, 2, 1], [0, 1, 0]] : Seq 3 Seq 3 u8)))));\n"
                                  "output y = unpartition(unpartition(map(kernel, window(x))));\n");
    const Words y = runStream(text, {iota(16)});
    ASSERT_EQ(y.size(), 16U);
    for (std::size_t k = 0; k < 10; ++k)
        EXPECT_EQ(y[k], kU) << k;
    EXPECT_EQ(y[10], 6);
    EXPECT_EQ(y[11], 7);
    EXPECT_EQ(y[14], 10);
    EXPECT_EQ(y[15], 11);
}

TEST(Stream, ScalarOperatorsAreModuloTheWidth) {
    const std::string in = "stream s { input a : Seq 4 u8; input b : Seq 4 u8; output y = ";
    const Words a = {200, 3, 0, 255};
    const Words b = {100, 7, 1, 255};
    EXPECT_THAT(runStream(in + "map2(add, a, b); }", {a, b}), ElementsAre(44, 10, 1, 254));
    EXPECT_THAT(runStream(in + "map2(sub, a, b); }", {a, b}), ElementsAre(100, 252, 255, 0));
    EXPECT_THAT(runStream(in + "map2(mul, a, b); }", {a, b}), ElementsAre(32, 21, 0, 1));
    EXPECT_THAT(runStream(in + "map2(min, a, b); }", {a, b}), ElementsAre(100, 3, 0, 255));
    EXPECT_THAT(runStream(in + "map2(max, a, b); }", {a, b}), ElementsAre(200, 7, 1, 255));
    EXPECT_THAT(runStream(in + "map2(lt, a, b); }", {a, b}), ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(runStream(in + "map2(eq, a, b); }", {a, b}), ElementsAre(0, 0, 0, 1));
    EXPECT_THAT(runStream(in + "map2(lsl, a, b); }", {a, b}), ElementsAre(0, 128, 0, 0));
    EXPECT_THAT(runStream(in + "map(fn v -> lsr(v, 1), a); }", {a, b}),
                ElementsAre(100, 1, 0, 127));
    EXPECT_THAT(runStream(in + "map(fn v -> div(v, 255), a); }", {a, b}),
                ElementsAre((200 * 255 / 128) % 256, 3 * 255 / 128, 0, (255 * 255 / 128) % 256));
    const std::string wide = "stream s { input a : Seq 2 u32; output y = map2(mul, a, a); }";
    EXPECT_THAT(runStream(wide, {{4294967295, 65536}}), ElementsAre(1, 0));
    const std::string low = "stream s { input a : Seq 3 i8; output y = map(";
    EXPECT_THAT(runStream(low + "abs, a); }", {{-128, -5, 7}}), ElementsAre(-128, 5, 7));
    EXPECT_THAT(runStream(low + "fn v -> lsr(v, 1), a); }", {{-128, -2, 7}}),
                ElementsAre(64, 127, 3));
    EXPECT_THAT(runStream(low + "fn v -> lsl(v, 1), a); }", {{-128, 64, 7}}),
                ElementsAre(0, -128, 14));
}

TEST(Stream, BitsAndChoices) {
    const std::string in = "stream s { input c : Seq 4 bit; input d : Seq 4 bit; output y = ";
    const Words c = {0, 0, 1, 1};
    const Words d = {0, 1, 0, 1};
    EXPECT_THAT(runStream(in + "map2(and, c, d); }", {c, d}), ElementsAre(0, 0, 0, 1));
    EXPECT_THAT(runStream(in + "map2(or, c, d); }", {c, d}), ElementsAre(0, 1, 1, 1));
    EXPECT_THAT(runStream(in + "map(not, c); }", {c, d}), ElementsAre(1, 1, 0, 0));
    EXPECT_THAT(runStream(in + "map2(fn p q -> if(p, q, 1), c, d); }", {c, d}),
                ElementsAre(1, 1, 0, 1));
}

TEST(Stream, ADefinedChoiceHidesAnUndefinedBranch) {
    const std::string text = "stream s { input x : Seq 3 u8; let t = map2(tuple, shift(1, x), x);"
                             "output y = map(fn p -> if(lt(snd(p), 3), 9, fst(p)), t);"
                             "output z = map(fn p -> if(lt(fst(p), 3), 9, snd(p)), t); }";
    const ir::StreamProgram stream = streamOf(text);
    const auto out =
        interpret(stream, {{"x", {ir::seqOf(3, ir::scalarStream(ir::Scalar::U8)), {1, 2, 3}}}});
    ASSERT_TRUE(out);
    EXPECT_THAT((*out)[0].words, ElementsAre(9, 9, 2));
    EXPECT_THAT((*out)[1].words, ElementsAre(kU, 9, 9));
}

TEST(Stream, SequencesAreRegrouped) {
    const std::string in = "stream s { input x : Seq 6 u8; output y = ";
    const Words x = iota(6);
    EXPECT_THAT(runStream(in + "shift(2, x); }", {x}), ElementsAre(kU, kU, 1, 2, 3, 4));
    EXPECT_THAT(runStream(in + "shift(9, x); }", {x}), ElementsAre(kU, kU, kU, kU, kU, kU));
    EXPECT_THAT(runStream(in + "select(4, x); }", {x}), ElementsAre(5));
    EXPECT_THAT(runStream(in + "up(3, select(4, x)); }", {x}), ElementsAre(5, 5, 5));
    EXPECT_THAT(runStream(in + "select(1, partition(2, 3, x)); }", {x}), ElementsAre(4, 5, 6));
    EXPECT_THAT(runStream(in + "map(fn r -> select(2, r), partition(2, 3, x)); }", {x}),
                ElementsAre(3, 6));
    EXPECT_THAT(
        runStream(in + "unpartition(map(fn r -> reduce(max, r), partition(3, 2, x))); }", {x}),
        ElementsAre(2, 4, 6));
    EXPECT_THAT(runStream(in + "map(fn r -> shift(1, r), partition(2, 3, x)); }", {x}),
                ElementsAre(kU, 1, 2, kU, 4, 5));
    EXPECT_THAT(runStream(in + "counter(5, 100 : u8); }", {x}), ElementsAre(0, 100, 200, 44, 144));
}

TEST(Stream, MapsOverMoreThanOneChunk) {
    const std::int64_t size = 40000;
    const std::string n = std::to_string(size);
    const std::string text =
        "stream s { input x : Seq " + n +
        " u32; output y = map2(fn a b -> mul(a, add(b, 3)), x, shift(2, x)); }";
    const Words x = iota(size);
    const Words y = runStream(text, {x});
    ASSERT_EQ(y.size(), x.size());
    EXPECT_EQ(y[0], kU);
    EXPECT_EQ(y[1], kU);
    for (std::size_t k = 2; k < x.size(); ++k)
        ASSERT_EQ(y[k], (x[k] * (x[k - 2] + 3)) % 4294967296) << k;
}

TEST(Stream, ValuesAreDroppedAfterTheirLastUse) {
    std::string chain = "x";
    for (int k = 0; k < 50; ++k)
        chain = "shift(1, " + chain + ")";
    const auto live = [](const std::string& result) {
        return ir::liveWords(
            streamOf("stream s { input x : Seq 100 u8; output y = " + result + "; }").graph, 1);
    };
    EXPECT_EQ(live("x"), 100);
    EXPECT_EQ(live("shift(1, x)"), 200);
    EXPECT_EQ(live(chain), 200);
    // x, the chain, their pairs, and the chunk with its own pairs.
    EXPECT_EQ(live("map2(tuple, x, " + chain + ")"), 800);
    // 100 rows of one element: the sum, the next element and the new sum.
    EXPECT_EQ(live("reduce(add, x)"), 104);
}

TEST(Stream, MultiplicationsAreCounted) {
    EXPECT_EQ(ir::multiplications(streamOf("stream s { input x : Seq 6 u8; output y = "
                                           "reduce(mul, map(fn v -> mul(v, v), x)); }")
                                      .graph),
              11);
}

TEST(Stream, BytesThereAndBack) {
    const ir::StreamType type = ir::seqOf(
        2, ir::pairOf(ir::scalarStream(ir::Scalar::I16), ir::scalarStream(ir::Scalar::Bit)));
    const ir::StreamData data{type, {-2, 1, 258, 0}};
    EXPECT_THAT(toBytes(data), ElementsAre(0xfe, 0xff, 1, 2, 1, 0));
    EXPECT_EQ(ir::streamFromBytes(type, toBytes(data)), data);
    EXPECT_THAT(toBytes(ir::StreamData{type, {kU, 1, kU, kU}}), ElementsAre(0, 0, 1, 0, 0, 0));
}

TEST(Stream, DesignsAndStreamsShareAFile) {
    const std::string text = "stream s { input x : Seq 2 u8; output y = x; }\n"
                             "design d { input x : i8; output y = relu(x); }\n";
    const auto parsed = parse(text, "test.mq");
    ASSERT_TRUE(parsed);
    EXPECT_THAT(parsed->order, ElementsAre(ItemKind::Stream, ItemKind::Design));
    EXPECT_TRUE(selectsStream(*parsed, ""));
    EXPECT_TRUE(selectsStream(*parsed, "s"));
    EXPECT_FALSE(selectsStream(*parsed, "d"));
    EXPECT_EQ(selectItem(*parsed, "")->name, "d");
    EXPECT_EQ(selectStream(*parsed, "")->name, "s");
    EXPECT_EQ(selectStream(*parsed, "t").error()[0].code, "no-item");
}

} // namespace
} // namespace marquetry::frontend
