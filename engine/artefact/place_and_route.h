// Place and route of an export by the open tools: its own Makefile, run in a private folder before
// the export is put in place, so that its report tells the clock and the cells of its bitstream.
//
// Errors: tool-missing, clock-not-met (the bitstream would not work at its clock), place-and-route
// (the device has no room, or a tool failed), those of runProcess and PrivateFolder. The same files
// and tools give the same bytes. Thread rule: any thread; minutes for hardware that fills a device.
#pragma once

#include "engine/artefact/manifest.h"
#include "engine/support/result.h"
#include "engine/vendor/open_tools.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// Cells of one kind, by the name that nextpnr has for it: "ICESTORM_LC".
struct PlacedCells {
    std::string kind;
    std::int64_t used = 0, available = 0;
};

/// Hardware behind the shift registers of its four pins (vendor/pin_harness.h), which are counted.
struct PlacedHardware {
    std::string tools; ///< the first line of each one's version
    double requestedMhz = 0, reachedMhz = 0;
    std::vector<PlacedCells> cells; ///< of the kinds that are used
    std::string file;               ///< "bitstream/x_pins.bin", of the export
    std::string bitstream;
};

/// `files`: an export for the target open, whose Makefile this is the flow of.
Result<PlacedHardware> placeAndRoute(const ExportFiles& files, const vendor::OpenFlow& flow,
                                     std::stop_token stop = {});

/// Where an export has the bitstream: "bitstream/x_pins.bin".
std::string bitstreamFile(const vendor::OpenFlow& flow);

/// "placed and routed: 52.2 MHz of 12 MHz asked for, 948 of 5280 ICESTORM_LC, …".
std::string placedLine(const PlacedHardware& placed);

/// `placed`: tools, clock_mhz, clock_reached_mhz, cells, bitstream.
void addPlaced(nlohmann::ordered_json& json, const PlacedHardware& placed);

} // namespace marquetry::hdl
