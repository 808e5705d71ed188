// Projects for Intel Quartus Prime.
//
//   quartus/NAME.qpf .qsf .sdc      the hardware by itself, its ports as virtual pins
//   quartus/NAME_hw.tcl             for Platform Designer, with AXI4-Streams
//   quartus/NAME_avalon_hw.tcl .v   the same with Avalon streaming interfaces; where there are
//   streams quartus/system.tcl              for qsys-script: a system of it with a host, memory and
//   DMAs README.md
// Facts: Intel 683432 (settings), 683243 (timing), 683609 and 683364 (Platform Designer).
// Thread rule: pure. Complexity: linear in the text.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"

namespace marquetry::vendor {

files::FolderFiles quartusFiles(const Project& project);

} // namespace marquetry::vendor
