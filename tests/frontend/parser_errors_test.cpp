// Every mistake: its code, its exact place, and nothing else reported.
#include "tests/frontend/parse_helpers.h"

#include "engine/support/limits.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace marquetry::frontend {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Mistake {
    std::string body; ///< stands in line 8 of withValues
    std::string expected;
};

TEST(ParserErrors, StatementsOfADesign) {
    const std::vector<Mistake> mistakes = {
        {"output y = relu(nope);", "8:17 unknown-name"},
        {"output y = rleu(v);", "8:12 unknown-operator"},
        {"output y = relu;", "8:12 unknown-name"},
        {"let v = relu(v); output y = v;", "8:5 duplicate-name"},
        {"let conv = relu(v); output y = v;", "8:5 reserved-name"},
        {"let step = relu(v); output y = v;", "8:5 reserved-name"},
        {"output y = relu(v, v);", "8:12 operand-count"},
        {"output y = relu();", "8:12 operand-count"},
        {"output y = conv(x, w, pda: 1);", "8:23 bad-parameter"},
        {"output y = conv(x, w, pad: 1, pad: 1);", "8:31 bad-parameter"},
        {"output y = conv(x, w, pad: -1);", "8:28 bad-parameter"},
        {"output y = conv(x, w, stride: 0);", "8:31 bad-parameter"},
        {"output y = conv(x, w, pad: [1]);", "8:28 bad-parameter"},
        {"output y = conv(x, w, pad: v);", "8:28 bad-parameter"},
        {"output y = relu(v, pad: 1);", "8:20 bad-parameter"},
        {"output y = requant(v, shift: 63);", "8:30 bad-parameter"},
        {"output y = requant(v, shift: 1, to: f32);", "8:37 bad-parameter"},
        {"output y = requant(v, shift: 1, to: 8);", "8:37 bad-parameter"},
        {"output y = requant(v, shift: 1, mul: v);", "8:38 bad-parameter"},
        {"output y = requant(v, shift: 1, mul: q);", "8:38 unknown-name"},
        {"output y = requant(v, shift: 1, mul: s);", "8:12 shape-mismatch"},
        {"output y = requant(v, shift: 1, mul: 2147483648);", "8:38 bad-parameter"},
        {"output y = requant(v);", "8:12 missing-parameter"},
        {"output y = reshape(v);", "8:12 missing-parameter"},
        {"output y = reshape(v, dims: [0, 6]);", "8:30 bad-parameter"},
        {"output y = reshape(v, dims: 6);", "8:29 bad-parameter"},
        {"output y = reshape(v, dims: [5]);", "8:12 shape-mismatch"},
        {"output y = relu(conv(x, m));", "8:17 shape-mismatch"},
        {"output y = conv(conv(x, w), w);", "8:12 type-mismatch"},
        {"output y = relu(1);", "8:17 syntax"},
        {"output y = relu(-1);", "8:17 syntax"},
        {"output y = relu(v;", "8:18 syntax"},
        {"output y = relu(v", "9:1 syntax"},
        {"output y relu(v);", "8:10 syntax"},
        {"output = relu(v);", "8:8 syntax"},
        {"output y = relu(v) output z = v;", "8:20 syntax"},
        {"output y = v; outptu z = relu(v);", "8:15 syntax"},
        {"input q; output y = v;", "8:8 syntax"},
        {"input q : 8; output y = v;", "8:11 syntax"},
        {"input q : f32[2]; output y = v;", "8:11 unknown-type"},
        {"input q : i8[]; output y = v;", "8:14 syntax"},
        {"input q : i8[2,]; output y = v;", "8:16 syntax"},
        {"input q : i8[0]; output y = v;", "8:14 bad-dimension"},
        {"input q : i8[2, -3]; output y = v;", "8:17 bad-dimension"},
        {"input q : i8[65536, 65536]; output y = v;", "8:11 too-large"},
        {"input q : i8[4294967296, 4294967296, 4294967296]; output y = v;", "8:11 too-large"},
        {"input q : i8[99999999999999999999]; output y = v;", "8:14 number-too-large"},
        {"input q : i8[9999999999999999999]; output y = v;", "8:14 number-too-large"},
        {"input q : i8[1x]; output y = v;", "8:14 syntax"},
        {"input q : i8[0x]; output y = v;", "8:14 syntax"},
        {"weight q : i8[2]; output y = v;", "8:8 missing-source"},
        {"weight q : i8[2] = zero; output y = v;", "8:20 syntax"},
        {"weight q : i8[2] = random(lo: 1); output y = v;", "8:27 syntax"},
        {"weight q : i8[2] = random(seed: 1, lo: 1); output y = v;", "8:41 syntax"},
        {"weight q : i8[2] = random(seed: -1); output y = v;", "8:33 syntax"},
        {"weight q : i8[2] = random(seed: 1, lo: 3, hi: 2); output y = v;", "8:20 bad-parameter"},
        {"weight q : i8[2] = random(seed: 1, lo: 0, hi: 128); output y = v;", "8:20 bad-parameter"},
        {"weight q : i8[2] = file(nope); output y = v;", "8:25 syntax"},
        {"weight q : i8[2] = file(\"no.bin\"); output y = v;", "8:20 file-missing"},
        {"weight q : i8[2] = file(\"no.bin); output y = v;", "8:25 unterminated-string"},
        {"output y = mm(flatten(v), m);", "8:12 shape-mismatch"},
        {"let z = relu(v);", "1:8 no-output"},
        {"output y = v; # what", "8:15 invalid-character"},
        {std::string("output y = v;\0", 14), "8:14 invalid-character"},
    };
    for (const Mistake& mistake : mistakes)
        EXPECT_THAT(placesOf(withValues(mistake.body)), ElementsAre(mistake.expected))
            << mistake.body;
}

