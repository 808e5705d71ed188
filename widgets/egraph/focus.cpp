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
        return static_cast<std::size_t>(
            std::ranges::count_if(members, [&](ENodeId n) { return index_.chosen(n); }));
    }

    int rank(ENodeId node) const { return index_.chosen(node) ? 0 : index_.pinned(node) ? 1 : 2; }

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

    const SnapshotIndex& index_;
    const egraph::FrozenEGraph& view_;
    const FocusParams& params_;
    std::size_t perClass_ = 1;
    Focus focus_;
    std::map<EClassId, std::size_t> place_;
};

} // namespace

Focus chooseFocus(const SnapshotIndex& index, const FocusParams& params) {
    if (index.egraph() == nullptr)
        return {};
    return Chooser(index, params).run();
}

} // namespace marquetry::widgets
