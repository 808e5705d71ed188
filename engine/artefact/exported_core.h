// Hardware with streams as an export that is opened has it: alone, or, if DESIGN.json says so, in
// its shell.
//
// Errors: those of axiFormIn and of the shell. Thread rule: immutable when made.
#pragma once

#include "engine/artefact/axi_export.h"
#include "engine/artefact/opened_export.h"

#include <optional>
#include <string>

namespace marquetry::hdl {

class ExportedCore {
public:
    /// `alone`: the bench of the core alone. `name`: the hardware's.
    static Result<ExportedCore> in(const ExportFolder& source, ShellCore core,
                                   const std::string& name, AxisBench alone);

    bool hasShell() const { return form_.has_value(); }
    /// The shell's streams have other widths than the core's.
    bool convertsStreams() const;
    /// Of the shell, or of the core.
    const AxisBench& bench() const { return bench_; }
    /// Vectors of the core, as the bench reads them.
    files::FolderFiles vectors(files::FolderFiles ofCore) const;
    /// Of a stream whose core takes so many; 0: not predicted.
    std::int64_t cycles(std::int64_t ofCore) const;
    /// Of all streams of a shell, in a frame.
    std::int64_t shellBeatsOfFrame() const;

private:
    std::optional<AxiForm> form_;
    ShellCore core_;
    AxisBench alone_, bench_;
};

} // namespace marquetry::hdl
