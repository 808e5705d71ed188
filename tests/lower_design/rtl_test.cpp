// The generated Verilog under the tools: lint without a warning, synthesis as predicted.
#include "engine/cost/unit_cost.h"
#include "engine/device/device_file.h"
#include "engine/support/process.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_layouts.h"
#include "tests/lower_design/random_products.h"
#include "tests/lower_design/random_windows.h"
#include "tests/lower_design/test_designs.h"
#include "tests/support/cases.h"

#include <iostream>
#include <regex>

namespace marquetry {

using test::TestDesign;

namespace {

class Rtl : public test::ExportTest {
protected:
    static std::vector<std::string> sources(const std::string& folder) {
        std::vector<std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(folder + "/rtl"))
            if (entry.path().extension() == ".v")
                files.push_back(entry.path().filename().string());
        std::sort(files.begin(), files.end());
        return files;
    }

    ProcessResult lint(const std::string& folder, const std::string& top) {
        ProcessParams params{{"verilator", "--lint-only", "-Wall", "--top-module", top},
                             folder + "/rtl"};
        for (const std::string& file : sources(folder))
            params.arguments.push_back(file);
        return *runProcess(params);
    }

    std::string synthesise(const std::string& folder, const std::string& top) {
        std::string script = "read_verilog";
        for (const std::string& file : sources(folder))
            script += " " + file;
        script += "; synth_xilinx -family xc7 -flatten -top " + top + "; check -assert; stat";
        const auto result = runProcess({{"yosys", "-p", script}, folder + "/rtl"});
        EXPECT_TRUE(result);
        EXPECT_EQ(result->exitCode, 0);
        return result->output;
    }
};

/// The last count of a cell in Yosys's statistics.
int cells(const std::string& log, const std::string& cell) {
    int count = 0;
    const std::regex line("\\s" + cell + "\\s+(\\d+)");
    for (std::sregex_iterator it(log.begin(), log.end(), line), end; it != end; ++it)
        count = std::stoi((*it)[1]);
    return count;
}

/// Warnings but for ABC's remark on its own input and those about the block RAM cells that Yosys
/// 0.23 itself puts in place of a memory ("memory.0.0"): for every shape but 32 bits × up to 512
/// words its library connects wider vectors than the cells have.
std::string warnings(const std::string& log) {
    static const std::regex ownMapping(
        "Resizing cell port \\S+\\.\\d+\\.\\d+\\.[A-Z]+ from|^Warnings: "
        "|ABC: Warning: The network is combinational");
    std::string found;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
        if (line.find("Warning") != std::string::npos && !std::regex_search(line, ownMapping))
            found += line + "\n";
    return found;
}

/// What a unit's rows take in pairs beyond what they take alone.
device::Resources pricedMore(const cost::UnitHardware& unit) {
    const device::Device device = *device::findDevice("xc7z020");
    device::Device alone = device;
    alone.int8ProductsShareFactor = false;
    const device::Resources pairs = cost::unitResources(device, unit);
    const device::Resources single = cost::unitResources(alone, unit);
    return {0, pairs.lut - single.lut, pairs.ff - single.ff, 0};
}

} // namespace

TEST_F(Rtl, LintsWithoutAWarning) {
    std::vector<TestDesign> designs = test::allDesigns();
    const auto add = [&](TestDesign (*random)(std::uint64_t), int seeds) {
        for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(seeds); ++seed)
            designs.push_back(random(seed));
    };
    add(test::randomDesign, test::cases(10, 30));
    add(test::randomWindows, test::cases(10, 30));
    add(test::randomLayouts, test::cases(7, 20));
    add(test::randomProducts, test::cases(4, 12));
    for (const TestDesign& design : designs) {
        const std::string folder = exportTo(design.program.name, design);
        const auto result = lint(folder, design.program.name + "_top");
        EXPECT_EQ(result.exitCode, 0) << design.program.name << "\n" << result.output;
        EXPECT_EQ(result.output, "") << design.program.name;
    }
}

TEST_F(Rtl, LintSeesAWrongWidth) {
    const std::string folder = exportTo("bad", test::convPoolRequant());
    patch(folder, "rtl/conv_pool_top.v", "wire setup;", "wire [1:0] setup;");
    EXPECT_NE(lint(folder, "conv_pool_top").exitCode, 0);
}

TEST_F(Rtl, LintsPairedRowsWithoutAWarning) {
    int paired = 0;
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        TestDesign design = test::randomDesign(seed);
        if (test::pairRows(design.schedule) == 0)
            continue;
        ++paired;
        const std::string folder = exportTo(design.program.name, design);
        EXPECT_EQ(lint(folder, design.program.name + "_top").output, "") << design.program.name;
    }
    EXPECT_GT(paired, 5);
}

TEST_F(Rtl, LintsExternalWeightsWithoutAWarning) {
    int external = 0;
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
        TestDesign design = seed % 2 == 0 ? test::randomDesign(seed) : test::randomWindows(seed);
        SplitMix64 rng(seed);
        if (test::makeExternal(design.schedule, rng) == 0)
            continue;
        ++external;
        const std::string folder = exportTo(design.program.name, design);
        EXPECT_EQ(lint(folder, design.program.name + "_top").output, "") << design.program.name;
    }
    EXPECT_GT(external, 8);
}

