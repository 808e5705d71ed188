// The private folder in which a simulator is built and run.
//
// The folder gets the hardware of the export, from the bytes that were read and checked, and a
// bench of ours. Commands (simulator.h) are started in it and see names that are ours or plain, all
// relative to it: wherever the export is, nothing of its path reaches make, a compiler or a shell.
// It is removed at the end; of a failing run a trace is kept in the user's cache.
//
// Errors: export-damaged (hardware that is not simulated, rtl_check.h), output-unwritable,
// simulator-build, those of runProcess. Thread rule: an object belongs to one thread.
#pragma once

#include "engine/artefact/verify.h"
#include "engine/support/folders.h"

#include <string>
#include <vector>

namespace marquetry::hdl {

/// A failing run of more clocks is not repeated with a trace.
inline constexpr std::int64_t kLongestTrace = 200'000;

class Simulation {
public:
    /// `files`: the bench and what it reads, such as "tb/tb.v" and "vectors/in_x.hex".
    static Result<Simulation> make(const ExportFolder& source, const files::FolderFiles& files,
                                   Simulator simulator, SimulatorInput input, std::stop_token stop);

    Status build(Waveform waveform) const;
    /// The whole output of a simulation that is built so.
    Result<std::string> run(const std::vector<std::string>& arguments,
                            Waveform built = Waveform::None) const;
    /// Likewise, built for an FST: its waveforms. Errors: no-waveform (none was written),
    /// waveform-too-large.
    struct TracedRun {
        std::string output, fst;
    };
    Result<TracedRun> runWithFst(std::vector<std::string> arguments) const;
    /// A file that a run has written.
    Result<std::string> written(const std::string& name) const;
    /// Repeats a failing run of so many clocks with "+vcd=…": report.trace or report.traceNote.
    /// What cannot be traced is no error: the answer stands. `name`: an identifier, the beginning
    /// of the file's.
    void keepTrace(std::vector<std::string> arguments, std::int64_t clocks, const std::string& name,
                   VerifyReport& report) const;

private:
    Simulation(files::PrivateFolder folder, Simulator simulator, SimulatorInput input,
               std::stop_token stop);

    std::string versions() const;
    Result<std::string> traced(std::vector<std::string> arguments, const std::string& name) const;

    files::PrivateFolder folder_;
    Simulator simulator_;
    SimulatorInput input_;
    std::stop_token stop_;
    std::string fingerprint_; ///< of the export
};

} // namespace marquetry::hdl
