// The file that makes an export a core of FuseSoC: CAPI 2, YAML.
//
// Targets: default (the sources, for cores that depend on it), lint (Verilator), and the flow of
// the device's family (icestorm or trellis), which builds the top with few pins. Thread rule: pure.
#pragma once

#include "engine/vendor/pin_harness.h"

#include <string>

namespace marquetry::vendor {

std::string fusesocCore(const Project& project, const PinHarness& harness);

} // namespace marquetry::vendor
