#include "widgets/egraph/focus.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

class Chooser {
public:
    Chooser(const SnapshotIndex& index, const FocusParams& params)
        : index_(index), view_(*index.egraph()), params_(params) {}

    Focus run() {
        const std::vector<EClassId> seeds = canonical(params_.seeds);
        const std::vector<EClassId> design(index_.chosenClasses().begin(),
                                           index_.chosenClasses().end());
        if (!seeds.empty()) {
            perClass_ = params_.perClass;
            grow(seeds, params_.hops);
            if (params_.part != nullptr)
                grow(params_.part->eclasses(), 0);
            perClass_ = 1;
            grow(design, 0);
        } else if (params_.part != nullptr) {
            perClass_ = params_.perClass;
            grow(params_.part->eclasses(), 0);
        } else if (!design.empty()) {
            perClass_ = params_.hops <= 1 ? 1 : params_.perClass;
            grow(design, std::max(0, params_.hops - 1));
        } else {
            perClass_ = params_.perClass;
            grow(roots(), std::numeric_limits<int>::max());
        }
        connect();
        fold(seeds);
        return std::move(focus_);
    }

private:
    std::vector<EClassId> canonical(const std::vector<EClassId>& ids) const {
        std::vector<EClassId> list;
        for (const EClassId id : ids)
            if (id.index() < view_.totalEnodes() &&
                std::ranges::find(list, view_.find(id)) == list.end())
                list.push_back(view_.find(id));
        return list;
    }

    std::vector<EClassId> roots() const {
        std::vector<EClassId> list;
        for (const EClassId id : view_.eclasses())
            if (view_.parents(id).empty())
                list.push_back(id);
        return list;
    }

    void grow(const std::vector<EClassId>& from, int hops) {
        std::deque<std::pair<EClassId, int>> open;
        std::set<EClassId> seen;
        for (const EClassId id : from)
            if (seen.insert(id).second)
                open.emplace_back(id, 0);
        while (!open.empty()) {
            const auto [id, distance] = open.front();
            open.pop_front();
            if (params_.part != nullptr && !params_.part->shows(id))
                continue;
            if (!show(id))
                return;
            if (distance == hops)
                continue;
            for (const EClassId next : neighbours(id))
                if (seen.insert(next).second)
                    open.emplace_back(next, distance + 1);
        }
    }

    std::vector<EClassId> neighbours(EClassId id) const {
        std::vector<EClassId> list;
        for (const ENodeId node : members(id))
            for (const EClassId child : view_.children(node))
                list.push_back(child);
        for (const ENodeId parent : view_.parents(id))
            if (params_.part == nullptr || params_.part->shows(parent))
                list.push_back(view_.eclassOf(parent));
        return list;
    }

    std::vector<ENodeId> members(EClassId id) const {
        if (params_.part != nullptr)
            return params_.part->enodes(id);
        const auto all = view_.enodes(id);
        return {all.begin(), all.end()};
    }

    /// False when the budget is used up.
    bool show(EClassId id) {
        if (place_.contains(id))
            return true;
        FocusClass shown{id, members(id), 0};
        std::ranges::stable_sort(shown.shown,
                                 [&](ENodeId a, ENodeId b) { return rank(a) < rank(b); });
        const std::size_t room = params_.budget - std::min(params_.budget, focus_.enodes);
        const std::size_t cap = params_.expanded.contains(id)
                                    ? shown.shown.size()
                                    : std::max(perClass_, chosenCount(shown.shown));
        const std::size_t keep = std::min({shown.shown.size(), cap, room});
        if (keep == 0) {
            focus_.budgetReached = true;
            return false;
        }
        shown.hidden = shown.shown.size() - keep;
        shown.shown.resize(keep);
        std::ranges::sort(shown.shown);
        focus_.enodes += keep;
        place_[id] = focus_.classes.size();
        focus_.classes.push_back(std::move(shown));
        return true;
    }

