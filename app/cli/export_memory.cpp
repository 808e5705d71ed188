#include "app/cli/export_memory.h"

#include "app/cli/outputs.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/session/hardware.h"
#include "engine/session/memories.h"

#include <iostream>

namespace marquetry::cli {

namespace {

Result<hdl::ExportReport> exportItem(const ir::MemoryProgram& memory, const std::string& text,
                                     const device::Device& device,
                                     const MemoryExportOptions& options) {
    if (Status free = files::checkFolder(options.place.folder, hdl::replaceRule(options.place));
        !free)
        return free.error();
    const auto pins = pinsOf(options.pins, memory.type.dims.size());
    if (!pins)
        return pins.error();
    const auto item = session::planMemory(memory, *pins, device);
    if (!item)
        return item.error();
    const session::MemoryToBuild hardware{std::make_shared<const session::MemoryItem>(*item),
                                          std::make_shared<const std::string>(text), device};
    session::ExportOrder order{options.place, options.form};
    if (options.painter) {
        auto shown = std::make_shared<session::Snapshot>();
        shown->device = device;
        shown->memories = std::vector{*item};
        order.pictures = options.painter(shown, memory.name);
    }
    return session::Hardware::exportTo(hardware, order);
}

} // namespace

ExitStatus exportMemoryItem(const MemoryExportOptions& options, frontend::ParseResult parsed) {
    const std::string text = std::move(parsed.text);
    const auto memory = frontend::selectMemory(std::move(parsed), options.item);
    auto device =
        device::findDevice(options.device.empty() ? device::kDefaultDevice : options.device);
    if (!memory || !device)
        return fail(memory ? device.error() : memory.error(), options.json);
    device->clockMhz = options.clockMhz.value_or(device->clockMhz);
    if (const Status form = hdl::checkForm(options.form, *device, false); !form)
        return fail(form.error(), options.json);
    const auto report = exportItem(*memory, text, *device, options);
    if (!report)
        return fail(report.error(), options.json);
    std::cerr << format(report->warnings);
    if (options.json) {
        Json json = makeReport();
        json["folder"] = report->folder;
        json["files"] = report->files;
        hdl::addClock(json, report->clock);
        printJson(json);
    } else {
        std::cout << "exported " << report->files << " files to " << report->folder << "\n"
                  << hdl::clockLine(report->clock) << "\n"
                  << (report->placed ? hdl::placedLine(*report->placed) + "\n" : "")
                  << "next: marquetry verify " << folderWord(report->folder) << "\n";
    }
    return kDone;
}

} // namespace marquetry::cli
