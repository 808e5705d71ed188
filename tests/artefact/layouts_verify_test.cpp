// Changes of layout as hardware: results and cycles in the simulators.
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_windows.h"

namespace marquetry {

using hdl::Simulator;
using test::TestDesign;

namespace {

class LayoutsVerified : public test::ExportTest {};

} // namespace

TEST_F(LayoutsVerified, InIcarus) {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        SCOPED_TRACE(test::randomLayoutsText(seed));
        expectExact(test::randomLayouts(seed), {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
}

// An encoder, a decoder and what they join, as U-Nets have it, between convolutions.
TEST_F(LayoutsVerified, BetweenConvolutionsInVerilator) {
    const TestDesign design = test::designOf(R"(design unet {
  input  x  : i8[8, 6, 5] = random(seed: 1);
  weight w0 : i8[12, 3, 3, 5] = random(seed: 2, lo: -20, hi: 20);
  weight w1 : i8[20, 3, 3, 12] = random(seed: 3, lo: -20, hi: 20);
  weight w2 : i8[7, 1, 1, 32] = random(seed: 4, lo: -20, hi: 20);
  weight w3 : i8[8, 1, 1, 20] = random(seed: 5, lo: -20, hi: 20);
  let    a  = relu(requant(conv(x, w0, pad: 1), shift: 8));
  let    b  = relu(requant(conv(maxpool(a, size: 2), w1, pad: 1), shift: 8));
  let    u  = concat(a, upsample(b, factor: 2), axis: 2);
  output y  = requant(conv(u, w2), shift: 9);
  output z  = depth_to_space(requant(conv(b, w3), shift: 8), block: 2);
})",
                                             16, 4);
    expectExact(design, {Simulator::Verilator, 3, 1, true});
}

} // namespace marquetry
