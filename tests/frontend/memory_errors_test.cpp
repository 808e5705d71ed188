// Mistakes in memory items: each with its place, code and what was expected.
#include "tests/frontend/parse_helpers.h"

#include <gmock/gmock.h>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Diagnostics of `body` in line 2 of a memory with an array a : i32[8, 8].
std::vector<std::string> places(const std::string& body) {
    return placesOf("memory m { array a : i32[8, 8];\n" + body + "\n}");
}

/// Diagnostics of `array a : …` in line 2.
std::vector<std::string> arrayPlaces(const std::string& array) {
    return placesOf("memory m {\n" + array + "\nfor i in 0 .. 4 { read a[i, i]; } }");
}

std::string message(const std::string& body) {
    const auto parsed = parse("memory m { array a : i32[8, 8];\n" + body + "\n}", "test.mq");
    return parsed ? "" : format(parsed.error());
}

TEST(MemoryErrors, Syntax) {
    EXPECT_THAT(placesOf("memory { }"), ElementsAre("1:8 syntax"));
    EXPECT_THAT(placesOf("memory m"), ElementsAre("1:9 syntax"));
    EXPECT_THAT(placesOf("memory m { for {"), ElementsAre("1:16 syntax", "1:17 syntax"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i, i] }"), ElementsAre("2:32 syntax"));
    EXPECT_THAT(places("for i in 0 .. 4 { raed a[i, i]; }"), ElementsAre("2:19 syntax"));
    EXPECT_THAT(places("for i in 0 4 { read a[i, i]; }"), ElementsAre("2:12 syntax"));
    EXPECT_THAT(places("for i of 0 .. 4 { read a[i, i]; }"), ElementsAre("2:7 syntax"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i + , i]; }"), ElementsAre("2:30 syntax"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[?row, i]; }"), ElementsAre("2:30 syntax"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i * j, i]; }"), ElementsAre("2:30 not-affine"));
    EXPECT_THAT(places("fro i in 0 .. 4 { }"), testing::Contains("2:1 syntax"));
    EXPECT_THAT(places("for in in 0 .. 4 { read a[0, 0]; }"), ElementsAre("2:5 reserved-name"));
}

TEST(MemoryErrors, LoopsDoNotNestInBraces) {
    EXPECT_THAT(message("for i in 0 .. 4 { for j in 0 .. 4 { read a[i, j]; } }"),
                HasSubstr("write the inner loop's range after a ','"));
}

TEST(MemoryErrors, Arrays) {
    EXPECT_THAT(placesOf("memory m { for i in 0 .. 4 { read a[i]; } }"),
                ElementsAre("1:8 no-array"));
    EXPECT_THAT(placesOf("memory m { array a : i8[4]; }"), ElementsAre("1:8 no-access"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 0];"), ElementsAre("2:18 bad-dimension"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, -8];"), ElementsAre("2:18 bad-dimension"));
    EXPECT_THAT(arrayPlaces("array a : i33[8, 8];"), ElementsAre("2:11 unknown-type"));
    EXPECT_THAT(arrayPlaces("array a : i32[65536, 65536];"), ElementsAre("2:11 too-large"));
    EXPECT_THAT(arrayPlaces("array a : i32;"), ElementsAre("2:14 syntax"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] ports 3;"), ElementsAre("2:27 bad-parameter"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8]; array b : i8[4];"),
                ElementsAre("2:22 duplicate-name"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] prots 1;"), testing::Contains("2:21 syntax"));
}

