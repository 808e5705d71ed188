#include "engine/vendor/vivado.h"

#include "engine/vendor/boards.h"
#include "engine/vendor/ip_xact.h"
#include "engine/vendor/readme.h"
#include "engine/vendor/tcl_text.h"
#include "engine/vendor/vivado_scripts.h"

namespace marquetry::vendor {

namespace {

/// A sentence of a processor's port that is narrower than what the prediction counts on.
std::string weightsRemark(const Project& project) {
    if (!project.memory || !hasSystem(project))
        return "";
    const int port = factsOf(processorOf(project.device)).memoryPortBytes;
    if (port >= project.memory->bytesPerClock)
        return "";
    return " The weights' port of this processor moves " + std::to_string(port) +
           " bytes a clock, and the predicted cycles count on " +
           plainNumber(project.memory->bytesPerClock) +
           ": frames that wait for weights take longer (`weights_waits` says how long).";
}

std::string resultsRemark(const Project& project) {
    const std::string first = "The first says area and clock after synthesis. The second ";
    if (buildsSystem(project))
        return first + "builds the system of " + findBoard(project.board)->title + "; `" +
               project.name + ".bit`, `.hwh` and `.xsa` are in `vivado/build` then." +
               weightsRemark(project);
    return first + "places and routes the hardware by itself; its reports are in `vivado/build` "
                   "then.";
}

} // namespace

bool hasSystem(const Project& project) {
    return checkSystem(project).has_value();
}

bool buildsSystem(const Project& project) {
    return findBoard(project.board) != nullptr && hasSystem(project);
}

std::string vivadoFileList(const std::vector<std::string>& paths) {
    std::string list = "[list";
    for (const std::string& path : paths)
        list += " \\\n    " + tclPath("root", path);
    return list + "]";
}

std::string vivadoHead(const Project& project, const std::string& script, const std::string& what) {
    return tclHead({what, "  vivado -mode batch -source vivado/" + script,
                    "Written by Marquetry " + project.version +
                        (project.command.empty() ? "" : ": " + project.command)},
                   1) +
           "# UG895 lists what names of files and folders may hold.\n"
           "if {![regexp {^[A-Za-z0-9_~./:\\\\ @+=-]*$} $root]} {\n"
           "    puts \"WARNING: Vivado does not support all characters of the path $root\"\n"
           "}\n\n";
}

std::string vivadoReadme(const Project& project) {
    Readme readme = {"AMD Vivado",
                     {"vivado -mode batch -source vivado/estimate.tcl",
                      "vivado -mode batch -source vivado/project.tcl"},
                     {resultsRemark(project)}};
    if (hasSystem(project) && !buildsSystem(project))
        readme.remarks.push_back("`vivado/system.tcl` makes a block design with the processor, "
                                 "DMAs and this hardware." +
                                 weightsRemark(project));
    readme.remarks.push_back("Add this folder to the IP repositories of a project to have the "
                             "core, or run `vivado/package_ip.tcl`.");
    readme.remarks.push_back("For Vivado 2020.2 and later. No Vivado has run the scripts; "
                             "stand-ins of its commands have.");
    return readmeText(project, readme);
}

files::FolderFiles vivadoFiles(const Project& project) {
    files::FolderFiles files = {
        {"README.md", vivadoReadme(project)},
        {"component.xml", ipXact(project)},
        {coreWindowPath(project), coreWindow()},
        {"vivado/build.tcl", vivadoBuildScript(project)},
        {"vivado/constraints.xdc", vivadoConstraints(project)},
        {"vivado/estimate.tcl", vivadoEstimateScript(project)},
        {"vivado/package_ip.tcl", vivadoCoreScript(project)},
        {"vivado/project.tcl", vivadoProjectScript(project)},
    };
    if (hasSystem(project))
        files["vivado/system.tcl"] = vivadoSystemScript(project);
    return files;
}

} // namespace marquetry::vendor
