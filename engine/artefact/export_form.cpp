#include "engine/artefact/export_form.h"

#include "engine/device/device_file.h"
#include "engine/support/quote.h"
#include "engine/vendor/targets.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <iterator>

namespace marquetry::hdl {

namespace {

/// The shortest that reads as the same number.
std::string wholeText(double value) {
    char text[32];
    return {text, std::to_chars(text, std::end(text), value).ptr};
}

bool hasBoard(const ExportForm& form) {
    return !form.board.empty() && form.board != "none";
}

Status checkInterface(const ExportForm& form, bool hasStreams) {
    if (form.interface == ExportInterface::Axi)
        return hasStreams
                   ? ok()
                   : makeError("interface-form", "a memory has no streams and no frames to start",
                               "--interface stream keeps its plain ports");
    if (form.streamBits != 0)
        return makeError("interface-form", "--stream-bits is of --interface axi",
                         "add --interface axi, or drop it");
    if (hasBoard(form))
        return makeError("interface-form", "a board's processor reaches hardware by registers",
                         "add --interface axi, or choose board 'none'");
    return ok();
}

} // namespace

const char* nameOf(ExportInterface interface) {
    return interface == ExportInterface::Axi ? "axi" : "stream";
}

Result<ExportInterface> interfaceNamed(const std::string& name) {
    for (const ExportInterface interface : {ExportInterface::Stream, ExportInterface::Axi})
        if (name == nameOf(interface))
            return interface;
    return makeError("interface-form", "no interface is named " + inQuotes(name),
                     "interfaces: 'stream' and 'axi'");
}

std::string optionsOf(const ExportForm& form) {
    std::string options = " --target " + form.target;
    if (form.interface != ExportInterface::Stream)
        options += std::string(" --interface ") + nameOf(form.interface);
    if (form.streamBits != 0)
        options += " --stream-bits " + std::to_string(form.streamBits);
    if (hasBoard(form))
        options += " --board " + form.board;
    if (form.bitstream)
        options += " --bitstream";
    return options;
}

std::string commandAgain(const ExportForm& form, const ExportRest& rest) {
    std::string options = optionsOf(form);
    const auto& shipped = device::shippedDevices();
    const auto known = std::ranges::find(shipped, rest.device.id, &device::Device::id);
    if (known == shipped.end() && !rest.device.id.empty())
        options += " --device FILE";
    if (!rest.device.id.empty() &&
        (known == shipped.end() || known->clockMhz != rest.device.clockMhz))
        options += " --clock " + wholeText(rest.device.clockMhz);
    if (!rest.outputType.empty())
        options += " --output-type " + shellWord(rest.outputType);
    if (rest.vectors > 0)
        options += " --vectors " + std::to_string(rest.vectors);
    if (rest.seed > 0)
        options += " --seed " + std::to_string(rest.seed);
    return "marquetry export DESIGN.json" + options + " --out FOLDER";
}

Status checkForm(const ExportForm& form, const device::Device& device, bool hasStreams) {
    const Status choice = vendor::checkChoice({form.target, device, device.clockMhz, form.board});
    if (!choice)
        return choice;
    if (form.streamBits != 0 && (form.streamBits < 8 || form.streamBits > 512 ||
                                 !std::has_single_bit(static_cast<unsigned>(form.streamBits))))
        return makeError("stream-width", "streams of " + std::to_string(form.streamBits) + " bits",
                         "8, 16, 32, 64, 128, 256 or 512; 0 leaves them as the hardware has them");
    if (form.bitstream && form.target != "open")
        return makeError("bitstream-target",
                         "the tools of target " + inQuotes(form.target) + " are not run here",
                         "drop --bitstream and run them in the export's folder, or choose --target "
                         "open");
    return checkInterface(form, hasStreams);
}

} // namespace marquetry::hdl
