#include "widgets/egraph/overview_bundles.h"

#include <algorithm>
#include <map>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

const char* const kOthers = "others";

/// The oldest e-node of each class, by the class's id.
std::vector<ENodeId> oldestNodes(const egraph::FrozenEGraph& view) {
    std::vector<ENodeId> oldest(view.totalEnodes());
    for (std::uint32_t n = 0; n < view.totalEnodes(); ++n) {
        const ENodeId node{n};
        if (!view.live(node))
            continue;
        ENodeId& first = oldest[view.eclassOf(node).index()];
        if (!first.valid())
            first = node;
    }
    return oldest;
}

/// By operator: its name without parameters.
std::vector<std::string> familyNames(const egraph::Language& language) {
    std::vector<std::string> names(language.opCount());
    for (std::size_t op = 0; op < names.size(); ++op) {
        const std::string& name = language.name(egraph::OpId{op});
        names[op] = name.substr(0, name.find('['));
    }
    return names;
}

std::string ruleText(const session::Snapshot& snapshot, const egraph::Origin& origin) {
    if (origin.rule == egraph::kGiven)
        return "as written";
    if (egraph::isRule(origin.rule) && origin.rule.index() < snapshot.ruleNames.size())
        return snapshot.ruleNames[origin.rule.index()];
    return origin.rule == egraph::kCongruence ? "congruence"
                                              : "rule " + std::to_string(origin.rule.index());
}

class BundleMaker {
public:
    BundleMaker(const SnapshotIndex& index, const ShownPart& part)
        : index_(index),
          view_(*index.egraph()),
          part_(part),
          oldest_(oldestNodes(view_)),
          families_(familyNames(view_.language())) {}

    OverviewBundles run() {
        made_.groups = overviewGroups(index_);
        made_.layered = !made_.groups.empty();
        if (!made_.layered)
            groupByOperator();
        joinSmallGroups();
        made_.of.assign(view_.totalEnodes(), 0);
        for (std::size_t group = 0; group < made_.groups.size(); ++group)
            bundle(group);
        joinSmallBundles();
        count();
        for (OverviewGroup& group : made_.groups)
            group.classes.clear();
        for (const OverviewBundle& bundle : made_.bundles)
            made_.groups[bundle.group].classes.push_back(bundle.first);
        return std::move(made_);
    }

private:
    const std::string& familyOf(EClassId id) const {
        return families_[view_.op(oldest_[id.index()]).index()];
    }

    void groupByOperator() {
        std::map<std::string, std::size_t> places;
        for (const EClassId id : view_.eclasses()) {
            const auto [found, isNew] = places.try_emplace(familyOf(id), made_.groups.size());
            if (isNew)
                made_.groups.push_back({found->first, true});
            made_.groups[found->second].classes.push_back(id);
        }
    }

    void joinSmallGroups() {
        std::vector<OverviewGroup>& groups = made_.groups;
        if (groups.size() <= kMostGroups)
            return;
        std::vector<std::size_t> sizes;
        for (const OverviewGroup& group : groups)
            sizes.push_back(group.classes.size());
        std::ranges::nth_element(sizes, sizes.begin() + (kMostGroups - 1), std::greater());
        const std::size_t least = sizes[kMostGroups - 1];
        OverviewGroup others{kOthers, groups.back().written};
        std::size_t kept = 0;
        std::erase_if(groups, [&](const OverviewGroup& group) {
            if (group.classes.size() >= least && ++kept < kMostGroups)
                return false;
            others.classes.insert(others.classes.end(), group.classes.begin(), group.classes.end());
            return true;
        });
        std::ranges::sort(others.classes);
        groups.push_back(std::move(others));
    }

    /// Of what is written the operator, of what rules made the rule. An e-graph without layers is
    /// grouped by operators already.
    std::string nameIn(const OverviewGroup& group, EClassId id) const {
        if (made_.layered && group.written)
            return familyOf(id);
        return ruleText(index_.snapshot(), view_.origin(oldest_[id.index()]));
    }

    /// What tells bundles of a group apart, cheaper than the name.
    std::uint32_t keyIn(const OverviewGroup& group, EClassId id) const {
        const ENodeId node = oldest_[id.index()];
        return made_.layered && group.written ? view_.op(node).value()
                                              : view_.origin(node).rule.value();
    }

    void bundle(std::size_t number) {
        const OverviewGroup& group = made_.groups[number];
        std::map<std::uint32_t, std::uint32_t> byKey;
        std::map<std::string, std::uint32_t> byName;
        for (const EClassId id : group.classes) {
            const auto [key, isNew] = byKey.try_emplace(keyIn(group, id), 0);
            if (isNew) {
                const auto next = static_cast<std::uint32_t>(made_.bundles.size());
                const auto [name, fresh] = byName.try_emplace(nameIn(group, id), next);
                if (fresh)
                    made_.bundles.push_back({name->first, number, id});
                key->second = name->second;
            }
            made_.of[id.index()] = key->second;
        }
    }