TEST(ParserErrors, WholeFiles) {
    EXPECT_THAT(placesOf(""), ElementsAre("1:1 no-item"));
    EXPECT_THAT(placesOf("// nothing\n"), ElementsAre("1:1 no-item"));
    EXPECT_THAT(placesOf("desing d { }"), ElementsAre("1:1 syntax"));
    EXPECT_THAT(placesOf("design { }"), ElementsAre("1:8 syntax"));
    EXPECT_THAT(placesOf("design for { }"), ElementsAre("1:8 reserved-name"));
    EXPECT_THAT(placesOf("design d"), ElementsAre("1:9 syntax"));
    EXPECT_THAT(placesOf("design d {"), ElementsAre("1:11 syntax"));
    EXPECT_THAT(placesOf("design d { }"), ElementsAre("1:8 no-output"));
    EXPECT_THAT(placesOf("design d { input x : i8; output y = x; } }"), ElementsAre("1:42 syntax"));
    EXPECT_THAT(placesOf("stream s { }"), ElementsAre("1:8 no-output"));
    EXPECT_THAT(placesOf("memory m { for {"), ElementsAre("1:16 syntax", "1:17 syntax"));
    EXPECT_THAT(placesOf("design d { input x : i8; output y = x; }\n"
                         "design d { input x : i8; output y = x; }\n"),
                ElementsAre("2:8 duplicate-name"));
}

TEST(ParserErrors, TextThatIsNotUtf8) {
    EXPECT_THAT(placesOf("design é \xff"), Contains("1:10 invalid-utf8"));
    for (const char* bad : {"\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80",
                            "\xf5", "\xe2\x82"})
        EXPECT_THAT(placesOf(bad), Contains("1:1 invalid-utf8"));
    EXPECT_THAT(placesOf("\xef\xbb\xbf"
                         "design d { input x : i8; output y = x; }"),
                ::testing::IsEmpty());
}

TEST(ParserErrors, OneRunReportsSeveralMistakes) {
    EXPECT_THAT(placesOf("design d {\n"
                         "  input x : i8[0];\n"
                         "  inptu z : i8[2];\n"
                         "  weight w : i8[2];\n"
                         "  let a = relu(x;\n"
                         "  let b = add(a, z);\n"
                         "  let c = rleu(w)\n"
                         "  output y = add(b, q);\n"
                         "}\n"
                         "design e { output y = relu(k); }\n"),
                ElementsAre("2:16 bad-dimension", "3:3 syntax", "4:10 missing-source",
                            "5:17 syntax", "7:11 unknown-operator", "8:3 syntax",
                            "8:21 unknown-name", "10:28 unknown-name"));
}