// Parts of a word are memories of their own: 2 × 8 products of bytes, which come in beats of 8.
namespace {

/// A unit of 2 × 8 products with external weights, and a queue of 128 beats of 64 bits.
TestDesign externalDesign(std::int64_t ring, bool luts) {
    test::ScheduleBuilder builder("external");
    const auto unit = builder.unit("conv", 2);
    const auto x = builder.input("x", {ir::Scalar::I8, {4, 4, 64}});
    test::EpilogueSpec e;
    e.requantBefore = test::requant(9);
    builder.output("y", builder.conv(unit, x, {8, 3, 1, 1}, e));
    TestDesign design = builder.finish();
    SplitMix64 rng(2);
    EXPECT_EQ(test::makeExternal(design.schedule, rng), 1);
    design.schedule.memory = design::ExternalMemory{8, 8, 60};
    design.schedule.units[0].ringWords = ring;
    design.schedule.units[0].loadBeats = 1;
    design.schedule.units[0].lutWeights = luts;
    return design;
}

} // namespace

TEST_F(Rtl, ExternalWeightsGoToBlockRam) {
    const std::string log =
        synthesise(exportTo("external", externalDesign(512, false)), "external_top");
    EXPECT_EQ(warnings(log), "");
    EXPECT_EQ(cells(log, "DSP48E1"), 2 * 8);
    // Two parts of 64 bits × 512 words, and the queue.
    EXPECT_EQ(cells(log, "RAMB36E1"), 3);
}

TEST_F(Rtl, ShortRingsGoToLuts) {
    const std::string log =
        synthesise(exportTo("external", externalDesign(96, true)), "external_top");
    EXPECT_EQ(warnings(log), "");
    EXPECT_EQ(cells(log, "DSP48E1"), 2 * 8);
    EXPECT_EQ(cells(log, "RAMB36E1"), 1); // the queue
    // Two parts of 64 bits × 96 words, of which a group of LUTs holds 6 bits of 32 words.
    EXPECT_EQ(cells(log, "RAM32M"), 2 * 3 * 11);
}

// Four rows of a lane in two blocks, and of all the LUTs none multiplies.
TEST_F(Rtl, PairedRowsTakeHalfTheBlocks) {
    const auto design = [](ir::Scalar operand) {
        test::ScheduleBuilder builder("paired");
        const auto unit = builder.unit("conv", 4, operand);
        const auto x = builder.input("x", {operand, {4, 4, 8}});
        test::EpilogueSpec e;
        e.requantBefore = test::requant(9);
        builder.output("y", builder.conv(unit, x, {7, 3, 1, 1}, e));
        return builder.finish();
    };
    std::vector<ir::Scalar> operands = {ir::Scalar::I8, ir::Scalar::U8};
    operands.resize(static_cast<std::size_t>(test::cases(1, 2)));
    for (const ir::Scalar operand : operands) {
        SCOPED_TRACE(ir::info(operand).name);
        TestDesign paired = design(operand);
        const std::string name(ir::info(operand).name);
        const std::string alone = synthesise(exportTo("alone_" + name, paired), "paired_top");
        ASSERT_EQ(test::pairRows(paired.schedule), 1);
        const std::string log = synthesise(exportTo("pairs_" + name, paired), "paired_top");
        EXPECT_EQ(cells(alone, "DSP48E1"), 4 * 8);
        EXPECT_EQ(cells(log, "DSP48E1"), 2 * 8);
        EXPECT_EQ(warnings(log), "");
        const auto luts = [](const std::string& text) {
            int sum = cells(text, "INV");
            for (const char* const kind : {"LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6"})
                sum += cells(text, kind);
            return sum;
        };
        std::cout << name << ": LUT " << luts(alone) << " alone, " << luts(log) << " in pairs; FF "
                  << cells(alone, "FDRE") << " and " << cells(log, "FDRE") << "\n";
        const device::Resources more = pricedMore({4, 8, 8, 8});
        EXPECT_NEAR(luts(log) - luts(alone), more.lut, 0.15 * more.lut);
        EXPECT_NEAR(cells(log, "FDRE") - cells(alone, "FDRE"), more.ff, 0.15 * more.ff);
    }
}

TEST_F(Rtl, SynthesisMatchesThePrediction) {
    test::ScheduleBuilder builder("synth");
    const auto unit = builder.unit("conv", 2);
    const auto x = builder.input("x", {ir::Scalar::I8, {4, 4, 8}});
    test::EpilogueSpec e;
    e.requantBefore = test::requant(9);
    e.reluBefore = true;
    builder.output("y", builder.conv(unit, x, {7, 3, 1, 1}, e));
    const std::string folder = exportTo("synth", builder.finish());
    const std::string log = synthesise(folder, "synth_top");
    EXPECT_EQ(cells(log, "DSP48E1"), 2 * 8) << "parallel x lanes";
    EXPECT_EQ(warnings(log), "");
    EXPECT_EQ(log.find("Latch inferred"), std::string::npos);
    EXPECT_EQ(cells(log, "LDCE"), 0);
    // Columns of 32 bits, half a block each: two per row of weights and the input's slot, whose
    // lanes are written at once. The output's slot has four groups of two lanes.
    EXPECT_EQ(2 * cells(log, "RAMB36E1") + cells(log, "RAMB18E1"), 2 * 2 + 2 + 4);
}

} // namespace marquetry
