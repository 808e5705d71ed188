#include "engine/design/epilogue_json.h"

#include "engine/design/json_forms.h"

namespace marquetry::design {

using namespace forms;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kPoolNames[] = {"none", "max", "sum"};
constexpr const char* kActivationNames[] = {"none", "relu", "leaky", "clip", "table"};
constexpr const char* kRoundingNames[] = {"up", "down", "away", "even"};

constexpr std::pair<const char*, int cost::WriteBackForm::*> kFormBits[] = {
    {"sum_bits", &cost::WriteBackForm::sumBits},
    {"bias_bits", &cost::WriteBackForm::biasBits},
    {"mul_bits", &cost::WriteBackForm::mulBits},
    {"add_bits", &cost::WriteBackForm::addBits},
    {"shift_bits", &cost::WriteBackForm::shiftBits},
    {"least_shift", &cost::WriteBackForm::leastShift},
    {"most_shift", &cost::WriteBackForm::mostShift},
    {"value_bits", &cost::WriteBackForm::valueBits},
    {"addend_bits", &cost::WriteBackForm::addendBits},
    {"value_mul_bits", &cost::WriteBackForm::valueMulBits},
    {"addend_mul_bits", &cost::WriteBackForm::addendMulBits},
    {"after_bits", &cost::WriteBackForm::afterBits},
    {"after_mul_bits", &cost::WriteBackForm::afterMulBits},
    {"table_bits", &cost::WriteBackForm::tableBits},
    {"table_places", &cost::WriteBackForm::tablePlaces}};

Json jsonOf(const std::optional<ir::ValueId>& weight) {
    return weight ? Json(weight->value()) : Json(nullptr);
}

std::optional<ir::ValueId> weightOf(const Json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || found->is_null())
        return std::nullopt;
    return ir::ValueId(found->get<std::uint32_t>());
}

Json jsonOf(const LookUp& table) {
    return {{"entries", table.entries.value()}, {"signed", table.isSigned}};
}

LookUp lookUpOf(const Json& json) {
    return {ir::ValueId(json.at("entries").get<std::uint32_t>()), json.at("signed").get<bool>()};
}

template <class T>
T valueOr(const Json& json, const char* name, T otherwise) {
    const auto found = json.find(name);
    return found == json.end() ? otherwise : found->get<T>();
}

Json jsonOf(const RequantStage& stage) {
    if (!stage.enabled)
        return nullptr;
    Json json = {
        {"mul", stage.mul}, {"shift", stage.shift}, {"zero", stage.zero}, {"to", nameOf(stage.to)}};
    if (stage.add != 0)
        json["add"] = stage.add;
    if (stage.round != ir::Rounding::Up)
        json["round"] = kRoundingNames[static_cast<std::size_t>(stage.round)];
    if (stage.tie != 0)
        json["tie"] = stage.tie;
    if (stage.muls)
        json["muls"] = jsonOf(stage.muls);
    if (stage.adds)
        json["adds"] = jsonOf(stage.adds);
    if (stage.shifts)
        json["shifts"] = jsonOf(stage.shifts);
    return json;
}

RequantStage readRequant(const Json& json) {
    if (json.is_null())
        return {};
    RequantStage stage;
    stage.enabled = true;
    json.at("mul").get_to(stage.mul);
    json.at("shift").get_to(stage.shift);
    json.at("zero").get_to(stage.zero);
    stage.to = scalarOf(json.at("to"));
    stage.add = valueOr(json, "add", stage.add);
    if (const auto round = json.find("round"); round != json.end())
        stage.round = enumNamed<ir::Rounding>(kRoundingNames, *round);
    stage.tie = valueOr(json, "tie", stage.tie);
    stage.muls = weightOf(json, "muls");
    stage.adds = weightOf(json, "adds");
    stage.shifts = weightOf(json, "shifts");
    return stage;
}

