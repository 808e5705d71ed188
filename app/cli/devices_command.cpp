#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "engine/device/device_file.h"

#include <iomanip>
#include <iostream>

namespace marquetry::cli {

namespace {

int listDevices(bool json) {
    if (json) {
        Json report = makeReport();
        report["devices"] = Json::array();
        for (const device::Device& device : device::shippedDevices())
            report["devices"].push_back(
                {{"id", device.id},
                 {"name", device.name},
                 {"dsp", device.limits.dsp},
                 {"lut", device.limits.lut},
                 {"lut_unit", device.lutUnit},
                 {"ff", device.limits.ff},
                 {"bram", device.limits.bram},
                 {"bram_kind", device.ramKind},
                 {"int8_products_per_dsp", device.int8ProductsPerDsp},
                 {"int8_products_share_factor", device.int8ProductsShareFactor},
                 {"clock_mhz", device.clockMhz},
                 {"bytes_per_cycle", device.memoryBytesPerCycle},
                 {"latency_cycles", device.memoryLatencyCycles},
                 {"sources", device.notes}});
        printJson(report);
        return kDone;
    }
    for (const device::Device& device : device::shippedDevices())
        std::cout << std::left << std::setw(11) << device.id << " " << std::setw(30) << device.name
                  << " DSP " << device.limits.dsp << ", " << device.ramKind << " "
                  << device.limits.bram << ", " << device.lutUnit << " " << std::setprecision(9)
                  << device.limits.lut << ", FF " << device.limits.ff << ", " << device.clockMhz
                  << " MHz, " << device.memoryBytesPerCycle << " B/cycle\n";
    return kDone;
}

} // namespace

void addDevicesCommand(CLI::App& app, CliContext& context) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("devices", "The shipped devices and their limits");
    command->add_flag("--json", *json, "one JSON object on standard output");
    command->callback([json, &context] { context.exitStatus = listDevices(*json); });
}

} // namespace marquetry::cli
