// Windows of pictures: every pixel of every window against loops over coordinates, at odd and even
// sizes, and the mistakes that can be made with them.
#include "tests/frontend/parse_helpers.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/oracles/window_pixels.h"

#include "engine/support/rng.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Size {
    std::int64_t rows;
    std::int64_t columns;
};

std::string picture(Size size, const std::string& pixel) {
    return "input x : Seq " + std::to_string(size.rows) + " (Seq " + std::to_string(size.columns) +
           " " + pixel + ");\n";
}

std::string windowText(Size size, Size window, const std::string& border) {
    return "stream s { " + picture(size, "i16") + "output y = window(" +
           std::to_string(window.rows) + ", " + std::to_string(window.columns) +
           ", border: " + border + ", x); }";
}

void expectWindows(Size size, Size window, const std::string& border, SplitMix64& random) {
    std::vector<std::int64_t> pixels;
    for (std::int64_t k = 0; k < size.rows * size.columns; ++k)
        pixels.push_back(random.range(-32768, 32767));
    const std::string text = windowText(size, window, border);
    const auto found = runStream(text, {pixels});
    const auto expected =
        test::windowPixels(pixels, {size.rows, size.columns}, window.rows, window.columns, border);
    ASSERT_EQ(found.size(), expected.size()) << text;
    for (std::size_t k = 0; k < found.size(); ++k)
        ASSERT_EQ(found[k], expected[k].value_or(kU)) << text << " word " << k;
}

TEST(StreamWindow, HoldsWhatLoopsFindAtEveryBorder) {
    SplitMix64 random(5);
    for (const std::string border : {"undefined", "zero", "clamp", "mirror", "-7"}) {
        for (std::int64_t rows = 1; rows <= 5; ++rows) {
            for (std::int64_t columns = 1; columns <= 5; ++columns) {
                for (const Size size :
                     {Size{rows, columns}, Size{rows + 1, columns + 2}, Size{7, 6}, Size{6, 9}})
                    expectWindows(size, {rows, columns}, border, random);
            }
        }
    }
}

TEST(StreamWindow, HasTheSizeThatIsAskedFor) {
    EXPECT_EQ(outputType(picture({4, 6}, "u8") + "output y = window(3, 2, border: zero, x);"),
              "Seq 4 Seq 6 Seq 3 Seq 2 u8");
    EXPECT_EQ(outputType("let K = 3; " + picture({4, 6}, "(u8, bit)") +
                         "output y = window(K, K + 1, x);"),
              "Seq 4 Seq 6 Seq 3 Seq 4 (u8, bit)");
}

TEST(StreamWindow, OfPairsHasZerosInBoth) {
    const auto words = runStream("stream s { " + picture({2, 2}, "(u8, i8)") +
                                     "output y = window(1, 2, border: zero, x); }",
                                 {{1, -1, 2, -2, 3, -3, 4, -4}});
    EXPECT_THAT(words, ElementsAre(0, 0, 1, -1, 1, -1, 2, -2, //
                                   0, 0, 3, -3, 3, -3, 4, -4));
}

TEST(StreamWindow, WithoutABorderIsUndefinedOutside) {
    const auto words = runStream(
        "stream s { " + picture({1, 3}, "u8") + "output y = window(1, 3, x); }", {{1, 2, 3}});
    EXPECT_THAT(words, ElementsAre(kU, 1, 2, 1, 2, 3, 2, 3, kU));
}

TEST(StreamWindow, ABorderMayBeANamedNumber) {
    const auto words = runStream("stream s { let FILL = 4 * 2; " + picture({1, 2}, "u8") +
                                     "output y = window(1, 2, border: FILL + 1, x); }",
                                 {{1, 2}});
    EXPECT_THAT(words, ElementsAre(9, 1, 1, 2));
}

TEST(StreamWindow, IsThereInFunctionsOverPictures) {
    const auto words = runStream("stream s { input x : Seq 2 Seq 1 Seq 2 u8; output y = map(fn p "
                                 "-> window(1, 2, border: clamp, p), x); }",
                                 {{1, 2, 3, 4}});
    EXPECT_THAT(words, ElementsAre(1, 1, 1, 2, 3, 3, 3, 4));
}

TEST(StreamWindow, TapsAreItsPixels) {
    const std::string body =
        "stream s { " + picture({3, 3}, "u8") +
        "let pixel = fn w -> tap(2, 0, w);\n"
        "output y = map(fn l -> unpartition(map(pixel, l)), window(3, 3, border: zero, x)); }";
    EXPECT_THAT(runStream(body, {iota(9)}), ElementsAre(0, 4, 5, 0, 7, 8, 0, 0, 0));
}

TEST(StreamWindow, PixelsHaveCoordinates) {
    const std::string text = "stream s { " + picture({2, 3}, "u8");
    EXPECT_THAT(runStream(text + "output y = pixel_x(x); }", {iota(6)}),
                ElementsAre(0, 1, 2, 0, 1, 2));
    EXPECT_THAT(runStream(text + "output y = pixel_y(x); }", {iota(6)}),
                ElementsAre(0, 0, 0, 1, 1, 1));
    EXPECT_EQ(outputType(picture({2, 3}, "u8") + "output y = pixel_y(x);"), "Seq 2 Seq 3 u16");
}

