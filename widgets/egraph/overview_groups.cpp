#include "widgets/egraph/overview_groups.h"

#include <algorithm>
#include <map>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

constexpr std::uint32_t kNobody = 0xFFFFFFFFu;

bool written(const egraph::FrozenEGraph& view, ENodeId node) {
    return view.origin(node).rule == egraph::kGiven;
}

/// By class: the number of the first layer that reaches it by e-nodes as written.
std::vector<std::uint32_t> owners(const SnapshotIndex& index,
                                  const std::vector<std::string>& layers) {
    const egraph::FrozenEGraph& view = *index.egraph();
    std::vector<std::uint32_t> owner(view.totalEnodes(), kNobody);
    std::vector<EClassId> open;
    for (std::uint32_t layer = 0; layer < layers.size(); ++layer) {
        const auto reach = [&](EClassId id) {
            if (owner[id.index()] != kNobody)
                return;
            owner[id.index()] = layer;
            open.push_back(id);
        };
        reach(view.eclassOf(*index.callNode(layers[layer])));
        while (!open.empty()) {
            const EClassId id = open.back();
            open.pop_back();
            for (const ENodeId node : view.enodes(id))
                if (written(view, node))
                    std::ranges::for_each(view.children(node), reach);
        }
    }
    return owner;
}

std::string familyOf(const egraph::FrozenEGraph& view, EClassId id) {
    const std::string& name = view.opName(view.enodes(id).front());
    return name.substr(0, name.find('['));
}

} // namespace

std::vector<std::string> layersInOrder(const SnapshotIndex& index) {
    std::vector<std::string> layers = index.layers();
    if (!index.snapshot().program)
        return layers;
    std::map<std::string, std::size_t> places;
    for (const ir::Value& value : index.snapshot().program->values)
        places.emplace(value.name, places.size());
    std::ranges::stable_sort(layers, {}, [&](const std::string& layer) {
        const auto found = places.find(layer);
        return found == places.end() ? places.size() : found->second;
    });
    return layers;
}

std::vector<OverviewGroup> overviewGroups(const SnapshotIndex& index) {
    const std::vector<std::string> layers = layersInOrder(index);
    if (layers.empty())
        return {};
    const egraph::FrozenEGraph& view = *index.egraph();
    const std::vector<std::uint32_t> owner = owners(index, layers);
    std::vector<OverviewGroup> groups;
    for (const std::string& layer : layers)
        groups.push_back({layer, true});
    groups.push_back({"program", true});
    std::map<std::string, std::size_t> families;
    for (const EClassId id : view.eclasses()) {
        std::size_t place = owner[id.index()];
        if (place == kNobody && std::ranges::any_of(view.enodes(id), [&](ENodeId node) {
                return written(view, node);
            })) {
            place = layers.size();
        } else if (place == kNobody) {
            const auto [found, isNew] = families.try_emplace(familyOf(view, id), groups.size());
            if (isNew)
                groups.push_back({found->first, false});
            place = found->second;
        }
        groups[place].classes.push_back(id);
    }
    std::erase_if(groups, [](const OverviewGroup& group) { return group.classes.empty(); });
    return groups;
}

} // namespace marquetry::widgets