    /// Those past the most, the smallest of all, become one of their group.
    void joinSmallBundles() {
        std::vector<OverviewBundle>& bundles = made_.bundles;
        if (bundles.size() <= kMostBundles)
            return;
        std::vector<std::size_t> sizes(bundles.size(), 0);
        for (const EClassId id : view_.eclasses())
            ++sizes[made_.of[id.index()]];
        std::vector<std::uint32_t> order(bundles.size());
        for (std::uint32_t k = 0; k < order.size(); ++k)
            order[k] = k;
        std::ranges::stable_sort(order, std::greater(), [&](std::uint32_t k) { return sizes[k]; });
        std::vector<bool> keeps(bundles.size(), false);
        for (std::size_t k = 0; k < kMostBundles - made_.groups.size(); ++k)
            keeps[order[k]] = true;
        std::vector<std::uint32_t> now(bundles.size());
        std::vector<OverviewBundle> fewer;
        std::map<std::size_t, std::uint32_t> others;
        for (std::uint32_t k = 0; k < bundles.size(); ++k) {
            const auto next = static_cast<std::uint32_t>(fewer.size());
            const bool first = keeps[k] || others.try_emplace(bundles[k].group, next).second;
            now[k] = keeps[k] ? next : others[bundles[k].group];
            if (!first)
                continue;
            fewer.push_back(std::move(bundles[k]));
            if (!keeps[k])
                fewer.back().name = kOthers;
        }
        bundles = std::move(fewer);
        for (const EClassId id : view_.eclasses())
            made_.of[id.index()] = now[made_.of[id.index()]];
    }

    void count() {
        for (const EClassId id : part_.eclasses())
            ++made_.bundles[made_.of[id.index()]].eclasses;
        for (std::uint32_t n = 0; n < view_.totalEnodes(); ++n)
            if (const ENodeId node{n}; view_.live(node) && part_.shows(node)) {
                OverviewBundle& bundle = made_.bundles[made_.of[view_.eclassOf(node).index()]];
                ++bundle.enodes;
                bundle.pinned = bundle.pinned || index_.pinned(node);
            }
        for (const EClassId id : index_.chosenClasses()) {
            OverviewBundle& bundle = made_.bundles[made_.of[view_.find(id).index()]];
            bundle.chosen = bundle.chosen || part_.shows(id);
            bundle.shared = bundle.shared || index_.shared(id);
        }
    }

    const SnapshotIndex& index_;
    const egraph::FrozenEGraph& view_;
    const ShownPart& part_;
    const std::vector<ENodeId> oldest_;       ///< by class id
    const std::vector<std::string> families_; ///< by operator
    OverviewBundles made_;
};

} // namespace

OverviewBundles overviewBundles(const SnapshotIndex& index, const ShownPart& part) {
    return BundleMaker(index, part).run();
}

std::vector<BundleEdge> edgesOf(const SnapshotIndex& index, const ShownPart& part,
                                const OverviewBundles& made) {
    const egraph::FrozenEGraph& view = *index.egraph();
    const std::size_t n = made.bundles.size();
    std::vector<std::uint32_t> uses(n * n, 0);
    std::vector<bool> chosen(n * n, false);
    for (std::uint32_t k = 0; k < view.totalEnodes(); ++k) {
        const ENodeId node{k};
        if (!view.live(node) || !part.shows(node))
            continue;
        const std::size_t from = made.of[view.eclassOf(node).index()];
        for (const EClassId child : view.children(node)) {
            const std::size_t to = made.of[child.index()];
            if (from != to && part.shows(child))
                ++uses[from * n + to];
        }
    }
    for (const EClassId id : index.chosenClasses())
        for (const ENodeId node : view.enodes(id))
            if (index.chosen(node))
                for (const EClassId child : view.children(node))
                    if (index.chosen(child))
                        chosen[made.of[view.find(id).index()] * n + made.of[child.index()]] = true;
    std::vector<BundleEdge> edges;
    for (std::uint32_t from = 0; from < n; ++from)
        for (std::uint32_t to = 0; to < n; ++to)
            if (const std::size_t at = from * n + to; uses[at] > 0)
                edges.push_back({from, to, uses[at], chosen[at]});
    std::ranges::stable_sort(edges, std::greater(), &BundleEdge::uses);
    return edges;
}

} // namespace marquetry::widgets
