#include "engine/lower_design/lower_design.h"

#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/lower_design/write_back_plan.h"
#include "engine/rtl/printed.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

/// Two's complement hex digits, `bits` per element, the first element in the lowest digits.
std::string hexWord(const std::int64_t* elements, std::int64_t count, int bits) {
    constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (std::int64_t i = count; i-- > 0;)
        for (int low = bits - 4; low >= 0; low -= 4)
            text += digits[static_cast<std::uint64_t>(elements[i]) >> low & 15];
    return text;
}

/// A line for each word: all rows, the first in the lowest digits.
SharedText weightText(const RtlPlan& plan, const UnitPlan& unit,
                      const std::vector<std::int64_t>& packed) {
    auto text = std::make_shared<std::string>();
    const std::int64_t elements = unit.multipliers(plan.lanes);
    for (std::int64_t word = 0; word < unit.weightWords && !packed.empty(); ++word)
        *text += hexWord(packed.data() + word * elements, elements, unit.weightBits) + "\n";
    return text;
}

/// Index: UnitId; null without multipliers.
std::vector<SharedText> weightTexts(const RtlPlan& plan,
                                    const std::vector<std::vector<std::int64_t>>& packed) {
    std::vector<SharedText> texts;
    for (std::size_t u = 0; u < plan.units.size(); ++u) {
        const UnitPlan& unit = plan.units[u];
        const bool has = !unit.layers.empty() && unit.multiplies() && !unit.loaded;
        texts.push_back(has ? weightText(plan, unit, packed[u]) : nullptr);
    }
    return texts;
}

/// A line for each word of constants; null where there are none.
SharedText constantText(const RowPlan& rows, const std::vector<std::int64_t>& packed) {
    if (!cost::isConstant(rows.shape.second))
        return nullptr;
    const std::int64_t count = rows.shape.constantsOfWord();
    const int bits = rows.shape.secondFactor - (rows.constantsSigned ? 0 : 1);
    auto text = std::make_shared<std::string>();
    for (std::int64_t word = 0; word < rows.shape.constantWords() && !packed.empty(); ++word) {
        const auto from = static_cast<std::int64_t>(rows.constantsFrom) + word * count;
        *text += hexWord(packed.data() + from, count, (bits + 3) / 4 * 4) + "\n";
    }
    return text;
}

rtl::ModulePtr rowsModule(DesignLibrary& library, const RtlPlan& plan, const RowPlan& rows,
                          const std::vector<std::vector<std::int64_t>>& packed) {
    if (rows.shape.ofElements())
        return elementsModule(plan, rows, constantText(rows, packed[rows.unit]));
    return rows.shape.function == cost::RowFunction::Softmax ? softmaxModule(library, plan, rows)
                                                             : layerNormModule(plan, rows);
}

/// Index: UnitId.
std::vector<WriteBackTexts> writeBackTexts(const RtlPlan& plan,
                                           const std::vector<WriteBackContents>& contents) {
    std::vector<WriteBackTexts> texts(plan.units.size());
    for (std::size_t u = 0; u < texts.size(); ++u) {
        const WriteBackContents none;
        const WriteBackContents& unit = u < contents.size() ? contents[u] : none;
        if (!plan.units[u].writeBack)
            continue;
        texts[u].scales =
            std::make_shared<const std::string>(scaleText(plan.units[u], unit.scales));
        texts[u].tables =
            std::make_shared<const std::string>(tableText(plan.units[u], unit.tables));
    }
    return texts;
}

DesignParts partsOf(DesignLibrary& library, const RtlPlan& plan,
                    const std::vector<std::vector<std::int64_t>>& packed,
                    const std::vector<SharedText>& weights,
                    const std::vector<WriteBackTexts>& writeBacks, const UnitCircuits& circuits) {
    DesignParts parts;
    for (std::size_t u = 0; u < plan.units.size(); ++u) {
        const UnitPlan& unit = plan.units[u];
        parts.units.push_back(
            unit.layers.empty() ? nullptr
            : unit.stream ? streamUnitModule(library, plan, unit, circuits.at(design::UnitId(u)))
                          : unitModule(library, plan, unit, weights[u], writeBacks[u]));
    }
    for (const StreamPlan* load : plan.loaders())
        parts.loads.push_back(loadModule(plan, *load));
    for (const StreamPlan* store : plan.storers())
        parts.stores.push_back(storeModule(plan, *store));
    for (const MovePlan& move : plan.moves)
        parts.moves.push_back(moveModule(plan, move));
    for (const RowPlan& rows : plan.rows)
        parts.rows.push_back(rowsModule(library, plan, rows, packed));
    parts.sequencer = sequencerModule(plan);
    if (plan.memory) {
        parts.weightReader = weightReaderModule(plan);
        parts.weightLoader = weightLoaderModule(plan);
        parts.weightControl = weightControlModule(plan);
        if (plan.memory->writes)
            parts.transfer = transferModule(plan);
    }
    for (std::size_t k = 0; k < plan.followers(); ++k)
        parts.followers.push_back(followerModule(plan, k));
    if (plan.transfers)
        parts.transferQueue = transferQueueModule(plan);
    return parts;
}

