// A network that scales its results, from its text to hardware that was simulated.
#include "engine/artefact/design_artefact.h"
#include "engine/artefact/verify.h"
#include "engine/design/cycle_model.h"
#include "engine/design/verify.h"
#include "engine/design/write_back.h"
#include "engine/session/export_design.h"
#include "tests/session/buffers/explored.h"
#include "tests/session/buffers/synthesised_cells.h"
#include "tests/support/programs.h"
#include "tests/support/temporary_folder.h"

namespace marquetry::session {
namespace {

const char* const kNetwork = R"(design network {
  input x : i8[8, 8, 3] = random(seed: 1);
  weight w1 : i8[16, 3, 3, 3] = random(seed: 2);
  weight b1 : i32[16] = random(seed: 3, lo: -2000, hi: 2000);
  weight m1 : i32[16] = random(seed: 4, lo: 1000000, hi: 2000000);
  weight s1 : u8[16] = random(seed: 5, lo: 27, hi: 29);
  weight w2 : i8[16, 3, 3, 16] = random(seed: 6);
  weight b2 : i32[16] = random(seed: 7, lo: -2000, hi: 2000);
  weight w3 : i8[10, 64] = random(seed: 8);
  weight b3 : i32[10] = random(seed: 9, lo: -300, hi: 300);
  let a = clip(requant(add(conv(x, w1, pad: 1), b1), mul: m1, shift: s1, zero: -5, round: even),
               lo: -5, hi: 120);
  let c = requant(add(conv(a, w2, pad: 1), b2), mul: 1500000, shift: 30, zero: 2, round: even);
  let j = qadd(c, a, mul: [700000, 900000], add: 1234, shift: 20, zero: -3, round: even);
  let p = requant(avgpool(j, size: 4), mul: 262144, shift: 22, round: even);
  output y = requant(add(mv(w3, flatten(p)), b3), mul: 7654321, shift: 31, to: i8, round: even);
})";

/// The last convolution has kernels of one element, and one word of channels at 16 lanes.
const char* const kPointwise = R"(design pointwise {
  input x : i8[8, 8, 16] = random(seed: 1);
  weight w1 : i8[16, 3, 3, 16] = random(seed: 2);
  weight w2 : i8[32, 1, 1, 16] = random(seed: 6);
  weight b2 : i32[32] = random(seed: 7, lo: -2000, hi: 2000);
  let a = requant(conv(x, w1, pad: 1), mul: 1500000, shift: 30, zero: 2, round: even);
  output y = requant(add(conv(a, w2, stride: 4), b2), mul: 1700000, shift: 28, round: even);
})";

/// Factors and shifts per channel.
const char* const kChannels = R"(design network {
  input x : i8[8, 8, 8] = random(seed: 1);
  weight w : i8[16, 3, 3, 8] = random(seed: 2);
  weight b : i32[16] = random(seed: 3, lo: -2000, hi: 2000);
  weight m : i32[16] = random(seed: 4, lo: 1000000, hi: 1100000);
  weight s : u8[16] = random(seed: 5, lo: 27, hi: 29);
  output y = requant(add(conv(x, w, pad: 1), b), mul: m, shift: s, zero: -5, round: even);
})";

design::Design designOf(const std::string& text, const std::string& device, double dsp) {
    Settings settings;
    settings.device = device;
    settings.limits["dsp"] = dsp;
    const auto found = explore(test::programOf(text), settings, {});
    EXPECT_TRUE(found && found->extraction.design);
    return found && found->extraction.design ? *found->extraction.design : design::Design();
}

