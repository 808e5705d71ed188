#include "tests/vendor/exports/export_checks.h"

#include "tests/support/places.h"
#include "tests/vendor/core_file.h"
#include "tests/vendor/ip_xact_rules.h"
#include "tests/vendor/sample_folders.h"

#include <algorithm>
#include <sstream>

namespace marquetry::test {

namespace {

namespace fs = std::filesystem;

std::string whole(const fs::path& path) {
    return readText(path).value_or("");
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

class ExportFolderChecks {
public:
    explicit ExportFolderChecks(const fs::path& folder) : folder_(folder) {
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file())
                files_[fs::relative(entry.path(), folder).generic_string()] = whole(entry.path());
    }

    std::vector<std::string> check() {
        vivado();
        quartus();
        formats();
        software();
        hardware();
        return faults_;
    }

private:
    void fault(const std::string& text) { faults_.push_back(text); }

    /// Files in this folder of the export whose names end so.
    std::vector<std::string> in(const std::string& of, const std::string& end) const {
        std::vector<std::string> found;
        for (const auto& [path, text] : files_)
            if (path.starts_with(of) && path.ends_with(end) &&
                path.find('/', of.size()) == std::string::npos)
                found.push_back(path);
        return found;
    }

    void script(const std::string& tool, const std::string& path, const fs::path& from) {
        const auto result = ran(
            {"tclsh", sourceFolder() + "/tests/vendor/stub/stub.tcl", tool, folder_ / path}, from);
        if (result.exitCode != 0 || result.output.find("script ended") == std::string::npos)
            fault(path + ": " + result.output);
    }

    void vivado() {
        const auto scripts = in("vivado/", ".tcl");
        for (const std::string& path : scripts)
            script("vivado", path, folder_.parent_path());
        const bool any = files_.contains("component.xml");
        if (any != (scripts.size() >= 4) || any != files_.contains("vivado/constraints.xdc"))
            fault("Vivado's project has " + std::to_string(scripts.size()) + " scripts");
    }

    void quartus() {
        const auto settings = in("quartus/", ".qsf");
        for (const std::string& path : settings)
            script("quartus_qsf", path, folder_ / "quartus");
        for (const std::string& path : in("quartus/", "_hw.tcl"))
            script("quartus_hw", path, folder_ / "quartus");
        if (files_.contains("quartus/system.tcl"))
            script("quartus_qsys", "quartus/system.tcl", folder_ / "quartus");
        if (settings.size() != in("quartus/", ".sdc").size() ||
            settings.size() != in("quartus/", ".qpf").size())
            fault("Quartus' project is not whole");
    }

    void formats() {
        if (files_.contains("component.xml")) {
            try {
                const auto exists = [&](const std::string& path) { return files_.contains(path); };
                const XmlElement root = StrictXml::read(files_.at("component.xml"));
                for (const std::string& each : IpXactRules(exists).check(root))
                    fault("component.xml: " + each);
            } catch (const std::runtime_error& error) {
                fault(std::string("component.xml: ") + error.what());
            }
        }
        for (const std::string& path : in("", ".core"))
            if (const std::string faults = faultsOfCore(files_.at(path), files_); !faults.empty())
                fault(path + ": " + faults);
    }

    void silent(const std::string& what, const std::vector<std::string>& command,
                const fs::path& from) {
        const auto result = ran(command, from);
        if (result.exitCode != 0 || !result.output.empty())
            fault(what + ": status " + std::to_string(result.exitCode) + ", " + result.output);
    }

    void software() {
        std::vector<std::string> strict = {"gcc",     "-std=c11",  "-Wall", "-Wextra",
                                           "-Werror", "-pedantic", "-Isw",  "-fsyntax-only"};
        for (const char* end : {".c", ".h"})
            for (const std::string& path : in("sw/", end)) {
                std::vector<std::string> command = strict;
                command.insert(command.end(), {"-x", "c", path});
                silent(path, command, folder_);
            }
        for (const std::string& path : in("sw/", ".py"))
            silent(path,
                   {"python3", "-c", "import sys; compile(open(sys.argv[1]).read(), 'x', 'exec')",
                    path},
                   folder_);
    }

    /// The list of the target, else every source.
    std::vector<std::string> sources() const {
        if (const auto lists = in("", ".f"); !lists.empty())
            return {"-f", lists.front()};
        return in("rtl/", ".v");
    }

    void hardware() {
        const std::string top = topOf(files_["README.md"]);
        if (top.empty())
            return fault("README.md names no top");
        std::vector<std::string> lint = {"verilator", "--lint-only", "-Wall", "--top-module", top};
        std::vector<std::string> compile = {"iverilog", "-g2001", "-Wall", "-Wno-timescale",
                                            "-t",       "null",   "-s",    top};
        for (std::vector<std::string>* command : {&lint, &compile})
            for (const std::string& source : sources())
                command->push_back(source);
        silent("Verilator", lint, folder_);
        silent("Icarus", compile, folder_);
        // What a memory reads is beside its source.
        silent("Yosys",
               {"sh", "-c",
                "yosys -q -p \"read_verilog *.v; hierarchy -check -top " + top +
                    "; proc; check -assert\" 2>&1"},
               folder_ / "rtl");
    }

public:
    /// "Top module `x`".
    static std::string topOf(const std::string& readme) {
        const std::string before = "Top module `";
        const auto at = readme.find(before);
        if (at == std::string::npos)
            return {};
        const auto from = at + before.size();
        return readme.substr(from, readme.find('`', from) - from);
    }

private:
    fs::path folder_;
    files::FolderFiles files_;
    std::vector<std::string> faults_;
};

} // namespace

std::vector<std::string> faultsOfExport(const fs::path& folder) {
    return ExportFolderChecks(folder).check();
}

std::string remarksOfSynthesis(const fs::path& folder, const std::string& family) {
    const std::map<std::string, std::string> commands = {{"xc7", "synth_xilinx -family xc7"},
                                                         {"xcup", "synth_xilinx -family xcup"},
                                                         {"arria10", "synth_intel_alm -noiopad"},
                                                         {"ecp5", "synth_ecp5"},
                                                         {"ice40", "synth_ice40 -dsp"}};
    const std::string top = ExportFolderChecks::topOf(whole(folder / "README.md"));
    const auto made = ran({"sh", "-c",
                           "yosys -p \"read_verilog -DKEEP_PRODUCT_REGISTERS *.v; " +
                               commands.at(family) + " -top " + top + "\" 2>&1"},
                          folder / "rtl");
    std::string remarks;
    for (const std::string& line : linesOf(made.output))
        if (line.starts_with("Warning") || line.starts_with("ERROR"))
            remarks += line + "\n";
    return made.exitCode == 0 ? remarks : remarks + "Yosys failed\n";
}

std::vector<std::string> readmeCommands(const fs::path& folder) {
    std::vector<std::string> commands;
    for (const std::string& line : linesOf(whole(folder / "README.md")))
        if (line.starts_with("    ") && !line.starts_with("     "))
            commands.push_back(line.substr(4));
    return commands;
}

} // namespace marquetry::test
