#include "tests/frontend/parse_helpers.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include "engine/frontend/lexer.h"
#include "engine/frontend/suggest.h"
#include "engine/ir/printer.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Lexer, PlacesCountCodePoints) {
    Reporter reporter("a.mq");
    Lexer lexer("let é // ünï\n  0x1F \"a\\\"\\\\b\" ..->", reporter);
    EXPECT_EQ(lexer.next().range, (SourceRange{1, 1, 1, 4}));
    const Token number = lexer.next();
    EXPECT_EQ(number.value, 31U);
    EXPECT_EQ(number.range, (SourceRange{2, 3, 2, 7}));
    EXPECT_EQ(lexer.next().text, "a\"\\b");
    EXPECT_EQ(lexer.next().text, "..");
    EXPECT_EQ(lexer.next().text, "->");
    EXPECT_EQ(lexer.next().kind, TokenKind::End);
    EXPECT_EQ(lexer.next().kind, TokenKind::End);
    const Diagnostics found = reporter.take();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].code, "invalid-character");
    EXPECT_EQ(found[0].range, (SourceRange{1, 5, 1, 6}));
}

TEST(Lexer, ReservedWordsAreThoseOfTheLanguage) {
    for (const char* word : {"design", "stream", "memory", "input", "weight", "let",   "output",
                             "array",  "for",    "in",     "step",  "par",    "ports", "bank",
                             "copies", "read",   "write",  "fn",    "assoc",  "Seq",   "STuple",
                             "i8",     "u8",     "i16",    "u16",   "i32",    "u32",   "bit"})
        EXPECT_TRUE(isReserved(word)) << word;
    for (const char* word : {"conv", "seq", "Design", "zeros", "file", "random", "pad"})
        EXPECT_FALSE(isReserved(word)) << word;
}

TEST(Suggest, CountsEditsAndSwaps) {
    EXPECT_EQ(editDistance("conv", "conv"), 0);
    EXPECT_EQ(editDistance("cnov", "conv"), 1);
    EXPECT_EQ(editDistance("", "abc"), 3);
    EXPECT_EQ(editDistance("kitten", "sitting"), 3);
    EXPECT_EQ(didYouMean("rleu", {"requant", "relu"}), "did you mean 'relu'?");
    EXPECT_EQ(didYouMean("zzz", {"requant", "relu"}), "");
}

TEST(Parser, ReadsTheExampleOfTheReference) {
    const ir::Program p =
        programOf("design vgg_head {\n"
                  "  input  image  : i8[32, 32, 3];\n"
                  "  weight conv_w : i8[64, 3, 3, 3] = random(seed: 7, lo: -8, hi: 7);\n"
                  "  weight fc_w   : i8[10, 65536]   = zeros;\n"
                  "  let c    = relu(requant(conv(image, conv_w, pad: 1), shift: 6));\n"
                  "  output y = mv(fc_w, flatten(c));\n"
                  "}\n");
    ASSERT_EQ(p.values.size(), 8U);
    EXPECT_EQ(p.name, "vgg_head");
    EXPECT_EQ(p.values[3].name, "c#1");
    EXPECT_EQ(p.values[3].op, ir::OpKind::Conv);
    EXPECT_EQ(p.values[3].place, (SourceRange{5, 27, 5, 54}));
    EXPECT_EQ(p.values[4].name, "c#2");
    EXPECT_EQ(p.values[5].name, "c");
    EXPECT_EQ(p.values[5].range, (ir::Range{0, 127}));
    EXPECT_EQ(p.values[6].name, "y#1");
    EXPECT_EQ(p.values[7].name, "y");
    EXPECT_EQ(p.macs(), 32 * 32 * 64 * 27 + 655360);
    ASSERT_EQ(p.outputs.size(), 1U);
    EXPECT_EQ(p.outputs[0].value, p.values[7].id);
}

