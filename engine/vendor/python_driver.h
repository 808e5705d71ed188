// The driver in Python, for PYNQ: sw/NAME_pynq.py, with the calls of the driver in C.
//
// Of devices that PYNQ runs on, with the names of the system (boards.h). Thread rule: pure.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"

namespace marquetry::vendor {

/// The project has registers and streams.
files::FolderFiles pythonDriverFiles(const Project& project);

} // namespace marquetry::vendor
