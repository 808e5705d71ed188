// Projects for AMD Vivado.
//
//   component.xml xgui/             the hardware as an IP core, where Vivado looks for one
//   vivado/project.tcl              project mode: a board's system with its bitstream, or the
//                                   hardware implemented by itself
//   vivado/build.tcl                the same hardware without a project, by itself
//   vivado/estimate.tcl             synthesis by itself: area and clock before placement
//   vivado/package_ip.tcl           the core, packaged by Vivado
//   vivado/system.tcl               block design around the core; of Zynq devices and registers
//   vivado/constraints.xdc          clock, delays at the ports
//
// Scripts find their files from where they are, write to vivado/build alone, and end with an error
// where a step fails. Facts: UG835 (commands), UG903 (constraints), UG1118 (cores).
// Thread rule: pure. Complexity: linear in the text.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"

namespace marquetry::vendor {

files::FolderFiles vivadoFiles(const Project& project);

} // namespace marquetry::vendor
