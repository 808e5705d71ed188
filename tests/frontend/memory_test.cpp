// `memory` items: what they are parsed to, and the lanes they unroll to.
#include "engine/ir/memory_lanes.h"
#include "engine/ir/printer.h"
#include "engine/support/limits.h"
#include "tests/frontend/parse_helpers.h"
#include "tests/support/places.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

namespace marquetry::frontend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ir::MemoryProgram memoryOf(const std::string& text) {
    const auto parsed = parse(text, "test.mq");
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : format(parsed.error()));
    if (!parsed || parsed->memories.empty())
        return {};
    return parsed->memories[0];
}

TEST(Memory, TheManualsExample) {
    const ir::MemoryProgram m =
        memoryOf("memory sobel {\n array a : i32[8, 8] ports 1;\n"
                 " for i in 0 .. 6, j in 0 .. 6 { read a[i, j], a[i, j+1], a[i + 2, 1*j + 2]; }\n"
                 " for t in 0 .. 6 { write a[?row(t), 1*t + 1]; }\n}\n");
    EXPECT_EQ(m.name, "sobel");
    EXPECT_EQ(m.array, "a");
    EXPECT_EQ(toString(m.type), "i32[8, 8]");
    ASSERT_EQ(m.nests.size(), 2U);
    ASSERT_EQ(m.nests[0].references.size(), 3U);
    EXPECT_EQ(m.nests[0].references[2].text, "a[i + 2, j + 2]");
    EXPECT_EQ(m.nests[1].references[0].text, "a[?row(t), t + 1]");
    EXPECT_TRUE(m.nests[1].references[0].write);
    const ir::UnrolledNest unrolled = unroll(m.nests[1]);
    ASSERT_EQ(unrolled.generators.size(), 2U);
    EXPECT_TRUE(unrolled.generators[1].unknown());
    EXPECT_THAT(unrolled.lanes[0].matrix, ElementsAre(ElementsAre(0, 1), ElementsAre(1, 0)));
    EXPECT_THAT(unrolled.lanes[0].offset, ElementsAre(0, 1));
}

/// Everything that accesses depend on, in one line per nest.
std::vector<std::string> accessesOf(const ir::MemoryProgram& program) {
    std::vector<std::string> nests = {toString(program.type) + std::to_string(program.ports)};
    for (const ir::MemoryNest& nest : program.nests) {
        std::ostringstream text;
        for (const ir::MemoryLane& lane : unroll(nest).lanes)
            text << nest.references[lane.reference].write << testing::PrintToString(lane.matrix)
                 << testing::PrintToString(lane.offset) << testing::PrintToString(lane.trips);
        nests.push_back(text.str());
    }
    return nests;
}

TEST(Memory, WhatIsPrintedParsesBack) {
    std::ifstream file(test::sourceFolder() + "/examples/memories/memories.mq");
    const std::string examples{std::istreambuf_iterator<char>(file), {}};
    const auto parsed = parse(
        examples + "memory pinned { array b : u8[64, 8] ports 2 bank flat(5, 2, [1, 3]) copies 2;"
                   " for i in 3 .. 20 step 2 par 4, j in 0 .. 8 {"
                   " read b[-i + 40, j], b[?row(i), 2*j - 3]; write b[i, ?all()]; } }"
                   "memory bounds { array c : i8[9, 9]; for i in 0 .. 9 par 3, j in 1 .. 2*i + 1"
                   " step 2, k in 0 .. ?n(i, j) - i par 2 { read c[j, k], c[i, k]; } }"
                   "memory factors { array b : i8[8, 9] bank hierarchical([2, 3], [1, 2], [1, 4]);"
                   " for i in 0 .. 8 { read b[i, i + 1]; } }"
                   "memory bits { array b : i8[8, 9] bank xor([[5, 1], [2, 8]]) copies 2;"
                   " for i in 0 .. 8 { read b[i, i + 1]; } }",
        "test.mq");
    ASSERT_TRUE(parsed) << format(parsed.error());
    ASSERT_GT(parsed->memories.size(), 20U);
    for (const ir::MemoryProgram& program : parsed->memories) {
        const std::string text = ir::print(program);
        const ir::MemoryProgram back = memoryOf(text);
        EXPECT_EQ(accessesOf(back), accessesOf(program)) << text;
        EXPECT_EQ(back.directive.maps, program.directive.maps) << text;
        EXPECT_EQ(back.directive.copies, program.directive.copies) << text;
    }
}

