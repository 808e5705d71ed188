#include "engine/datapath/rematerialise.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace marquetry::datapath {

namespace {

/// A word is there anyway when it is used this near.
constexpr std::int64_t kNearSteps = 8;
/// Made again, for each cell.
constexpr std::size_t kMostWords = 4;

class Rematerialising {
public:
    explicit Rematerialising(Datapath& datapath) : datapath_(datapath), cells_(datapath.cells) {
        collect();
        findFree();
    }

    void run(const std::stop_token& stop) {
        const std::size_t most = kMostWords * cells_.size();
        for (std::size_t round = 0; round < most && !stop.stop_requested(); ++round) {
            collect();
            std::optional<Tap> far = lastFarUse(true);
            if (!far)
                far = lastFarUse(false);
            if (!far)
                return;
            recompute(*far);
        }
    }

private:
    /// Users come behind what they use: the last words first. Views before all others: what is used
    /// far away through a view is there for the words that are made again.
    std::optional<Tap> lastFarUse(bool views) const {
        for (std::size_t u = cells_.size(); u-- > 0;) {
            if (isView(cells_[u].kind) != views)
                continue;
            if (const auto far = farUse(CellId(u)))
                return far;
        }
        return std::nullopt;
    }

    void collect() {
        uses_.assign(cells_.size(), {});
        for (std::size_t v = 0; v < cells_.size(); ++v) {
            for (const Tap& tap : cells_[v].operands)
                uses_[tap.cell.index()].insert({tap.distance, v});
        }
        for (const Tap& tap : datapath_.outputs)
            uses_[tap.cell.index()].insert({tap.distance, cells_.size()});
    }

    /// Cells that depend on no loop.
    void findFree() {
        std::vector<std::size_t> missing;
        std::vector<std::size_t> open;
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            std::set<std::pair<std::int64_t, CellId>> operands;
            for (const Tap& tap : cells_[k].operands)
                operands.insert({tap.distance, tap.cell});
            missing.push_back(operands.size());
            if (operands.empty())
                open.push_back(k);
        }
        free_.assign(cells_.size(), false);
        while (!open.empty()) {
            const std::size_t u = open.back();
            open.pop_back();
            free_[u] = true;
            for (const auto& [distance, user] : uses_[u]) {
                if (user < cells_.size() && --missing[user] == 0)
                    open.push_back(user);
            }
        }
    }

    /// The nearest far use of a cell that can be made again there.
    std::optional<Tap> farUse(CellId id) const {
        const Cell& cell = cells_[id.index()];
        const bool simple = free_[id.index()] && !cell.operands.empty() && !cell.periodic &&
                            cell.kind != CellKind::Sample && cell.kind != CellKind::Mul &&
                            cell.kind != CellKind::Lookup && cell.kind != CellKind::Store &&
                            cell.kind != CellKind::Fetch;
        const auto phased = [&](const Tap& tap) {
            const Cell& operand = cells_[tap.cell.index()];
            return operand.periodic && operand.period > 1;
        };
        if (!simple || std::ranges::any_of(cell.operands, phased))
            return std::nullopt;
        std::int64_t last = 0;
        for (const auto& [distance, user] : uses_[id.index()]) {
            const bool far = distance - last >= kFarSteps * cell.used.stride;
            last = distance;
            if (far && std::ranges::all_of(cell.operands, [&](const Tap& tap) {
                    return isView(cell.kind) || isThere(tap, distance, id);
                }))
                return Tap{id, distance};
        }
        return std::nullopt;
    }

    /// Whether someone else than `user` needs an operand about `later` steps later as well.
    bool isThere(const Tap& tap, std::int64_t later, CellId user) const {
        if (cells_[tap.cell.index()].periodic)
            return true;
        const std::int64_t at = tap.distance + later;
        const auto& uses = uses_[tap.cell.index()];
        return std::ranges::any_of(uses, [&](const auto& use) {
            return use.second != user.index() && use.first >= at - kNearSteps;
        });
    }

    /// A second cell, `far.distance` steps later, for the users from there on.
    void recompute(const Tap& far) {
        Cell again = cells_[far.cell.index()];
        for (Tap& tap : again.operands) {
            if (!cells_[tap.cell.index()].periodic)
                tap.distance += far.distance;
        }
        again.used.offset = (again.used.offset + far.distance) % again.used.stride;
        const CellId id(cells_.size());
        const auto redirect = [&](Tap& tap) {
            if (tap.cell == far.cell && tap.distance >= far.distance)
                tap = {id, tap.distance - far.distance};
        };
        for (Cell& cell : cells_)
            std::ranges::for_each(cell.operands, redirect);
        std::ranges::for_each(datapath_.outputs, redirect);
        cells_.push_back(std::move(again));
        free_.push_back(true);
    }

    Datapath& datapath_;
    std::vector<Cell>& cells_;
    /// Of each cell: distance and user.
    std::vector<std::set<std::pair<std::int64_t, std::size_t>>> uses_;
    std::vector<bool> free_;
};

} // namespace

void rematerialise(Datapath& datapath, const std::stop_token& stop) {
    Rematerialising(datapath).run(stop);
}

} // namespace marquetry::datapath
