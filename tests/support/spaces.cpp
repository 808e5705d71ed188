#include "tests/support/spaces.h"

#include "tests/support/programs.h"

#include "engine/egraph/saturate.h"

namespace marquetry::test {

rules::Lowered spaceOf(const std::string& text, design::CostModel model,
                       std::vector<std::string> without, std::int64_t lanes) {
    rules::LoweringParams params;
    params.policy =
        model == design::CostModel::Cycles ? rules::Policy::Cycles : rules::Policy::Published;
    params.lanes = lanes;
    params.without = std::move(without);
    auto lowered = rules::lower(programOf(text), params);
    ENGINE_ASSERT(lowered.has_value(), "the text can be lowered");
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

std::vector<std::string> drawGroups(SplitMix64& rng) {
    std::vector<std::string> without;
    for (const char* group : {"tiling", "padding", "parallelism"})
        if (rng.range(0, 3) == 0)
            without.push_back(group);
    return without;
}

design::Pin drawPin(const rules::Lowered& lowered, SplitMix64& rng) {
    std::vector<std::string> units;
    std::vector<std::string> terms;
    const egraph::EGraph& egraph = *lowered.egraph;
    for (egraph::EClassId id : egraph.eclasses()) {
        const ir::UnitShape* shape = lowered.facts->unitShape(egraph, id);
        if (shape == nullptr)
            continue;
        units.push_back(toString(*shape));
        for (egraph::ENodeId node : egraph.enodes(id))
            terms.push_back(
                rules::printNode(egraph.language().name(egraph.op(node)), egraph.params(node)));
    }
    const auto pick = [&](const std::vector<std::string>& from) {
        return from[static_cast<std::size_t>(
            rng.range(0, static_cast<std::int64_t>(from.size()) - 1))];
    };
    design::Pin pin;
    pin.kind = static_cast<design::PinKind>(rng.range(0, 3));
    const bool sharing =
        pin.kind == design::PinKind::Share || pin.kind == design::PinKind::NeverShare;
    pin.target = pick(sharing ? units : terms);
    if (!sharing && (pin.kind == design::PinKind::ForceTerm || rng.range(0, 1) == 0)) {
        const auto call = static_cast<std::size_t>(
            rng.range(0, static_cast<std::int64_t>(lowered.calls.size()) - 1));
        pin.layer = lowered.plan.layers[lowered.calls[call].layer].name;
    }
    return pin;
}

} // namespace marquetry::test
