// Modules: what they print, and what it does in the tools.
#include "engine/rtl/check.h"
#include "engine/rtl/write.h"
#include "tests/rtl/rtl_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace marquetry::rtl {
namespace {

using test::lintOf;
using test::PortValues;
using test::simulateRows;
using test::synthesisOf;
using test::textOf;
using ::testing::HasSubstr;

/// Counts modulo 10 where it is enabled, from 3 on.
ModulePtr counter() {
    Module m("counter");
    m.comment("Counts \xe2\x86\x92 modulo 10.\x01");
    const Expr clock = m.input("aclk");
    const Expr reset = m.input("aresetn");
    const Expr enable = m.input("enable");
    const Expr count = m.outputRegister("count", bits(4));
    const Expr last = m.wire("last", count == 9);
    m.clocked(clock, [&](Block& b) {
        b.when(~reset, [&](Block& then) { then.set(count, constant(3, 4)); });
        b.orWhen(enable,
                 [&](Block& then) { then.set(count, choose(last, constant(0, 4), count + 1)); });
    });
    return finished(std::move(m));
}

TEST(Module, IsPrintedAsOneWouldWriteIt) {
    EXPECT_EQ(textOf(counter()), R"(// Counts ? modulo 10. 
module counter (
    input  wire aclk,
    input  wire aresetn,
    input  wire enable,
    output reg  [3:0] count
);
    wire last = count == 4'd9;
    always @(posedge aclk) begin
        if (!aresetn)
            count <= 4'd3;
        else if (enable)
            count <= last ? 4'd0 : (count + 4'd1);
    end
endmodule
)");
}

TEST(Module, CountsAsItSays) {
    std::vector<PortValues> rows = {{{"aresetn", 0}}};
    std::vector<std::uint64_t> expected = {3};
    std::mt19937 random(5);
    for (int k = 0; k < 60; ++k) {
        const std::uint64_t enable = random() % 3 != 0;
        rows.push_back({{"aresetn", 1}, {"enable", enable}});
        expected.push_back(enable != 0 ? (expected.back() + 1) % 10 : expected.back());
    }
    const auto seen = simulateRows(counter(), rows);
    ASSERT_EQ(seen.size(), expected.size());
    for (std::size_t k = 0; k < seen.size(); ++k)
        EXPECT_EQ(seen[k].at("count"), expected[k]) << k;
    EXPECT_EQ(lintOf(counter()), "");
    EXPECT_EQ(synthesisOf(counter(), "ice40", Vendor::Lattice), "");
}

/// y = sum of a_i * b_i over LANES signed elements, each sum one level of registers.
ModulePtr dotProduct() {
    Module m("dot");
    const Size lanes = m.parameter("LANES", 4);
    const Size a = m.parameter("A", 5);
    const Size b = m.parameter("B", 3);
    const Expr clock = m.input("aclk");
    const Expr x = m.input("x", bits(lanes * a));
    const Expr y = m.input("y", bits(lanes * b));
    const Expr products = m.outputRegister("products", bits(lanes * (a + b)));
    m.repeat("lane", lanes, [&](const Size& i) {
        const Expr left = m.wire("left", x.slice(i * a, a).asSigned());
        const Expr right = m.wire("right", y.slice(i * b, b).asSigned());
        m.clocked(clock, [&](Block& block) {
            block.set(products.slice(i * (a + b), a + b), product(left, right));
        });
    });
    return finished(std::move(m));
}

