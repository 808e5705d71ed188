// Products of two activations, softmax and layernorm as hardware: results and cycles in the
// simulators.
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_products.h"
#include "tests/lower_design/random_windows.h"
#include "tests/support/cases.h"

namespace marquetry {

using hdl::Simulator;
using test::TestDesign;

namespace {

class ProductsVerified : public test::ExportTest {};

} // namespace

TEST_F(ProductsVerified, InIcarus) {
    const auto seeds = static_cast<std::uint64_t>(test::cases(5, 10));
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        SCOPED_TRACE(test::randomProductsText(seed));
        expectExact(test::randomProducts(seed), {Simulator::Icarus, 2, seed, seed % 3 != 0});
    }
}

// Kernels that are no weights: of groups, of channels with one result each and with two, and of
// filters along columns and along lines, by words and by whole lines that padding cuts.
TEST_F(ProductsVerified, HeldKernelsInIcarus) {
    const std::string text = R"(design held_kernels {
  input  x : i8[4, 5, 12] = random(seed: 1);
  input  g : i8[6, 2, 2, 6] = random(seed: 2);
  input  d : u8[12, 2, 3] = random(seed: 3);
  input  m : i8[24, 1, 2] = random(seed: 4);
  input  z : u8[5, 24] = random(seed: 5);
  input  f : i8[3] = random(seed: 6);
  weight w : i8[12, 2, 2] = random(seed: 7);
  let k = requant(f, shift: 1);
  output a = relu(conv(x, g, pad: 1, groups: 2));
  output b = requant(dwconv(x, d, pad: [1, 0, 0, 1]), shift: 5);
  output c = maxpool(requant(dwconv(requant(dwconv(x, w), shift: 6), m), shift: 6), size: 2);
  let lines = requant(conv1d_w(z, k, pad: 1), shift: 4, to: u8);
  let columns = requant(conv1d_h(lines, k, pad: 1), shift: 4, to: u8);
  let shorter = requant(conv1d_w(columns, k), shift: 4, to: u8);
  output e = conv1d_w(shorter, k, pad: 2);
})";
    std::vector<std::int64_t> rows = {3, 16, 1, 8};
    rows.resize(static_cast<std::size_t>(test::cases(2, 4)));
    for (const std::int64_t parallel : rows)
        expectExact(test::designOf(text, 8, parallel, parallel == 3 ? 2 : 1),
                    {Simulator::Icarus, 2, static_cast<std::uint64_t>(parallel), true});
}

// Rows of few elements begin before the results of those in front of them are made; sums of numbers
// of elements with many ones take long.
TEST_F(ProductsVerified, RowsOneBehindAnotherInIcarus) {
    std::string text = "design rows {\n";
    for (const int columns : {1, 3, 6, 31}) {
        const std::string n = std::to_string(columns);
        text += "  input x" + n + " : i8[5, " + n + "] = random(seed: " + n + ");\n";
        text += "  output s" + n + " = softmax(x" + n + ");\n";
        text += "  output n" + n + " = layernorm(x" + n + ", shift: 3, to: i16);\n";
    }
    expectExact(test::designOf(text + "}", 8, 1), {Simulator::Icarus, 2, 3, true});
}

// One head of two, with the rows of its scores as shares, and a layernorm behind it.
TEST_F(ProductsVerified, AnAttentionBlockInVerilator) {
    const TestDesign design = test::designOf(R"(design attention {
  input  x  : i8[6, 12] = random(seed: 1);
  weight wq : i8[12, 12] = random(seed: 2, lo: -30, hi: 30);
  weight wk : i8[12, 12] = random(seed: 3, lo: -30, hi: 30);
  weight wv : i8[12, 12] = random(seed: 4, lo: -30, hi: 30);
  let q  = permute(reshape(requant(mm(x, wq), shift: 7), dims: [6, 2, 6]), order: [1, 0, 2]);
  let k  = permute(reshape(requant(mm(x, wk), shift: 7), dims: [6, 2, 6]), order: [1, 0, 2]);
  let v  = permute(reshape(requant(mm(x, wv), shift: 7), dims: [6, 2, 6]), order: [1, 2, 0]);
  let s  = reshape(requant(bmm(q, k), shift: 8), dims: [12, 6]);
  let p  = reshape(requant(softmax(s), shift: 1), dims: [2, 6, 6]);
  let h  = requant(bmm(p, v), shift: 7);
  let c  = reshape(permute(h, order: [1, 0, 2]), dims: [6, 12]);
  let r  = requant(add(c, x), shift: 1);
  output y = layernorm(r, shift: 5);
})",
                                             8, 4);
    expectExact(design, {Simulator::Verilator, 3, 1, true});
}

} // namespace marquetry
