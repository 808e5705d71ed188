#include "engine/session/held_design.h"

#include "engine/support/json.h"
#include "engine/support/json_depth.h"

#include <algorithm>
#include <map>

namespace marquetry::session {

namespace {

using HeldJson = nlohmann::ordered_json;

const HeldJson& memberOf(const HeldJson& json, const char* name) {
    static const HeldJson kNothing;
    return json.is_object() && json.contains(name) ? json[name] : kNothing;
}

double amountOf(const HeldJson& json, const char* name) {
    const HeldJson& value = memberOf(json, name);
    return value.is_number() ? value.get<double>() : 0;
}

std::int64_t countOf(const HeldJson& json, const char* name) {
    constexpr double kMost = 1e15;
    return static_cast<std::int64_t>(std::clamp(amountOf(json, name), 0.0, kMost));
}

bool isSet(const HeldJson& json, const char* name) {
    const HeldJson& value = memberOf(json, name);
    return value.is_boolean() && value.get<bool>();
}

std::string wordOf(const HeldJson& json, const char* name) {
    const HeldJson& value = memberOf(json, name);
    return value.is_string() ? value.get<std::string>() : std::string();
}

device::Resources amountsOf(const HeldJson& json) {
    return {amountOf(json, "dsp"), amountOf(json, "lut"), amountOf(json, "ff"),
            amountOf(json, "bram")};
}

design::BufferKind kindNamed(const std::string& name) {
    using design::BufferKind;
    for (const BufferKind kind : {BufferKind::Register, BufferKind::LutRam, BufferKind::BlockRam,
                                  BufferKind::Stream, BufferKind::External})
        if (toString(kind) == name)
            return kind;
    return BufferKind::BlockRam;
}

class HeldDesignReader {
public:
    explicit HeldDesignReader(const HeldJson& found) : found_(found) {}

    void read(design::Design& design) {
        readUnits(design);
        readCalls(design);
        for (const HeldJson& each : memberOf(found_, "buffers"))
            design.buffers.push_back(bufferOf(each));
        design.lanes = countOf(found_, "lanes");
        design.groupedChannels = countOf(found_, "grouped_channels");
        design.transferCycles = countOf(found_, "transfer_cycles");
        design.macs = countOf(found_, "macs");
        if (memberOf(found_, "utilisation").is_number())
            design.utilisation = amountOf(found_, "utilisation");
        design.clockMhz = amountOf(found_, "clock_mhz");
        design.gops = amountOf(found_, "gops");
    }

private:
    void readUnits(design::Design& design) {
        for (const HeldJson& each : memberOf(found_, "units")) {
            design::DesignUnit unit;
            unit.id = design::UnitId{design.units.size()};
            unit.name = wordOf(each, "id");
            unit.term = wordOf(each, "term");
            unit.parallelism = countOf(each, "parallelism");
            unit.lanes = countOf(each, "lanes");
            unit.writeLanes = countOf(each, "write_lanes");
            unit.multipliers = countOf(each, "multipliers");
            unit.resources = amountsOf(each);
            unit.shared = isSet(each, "shared");
            unit.streams = isSet(each, "streams");
            unit.busy = amountOf(each, "busy");
            unit.utilisation = amountOf(each, "utilisation");
            units_.emplace(unit.name, unit.id);
            design.units.push_back(std::move(unit));
        }
    }

    void readCalls(design::Design& design) {
        std::int64_t end = 0;
        for (const HeldJson& each : memberOf(found_, "calls")) {
            design::DesignCall call;
            call.id = design::CallId{design.calls.size()};
            call.layer = wordOf(each, "layer");
            call.cycles = countOf(each, "cycles");
            call.overlap = countOf(each, "overlap");
            call.start = std::max<std::int64_t>(0, end - call.overlap);
            end = call.start + call.cycles;
            call.macs = countOf(each, "macs");
            call.memoryBound = isSet(each, "memory_bound");
            if (const auto unit = units_.find(wordOf(each, "unit")); unit != units_.end()) {
                call.unit = unit->second;
                design.units[unit->second.index()].callSites.push_back(call.id);
            }
            design.calls.push_back(std::move(call));
        }
    }

    static design::DesignBuffer bufferOf(const HeldJson& json) {
        design::DesignBuffer buffer;
        buffer.name = wordOf(json, "name");
        buffer.weights = isSet(json, "weights");
        buffer.kind = kindNamed(wordOf(json, "kind"));
        buffer.words = countOf(json, "words");
        buffer.width = countOf(json, "width");
        buffer.banks = countOf(json, "banks");
        buffer.lut = amountOf(json, "lut");
        buffer.ff = amountOf(json, "ff");
        buffer.bram = amountOf(json, "bram");
        return buffer;
    }

    const HeldJson& found_;
    std::map<std::string, design::UnitId> units_;
};

Status heldExportable(const DesignFile& file, const ir::Program& program) {
    if (Status fresh = checkFresh(file, program); !fresh)
        return fresh;
    return file.schedule ? hdl::check(*file.schedule) : Status(notExportable(file));
}

} // namespace

design::Design designIn(const DesignFile& file) {
    const HeldJson json = parsedJson(file.text);
    design::Design design;
    design.program = file.item;
    design.device = file.device;
    design.model = file.choices.settings.cost;
    design.cycles = file.cycles;
    design.frames = file.frames;
    design.resources = file.resources;
    design.schedule = file.schedule;
    HeldDesignReader(memberOf(json, "design")).read(design);
    return design;
}

HeldDesign heldDesign(const DesignFile& file, const ir::Program& program) {
    HeldDesign held;
    held.path = file.path;
    held.program = file.item;
    held.device = deviceOf(file.choices, file.device);
    held.cycles = file.cycles;
    held.frames = file.frames;
    held.resources = file.resources;
    design::Design design = designIn(file);
    if (const Status exportable = heldExportable(file, program); !exportable) {
        held.problem = exportable.error();
        design.schedule.reset();
        design.notExportable = held.problem.front().message;
    }
    held.design = std::make_shared<const design::Design>(std::move(design));
    return held;
}

} // namespace marquetry::session
