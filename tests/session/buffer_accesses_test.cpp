// Buffers of a design as memories: their accesses against the schedule that the hardware runs, and
// their banks in a session.
#include "engine/design/buffer_accesses.h"
#include "engine/frontend/parser.h"
#include "engine/session/explore.h"
#include "tests/session/session_harness.h"
#include "tests/support/places.h"
#include "tests/support/programs.h"

#include <gmock/gmock.h>

#include <set>

namespace marquetry::session {
namespace {

using Address = std::vector<std::int64_t>;
using Cycles = std::multiset<std::set<Address>>; ///< addresses touched together, cycle by cycle

/// What a nest touches in each of its cycles, by running its loops.
Cycles cyclesOf(const ir::MemoryProgram& memory, const ir::MemoryNest& nest) {
    const ir::UnrolledNest unrolled = ir::unroll(nest);
    std::vector<std::int64_t> point(unrolled.generators.size());
    Cycles cycles;
    for (bool more = true; more;) {
        std::set<Address> touched;
        for (const ir::MemoryLane& lane : unrolled.lanes) {
            const Address x = ir::addressAt(lane, point);
            if (ir::isRunning(lane, point) && ir::isInside(x, memory.type.dims))
                touched.insert(x);
        }
        if (!touched.empty())
            cycles.insert(touched);
        std::size_t g = point.size();
        while (g > 0 && ++point[g - 1] == unrolled.generators[g - 1].trips)
            point[--g] = 0;
        more = g > 0;
    }
    return cycles;
}

Address addressOf(std::int64_t y, std::int64_t x, std::int64_t c, std::size_t rank) {
    return rank == 1 ? Address{c} : rank == 2 ? Address{x, c} : Address{y, x, c};
}

/// Elements of a word of a pixel that lie inside the tensor.
void addWord(const design::Schedule& schedule, const design::StoredTensor& tensor, std::size_t rank,
             ir::PerAxis at, std::int64_t word, std::set<Address>& touched) {
    if (at.vertical < 0 || at.vertical >= tensor.height || at.horizontal < 0 ||
        at.horizontal >= tensor.width)
        return;
    for (std::int64_t l = 0; l < schedule.lanes; ++l)
        if (const std::int64_t c = word * schedule.lanes + l; c < tensor.channels)
            touched.insert(addressOf(at.vertical, at.horizontal, c, rank));
}

/// The words a compute step reads, from the nest that schedule.h documents.
Cycles readBy(const design::Schedule& schedule, const design::ComputeStep& step, std::size_t rank) {
    const design::StoredTensor& tensor = schedule.tensor(step.input);
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    const auto& window = schedule.slot(tensor.slot).window;
    // A lane unit reads words of each pixel per block; others those of a row of the kernel.
    const bool lanes = unit.lanewise();
    const std::int64_t pixels = lanes ? 1 : step.kernel.horizontal;
    const std::int64_t words = lanes ? step.rowBlocks * unit.span : step.channelWords;
    const std::int64_t rows = window ? window->rows : 1;
    const std::int64_t span = window ? pixels * words : unit.span;
    Cycles cycles;
    for (std::int64_t y = 0; y < step.height; ++y)
        for (std::int64_t x = 0; x < step.width; ++x)
            for (std::int64_t ky = 0; ky < step.kernel.vertical; ky += rows)
                for (std::int64_t kx = 0; kx < (lanes ? step.kernel.horizontal : 1); ++kx)
                    for (std::int64_t from = 0; from < pixels * words; from += span) {
                        std::set<Address> touched;
                        for (std::int64_t r = ky; r < std::min(ky + rows, step.kernel.vertical);
                             ++r)
                            for (std::int64_t k = from; k < std::min(from + span, pixels * words);
                                 ++k)
                                addWord(schedule, tensor, rank,
                                        {y * step.stride.vertical + r - step.pad.vertical,
                                         x * step.stride.horizontal + kx + k / words -
                                             step.pad.horizontal},
                                        k % words, touched);
                        if (!touched.empty())
                            cycles.insert(touched);
                    }
    return cycles;
}

Cycles writtenBy(const design::Schedule& schedule, const design::ComputeStep& step,
                 std::size_t rank) {
    const design::StoredTensor& tensor = schedule.tensor(step.output);
    const std::int64_t rows = schedule.unit(step.unit).parallel;
    Cycles cycles;
    for (std::int64_t block = 0; block * rows < tensor.channels; ++block)
        for (std::int64_t y = 0; y < tensor.height; ++y)
            for (std::int64_t x = 0; x < tensor.width; ++x) {
                std::set<Address> touched;
                for (std::int64_t r = block * rows;
                     r < std::min(tensor.channels, (block + 1) * rows); ++r)
                    touched.insert(addressOf(y, x, r, rank));
                cycles.insert(touched);
            }
    return cycles;
}

Exploration explored(std::shared_ptr<const ir::Program> program) {
    Settings settings;
    settings.limits["dsp"] = 64;
    auto result = explore(std::move(program), settings, {});
    EXPECT_TRUE(result.has_value());
    return *std::move(result);
}

Exploration explored(const std::string& path) {
    auto parsed = frontend::parseFile(path);
    EXPECT_TRUE(parsed.has_value());
    auto program = frontend::selectItem(*std::move(parsed), "");
    EXPECT_TRUE(program.has_value());
    return explored(std::make_shared<const ir::Program>(*program));
}

/// Windows of every form, on units of every kind.
constexpr const char* kWindows = R"(design windows {
  input  x : i8[9, 8, 3] = random(seed: 1);
  weight w : i8[20, 4, 2, 3] = random(seed: 2);
  weight d : i8[20, 3, 5] = random(seed: 3);
  weight g : i8[10, 1, 3, 10] = random(seed: 4);
  let a = requant(conv(x, w, stride: [2, 1], pad: [2, 0, 1, 3], fill: -7), shift: 7);
  let b = requant(dwconv(a, d, stride: [1, 2], pad: [1, 4, 0, 2]), shift: 6);
  let c = maxpool(b, size: [2, 3], stride: 1, pad: [1, 0, 0, 1]);
  output y = requant(conv(c, g, groups: 2, pad: 2), shift: 7);
})";

