// Reads FuseSoC's core files as far as the format of those of exports goes: YAML in blocks of two
// spaces, with flow lists and maps of plain or quoted words. What is not that is a fault.
#pragma once

#include "engine/support/folders.h"

#include <string>

namespace marquetry::test {

/// What is wrong with a core file of an export with these files, one a line; empty: nothing. Rules:
/// CAPI 2 of FuseSoC's reference manual (required keys, types of files, filesets that targets
/// name), and Edalize's names of tools.
std::string faultsOfCore(const std::string& text, const files::FolderFiles& files);

} // namespace marquetry::test
