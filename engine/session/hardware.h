// Hardware: the use of hdl by tasks and the command line — files of a design, a stream or a memory,
// exports, verification by simulation.
//
// Errors: no-design, not-exportable (with design.notExportable), design-stale, verify-vectors, and
// those of makeExportRequest, hdl::check, verifyExport and of the exports.
// Cancel: child processes are killed when the stop_token fires.
// Thread rule: belongs to one thread; temporary exports are removed with the object.
#pragma once

#include "engine/artefact/artefact.h"
#include "engine/datapath/time_datapath.h"
#include "engine/session/command.h"
#include "engine/session/design_file.h"
#include "engine/support/folders.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <variant>

namespace marquetry::session {

/// null: there is no design yet.
struct DesignToBuild {
    std::shared_ptr<const design::Design> design;
    std::shared_ptr<const ir::Program> program;
    std::shared_ptr<const std::string> source; ///< the program's text
    DesignChoices choices;                     ///< with the seed of the golden vectors
    hdl::LayerCircuits circuits;               ///< that its stream units were priced by
};

/// The very design that a DESIGN.json holds.
struct HeldToBuild {
    std::shared_ptr<const DesignFile> design;
    std::shared_ptr<const ir::Program> program;
    std::shared_ptr<const std::string> source;
    std::uint64_t seed = 1; ///< of the golden vectors
};

/// A stream with operators.
struct StreamToBuild {
    std::shared_ptr<const StreamItem> stream;
    std::shared_ptr<const std::string> source;
    device::Device device; ///< whose memories it gets
    std::uint64_t seed = 1;
};

/// A memory with a scheme's detail.
struct MemoryToBuild {
    std::shared_ptr<const MemoryItem> memory;
    std::shared_ptr<const std::string> source;
    device::Device device;
};

using ToBuild = std::variant<DesignToBuild, HeldToBuild, StreamToBuild, MemoryToBuild>;

/// Where and how an export is written.
struct ExportOrder {
    hdl::ExportPlace place;
    hdl::ExportForm form{};
    int vectors = 0;                                     ///< 0: as many as is usual
    datapath::Deadline deadline = datapath::kNoDeadline; ///< of the timing of a stream
    std::vector<hdl::ReportPicture> pictures{};          ///< of the report
};

struct VerifyRequest {
    std::string folder;
    Verify command;
};

class Hardware {
public:
    static Status exportable(const ToBuild& hardware);
    /// The RTL of what is exportable; none of a memory with too many wires to look at. The memory
    /// files of a design are named, with a note for text: their contents need the weights and are
    /// made by an export. `progress` is called between files. What is stopped has no files.
    static std::vector<HdlFile> files(const ToBuild& hardware,
                                      const std::function<void()>& progress, std::stop_token stop);
    /// The files that an export would write. Errors: not-listed (too large to be made just to be
    /// looked at), and those of the export.
    static Result<std::vector<ListedFile>> list(const ToBuild& hardware, const ExportOrder& order,
                                                std::stop_token stop = {});
    static Result<hdl::ExportReport> exportTo(const ToBuild& hardware, const ExportOrder& order,
                                              std::stop_token stop = {});
    /// The files that the hardware comes from: no export replaces them.
    static std::vector<std::string> inputsOf(const ToBuild& hardware);
    /// The folder of an export of this design that lives until the next one.
    Result<std::string> exportTemporarily(const ToBuild& hardware, std::stop_token stop);
    /// Ok when the simulation ended, whatever its verdict. `state` is kept up to date; `progress`
    /// says when it changed.
    static Status verify(const VerifyRequest& request, VerifyState& state,
                         const std::function<void()>& progress, std::stop_token stop);

private:
    std::optional<files::PrivateFolder> temporary_;
};

} // namespace marquetry::session
