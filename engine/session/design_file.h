// A DESIGN.json as input: the design that `explore --out` or an export wrote, with its schedule,
// the program that it was made of, and what it was searched with.
//
// "source" names the program's file, as it was given to the exploration, and the item; "sha256" of
// it is that of the item with its weights, "schedule_sha256" that of the schedule, "design_sha256"
// that of the design with its device, settings and pins. The program's file is looked for beside
// DESIGN.json when it is an export's ("program_file"), otherwise where its name says, and then from
// the folder of DESIGN.json; so is a file of the device. Files of versions before "settings" say no
// more of the search than its device and cost model.
//
// Errors: those of files::read, file-missing (of the program too), design-form (no DESIGN.json of a
// design, or one that was edited), design-stale (the program has changed), not-exportable,
// schedule-form. Thread rule: pure but for reading.
#pragma once

#include "engine/session/design_choices.h"
#include "engine/session/export_design.h"

#include <optional>
#include <string>

namespace marquetry::session {

struct DesignFile {
    std::string path;
    std::string text; ///< of DESIGN.json
    std::string programFile;
    std::string item;
    std::string device;      ///< id
    DesignChoices choices;   ///< the device as it was given: an id or a file
    std::int64_t cycles = 0; ///< of a run
    std::int64_t frames = 1; ///< of a run
    device::Resources resources;
    std::string programHash;
    /// None: the design cannot be exported.
    std::optional<design::Schedule> schedule;
};

/// By the end of its name: ".json". Programs have other names.
bool isDesignFile(const std::string& path);

Result<DesignFile> readDesignFile(const std::string& path);

/// What "sha256" of a design's source is: of the item as text, and of what its files hold.
std::string hashOf(const ir::Program& program);
/// What "design_sha256" of a DESIGN.json is.
std::string hashOfDesign(const nlohmann::ordered_json& json);

/// design-stale: another program than the one that the design was made of.
Status checkFresh(const DesignFile& design, const ir::Program& program);
/// The same as a warning, where the program is explored again all the same.
Diagnostics staleWarning(const DesignFile& design, const ir::Program& program);

Diagnostic notExportable(const DesignFile& design);
/// The export of the design in the file. `text`: of the program's file.
Result<hdl::ExportRequest> makeExportRequest(const DesignFile& design, const ir::Program& program,
                                             const std::string& text, const ExportOptions& options);

} // namespace marquetry::session
