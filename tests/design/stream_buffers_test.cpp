// The arrays of a stream's circuit: run through several turns of the ring, every read must find the
// element that the shift asks for.
#include "engine/design/stream_buffers.h"

#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/ir/printer.h"
#include "engine/spacetime/schedule.h"
#include "engine/support/rng.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace marquetry::design {
namespace {

using testing::ElementsAre;
using Numbers = std::vector<std::int64_t>;

/// Word of a reference at `x`, in a row-major array.
std::size_t wordAt(const ir::MemoryReference& reference, std::int64_t x, const ir::Shape& dims) {
    std::int64_t word = 0;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const std::int64_t at =
            reference.index[d].constant + reference.index[d].coefficients[0] * x;
        EXPECT_TRUE(at >= 0 && at < dims[d]) << reference.text << " at " << x;
        word = word * dims[d] + at;
    }
    return static_cast<std::size_t>(word);
}

/// Writes element numbers into the array and looks at those that are read: in each step those, and
/// only those, that lane − distance names and no lane brings in the same step.
void runRing(const ir::MemoryProgram& memory, std::int64_t lanes, const Numbers& distances) {
    std::vector<std::int64_t> array(static_cast<std::size_t>(memory.type.elements()), -1);
    std::int64_t next = 0;
    for (int turn = 0; turn < 3; ++turn) {
        for (const ir::MemoryNest& nest : memory.nests) {
            ASSERT_EQ(nest.loops.size(), 1U);
            const ir::MemoryLoop& loop = nest.loops[0];
            for (std::int64_t x = loop.begin; x < loop.end; x += loop.step, next += lanes) {
                std::set<std::int64_t> wanted;
                for (std::int64_t lane = 0; lane < lanes; ++lane)
                    for (const std::int64_t r : distances)
                        if (r > lane)
                            wanted.insert(next + lane - r);
                std::set<std::int64_t> found;
                for (const ir::MemoryReference& reference : nest.references)
                    if (!reference.write)
                        found.insert(array[wordAt(reference, x, memory.type.dims)]);
                if (next >= distances.back()) {
                    ASSERT_EQ(found, wanted) << ir::print(memory) << "element " << next;
                }
                std::int64_t lane = 0;
                for (const ir::MemoryReference& reference : nest.references)
                    if (reference.write)
                        array[wordAt(reference, x, memory.type.dims)] = next + lane++;
                ASSERT_EQ(lane, lanes);
            }
        }
    }
}

TEST(StreamBuffers, EveryReadOfARingFindsItsElement) {
    SplitMix64 rng(7);
    for (int round = 0; round < 400; ++round) {
        const std::int64_t lanes = rng.range(1, 6);
        std::set<std::int64_t> distances;
        const std::int64_t line = lanes * rng.range(1, 12);
        const std::int64_t count = rng.range(1, 8);
        for (std::int64_t k = 0; k < count; ++k)
            distances.insert(rng.range(0, 1) == 0 ? rng.range(1, 60)
                                                  : rng.range(1, 4) * line + rng.range(0, 2));
        const Numbers list(distances.begin(), distances.end());
        ASSERT_NO_FATAL_FAILURE(
            runRing(ringAccesses("v", ir::Scalar::I16, lanes, list), lanes, list))
            << "round " << round;
    }
}

TEST(StreamBuffers, LinesBecomeRows) {
    const auto dims = [](std::int64_t lanes, const Numbers& distances) {
        return ringAccesses("v", ir::Scalar::U8, lanes, distances).type.dims;
    };
    EXPECT_THAT(dims(1, {64, 128}), ElementsAre(2, 64));
    EXPECT_THAT(dims(1, {1, 2, 64, 65, 66, 128, 129, 130}), ElementsAre(3, 64)) << "a 3 x 3 window";
    EXPECT_THAT(dims(2, {63, 64, 65, 127, 128, 129}), ElementsAre(3, 64)) << "around the pixel";
    EXPECT_THAT(dims(1, {1, 2}), ElementsAre(2));
    EXPECT_THAT(dims(4, {1, 2}), ElementsAre(4)) << "whole clocks";
    EXPECT_THAT(dims(1, {64}), ElementsAre(64));
    EXPECT_THAT(dims(3, {64, 128}), ElementsAre(129)) << "a line of 64 is no whole clocks";
}

/// What is printed is an item of the language.
TEST(StreamBuffers, ARingParsesBack) {
    const ir::MemoryProgram ring = ringAccesses("k", ir::Scalar::U8, 2, {1, 2, 16, 17, 18});
    const auto parsed = frontend::parse(ir::print(ring), "ring.mq");
    ASSERT_TRUE(parsed) << format(parsed.error());
    ASSERT_EQ(parsed->memories.size(), 1U);
    EXPECT_EQ(ir::print(parsed->memories[0]), ir::print(ring));
}

/// The arrays of a stream at a number of clocks.
std::vector<ir::MemoryProgram> arraysOf(const std::string& text, std::int64_t clocks,
                                        const std::string& input = "x") {
    const auto parsed = frontend::parse(text, "stream.mq");
    EXPECT_TRUE(parsed) << format(parsed.error());
    const auto device = device::findDevice("xc7k160t");
    const auto found = spacetime::schedule(parsed->streams.at(0), clocks, *device, {});
    EXPECT_TRUE(found) << format(found.error());
    return streamBuffers(found->front[0].circuit, {input});
}

TEST(StreamBuffers, ShiftsOfOneValueReadOneArray) {
    const std::string text = "stream s { input x : Seq 64 u16; let a = shift(8, x);"
                             " let b = shift(8, shift(1, a)); output y ="
                             " map2(mul, map2(mul, x, a), b); }";
    const auto serial = arraysOf(text, 64);
    ASSERT_EQ(serial.size(), 1U);
    EXPECT_EQ(serial[0].name, "x");
    EXPECT_EQ(serial[0].type.scalar, ir::Scalar::U16);
    runRing(serial[0], 1, {8, 17});
    const auto parallel = arraysOf(text, 16);
    ASSERT_EQ(parallel.size(), 1U);
    runRing(parallel[0], 4, {8, 17});
    EXPECT_EQ(parallel[0].nests[0].references.size(), 12U) << "8 reads, 4 writes";
}

TEST(StreamBuffers, NothingIsKeptOfAStreamWithoutShifts) {
    EXPECT_TRUE(
        arraysOf("stream s { input x : Seq 8 u8; output y = map(fn v -> add(v, 1), x); }", 8)
            .empty());
}

TEST(StreamBuffers, NoTwoArraysShareAName) {
    const std::string form = "stream s { input NAME : Seq 16 u8; let a = shift(1, NAME);"
                             " let b = map2(add, NAME, a); output y = map2(add, b, shift(2, b)); }";
    const auto named = [&](const std::string& name) {
        std::string text = form;
        for (std::size_t at = 0; (at = text.find("NAME")) != std::string::npos;)
            text.replace(at, 4, name);
        return arraysOf(text, 16, name);
    };
    const auto plain = named("x");
    ASSERT_EQ(plain.size(), 2U);
    const auto clash = named(plain[1].name);
    ASSERT_EQ(clash.size(), 2U);
    EXPECT_NE(clash[0].name, clash[1].name);
}

} // namespace
} // namespace marquetry::design