TEST(BufferAccesses, AreThoseOfTheSchedule) {
    for (const std::string example :
         {"lenet5/lenet5.mq", "running_example/running_example.mq", "windows"}) {
        const Exploration done = example == "windows"
                                     ? explored(test::programOf(kWindows))
                                     : explored(test::sourceFolder() + "/examples/" + example);
        const auto& design = done.extraction.design;
        ASSERT_TRUE(design && design->schedule) << example;
        const design::Schedule& schedule = *design->schedule;
        const auto memories = design::bufferAccesses(*design, *done.program);
        EXPECT_EQ(memories.size(), schedule.tensors.size()) << example;
        for (const ir::MemoryProgram& memory : memories) {
            const auto tensor =
                std::ranges::find(schedule.tensors, memory.name, &design::StoredTensor::name);
            ASSERT_NE(tensor, schedule.tensors.end()) << memory.name;
            const std::size_t rank = memory.type.dims.size();
            std::vector<Cycles> expectedReads;
            for (const design::Step& step : schedule.steps) {
                const auto* compute = std::get_if<design::ComputeStep>(&step);
                if (compute && compute->output == tensor->id) {
                    EXPECT_EQ(cyclesOf(memory, memory.nests[0]),
                              writtenBy(schedule, *compute, rank))
                        << memory.name;
                }
                // A vector's reader may see it through a view: only its own shape is compared.
                if (compute && compute->input == tensor->id &&
                    (compute->kernel.area() > 1 || compute->height > 1))
                    expectedReads.push_back(readBy(schedule, *compute, rank));
            }
            for (const Cycles& expected : expectedReads)
                EXPECT_TRUE(std::any_of(
                    memory.nests.begin() + 1, memory.nests.end(),
                    [&](const ir::MemoryNest& nest) { return cyclesOf(memory, nest) == expected; }))
                    << memory.name;
        }
    }
}

TEST(BufferAccesses, AreAtTheSessionsHandAfterAnExploration) {
    Harness harness;
    const auto explored = harness.explored(512);
    ASSERT_TRUE(explored->design);
    ASSERT_EQ(explored->memories.size(), 3U) << "image, a and y";
    for (const MemoryItem& item : explored->memories) {
        EXPECT_TRUE(item.buffer);
        EXPECT_FALSE(item.plan) << "planned when looked at";
    }
    const auto shown = harness.settle(ShowMemory{"a"});
    const MemoryItem& item = shown->memories.at(shown->memory);
    ASSERT_EQ(item.program->name, "a");
    ASSERT_TRUE(item.plan) << format(item.failure);
    EXPECT_GE(item.plan->found.minBanks, shown->design->lanes);
    EXPECT_TRUE(item.plan->found.proved());
    EXPECT_EQ(shown->design, explored->design) << "looking changes nothing";
    SchemeName few{{ir::FlatMap{{0, 0, 1}, 1, 4}}, 1};
    const auto tried = harness.settle(TryBanks{"a", few});
    ASSERT_TRUE(tried->memories.at(tried->memory).attempt);
    EXPECT_TRUE(tried->memories.at(tried->memory).attempt->witness);
    for (const LogLine& line : tried->log)
        EXPECT_EQ(line.text.find("$ marquetry bank"), std::string::npos) << line.text;
}

} // namespace
} // namespace marquetry::session