TEST(Memory, AffineForms) {
    const ir::MemoryProgram m =
        memoryOf("memory m { array a : u8[40, 40]; for i in 1 .. 4, j in 0 "
                 ".. 3 { read a[-2 + 3*i - j*1 + 2, 0x10 - 2 * i + i]; } }");
    EXPECT_EQ(m.nests[0].references[0].text, "a[3*i - j, -i + 16]");
    EXPECT_EQ(m.ports, 1);
}

TEST(Memory, ParallelLanesShareTheCounters) {
    const ir::MemoryProgram m =
        memoryOf("memory m { array a : u8[64]; for i in 3 .. 20 step 2 par 4 { read a[i]; } }");
    const ir::UnrolledNest unrolled = unroll(m.nests[0]);
    // 9 values of i in 4 lanes: 3, 5, 7, 9 | 11, 13, 15, 17 | 19.
    EXPECT_EQ(unrolled.generators[0].trips, 3);
    std::vector<std::int64_t> trips;
    std::vector<std::int64_t> offsets;
    for (const ir::MemoryLane& lane : unrolled.lanes) {
        EXPECT_THAT(lane.matrix, ElementsAre(ElementsAre(8)));
        trips.push_back(lane.trips[0]);
        offsets.push_back(lane.offset[0]);
    }
    EXPECT_THAT(trips, ElementsAre(3, 2, 2, 2));
    EXPECT_THAT(offsets, ElementsAre(3, 5, 7, 9));
}

TEST(Memory, UnknownValuesAreSharedByTheirIterators) {
    const ir::MemoryProgram m =
        memoryOf("memory m { array a : u8[64, 8]; for i in 0 .. 4 par 2, j in 0 .. 4 par 2 {"
                 " read a[?row(i), j], a[?all(), i]; } }");
    const ir::UnrolledNest unrolled = unroll(m.nests[0]);
    ASSERT_EQ(unrolled.lanes.size(), 8U);
    ASSERT_EQ(unrolled.generators.size(), 5U); // i, j, ?row in two lanes of i, ?all
    EXPECT_EQ(unrolled.lanes[0].matrix[0], unrolled.lanes[1].matrix[0]);
    EXPECT_NE(unrolled.lanes[0].matrix[0], unrolled.lanes[2].matrix[0]);
    EXPECT_EQ(unrolled.lanes[4].matrix[0], unrolled.lanes[7].matrix[0]);
}

TEST(Memory, Directives) {
    const ir::MemoryProgram m =
        memoryOf("memory m { array a : i8[8, 9] ports 2 bank hierarchical([2, 3], [1, 2], [1, 4]) "
                 "copies 2; for i in 0 .. 8 { read a[i, 0]; } }");
    EXPECT_EQ(m.ports, 2);
    EXPECT_EQ(m.directive.copies, 2);
    EXPECT_THAT(m.directive.maps,
                ElementsAre(ir::FlatMap{{1, 0}, 1, 2}, ir::FlatMap{{0, 4}, 2, 3}));
    const ir::MemoryProgram flat = memoryOf("memory m { array a : i8[8, 9] bank flat(4, 2, [1, "
                                            "3]); for i in 0 .. 8 { read a[i, 0]; } }");
    EXPECT_THAT(flat.directive.maps, ElementsAre(ir::FlatMap{{1, 3}, 2, 4}));
    const ir::MemoryProgram bits = memoryOf("memory m { array a : i8[8, 9] bank xor([[5, 1], [2, "
                                            "8]]); for i in 0 .. 8 { read a[i, 0]; } }");
    EXPECT_THAT(bits.directive.maps, ElementsAre(ir::parityMap({5, 1}), ir::parityMap({2, 8})));
    EXPECT_FALSE(flat.directive.hierarchical);
}

