// Schedules: throughputs, types, areas of known programs, meaning.
#include "engine/spacetime/match_delays.h"
#include "tests/spacetime/schedule_helpers.h"

#include <gmock/gmock.h>

#include <cmath>

namespace marquetry::spacetime {
namespace {

using testing::HasSubstr;

StreamSchedule scheduledIn(const ir::StreamProgram& program, Throughput t) {
    const auto clocks = clocksFor(program, t);
    EXPECT_TRUE(clocks) << format(clocks.error());
    const auto found = schedule(program, clocks ? *clocks : 1, kintex(), {});
    EXPECT_TRUE(found) << format(found.error());
    return found ? *found : StreamSchedule();
}

StreamSchedule scheduledIn(const std::string& text, Throughput t) {
    return scheduledIn(frontend::streamOf(text), t);
}

std::string codeOf(const std::string& text, Throughput t) {
    const ir::StreamProgram program = frontend::streamOf(text);
    const auto clocks = clocksFor(program, t);
    if (!clocks)
        return clocks.error()[0].code;
    const auto found = schedule(program, *clocks, kintex(), {});
    return found ? "" : found.error()[0].code;
}

/// The published convolution of `pixels` pixels in rows of `width`.
std::string conv(const std::string& type, int width, int pixels) {
    const std::string n = std::to_string(pixels);
    const std::string w = std::to_string(width);
    return "stream conv { input x : Seq " + n + " " + type + ";\n" +
           "let win = fn a b c -> map(tuple_to_seq, partition(" + n +
           ", 1, map2(append, map2(stuple, a, b), c)));\n"
           "let row = fn p -> win(shift(1, shift(1, p)), shift(1, p), p);\n"
           "let window = fn p -> win(row(shift(" +
           w + ", shift(" + w + ", p))), row(shift(" + w +
           ", p)), row(p));\n"
           "let kernel = fn w -> map(fn s -> map(fn v -> div(v, 8), s), reduce(assoc fn a b -> "
           "map2(add, a, b), map(fn r -> reduce(add, r), map2(fn r c -> map2(mul, r, c), w, "
           "const([[1, 2, 1], [2, 4, 2], [1, 2, 1]] : Seq 3 Seq 3 " +
           type +
           ")))));\n"
           "output y = unpartition(unpartition(map(kernel, window(x)))); }\n";
}

const char* const kMap = "stream m { input x : Seq 200 u8; output y = map(fn v -> add(v, 5), x); }";

TEST(Schedule, AMapIsOneAdderForEachLane) {
    for (const std::int64_t t : {1, 2, 4, 5, 8, 10, 20, 40, 200}) {
        const StreamSchedule found = scheduledIn(kMap, {t, 1});
        EXPECT_EQ(found.clocks, 200 / t);
        EXPECT_EQ(found.front[0].area, (device::Resources{0, 8.0 * static_cast<double>(t), 0, 0}));
        EXPECT_EQ(found.front[0].delay, 0);
    }
}

TEST(Schedule, TheSixTypesOfThePaperAreCandidates) {
    const StreamSchedule found = scheduledIn(
        "stream m { input x : Seq 8 u8; output y = map(fn v -> add(v, 5), x); }", {1, 3});
    EXPECT_EQ(found.clocks, 24);
    EXPECT_EQ(found.outputTypes.size(), 6U);
}

TEST(Schedule, TheConvolutionMeansWhatItSays) {
    const ir::StreamProgram program = frontend::streamOf(conv("u8", 4, 16));
    double atOne = 0;
    for (const Throughput t : {Throughput{1, 1}, {1, 9}, {1, 3}, {2, 1}, {4, 1}, {8, 1}, {16, 1}}) {
        const StreamSchedule found = scheduledIn(program, t);
        for (const StreamDesign& design : found.front)
            expectMeaning(program, design, 1);
        EXPECT_EQ(found.front[0].area.dsp, 0) << "products with constants are sums";
        atOne = t == Throughput{1, 1} ? found.front[0].area.lut : atOne;
        if (t.clocks > 1) {
            EXPECT_LE(found.front[0].area.lut, atOne) << "1/" << t.clocks;
        }
    }
}

TEST(Schedule, AWholeFrameHasItsLinesInBlockRam) {
    const ir::StreamProgram program = frontend::streamOf(conv("u32", 1920, 1920 * 1080));
    for (const auto& [t, blocks] : {std::pair<std::int64_t, double>{1, 4}, {2, 4}, {4, 4}}) {
        const StreamSchedule found = scheduledIn(program, {t, 1});
        const StreamDesign& design = found.front[0];
        EXPECT_EQ(design.area.bram, blocks) << t;
        EXPECT_EQ(design.area.dsp, 0) << t;
        EXPECT_TRUE(check(design.circuit));
        EXPECT_EQ(*delay(design.circuit, DelayModel::Ours), design.delay);
    }
}

TEST(Schedule, ADotProductSharesItsMultiplier) {
    const std::string dot = "stream dot { input a : Seq 16 u16; input b : Seq 16 u16;\n"
                            "output y = reduce(add, map2(mul, a, b)); }";
    const ir::StreamProgram program = frontend::streamOf(dot);
    for (const auto& [clocks, products] :
         {std::pair<std::int64_t, double>{1, 16}, {2, 8}, {4, 4}, {16, 1}, {32, 1}}) {
        const StreamSchedule found = scheduledIn(program, {1, clocks});
        EXPECT_EQ(found.front[0].area.dsp, products) << clocks;
        expectMeaning(program, found.front[0], 5);
    }
}

TEST(Schedule, AReduceWithAProductWaitsForEach) {
    // A product of bytes takes a clock: three levels of a tree of eight, or elements two apart.
    const ir::StreamProgram program =
        frontend::streamOf("stream s { input x : Seq 8 u8; output y = reduce(mul, x); }");
    struct Point {
        std::int64_t clocks;
        double products;
        std::int64_t delay;
    };
    constexpr double kLutsOfAProduct = 56;
    for (const Point& point : {Point{1, 7, 4}, {16, 1, 16}, {24, 1, 16}}) {
        const auto found = schedule(program, point.clocks, kintex(), {});
        ASSERT_TRUE(found) << point.clocks;
        const StreamDesign& design = found->front[0];
        EXPECT_EQ(std::floor(design.area.lut / kLutsOfAProduct), point.products) << point.clocks;
        EXPECT_EQ(design.area.dsp, 0) << point.clocks;
        EXPECT_EQ(design.delay, point.delay) << point.clocks;
        for (const StreamDesign& each : found->front)
            expectMeaning(program, each, 5);
    }
    for (const int n : {2, 3, 5, 6, 7, 12}) {
        const ir::StreamProgram odd =
            frontend::streamOf("stream s { input x : Seq " + std::to_string(n) +
                               " u16; output y = reduce(assoc fn a b -> add(mul(a, b), 0), x); }");
        for (const std::int64_t clocks : {1, 2, 4, 12, 36}) {
            const auto found = schedule(odd, clocks, kintex(), {});
            ASSERT_TRUE(found) << n << " in " << clocks;
            expectMeaning(odd, found->front[0], 9);
        }
    }
}

TEST(Schedule, ValuesUsedTwiceAreComputedOnce) {
    const StreamSchedule found =
        scheduledIn("stream s { input x : Seq 4 u8; let f = fn p -> map(fn v -> mul(v, 5), p);\n"
                    "output y = map2(add, f(x), shift(1, f(x))); }",
                    {1, 1});
    EXPECT_EQ(found.front[0].area, (device::Resources{0, 16, 8, 0}));
}

TEST(Schedule, RegistersWaitWhereTheyAreFewest) {
    // Two users of the pair's first half wait for the product: the half waits once, before both.
    const std::string text = "stream s { input x : Seq 4 (u8, u8);\n"
                             "let f = fn p -> tuple(add(mul(snd(p), snd(p)), add(fst(p), 1)),\n"
                             "                      sub(mul(snd(p), snd(p)), lsl(fst(p), 1)));\n"
                             "output y = map(f, x); }";
    const ir::StreamProgram program = frontend::streamOf(text);
    const StreamSchedule found = scheduledIn(program, {1, 1});
    EXPECT_EQ(found.front[0].matching, (device::Resources{0, 0, 8, 0}));
    EXPECT_EQ(found.front[0].delay, 1);
    expectMeaning(program, found.front[0], 3);
}

TEST(Schedule, AllOfTheFrontIsSmallerSomewhere) {
    const StreamSchedule found = scheduledIn(conv("u32", 1920, 1920 * 1080), {16, 1});
    for (const StreamDesign& a : found.front) {
        for (const StreamDesign& b : found.front) {
            const device::Resources areaA = a.area + -1.0 * a.matching;
            const device::Resources areaB = b.area + -1.0 * b.matching;
            EXPECT_TRUE(&a == &b || !areaA.fits(areaB));
        }
        EXPECT_LE(sumOfFractions(found.front[0].area + -1.0 * found.front[0].matching, kintex()),
                  sumOfFractions(a.area + -1.0 * a.matching, kintex()));
    }
}

TEST(Schedule, SameInputSameDesign) {
    const StreamSchedule a = scheduledIn(conv("u8", 8, 64), {1, 3});
    const StreamSchedule b = scheduledIn(conv("u8", 8, 64), {1, 3});
    ASSERT_EQ(a.front.size(), b.front.size());
    EXPECT_EQ(a.states, b.states);
    for (std::size_t k = 0; k < a.front.size(); ++k) {
        EXPECT_EQ(a.front[k].area, b.front[k].area);
        EXPECT_EQ(a.front[k].circuit.nodes.size(), b.front[k].circuit.nodes.size());
    }
}

TEST(ScheduleErrors, ThroughputsThatAreNone) {
    for (const Throughput t : {Throughput{0, 1}, {-1, 1}, {1, 0}, {1, -3}})
        EXPECT_EQ(codeOf(kMap, t), "bad-throughput");
    EXPECT_EQ(codeOf(kMap, {1, std::int64_t{1} << 62}), "bad-throughput");
}

TEST(ScheduleErrors, ThroughputsThatNoTypeHas) {
    const ir::StreamProgram program = frontend::streamOf(kMap);
    const auto clocks = clocksFor(program, {3, 1});
    ASSERT_FALSE(clocks);
    EXPECT_EQ(clocks.error()[0].code, "infeasible-throughput");
    EXPECT_THAT(clocks.error()[0].message, HasSubstr("Seq 200 u8 has 3 elements per clock"));
    EXPECT_EQ(clocks.error()[0].hint,
              "the nearest are 40/13, 100/33, 200/67, 50/17 elements per clock");
    EXPECT_EQ(codeOf(kMap, {201, 1}), "infeasible-throughput");
}

TEST(ScheduleErrors, ProgramsThatCannotBeScheduled) {
    const std::string x = "stream s { input x : Seq 4 u8; ";
    // 2 048 lanes at most, and 4 clocks for a product before the next group can come.
    EXPECT_EQ(codeOf("stream s { input x : Seq 65536 u32; output y = reduce(mul, x); }", {1, 32}),
              "no-schedule");
    EXPECT_EQ(codeOf(x + "output y = x; output z = shift(1, x); }", {1, 1}), "several-outputs");
}

TEST(Schedule, AShiftBeyondTheEndStoresNothing) {
    for (const char* distance : {"4", "5", "2147483647"}) {
        const std::string text =
            std::string("stream s { input x : Seq 4 u8; output y = map(fn v -> "
                        "add(v, 1), shift(") +
            distance + ", x)); }";
        const ir::StreamProgram program = frontend::streamOf(text);
        for (const bool rewrite : {true, false}) {
            const algebra::Rewrites rewrites =
                rewrite ? algebra::Rewrites() : algebra::Rewrites::none();
            const auto found = schedule(program, 4, kintex(), {.rewrites = rewrites});
            ASSERT_TRUE(found);
            EXPECT_EQ(found->front[0].area.ff, 0);
            EXPECT_LE(found->front[0].area.lut, 8);
            expectMeaning(program, found->front[0], 11, rewrites);
        }
    }
}

TEST(ScheduleErrors, StopsWhenAsked) {
    const ir::StreamProgram program = frontend::streamOf(conv("u32", 1920, 1920 * 1080));
    std::stop_source source;
    source.request_stop();
    const auto cancelled = schedule(program, 3 * 1920 * 1080, kintex(), {}, source.get_token());
    EXPECT_EQ(cancelled.error()[0].code, "cancelled");
    const auto late = schedule(program, 3 * 1920 * 1080, kintex(), {.seconds = 1e-9});
    EXPECT_EQ(late.error()[0].code, "time-limit");
}

} // namespace
} // namespace marquetry::spacetime