Json jsonOf(const ActivationStage& stage) {
    Json json = {{"kind", kActivationNames[static_cast<std::size_t>(stage.kind)]},
                 {"num", stage.num},
                 {"shift", stage.shift}};
    if (stage.kind == ActivationStage::Kind::Clip) {
        json["lo"] = stage.lo;
        json["hi"] = stage.hi;
    }
    if (stage.table)
        json["table"] = jsonOf(*stage.table);
    if (stage.table)
        json["table_index"] = stage.tableIndex;
    return json;
}

ActivationStage readActivation(const Json& json) {
    ActivationStage stage;
    stage.kind = enumNamed<ActivationStage::Kind>(kActivationNames, json.at("kind"));
    json.at("num").get_to(stage.num);
    json.at("shift").get_to(stage.shift);
    stage.lo = valueOr(json, "lo", stage.lo);
    stage.hi = valueOr(json, "hi", stage.hi);
    if (stage.kind == ActivationStage::Kind::Table) {
        stage.table = lookUpOf(json.at("table"));
        stage.tableIndex = countOf(json, "table_index", 0);
    }
    return stage;
}

} // namespace

Json epilogueJson(const Epilogue& e) {
    Json json = {{"requant_before", jsonOf(e.requantBefore)},
                 {"activation_before", jsonOf(e.activationBefore)},
                 {"addend", e.addend ? Json(e.addend->value()) : Json(nullptr)},
                 {"pool", kPoolNames[static_cast<std::size_t>(e.pool)]},
                 {"pool_size", e.poolSize},
                 {"requant_after", jsonOf(e.requantAfter)},
                 {"activation_after", jsonOf(e.activationAfter)},
                 {"result", nameOf(e.result)}};
    if (e.bias)
        json["bias"] = jsonOf(e.bias);
    if (e.weightedAdd.enabled) {
        json["weighted_add"] = jsonOf(e.weightedAdd);
        json["addend_mul"] = e.addendMul;
    }
    return json;
}

Epilogue readEpilogue(const Json& json, std::size_t tensors) {
    Epilogue e;
    e.bias = weightOf(json, "bias");
    e.requantBefore = readRequant(json.at("requant_before"));
    e.activationBefore = readActivation(json.at("activation_before"));
    if (!json.at("addend").is_null())
        e.addend = idOf<TensorId>(json.at("addend"), tensors);
    if (const auto weighted = json.find("weighted_add"); weighted != json.end()) {
        e.weightedAdd = readRequant(*weighted);
        json.at("addend_mul").get_to(e.addendMul);
    }
    e.pool = enumNamed<PoolKind>(kPoolNames, json.at("pool"));
    e.poolSize = countOf(json, "pool_size", 1);
    e.requantAfter = readRequant(json.at("requant_after"));
    e.activationAfter = readActivation(json.at("activation_after"));
    e.result = scalarOf(json.at("result"));
    return e;
}

Json writeBackJson(const WriteBack& writeBack) {
    Json json = {{"lanes", writeBack.lanes}, {"words", writeBack.words}};
    for (const auto& [name, bits] : kFormBits)
        json[name] = writeBack.form.*bits;
    json["tables"] = Json::array();
    for (const LookUp& table : writeBack.tables)
        json["tables"].push_back(jsonOf(table));
    return json;
}

WriteBack readWriteBack(const Json& json) {
    WriteBack writeBack;
    writeBack.lanes = countOf(json, "lanes", 1);
    writeBack.words = countOf(json, "words", 0);
    for (const auto& [name, bits] : kFormBits) {
        const std::int64_t width = countOf(json, name, 0);
        if (width > 64)
            throw FormError(std::string(name) + " is too wide");
        writeBack.form.*bits = static_cast<int>(width);
    }
    for (const Json& table : json.at("tables"))
        writeBack.tables.push_back(lookUpOf(table));
    return writeBack;
}

} // namespace marquetry::design