TEST(Parser, ParametersAndDefaults) {
    const ir::Program p = programOf(withValues(
        "let a = requant(conv(x, w, stride: 1, pad: 2), mul: s, shift: 0x3, zero: -4, to: u8);\n"
        "let b = maxpool(x, size: 2);\n"
        "let e = maxpool(x, pad_after: 1, stride: 1, size: 2);\n"
        "let f = permute(x, order: [2, 0, 1]);\n"
        "output o = slice(f, axis: 0, from: 1, to: 3);"));
    const auto named = [&](const std::string& name) -> const ir::Value& {
        return *std::find_if(p.values.begin(), p.values.end(),
                             [&](const ir::Value& v) { return v.name == name; });
    };
    EXPECT_EQ(named("a#1").params.pad, ir::Pads(2));
    EXPECT_EQ(named("a").params.vectors, ir::kVectorMul);
    EXPECT_EQ(named("a").operands.size(), 2U);
    EXPECT_EQ(named("a").params.shift, 3);
    EXPECT_EQ(named("a").params.zero, -4);
    EXPECT_EQ(named("a").type, (ir::Type{ir::Scalar::U8, {10, 10, 4}}));
    EXPECT_EQ(named("b").params.stride, ir::PerAxis(2));
    EXPECT_EQ(named("e").params.stride, ir::PerAxis(1));
    EXPECT_EQ(named("e").params.padAfter, 1);
    EXPECT_EQ(named("o").type, (ir::Type{ir::Scalar::I8, {2, 8, 8}}));
}

/// What networks of other tools need, all of it.
const std::string kNetwork =
    "design network {\n"
    "  input x : u8[9, 8, 4];\n"
    "  weight w : i3[6, 3, 2, 2] = random(seed: 1);\n"
    "  weight d : i8[8, 2, 3] = random(seed: 2);\n"
    "  weight m : i32[6] = random(seed: 3);\n"
    "  weight b : i32[6] = random(seed: 4);\n"
    "  weight s : u8[6] = random(seed: 5, lo: 4, hi: 20);\n"
    "  weight t : i8[256] = random(seed: 6);\n"
    "  let c = conv(x, w, pad: [1, 0, 2, 1], stride: [2, 1], fill: 7, groups: 2);\n"
    "  let r = requant(c, mul: m, add: b, shift: s, zero: -3, to: i5, round: even, tie: 2);\n"
    "  let k = requant(c, add: 9, shift: s, to: u8, round: away);\n"
    "  let q = qadd(r, r, mul: [5, -3], add: 1, shift: 3, round: down);\n"
    "  let l = table(clip(q, lo: -6, hi: 6), t);\n"
    "  let a = avgpool(l, size: [3, 2], stride: [1, 2], pad: [1, 0]);\n"
    "  let p = sumpool(l, size: 2, stride: 1, pad: 1, fill: -5);\n"
    "  let e = maxpool(l, size: [2, 3], pad: [1, 0, 0, 2]);\n"
    "  let g = dwconv(x, d, stride: [1, 2]);\n"
    "  output u = upsample(e, factor: [2, 1]);\n"
    "  output v = depth_to_space(x, block: 2, order: crd);\n"
    "  output n = layernorm(reshape(x, dims: [72, 4]), shift: 4, to: i16);\n"
    "  output y = requant(a, shift: 2);\n"
    "  output z = requant(p, shift: 2);\n"
    "  output o = requant(g, shift: 4, to: u2);\n"
    "  output h = k;\n"
    "}\n";

TEST(Parser, ParametersPerAxisVectorsAndWords) {
    const ir::Program p = programOf(kNetwork);
    const auto named = [&](const std::string& name) -> const ir::Value& {
        return *std::find_if(p.values.begin(), p.values.end(),
                             [&](const ir::Value& v) { return v.name == name; });
    };
    EXPECT_EQ(named("c").params.pad, ir::Pads(1, 0, 2, 1));
    EXPECT_EQ(named("c").type, (ir::Type{ir::Scalar::I32, {5, 8, 6}}));
    EXPECT_EQ(named("r").operands.size(), 4U);
    EXPECT_EQ(named("r").params.vectors, 7U);
    EXPECT_EQ(named("r").params.round, ir::Rounding::Even);
    EXPECT_EQ(named("k").params.vectors, static_cast<unsigned>(ir::kVectorShift));
    EXPECT_EQ(named("k").operands.size(), 2U);
    EXPECT_EQ(named("a").params.pad, ir::Pads(1, 0, 1, 0));
    EXPECT_EQ(named("e").params.stride, ir::PerAxis(2, 3));
    EXPECT_EQ(named("u").type, (ir::Type{ir::Scalar::I8, {6, 3, 6}}));
    EXPECT_EQ(named("v").params.order, ir::DepthOrder::Crd);
    EXPECT_EQ(named("g").type, (ir::Type{ir::Scalar::I32, {8, 3, 8}}));
}

