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
#include <vector>

namespace marquetry::vendor {

files::FolderFiles openFiles(const Project& project);

/// What its Makefile runs and writes, by names in the export's folder.
struct OpenFlow {
    std::vector<std::string> tools; ///< in the order of their use, all with --version
    std::string bitstream;          ///< "build/x_pins.bin"
    std::string report;             ///< nextpnr's, in JSON
    double clockMhz = 0;            ///< that is asked for
};
OpenFlow openFlow(const Project& project);

/// Options of nextpnr that choose the device: "--up5k --package sg48". Empty parts are not known.
struct NextpnrDevice {
    std::string size;    ///< "--up5k"
    std::string package; ///< "sg48", "CABGA381"
    std::string speed;   ///< ECP5: "6"
};
NextpnrDevice nextpnrDevice(const device::Device& device);

} // namespace marquetry::vendor
