// What the verifications of designs, streams and memories share: the private folder in which a
// simulator is built and run, and the lines that testbenches print, one JSON object each.
//
// The folder gets the hardware of the export, from the bytes that were read and checked, and a
// bench of ours. Commands are started in it and see names that are ours or plain, all relative to
// it: wherever the export is, nothing of its path reaches make, a compiler or a shell. It is
// removed at the end; of a failing run a trace is kept in the user's cache.
//
// Errors: export-damaged (hardware that is not simulated, rtl_check.h), output-unwritable,
// simulator-build, those of runProcess. Thread rule: an object belongs to one thread.
#pragma once

#include "engine/artefact/verify.h"
#include "engine/support/folders.h"
#include "engine/support/json.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

/// What of a simulator's output is shown in a message, in bytes.
inline constexpr std::size_t kShownLog = 2000;

/// A failing run of more clocks is not repeated with a trace.
inline constexpr std::int64_t kLongestTrace = 200'000;

/// The end of a long text, printable.
std::string tail(const std::string& text);

class Simulation {
public:
    /// `files`: the bench and what it reads, such as "tb/tb.v" and "vectors/in_x.hex".
    static Result<Simulation> make(const ExportFolder& source, const files::FolderFiles& files,
                                   Simulator simulator, std::stop_token stop);

    bool icarus() const { return simulator_ == Simulator::Icarus; }
    /// The modules of the hardware: "rtl/x.v", sorted.
    const std::vector<std::string>& modules() const { return modules_; }

    /// One command of the build.
    Status build(const std::vector<std::string>& command) const;
    /// The whole output of a built simulation.
    Result<std::string> run(const std::vector<std::string>& command) const;
    /// Repeats a failing run, with "+vcd=…": report.trace or report.traceNote. What cannot be
    /// traced is no error: the answer stands. `name`: an identifier, the beginning of the file's.
    void keepTrace(std::vector<std::string> command, const std::string& name,
                   VerifyReport& report) const;

private:
    Simulation(files::PrivateFolder folder, Simulator simulator, std::stop_token stop);

    Result<std::string> traced(std::vector<std::string> command, const std::string& name) const;

    files::PrivateFolder folder_;
    Simulator simulator_;
    std::stop_token stop_;
    std::vector<std::string> modules_;
    std::string fingerprint_; ///< of the export
};

/// Whether a run with a trace is short enough; if not, report.traceNote says so.
bool isTraceable(std::int64_t clocks, VerifyReport& report);

/// simulator-run, with the end of what was printed: the bench did not come to its end.
Diagnostic unfinished(const std::string& output);

/// A line as JSON; values that a four-state simulator prints as x or z become "x". Discarded when
/// it is no object.
nlohmann::ordered_json testbenchLine(const std::string& line);

/// A field of an object; 0 or "" when it is missing or of another type.
std::int64_t integer(const nlohmann::ordered_json& json, const char* name);
std::string text(const nlohmann::ordered_json& json, const char* name);

/// All but `layer`, of the object under "mismatch".
VerifyMismatch mismatchOf(const nlohmann::ordered_json& json);

} // namespace marquetry::hdl
