#include "tests/lower_stream/as_built_checks.h"

#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/rtl/printed.h"
#include "tests/lower_stream/kernel_synthesis.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace marquetry::test {

namespace {

/// `name`: no other circuit's.
hdl::Netlist netlistOf(const spacetime::Graph& circuit, const std::string& name) {
    const datapath::TimedDatapath t = timed(circuit);
    std::vector<std::string> inputs;
    for (std::size_t k = 0; k < t.datapath.inputs.size(); ++k)
        inputs.push_back(hdl::cat("in_", k));
    rtl::ModuleLibrary library(name);
    return hdl::printed(finished(hdl::kernelModule(library, t, name, inputs, "out_y").module));
}

std::string text(const device::Resources& area) {
    return hdl::cat(std::llround(area.lut), " / ", std::llround(area.ff), " / ", area.bram, " / ",
                    area.dsp);
}

} // namespace

ir::StreamProgram pixelStream(const std::string& item) {
    auto parsed =
        frontend::parseFile(test::sourceFolder() + "/tests/data/streams/pixels/" + item + ".mq");
    EXPECT_TRUE(parsed) << format(parsed.error());
    auto program = frontend::selectStream(*std::move(parsed), item);
    EXPECT_TRUE(program) << format(program.error());
    return *std::move(program);
}

void AsBuiltChecks::add(const ir::StreamProgram& program, spacetime::Throughput throughput) {
    const auto clocks = clocksFor(program, throughput);
    const std::string name =
        hdl::cat(program.name, " | ", throughput.atoms,
                 throughput.clocks == 1 ? "" : hdl::cat("/", throughput.clocks));
    ASSERT_TRUE(clocks) << name << format(clocks.error());
    auto found = hdl::scheduleAsBuilt(program, *clocks, *device::findDevice("xc7k160t"));
    ASSERT_TRUE(found) << name << format(found.error());
    spacetime::StreamDesign& first = found->schedule.front[0];
    ASSERT_TRUE(found->hardware[0]->has_value()) << name;
    if (first.area.lut <= mostLuts_)
        netlists_.push_back(netlistOf(first.circuit, hdl::cat("k", netlists_.size())));
    added_.push_back({name, std::move(first)});
}

void AsBuiltChecks::expectBlocks(std::ostream* table) const {
    const TemporaryFolder folder;
    const auto made = synthesise(netlists_, folder.string());
    ASSERT_TRUE(made);
    auto next = made->begin();
    for (const Added& each : added_) {
        const bool isMade = each.design.area.lut <= mostLuts_;
        const device::Resources& area = each.design.area;
        if (isMade) {
            EXPECT_EQ(area.bram, next->bram) << each.name;
            EXPECT_EQ(area.dsp, next->dsp) << each.name;
        }
        if (table)
            *table << "| " << each.name << " | " << text(each.design.counted) << " | " << text(area)
                   << " | " << (isMade ? text(*next) : "") << " |" << std::endl;
        next += isMade ? 1 : 0;
    }
}

} // namespace marquetry::test
