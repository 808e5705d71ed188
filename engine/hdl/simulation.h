// What the verifications of designs, streams and memories share: the folder in which a simulator
// is built and run, and the lines that testbenches print, one JSON object each.
//
// Errors: output-unwritable, process-start, simulator-build, cancelled.
// Thread rule: one simulation per export and simulator at a time.
#pragma once

#include "engine/hdl/verify.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// What of a simulator's output is shown in a message, in bytes.
inline constexpr std::size_t kShownLog = 2000;

/// The end of a long text.
std::string tail(const std::string& text);

class Simulation {
public:
    Simulation(const std::string& exportFolder, Simulator simulator, std::stop_token stop);

    bool icarus() const { return simulator_ == Simulator::Icarus; }
    const std::string& source() const { return source_; } ///< of the export, absolute
    const std::string& folder() const { return folder_; } ///< SOURCE/build/<simulator>
    std::string vectors() const { return folder_ + "/vectors"; }
    std::string tracePath() const { return folder_ + "/failure.vcd"; }
    std::vector<std::string> modules() const; ///< the files rtl/*.v, sorted

    /// Empties the folder and writes what the testbench reads: name → text.
    Status prepare(const std::map<std::string, std::string>& vectors) const;
    /// One command of the build, started in rtl, where the memory files are.
    Status build(const std::vector<std::string>& command) const;
    /// The whole output of a built simulation, started in rtl.
    Result<std::string> run(const std::vector<std::string>& command) const;

private:
    Simulator simulator_;
    std::stop_token stop_;
    std::string source_;
    std::string folder_;
};

/// A line as JSON; values that a four-state simulator prints as x or z become "x". Discarded when
/// it is no object.
nlohmann::ordered_json testbenchLine(const std::string& line);

/// A field; 0 when it is missing or unknown.
std::int64_t integer(const nlohmann::ordered_json& json, const char* name);

/// All but `layer`, of the object under "mismatch".
VerifyMismatch mismatchOf(const nlohmann::ordered_json& json);

} // namespace marquetry::hdl
