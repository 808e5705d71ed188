#include "engine/vendor/filelist.h"

#include "engine/vendor/readme.h"
#include "engine/vendor/software.h"

#include <algorithm>

namespace marquetry::vendor {

namespace {

/// A bench in Verilog, or in C++; null when there is none.
const ProjectBench* benchOf(const Project& project, bool inCpp) {
    const auto found = std::ranges::find_if(project.benches, [&](const ProjectBench& bench) {
        return bench.file.ends_with(".cpp") == inCpp;
    });
    return found == project.benches.end() ? nullptr : &*found;
}

/// What runs there finds the memories' files by their names.
std::string runInRtl(const std::string& program, const ProjectBench& bench) {
    std::string command = "cd rtl && " + program + " +dir=../vectors";
    if (bench.vectors > 0 && bench.file.ends_with(".cpp"))
        command += " +vectors=" + std::to_string(bench.vectors);
    return command;
}

/// "OPTIONVECTORS=2 " of a bench in Verilog.
std::string parameter(const std::string& option, const ProjectBench& bench) {
    return bench.vectors > 0 && !bench.file.ends_with(".cpp")
               ? option + "VECTORS=" + std::to_string(bench.vectors) + " "
               : "";
}

} // namespace

std::string filelistName(const Project& project) {
    return softwareName(project) + ".f";
}

std::string filelistText(const Project& project) {
    std::string text = "// " + plainText(project.name) + ": sources, each before its users\n";
    for (const std::string& source : project.sources)
        text += source + "\n";
    return text;
}

std::string verilatorCommand(const Project& project) {
    const std::string list = "-f " + filelistName(project);
    const ProjectBench* bench = benchOf(project, true);
    const bool inCpp = bench != nullptr;
    bench = inCpp ? bench : benchOf(project, false);
    if (bench == nullptr)
        return "verilator --lint-only -Wall --top-module " + project.top + " " + list;
    const std::string waits = inCpp ? "" : "--main --timing -Wno-fatal -Wno-WIDTH ";
    return "verilator --cc --exe --build " + waits + parameter("-G", *bench) +
           "-O3 --x-assign fast --x-initial fast --noassert --top-module " + bench->top +
           " --Mdir build " + list + " " + bench->file + " && (" +
           runInRtl("../build/V" + bench->top, *bench) + ")";
}

std::string icarusCommand(const Project& project) {
    const std::string list = "-f " + filelistName(project);
    const std::string output = "build/" + softwareName(project) + ".vvp";
    const ProjectBench* bench = benchOf(project, false);
    if (bench == nullptr)
        return "mkdir -p build && iverilog -g2001 -Wall -s " + project.top + " -o " + output + " " +
               list;
    return "mkdir -p build && iverilog -g2001 " + parameter("-P" + bench->top + ".", *bench) +
           "-s " + bench->top + " -o " + output + " " + list + " " + bench->file + " && (" +
           runInRtl("vvp -n ../" + output, *bench) + ")";
}

files::FolderFiles verilogFiles(const Project& project) {
    Readme readme;
    readme.tools = "any tool that reads Verilog-2001";
    readme.commands = {verilatorCommand(project), icarusCommand(project)};
    readme.remarks = {"`" + filelistName(project) + "` lists the sources, each before its users."};
    if (!project.memories.empty())
        readme.remarks.push_back("`rtl/*.mem` are read by `$readmemh` from the folder where a tool "
                                 "runs: run it in `rtl`, or copy them.");
    if (!project.benches.empty())
        readme.remarks.push_back(
            "Verilator builds only in folders whose path has no spaces, a "
            "limit of GNU Make's. A bench ends with a line that says `\"pass\":true`, or what was "
            "wrong.");
    return {{filelistName(project), filelistText(project)},
            {"README.md", readmeText(project, readme)}};
}

} // namespace marquetry::vendor
