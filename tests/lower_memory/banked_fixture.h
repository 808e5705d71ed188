// Banked memories of items, written to a folder and run in a simulator.
#pragma once

#include "engine/artefact/banked_testbench.h"
#include "engine/ir/memory_program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// The items of examples/memories.
std::vector<ir::MemoryProgram> exampleMemories();

/// The item `memory NAME { BODY }`.
ir::MemoryProgram memoryItem(const std::string& name, const std::string& body);

/// With the scheme that the planner chooses (or the item's directive).
BankedMemory plannedMemory(const ir::MemoryProgram& item, const std::string& device = "xc7k160t");

/// With these maps, conflict-free or not.
BankedMemory memoryWith(const ir::MemoryProgram& item, std::vector<ir::FlatMap> maps,
                        const std::string& device = "xc7k160t");

/// Writes every module and the testbench `top` of all memories into the folder; the files' paths.
std::vector<std::string> writeMemories(const std::vector<BankedMemory>& memories,
                                       const std::string& folder);

struct TrafficResult {
    int exitCode = 0;
    std::string output;
    int finished = 0; ///< memories that printed their last line
    std::int64_t mismatches = 0;
    std::int64_t fewestCycles = 0;
    std::int64_t fewestAccesses = 0;
};

/// All memories in one simulation. Fails the test when a tool fails to build it.
TrafficResult simulate(const std::vector<BankedMemory>& memories, std::int64_t cycles,
                       bool icarus = false);

} // namespace marquetry::hdl
