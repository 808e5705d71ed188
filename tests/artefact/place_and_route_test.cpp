// Exports with a bitstream: what nextpnr reached stands in their reports.
#include "engine/artefact/place_and_route.h"
#include "engine/device/device_file.h"
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "tests/artefact/export_fixture.h"
#include "tests/support/text_files.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

namespace marquetry::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TestDesign tinyDesign() {
    ScheduleBuilder builder("tiny");
    const auto unit = builder.unit("dense", 1);
    const auto x = builder.input("x", {ir::Scalar::I8, {1, 1, 8}});
    EpilogueSpec epilogue;
    epilogue.requantBefore = requant(9);
    builder.output("y", builder.mv(unit, x, 4, epilogue));
    return builder.finish();
}

hdl::ExportRequest placedRequest(double clockMhz) {
    hdl::ExportRequest request = requestFor(tinyDesign());
    request.device = *device::findDevice("ice40up5k");
    request.device.clockMhz = clockMhz;
    request.form = "open";
    request.form.bitstream = true;
    return request;
}

/// Where programs are looked for, for the time of a test.
class PathOf {
public:
    explicit PathOf(const std::string& value) : before_(std::getenv("PATH")) {
        ::setenv("PATH", value.c_str(), 1);
    }
    ~PathOf() { ::setenv("PATH", before_.c_str(), 1); }
    PathOf(const PathOf&) = delete;
    PathOf& operator=(const PathOf&) = delete;

private:
    std::string before_;
};

class PlacedExport : public ExportTest {
protected:
    /// What was exported to path(`name`), exported once more, is the same, and verifies.
    void expectTheSameAgain(const std::string& name) {
        ASSERT_TRUE(hdl::exportArtefact(hdl::designArtefact(placedRequest(12)), path("again")));
        for (const char* file : {"/manifest.json", "/report.html", "/bitstream/tiny_pins.bin"})
            EXPECT_EQ(*readText(path(name) + file), *readText(path("again") + file)) << file;
        EXPECT_TRUE(verified(path("again"), tinyDesign(), {}).pass);
    }
};

// One test of all that is true of it: placing and routing takes longer than anything else here.
TEST_F(PlacedExport, ReportsWhatItsOwnMakefileReaches) {
    const auto exported =
        hdl::exportArtefact(hdl::designArtefact(placedRequest(12)), path("placed"));
    ASSERT_TRUE(exported) << format(exported.error());
    ASSERT_TRUE(exported->placed);
    // The Makefile of the folder, run by itself, says the same.
    const auto made = runProcess({{"make"}, path("placed")});
    ASSERT_TRUE(made);
    ASSERT_EQ(made->exitCode, 0) << made->output;
    const std::regex reached(R"(Max frequency for clock[^:]*: +([0-9.]+) MHz)");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(made->output, match, reached)) << made->output;
    EXPECT_NEAR(exported->placed->reachedMhz, std::stod(match[1]), 0.006);
    const std::regex cells(R"(ICESTORM_LC: +(\d+)/)");
    std::smatch count;
    ASSERT_TRUE(std::regex_search(made->output, count, cells)) << made->output;
    EXPECT_EQ(*readText(path("placed") + "/build/tiny_pins.bin"),
              *readText(path("placed") + "/bitstream/tiny_pins.bin"));

    const auto report = nlohmann::json::parse(*readText(path("placed") + "/report.json"));
    EXPECT_EQ(report["placed"]["clock_mhz"], 12.0);
    EXPECT_NEAR(report["placed"]["clock_reached_mhz"].get<double>(), std::stod(match[1]), 0.006);
    EXPECT_EQ(report["placed"]["bitstream"], "bitstream/tiny_pins.bin");
    bool found = false;
    for (const auto& kind : report["placed"]["cells"])
        if (kind["kind"] == "ICESTORM_LC") {
            found = true;
            EXPECT_EQ(kind["used"].dump(), count[1]);
            EXPECT_EQ(kind["available"], 5280);
        }
    EXPECT_TRUE(found);
    const std::string page = *readText(path("placed") + "/report.md");
    EXPECT_THAT(page, HasSubstr("Placed and routed"));
    EXPECT_THAT(page, HasSubstr(hdl::placedLine(*exported->placed)));
    EXPECT_THAT(page, Not(HasSubstr("placed or routed")));
    EXPECT_THAT(page, HasSubstr("export DESIGN.json --target open --bitstream"));
    expectTheSameAgain("placed");
}

TEST_F(PlacedExport, IsNotWrittenWhereTheClockIsMissed) {
    const auto exported =
        hdl::exportArtefact(hdl::designArtefact(placedRequest(900)), path("fast"));
    ASSERT_FALSE(exported);
    EXPECT_EQ(exported.error().front().code, "clock-not-met");
    EXPECT_THAT(exported.error().front().message, HasSubstr("(FAIL at 900."));
    EXPECT_FALSE(std::filesystem::exists(path("fast")));
}

TEST_F(PlacedExport, IsNotWrittenWithoutItsTools) {
    const auto artefact = hdl::designArtefact(placedRequest(12));
    ASSERT_TRUE(artefact);
    const PathOf nowhere(path("no tools"));
    const auto exported = hdl::exportArtefact(*artefact, path("none"));
    ASSERT_FALSE(exported);
    EXPECT_EQ(exported.error().front().code, "tool-missing");
    EXPECT_FALSE(std::filesystem::exists(path("none")));
}

TEST_F(PlacedExport, SaysWhatPlaceAndRouteSays) {
    hdl::ExportRequest request = placedRequest(12);
    request.device.part = "ice40hx1k-vq100";
    const auto exported = hdl::exportArtefact(hdl::designArtefact(request), path("large"));
    ASSERT_FALSE(exported);
    EXPECT_EQ(exported.error().front().code, "place-and-route");
    EXPECT_THAT(exported.error().front().message, HasSubstr("ERROR"));
    EXPECT_FALSE(std::filesystem::exists(path("large")));
}

TEST_F(PlacedExport, IsOfTheOpenToolsAlone) {
    hdl::ExportRequest request = placedRequest(12);
    request.form.target = "verilog";
    const auto artefact = hdl::designArtefact(request);
    ASSERT_FALSE(artefact);
    EXPECT_EQ(artefact.error().front().code, "bitstream-target");
}

TEST_F(PlacedExport, EndsWhenItIsStopped) {
    const auto artefact = hdl::designArtefact(placedRequest(12));
    ASSERT_TRUE(artefact);
    std::stop_source stop;
    stop.request_stop();
    const auto placed =
        hdl::placeAndRoute(hdl::filesOf(*artefact), *artefact->flow, stop.get_token());
    ASSERT_FALSE(placed);
    EXPECT_EQ(placed.error().front().code, "cancelled");
}

} // namespace
} // namespace marquetry::test