TEST(ParserErrors, MessagesSayWhatWasExpectedAndHint) {
    const auto first = [](const std::string& body) {
        return format(parse(withValues(body), "test.mq").error()[0]);
    };
    EXPECT_EQ(first("output y = rleu(v);"),
              "test.mq:8:12: error: there is no operator 'rleu' [unknown-operator]\n"
              "  hint: did you mean 'relu'?\n");
    EXPECT_EQ(first("let tot = relu(v); output y = relu(tto);"),
              "test.mq:8:36: error: there is no value 'tto' here [unknown-name]\n"
              "  hint: did you mean 'tot'?\n");
    EXPECT_EQ(first("output y = conv(x, w, pda: 1);"),
              "test.mq:8:23: error: conv has no parameter 'pda' [bad-parameter]\n"
              "  hint: did you mean 'pad'?\n");
    EXPECT_EQ(first("output y = mv(m, x);"),
              "test.mq:8:12: error: mv expects a vector of shape N, but got i8[8, 8, 3] "
              "[shape-mismatch]\n"
              "  hint: flatten(…) makes a vector of it; the matrix comes first\n");
    EXPECT_EQ(first("outptu y = v;"),
              "test.mq:8:1: error: expected 'input', 'weight', 'let', 'output' or '}', but found "
              "'outptu' [syntax]\n"
              "  hint: did you mean 'output'?\n");
    EXPECT_THAT(first("output y = relu;"), HasSubstr("call it with its operands"));
}

TEST(ParserErrors, DeepNestingIsRefusedWithoutRecursion) {
    const auto nested = [](int depth) {
        std::string text = "v";
        for (int k = 0; k < depth; ++k)
            text = "relu(" + text + ")";
        return withValues("output y = " + text + ";");
    };
    EXPECT_THAT(placesOf(nested(kMaxDepth - 1)), ::testing::IsEmpty());
    EXPECT_THAT(placesOf(nested(kMaxDepth)), ElementsAre("8:1012 too-deep"));
    std::string huge = "design d { output y = ";
    for (int k = 0; k < 500000; ++k)
        huge += "relu(";
    EXPECT_THAT(placesOf(huge), Contains(HasSubstr("too-deep")));
}

TEST(ParserErrors, FloodsAreCut) {
    std::string text = "design d {\n";
    for (int k = 0; k < 1000; ++k)
        text += "let = 1;\n";
    const auto parsed = parse(text, "t.mq");
    ASSERT_FALSE(parsed.has_value());
    EXPECT_EQ(parsed.error().size(), 50U);
    EXPECT_THAT(parsed.error().back().notes, ElementsAre(HasSubstr("too many mistakes")));
}

TEST(ParserErrors, LargeFilesAreRefused) {
    const std::string text((std::size_t{16} << 20) + 1, ' ');
    EXPECT_THAT(placesOf(text), ElementsAre("1:1 file-too-large"));
}

TEST(ParserErrors, LongProgramsAreQuick) {
    std::string text = "design d { input x0 : i8[2];\n";
    for (int k = 1; k <= 20000; ++k)
        text += "let x" + std::to_string(k) + " = relu(x" + std::to_string(k - 1) + ");\n";
    text += "output y = x20000; }";
    EXPECT_EQ(programOf(text).values.size(), 20001U);
}

TEST(ParserErrors, WeightFilesAreLookedAt) {
    namespace fs = std::filesystem;
    const test::TemporaryFolder place;
    const fs::path folder = place.path() / "weight_files";
    fs::create_directories(folder);
    std::ofstream(folder / "three.bin", std::ios::binary) << "abc";
    const auto codeOf = [&](const std::string& source) {
        const auto parsed =
            parse("design d { weight w : i8[2] = file(\"" + source + "\"); output y = w; }",
                  (folder / "p.mq").string());
        return parsed ? std::string("none") : parsed.error()[0].code;
    };
    EXPECT_EQ(codeOf("three.bin"), "file-size");
    EXPECT_EQ(codeOf("../weight_files/three.bin"), "file-size");
    EXPECT_EQ(codeOf((folder / "three.bin").string()), "file-size");
    EXPECT_EQ(codeOf("."), "file-unreadable");
    EXPECT_EQ(codeOf("two.bin"), "file-missing");
    std::ofstream(folder / "two.bin", std::ios::binary) << "ab";
    EXPECT_EQ(codeOf("two.bin"), "none");
}

TEST(ParserErrors, FilesThatCannotBeRead) {
    EXPECT_EQ(parseFile("/no/such/file.mq").error()[0].code, "file-missing");
    EXPECT_EQ(parseFile(test::TemporaryFolder().string()).error()[0].code, "file-unreadable");
    EXPECT_EQ(parseFile("/dev/zero").error()[0].code, "file-unreadable");
}

} // namespace
} // namespace marquetry::frontend