/// Explored, exported and simulated: the cycles predicted, and the results of the interpreter.
void expectBuilt(const std::string& text, const std::string& device, double dsp) {
    SCOPED_TRACE(device + " with " + std::to_string(dsp) + " DSP");
    const auto program = test::programOf(text);
    Settings settings;
    settings.device = device;
    settings.limits["dsp"] = dsp;
    const auto found = explore(program, settings, {});
    ASSERT_TRUE(found) << format(found.error());
    ASSERT_TRUE(found->extraction.design);
    const design::Design& design = *found->extraction.design;
    EXPECT_LE(design.resources.dsp, dsp);
    const Status status = design::verifyDesign(design, found->setup.device);
    EXPECT_TRUE(status) << (status ? "" : format(status.error()));
    ASSERT_TRUE(design.schedule) << design.notExportable;
    const auto request = makeExportRequest(design, *program, text, {});
    ASSERT_TRUE(request) << format(request.error());
    test::TemporaryFolder place;
    ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(*request), place / "export"));
    const auto opened = hdl::readExport(place / "export");
    ASSERT_TRUE(opened) << format(opened.error());
    const auto report =
        hdl::verifyArtefact(*opened, *program, {hdl::Simulator::Icarus, 2, 3, true});
    ASSERT_TRUE(report) << format(report.error());
    EXPECT_TRUE(report->pass);
    EXPECT_EQ(report->predictedCycles, design.cycles);
    EXPECT_EQ(report->cycles, std::vector<std::int64_t>(2, design.cycles));
}

} // namespace

/// Weights are one wide memory, and numbers per channel only what differs between channels.
TEST(ScaledNetwork, TakesTheBlocksThatSynthesisCounts) {
    const design::Design design = designOf(kChannels, "xc7z020", 12);
    const auto request = makeExportRequest(design, *test::programOf(kChannels), kChannels, {});
    ASSERT_TRUE(request) << format(request.error());
    test::TemporaryFolder place;
    ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(*request), place / "export"));
    const device::Resources made =
        synthesisedCells(place / "export/rtl", "read_verilog *.v; hierarchy -top network_top");
    EXPECT_EQ(design.resources.dsp, made.dsp);
    EXPECT_EQ(design.resources.bram, made.bram);
    const design::WriteBack& writeBack = *design.schedule->units.front().writeBack;
    const std::int64_t all = writeBack.lanes * writeBack.form.fieldBits();
    EXPECT_LT(design::numberBits(*design.schedule, design::UnitId{0}, *test::programOf(kChannels)),
              all)
        << "all factors have the same highest bits";
}

TEST(ScaledNetwork, IsBuiltAsPriced) {
    for (const double dsp : {60, 120, 220})
        expectBuilt(kNetwork, "xc7z020", dsp);
}

/// The pass that averages is the one that adds: nothing lies where it would read what to add.
TEST(ScaledNetwork, OnlyWhatIsAddedIsRead) {
    expectBuilt(R"(design added {
      input x : i8[8, 4, 8] = random(seed: 394);
      weight w : i8[2, 3, 3, 8] = random(seed: 1);
      let a = requant(conv(x, w, pad: [0, 2, 0, 2], stride: [1, 2]), mul: 1500000, shift: 30);
      let b = requant(avgpool(a, size: 1), mul: 1084843, shift: 24, zero: -18, round: down);
      output y = qadd(b, a, mul: [652885, -621777], add: 2129, shift: 20, zero: -3);
    })",
                "xc7z020", 200);
}

/// A few short reductions wait, so that one lane in four writes the results of all the others.
TEST(ScaledNetwork, ShortReductionsWait) {
    expectBuilt(kPointwise, "xc7z020", 140);
    const design::Design design = designOf(kPointwise, "xc7z020", 140);
    ASSERT_TRUE(design.schedule);
    std::vector<std::int64_t> waits;
    for (const design::Step& step : design.schedule->steps)
        if (const auto* compute = std::get_if<design::ComputeStep>(&step))
            waits.push_back(cost::reductionWait(design::callShape(*design.schedule, *compute)));
    ASSERT_EQ(waits.size(), 2U);
    EXPECT_EQ(waits[0], 0);
    EXPECT_GT(waits[1], 0);
}

} // namespace marquetry::session
