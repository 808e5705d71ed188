// Whole examples exported to every target, board and interface: each fits and is whole, or is
// refused with its reason before anything is written.
#include "tests/vendor/exports/exported_folders.h"

#include <regex>

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;

struct MatrixItem {
    const char* name;
    const char* file;
    bool small; ///< simulated in seconds
};
const MatrixItem kItems[] = {
    {"running_example", "running_example/running_example.mq", true},
    {"lenet5", "lenet5/lenet5.mq", true},
    {"camera_1080p", "streams/camera/camera.mq", false},
    {"sobel", "memories/memories.mq", true},
};

struct MatrixPlace {
    const char* name;
    const char* options;
    const char* family;
};
const MatrixPlace kPlaces[] = {
    {"verilog_arria10", "--target verilog --device arria10", "arria10"},
    {"verilog_xc7k160t", "--target verilog --device xc7k160t", "xc7"},
    {"vivado_xc7k160t", "--target vivado --device xc7k160t", "xc7"},
    {"vivado_xc7z020", "--target vivado --device xc7z020", "xc7"},
    {"vivado_zu3eg", "--target vivado --device zu3eg", "xcup"},
    {"vivado_xcu250", "--target vivado --device xcu250", "xcup"},
    {"vivado_pynq_z2", "--target vivado --board pynq-z2", "xc7"},
    {"vivado_zcu104", "--target vivado --board zcu104", "xcup"},
    {"quartus_arria10", "--target quartus --device arria10", "arria10"},
    {"open_lfe5u_85f", "--target open --device lfe5u-85f", "ecp5"},
    {"open_ice40up5k", "--target open --device ice40up5k", "ice40"},
};

struct MatrixPoint {
    MatrixItem item;
    MatrixPlace place;
    bool axi;
};

void PrintTo(const MatrixPoint& point, std::ostream* out) {
    *out << point.item.name << " " << point.place.options << (point.axi ? " --interface axi" : "");
}

std::vector<MatrixPoint> matrix() {
    std::vector<MatrixPoint> points;
    for (const MatrixItem& item : kItems)
        for (const MatrixPlace& place : kPlaces)
            for (const bool axi : {false, true})
                points.push_back({item, place, axi});
    return points;
}

/// The code with which it is refused; empty: it fits.
std::string refusalOf(const MatrixPoint& point) {
    const std::string item = point.item.name, place = point.place.name, family = point.place.family;
    const bool board = std::string(point.place.options).find("--board") != std::string::npos;
    if (item == "sobel" ? point.axi : board && !point.axi)
        return "[interface-form]";
    if (item == "sobel")
        return board ? "[interface-form]" : "";
    if (item == "camera_1080p")
        return family.starts_with("xc") ? "" : "[unsupported-device]";
    return family == "ice40" ? "[limit-bram]" : "";
}

class ExportMatrix : public ExportedFolders, public ::testing::WithParamInterface<MatrixPoint> {
protected:
    std::string options() const {
        const MatrixPoint& point = GetParam();
        // The output's words of 96 bits are none of a DMA.
        const bool narrow = point.item.name == std::string("camera_1080p") &&
                            std::string(point.place.options).find("--board") != std::string::npos;
        return std::string("--item ") + point.item.name + " " + point.place.options +
               (point.axi ? " --interface axi" : "") +
               (narrow && point.axi ? " --stream-bits 32" : "");
    }
    std::string file() const { return sourceFolder() + "/examples/" + GetParam().item.file; }
};

TEST_P(ExportMatrix, FitsAndIsWholeOrIsRefused) {
    const auto folder = top_.path() / "export";
    const std::string refusal = refusalOf(GetParam());
    const auto result = exported(options(), folder, file());
    if (!refusal.empty()) {
        EXPECT_THAT(result.exitCode, ::testing::AnyOf(1, 2)) << result.output;
        EXPECT_THAT(result.output, HasSubstr(refusal));
        EXPECT_FALSE(std::filesystem::exists(folder));
        return;
    }
    ASSERT_EQ(result.exitCode, 0) << result.output;
    expectWhole(folder);
    RecordProperty("files", static_cast<int>(contentsOf(folder).size()));
    if (GetParam().axi && GetParam().item.small)
        expectVerified(folder, "verilator");
}

