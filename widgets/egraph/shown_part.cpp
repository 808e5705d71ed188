#include "widgets/egraph/shown_part.h"

namespace marquetry::widgets {

using egraph::EClassId;
using egraph::ENodeId;

ShownPart::ShownPart(const SnapshotIndex& index, const EGraphFilter& filter)
    : view_(*index.egraph()), all_(filter.empty()) {
    if (all_) {
        shownClasses_ = view_.eclasses();
        enodeCount_ = view_.enodeCount();
        return;
    }
    nodes_.resize(view_.totalEnodes());
    classes_.resize(view_.totalEnodes());
    const egraph::RuleId rule = index.ruleId(filter.rule);
    const std::vector<bool> layer = ofLayer(index, filter.layer);
    for (const EClassId eclass : view_.eclasses()) {
        const bool sort =
            filter.sort.empty() || view_.language().sortName(view_.sort(eclass)) == filter.sort;
        if (!sort || !layer[eclass.index()])
            continue;
        for (const ENodeId node : view_.enodes(eclass)) {
            const egraph::Origin& origin = view_.origin(node);
            const bool made = filter.rule.empty() || origin.rule == rule;
            const bool early = origin.rule == egraph::kGiven ||
                               static_cast<int>(origin.iteration) <= filter.lastIteration;
            if (!made || !early)
                continue;
            nodes_[node.index()] = true;
            classes_[eclass.index()] = true;
            ++enodeCount_;
        }
        if (classes_[eclass.index()])
            shownClasses_.push_back(eclass);
    }
}

std::vector<ENodeId> ShownPart::enodes(EClassId eclass) const {
    std::vector<ENodeId> list;
    for (const ENodeId node : view_.enodes(eclass))
        if (shows(node))
            list.push_back(node);
    return list;
}

/// By class: down from the layer's call, as far as the calls of other layers.
std::vector<bool> ShownPart::ofLayer(const SnapshotIndex& index, const std::string& layer) const {
    std::vector<bool> reached(view_.totalEnodes(), layer.empty());
    const auto call = index.callNode(layer);
    if (layer.empty() || !call)
        return reached;
    std::vector<EClassId> open{view_.eclassOf(*call)};
    reached[open.front().index()] = true;
    while (!open.empty()) {
        const EClassId eclass = open.back();
        open.pop_back();
        for (const ENodeId node : view_.enodes(eclass)) {
            if (view_.opName(node).starts_with("call ") && node != *call)
                continue;
            for (const EClassId child : view_.children(node))
                if (!reached[child.index()]) {
                    reached[child.index()] = true;
                    open.push_back(child);
                }
        }
    }
    return reached;
}

} // namespace marquetry::widgets
