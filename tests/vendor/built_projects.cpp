#include "tests/vendor/built_projects.h"

#include "engine/artefact/testbench_writer.h"
#include "engine/device/device_file.h"
#include "engine/lower_design/design_ports.h"
#include "engine/support/assert.h"

namespace marquetry::test {

namespace {

void addStreams(vendor::Project& project, const hdl::RtlPlan& plan, const hdl::DesignNames& names) {
    const auto add = [&](const hdl::StreamPlan& stream, const rtl::AxisNames& port, bool isInput) {
        project.streams.push_back({stream.name, port, 64, isInput, 64 * stream.beats,
                                   (isInput ? "in_" : "out_") + stream.name + ".hex"});
    };
    for (std::size_t k = 0; k < plan.loads.size(); ++k)
        add(plan.loads[k], names.loads[k], true);
    for (std::size_t k = 0; k < plan.stores.size(); ++k)
        add(plan.stores[k], names.stores[k], false);
}

} // namespace

TestDesign smallDesign(const std::string& name, std::int64_t rows) {
    ScheduleBuilder builder(name);
    const auto unit = builder.unit("dense", rows);
    const auto x = builder.input("x", {ir::Scalar::I8, {1, 1, 8}});
    EpilogueSpec epilogue;
    epilogue.requantBefore = requant(9);
    builder.output("y", builder.mv(unit, x, 4, epilogue));
    return builder.finish();
}

BuiltProject builtProject(const TestDesign& design, const std::string& device, double clockMhz) {
    hdl::ExportRequest request;
    request.schedule = design.schedule;
    request.program = design.program;
    request.programFiles = {{design.program.name + ".mq", "// built by a test\n"}};
    request.vectors = 2;
    const auto artefact = hdl::designArtefact(request);
    ENGINE_ASSERT(artefact.has_value(), "the design has hardware");
    const hdl::RtlPlan plan = hdl::makePlan(design.schedule);
    const hdl::DesignNames names = hdl::designNames(plan);

    BuiltProject built;
    for (const auto& [path, text] : hdl::filesOf(*artefact))
        built.files[path] = text;
    vendor::Project& project = built.project;
    project.name = design.program.name;
    project.top = names.top;
    project.clock = names.clock;
    project.reset = names.reset;
    for (const hdl::Module& module : artefact->netlist.modules)
        project.sources.push_back("rtl/" + module.name + ".v");
    for (const hdl::MemoryFile& memory : artefact->netlist.memories)
        project.memories.push_back("rtl/" + memory.name);
    addStreams(project, plan, names);
    project.plainPorts = {{names.start, 1, true},
                          {names.done, 1, false},
                          {names.busy, 1, false},
                          {names.cycles, 64, false},
                          {names.error, 1, false}};
    project.benches = {{hdl::kDesignVerilatorBench, names.top, 2},
                       {hdl::kDesignVerilogBench, names.bench, 2}};
    project.device = *device::findDevice(device);
    project.clockMhz = clockMhz;
    project.version = "0.1.0";
    project.command = "marquetry export x.mq --out x";
    return built;
}

} // namespace marquetry::test
