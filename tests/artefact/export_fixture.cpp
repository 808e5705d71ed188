#include "tests/artefact/export_fixture.h"

#include "engine/artefact/manifest.h"
#include "engine/artefact/simulation.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/design/cycle_model.h"
#include "engine/support/json.h"
#include "tests/support/text_files.h"

namespace marquetry::test {

hdl::ExportRequest requestFor(const TestDesign& design) {
    hdl::ExportRequest request;
    request.schedule = design.schedule;
    request.program = design.program;
    request.programFiles = {{design.program.name + ".mq", "// built by a test\n"}};
    return request;
}

Result<hdl::ExportFolder> openedDesign(const std::string& folder) {
    return hdl::readExport(folder);
}

std::string ExportTest::exportTo(const std::string& name, const TestDesign& design) {
    const auto report = hdl::exportArtefact(hdl::designArtefact(requestFor(design)), path(name));
    EXPECT_TRUE(report) << (report ? "" : format(report.error()));
    return path(name);
}

hdl::VerifyReport ExportTest::verified(const std::string& folder, const TestDesign& design,
                                       const hdl::VerifyParams& params) {
    const auto opened = openedDesign(folder);
    if (!opened) {
        ADD_FAILURE() << format(opened.error());
        return {};
    }
    const auto report = hdl::verifyArtefact(*opened, design.program, params);
    if (!report) {
        ADD_FAILURE() << format(report.error());
        return {};
    }
    return *report;
}

void ExportTest::expectExact(const TestDesign& design, const hdl::VerifyParams& params) {
    SCOPED_TRACE(design.program.name);
    const std::string folder = exportTo(design.program.name, design);
    const hdl::VerifyReport report = verified(folder, design, params);
    EXPECT_TRUE(report.pass);
    EXPECT_EQ(report.mismatchCount, 0);
    for (const auto& wrong : report.mismatches)
        ADD_FAILURE() << wrong.output << "[" << wrong.index << "]: expected " << wrong.expected
                      << ", got " << wrong.got;
    const std::int64_t predicted = design::predictCycles(design.schedule).total;
    EXPECT_EQ(report.cycles,
              std::vector<std::int64_t>(static_cast<std::size_t>(params.vectors), predicted));
}

hdl::BenchOutput ExportTest::simulatedWith(const TestDesign& design, hdl::Simulator simulator,
                                           const std::vector<std::string>& arguments) {
    const std::string folder = exportTo(design.program.name, design);
    const auto opened = openedDesign(folder);
    if (!opened)
        return {};
    const bool icarus = simulator == hdl::Simulator::Icarus;
    const std::string bench = icarus ? hdl::kDesignVerilogBench : hdl::kDesignVerilatorBench;
    files::FolderFiles files;
    for (const auto& [name, bytes] : opened->files)
        if (name == bench || name.starts_with("vectors/"))
            files[name] = bytes;
    hdl::SimulatorInput input{bench, design.program.name + (icarus ? "_tb" : "_top")};
    if (icarus)
        input.vectors = 1;
    const auto simulation = hdl::Simulation::make(*opened, files, simulator, input, {});
    if (!simulation || !simulation->build(hdl::Waveform::None))
        return {};
    std::vector<std::string> all = {"+dir=vectors", "+seed=1"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const auto output = simulation->run(all);
    return output ? hdl::readBench(*output) : hdl::BenchOutput{};
}

void ExportTest::patch(const std::string& folder, const std::string& file, const std::string& from,
                       const std::string& to) {
    std::string text = *test::readText(folder + "/" + file);
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " is not in " << file;
    text.replace(at, from.size(), to);
    ASSERT_TRUE(test::writeText(folder + "/" + file, text));
    const auto manifest = nlohmann::json::parse(*test::readText(folder + "/manifest.json"));
    hdl::ExportFiles files;
    for (const auto& entry : manifest["files"])
        files[entry["path"]] = *test::readText(folder + "/" + entry["path"].get<std::string>());
    ASSERT_TRUE(test::writeText(folder + "/manifest.json",
                                hdl::writeManifest({manifest["program"], "verilog"}, files)));
}

} // namespace marquetry::test
