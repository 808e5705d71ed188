// The kernels under Yosys beside Aetherling: LUTs, flip-flops, block RAMs, DSP blocks and the
// longest path of every example at its throughputs. Writes the table of streams.md, "Synthesis",
// to the build folder; MARQUETRY_ITEMS=a,b restricts it to items.
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/lower_stream/estimate_kernel.h"
#include "engine/rtl/printed.h"
#include "engine/support/process.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/lower_stream/kernel_synthesis.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace marquetry::test {
namespace {

using spacetime::Throughput;

struct Area {
    double lut = 0, ff = 0, bram = 0, dsp = 0;
    double path = 0; ///< ps
};

Area parsed(const std::string& stat, const std::string& sta) {
    device::Resources counted;
    std::istringstream lines(stat);
    for (std::string line; std::getline(lines, line);)
        countCell(line, counted);
    Area area{counted.lut, counted.ff, counted.bram, counted.dsp};
    std::smatch match;
    if (std::regex_search(sta, match, std::regex(R"(Latest arrival time in '\w+' is (\d+))")))
        area.path = std::stod(match[1]);
    return area;
}

class Synthesis : public ::testing::Test {
protected:
    Area synthesised(const spacetime::Graph& circuit) {
        const datapath::TimedDatapath t = timed(circuit);
        std::vector<std::string> inputs;
        for (std::size_t k = 0; k < t.datapath.inputs.size(); ++k)
            inputs.push_back(hdl::cat("in_", k));
        rtl::ModuleLibrary library("kernel");
        const hdl::StreamKernel kernel = hdl::kernelModule(library, t, "kernel", inputs, "out_y");
        std::string text;
        for (const hdl::Module& module : hdl::printed(finished(kernel.module)).modules)
            text += module.verilog;
        EXPECT_TRUE(test::writeText(folder_ / "kernel.v", text));
        const auto run = runProcess(
            {{"yosys", "-q", "-p",
              "read_verilog kernel.v; synth_xilinx -family xc7 -flatten -noiopad -noclkbuf "
              "-top kernel; tee -q -o stat.txt stat; read_verilog -lib -specify "
              "+/xilinx/cells_sim.v; tee -q -o sta.txt sta"},
             folder_.string()});
        EXPECT_TRUE(run);
        EXPECT_EQ(run->exitCode, 0) << run->output;
        return parsed(*test::readText(folder_ / "stat.txt"), *test::readText(folder_ / "sta.txt"));
    }

    TemporaryFolder folder_;
};

std::string toText(Throughput t) {
    return t.clocks == 1 ? std::to_string(t.atoms)
                         : std::to_string(t.atoms) + "/" + std::to_string(t.clocks);
}

/// Least areas of Aetherling's variants of an item: "item throughput tool" → area.
std::map<std::string, Area> peers() {
    std::map<std::string, Area> areas;
    std::ifstream file(test::sourceFolder() + "/tests/data/aetherling_areas.csv");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("#") || line.starts_with("item,"))
            continue;
        std::vector<std::string> fields;
        std::istringstream text(line);
        for (std::string field; std::getline(text, field, ',');)
            fields.push_back(field);
        const Area one{std::stod(fields[4]), std::stod(fields[5]), std::stod(fields[6]),
                       std::stod(fields[7])};
        const auto [entry, isNew] =
            areas.emplace(fields[0] + " " + fields[1] + " " + fields[2], one);
        Area& least = entry->second;
        if (!isNew)
            least = {std::min(least.lut, one.lut), std::min(least.ff, one.ff),
                     std::min(least.bram, one.bram), std::min(least.dsp, one.dsp)};
    }
    return areas;
}

std::string areaText(const Area& area) {
    return hdl::cat(area.lut, " / ", area.ff, " / ", area.bram, " / ", area.dsp);
}

struct Points {
    std::string example;
    std::string item;
    std::vector<Throughput> throughputs;
};

