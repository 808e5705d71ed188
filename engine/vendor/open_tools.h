// Projects for Yosys and nextpnr: iCE40 and ECP5.
//
//   Makefile              synthesis, place and route, bitstream; from the export's folder
//   open/NAME_pins.v      a top with four pins, for figures (pin_harness.h)
//   open/NAME.pcf .lpf    the clock; pins are left to whoever knows the board
//   NAME.core             for FuseSoC (CAPI 2): lint, and the same flow through Edalize
//   README.md
// Thread rule: pure. Complexity: linear in the text.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"

#include <string>

namespace marquetry::vendor {

files::FolderFiles openFiles(const Project& project);

/// Options of nextpnr that choose the device: "--up5k --package sg48". Empty parts are not known.
struct NextpnrDevice {
    std::string size;    ///< "--up5k"
    std::string package; ///< "sg48", "CABGA381"
    std::string speed;   ///< ECP5: "6"
};
NextpnrDevice nextpnrDevice(const device::Device& device);

} // namespace marquetry::vendor
