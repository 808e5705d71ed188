#include "tests/control/real_benches.h"

#include "engine/artefact/axi_export.h"
#include "engine/artefact/design_artefact.h"
#include "engine/artefact/stream_artefact.h"
#include "engine/artefact/vectors.h"
#include "engine/design/external_tensors.h"
#include "engine/design/weight_image.h"
#include "tests/lower_stream/kernel_bench.h"

#include <gtest/gtest.h>

#include <bit>
#include <sstream>

namespace marquetry::test {

namespace {

constexpr int kFrames = 5;

/// The bytes of frames whose beats are lines of hex digits.
std::vector<std::string> framesIn(const std::string& lines, const hdl::CoreStream& stream) {
    const std::int64_t beats = hdl::shellBeats(stream, 0);
    std::vector<std::string> frames;
    std::istringstream in(lines);
    std::int64_t beat = 0;
    for (std::string line; std::getline(in, line); ++beat) {
        if (beat % beats == 0)
            frames.emplace_back();
        for (std::size_t at = line.size(); at > 0; at -= 2)
            frames.back() += static_cast<char>(std::stoi(line.substr(at - 2, 2), nullptr, 16));
    }
    for (std::string& frame : frames)
        frame.resize(static_cast<std::size_t>(stream.frameBits / 8));
    EXPECT_EQ(frames.size(), static_cast<std::size_t>(kFrames)) << stream.name;
    return frames;
}

ShellBench around(const hdl::ShellCore& core, const std::map<std::string, std::string>& files,
                  int streamBits, std::uint64_t seed) {
    ShellBench bench;
    bench.core = core;
    bench.request = {"real", {3, 0xfeedfacecafebeefULL}, streamBits};
    bench.seed = seed;
    for (const hdl::CoreStream& stream : core.sources)
        bench.frames.sources.push_back(framesIn(files.at("in_" + stream.name + ".hex"), stream));
    for (const hdl::CoreStream& stream : core.sinks)
        bench.frames.sinks.push_back(framesIn(files.at("out_" + stream.name + ".hex"), stream));
    return bench;
}

} // namespace

ShellBench designBench(const TestDesign& design, int streamBits, std::uint64_t seed) {
    const auto vectors = hdl::makeVectors(design.program, {kFrames, seed});
    EXPECT_TRUE(vectors);
    const auto circuits = hdl::streamCircuits(design.schedule, design.program);
    EXPECT_TRUE(circuits);
    std::vector<std::vector<std::int64_t>> packed;
    for (const design::ScheduleUnit& unit : design.schedule.units)
        packed.push_back(unit.pass ? std::vector<std::int64_t>()
                                   : design::packWeights(design.schedule, unit.id, design.program,
                                                         vectors->values));
    const hdl::RtlPlan plan = hdl::makePlan(design.schedule);
    const hdl::DesignModules hardware = hdl::designModules(design.schedule, packed, *circuits);
    ShellBench bench = around(hdl::coreOf(plan, hardware.top, hardware.ports),
                              hdl::vectorFiles(plan, *vectors), streamBits, seed);
    if (plan.memory)
        bench.image = design::weightImage(design.schedule, packed);
    if (plan.memory && plan.memory->writes)
        bench.written = static_cast<std::size_t>(design::externalBegin(design.schedule));
    return bench;
}

ShellBench streamBench(const ir::StreamProgram& program, spacetime::Throughput throughput,
                       int streamBits, std::uint64_t seed) {
    const auto timed = datapath::makeDatapath(designAt(program, throughput).circuit);
    EXPECT_TRUE(timed);
    const hdl::StreamModules hardware = hdl::streamModules(program, **timed);
    const auto vectors = hdl::streamVectors(hardware.interface, program, kFrames, seed);
    EXPECT_TRUE(vectors);
    const hdl::StreamPort& output = hardware.interface.output;
    std::int64_t defined = 0;
    for (const char digit : vectors->at("care_" + output.name + ".hex"))
        if (digit != '\n')
            defined +=
                std::popcount(static_cast<unsigned>(std::stoi(std::string(1, digit), nullptr, 16)));
    EXPECT_EQ(defined, kFrames * output.beats * output.lanes * std::ssize(output.leaves));
    return around(hdl::coreOf(hardware.interface, hardware.top), *vectors, streamBits, seed);
}

} // namespace marquetry::test