TEST(Parser, WrongParametersPerAxisVectorsAndWords) {
    const auto codes = [](const std::string& expression) {
        const auto parsed = parse("design d { input x : i8[4, 4, 2]; output y = " + expression +
                                      "; weight w : i8[2, 3, 3, 2] = zeros; }",
                                  "");
        return parsed ? std::string("none") : format(parsed.error());
    };
    EXPECT_THAT(codes("maxpool(x, size: [2, 2, 2])"), HasSubstr("[vertical, horizontal]"));
    EXPECT_THAT(codes("maxpool(x, size: 2, pad: [1, 1, 1])"),
                HasSubstr("[top, left, bottom, right]"));
    EXPECT_THAT(codes("maxpool(x, size: [2, 0])"), HasSubstr("between 1"));
    EXPECT_THAT(codes("requant(x, shift: 2, round: nearest)"),
                HasSubstr("one of up, down, away, even"));
    EXPECT_THAT(codes("qadd(x, x, mul: 3, shift: 1)"), HasSubstr("a list of two integers"));
    EXPECT_THAT(codes("requant(x, shift: x)"), HasSubstr("'x' is not a weight"));
    EXPECT_THAT(codes("depth_to_space(x, block: 2)"), HasSubstr("do not divide the 2 channels"));
}

/// Widths of 2 to 7 bits are no words of the language: they may be names.
TEST(Parser, OddWidthsMayBeNames) {
    const ir::Program p = programOf("design d { input i4 : i4[2]; output u2 = relu(i4); }");
    EXPECT_EQ(p.values[0].type, (ir::Type{ir::Scalar::I4, {2}}));
    EXPECT_EQ(p.values[0].range, (ir::Range{-8, 7}));
}

TEST(Parser, RangesOfSources) {
    const ir::Program p = programOf("design d { input x : u8[2] = zeros; weight w : i8[2] = zeros;"
                                    "weight r : i16[2] = random(seed: 18446744073709551615);"
                                    "output y = dot(x, w); output z = dot(x, r); }");
    EXPECT_EQ(p.values[0].range, (ir::Range{0, 255}));
    EXPECT_EQ(p.values[1].range, (ir::Range{0, 0}));
    EXPECT_EQ(p.values[2].range, (ir::Range{-32768, 32767}));
    EXPECT_EQ(std::get<ir::RandomSource>(p.values[2].source).seed, 18446744073709551615ULL);
    EXPECT_EQ(p.values[3].range, (ir::Range{0, 0}));
    EXPECT_EQ(p.values[4].range, (ir::Range{-2 * 255 * 32768, 2 * 255 * 32767}));
}

TEST(Parser, WeightsOfAFileHaveTheRangeOfWhatItHolds) {
    const test::TemporaryFolder folder;
    std::ofstream(folder.path() / "held.bin", std::ios::binary) << "\x05\xfd\x02";
    const auto parsed = parse("design d { input x : i8[3] = file(\"held.bin\");"
                              "weight w : i8[3] = file(\"held.bin\"); output y = dot(x, w); }",
                              (folder.path() / "d.mq").string());
    ASSERT_TRUE(parsed) << format(parsed.error());
    const ir::Program& p = parsed->programs.at(0);
    EXPECT_EQ(p.values[0].range, (ir::Range{-128, 127}));
    EXPECT_EQ(p.values[1].range, (ir::Range{-3, 5}));
    EXPECT_EQ(p.values[2].range, (ir::Range{3 * -128 * 5, 3 * 127 * 5}));
}

TEST(Parser, ItemsOfAllKindsStandInOneFile) {
    const std::string text = "memory k { array a : i32[8, 8] ports 1;\n"
                             "  for i in 0 .. 6 { read a[?row(i), i]; } }\n"
                             "stream s { input x : Seq 4 u8; output y = shift(1, x); }\n"
                             "design d { input x : i8; output y = relu(x); }\n";
    EXPECT_THAT(placesOf(text), testing::IsEmpty());
    EXPECT_EQ(programOf(text).name, "d");
}

TEST(Parser, ItemsAreSelectedByName) {
    const auto parsed = parse("design a { input x : i8; output y = x; }\n"
                              "design b { input x : i8; output y = x; }\n",
                              "t.mq");
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(selectItem(*parsed, "")->name, "a");
    EXPECT_EQ(selectItem(*parsed, "b")->name, "b");
    EXPECT_EQ(selectItem(*parsed, "c").error()[0].code, "no-item");
}

