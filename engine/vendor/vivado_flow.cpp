#include "engine/vendor/boards.h"
#include "engine/vendor/tcl_text.h"
#include "engine/vendor/vivado_scripts.h"

namespace marquetry::vendor {

namespace {

/// Runs of a project at the same time.
constexpr const char* kJobs = "4";

std::string sourcesRead(const Project& project) {
    std::string text = "read_verilog " + vivadoFileList(project.sources) + "\n";
    if (!project.memories.empty())
        text += "read_mem " + vivadoFileList(project.memories) + "\n";
    return text + "read_xdc [list [file join $here constraints.xdc]]\n";
}

std::string synthesis(const Project& project, bool outOfContext) {
    return "synth_design -top " + tclWord(project.top) + " -part " + tclWord(project.device.part) +
           (outOfContext ? " -mode out_of_context\n" : "\n");
}

std::string outputFolder(const std::string& name) {
    return "set out [file join $here build " + name + "]\nfile mkdir $out\n\n";
}

std::string reports() {
    return "report_utilization -file [file join $out utilization.rpt]\n"
           "report_timing_summary -delay_type min_max -max_paths 10 -file "
           "[file join $out timing.rpt]\n";
}

/// Last, because it says whether the clock is met.
std::string verdict(const Project& project) {
    return "\nset paths [get_timing_paths -quiet -delay_type max -max_paths 1]\n"
           "if {[llength $paths] > 0} {\n"
           "    set slack [get_property SLACK $paths]\n"
           "    puts \"slack of the longest path: $slack ns\"\n"
           "    if {$slack < 0} {\n"
           "        puts \"WARNING: the clock of " +
           project.top +
           " is not met\"\n"
           "    }\n"
           "}\n"
           "puts \"reports are in $out\"\n";
}

std::string runFinished(const std::string& run, const std::string& options) {
    return "launch_runs " + run + options + " -jobs " + kJobs + "\nwait_on_run " + run +
           "\nif {[get_property PROGRESS [get_runs " + run +
           "]] ne \"100%\"} {\n"
           "    error \"" +
           run + " has failed: [get_property STATUS [get_runs " + run + "]]\"\n}\n";
}

std::string createOnly() {
    return "\n# With \"-tclargs create\" the project is made and nothing is run.\n"
           "if {[info exists argv] && [lindex $argv 0] eq \"create\"} {\n"
           "    return\n"
           "}\n\n";
}

std::string standaloneProject(const Project& project) {
    std::string files =
        "add_files -fileset sources_1 -norecurse " + vivadoFileList(project.sources) + "\n";
    if (!project.memories.empty())
        files +=
            "add_files -fileset sources_1 -norecurse " + vivadoFileList(project.memories) + "\n";
    return vivadoHead(project, "project.tcl",
                      "Project of " + project.top + ", implemented by itself") +
           outputFolder("project") + "create_project -force -part " + tclWord(project.device.part) +
           " " + tclWord(project.name) + " $out\n" + files +
           "add_files -fileset constrs_1 -norecurse [list [file join $here constraints.xdc]]\n"
           "set_property top " +
           tclWord(project.top) +
           " [get_filesets sources_1]\n"
           "update_compile_order -fileset sources_1\n\n"
           "# By itself: the ports end in the fabric, as they do inside of a larger design.\n"
           "set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} "
           "-value {-mode out_of_context} -objects [get_runs synth_1]\n" +
           createOnly() + runFinished("synth_1", "") +
           runFinished("impl_1", " -to_step route_design") + "open_run impl_1\n" + reports() +
           verdict(project);
}

std::string results(const Project& project) {
    const std::string name = project.name;
    return "\nset run [get_property DIRECTORY [get_runs impl_1]]\n"
           "file copy -force [file join $run system_wrapper.bit] [file join $out " +
           name +
           ".bit]\n"
           "# Vivado has moved what it generates from .srcs to .gen.\n"
           "foreach generated {gen srcs} {\n"
           "    set handoff [file join $out system " +
           name +
           "_system.$generated sources_1 bd system hw_handoff system.hwh]\n"
           "    if {[file exists $handoff]} {\n"
           "        file copy -force $handoff [file join $out " +
           name +
           ".hwh]\n"
           "        break\n"
           "    }\n"
           "}\n"
           "if {![file exists [file join $out " +
           name +
           ".hwh]]} {\n"
           "    error \"Vivado has written no description of the system (system.hwh)\"\n"
           "}\n"
           "write_hw_platform -fixed -include_bit -force -file [file join $out " +
           name + ".xsa]\n";
}

std::string boardProject(const Project& project) {
    return vivadoHead(project, "project.tcl",
                      "System of " + findBoard(project.board)->title + " around " + project.top +
                          ", with its bitstream") +
           "source [file join $here system.tcl]\n" + createOnly() +
           "set out [file join $here build]\n"
           "foreach suffix {bit hwh xsa} {\n"
           "    file delete [file join $out " +
           project.name +
           ".$suffix]\n"
           "}\n" +
           runFinished("synth_1", "") + runFinished("impl_1", " -to_step write_bitstream") +
           "open_run impl_1\n" + reports() + results(project) + verdict(project);
}

} // namespace

std::string vivadoProjectScript(const Project& project) {
    return buildsSystem(project) ? boardProject(project) : standaloneProject(project);
}

std::string vivadoBuildScript(const Project& project) {
    return vivadoHead(project, "build.tcl", "Implements " + project.top + " without a project") +
           outputFolder("implementation") + sourcesRead(project) +
           "\n# With a file pins.xdc beside this script the ports go to pins and a bitstream is "
           "written;\n"
           "# without, they end in the fabric, as they do inside of a larger design.\n"
           "set pins [file join $here pins.xdc]\n"
           "if {[file exists $pins]} {\n"
           "    read_xdc [list $pins]\n    " +
           synthesis(project, false) + "} else {\n    " + synthesis(project, true) +
           "}\n"
           "opt_design\n"
           "place_design\n"
           "phys_opt_design\n"
           "route_design\n\n" +
           reports() +
           "report_route_status -file [file join $out route_status.rpt]\n"
           "write_checkpoint -force [file join $out " +
           tclWord(project.top + ".dcp") +
           "]\n"
           "if {[file exists $pins]} {\n"
           "    write_bitstream -force [file join $out " +
           tclWord(project.top + ".bit") + "]\n}\n" + verdict(project);
}

std::string vivadoEstimateScript(const Project& project) {
    return vivadoHead(project, "estimate.tcl",
                      "Synthesises " + project.top +
                          " by itself: area, and the clock before placement") +
           outputFolder("estimate") + sourcesRead(project) + synthesis(project, true) + "\n" +
           reports() + verdict(project);
}

} // namespace marquetry::vendor
