// The simulators, and the one place where their commands are made.
//
// Commands run in a private folder (simulation.h) and see plain names, all relative to it.
// Thread rule: pure.
#pragma once

#include "engine/support/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

enum class Simulator : std::uint8_t { Verilator, Icarus };

/// What a run that is asked for "+vcd=FILE" writes.
enum class Waveform : std::uint8_t { None, Vcd, Fst };

/// "verilator" or "iverilog".
Result<Simulator> simulatorNamed(const std::string& name);
const char* nameOf(Simulator simulator);

/// What a simulator is built of.
struct SimulatorInput {
    std::string bench; ///< "tb/x.v", or "tb/x.cpp" for Verilator
    std::string top;   ///< module: the bench's, of a bench in C++ the hardware's
    /// Parameter VECTORS of the bench.
    std::optional<std::int64_t> vectors{};
    std::int64_t clocks = 0;            ///< that are going to be simulated
    bool asserts = false;               ///< assertions of the hardware may end the run
    std::vector<std::string> modules{}; ///< "rtl/x.v"
};

using SimulatorCommand = std::vector<std::string>;

/// The command that compiles what Verilator wrote to objectsFolder().
inline constexpr const char* kMake = "make";
std::string objectsFolder(Waveform waveform);
/// Of Verilator's runtime, whatever is simulated.
inline constexpr const char* kRuntimeOptimisation = "OPT_GLOBAL=-O1";

/// One after another. `waveform`: what runs may be asked for; of Icarus either, always.
std::vector<SimulatorCommand> buildCommands(Simulator simulator, const SimulatorInput& input,
                                            Waveform waveform);

/// `arguments`: the bench's plusargs.
SimulatorCommand runCommand(Simulator simulator, const SimulatorInput& input, Waveform waveform,
                            const std::vector<std::string>& arguments);

/// What simulators are given of a seed: "+seed=…".
std::string seedArgument(std::uint64_t seed);

} // namespace marquetry::hdl
