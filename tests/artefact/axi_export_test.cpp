// Exports behind registers: verified through the shell, in all widths, and proof that it can fail.
#include "engine/artefact/axi_export.h"
#include "engine/artefact/stream_artefact.h"
#include "engine/design/cycle_model.h"
#include "engine/device/device_file.h"
#include "engine/support/json.h"
#include "tests/artefact/export_fixture.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/lower_design/test_designs.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/support/text_files.h"

namespace marquetry::test {
namespace {

using hdl::Simulator;

class AxiExport : public ExportTest {
protected:
    std::string exportOf(const std::string& name, const TestDesign& design, int streamBits) {
        auto request = requestFor(design);
        request.form.interface = hdl::ExportInterface::Axi;
        request.form.streamBits = streamBits;
        const auto report = hdl::exportArtefact(hdl::designArtefact(request), path(name));
        EXPECT_TRUE(report) << (report ? "" : format(report.error()));
        return path(name);
    }

    static hdl::StreamExportRequest streamRequest(const ir::StreamProgram& program,
                                                  spacetime::Throughput throughput,
                                                  int streamBits) {
        hdl::StreamExportRequest request{program, designAt(program, throughput).circuit,
                                         "// a test\n"};
        request.form.interface = hdl::ExportInterface::Axi;
        request.form.streamBits = streamBits;
        return request;
    }

    hdl::VerifyReport verifiedStream(const std::string& name, const std::string& item,
                                     spacetime::Throughput throughput, int streamBits,
                                     const hdl::VerifyParams& params) {
        const ir::StreamProgram program = exampleStream(name, item);
        const std::string folder =
            path(hdl::cat(item, "_", throughput.atoms, "_", throughput.clocks, "_", streamBits));
        const auto made = hdl::exportArtefact(
            hdl::streamArtefact(streamRequest(program, throughput, streamBits)), folder);
        EXPECT_TRUE(made) << (made ? "" : format(made.error()));
        const auto opened = hdl::readExport(folder);
        EXPECT_TRUE(opened);
        const auto report = hdl::verifyArtefact(*opened, program, params);
        EXPECT_TRUE(report) << (report ? "" : format(report.error()));
        return report ? *report : hdl::VerifyReport();
    }
};

TEST_F(AxiExport, DesignsInAllWidthsTakeThePredictedCycles) {
    const TestDesign design = twoInputsTwoOutputs();
    const std::int64_t predicted = design::predictCycles(design.schedule).total;
    for (const int bits : {0, 8, 16, 32, 64, 128, 256, 512}) {
        SCOPED_TRACE(bits);
        const auto report =
            verified(exportOf(hdl::cat("d", bits), design, bits), design,
                     {Simulator::Icarus, 3, static_cast<std::uint64_t>(bits), bits % 3 != 0});
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        EXPECT_EQ(report.cycles, std::vector<std::int64_t>(3, predicted));
    }
}

TEST_F(AxiExport, DesignsUnderVerilator) {
    for (const TestDesign& design : {convPoolRequant(), wideOutput()}) {
        const auto report = verified(exportOf(design.program.name, design, 32), design,
                                     {Simulator::Verilator, 3, 7, true});
        EXPECT_TRUE(report.pass) << design.program.name;
    }
}

TEST_F(AxiExport, StreamsTakeTheClocksOfTheShellMore) {
    struct Case {
        const char* name;
        const char* item;
        spacetime::Throughput throughput;
    };
    for (const Case& c : {Case{"conv", "conv_4x4", {1, 1}},
                          {"conv", "conv_4x4", {1, 3}},
                          {"map", "map", {4, 1}},
                          {"box2", "box2_4x4", {1, 4}},
                          {"dot", "dot", {1, 64}}}) {
        SCOPED_TRACE(c.item);
        const auto report =
            verifiedStream(c.name, c.item, c.throughput, 0, {Simulator::Icarus, 3, 3, true});
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        ASSERT_EQ(report.cycles.size(), 3U);
        EXPECT_EQ(report.cycles.front(), report.predictedCycles);
        if (c.throughput.clocks == 1) {
            EXPECT_EQ(report.cycles, std::vector<std::int64_t>(3, report.predictedCycles));
        }
    }
}

TEST_F(AxiExport, StreamsInOtherWidthsGiveTheSameWords) {
    for (const int bits : {8, 64, 512}) {
        SCOPED_TRACE(bits);
        const auto report =
            verifiedStream("conv", "conv_4x4", {4, 1}, bits, {Simulator::Icarus, 3, 5, true});
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
    }
}

TEST_F(AxiExport, AWrongShellFails) {
    const TestDesign design = twoInputsTwoOutputs();
    const std::string folder = exportOf("wrong", design, 0);
    const auto opened = hdl::readExport(folder);
    ASSERT_TRUE(opened);
    const auto json = nlohmann::ordered_json::parse(opened->files.at("DESIGN.json"));
    const std::string hash = json["control"]["design_hash"].get<std::string>().substr(8);
    std::string file;
    for (const auto& [name, text] : opened->files)
        if (name.starts_with("rtl/") && text.find("32'h" + hash) != std::string::npos)
            file = name;
    ASSERT_FALSE(file.empty()) << "no module says which design it is";
    patch(folder, file, "32'h" + hash, "32'h5");
    const auto report = verified(folder, design, {Simulator::Icarus, 1, 1, false});
    EXPECT_FALSE(report.pass);
    EXPECT_GE(report.mismatchCount, 1);
}

TEST_F(AxiExport, TheFormIsCheckedBeforeAnythingIsBuilt) {
    auto request = requestFor(wideOutput());
    const auto refusal = [&] {
        const auto made = hdl::designArtefact(request);
        return made ? std::string("made") : made.error().front().code;
    };
    request.form.streamBits = 64;
    EXPECT_EQ(refusal(), "interface-form");
    request.form.interface = hdl::ExportInterface::Axi;
    for (const int bits : {-8, 1, 7, 24, 1024}) {
        request.form.streamBits = bits;
        EXPECT_EQ(refusal(), "stream-width") << bits;
    }
    request.form.streamBits = 0;
    request.device = *device::findDevice("xc7z020");
    request.device.clockMhz = 2000;
    EXPECT_EQ(refusal(), "clock-range");
    request.device.clockMhz = 100;
    request.form.board = "zcu104";
    EXPECT_EQ(refusal(), "board-device");
    request.form.board = "pynq-z2";
    request.form.target = "quartus";
    EXPECT_EQ(refusal(), "target-device");
    request.form.target = "vivado";
    EXPECT_EQ(refusal(), "made");
    request.form.interface = hdl::ExportInterface::Stream;
    EXPECT_EQ(refusal(), "interface-form") << "a board's processor needs registers";
}

TEST_F(AxiExport, AnEditedFormIsRefused) {
    const TestDesign design = wideOutput();
    for (const auto& [from, to] :
         {std::pair<std::string, std::string>{"\"stream_bits\": 0", "\"stream_bits\": 5"},
          {"\"stream_bits\": 0", "\"stream_bits\": -1"},
          {"\"stream_bits\": 0", "\"stream_bits\": \"x\""},
          {"\"build_id\": \"", "\"build_id\": \"z"}}) {
        const std::string folder = exportOf("edited", design, 0);
        patch(folder, "DESIGN.json", from, to);
        const auto opened = hdl::readExport(folder);
        ASSERT_TRUE(opened);
        EXPECT_FALSE(hdl::verifyArtefact(*opened, design.program, {Simulator::Icarus, 1, 1, false}))
            << to;
    }
}

} // namespace
} // namespace marquetry::test
