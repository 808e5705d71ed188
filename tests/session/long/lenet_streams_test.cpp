// LeNet-5 with its first layer streamed, from the example to a simulation in Verilator, under
// budgets of DSP blocks; the table of docs/skeleshare.md.
#include "engine/frontend/parser.h"
#include "engine/session/explore.h"
#include "engine/session/export_design.h"
#include "engine/session/verify_export.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

namespace marquetry {

namespace {

const std::string kLenet = test::sourceFolder() + "/examples/lenet5/lenet5.mq";

std::shared_ptr<const ir::Program> lenet() {
    auto parsed = frontend::parseFile(kLenet);
    EXPECT_TRUE(parsed.has_value());
    return std::make_shared<const ir::Program>(parsed->programs.front());
}

std::shared_ptr<const design::Design> best(double dsp, bool streams) {
    session::Settings settings;
    settings.device = "xc7k160t";
    settings.limits["dsp"] = dsp;
    settings.without = {"overlap"};
    if (!streams)
        settings.without.emplace_back("streams");
    auto explored = session::explore(lenet(), settings, {});
    EXPECT_TRUE(explored.has_value());
    return explored ? explored->extraction.design : nullptr;
}

hdl::VerifyReport verified(const design::Design& design) {
    std::ifstream file(kLenet);
    std::stringstream text;
    text << file.rdbuf();
    const test::TemporaryFolder place;
    const std::string folder = place / "export";
    const auto request = session::makeExportRequest(design, *lenet(), text.str(), {});
    EXPECT_TRUE(request.has_value());
    EXPECT_TRUE(hdl::exportArtefact(hdl::designArtefact(*request), folder).has_value());
    const auto report =
        session::verifyExport(folder, {hdl::Simulator::Verilator, 2, 1, true}, {}, {});
    EXPECT_TRUE(report.has_value()) << (report ? "" : report.error().front().message);
    return report ? *report : hdl::VerifyReport{};
}

} // namespace

TEST(LenetStreams, SavesCyclesAtEveryBudgetAndVerifies) {
    std::cout << "dsp | without: cycles, DSP, LUT | with: cycles, DSP, LUT\n";
    for (const double dsp : {8.0, 16.0, 32.0, 64.0, 128.0}) {
        const auto plain = best(dsp, false);
        const auto streamed = best(dsp, true);
        ASSERT_TRUE(plain && streamed) << dsp;
        std::cout << dsp << " | " << plain->cycles << ", " << plain->resources.dsp << ", "
                  << plain->resources.lut << " | " << streamed->cycles << ", "
                  << streamed->resources.dsp << ", " << streamed->resources.lut << "\n";
        EXPECT_LT(streamed->cycles, plain->cycles);
        const auto stream = std::ranges::find_if(streamed->units, &design::DesignUnit::streams);
        ASSERT_NE(stream, streamed->units.end());
        EXPECT_TRUE(stream->name.starts_with("Stream[s2, ")) << stream->name;
    }
}

TEST(LenetStreams, RunsInVerilator) {
    for (const double dsp : {8.0, 64.0}) {
        const auto design = best(dsp, true);
        ASSERT_NE(design, nullptr);
        const hdl::VerifyReport report = verified(*design);
        EXPECT_TRUE(report.pass);
        EXPECT_EQ(report.mismatchCount, 0);
        EXPECT_EQ(report.cycles, std::vector<std::int64_t>(2, design->cycles));
    }
}

} // namespace marquetry