TEST_P(ExportMatrix, RunsTheCommandsOfItsPage) {
    const bool verilog = std::string(GetParam().place.name).starts_with("verilog");
    if (!verilog || !GetParam().item.small || !refusalOf(GetParam()).empty())
        return;
    const auto folder = made(options(), "export", file());
    const auto commands = readmeCommands(folder);
    ASSERT_EQ(commands.size(), 2U);
    for (const std::string& command : commands) {
        const auto run = ran({"sh", "-c", command}, folder);
        EXPECT_EQ(run.exitCode, 0) << command << "\n" << run.output;
        EXPECT_THAT(run.output, HasSubstr("\"mismatches\":0")) << command;
    }
}

INSTANTIATE_TEST_SUITE_P(All, ExportMatrix, ::testing::ValuesIn(matrix()), [](const auto& tested) {
    return std::string(tested.param.item.name) + "_" + tested.param.place.name +
           (tested.param.axi ? "_axi" : "_stream");
});

class ExportPlacement : public ExportedFolders {};

/// What a user does with the chip that Debian's tools can do in full, by the Makefile as it is.
TEST_F(ExportPlacement, OfASmallDesignOnIce40) {
    const auto folder = made("--item d --target open --device ice40up5k --clock 12", "export");
    const auto done = ran({"make"}, folder);
    ASSERT_EQ(done.exitCode, 0) << done.output;
    EXPECT_THAT(done.output, HasSubstr("Max frequency for clock"));
    EXPECT_GT(std::filesystem::file_size(folder / "build/d_pins.bin"), 0U);
}

/// The shell has more flip-flops than the design: it fits, with a clock of its own.
TEST_F(ExportPlacement, OfASmallDesignBehindRegistersOnIce40) {
    const auto folder =
        made("--item d --target open --device ice40up5k --clock 12 --interface axi", "export");
    const auto done = ran({"make"}, folder);
    ASSERT_EQ(done.exitCode, 0) << done.output;
    EXPECT_GT(std::filesystem::file_size(folder / "build/d_pins.bin"), 0U);
}

/// Yosys' maps of block RAM for Xilinx parts name ports of other widths than its cells have. Also
/// without its count of warnings.
std::string withoutOwnRemarks(const std::string& remarks) {
    static const std::regex ownMap(
        R"(Warning: Resizing cell port \S+\.(ADDR|DIN|DOUT)\w+ from \d+ bits to \d+ bits\.\n)"
        R"(|Warnings: \d+ unique messages, \d+ total\n)");
    return std::regex_replace(remarks, ownMap, "");
}

// Some of them with a port to memory, and with queues.
TEST_F(ExportPlacement, SynthesisOfRealExportsHasNoRemark) {
    int number = 0;
    for (const auto& [options, file, family] :
         std::vector<std::tuple<const char*, const char*, const char*>>{
             {"--device lfe5u-85f --target verilog --bandwidth 8 --limit bram=8,dsp=8",
              "lenet5/lenet5.mq", "ecp5"},
             {"--device lfe5u-85f --target verilog --objective throughput --limit dsp=24",
              "running_example/running_example.mq", "ecp5"},
             {"--device zu3eg --target verilog --objective throughput --limit dsp=24",
              "running_example/running_example.mq", "xcup"},
             {"--device ice40up5k --target open --item sobel", "memories/memories.mq", "ice40"},
             {"--device lfe5u-85f --target open --item sobel", "memories/memories.mq", "ecp5"},
             {"--device arria10 --target quartus --item sobel", "memories/memories.mq", "arria10"},
             {"--device xc7z020 --target vivado --interface axi --board pynq-z2",
              "running_example/running_example.mq", "xc7"},
             {"--device zu7ev --target vivado --item camera_8x8", "streams/camera/camera.mq",
              "xcup"}}) {
        const auto folder = made(options, std::string(family) + std::to_string(number++),
                                 sourceFolder() + "/examples/" + file);
        EXPECT_EQ(withoutOwnRemarks(remarksOfSynthesis(folder, family)), "") << options;
    }
}

} // namespace
} // namespace marquetry::test
