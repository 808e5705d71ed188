// Sections that the reports of all products have.
// Thread rule: pure.
#pragma once

#include "engine/artefact/export_form.h"
#include "engine/artefact/manifest.h"
#include "engine/artefact/place_and_route.h"
#include "engine/artefact/report_page.h"
#include "engine/device/device.h"
#include "engine/vendor/project.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::hdl {

/// The control interface of hardware that has one.
using ReportControl = vendor::ProjectControl;

/// What comes from outside the artefact.
struct ReportExtras {
    std::vector<ReportPicture> pictures{};
};

/// Where a figure comes from, as tables say it.
inline constexpr const char* kExact = "exact";
inline constexpr const char* kAssumed = "assumed";

/// Rows of a table of name and value: what is shipped under the id.
std::vector<std::vector<std::string>> deviceRows(const std::string& id);
/// The device that is shipped under the id; null: none is.
const device::Device* shippedDevice(const std::string& id);

/// `views`: what could have been shown of this product.
PageSection picturesSection(const ReportExtras& extras, const std::vector<std::string>& views);

struct ReportStream {
    std::string name;
    rtl::AxisNames port;
    int tdataBits = 64;
    std::int64_t beats = 1; ///< of a frame
    std::string content;    ///< of a beat
    bool isInput = true;
};
/// Of hardware whose streams these are. `contents`: of a beat of each, as the hardware itself has
/// them.
std::vector<ReportStream> reportStreams(const std::vector<vendor::ProjectStream>& streams,
                                        const std::vector<int>& widths,
                                        const std::vector<std::string>& contents);
/// The ports, and waveforms of one input and one output.
std::vector<ReportPart> axisParts(const std::vector<ReportStream>& streams);

/// What the figures of the hardware leave out where a shell is around it.
std::vector<std::vector<std::string>> shellRows(const std::optional<ReportControl>& control);

/// The registers and how they are reached, or that there are none.
PageSection registersSection(const std::optional<ReportControl>& control);

PageSection verifiedSection(const std::string& simulated);
/// `command`: in the folder of the export; empty: none writes the same.
PageSection reproduceSection(const std::string& command);

/// Of hardware that was placed and routed when the page was written: before the section of what was
/// verified, which then says no more that it was not.
void addPlaced(ReportPage& page, const PlacedHardware& placed);

/// Puts the hashes of what the hardware is made of behind the last section.
void addHashes(ReportPage& page, const ExportFiles& files);

/// "0x1c".
std::string hexText(std::uint64_t value);
/// "35 %", of parts of one.
std::string percentText(double part);

} // namespace marquetry::hdl
