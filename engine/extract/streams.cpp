#include "engine/extract/streams.h"

#include "engine/ir/interpreter.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

class Lister {
public:
    Lister(const rules::Lowered& lowered, const device::Device& device, StreamCircuits& known,
           std::stop_token stop)
        : lowered_(lowered), device_(device), known_(known), stop_(std::move(stop)) {}

    std::vector<StreamOption> run() {
        if (!lowered_.streams || !cost::hasStreamUnits(device_))
            return {};
        for (const rules::StreamedCall& call : lowered_.menu.streams)
            list(call);
        return std::move(options_);
    }

private:
    /// Made by the rule: it may be switched off, or not have run yet.
    std::vector<StreamOption> made(const rules::StreamedCall& call) const {
        const egraph::EGraph& egraph = *lowered_.egraph;
        std::vector<StreamOption> found;
        for (const egraph::ENodeId node :
             egraph.enodes(egraph.find(lowered_.calls[call.layer].call))) {
            if (egraph.op(node) != call.streamed)
                continue;
            const egraph::EClassId eclass = egraph.find(egraph.children(node)[0]);
            const egraph::ENodeId unit = egraph.enodes(eclass).front();
            const auto way = std::ranges::find(call.units, egraph.op(unit), &rules::StreamUnit::op);
            ENGINE_ASSERT(way != call.units.end(), "a streamed call is one of a stream unit");
            StreamOption option;
            option.call = call.layer;
            option.term = lowered_.terms.streams.at(way->op);
            option.eclass = eclass;
            option.unit = unit;
            option.streamed = node;
            option.interval = way->interval;
            option.parallel = way->parallel;
            found.push_back(std::move(option));
        }
        std::ranges::stable_sort(found, {}, &StreamOption::interval);
        for (std::size_t k = 0; k < found.size(); ++k)
            found[k].way = static_cast<int>(k) + 1;
        return found;
    }

    void list(const rules::StreamedCall& call) {
        std::vector<StreamOption> found = made(call);
        const ir::Layer& layer = lowered_.plan.layers[call.layer];
        const cost::StreamCircuit* circuit = found.empty() ? nullptr : circuitOf(call, layer);
        if (circuit == nullptr)
            return;
        for (StreamOption& option : found) {
            price(option, call.conv, layer, *circuit);
            options_.push_back(std::move(option));
        }
    }

    const cost::StreamCircuit* circuitOf(const rules::StreamedCall& call, const ir::Layer& layer) {
        auto known = known_.byAnchor.find(layer.anchor);
        if (known == known_.byAnchor.end()) {
            std::optional<cost::StreamCircuit> made;
            if (const auto weight = ir::loadSource(lowered_.program->value(*layer.weight)))
                if (auto circuit = cost::streamCircuit(call.conv, *weight, stop_))
                    made = *std::move(circuit);
            if (stop_.stop_requested())
                return nullptr;
            known = known_.byAnchor.emplace(layer.anchor, std::move(made)).first;
        }
        return known->second ? &*known->second : nullptr;
    }

    void price(StreamOption& option, const ir::ConvStream& conv, const ir::Layer& layer,
               const cost::StreamCircuit& circuit) const {
        cost::StreamUnitShape shape{option.interval, option.parallel, 0};
        for (const ir::EpilogueOp& op : layer.epilogue)
            if (op.kind == ir::EpilogueKind::MaxPool || op.kind == ir::EpilogueKind::SumPool)
                shape.pooledColumns =
                    lowered_.program->value(op.value).type.dims[1] * option.interval;
        option.latency = circuit.latency();
        option.products = conv.products();
        option.cycles = cost::streamCycles(conv.paddedHeight() * conv.paddedWidth(),
                                           option.interval, option.latency);
        option.resources = cost::streamUnitResources(device_, circuit, shape);
    }

    const rules::Lowered& lowered_;
    const device::Device& device_;
    StreamCircuits& known_;
    std::stop_token stop_;
    std::vector<StreamOption> options_;
};

bool names(const design::Pin& pin, const rules::Lowered& lowered, const StreamOption& option) {
    const std::string& layer = lowered.plan.layers[option.call].name;
    return pin.enabled && pin.target == option.term && (pin.layer.empty() || pin.layer == layer);
}

} // namespace

const StreamOption& StreamedCalls::option(std::size_t call, int way) const {
    const auto found = std::ranges::find_if(options, [&](const StreamOption& option) {
        return option.call == call && option.way == way;
    });
    ENGINE_ASSERT(found != options.end(), "a way of the call");
    return *found;
}

StreamPins applyStreamPins(const rules::Lowered& lowered, std::vector<StreamOption> options,
                           const std::vector<design::Pin>& pins) {
    using design::PinKind;
    StreamPins result;
    WayChoice& ways = result.calls.ways;
    ways.assign(lowered.calls.size(), kOnMultipliers);
    for (const StreamOption& option : options)
        ways[option.call] |= wayBit(option.way);
    for (const design::Pin& pin : pins) {
        // A term has its layer in its name, so it is one call's.
        const auto named = std::ranges::find_if(
            options, [&](const StreamOption& option) { return names(pin, lowered, option); });
        if (named == options.end()) {
            result.others.push_back(pin);
            continue;
        }
        if (pin.kind == PinKind::ForbidTerm)
            ways[named->call] &= ~wayBit(named->way);
        if (pin.kind == PinKind::ForceTerm)
            ways[named->call] &= wayBit(named->way);
        if (pin.kind == PinKind::ForceTerm || pin.kind == PinKind::Share)
            result.forced.push_back(pin);
        result.unmet = result.unmet || pin.kind == PinKind::Share || ways[named->call] == 0;
    }
    result.calls.options = std::move(options);
    return result;
}

std::vector<StreamOption> streamOptions(const rules::Lowered& lowered, const device::Device& device,
                                        StreamCircuits& known, std::stop_token stop) {
    return Lister(lowered, device, known, std::move(stop)).run();
}

} // namespace marquetry::extract