TEST(Module, RepeatsWithParameters) {
    Module top("top");
    const Expr clock = top.input("aclk");
    const Expr x = top.input("x", bits(18));
    const Expr y = top.input("y", bits(12));
    const Expr z = top.output("z", bits(30));
    top.instance(dotProduct(), "dot", {{"aclk", clock}, {"x", x}, {"y", y}, {"products", z}},
                 {{"LANES", 3}, {"A", 6}, {"B", 4}});
    const ModulePtr module = finished(std::move(top));
    std::mt19937_64 random(1);
    std::vector<PortValues> rows;
    for (int k = 0; k < 40; ++k)
        rows.push_back({{"x", random() & 0x3ffff}, {"y", random() & 0xfff}});
    const auto seen = simulateRows(module, rows);
    ASSERT_EQ(seen.size(), rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        std::uint64_t expected = 0;
        for (int lane = 0; lane < 3; ++lane) {
            const auto at = [&](const char* port, int width) {
                const auto low = rows[k].at(port) >> (lane * width) & ((1U << width) - 1);
                const auto value = static_cast<std::int64_t>(low);
                return value >= 1 << (width - 1) ? value - (1 << width) : value;
            };
            expected |= (static_cast<std::uint64_t>(at("x", 6) * at("y", 4)) & 0x3ff)
                        << (10 * lane);
        }
        EXPECT_EQ(seen[k].at("z"), expected) << k;
    }
    EXPECT_EQ(lintOf(module), "");
    EXPECT_EQ(synthesisOf(module, "xilinx -family xc7", Vendor::Xilinx), "");
    const std::string text = textOf(module);
    EXPECT_THAT(text, HasSubstr("dot #(.LANES(3), .A(6), .B(4)) dot_2 ("));
    EXPECT_THAT(text, HasSubstr("for (i = 0; i < LANES; i = i + 1) begin : lane"));
    EXPECT_THAT(text, HasSubstr("wire signed [A-1:0] left = $signed(x[A*i +: A]);"));
}

TEST(Module, NestsLoops) {
    Module m("transpose");
    const Size n = m.parameter("N", 3);
    const Expr x = m.input("x", bits(n * n));
    const Expr y = m.output("y", bits(n * n));
    m.repeat("row", n, [&](const Size& i) {
        m.repeat("column", n, [&](const Size& j) { m.assign(y.bit(j * n + i), x.bit(i * n + j)); });
    });
    const ModulePtr inner = finished(std::move(m));
    Module top("top");
    const Expr in = top.input("x", bits(16));
    const Expr out = top.output("y", bits(16));
    top.instance(inner, "transpose", {{"x", in}, {"y", out}}, {{"N", 4}});
    const ModulePtr module = finished(std::move(top));
    const auto seen = simulateRows(module, {{{"x", 0x0035}}, {{"x", 0x8421}}, {{"x", 0xf000}}});
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_EQ(seen[0].at("y"), 0x0123);
    EXPECT_EQ(seen[1].at("y"), 0x8421);
    EXPECT_EQ(seen[2].at("y"), 0x8888);
    EXPECT_EQ(lintOf(module), "");
    EXPECT_EQ(synthesisOf(module, "ecp5", Vendor::Lattice), "");
}

TEST(Module, SelectsAndCountsInBlocks) {
    Module m("select");
    const Expr op = m.input("op", bits(2));
    const Expr x = m.input("x", bits(8));
    const Expr y = m.outputRegister("y", bits(8));
    const Expr ones = m.outputRegister("ones", bits(4));
    m.combinational([&](Block& b) {
        b.set(ones, constant(0, 4));
        b.repeat("i", 8, [&](Block& each, const Size& i) {
            each.when(x.bit(i), [&](Block& then) { then.set(ones, ones + 1); });
        });
    });
    m.combinational([&](Block& b) {
        b.select(op,
                 {{0, [&](Block& c) { c.set(y, x); }},
                  {1, [&](Block& c) { c.set(y, ~x); }},
                  {2,
                   [&](Block& c) {
                       c.set(y.slice(0, 4), x.slice(4, 4));
                       c.set(y.slice(4, 4), x.slice(0, 4));
                   }}},
                 [&](Block& c) { c.set(y, zeros(8)); });
    });
    const ModulePtr module = finished(std::move(m));
    std::vector<PortValues> rows;
    for (std::uint64_t k = 0; k < 64; ++k)
        rows.push_back({{"op", k % 4}, {"x", k * 37 & 255}});
    const auto seen = simulateRows(module, rows);
    ASSERT_EQ(seen.size(), rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::uint64_t x8 = rows[k].at("x");
        const std::uint64_t expected[] = {x8, ~x8 & 255, x8 >> 4 | (x8 << 4 & 255), 0};
        EXPECT_EQ(seen[k].at("y"), expected[k % 4]);
        EXPECT_EQ(seen[k].at("ones"), static_cast<std::uint64_t>(__builtin_popcountll(x8)));
    }
    EXPECT_EQ(lintOf(module), "");
    EXPECT_EQ(synthesisOf(module, "ice40", Vendor::Lattice), "");
}