TEST(Memory, WideRangesMeanTheSame) {
    const ir::MemoryProgram m = memoryOf(
        "memory m { array a : i8[8]; for i in 2 .. 6 step 2000000000 par 1000000 { read a[i]; } }");
    EXPECT_EQ(m.nests[0].loops[0].step, 4);
    EXPECT_EQ(m.nests[0].loops[0].parallel, 1);
    EXPECT_EQ(unroll(m.nests[0]).lanes.size(), 1U);
}

TEST(Memory, TheLargestArray) {
    const ir::MemoryProgram m = memoryOf("memory m { array a : i8[2147483648]; for i in 0 .. "
                                         "2147483648 par 4 { read a[i]; } }");
    EXPECT_EQ(m.type.elements(), kMaxElements);
}

TEST(Memory, SelectedByName) {
    const std::string text = "memory m { array a : i8[8]; for i in 0 .. 8 { read a[i]; } }\n"
                             "design d { input x : i8; output y = relu(x); }\n"
                             "memory n { array a : i8[8]; for i in 0 .. 8 { read a[i]; } }\n";
    const auto parsed = parse(text, "test.mq");
    ASSERT_TRUE(parsed.has_value());
    EXPECT_THAT(parsed->order, ElementsAre(ItemKind::Memory, ItemKind::Design, ItemKind::Memory));
    EXPECT_EQ(selectedKind(*parsed, ""), ItemKind::Memory);
    EXPECT_EQ(selectedKind(*parsed, "d"), ItemKind::Design);
    EXPECT_EQ(selectMemory(*parsed, "")->name, "m");
    EXPECT_EQ(selectMemory(*parsed, "n")->name, "n");
    EXPECT_EQ(selectItem(*parsed, "")->name, "d");
    const auto none = selectMemory(*parsed, "mm");
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error()[0].code, "no-item");
    EXPECT_EQ(none.error()[0].hint, "did you mean 'm'?");
}

TEST(Memory, AccessesOutsideTheArrayAreCounted) {
    const std::string text = "memory m { array a : i8[5, 9]; for i in 0 .. 6 step 2, j in 0 .. 9 "
                             "step 3 {\n read a[i, j], a[i + 1, j + 2]; } }";
    EXPECT_THAT(placesOf(text), ElementsAre("2:16 sometimes-outside"));
    const auto parsed = parse(text, "test.mq");
    ASSERT_TRUE(parsed.has_value());
    EXPECT_THAT(parsed->warnings[0].message, testing::HasSubstr("in 3 of 9 cases"));
}

TEST(Memory, WritesThatAreTooManyToCompareAreSaid) {
    const auto loop = [](int rows) {
        return "memory m { array a : i8[4096, 4096];\n for i in 0 .. " + std::to_string(rows) +
               ", j in 0 .. 4096 { write a[i, j], a[4095 - i, 4095 - j]; } }";
    };
    EXPECT_THAT(placesOf(loop(512)), testing::IsEmpty());
    EXPECT_THAT(placesOf(loop(513)), ElementsAre("2:2 unchecked-writes"));
}

