// In which form hardware is exported: for which tools, with which control, for which board.
//
// Errors of checkForm, before anything is built: those of vendor::checkChoice, interface-form (what
// belongs to --interface axi without it, or of hardware without streams), stream-width,
// bitstream-target (a target whose tools are not run here).
// Thread rule: value type; pure.
#pragma once

#include "engine/device/device.h"
#include "engine/support/result.h"

#include <cstdint>
#include <string>

namespace marquetry::hdl {

enum class ExportInterface : std::uint8_t {
    Stream, ///< AXI4-Streams and plain ports
    Axi,    ///< in a shell with registers behind AXI4-Lite (engine/control)
};

struct ExportForm {
    ExportForm() = default;
    ExportForm(std::string tool) : target(std::move(tool)) {}
    ExportForm(const char* tool) : target(tool) {}

    std::string target = "verilog"; ///< vendor::targets
    ExportInterface interface = ExportInterface::Stream;
    int streamBits = 0;     ///< of tdata behind the shell; 0: as the hardware has them
    std::string board;      ///< vendor::boards; empty: none
    bool bitstream = false; ///< of the target open: placed and routed before it is written

    bool operator==(const ExportForm&) const = default;
};

const char* nameOf(ExportInterface interface);
Result<ExportInterface> interfaceNamed(const std::string& name);

/// " --target vivado --interface axi --board pynq-z2": the command line's options, but for those
/// that say what is so anyway.
std::string optionsOf(const ExportForm& form);

/// What an export has besides its form that its DESIGN.json does not hold.
struct ExportRest {
    device::Device device{};  ///< of a stream or a memory; no id: DESIGN.json has all of it
    int vectors = 0;          ///< 0: as many as is usual
    std::uint64_t seed = 0;   ///< of the vectors; 0: as DESIGN.json or nobody has it
    std::string outputType{}; ///< that a stream's output was pinned to; empty: any
};

/// "marquetry export DESIGN.json --target vivado --out FOLDER": writes the same, where DESIGN.json
/// is. A device that is not shipped is to be named as FILE.
std::string commandAgain(const ExportForm& form, const ExportRest& rest);

/// `hasStreams`: designs and streams.
Status checkForm(const ExportForm& form, const device::Device& device, bool hasStreams);

} // namespace marquetry::hdl
