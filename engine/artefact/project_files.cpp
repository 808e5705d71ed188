#include "engine/artefact/project_files.h"

#include "engine/design/weight_image.h"
#include "engine/rtl/scope.h"
#include "engine/vendor/targets.h"

#include <set>

namespace marquetry::hdl {

namespace {

/// Names of ports that are not plain.
std::set<std::string> namedBy(const ProjectRoles& roles) {
    std::set<std::string> names = {roles.clock, roles.reset};
    for (const vendor::ProjectStream& stream : roles.streams)
        for (const std::string& name :
             {stream.port.tdata, stream.port.tvalid, stream.port.tlast, stream.port.tready})
            names.insert(name);
    if (roles.control) {
        names.insert(roles.control->interrupt);
        rtl::forEach(roles.control->port, [&](const std::string& name) { names.insert(name); });
    }
    const auto add = [&](const std::string& name) { names.insert(name); };
    if (roles.memory)
        rtl::forEach(roles.memory->port, add);
    if (roles.memory && roles.memory->write)
        rtl::forEach(*roles.memory->write, add);
    return names;
}

} // namespace

ProjectRoles rolesOf(const AxisBench& bench, const std::string& file, int vectors) {
    ProjectRoles roles{bench.names.clock, bench.names.reset, {}};
    const auto add = [&](const BenchStream& stream, bool isInput) {
        roles.streams.push_back(
            {stream.name, stream.port, stream.tdataBits, isInput, stream.beats * stream.tdataBits,
             (isInput ? "in_" : "out_") + stream.name + ".hex", stream.tdataBits});
    };
    for (const BenchStream& source : bench.sources)
        add(source, true);
    for (const BenchSink& sink : bench.sinks)
        add(sink.stream, false);
    if (const auto& memory = bench.memory)
        roles.memory = {memory->port,
                        static_cast<int>(8 * memory->beatBytes),
                        static_cast<int>(design::kBurstBeats),
                        static_cast<int>(memory->mostBursts),
                        static_cast<double>(memory->milliBytesPerClock) / 1000,
                        memory->bytes,
                        "memory/weights.bin"};
    if (bench.memory && bench.memory->writes)
        roles.memory->write = bench.memory->writes->port;
    roles.benches = {{file, bench.names.bench, vectors}};
    return roles;
}

vendor::Project projectOf(const Artefact& artefact, const device::Device& device,
                          const ProjectRoles& roles) {
    vendor::Project project;
    project.name = rtl::identifier(artefact.program);
    project.top = artefact.netlist.top;
    project.clock = roles.clock;
    project.reset = roles.reset;
    for (const Module& module : artefact.netlist.modules)
        project.sources.push_back("rtl/" + module.name + ".v");
    for (const MemoryFile& memory : artefact.netlist.memories)
        project.memories.push_back("rtl/" + memory.name);
    project.streams = roles.streams;
    const std::set<std::string> named = namedBy(roles);
    for (const NetlistPort& port : artefact.netlist.ports)
        if (!named.contains(port.name))
            project.plainPorts.push_back({port.name, port.bits, port.isInput});
    project.control = roles.control;
    project.memory = roles.memory;
    project.benches = roles.benches;
    project.device = device;
    project.clockMhz = device.clockMhz;
    project.board = artefact.form.board;
    project.version = kProgramVersion;
    project.command = artefact.command;
    return project;
}

Result<Artefact> withProject(Artefact artefact, const device::Device& device,
                             const ProjectRoles& roles) {
    const vendor::Project project = projectOf(artefact, device, roles);
    if (const Status fits = vendor::checkProject(artefact.form.target, project); !fits)
        return fits.error();
    artefact.project = vendor::projectFiles(artefact.form.target, project);
    if (artefact.form.bitstream)
        artefact.flow = vendor::openFlow(project);
    return artefact;
}

} // namespace marquetry::hdl
