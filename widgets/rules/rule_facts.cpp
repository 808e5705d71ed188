#include "widgets/rules/rule_facts.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

class FactCollector {
public:
    FactCollector(const SnapshotIndex& index, egraph::RuleId rule)
        : index_(index), view_(*index.egraph()), rule_(rule) {}

    RuleFacts run() {
        for (std::size_t k = 0; k < view_.totalEnodes(); ++k)
            look(ENodeId{k});
        for (std::size_t k = 0; k < view_.unionLog().size(); ++k)
            if (const egraph::UnionEntry entry = view_.unionLog()[k]; entry.origin.rule == rule_) {
                ++facts_.unions;
                ++matchOf(entry.origin).unions;
            }
        findLayers();
        for (auto& [eclass, match] : matches_)
            facts_.matches.push_back(std::move(match));
        std::ranges::stable_sort(facts_.matches, {}, [&](const RuleMatch& match) {
            return std::tuple(match.layers.empty(), place_[match.eclass], match.eclass);
        });
        return std::move(facts_);
    }

private:
    void look(ENodeId node) {
        const egraph::Origin origin = view_.origin(node);
        const bool chosen = view_.live(node) && index_.chosen(node);
        if (chosen)
            facts_.derived += derives(node) ? 1 : 0;
        if (origin.rule != rule_)
            return;
        ++facts_.made;
        facts_.chosen += chosen ? 1 : 0;
        RuleMatch& match = matchOf(origin);
        ++match.made;
        match.chosen += chosen ? 1 : 0;
        if (!facts_.example)
            facts_.example = {node, origin.root};
    }

    bool derives(ENodeId node) const {
        return std::ranges::any_of(
            egraph::originChain(view_, node),
            [&](const egraph::OriginStep& step) { return step.origin.rule == rule_; });
    }

    RuleMatch& matchOf(const egraph::Origin& origin) {
        const EClassId eclass = view_.eclassOf(origin.root);
        RuleMatch& match = matches_[eclass];
        match.eclass = eclass;
        match.first = match.first == 0 ? origin.iteration : std::min(match.first, origin.iteration);
        match.last = std::max(match.last, origin.iteration);
        return match;
    }

    /// From the call of each layer downwards, as SnapshotIndex::layersReaching goes upwards.
    void findLayers() {
        std::vector<std::pair<ENodeId, std::string>> calls;
        for (const std::string& layer : index_.layers())
            calls.emplace_back(*index_.callNode(layer), layer);
        std::ranges::sort(calls);
        for (std::size_t k = 0; k < calls.size(); ++k)
            for (const EClassId eclass : reachedBy(calls[k].first))
                if (const auto match = matches_.find(eclass); match != matches_.end()) {
                    match->second.layers.push_back(calls[k].second);
                    place_.try_emplace(eclass, k);
                }
    }

    std::set<EClassId> reachedBy(ENodeId call) const {
        std::set<EClassId> seen;
        std::vector<EClassId> open;
        const auto reach = [&](EClassId child) {
            if (seen.insert(view_.find(child)).second)
                open.push_back(view_.find(child));
        };
        for (const EClassId child : view_.children(call))
            reach(child);
        while (!open.empty()) {
            const EClassId eclass = open.back();
            open.pop_back();
            for (const ENodeId node : view_.enodes(eclass))
                if (!view_.opName(node).starts_with("call "))
                    for (const EClassId child : view_.children(node))
                        if (view_.sort(child) == view_.sort(eclass))
                            reach(child);
        }
        return seen;
    }

    const SnapshotIndex& index_;
    const egraph::FrozenEGraph& view_;
    egraph::RuleId rule_;
    RuleFacts facts_;
    std::map<EClassId, RuleMatch> matches_;
    std::map<EClassId, std::size_t> place_; ///< of its first layer
};

} // namespace

RuleFacts ruleFacts(const SnapshotIndex& index, egraph::RuleId rule) {
    if (index.egraph() == nullptr || !rule.valid())
        return {};
    return FactCollector(index, rule).run();
}

} // namespace marquetry::widgets
