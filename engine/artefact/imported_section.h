// The report's section on layers of an imported network: what they are in the file, the integers
// they round with, and the figures of the proof that these are exact.
//
// Nothing, of a program that was not imported. Complexity: layers × values that were imported.
// Thread rule: pure.
#pragma once

#include "engine/artefact/report_page.h"
#include "engine/ir/program.h"

#include <optional>

namespace marquetry::hdl {

std::optional<PageSection> importedSection(const ir::Program& program);

} // namespace marquetry::hdl
