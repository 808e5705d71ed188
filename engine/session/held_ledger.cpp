#include "engine/session/held_ledger.h"

#include "engine/design/make_ledger.h"
#include "engine/session/setup.h"
#include "engine/support/json.h"
#include "engine/support/json_depth.h"

#include <algorithm>

namespace marquetry::session {

namespace {

using LedgerSource = nlohmann::ordered_json;

const LedgerSource& memberOf(const LedgerSource& json, const char* name) {
    static const LedgerSource kNothing;
    return json.is_object() && json.contains(name) ? json[name] : kNothing;
}

double amountOf(const LedgerSource& json, const char* name) {
    const LedgerSource& value = memberOf(json, name);
    return value.is_number() ? value.get<double>() : 0;
}

std::string wordOf(const LedgerSource& json, const char* name) {
    const LedgerSource& value = memberOf(json, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

device::Resources amountsOf(const LedgerSource& json) {
    return {amountOf(json, "dsp"), amountOf(json, "lut"), amountOf(json, "ff"),
            amountOf(json, "bram")};
}

/// What a ledger asks of a design.
design::Design designOf(const DesignFile& file) {
    constexpr double kMostMacs = 1e15;
    const LedgerSource json = parsedJson(file.text);
    const LedgerSource& found = memberOf(json, "design");
    design::Design design;
    design.program = file.item;
    design.cycles = file.cycles;
    design.frames = file.frames;
    design.resources = file.resources;
    design.schedule = file.schedule;
    for (const LedgerSource& each : memberOf(found, "units")) {
        design::DesignUnit unit;
        unit.name = wordOf(each, "id");
        unit.resources = amountsOf(each);
        design.units.push_back(std::move(unit));
    }
    for (const LedgerSource& each : memberOf(found, "calls")) {
        design::DesignCall call;
        call.layer = wordOf(each, "layer");
        call.macs = static_cast<std::int64_t>(std::clamp(amountOf(each, "macs"), 0.0, kMostMacs));
        design.calls.push_back(std::move(call));
    }
    for (const LedgerSource& each : memberOf(found, "buffers")) {
        design::DesignBuffer buffer;
        buffer.name = wordOf(each, "name");
        buffer.lut = amountOf(each, "lut");
        buffer.ff = amountOf(each, "ff");
        buffer.bram = amountOf(each, "bram");
        design.buffers.push_back(std::move(buffer));
    }
    return design;
}

} // namespace

design::Ledger ledgerOf(const DesignFile& file, const HeldDesign& held) {
    design::Design design = designOf(file);
    if (!held.problem.empty()) {
        design.schedule.reset();
        design.notExportable = held.problem.front().message;
    }
    const auto setup = makeSetup(file.choices.settings, {});
    return design::makeLedger(design, held.device, setup ? setup->limits : held.device.limits);
}

} // namespace marquetry::session