TEST(Memory, EndsOfRangesNameOuterIteratorsAndUnknownValues) {
    const ir::MemoryProgram m =
        memoryOf("memory m { array a : u8[16, 12]; for i in 2 .. 9 step 3, j in 0 .. 2*i + 1,"
                 " k in 1 .. ?n(i) + j par 4, l in 0 .. k { read a[j, k + 2], a[i, l]; } }");
    const std::vector<ir::MemoryLoop>& loops = m.nests[0].loops;
    EXPECT_FALSE(loops[0].bound);
    EXPECT_EQ(loops[1].end, 2 * 8 + 1) << "i is 2, 5 or 8";
    EXPECT_EQ(loops[3].end, 12) << "l is inside while it is at most 11";
    EXPECT_EQ(loops[2].end, 17) << "each lane of k is at 12 or beyond then: 13, 14, 15, 16";
    EXPECT_EQ(loops[2].parallel, 4);
    EXPECT_EQ(toString(loops[2], m.nests[0]), "k in 1 .. j + ?n(i) par 4");
}

/// The codes of what is wrong with a nest over a[8, 8].
std::vector<std::string> codesOf(const std::string& nest) {
    const auto parsed = parse("memory m { array a : i8[8, 8]; " + nest + " }", "test.mq");
    std::vector<std::string> codes;
    if (!parsed)
        for (const Diagnostic& error : parsed.error())
            codes.push_back(error.code);
    return codes;
}

TEST(Memory, EndsThatAreWrongAreRefused) {
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. j { read a[i, j]; }"),
                ElementsAre("inner-iterator"));
    EXPECT_THAT(codesOf("for i in 0 .. j, j in 0 .. 8 { read a[i, j]; }"),
                ElementsAre("inner-iterator"));
    EXPECT_THAT(codesOf("for i in 0 .. ?n(j), j in 0 .. 8 { read a[i, j]; }"),
                ElementsAre("inner-iterator"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. row { read a[i, j]; }"),
                ElementsAre("unknown-name"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 8 .. i { read a[i, j]; }"),
                ElementsAre("bad-parameter"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. i*i { read a[i, j]; }"),
                ElementsAre("not-affine"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. 3000000000 { read a[i, j]; }"),
                ElementsAre("number-too-large"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. ?n() { read a[?r(), j + ?s()]; }"),
                ElementsAre("open-end"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. ?n() step 2147483648 par 2147483648,"
                        " k in 0 .. j + 1 { read a[i, k]; }"),
                ElementsAre("open-end"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. { read a[i, j]; }"), ElementsAre("syntax"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. 2147483648*i { read a[i, j]; }"),
                ElementsAre("number-too-large"));
    EXPECT_THAT(codesOf("for i in 0 .. 8, j in 0 .. 9 - 1 { read a[i, j]; }"), ElementsAre());
    EXPECT_THAT(codesOf("for i in 0 .. 8 par 2, j in 0 .. ?n(i) { write a[0, j]; }"),
                ElementsAre("double-write"));
}

TEST(Memory, WritesOfUnknownPlacesAreComparedAsFarAsTheyAreBounded) {
    EXPECT_THAT(codesOf("for i in 0 .. 8 par 2, j in 0 .. i + 1 { write a[?r() + j, 0]; }"),
                ElementsAre("double-write"));
    EXPECT_THAT(placesOf("memory m { array a : i8[8];\n for i in 0 .. 8 par 2 "
                         "{ write a[?r(i) + ?s(i)]; } }"),
                ElementsAre("2:2 unchecked-writes"));
}

TEST(Memory, UnknownValuesHaveFactors) {
    const ir::MemoryProgram m = memoryOf("memory m { array a : u8[16]; for i in 0 .. 4, "
                                         "j in 0 .. ?n(i) + ?n(i) { read a[j]; } }");
    const std::string text = toString(m.nests[0].loops[1], m.nests[0]);
    EXPECT_EQ(text, "j in 0 .. 2*?n(i)");
    const ir::MemoryProgram again =
        memoryOf("memory m { array a : u8[16]; for i in 0 .. 4, " + text + " { read a[j]; } }");
    EXPECT_EQ(toString(again.nests[0].loops[1], again.nests[0]), text);
}

} // namespace
} // namespace marquetry::frontend
