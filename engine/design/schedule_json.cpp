#include "engine/design/schedule_json.h"

#include "engine/design/epilogue_json.h"
#include "engine/design/json_forms.h"
#include "engine/design/move_json.h"

namespace marquetry::design {

namespace {

using namespace forms;
using Json = nlohmann::ordered_json;

constexpr const char* kRowFunctions[] = {"softmax",       "layernorm", "add",    "subtract",
                                         "subtract_from", "multiply",  "second", "look_up"};
constexpr const char* kSecondOperands[] = {"none",         "itself",         "elements",
                                           "row",          "entry",          "constant_elements",
                                           "constant_row", "constant_of_row"};
constexpr const char* kLaneFunctions[] = {"none", "products", "max", "sum"};

/// One number where both axes have the same, else the vertical and the horizontal one.
Json asJson(const ir::PerAxis& extent) {
    if (extent.isSquare())
        return extent.vertical;
    return Json::array({extent.vertical, extent.horizontal});
}

ir::PerAxis perAxisOf(const Json& json, const char* name, std::int64_t least) {
    const Json& extent = json.at(name);
    if (!extent.is_array())
        return countOf(json, name, least);
    if (extent.size() != 2)
        throw FormError(std::string(name) + " is " + extent.dump());
    return {countOf({{name, extent[0]}}, name, least), countOf({{name, extent[1]}}, name, least)};
}

Json asJson(const Slot& slot) {
    Json json = {{"name", slot.name},
                 {"element_bits", slot.elementBits},
                 {"depth", slot.depth},
                 {"stored_lanes", slot.storedLanes},
                 {"write_lanes", slot.writeLanes},
                 {"memory_bits", slot.memoryBits},
                 {"lut_ram", slot.lutRam}};
    if (slot.turns > 1)
        json["turns"] = slot.turns;
    if (slot.window)
        json["window"] = {{"rows", slot.window->rows}, {"run", slot.window->run}};
    if (slot.ring)
        json["ring"] = true;
    return json;
}

Json asJson(const StoredTensor& tensor) {
    Json json = {{"value", tensor.value.value()},
                 {"name", tensor.name},
                 {"scalar", nameOf(tensor.scalar)},
                 {"slot", tensor.slot.value()},
                 {"base", tensor.base},
                 {"height", tensor.height},
                 {"width", tensor.width},
                 {"pixels", tensor.pixels},
                 {"channels", tensor.channels},
                 {"words_per_pixel", tensor.wordsPerPixel}};
    if (tensor.rowWords > 0)
        json["row_words"] = tensor.rowWords;
    if (tensor.firstRow)
        json["first_row"] = *tensor.firstRow;
    return json;
}

Json asJson(const ScheduleUnit& unit) {
    Json json = {{"name", unit.name},
                 {"pass", unit.pass},
                 {"parallel", unit.parallel},
                 {"operand", nameOf(unit.operand)},
                 {"weight", nameOf(unit.weight)},
                 {"weight_words", unit.weightWords}};
    if (unit.span > 1)
        json["span"] = unit.span;
    if (unit.ringWords > 0)
        json["ring_words"] = unit.ringWords;
    if (unit.externalWords > 0)
        json["external_words"] = unit.externalWords;
    if (unit.loadBeats > 1)
        json["load_beats"] = unit.loadBeats;
    if (unit.lutWeights)
        json["lut_weights"] = true;
    if (unit.pairsRows)
        json["pairs_rows"] = true;
    if (unit.holds)
        json["holds"] = true;
    if (unit.stream)
        json["stream"] = {{"interval", unit.stream->interval}, {"latency", unit.stream->latency}};
    if (unit.lanewise())
        json["lanewise"] = kLaneFunctions[static_cast<std::size_t>(unit.laneFunction)];
    if (unit.writeBack)
        json["write_back"] = writeBackJson(*unit.writeBack);
    return json;
}

Json asJson(const LoadStep& step) {
    Json json = {{"step", "load"}, {"port", step.port}, {"tensor", step.tensor.value()}};
    if (step.external)
        json["external"] = true;
    return json;
}

Json asJson(const StoreStep& step) {
    Json json = {{"step", "store"},
                 {"port", step.port},
                 {"tensor", step.tensor.value()},
                 {"scalar", nameOf(step.type.scalar)},
                 {"dims", step.type.dims}};
    if (step.external)
        json["external"] = true;
    return json;
}

Json asJson(const ComputeStep& step) {
    Json json = {{"step", "compute"},
                 {"layer", step.layer},
                 {"unit", step.unit.value()},
                 {"input", step.input.value()},
                 {"output", step.output.value()},
                 {"weight", step.weight ? Json(step.weight->value()) : Json(nullptr)},
                 {"weight_base", step.weightBase},
                 {"rows", step.rows},
                 {"row_blocks", step.rowBlocks},
                 {"height", step.height},
                 {"width", step.width},
                 {"kernel", asJson(step.kernel)},
                 {"stride", asJson(step.stride)},
                 {"pad", asJson(step.pad)},
                 {"channel_words", step.channelWords},
                 {"joined_after", step.joinedAfter ? Json(*step.joinedAfter) : Json(nullptr)},
                 {"epilogue", epilogueJson(step.epilogue)}};
    if (step.external)
        json["external"] = true;
    if (step.held)
        json["held"] = step.held->value();
    if (step.firstRow != 0)
        json["first_row"] = step.firstRow;
    if (step.stencilPad)
        json["stencil_pad"] = *step.stencilPad;
    if (step.scaleBase != 0)
        json["scale_base"] = step.scaleBase;
    if (step.padValue != 0)
        json["pad_value"] = step.padValue;
    if (step.groups != 1)
        json["groups"] = step.groups;
    return json;
}

Json asJson(const MoveStep& step) {
    return {{"step", "move"},
            {"layer", step.layer},
            {"unit", step.unit.value()},
            {"source", step.source.value()},
            {"target", step.target ? Json(step.target->value()) : Json(nullptr)},
            {"move", moveJson(step.move)}};
}

Json asJson(const RowStep& step) {
    Json json = {{"step", "rows"},
                 {"layer", step.layer},
                 {"unit", step.unit.value()},
                 {"function", kRowFunctions[static_cast<std::size_t>(step.function)]},
                 {"input", step.input.value()},
                 {"output", step.output.value()},
                 {"shift", step.shift}};
    if (step.second != cost::SecondOperand::None)
        json["second"] = kSecondOperands[static_cast<std::size_t>(step.second)];
    if (step.other)
        json["other"] = step.other->value();
    if (step.constants)
        json["constants"] = {{"value", step.constants->value.value()},
                             {"bits", step.constants->bits},
                             {"signed", step.constants->isSigned}};
    return json;
}

Json asJson(const ExternalMemory& memory) {
    return {{"beat_bytes", memory.beatBytes},
            {"bytes_per_cycle", memory.bytesPerCycle},
            {"latency_cycles", memory.latencyCycles}};
}

Json asJson(const ExternalTensor& tensor) {
    return {{"value", tensor.value.value()},
            {"base", tensor.base},
            {"row_bytes", tensor.rowBytes},
            {"rows", tensor.rows}};
}

ExternalTensor externalOf(const Json& json) {
    return {ir::ValueId(json.at("value").get<std::uint32_t>()), countOf(json, "base", 0),
            countOf(json, "row_bytes", 1), countOf(json, "rows", 1)};
}

ExternalMemory memoryOf(const Json& json) {
    return {countOf(json, "beat_bytes", 1), json.at("bytes_per_cycle").get<double>(),
            countOf(json, "latency_cycles", 0)};
}

Slot slotOf(const Json& json) {
    Slot slot;
    json.at("name").get_to(slot.name);
    json.at("element_bits").get_to(slot.elementBits);
    slot.depth = countOf(json, "depth", 1);
    if (json.contains("turns"))
        slot.turns = countOf(json, "turns", 1);
    if (const auto window = json.find("window"); window != json.end())
        slot.window = SlotWindow{countOf(*window, "rows", 1), countOf(*window, "run", 1)};
    slot.storedLanes = countOf(json, "stored_lanes", 1);
    slot.writeLanes = countOf(json, "write_lanes", 1);
    slot.memoryBits = countOf(json, "memory_bits", 1);
    json.at("lut_ram").get_to(slot.lutRam);
    slot.ring = json.value("ring", false);
    return slot;
}

StoredTensor tensorOf(const Json& json, std::size_t slots) {
    StoredTensor tensor;
    tensor.value = ir::ValueId(json.at("value").get<std::uint32_t>());
    json.at("name").get_to(tensor.name);
    tensor.scalar = scalarOf(json.at("scalar"));
    tensor.slot = idOf<SlotId>(json.at("slot"), slots);
    tensor.base = countOf(json, "base", 0);
    tensor.height = countOf(json, "height", 1);
    tensor.width = countOf(json, "width", 1);
    tensor.pixels = countOf(json, "pixels", 1);
    tensor.channels = countOf(json, "channels", 1);
    tensor.wordsPerPixel = countOf(json, "words_per_pixel", 1);
    if (json.contains("row_words"))
        tensor.rowWords = countOf(json, "row_words", 1);
    if (json.contains("first_row"))
        tensor.firstRow = countOf(json, "first_row", 0);
    return tensor;
}

ScheduleUnit unitOf(const Json& json) {
    ScheduleUnit unit;
    json.at("name").get_to(unit.name);
    json.at("pass").get_to(unit.pass);
    unit.parallel = countOf(json, "parallel", 1);
    if (json.contains("span"))
        unit.span = countOf(json, "span", 1);
    unit.operand = scalarOf(json.at("operand"));
    unit.weight = scalarOf(json.at("weight"));
    unit.weightWords = countOf(json, "weight_words", 0);
    if (json.contains("ring_words"))
        unit.ringWords = countOf(json, "ring_words", 1);
    if (json.contains("external_words"))
        unit.externalWords = countOf(json, "external_words", 1);
    if (json.contains("load_beats"))
        unit.loadBeats = countOf(json, "load_beats", 1);
    unit.lutWeights = json.value("lut_weights", false);
    if (const auto lanes = json.find("lanewise"); lanes != json.end())
        unit.laneFunction = enumNamed<LaneFunction>(kLaneFunctions, *lanes);
    if (const auto pairs = json.find("pairs_rows"); pairs != json.end())
        pairs->get_to(unit.pairsRows);
    unit.holds = json.value("holds", false);
    if (const auto stream = json.find("stream"); stream != json.end())
        unit.stream = StreamTiming{countOf(*stream, "interval", 1), countOf(*stream, "latency", 0)};
    if (const auto writeBack = json.find("write_back"); writeBack != json.end())
        unit.writeBack = readWriteBack(*writeBack);
    return unit;
}

ComputeStep computeOf(const Json& json, const Schedule& schedule) {
    ComputeStep step;
    json.at("layer").get_to(step.layer);
    step.unit = idOf<UnitId>(json.at("unit"), schedule.units.size());
    step.input = idOf<TensorId>(json.at("input"), schedule.tensors.size());
    step.output = idOf<TensorId>(json.at("output"), schedule.tensors.size());
    if (!json.at("weight").is_null())
        step.weight = ir::ValueId(json.at("weight").get<std::uint32_t>());
    if (json.contains("held"))
        step.held = idOf<TensorId>(json.at("held"), schedule.tensors.size());
    step.external = json.value("external", false);
    if (json.contains("first_row"))
        step.firstRow = countOf(json, "first_row", 0);
    if (json.contains("stencil_pad"))
        step.stencilPad = countOf(json, "stencil_pad", 0);
    step.weightBase = countOf(json, "weight_base", 0);
    if (json.contains("scale_base"))
        step.scaleBase = countOf(json, "scale_base", 0);
    step.rows = countOf(json, "rows", 1);
    step.rowBlocks = countOf(json, "row_blocks", 1);
    step.height = countOf(json, "height", 1);
    step.width = countOf(json, "width", 1);
    step.kernel = perAxisOf(json, "kernel", 1);
    step.stride = perAxisOf(json, "stride", 1);
    step.pad = perAxisOf(json, "pad", 0);
    // What most steps have none of is left out.
    step.padValue = json.value("pad_value", std::int64_t{0});
    step.groups = json.contains("groups") ? countOf(json, "groups", 1) : 1;
    step.channelWords = countOf(json, "channel_words", 1);
    if (!json.at("joined_after").is_null())
        step.joinedAfter = countOf(json, "joined_after", 1);
    step.epilogue = readEpilogue(json.at("epilogue"), schedule.tensors.size());
    return step;
}

RowStep rowsOf(const Json& json, const Schedule& schedule) {
    RowStep step;
    json.at("layer").get_to(step.layer);
    step.unit = idOf<UnitId>(json.at("unit"), schedule.units.size());
    step.function = enumNamed<cost::RowFunction>(kRowFunctions, json.at("function"));
    step.input = idOf<TensorId>(json.at("input"), schedule.tensors.size());
    step.output = idOf<TensorId>(json.at("output"), schedule.tensors.size());
    step.shift = countOf(json, "shift", 0);
    if (json.contains("second"))
        step.second = enumNamed<cost::SecondOperand>(kSecondOperands, json.at("second"));
    if (json.contains("other"))
        step.other = idOf<TensorId>(json.at("other"), schedule.tensors.size());
    if (const auto constants = json.find("constants"); constants != json.end())
        step.constants = RowConstants{ir::ValueId(constants->at("value").get<std::uint32_t>()),
                                      static_cast<int>(countOf(*constants, "bits", 1)),
                                      constants->at("signed").get<bool>()};
    return step;
}

MoveStep moveOf(const Json& json, const Schedule& schedule) {
    MoveStep step;
    json.at("layer").get_to(step.layer);
    step.unit = idOf<UnitId>(json.at("unit"), schedule.units.size());
    step.source = idOf<TensorId>(json.at("source"), schedule.tensors.size());
    if (!json.at("target").is_null())
        step.target = idOf<TensorId>(json.at("target"), schedule.tensors.size());
    step.move = readMove(json.at("move"));
    return step;
}

constexpr const char* kQueues[kMostQueues] = {"calls",  "transfers", "second", "third",
                                              "fourth", "fifth",     "sixth",  "seventh"};

/// What every step of an ordered schedule says.
void addOrder(Json& step, const StepOrder& order) {
    step["queue"] = kQueues[indexOf(order.queue)];
    Json awaits = Json::array();
    for (std::size_t k = 0; k < kMostQueues; ++k)
        if (order.says(static_cast<Queue>(k)))
            awaits.push_back(kQueues[k]);
    step["awaits"] = std::move(awaits);
}

StepOrder orderOf(const Json& step) {
    StepOrder order;
    order.queue = enumNamed<Queue>(kQueues, step.at("queue"));
    for (const Json& name : step.at("awaits")) {
        const auto queue = enumNamed<Queue>(kQueues, name);
        if (queue == Queue::Calls)
            throw FormError("a step awaits its own queue of calls");
        order.await(queue);
    }
    return order;
}

Step stepOf(const Json& json, const Schedule& schedule) {
    const std::string kind = json.at("step").get<std::string>();
    if (kind == "compute")
        return computeOf(json, schedule);
    if (kind == "move")
        return moveOf(json, schedule);
    if (kind == "rows")
        return rowsOf(json, schedule);
    const auto port = json.at("port").get<std::string>();
    const auto tensor = idOf<TensorId>(json.at("tensor"), schedule.tensors.size());
    const bool external = json.value("external", false);
    if (kind == "load")
        return LoadStep{port, tensor, external};
    if (kind == "store")
        return StoreStep{port, tensor,
                         ir::Type{scalarOf(json.at("scalar")), json.at("dims").get<ir::Shape>()},
                         external};
    throw FormError("unknown kind of step " + kind);
}

Schedule readSchedule(const Json& json) {
    Schedule schedule;
    json.at("name").get_to(schedule.name);
    schedule.lanes = countOf(json, "lanes", 1);
    for (const Json& slot : json.at("slots")) {
        schedule.slots.push_back(slotOf(slot));
        schedule.slots.back().id = SlotId(schedule.slots.size() - 1);
    }
    for (const Json& tensor : json.at("tensors")) {
        schedule.tensors.push_back(tensorOf(tensor, schedule.slots.size()));
        schedule.tensors.back().id = TensorId(schedule.tensors.size() - 1);
    }
    for (const Json& unit : json.at("units")) {
        schedule.units.push_back(unitOf(unit));
        schedule.units.back().id = UnitId(schedule.units.size() - 1);
    }
    for (const Json& step : json.at("steps"))
        schedule.steps.push_back(stepOf(step, schedule));
    const auto ordered = [](const Json& step) { return step.contains("queue"); };
    if (std::ranges::any_of(json.at("steps"), ordered))
        for (const Json& step : json.at("steps"))
            schedule.order.push_back(orderOf(step));
    if (json.contains("frames"))
        schedule.frames = countOf(json, "frames", 1);
    if (json.contains("groups"))
        schedule.groups = countOf(json, "groups", 1);
    if (const auto memory = json.find("memory"); memory != json.end())
        schedule.memory = memoryOf(*memory);
    if (const auto externals = json.find("externals"); externals != json.end())
        for (const Json& external : *externals)
            schedule.externals.push_back(externalOf(external));
    return schedule;
}

template <class T>
Json listOf(const std::vector<T>& items) {
    Json list = Json::array();
    for (const T& item : items)
        list.push_back(asJson(item));
    return list;
}

} // namespace

nlohmann::ordered_json toJson(const Schedule& schedule) {
    Json steps = Json::array();
    for (const Step& step : schedule.steps)
        steps.push_back(std::visit([](const auto& s) { return asJson(s); }, step));
    for (std::size_t k = 0; k < schedule.order.size(); ++k)
        addOrder(steps[k], schedule.order[k]);
    Json json = {{"name", schedule.name},           {"lanes", schedule.lanes},
                 {"slots", listOf(schedule.slots)}, {"tensors", listOf(schedule.tensors)},
                 {"units", listOf(schedule.units)}, {"steps", steps}};
    if (schedule.frames != 1)
        json["frames"] = schedule.frames;
    if (schedule.groups != 1)
        json["groups"] = schedule.groups;
    if (schedule.memory)
        json["memory"] = asJson(*schedule.memory);
    if (!schedule.externals.empty())
        json["externals"] = listOf(schedule.externals);
    return json;
}

Result<Schedule> scheduleFromJson(const nlohmann::ordered_json& json) {
    try {
        return readSchedule(json);
    } catch (const std::exception& error) {
        return makeError("schedule-form",
                         std::string("the schedule is not in the expected form: ") + error.what(),
                         "use a DESIGN.json written by this version");
    }
}

} // namespace marquetry::design