    std::size_t chosenCount(std::span<const ENodeId> members) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            members, [&](ENodeId n) { return index_.chosen(n) || n == params_.first; }));
    }

    int rank(ENodeId node) const {
        return node == params_.first ? 0 : index_.chosen(node) ? 1 : index_.pinned(node) ? 2 : 3;
    }

    void connect() {
        std::size_t number = 0;
        for (const FocusClass& eclass : focus_.classes)
            for (const ENodeId node : eclass.shown) {
                std::set<EClassId> done;
                for (const EClassId child : view_.children(node)) {
                    if (!done.insert(child).second)
                        continue;
                    const auto found = place_.find(child);
                    if (found == place_.end())
                        ++focus_.hiddenChildren;
                    else
                        focus_.edges.push_back(
                            {number, found->second, index_.chosen(node) && index_.chosen(child)});
                }
                ++number;
            }
    }

    bool foldable(std::size_t number, const std::vector<EClassId>& seeds) const {
        const FocusClass& eclass = focus_.classes[number];
        return eclass.shown.size() == 1 && !index_.shared(eclass.id) && !index_.pinned(eclass.id) &&
               !index_.pinned(eclass.shown.front()) && !params_.expanded.contains(eclass.id) &&
               !params_.unfolded.contains(eclass.id) &&
               std::ranges::find(seeds, eclass.id) == seeds.end();
    }

    /// By class: the only one it leads to within a chain, or itself.
    std::vector<std::size_t> chainLinks(const std::vector<EClassId>& seeds) const {
        const std::size_t count = focus_.classes.size();
        std::vector<std::set<std::size_t>> to(count);
        std::vector<std::set<std::size_t>> from(count);
        std::vector<std::size_t> classOf;
        for (std::size_t c = 0; c < count; ++c)
            classOf.insert(classOf.end(), focus_.classes[c].shown.size(), c);
        for (const FocusEdge& edge : focus_.edges) {
            to[classOf[edge.from]].insert(edge.to);
            from[edge.to].insert(classOf[edge.from]);
        }
        std::vector<std::size_t> next(count);
        for (std::size_t c = 0; c < count; ++c) {
            const std::size_t other = to[c].size() == 1 ? *to[c].begin() : c;
            const bool linked =
                from[other].size() == 1 && foldable(c, seeds) && foldable(other, seeds);
            next[c] = linked ? other : c;
        }
        return next;
    }

    void fold(const std::vector<EClassId>& seeds) {
        const std::vector<std::size_t> next = chainLinks(seeds);
        std::vector<bool> inside(next.size(), false);
        for (std::size_t c = 0; c < next.size(); ++c)
            if (next[c] != c)
                inside[next[c]] = true;
        std::vector<bool> done(next.size(), false);
        for (const bool rings : {false, true}) // a ring has no first class: any will do
            for (std::size_t first = 0; first < next.size(); ++first) {
                if (done[first] || (inside[first] && !rings))
                    continue;
                std::vector<std::size_t> block;
                for (std::size_t c = first; !done[c]; c = next[c]) {
                    done[c] = true;
                    block.push_back(c);
                }
                focus_.blocks.push_back(std::move(block));
            }
    }

    const SnapshotIndex& index_;
    const egraph::FrozenEGraph& view_;
    const FocusParams& params_;
    std::size_t perClass_ = 1;
    Focus focus_;
    std::map<EClassId, std::size_t> place_;
};

} // namespace

const std::vector<std::size_t>* Focus::blockOf(EClassId id) const {
    for (const std::vector<std::size_t>& block : blocks)
        if (std::ranges::any_of(block, [&](std::size_t c) { return classes[c].id == id; }))
            return &block;
    return nullptr;
}

Focus chooseFocus(const SnapshotIndex& index, const FocusParams& params) {
    if (index.egraph() == nullptr)
        return {};
    return Chooser(index, params).run();
}

} // namespace marquetry::widgets
