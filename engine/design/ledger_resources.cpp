#include "engine/design/ledger_resources.h"

#include "engine/cost/buffer_cost.h"
#include "engine/design/ledger_share.h"
#include "engine/support/numbers.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace marquetry::design {

namespace {

struct ResourceKind {
    std::string name;
    double device::Resources::*amount;
};

/// Below it, what is left over of sums of estimates is nothing.
constexpr double kNothing = 1e-6;

LedgerResource resourceOf(const Design& design, const ResourceKind& kind) {
    LedgerResource resource;
    resource.name = kind.name;
    resource.used = design.resources.*kind.amount;
    double control = resource.used;
    const auto add = [&](const std::string& name, double amount) {
        if (amount <= 0)
            return;
        resource.users.push_back({name, amount});
        control -= amount;
    };
    for (const DesignUnit& unit : design.units)
        add("unit " + unit.name, unit.resources.*kind.amount);
    for (const DesignBuffer& buffer : design.buffers)
        add("memory " + buffer.name,
            device::Resources{0, buffer.lut, buffer.ff, buffer.bram}.*kind.amount);
    if (std::abs(control) > kNothing)
        resource.users.push_back({"control", control});
    std::ranges::stable_sort(resource.users, std::ranges::greater(), &ResourceUser::amount);
    return resource;
}

std::string percent(double part, double whole) {
    TextOut text;
    text.setf(std::ios::fixed);
    text.precision(1);
    text << 100 * part / std::max(1.0, whole) << " %";
    return text.str();
}

/// What the greatest part means, and what would shrink it.
const char* partMeaning(ClockPart part) {
    switch (part) {
    case ClockPart::Multiplying:
        return "its multipliers do the program's multiplications; more of them, or fewer "
               "multiplications, make it faster";
    case ClockPart::Padding:
        return "multipliers meet rows, lanes or channels that the layers do not have; units of "
               "another shape would be used better";
    case ClockPart::Elements:
        return "units without multipliers take their words one by one";
    case ClockPart::Transfer:
        return "inputs and outputs move over their streams";
    case ClockPart::Move:
        return "tensors are copied in another order";
    case ClockPart::WriteBack:
        return "results leave the units more slowly than words are taken";
    case ClockPart::Waiting:
        return "calls wait for weights from external memory; more frames in a run, more block RAM "
               "or more bandwidth would shorten it";
    case ClockPart::Drain:
        return "steps are set up, and their pipelines drain";
    }
    return "";
}

} // namespace

std::vector<LedgerResource> ledgerResources(const Design& design, const device::Device& device,
                                            const device::Resources& limits) {
    const std::vector<ResourceKind> kinds{
        {"DSP", &device::Resources::dsp},
        {device.ramKind.empty() ? std::string("block RAM") : device.ramKind,
         &device::Resources::bram},
        {device.lutUnit, &device::Resources::lut},
        {"FF", &device::Resources::ff}};
    std::vector<LedgerResource> resources;
    for (const ResourceKind& kind : kinds) {
        resources.push_back(resourceOf(design, kind));
        resources.back().limit = limits.*kind.amount;
        resources.back().device = device.limits.*kind.amount;
    }
    return resources;
}

std::string whyExternal(const ExternalWeights& call) {
    const ScheduleUnit& unit = call.unit;
    const std::int64_t apart = unit.holds ? unit.weightRows() : 1;
    const int elementBits = ir::storedBits(unit.weight);
    const std::int64_t elements = call.weights.bits / elementBits / apart;
    const auto blocksOf = [&](std::int64_t words) {
        return static_cast<double>(apart) *
               cost::weightMemory(call.device, words, elements, elementBits).resources.bram;
    };
    // The ring takes whatever is left, so it gives way to what stays; one of LUTs takes no blocks.
    const double stays = blocksOf(unit.weightWords);
    const double more = blocksOf(unit.weightWords + call.weights.words) - stays;
    const double ring = unit.lutWeights ? 0 : std::max(0.0, blocksOf(unit.memoryWords()) - stays);
    const double left = std::max(0.0, call.freeBlocks) + ring;
    TextOut text;
    text << "on the chip they would take " << roundedText(more) << " "
         << (call.device.ramKind.empty() ? "blocks" : call.device.ramKind) << ", of "
         << roundedText(left) << " that are free or hold what passes through";
    if (call.waiting == 0)
        text << "; the call does not wait for them";
    return text.str();
}

namespace {

/// By layer: those of its steps.
std::vector<double> criticalByLayer(const Ledger& ledger, ClockPart part) {
    const auto keyOf = [](const LedgerRow& row) {
        return std::pair(row.isTransfer() ? row.kind : StepKind::Call, row.name);
    };
    std::map<std::pair<StepKind, std::string>, double> clocks;
    for (const LedgerRow& step : ledger.steps)
        clocks[keyOf(step)] += criticalOf(step.clocks, part);
    std::vector<double> sums;
    for (const LedgerRow& layer : ledger.layers)
        sums.push_back(clocks[keyOf(layer)]);
    return sums;
}

} // namespace

LedgerBinding ledgerBinding(const Ledger& ledger) {
    LedgerBinding binding;
    std::array<double, kClockParts> all{};
    for (const LedgerRow& step : ledger.steps)
        for (std::size_t k = 0; k < kClockParts; ++k)
            all[k] += criticalOf(step.clocks, static_cast<ClockPart>(k));
    const auto part = std::ranges::max_element(all) - all.begin();
    binding.part = static_cast<ClockPart>(part);
    const std::vector<double> byLayer = criticalByLayer(ledger, binding.part);
    const auto most = std::ranges::max_element(byLayer);
    if (most == byLayer.end())
        return binding;
    binding.row = ledger.layers[static_cast<std::size_t>(most - byLayer.begin())].name;
    const auto whole = static_cast<double>(ledger.cycles);
    TextOut text;
    text << "The most clocks go to " << toString(binding.part) << ", "
         << percent(*std::ranges::max_element(all), whole) << " of all, and " << binding.row
         << " has the most of them (" << percent(*most, whole) << "): " << partMeaning(binding.part)
         << ".";
    const auto fullest = std::ranges::max_element(ledger.resources, {}, &LedgerResource::share);
    if (fullest != ledger.resources.end() && fullest->used > 0)
        text << " Of the limits " << fullest->name
             << " is used the most: " << roundedText(fullest->used) << " of "
             << roundedText(fullest->limit) << " (" << percent(fullest->used, fullest->limit)
             << ").";
    binding.text = text.str();
    return binding;
}

} // namespace marquetry::design