TEST(MemoryErrors, Directives) {
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank flat(4, 2, [1]);"),
                ElementsAre("2:21 rank-mismatch"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank flat(0, 2, [1, 2]);"),
                ElementsAre("2:31 bad-parameter"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank flat(4, 2, [1, -2]);"),
                ElementsAre("2:41 bad-parameter"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank hierarchical([2, 2], [1, 1, 1], [1, 1]);"),
                ElementsAre("2:21 rank-mismatch"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank cyclic(2, 2, [1, 1]);"),
                ElementsAre("2:26 syntax"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank xor([[1, 2], [4]]);"),
                ElementsAre("2:21 rank-mismatch"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank xor([[1, -2]]);"),
                ElementsAre("2:35 bad-parameter"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] copies 0;"), ElementsAre("2:28 bad-parameter"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] copies 2 copies 3;"),
                ElementsAre("2:37 duplicate-name"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank flat(2, 1, [1, 1]) bank flat(2, 1, [1, 1]);"),
                ElementsAre("2:45 duplicate-name"));
    EXPECT_THAT(
        arrayPlaces("array a : i32[8, 8] bank hierarchical([99999, 99999], [1, 1], [1, 1]);"),
        ElementsAre("2:21 too-large"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] bank flat(2, 2000000000, [1, 1]);"),
                ElementsAre("2:21 too-large"));
    EXPECT_THAT(arrayPlaces("array a : i32[8, 8] copies 65;"), ElementsAre("2:28 too-large"));
}

TEST(MemoryErrors, Loops) {
    EXPECT_THAT(places("for i in 4 .. 4 { read a[i, i]; }"), ElementsAre("2:10 bad-parameter"));
    EXPECT_THAT(places("for i in 4 .. 0 { read a[i, i]; }"), ElementsAre("2:10 bad-parameter"));
    EXPECT_THAT(places("for i in 0 .. 4 step 0 { read a[i, i]; }"),
                ElementsAre("2:22 bad-parameter"));
    EXPECT_THAT(places("for i in 0 .. 4 step -1 { read a[i, i]; }"),
                ElementsAre("2:22 bad-parameter"));
    EXPECT_THAT(places("for i in 0 .. 4 par 0 { read a[i, i]; }"),
                ElementsAre("2:21 bad-parameter"));
    EXPECT_THAT(places("for i in 0 .. 4, i in 0 .. 4 { read a[i, i]; }"),
                ElementsAre("2:18 duplicate-name"));
    EXPECT_THAT(places("for i in 0 .. 4000000000 { read a[i, i]; }"),
                ElementsAre("2:15 number-too-large"));
}

TEST(MemoryErrors, References) {
    EXPECT_THAT(places("for i in 0 .. 4 { read b[i, i]; }"), ElementsAre("2:24 unknown-name"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i]; }"), ElementsAre("2:24 rank-mismatch"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i, i, i]; }"), ElementsAre("2:24 rank-mismatch"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i, k]; }"), ElementsAre("2:29 unknown-name"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[?r(k), i]; }"), ElementsAre("2:29 unknown-name"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[?r(i), ?r()]; }"),
                ElementsAre("2:33 bad-parameter"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i, 9223372036854775807*i]; }"),
                ElementsAre("2:29 number-too-large"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i + 8, i]; }"), ElementsAre("2:24 never-inside"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[-1 - i, i]; }"), ElementsAre("2:24 never-inside"));
    // Each index is inside at times, never both.
    EXPECT_THAT(places("for i in 0 .. 16 { read a[i, i - 8]; }"), ElementsAre("2:25 never-inside"));
}

TEST(MemoryErrors, ManyLanes) {
    EXPECT_THAT(placesOf("memory m { array a : i32[2147483648];\n"
                         "for i in 0 .. 1000000 par 1000000 { read a[i]; } }"),
                ElementsAre("2:1 too-many-lanes"));
    EXPECT_THAT(placesOf("memory m { array a : i32[2147483648];\n"
                         "for i in 0 .. 2147483648 par 2147483648, j in 0 .. 2147483648 par "
                         "2147483648 { read a[i], a[j]; } }"),
                ElementsAre("2:1 too-many-lanes"));
}

TEST(MemoryErrors, TwoWritesToOneAddress) {
    EXPECT_THAT(places("for i in 0 .. 4 { write a[i, 2], a[2, i]; }"),
                ElementsAre("2:34 double-write"));
    EXPECT_THAT(places("for i in 0 .. 4 { write a[i, 2], a[i, 2]; }"),
                ElementsAre("2:34 double-write"));
    EXPECT_THAT(places("for i in 0 .. 4 par 2 { write a[0, 2]; }"),
                ElementsAre("2:31 double-write"));
    EXPECT_THAT(places("for i in 0 .. 4 par 2 { write a[?r(i), 2]; }"),
                ElementsAre("2:31 double-write"));
    EXPECT_THAT(places("for i in 0 .. 4 par 2 { write a[?r(i), i]; }"), IsEmpty());
    // However often a loop repeats it that the addresses do not depend on.
    EXPECT_THAT(places("for i in 0 .. 4, k in 0 .. 2147483647 { write a[i, 2], a[2, i]; }"),
                ElementsAre("2:56 double-write"));
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i, 2], a[2, i]; }"), IsEmpty());
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i, 2]; write a[i, 2]; }"), IsEmpty());
    const std::string text = message("for i in 0 .. 4 { write a[i, 2], a[2, i]; }");
    EXPECT_THAT(text, HasSubstr("two writes of one cycle to 'a[2, 2]'"));
    EXPECT_THAT(text, HasSubstr("note: 'a[i, 2]' at i = 2"));
}

TEST(MemoryErrors, SeveralMistakesInOneRun) {
    EXPECT_THAT(places("for i in 0 .. 4 { read a[i]; read a[i, q]; raed a; write b[0, 0]; }\n"
                       "for j in 4 .. 0 { read a[j, j]; }"),
                ElementsAre("2:24 rank-mismatch", "2:40 unknown-name", "2:44 syntax",
                            "2:58 unknown-name", "3:10 bad-parameter"));
}

} // namespace
} // namespace marquetry::frontend
