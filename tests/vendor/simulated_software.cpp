#include "tests/vendor/simulated_software.h"

#include "engine/artefact/exported_core.h"
#include "engine/artefact/project_files.h"
#include "engine/artefact/testbench_writer.h"
#include "engine/design/schedule_json.h"
#include "engine/support/json.h"
#include "engine/vendor/software.h"
#include "tests/support/places.h"
#include "tests/vendor/sample_folders.h"
#include "tests/vendor/sample_projects.h"

#include <gtest/gtest.h>

namespace marquetry::test {

namespace {

using hdl::cat;
using vendor::Project;
using vendor::ProjectStream;

std::string everywhere(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// Names of wires, as ports.h of software/shell/sim.cpp has them.
std::string wireMacros(const Project& project) {
    const rtl::AxiLiteNames& axi = project.control->port;
    std::string text;
    for (const auto& [macro, wire] : std::vector<std::pair<std::string, std::string>>{
             {"ACLK", project.clock},
             {"ARESETN", project.reset},
             {"AWADDR", axi.awaddr},
             {"AWVALID", axi.awvalid},
             {"AWREADY", axi.awready},
             {"WDATA", axi.wdata},
             {"WSTRB", axi.wstrb},
             {"WVALID", axi.wvalid},
             {"WREADY", axi.wready},
             {"BVALID", axi.bvalid},
             {"BREADY", axi.bready},
             {"ARADDR", axi.araddr},
             {"ARVALID", axi.arvalid},
             {"ARREADY", axi.arready},
             {"RDATA", axi.rdata},
             {"RVALID", axi.rvalid},
             {"RREADY", axi.rready},
             {"INTERRUPT", project.control->interrupt}})
        text += cat("#define ", macro, " ", wire, "\n");
    return text;
}

/// Of ports.h what the memory is asked and answers; without one nothing.
std::string readsText(const Project& project) {
    std::string bytes = "0", asked, answered;
    if (const auto& memory = project.memory) {
        const rtl::AxiReadNames& p = memory->port;
        bytes = std::to_string(memory->dataBits / 8);
        asked = cat("*address = d.", p.araddr, "; *beats = d.", p.arlen, " + 1u; return d.",
                    p.arvalid, ";\n");
        answered = cat("d.", p.arready, " = takes; d.", p.rvalid, " = valid; d.", p.rlast,
                       " = last; d.", p.rresp, " = response; if (valid) std::memcpy(&d.", p.rdata,
                       ", from, ", bytes, ");\n");
    }
    return cat("constexpr std::size_t kReadBytes = ", bytes,
               ";\ninline bool readAsked([[maybe_unused]] const Dut& d, [[maybe_unused]] "
               "std::uint64_t* address, [[maybe_unused]] unsigned* beats) {\n",
               asked.empty() ? "return false;\n" : asked,
               "}\ninline void answerRead([[maybe_unused]] Dut& d, [[maybe_unused]] bool takes, "
               "[[maybe_unused]] bool valid, [[maybe_unused]] bool last, [[maybe_unused]] unsigned "
               "response, [[maybe_unused]] const std::uint8_t* from) {\n",
               answered, "}\n");
}

/// ports.h: what a stream k does, function by function.
std::string portsText(const Project& project) {
    std::string source, ready, sink, valid, last, data, bytes;
    int sources = 0, k = 0;
    for (const ProjectStream& s : project.streams) {
        const std::string when = cat("if (k == ", k++, ") ");
        const int width = s.tdataBits / 8;
        bytes += cat(width, ", ");
        sources += s.isInput ? 1 : 0;
        if (s.isInput) {
            source += cat(when, "{ d.", s.port.tvalid, " = valid; d.", s.port.tlast,
                          " = last; if (valid) std::memcpy(&d.", s.port.tdata, ", from, ", width,
                          "); }\n");
            ready += cat(when, "return d.", s.port.tready, ";\n");
        } else {
            sink += cat(when, "d.", s.port.tready, " = ready;\n");
            valid += cat(when, "return d.", s.port.tvalid, ";\n");
            last += cat(when, "return d.", s.port.tlast, ";\n");
            data += cat(when, "std::memcpy(to, &d.", s.port.tdata, ", ", width, ");\n");
        }
    }
    const auto function = [](const std::string& head, const std::string& body) {
        return "inline " + head + " {\n" + body + "}\n";
    };
    return cat("#pragma once\n#include \"V", project.top, ".h\"\n#include <cstring>\nusing Dut = V",
               project.top, ";\n", wireMacros(project), "constexpr int kSources = ", sources,
               ", kStreams = ", k, ";\nconstexpr std::size_t kBeatBytes[] = {", bytes, "};\n") +
           function(
               "void driveSource(Dut& d, int k, bool valid, bool last, const std::uint8_t* from)",
               source) +
           function("bool sourceReady(const Dut& d, int k)", ready + "return false;\n") +
           function("void driveSink(Dut& d, int k, bool ready)", sink) +
           function("bool sinkValid(const Dut& d, int k)", valid + "return false;\n") +
           function("bool sinkLast(const Dut& d, int k)", last + "return false;\n") +
           function("void sinkData(const Dut& d, int k, std::uint8_t* to)", data) +
           readsText(project);
}

} // namespace

void buildSimulation(const std::filesystem::path& folder, const Project& project,
                     const std::string& sources, const std::string& driver) {
    const std::string name = vendor::softwareName(project);
    const std::string own = sourceFolder() + "/tests/vendor/software/shell/";
    files::FolderFiles files = {{"sim/ports.h", portsText(project)}};
    // They are written for a design that is named toy.
    for (const std::string& file : {std::string("shell_board.c"), driver})
        files["sim/" + file] = everywhere(everywhere(*readText(own + file), "toy", name), "TOY",
                                          vendor::upperCase(name));
    for (const char* file : {"sim.cpp", "sim.h"})
        files[std::string("sim/") + file] = *readText(own + file);
    writeAll(folder, files);
    const std::string gcc =
        "cd sw && gcc -std=c11 -Wall -Wextra -Werror -pedantic -O1 -I. -I../sim ";
    const std::string weights = project.memory ? " " + name + "_weights.c" : "";
    for (const std::string& command :
         {gcc + "-c " + name + ".c " + name + "_dma.c" + weights + " ../sim/shell_board.c ../sim/" +
              driver,
          gcc + "-Dmain=check_main -c " + name + "_check.c && ar rc libsoftware.a *.o",
          "verilator --cc --exe --build -O3 -CFLAGS '-O1 -I../sim' --top-module " + project.top +
              " --Mdir build -o sim " + sources + " sim/sim.cpp ../sw/libsoftware.a"}) {
        const auto built = ran({"sh", "-c", command}, folder);
        ASSERT_EQ(built.exitCode, 0) << command << "\n" << built.output;
    }
}

Project softwareProjectOf(const hdl::ExportFolder& source) {
    const auto json = hdl::designOf(source);
    const auto schedule = design::scheduleFromJson(json["schedule"]);
    const auto form = hdl::axiFormIn(json);
    EXPECT_TRUE(schedule && form && *form);
    const hdl::RtlPlan plan = hdl::makePlan(*schedule);
    const auto shelled = hdl::inShell(hdl::coreOf(plan), plan.name,
                                      hdl::designBench(plan, hdl::designNames(plan)), **form);
    EXPECT_TRUE(shelled);
    const hdl::ProjectRoles roles = hdl::rolesOf(shelled->bench, hdl::kAxiBench, 1);
    Project project = sampleBase(plan.name, "zu3eg");
    project.top = shelled->bench.names.top;
    project.clock = roles.clock;
    project.reset = roles.reset;
    project.streams = roles.streams;
    project.control = shelled->control;
    project.memory = roles.memory;
    return project;
}

} // namespace marquetry::test
