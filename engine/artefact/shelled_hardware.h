// Hardware that is named, with its benches and vectors; in its control shell, or alone.
//
// Errors: those of the shell. Thread rule: pure.
#pragma once

#include "engine/artefact/axi_export.h"
#include "engine/artefact/project_files.h"

#include <string>

namespace marquetry::hdl {

struct NamedHardware {
    rtl::Names names;
    files::FolderFiles benches;
    ProjectRoles roles;
    files::FolderFiles vectors;
};

/// `alone` and `vectors`, `count` of them, are those of the core alone. `name`: the hardware's, an
/// identifier.
Result<NamedHardware> shelledHardware(const ShellCore& core, const std::string& name,
                                      const AxisBench& alone, const AxiForm& form,
                                      const files::FolderFiles& vectors, int count);

} // namespace marquetry::hdl
