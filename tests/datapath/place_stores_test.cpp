// What is stored for lines: each element once, where the fewest bits are.
#include "engine/datapath/place_stores.h"
#include "engine/datapath/rematerialise.h"
#include "engine/datapath/store_plan.h"
#include "engine/datapath/word_widths.h"
#include "engine/lower_stream/stream_kernel.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/lower_stream/random_lines.h"
#include "tests/spacetime/schedule_helpers.h"

#include <gtest/gtest.h>

namespace marquetry::test {
namespace {

using datapath::Datapath;

/// Bits side by side in the lines of a pipeline at one element per clock.
int lineBits(const std::string& text) {
    const ir::StreamProgram program = frontend::streamOf(text);
    rtl::ModuleLibrary library("kernel");
    const hdl::StreamKernel kernel = hdl::kernelModule(
        library, timed(designAt(program, {1, 1}).circuit), "kernel", {"in_0"}, "out_y");
    int bits = 0;
    for (const cost::KernelMemory& memory : kernel.parts.memories)
        bits += memory.bits;
    return bits;
}

const std::string kPixels = "stream s { input x : Seq 19200 i32;\n"
                            "let m = map(fn v -> lsr(lsl(v, 24), 24), x);\n";

TEST(PlaceStores, ADilationKeepsFourLinesOfPixels) {
    EXPECT_EQ(lineBits("stream s { input x : Seq 19200 u8;\n"
                       "let a = map2(max, x, shift(1920, x));\n"
                       "let b = map2(max, a, shift(3840, a));\n"
                       "output y = map2(max, b, shift(7680, x)); }"),
              4 * 8);
}

TEST(PlaceStores, CornersKeepPixelsNotProducts) {
    const std::string gradients =
        "let l = fn v -> shift(1920, v); let h = fn v -> shift(1, v);\n"
        "let soft = fn a b c -> map2(add, map2(fn p q -> add(p, lsl(q, 1)), a, b), c);\n"
        "let down = soft(m, l(m), l(l(m))); let side = soft(m, h(m), h(h(m)));\n"
        "let gx = map2(sub, down, h(h(down))); let gy = map2(sub, side, l(l(side)));\n";
    const std::string sums =
        "let rows = fn v -> map2(add, map2(add, v, shift(1920, v)), shift(3840, v));\n"
        "output y = map2(tuple, rows(map2(mul, gx, gx)), rows(map2(mul, gx, gy))); }";
    EXPECT_EQ(lineBits(kPixels + gradients + sums), 4 * 8);
}

TEST(PlaceStores, WhatIsNarrowerThanItsOperandsIsStored) {
    // Four bits of each pixel, clipped, and not the pixel.
    EXPECT_EQ(lineBits(kPixels + "let s = map(fn v -> min(v, 15), m);\n"
                                 "output y = map2(sub, s, shift(1920, s)); }"),
              4);
}

TEST(PlaceStores, IsNeverHeavierThanWhatIsComputedAgainStepByStep) {
    std::size_t lighter = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const RandomLines random(seed);
        const auto circuit = designAt(frontend::streamOf(random.text()), {1, 1}).circuit;
        auto before = datapath::lowerDatapath(circuit);
        ASSERT_TRUE(before);
        datapath::fitWidths(*before);
        Datapath placed = *before;
        datapath::placeStores(placed);
        datapath::rematerialise(*before);
        EXPECT_LE(weightOf(placed), weightOf(*before)) << random.text();
        lighter += weightOf(placed) < weightOf(*before) ? 1 : 0;
    }
    EXPECT_GT(lighter, 10U);
}

} // namespace
} // namespace marquetry::test
