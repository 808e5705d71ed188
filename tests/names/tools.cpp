#include "tests/names/tools.h"

#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"

#include <fstream>
#include <set>

namespace marquetry::test {

namespace {

/// One for all: Icarus warns of modules without one behind those with one.
constexpr const char* kTimescale = "`timescale 1ns / 1ps\n";
/// More exports at once take the tools longer than one lot after another.
constexpr std::size_t kTogether = 64;
/// Of what a tool complains about.
constexpr std::size_t kShown = 1500;

/// Names of the modules in a text.
std::set<std::string> modulesOf(const NamedHardware& item) {
    std::set<std::string> names = {item.bench};
    for (const std::string& text : item.modules) {
        const std::size_t at = text.find("\nmodule ") + 8;
        names.insert(text.substr(at, text.find_first_of(" (", at) - at));
    }
    return names;
}

/// Exports without a module in common, a few in each lot.
std::vector<std::vector<const NamedHardware*>> together(const std::vector<NamedHardware>& items) {
    std::vector<std::vector<const NamedHardware*>> batches;
    std::vector<std::set<std::string>> taken;
    for (const NamedHardware& item : items) {
        const std::set<std::string> names = modulesOf(item);
        std::size_t batch = 0;
        const auto clashes = [&] {
            for (const std::string& name : names)
                if (taken[batch].contains(name))
                    return true;
            return false;
        };
        while (batch < batches.size() && (batches[batch].size() == kTogether || clashes()))
            ++batch;
        if (batch == batches.size()) {
            batches.emplace_back();
            taken.emplace_back();
        }
        batches[batch].push_back(&item);
        taken[batch].insert(names.begin(), names.end());
    }
    return batches;
}

std::string saidBy(std::vector<std::string> arguments, const std::string& folder) {
    const std::string name = arguments[0];
    const auto result = runProcess({std::move(arguments), folder});
    if (!result)
        return name + " cannot be started";
    return result->exitCode == 0 ? result->output
                                 : name + " failed:\n" + result->output.substr(0, kShown);
}

} // namespace

ToolsSaid askTools(const std::vector<NamedHardware>& items) {
    ToolsSaid said;
    for (const auto& batch : together(items)) {
        const TemporaryFolder folder;
        std::ofstream rtl(folder / "rtl.v");
        std::ofstream benches(folder / "benches.v");
        std::vector<std::string> icarus = {"iverilog", "-g2001", "-o", "simulation"};
        rtl << kTimescale;
        benches << kTimescale;
        for (const NamedHardware* item : batch) {
            for (const std::string& module : item->modules)
                rtl << module;
            benches << item->benchText;
            icarus.insert(icarus.end(), {"-s", item->bench});
        }
        rtl.close();
        benches.close();
        icarus.insert(icarus.end(), {"rtl.v", "benches.v"});
        said.icarus += saidBy(icarus, folder.string());
        said.verilator += saidBy(
            {"verilator", "--lint-only", "-Wall", "-Wno-MULTITOP", "-Wno-DECLFILENAME", "rtl.v"},
            folder.string());
        said.yosys += saidBy({"yosys", "-q", "-p", "read_verilog rtl.v; hierarchy -check; proc"},
                             folder.string());
    }
    return said;
}

} // namespace marquetry::test