TEST(StreamWindow, SequencesAreShiftedBothWays) {
    const std::string text = "stream s { input x : Seq 4 u8; output y = shift(";
    EXPECT_THAT(runStream(text + "-1, x); }", {iota(4)}), ElementsAre(2, 3, 4, kU));
    EXPECT_THAT(runStream(text + "-4, x); }", {iota(4)}), ElementsAre(kU, kU, kU, kU));
    EXPECT_THAT(runStream(text + "-9, x); }", {iota(4)}), ElementsAre(kU, kU, kU, kU));
}

TEST(StreamWindow, NamesMayBeThoseOfAProgram) {
    EXPECT_EQ(outputType("input window : Seq 4 u8; let tap = shift(1, window); output y = tap;"),
              "Seq 4 u8");
}

// ---- mistakes ----

std::vector<std::string> windowPlaces(const std::string& body) {
    return placesOf("stream s { input p : Seq 4 (Seq 6 u8); input x : Seq 24 u8;\n" + body + "\n}");
}

std::string windowMessage(const std::string& body) {
    const auto parsed = parse(
        "stream s { input p : Seq 4 (Seq 6 u8); input x : Seq 24 u8;\n" + body + "\n}", "test.mq");
    return parsed ? "" : format(parsed.error());
}

TEST(StreamWindowErrors, LargerThanThePicture) {
    EXPECT_THAT(windowPlaces("output o = window(5, 3, border: zero, p);"),
                ElementsAre("2:12 bad-parameter"));
    EXPECT_THAT(windowMessage("output o = window(3, 7, border: zero, p);"),
                HasSubstr("a window of 3 x 7 is larger than its picture of 4 x 6"));
    EXPECT_THAT(windowPlaces("output o = window(0, 3, border: zero, p);"),
                ElementsAre("2:12 bad-parameter"));
    EXPECT_THAT(placesOf("stream s { input p : Seq 40 (Seq 60 u8);\n"
                         "output o = window(30, 20, border: zero, p); }"),
                ElementsAre("2:12 too-large"));
}

TEST(StreamWindowErrors, Borders) {
    EXPECT_THAT(windowPlaces("output o = window(3, 3, border: clmap, p);"),
                ElementsAre("2:33 bad-parameter"));
    EXPECT_THAT(windowMessage("output o = window(3, 3, border: clmap, p);"),
                HasSubstr("did you mean 'clamp'?"));
    EXPECT_THAT(windowPlaces("output o = window(3, 3, border: 256, p);"),
                ElementsAre("2:33 number-too-large"));
    EXPECT_THAT(windowPlaces("output o = window(3, 3, border: map(abs, x), p);"),
                ElementsAre("2:33 bad-parameter"));
    EXPECT_THAT(windowPlaces("output o = window(3, 3, bordr: zero, p);"),
                ElementsAre("2:25 unknown-parameter"));
    EXPECT_THAT(windowPlaces("output o = window(3, 3, border: zero, border: zero, p);"),
                ElementsAre("2:39 duplicate-name"));
    EXPECT_THAT(windowPlaces("output o = shift(3, border: zero, x);"),
                ElementsAre("2:21 unknown-parameter"));
    EXPECT_THAT(windowPlaces("output o = window(3, 3, border: , p);"), ElementsAre("2:33 syntax"));
    EXPECT_THAT(placesOf("stream s { input p : Seq 4 (Seq 6 (u8, u8));\n"
                         "output o = window(3, 3, border: 1, p); }"),
                ElementsAre("2:33 type-mismatch"));
}

TEST(StreamWindowErrors, NotAPicture) {
    EXPECT_THAT(windowPlaces("output o = window(3, 3, border: zero, x);"),
                ElementsAre("2:12 type-mismatch"));
    EXPECT_THAT(windowMessage("output o = window(3, 3, border: zero, x);"),
                HasSubstr("partition(rows, columns, x) makes one of a sequence"));
    EXPECT_THAT(windowPlaces("output o = window(3, 3, border: zero);"),
                ElementsAre("2:12 operand-count"));
    EXPECT_THAT(windowPlaces("output o = map(window, p);"), ElementsAre("2:16 type-mismatch"));
    EXPECT_THAT(windowPlaces("output o = pixel_x(x);"), ElementsAre("2:12 type-mismatch"));
}

TEST(StreamWindowErrors, Coordinates) {
    EXPECT_THAT(windowPlaces("output o = tap(4, 0, p);"), ElementsAre("2:12 bad-parameter"));
    EXPECT_THAT(windowMessage("output o = tap(0, 6, p);"),
                HasSubstr("there is no pixel (0, 6) in a window of 4 x 6"));
    EXPECT_THAT(windowPlaces("output o = tap(-1, 0, p);"), ElementsAre("2:12 bad-parameter"));
    EXPECT_THAT(placesOf("stream s { input p : Seq 2 (Seq 65537 u8);\noutput o = pixel_x(p); }"),
                ElementsAre("2:12 too-large"));
    EXPECT_THAT(windowPlaces("output o = shift(0, x);"), ElementsAre("2:12 bad-parameter"));
}

} // namespace
} // namespace marquetry::frontend