TEST(Module, PrintsAsciiInLinesThatCanBeRead) {
    Module m("long_lines");
    std::vector<Expr> parts;
    for (int k = 0; k < 30; ++k)
        parts.push_back(m.input("a_rather_long_name_" + std::to_string(k), bits(3)));
    m.note("a \"note\"\n of \xc3\xa9 two lines");
    m.assign(m.output("y", bits(90)), join(parts));
    const ModulePtr module = finished(std::move(m));
    const std::string text = textOf(module);
    std::size_t longest = 0;
    std::size_t from = 0;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', from)) {
        longest = std::max(longest, at - from);
        from = at + 1;
    }
    EXPECT_LE(longest, 100U);
    for (const char c : text)
        EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
    EXPECT_EQ(lintOf(module), "");
}

TEST(Module, IsTheSameTextEveryTime) {
    EXPECT_EQ(textOf(counter()), textOf(counter()));
    EXPECT_EQ(textOf(dotProduct()), textOf(dotProduct()));
}

TEST(Module, StopsWhereWidthsDisagree) {
    Module m("m");
    const Expr a = m.input("a", bits(8));
    const Expr y = m.output("y", bits(7));
    EXPECT_DEATH(m.assign(y, a), "one width");
    EXPECT_DEATH(m.instance(counter(), "c", {{"count", y}}), "every input is driven");
    EXPECT_DEATH(m.instance(counter(), "c", {{"cout", y}}), "");
    const Expr one = a.bit(0);
    EXPECT_DEATH(m.instance(counter(), "c",
                            {{"aclk", one}, {"aresetn", one}, {"enable", one}, {"count", y}}),
                 "a port is as wide");
    EXPECT_DEATH(m.clocked(one, [&](Block& b) { b.set(y, a); }), "one width");
    EXPECT_DEATH(m.combinational([&](Block& b) {
        b.select(a, {{0, [](Block&) {}}});
    }),
                 "every case");
}

// --- faults

TEST(Faults, AreNoneInSoundModules) {
    EXPECT_TRUE(faults(*counter()).empty());
    EXPECT_TRUE(faults(*dotProduct()).empty());
}

TEST(Faults, OfDriversAreFound) {
    Module m("m");
    const Expr clock = m.input("aclk");
    const Expr a = m.input("a", bits(8));
    const Expr twice = m.wire("twice", bits(8));
    const Expr halves = m.wire("halves", bits(8));
    const Expr never = m.wire("never", bits(8));
    const Expr assigned = m.reg("assigned", bits(8));
    const Expr shared = m.reg("shared", bits(8));
    m.assign(twice, a);
    m.assign(twice.slice(2, 3), a.slice(0, 3));
    m.assign(halves.slice(0, 4), a.slice(4, 4));
    m.assign(halves.slice(4, 4), a.slice(0, 4));
    m.assign(assigned, a);
    m.assign(a, twice);
    m.clocked(clock, [&](Block& b) { b.set(shared, a); });
    m.clocked(clock, [&](Block& b) {
        b.set(shared, halves);
        b.set(never, a);
    });
    const auto found = faults(*finished(std::move(m)));
    EXPECT_THAT(found, ::testing::UnorderedElementsAre(
                           "twice has two drivers", "assigned is a register and assigned",
                           "a is an input and is driven", "shared is set by two blocks",
                           "never is a wire and set by a block"));
}

TEST(Faults, OfPlacesAreFound) {
    Module other("other");
    const Expr foreign = other.input("foreign");
    Module m("m");
    const Expr x = m.input("x", bits(4));
    Expr inside;
    Size outer;
    m.repeat("each", 4, [&](const Size& i) {
        inside = m.wire("inside", ~x.bit(i));
        outer = i;
    });
    m.wire("w1", inside);
    m.wire("w2", x.bit(outer));
    m.wire("w3", foreign);
    m.wire("w4", product(x, x).repeated(2));
    (void)m.wire("open", bits(2));
    const auto found = faults(*finished(std::move(m)));
    EXPECT_THAT(found, ::testing::ElementsAre("inside is used before or outside its declaration",
                                              "i is used where it has no value",
                                              "foreign is used before or outside its declaration",
                                              "a product is inside another expression",
                                              "open has no driver"));
}

TEST(Faults, StopTheWriter) {
    Module m("m");
    (void)m.output("y");
    const ModulePtr module = finished(std::move(m));
    EXPECT_DEATH((void)textOf(module), "sound modules");
}

} // namespace
} // namespace marquetry::rtl
