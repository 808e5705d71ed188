#include "tests/lower_memory/banked_fixture.h"

#include "engine/banking/derive.h"
#include "tests/support/places.h"

#include "engine/banking/plan.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace marquetry::hdl {

namespace {

banking::AccessPattern patternOf(const ir::MemoryProgram& item) {
    auto pattern = banking::accessPattern(item);
    EXPECT_TRUE(pattern.has_value()) << item.name;
    return pattern ? *std::move(pattern) : banking::AccessPattern();
}

device::Device deviceNamed(const std::string& id) {
    const auto found = device::findDevice(id);
    EXPECT_TRUE(found.has_value()) << id;
    return found ? *found : device::Device();
}

ProcessResult run(std::vector<std::string> arguments, const std::string& folder) {
    const std::string name = arguments[0];
    const auto result = runProcess({std::move(arguments), folder});
    EXPECT_TRUE(result.has_value()) << name << " cannot be started";
    return result ? *result : ProcessResult{127, {}};
}

} // namespace

std::vector<ir::MemoryProgram> exampleMemories() {
    const auto parsed =
        frontend::parseFile(test::sourceFolder() + "/examples/memories/memories.mq");
    EXPECT_TRUE(parsed.has_value());
    return parsed ? parsed->memories : std::vector<ir::MemoryProgram>();
}

ir::MemoryProgram memoryItem(const std::string& name, const std::string& body) {
    const auto parsed = frontend::parse("memory " + name + " { " + body + " }", "test.mq");
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : format(parsed.error()));
    return parsed && !parsed->memories.empty() ? parsed->memories[0] : ir::MemoryProgram();
}

BankedMemory plannedMemory(const ir::MemoryProgram& item, const std::string& id) {
    const device::Device device = deviceNamed(id);
    banking::AccessPattern pattern = patternOf(item);
    const auto plan = banking::plan(pattern, item.directive, device);
    EXPECT_TRUE(plan.has_value()) << item.name << (plan ? "" : format(plan.error()));
    const banking::Scheme scheme = plan ? plan->chosen().scheme : banking::Scheme();
    return describeMemory(item.name, std::move(pattern), scheme, device);
}

BankedMemory memoryWith(const ir::MemoryProgram& item, std::vector<ir::FlatMap> maps,
                        const std::string& id) {
    const device::Device device = deviceNamed(id);
    banking::AccessPattern pattern = patternOf(item);
    const banking::Scheme scheme = banking::derive(std::move(maps), pattern.dims);
    return describeMemory(item.name, std::move(pattern), scheme, device);
}

std::vector<std::string> writeMemories(const std::vector<BankedMemory>& memories,
                                       const std::string& folder) {
    std::vector<std::string> files;
    const auto write = [&](const std::string& name, const std::string& text) {
        files.push_back(folder + "/" + name);
        std::ofstream(files.back(), std::ios::binary) << text;
    };
    std::vector<const BankedMemory*> all;
    for (const BankedMemory& memory : memories) {
        for (const Module& module : lowerMemory(memory).modules)
            write(module.name + ".v", module.verilog);
        all.push_back(&memory);
    }
    write("top.v", writeMemoryTestbench("top", all));
    return files;
}

TrafficResult simulate(const std::vector<BankedMemory>& memories, std::int64_t cycles,
                       bool icarus) {
    const test::TemporaryFolder place;
    const std::string folder = place.string();
    const std::vector<std::string> files = writeMemories(memories, folder);
    std::vector<std::string> build =
        icarus ? std::vector<std::string>{"iverilog", "-g2001", "-s",
                                          "top",      "-o",     folder + "/simulation"}
               : std::vector<std::string>{"verilator",    "--binary",
                                          "-O3",          "-Wno-fatal",
                                          "--top-module", "top",
                                          "--Mdir",       folder + "/objects",
                                          "-MAKEFLAGS",   "-s OPT_FAST=-O1 OPT_GLOBAL=-O0"};
    build.insert(build.end(), files.begin(), files.end());
    const ProcessResult built = run(build, folder);
    EXPECT_EQ(built.exitCode, 0) << built.output.substr(0, 4000);
    std::vector<std::string> command =
        icarus ? std::vector<std::string>{"vvp", "-n", folder + "/simulation"}
               : std::vector<std::string>{folder + "/objects/Vtop"};
    command.push_back("+cycles=" + std::to_string(cycles));
    const ProcessResult ran = run(command, folder);
    TrafficResult result{ran.exitCode, ran.output, 0, 0, INT64_MAX, INT64_MAX};
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);) {
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object() || !json.contains("steps"))
            continue;
        ++result.finished;
        result.mismatches += json["mismatches"].get<std::int64_t>();
        result.fewestCycles = std::min(result.fewestCycles, json["cycles"].get<std::int64_t>());
        result.fewestAccesses =
            std::min(result.fewestAccesses,
                     json["reads"].get<std::int64_t>() + json["writes"].get<std::int64_t>());
    }
    return result;
}

} // namespace marquetry::hdl
