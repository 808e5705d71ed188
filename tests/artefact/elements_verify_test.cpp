// Functions of elements as hardware: results and cycles in the simulators.
#include "engine/design/cycle_model.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/random_elements.h"
#include "tests/lower_design/random_windows.h"

namespace marquetry {

namespace {

class ElementsVerified : public test::ExportTest {
protected:
    void expectVerified(const test::TestDesign& design, std::uint64_t seed) {
        const std::string folder =
            exportTo(design.program.name + "_" + std::to_string(seed), design);
        const hdl::VerifyReport report =
            verified(folder, design, {hdl::Simulator::Icarus, 2, seed, seed % 3 != 0});
        EXPECT_TRUE(report.pass);
        for (const auto& wrong : report.mismatches)
            ADD_FAILURE() << wrong.output << "[" << wrong.index << "]: expected " << wrong.expected
                          << ", got " << wrong.got;
        const std::int64_t predicted = design::predictCycles(design.schedule).total;
        EXPECT_EQ(report.cycles, std::vector<std::int64_t>(2, predicted));
    }
};

} // namespace

TEST_F(ElementsVerified, InIcarus) {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        SCOPED_TRACE(test::randomElementsText(seed));
        expectVerified(test::randomElements(seed), seed);
    }
}

// Tables that are inputs or made of them, of signed and unsigned numbers; what is looked up may be
// a weight.
TEST_F(ElementsVerified, StoredTablesInIcarus) {
    const std::string text = R"(design tables {
  input x : i4[3, 2, 13] = random(seed: 1);
  input z : u8[5, 1] = random(seed: 2);
  input s : i16[16] = random(seed: 3);
  input t : i8[256] = random(seed: 4);
  weight w : u2[2, 9] = random(seed: 5);
  output a = table(x, s);
  output b = table(z, t);
  output c = relu(table(requant(a, shift: 9), requant(t, shift: 1, to: u8)));
  output d = table(w, slice(t, axis: 0, from: 3, to: 7));
})";
    for (const std::int64_t lanes : {8, 16})
        expectVerified(test::designOf(text, lanes, 4), static_cast<std::uint64_t>(lanes));
}

// Along lines by words, along columns, by words that end within one, and by whole lines.
TEST_F(ElementsVerified, StencilsInIcarus) {
    const std::string text = R"(design stencils {
  input x : u8[5, 24] = random(seed: 1);
  input z : i8[5, 24] = random(seed: 2);
  weight k : i8[3] = random(seed: 3);
  let lines = requant(add(requant(conv1d_w(x, k, pad: 1), shift: 4), z), shift: 1, to: u8);
  let columns = requant(conv1d_h(lines, k, pad: 1), shift: 6, to: u8);
  let shorter = requant(conv1d_w(columns, k), shift: 6, to: u8);
  output y = conv1d_w(shorter, k, pad: 2);
})";
    for (const std::int64_t span : {1, 2, 3})
        expectVerified(test::designOf(text, 8, 4 * span - 3, span),
                       static_cast<std::uint64_t>(span));
}

} // namespace marquetry
