#include "engine/hdl/lower_design.h"

#include "engine/cost/buffer_cost.h"

#include "engine/hdl/modules.h"

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

void addWeights(const RtlPlan& plan, const UnitPlan& unit, const std::vector<std::int64_t>& packed,
                Netlist& netlist) {
    const std::int64_t perBank = cost::kWeightBankBits / unit.weightBits;
    for (std::int64_t row = 0; row < unit.parallel; ++row)
        for (std::int64_t bank = 0; bank < unit.banksPerRow; ++bank) {
            MemoryFile file;
            file.name = weightFileName(unit, row, bank);
            for (std::int64_t word = 0; word < unit.weightWords && !packed.empty(); ++word) {
                const std::int64_t first =
                    (word * unit.parallel + row) * plan.lanes + bank * perBank;
                file.text += hexWord(packed.data() + first, perBank, unit.weightBits) + "\n";
            }
            netlist.memories.push_back(std::move(file));
        }
}

} // namespace

Result<StreamCircuits> streamCircuits(const design::Schedule& schedule, const ir::Program& program,
                                      std::stop_token stop) {
    StreamCircuits circuits;
    for (const design::Step& step : schedule.steps) {
        const auto* compute = std::get_if<design::ComputeStep>(&step);
        if (compute == nullptr || !schedule.unit(compute->unit).stream)
            continue;
        const design::StoredTensor& input = schedule.tensor(compute->input);
        auto weight = ir::loadSource(program.value(*compute->weight));
        if (!weight)
            return weight.error();
        const ir::ConvStream conv{input.height,    input.width,    compute->pad,  compute->kernel,
                                  compute->stride, input.channels, compute->rows, input.scalar};
        auto circuit = cost::streamCircuit(conv, *weight, stop);
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

Netlist lowerDesign(const design::Schedule& schedule,
                    const std::vector<std::vector<std::int64_t>>& packed,
                    const StreamCircuits& circuits) {
    const RtlPlan plan = makePlan(schedule);
    Netlist netlist;
    for (const bool lutRam : {false, true})
        if (std::ranges::any_of(plan.slots, [&](const SlotPlan& slot) {
                return slot.used && slot.lutRam == lutRam;
            }))
            netlist.modules.push_back(memoryModule(plan, lutRam));
    for (std::size_t s = 0; s < plan.slots.size(); ++s)
        if (plan.slots[s].used)
            netlist.modules.push_back(slotModule(plan, schedule, s));
    for (std::size_t u = 0; u < plan.units.size(); ++u) {
        const UnitPlan& unit = plan.units[u];
        if (unit.layers.empty())
            continue;
        if (unit.stream)
            netlist.modules.push_back(streamUnitKernel(unit, circuits.at(design::UnitId(u))));
        if (unit.multiplies()) {
            netlist.modules.push_back(weightsModule(unit));
            netlist.modules.push_back(rowModule(plan, unit));
            addWeights(plan, unit, packed[u], netlist);
        }
        netlist.modules.push_back(epilogueModule(plan, unit));
        netlist.modules.push_back(unit.stream
                                      ? streamUnitModule(plan, unit, circuits.at(design::UnitId(u)))
                                      : unitModule(plan, unit));
    }
    for (const StreamPlan& load : plan.loads)
        netlist.modules.push_back(loadModule(plan, load));
    for (const StreamPlan& store : plan.stores)
        netlist.modules.push_back(storeModule(plan, store));
    netlist.modules.push_back(sequencerModule(plan));
    if (plan.joins)
        netlist.modules.push_back(followerModule(plan));
    netlist.modules.push_back(topModule(plan, schedule));
    netlist.top = netlist.modules.back().name;
    return netlist;
}

} // namespace marquetry::hdl