Result<cost::StreamCircuit> circuitOf(const design::ComputeStep& step,
                                      const design::StoredTensor& input, const ir::Program& program,
                                      std::stop_token stop) {
    auto weight = ir::loadSource(program.value(*step.weight));
    if (!weight)
        return weight.error();
    const ir::ConvStream conv{
        input.height,         input.width,    step.pad.vertical, step.kernel.vertical,
        step.stride.vertical, input.channels, step.rows,         input.scalar};
    return cost::streamCircuit(conv, *weight, std::move(stop));
}

DesignModules::Unit unitOf(const DesignLibrary& library, const rtl::ModulePtr& module,
                           const SharedText& weights) {
    DesignModules::Unit unit{module, {}, weights};
    if (!module)
        return {};
    for (const rtl::ModulePtr& part : modulesOf(module))
        if (!library.made(part))
            unit.own.push_back(part);
    return unit;
}

} // namespace

Result<UnitCircuits> streamCircuits(const design::Schedule& schedule, const ir::Program& program,
                                    const LayerCircuits& priced, std::stop_token stop) {
    UnitCircuits circuits;
    for (const design::Step& step : schedule.steps) {
        const auto* compute = std::get_if<design::ComputeStep>(&step);
        if (compute == nullptr || !schedule.unit(compute->unit).stream)
            continue;
        const auto known = priced.find(compute->layer);
        auto circuit = known != priced.end()
                           ? known->second
                           : circuitOf(*compute, schedule.tensor(compute->input), program, stop);
        if (!circuit)
            return circuit.error();
        const std::int64_t latency = schedule.unit(compute->unit).stream->latency;
        if (circuit->latency() != latency)
            return makeError("hdl-unsupported",
                             "the stream unit of layer " + compute->layer + " has latency " +
                                 std::to_string(circuit->latency()) + ", the schedule says " +
                                 std::to_string(latency),
                             "the weights have changed: explore again");
        circuits.emplace(compute->unit, *std::move(circuit));
    }
    return circuits;
}

DesignModules designModules(const design::Schedule& schedule,
                            const std::vector<std::vector<std::int64_t>>& packed,
                            const UnitCircuits& circuits,
                            const std::vector<WriteBackContents>& contents) {
    const RtlPlan plan = makePlan(schedule);
    DesignLibrary library(plan);
    const std::vector<SharedText> weights = weightTexts(plan, packed);
    const DesignParts parts =
        partsOf(library, plan, packed, weights, writeBackTexts(plan, contents), circuits);
    const TopModule top = topModule(library, plan, schedule, parts);
    DesignModules design{top.module, top.ports, {}};
    for (std::size_t u = 0; u < plan.units.size(); ++u)
        design.units.push_back(unitOf(library, parts.units[u], weights[u]));
    return design;
}

std::vector<UnitNames> unitNames(const rtl::Names& names, const DesignModules& design) {
    std::vector<UnitNames> all;
    for (const DesignModules::Unit& unit : design.units) {
        UnitNames& result = all.emplace_back();
        if (!unit.module)
            continue;
        result.module = names.of(*unit.module);
        for (const rtl::ModulePtr& module : unit.own)
            result.modules.push_back(names.of(*module));
        if (unit.weights)
            result.weights = names.fileOf(unit.weights);
    }
    return all;
}

DesignHardware lowerDesign(const design::Schedule& schedule,
                           const std::vector<std::vector<std::int64_t>>& packed,
                           const UnitCircuits& circuits, rtl::Vendor vendor) {
    const DesignModules design = designModules(schedule, packed, circuits);
    const rtl::Names names(design.top);
    return {printed(names, vendor), namesOf(names, design.ports), unitNames(names, design)};
}

} // namespace marquetry::hdl
