// Drivers of designs with weights in external memory, against the hardware in Verilator.
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/test_designs.h"
#include "tests/support/places.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/simulated_software.h"

#include <gmock/gmock.h>

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;

class WeightsSoftware : public ExportTest {
protected:
    /// The export of a small design, with the simulation built.
    void SetUp() override {
        TestDesign design = convThenVector();
        SplitMix64 rng(4);
        ASSERT_GT(makeExternal(design.schedule, rng), 0);
        design.program.name = design.schedule.name = "toy";
        hdl::ExportRequest request = requestFor(design);
        request.form.interface = hdl::ExportInterface::Axi;
        request.vectors = 5;
        request.form.target = "vivado";
        request.device = *device::findDevice("zu3eg");
        const auto made = hdl::exportArtefact(hdl::designArtefact(request), folder());
        ASSERT_TRUE(made) << format(made.error());
        const auto opened = openedDesign(folder());
        ASSERT_TRUE(opened);
        buildSimulation(folder(), softwareProjectOf(*opened), "rtl/*.v", "drive_weights.c");
    }

    std::string folder() const { return path("toy"); }

    ProcessResult run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), folder() + "/build/sim");
        return ran(arguments, folder());
    }

    void expectSameInPython() const {
        const std::string own = sourceFolder() + "/tests/vendor/software/shell";
        ProcessParams params{{"python3", own + "/drive_main.py", "vectors"}, folder()};
        params.environment = {{"PYTHONPATH", folder() + "/sw"},
                              {"PYTHONDONTWRITEBYTECODE", "1"},
                              {"SIMULATION", folder() + "/build/sim"},
                              {"SOURCES", "1"}};
        const auto result = runProcess(params);
        ASSERT_TRUE(result);
        std::string expected;
        for (int k = 0; k < 5; ++k)
            expected += hdl::cat("wrong lines of vector ", k, ": 0\n");
        EXPECT_EQ(result->output, expected + "frames 5, cycles some\nerror 2\n");
    }
};

// One test: the simulation is built once.
TEST_F(WeightsSoftware, DriversBringTheWeightsToTheHardware) {
    EXPECT_EQ(run({"drive"}).output,
              "error: cannot read 'no such file'\n"
              "error: 'DESIGN.json' does not have the " +
                  std::to_string(std::filesystem::file_size(folder() + "/memory/weights.bin")) +
                  " bytes of these weights\n0 wrong\n");
    for (const char* vector : {"0", "1", "2", "3", "4"})
        EXPECT_THAT(run({"check", "vectors", vector}).output,
                    HasSubstr(hdl::cat("PASS: frame ", vector, ", 0 wrong lines")));
    expectSameInPython();
    // A weight that was changed: some word is another.
    std::string image = *readText(folder() + "/memory/weights.bin");
    for (char& byte : image)
        byte = static_cast<char>(byte + 1);
    ASSERT_TRUE(writeText(folder() + "/memory/weights.bin", image));
    EXPECT_THAT(run({"check", "vectors", "0"}).output, HasSubstr("FAIL: frame 0"));
}

} // namespace
} // namespace marquetry::test