TEST(Parser, MayWrapIsAWarning) {
    EXPECT_THAT(placesOf("design d { input a : u16[2]; output y = dot(a, a); }"),
                ElementsAre("1:41 may-wrap"));
    EXPECT_THAT(placesOf("design d { input a : i16[2]; output y = dot(a, a); }"),
                ElementsAre("1:41 may-wrap"));
    EXPECT_THAT(placesOf("design d { input a : i16[1]; output y = dot(a, a); }"), IsEmpty());
    EXPECT_THAT(placesOf("design d { input a : i8[1]; output y = leaky(a, num: 2, shift: 0); }"),
                ElementsAre("1:40 may-wrap"));
}

TEST(Printer, ProgramsComeBackEqual) {
    const std::vector<std::string> texts = {
        withValues("let c = relu(requant(conv(x, w, pad: 1), shift: 6, mul: s));\n"
                   "let p = maxpool(c, size: 2, stride: 1, pad_after: 1);\n"
                   "output first = p;\n"
                   "output y = mv(m, v);\n"
                   "let k = add(y, y);\n"
                   "output again = k;\n"
                   "output same = k;"),
        withValues("let a = reshape(x, dims: [4, 48]);\n"
                   "let b = softmax(transpose(a));\n"
                   "let e = concat(a, slice(a, axis: 0, from: 1, to: 3), axis: 0);\n"
                   "output f = requant(e, shift: 0, zero: -3, mul: -7, to: i16);\n"
                   "output g = leaky(permute(x, order: [2, 1, 0]), num: 1, shift: 3);\n"
                   "output h = b;"),
        "design one { input x : bit; output x2 = flatten(x); }",
        kNetwork,
    };
    for (const std::string& text : texts) {
        const ir::Program original = programOf(text);
        const std::string printed = ir::print(original);
        EXPECT_EQ(summary(programOf(printed)), summary(original)) << printed;
        EXPECT_EQ(ir::print(programOf(printed)), printed);
    }
}

TEST(Printer, OneValuePerLine) {
    EXPECT_EQ(ir::print(programOf("design d{input x:i8[2]=random(seed:1);"
                                  "output y=requant(relu(x),shift:1);}")),
              "design d {\n"
              "  input x : i8[2] = random(seed: 1, lo: -128, hi: 127);\n"
              "  output y = requant(relu(x), shift: 1);\n"
              "}\n");
}

TEST(Printer, UnnamedValuesWithSeveralUsersGetAName) {
    ir::Program program = programOf("design d { input x : i8[2]; output y = relu(relu(x)); }");
    program.outputs.push_back({"inner", program.values[1].id});
    const ir::Program back = programOf(ir::print(program));
    EXPECT_EQ(back.outputs.size(), 2U);
    EXPECT_EQ(back.outputs[1].value, program.values[1].id);
}

TEST(Examples, ParseWithoutWarningsAndPrintBack) {
    int designs = 0;
    int streams = 0;
    const std::filesystem::path folder = test::sourceFolder() + "/examples";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".mq")
            continue;
        const std::string path = entry.path().string();
        EXPECT_EQ(entry.path().stem(), entry.path().parent_path().filename());
        EXPECT_TRUE(std::filesystem::exists(entry.path().parent_path() / "README.md")) << path;
        const auto parsed = parseFile(path);
        ASSERT_TRUE(parsed.has_value()) << format(parsed.error());
        if (!parsed->memories.empty()) {
            // One of the published patterns leaves its array.
            for (const Diagnostic& warning : parsed->warnings)
                EXPECT_EQ(warning.code, "sometimes-outside") << warning.message;
            continue;
        }
        EXPECT_THAT(parsed->warnings, IsEmpty()) << format(parsed->warnings);
        if (path.find("/streams/") != std::string::npos) {
            EXPECT_FALSE(parsed->streams.empty()) << path;
            EXPECT_TRUE(parsed->programs.empty()) << path;
            ++streams;
            continue;
        }
        ASSERT_EQ(parsed->programs.size(), 1U);
        ++designs;
        const ir::Program& program = parsed->programs[0];
        const auto again = parse(ir::print(program), path);
        ASSERT_TRUE(again.has_value()) << format(again.error());
        EXPECT_EQ(summary(again->programs[0]), summary(program));
    }
    EXPECT_GE(designs, 12);
    EXPECT_GE(streams, 11);
}

} // namespace
} // namespace marquetry::frontend
