// Projects of small designs with everything that their exports have: for tools that read Verilog.
#pragma once

#include "engine/artefact/design_artefact.h"
#include "engine/vendor/project.h"
#include "tests/lower_design/schedule_builder.h"

#include <string>

namespace marquetry::test {

struct BuiltProject {
    vendor::Project project;
    files::FolderFiles files; ///< of the export, but for those of a target
};

/// A matrix of 8 bits times a vector, 4 rows of 8, by a unit of so many rows of multipliers.
TestDesign smallDesign(const std::string& name, std::int64_t rows);

/// With the plain ports of a design and two golden vectors.
BuiltProject builtProject(const TestDesign& design, const std::string& device, double clockMhz);

} // namespace marquetry::test