const std::vector<Points>& points() {
    static const std::vector<Points> kPoints = {
        {"map", "map", {{200, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"conv", "conv_1080p", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"conv", "conv_4x4", {{16, 1}, {4, 1}, {1, 1}, {1, 3}, {1, 9}}},
        {"convb2b", "convb2b_1080p", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"sharpen", "sharpen_1080p", {{16, 1}, {8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"sharpen", "sharpen_4x4", {{4, 1}, {1, 1}, {1, 3}}},
        {"camera", "camera_1080p", {{1, 1}, {1, 4}, {2, 1}, {4, 1}, {8, 1}, {16, 1}}},
        {"sobel", "sobel_1080p", {{8, 1}, {4, 1}, {2, 1}, {1, 1}, {1, 3}}},
        {"gauss5", "gauss5_1080p", {{4, 1}, {2, 1}, {1, 1}, {1, 5}}},
        {"tone", "tone_1080p", {{16, 1}, {2, 1}, {1, 1}, {1, 2}}},
        {"box2", "box2_1080p", {{1, 1}, {1, 2}, {1, 4}, {1, 8}}},
        {"dot", "dot", {{1, 1}, {1, 4}, {1, 16}, {1, 64}, {1, 256}}},
        {"matvec", "matvec", {{1, 1}, {1, 4}, {1, 16}, {1, 64}}},
    };
    return kPoints;
}

bool isWanted(const std::string& item) {
    const char* items = std::getenv("MARQUETRY_ITEMS");
    return !items || (std::string(",") + items + ",").find("," + item + ",") != std::string::npos;
}

/// Below Aetherling where it was measured; MAP: not above.
void expectBelow(const Area& ours, const Area& theirs, bool sameTool, bool isMap) {
    const double registers = sameTool ? theirs.ff : 0.77 * theirs.ff;
    if (isMap) {
        EXPECT_LE(ours.lut, theirs.lut);
        EXPECT_LE(ours.ff, registers);
    } else {
        EXPECT_LT(ours.lut, theirs.lut);
        EXPECT_LT(ours.ff, registers);
    }
    EXPECT_LE(ours.bram, theirs.bram);
}

TEST_F(Synthesis, IsBelowAetherlingAtEveryPoint) {
    const std::map<std::string, Area> areas = peers();
    std::ofstream table(test::buildFolder() + "/stream_synthesis.md");
    table << "| item | T | LUT / FF / RAMB36 / DSP | longest path, ps | latency | "
             "Aetherling, Yosys | Aetherling, Vivado | estimate: LUT / FF / RAMB36 / DSP |\n"
             "|---|---|---|---|---|---|---|---|\n";
    for (const Points& one : points()) {
        if (!isWanted(one.item))
            continue;
        const ir::StreamProgram program = exampleStream(one.example, one.item);
        const bool variable = one.item == "dot" || one.item == "matvec";
        Area full; // at one element a clock
        for (const Throughput t : one.throughputs) {
            SCOPED_TRACE(one.item + " at " + toText(t));
            const spacetime::StreamDesign design = designAt(program, t);
            const Area ours = synthesised(design.circuit);
            const std::string key = one.item + " " + toText(t) + " ";
            const auto yosys = areas.find(key + "yosys");
            const auto vivado = areas.find(key + "vivado");
            if (yosys != areas.end())
                expectBelow(ours, yosys->second, true, one.item == "map");
            else if (vivado != areas.end())
                expectBelow(ours, vivado->second, false, one.item == "map");
            if (!variable) {
                EXPECT_EQ(ours.dsp, 0);
            }
            if (t.atoms == 1 && t.clocks == 1) {
                full = ours;
                EXPECT_LT(ours.path, 5000);
            }
            if (t.clocks > 1 && full.path > 0 && !variable) {
                EXPECT_LE(ours.lut, full.lut);
                EXPECT_LE(ours.ff, full.ff);
            }
            const auto model = hdl::estimateKernel(design.circuit, *device::findDevice("xc7k160t"));
            ASSERT_TRUE(model) << format(model.error());
            const Area estimated{std::round(model->area.lut), std::round(model->area.ff),
                                 model->area.bram, model->area.dsp};
            EXPECT_EQ(estimated.bram, ours.bram);
            EXPECT_EQ(estimated.dsp, ours.dsp);
            table << "| " << one.item << " | " << toText(t) << " | " << areaText(ours) << " | "
                  << ours.path << " | " << timed(design.circuit).latency << " | "
                  << (yosys == areas.end() ? "" : areaText(yosys->second)) << " | "
                  << (vivado == areas.end() ? "" : areaText(vivado->second)) << " | "
                  << areaText(estimated) << " |" << std::endl;
        }
    }
}

/// What the pipelines of tests/data/streams/pixels take in Verilog written by hand; RAMB36: at
/// most.
struct ByHand {
    std::string item;
    std::string area; ///< LUT / FF / RAMB36 / DSP
    double bram;
};

TEST_F(Synthesis, OfNarrowPixelsTakesTheLinesOfAHandDesign) {
    const std::vector<ByHand> all = {
        {"conv", "49 / 51 / 1 / 0", 1},          {"sobel", "88 / 104 / 1 / 0", 1},
        {"median", "238 / 118 / 1 / 0", 1},      {"dilate", "115 / 78 / 2 / 0", 2},
        {"harris", "288 / 351 / 3.5 / 16", 3.5}, {"flow", "", 3.5},
        {"fir", "1577 / 442 / 4.5 / 0", 5}};
    std::ofstream table(test::buildFolder() + "/pixel_synthesis.md");
    table << "| pipeline | LUT / FF / RAMB36 / DSP | longest path, ps | by hand | estimate |\n"
             "|---|---|---|---|---|\n";
    for (const ByHand& hand : all) {
        if (!isWanted(hand.item))
            continue;
        SCOPED_TRACE(hand.item);
        auto parsed = frontend::parseFile(test::sourceFolder() + "/tests/data/streams/pixels/" +
                                          hand.item + ".mq");
        ASSERT_TRUE(parsed) << format(parsed.error());
        const auto program = frontend::selectStream(*std::move(parsed), hand.item);
        ASSERT_TRUE(program) << format(program.error());
        const spacetime::StreamDesign design = designAt(*program, {1, 1});
        const Area ours = synthesised(design.circuit);
        EXPECT_LE(ours.bram, hand.bram);
        const auto model = hdl::estimateKernel(design.circuit, *device::findDevice("xc7k160t"));
        ASSERT_TRUE(model) << format(model.error());
        const Area estimated{std::round(model->area.lut), std::round(model->area.ff),
                             model->area.bram, model->area.dsp};
        EXPECT_EQ(estimated.bram, ours.bram);
        EXPECT_EQ(estimated.dsp, ours.dsp);
        table << "| " << hand.item << " | " << areaText(ours) << " | " << ours.path << " | "
              << hand.area << " | " << areaText(estimated) << " |" << std::endl;
    }
}

TEST_F(Synthesis, OfTheBlurTakes140LutsAndRegisters) {
    const ir::StreamProgram program = exampleStream("conv", "conv_1080p");
    const Area area = synthesised(designAt(program, {1, 1}).circuit);
    EXPECT_LE(area.lut, 140);
    EXPECT_LE(area.ff, 140);
    EXPECT_LE(area.bram, 4);
    EXPECT_EQ(area.dsp, 0);
    EXPECT_LT(area.path, 5000);
}

} // namespace
} // namespace marquetry::test
