#include "tests/names/named_hardware.h"

#include "engine/artefact/stream_testbench.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/datapath/make_datapath.h"
#include "engine/device/device_file.h"
#include "engine/lower_design/lower_design.h"
#include "engine/lower_design/plan.h"
#include "engine/lower_stream/stream_hardware.h"
#include "engine/rtl/reserved_words.h"
#include "tests/frontend/stream_helpers.h"
#include "tests/lower_design/schedule_builder.h"
#include "tests/lower_memory/banked_fixture.h"
#include "tests/lower_stream/kernel_bench.h"

#include <algorithm>
#include <map>

namespace marquetry::test {

namespace {

/// Ports of one item, of each direction.
constexpr std::size_t kPortsAtOnce = 24;

std::vector<std::string> texts(const hdl::Netlist& netlist) {
    std::vector<std::string> all;
    for (const hdl::Module& module : netlist.modules)
        all.push_back(module.verilog);
    return all;
}

std::string numbered(const std::string& word) {
    std::string name;
    for (const char c : word)
        name += c == '#' ? '0' : c;
    return name;
}

std::vector<std::string> slice(const std::vector<std::string>& names, std::size_t from) {
    const std::size_t end = std::min(names.size(), from + kPortsAtOnce);
    return {names.begin() + static_cast<std::ptrdiff_t>(std::min(from, end)),
            names.begin() + static_cast<std::ptrdiff_t>(end)};
}

struct Stream {
    ir::StreamProgram program;
    spacetime::Graph circuit;
};

/// The sum of so many inputs, scheduled once.
const Stream& summed(std::size_t inputs) {
    static std::map<std::size_t, Stream> all;
    if (const auto found = all.find(inputs); found != all.end())
        return found->second;
    std::string text;
    std::string sum = "map(fn v -> add(v, 1), x0)";
    for (std::size_t k = 0; k < inputs; ++k) {
        text += hdl::cat("input x", k, " : Seq 2 u8; ");
        if (k > 0)
            sum = hdl::cat("map2(add, ", sum, ", x", k, ")");
    }
    const ir::StreamProgram program =
        frontend::streamOf("stream s { " + text + "output y = " + sum + "; }");
    return all[inputs] = {program, designAt(program, {1, 1}).circuit};
}

} // namespace

NamedHardware memoryNamed(const std::string& item) {
    static const hdl::BankedMemory planned = hdl::plannedMemory(
        hdl::memoryItem("m", "array a : i8[2]; for i in 0 .. 2 { read a[i]; write a[i]; }"));
    static const device::Device device = *device::findDevice("xc7k160t");
    const hdl::BankedMemory memory =
        hdl::describeMemory(item, planned.pattern, planned.scheme, device);
    const hdl::Netlist netlist = hdl::lowerMemory(memory);
    const std::string& bench = memory.names.bench;
    return {"memory " + item, netlist.top, bench, texts(netlist),
            hdl::writeMemoryTestbench(bench, {&memory})};
}

NamedHardware streamNamed(const std::string& item, const std::vector<std::string>& inputs,
                          const std::string& output) {
    auto [program, circuit] = summed(inputs.size());
    program.name = item;
    for (std::size_t k = 0; k < inputs.size(); ++k)
        program.graph.nodes[program.graph.inputs[k].index()].name = inputs[k];
    program.graph.outputs[0].name = output;
    const auto timed = datapath::makeDatapath(circuit);
    EXPECT_TRUE(timed) << item;
    const hdl::StreamHardware hardware = hdl::makeStreamHardware(program, **timed);
    return {"stream " + item, hardware.netlist.top, hardware.names.bench, texts(hardware.netlist),
            hdl::writeAxisTestbench(hdl::streamBench(hardware.interface, hardware.names))};
}

NamedHardware scheduleNamed(const design::Schedule& schedule) {
    const hdl::DesignHardware hardware =
        hdl::lowerDesign(schedule, std::vector<std::vector<std::int64_t>>(schedule.units.size()));
    return {"design " + schedule.name, hardware.netlist.top, hardware.names.bench,
            texts(hardware.netlist),
            hdl::writeAxisTestbench(hdl::designBench(hdl::makePlan(schedule), hardware.names))};
}

NamedHardware designNamed(const std::string& item, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs) {
    ScheduleBuilder builder(item);
    const auto unit = builder.passUnit("copy", ir::Scalar::I8);
    std::vector<design::TensorId> loaded;
    for (const std::string& input : inputs)
        loaded.push_back(builder.input(input, {ir::Scalar::I8, {1, 1, 8}}));
    const design::TensorId copy = builder.pass(unit, loaded[0], {});
    for (const std::string& output : outputs)
        builder.output(output, copy);
    return scheduleNamed(builder.finish().schedule);
}

std::vector<std::string> troublesomeNames() {
    std::vector<std::string> names;
    for (const rtl::ReservedWord& word : rtl::reservedWords())
        names.push_back(numbered(std::string(word.word)));
    for (const char* name :
         {"NULL",     "TOP",     "errno",  "eval",        "trace",     "final_",   "list",
          "queue",    "dut",     "tb",     "top",         "words",     "traffic",  "kernel",
          "seed",     "flat",    "bank",   "random",      "cycle",     "vector",   "running",
          "step",     "first",   "second", "result",      "word",      "in",       "out",
          "load",     "store",   "slot",   "unit",        "sequencer", "follower", "unused",
          "f",        "of",      "s_axis", "m_axis",      "condition", "phase",    "a__b",
          "a_b",      "A_B",     "_a",     "a_",          "A",         "_",        "x",
          "Specify",  "SPECIFY", "Aclk",   "aclk_x",      "specify_x", "word_top", "load_top",
          "in_valid", "y",       "Y",      "block_memory"})
        names.emplace_back(name);
    for (const char* end : {"", "_a", "_A"})
        names.push_back(std::string(300, 'm') + end);
    return names;
}

std::vector<NamedHardware> itemsNamed(const std::vector<std::string>& names) {
    std::vector<NamedHardware> items;
    for (const std::string& name : names) {
        items.push_back(memoryNamed(name));
        items.push_back(streamNamed(name, {name}, "y"));
        items.push_back(designNamed(name, {"x"}, {name}));
    }
    return items;
}

std::vector<NamedHardware> outputsNamed(const std::vector<std::string>& names) {
    std::vector<NamedHardware> items;
    for (std::size_t k = 0; k < names.size(); ++k)
        items.push_back(streamNamed("output" + std::to_string(k), {"x"}, names[k]));
    return items;
}

std::vector<NamedHardware> portsNamed(const std::vector<std::string>& names) {
    std::vector<NamedHardware> items;
    for (std::size_t from = 0; from < names.size(); from += kPortsAtOnce) {
        const auto number = std::to_string(from);
        const auto next = from + kPortsAtOnce < names.size() ? from + kPortsAtOnce : 0;
        items.push_back(designNamed("ports" + number, slice(names, from), slice(names, next)));
        items.push_back(streamNamed("ports" + number, slice(names, from), names[next]));
    }
    return items;
}

} // namespace marquetry::test
