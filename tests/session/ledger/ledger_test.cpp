// The ledger of the example programs and of random ones, against an independent count; and small
// ones by hand.
#include "engine/design/cycle_model.h"
#include "engine/design/ledger_text.h"
#include "engine/design/make_ledger.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/session/explore.h"
#include "engine/support/json.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_products.h"
#include "tests/session/ledger/expected_ledger.h"
#include "tests/support/places.h"
#include "tests/support/programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry {
namespace {

using design::ClockPart;
using design::Ledger;
using test::EpilogueSpec;
using test::ScheduleBuilder;
using testing::HasSubstr;

struct LedgerCase {
    const char* program;
    const char* device;
    double dsp;
    bool joined = false;
    bool streams = false;
    bool throughput = false;
    friend void PrintTo(const LedgerCase& shown, std::ostream* out) {
        *out << shown.program << " on " << shown.device << " dsp=" << shown.dsp;
    }
};

session::Settings settingsOf(const LedgerCase& wanted) {
    session::Settings settings;
    settings.device = wanted.device;
    settings.limits["dsp"] = wanted.dsp;
    if (!wanted.joined)
        settings.without.emplace_back("overlap");
    if (!wanted.streams)
        settings.without.emplace_back("streams");
    if (wanted.throughput)
        settings.objective = design::Objective::Throughput;
    settings.maxIterations = 6;
    return settings;
}

std::shared_ptr<const ir::Program> exampleProgram(const std::string& example) {
    auto parsed = frontend::onnx::readProgramFile(test::sourceFolder() + "/examples/" + example);
    EXPECT_TRUE(parsed.has_value()) << example;
    auto program = frontend::selectItem(std::move(parsed->parsed), "");
    EXPECT_TRUE(program.has_value()) << example;
    return std::make_shared<const ir::Program>(*std::move(program));
}

/// Null where there is no design with a schedule.
std::optional<Ledger> expectedOf(const std::shared_ptr<const ir::Program>& program,
                                 const session::Settings& settings) {
    const auto explored = session::explore(program, settings, {});
    if (!explored || !explored->extraction.design || !explored->extraction.design->schedule)
        return std::nullopt;
    const design::Design& design = *explored->extraction.design;
    test::expectLedger(design, *program, explored->setup.device, explored->setup.limits);
    return design::makeLedger(design, explored->setup.device, explored->setup.limits);
}

class LedgerOfExamples : public ::testing::TestWithParam<LedgerCase> {};

TEST_P(LedgerOfExamples, AddsUpToTheDesign) {
    const auto ledger = expectedOf(exampleProgram(GetParam().program), settingsOf(GetParam()));
    ASSERT_TRUE(ledger.has_value());
    EXPECT_FALSE(ledger->layers.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Examples, LedgerOfExamples,
    ::testing::Values(LedgerCase{"running_example/running_example.mq", "arria10", 1518},
                      LedgerCase{"running_example/running_example.mq", "xc7z020", 16, true},
                      LedgerCase{"lenet5/lenet5.mq", "xc7z020", 64},
                      LedgerCase{"lenet5/lenet5.mq", "xc7z020", 64, true, true},
                      LedgerCase{"lenet5/lenet5.mq", "xc7z020", 32, true, false, true},
                      LedgerCase{"cnv/cnv.mq", "xc7z020", 220, false, false, true},
                      LedgerCase{"vgg_cifar/vgg_cifar.mq", "arria10", 1152},
                      LedgerCase{"vgg_cifar/vgg_cifar.mq", "xc7z020", 192, true},
                      LedgerCase{"vgg_cifar_block1/vgg_cifar_block1.mq", "arria10", 288},
                      LedgerCase{"skeleshare/stencil/stencil.mq", "arria10", 1152},
                      LedgerCase{"skeleshare/self_attention/self_attention.mq", "arria10", 1152},
                      LedgerCase{"splits/depthwise/depthwise.mq", "arria10", 64},
                      LedgerCase{"splits/mlp/mlp.mq", "arria10", 64},
                      LedgerCase{"splits/relu128/relu128.mq", "arria10", 64},
                      LedgerCase{"splits/residual/residual.mq", "arria10", 64, true},
                      LedgerCase{"networks/resnet8.onnx", "xc7z020", 220, true},
                      LedgerCase{"networks/ds_cnn.onnx", "xc7z020", 220},
                      LedgerCase{"networks/autoencoder.onnx", "xc7z020", 220, false, false, true},
                      LedgerCase{"networks/transformer.onnx", "xc7z020", 220, true},
                      LedgerCase{"networks/u_net.onnx", "xc7z020", 220}));

session::Settings drawnSettings(std::uint64_t seed) {
    SplitMix64 rng(seed + 77);
    session::Settings settings;
    const char* const devices[] = {"arria10", "xc7z020", "xc7k160t"};
    const double budgets[] = {8, 40, 220};
    settings.device = devices[rng.range(0, 2)];
    settings.limits["dsp"] = budgets[rng.range(0, 2)];
    if (rng.range(0, 1) == 0)
        settings.limits["bram"] = static_cast<double>(rng.range(3, 24));
    if (rng.range(0, 1) != 0)
        settings.without.emplace_back("overlap");
    if (rng.range(0, 2) != 0)
        settings.without.emplace_back("streams");
    if (rng.range(0, 3) == 0)
        settings.batch = rng.range(2, 5);
    if (rng.range(0, 3) == 0)
        settings.without.emplace_back("sharing");
    settings.maxIterations = 5;
    return settings;
}

/// Few channels to many whose results are scaled one by one, then matrices that have no room in a
/// few blocks of RAM.
std::string heavyText(std::uint64_t seed) {
    SplitMix64 rng(seed);
    const std::string channels = std::to_string(8 * rng.range(4, 8));
    const std::string hidden = std::to_string(8 * rng.range(12, 30));
    const std::string outputs = std::to_string(rng.range(10, 90));
    const std::string side = std::to_string(rng.range(3, 5));
    return "design heavy { input x : i8[" + side + ", " + side + ", 4] = random(seed: 1);" +
           " weight w0 : i8[" + channels + ", 1, 1, 4] = random(seed: 2);" +
           " let c = requant(conv(x, w0), mul: 3, shift: 8);" + " weight w1 : i8[" + hidden + ", " +
           std::to_string(std::stoi(side) * std::stoi(side) * std::stoi(channels)) +
           "] = random(seed: 3); let h = requant(mv(w1, flatten(c)), mul: 3, shift: 12);" +
           " weight w2 : i8[" + outputs + ", " + hidden + "] = random(seed: 4);" +
           " output y = requant(mv(w2, h), mul: 5, shift: 12); }";
}

std::string drawnText(std::uint64_t seed) {
    switch (seed % 7) {
    case 0:
        return test::randomProgramText(seed, {3, 6, 20});
    case 1:
        return test::scaledProgramText(seed);
    case 2:
        return test::otherSkeletonsText(seed);
    case 3:
        return test::randomLayoutsText(seed);
    case 4:
        return test::randomProductsText(seed);
    case 5:
        return heavyText(seed);
    default:
        return test::meetingProgramText(seed);
    }
}

TEST(LedgerOfRandomPrograms, AddsUpToTheDesign) {
    constexpr std::uint64_t kPrograms = 240;
    int designs = 0;
    test::SeenParts seen;
    for (std::uint64_t seed = 0; seed < kPrograms && !HasFailure(); ++seed) {
        const std::string text = drawnText(seed);
        SCOPED_TRACE(text);
        const auto ledger = expectedOf(test::programOf(text), drawnSettings(seed));
        if (!ledger)
            continue;
        ++designs;
        seen.add(*ledger);
    }
    EXPECT_GT(designs, 150);
    for (std::size_t k = 0; k < design::kClockParts; ++k)
        EXPECT_GT(seen.parts[k], 0) << toString(static_cast<ClockPart>(k));
    EXPECT_GT(seen.overlaps, 10);
    EXPECT_GT(seen.bounds, 100);
    EXPECT_GT(seen.external, 1);
}

// ---- by hand ----

/// A convolution of 6 × 6 pixels of 16 channels to ten, on 4 rows of 8 lanes, pooled by two.
design::Design pooledConvolution() {
    ScheduleBuilder builder("c", 8);
    const auto unit = builder.unit("u", 4);
    const auto x = builder.input("x", {ir::Scalar::I8, {6, 6, 16}});
    EpilogueSpec e;
    e.requantBefore = test::requant(6);
    e.pool = design::PoolKind::Max;
    e.poolSize = 2;
    builder.output("y", builder.conv(unit, x, {10, 3, 1, 1}, e));
    design::Design design;
    design.program = "c";
    design.schedule = builder.finish().schedule;
    design::DesignUnit built;
    built.id = unit;
    built.name = "u";
    built.resources = {16, 500, 300, 2};
    design.units = {built};
    design::DesignCall call;
    call.layer = *layerOf(design.schedule->steps[1]);
    call.unit = unit;
    call.macs = 36 * 9 * 16 * 10;
    design.calls = {call};
    design.resources = {16, 900, 600, 2};
    return design;
}

device::Device handDevice() {
    device::Device device;
    device.ramKind = "RAM";
    device.limits = {64, 9000, 9000, 8};
    return device;
}

TEST(LedgerByHand, PartsTheClocksOfAConvolution) {
    const Ledger ledger =
        design::makeLedger(pooledConvolution(), handDevice(), {16, 9000, 9000, 8});
    ASSERT_EQ(ledger.steps.size(), 3U);
    const design::LedgerClocks& load = ledger.steps[0].clocks;
    EXPECT_EQ(load.transfer, 36 * 16 / 8);
    EXPECT_EQ(load.drain, 2);
    const design::LedgerClocks& conv = ledger.steps[1].clocks;
    EXPECT_EQ(conv.taking, 3 * 36 * 9 * 2) << "three blocks of rows, two words of channels";
    EXPECT_DOUBLE_EQ(conv.multiplying, 36.0 * 9 * 16 * 10 / 32);
    EXPECT_DOUBLE_EQ(conv.padding(), 1944 - 1620.0) << "two of twelve rows are not there";
    EXPECT_EQ(conv.drain, 1 + 3 + 1 + 3 + 1 + 6);
    EXPECT_EQ(conv.overlap, 0);
    EXPECT_EQ(ledger.steps[1].begin, 74);
    const design::LedgerClocks& store = ledger.steps[2].clocks;
    EXPECT_EQ(store.transfer, 9 * 10) << "ten channels do not fill beats";
    EXPECT_EQ(store.drain, 4);
    EXPECT_EQ(ledger.cycles, 74 + 1944 + 15 + 94);
    EXPECT_EQ(ledger.steps[1].bound, ClockPart::Multiplying);
    EXPECT_EQ(ledger.steps[0].bound, ClockPart::Transfer);
    EXPECT_EQ(ledger.binding.part, ClockPart::Multiplying);
    EXPECT_THAT(ledger.binding.text, HasSubstr("DSP is used the most: 16 of 16 (100.0 %)"));
    ASSERT_EQ(ledger.resources[2].users.size(), 2U);
    EXPECT_EQ(ledger.resources[2].users[0], (design::ResourceUser{"unit u", 500}));
    EXPECT_EQ(ledger.resources[2].users[1], (design::ResourceUser{"control", 400}));
}

TEST(LedgerByHand, SaysSoWithoutASchedule) {
    design::Design design = pooledConvolution();
    design.schedule.reset();
    design.notExportable = "nobody builds it";
    const Ledger ledger = design::makeLedger(design, handDevice(), {});
    EXPECT_EQ(ledger.missing, "nobody builds it");
    EXPECT_TRUE(ledger.layers.empty());
    EXPECT_EQ(ledgerText(ledger, design::LedgerRows::Layers),
              "ledger of c: 0 cycles\nno rows: nobody builds it\n");
}

TEST(LedgerByHand, IsWrittenAsText) {
    const Ledger ledger =
        design::makeLedger(pooledConvolution(), handDevice(), {16, 9000, 9000, 8});
    EXPECT_EQ(ledgerText(ledger, design::LedgerRows::Layers), R"(ledger of c: 2127 cycles
  Layer  What   Unit  Bound by    Cycles  Share %  Multiplying  Padding  Load/store  Drain  Multiplications  Used %  Weights  Why there
  x      load         load/store      74      3.5          0.0      0.0          72      2                0
  v4     call   u     compute       1959     92.1       1620.0    324.0           0     15            51840    82.7  on chip  they have room in the block RAM of the unit
  y      store        load/store      94      4.4          0.0      0.0          90      4                0
  total               compute       2127    100.0       1620.0    324.0         162     21            51840    76.2
units:
  Unit  Multipliers  Clocks  Multiplying  Used %
  u              32    1959       1620.0    82.7
resources:
  DSP 16 of 16 (100.0 %; the device has 64): unit u 16
  RAM 2 of 8 (25.0 %): unit u 2
  LUT 900 of 9000 (10.0 %): unit u 500, control 400
  FF 600 of 9000 (6.7 %): unit u 300, control 300
The most clocks go to multiplying, 76.2 % of all, and v4 has the most of them (76.2 %): its multipliers do the program's multiplications; more of them, or fewer multiplications, make it faster. Of the limits DSP is used the most: 16 of 16 (100.0 %).
)");
    EXPECT_EQ(
        ledgerCsv(ledger, design::LedgerRows::Steps),
        R"(layer,what,unit,bound_by,cycles,share_percent,multiplying,padding,elements,transfer,move,write_back,waiting,drain,overlap,multiplications,use_percent,weights,why
"x","load",,"load/store",74,3.47907851434,0,0,0,72,0,0,0,2,0,0,,,
"v4","call","u","compute",1959,92.101551481,1620,324,0,0,0,0,0,15,0,51840,82.6952526799,"on chip","they have room in the block RAM of the unit"
"y","store",,"load/store",94,4.4193700047,0,0,0,90,0,0,0,4,0,0,,,
"total",,,"compute",2127,100,1620,324,0,162,0,0,0,21,0,51840,76.1636107193,,
)");
}

TEST(LedgerByHand, IsWrittenAsJson) {
    const Ledger ledger =
        design::makeLedger(pooledConvolution(), handDevice(), {16, 9000, 9000, 8});
    const auto json = nlohmann::ordered_json::parse(ledgerJson(ledger));
    EXPECT_EQ(json["cycles"], 2127);
    EXPECT_EQ(json["layers"].size(), 3U);
    EXPECT_EQ(json["steps"][1]["clocks"]["multiplying"], 1620.0);
    EXPECT_EQ(json["steps"][1]["bound_by"], "compute");
    EXPECT_EQ(json["steps"][1]["weights"]["external"], false);
    EXPECT_TRUE(json["steps"][0]["weights"].is_null());
    EXPECT_EQ(json["resources"][0]["name"], "DSP");
    EXPECT_EQ(json["resources"][0]["device"], 64);
    EXPECT_EQ(json["units"][0]["multipliers"], 32);
    EXPECT_EQ(json["binding"]["part"], "multiplying");
}

} // namespace
} // namespace marquetry
