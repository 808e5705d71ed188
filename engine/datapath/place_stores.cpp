#include "engine/datapath/place_stores.h"

#include "engine/datapath/rematerialise.h"
#include "engine/datapath/store_plan.h"

#include <algorithm>

namespace marquetry::datapath {

namespace {

/// Weights are sums of many parts.
constexpr double kRounding = 1e-6;
/// Registers are placed anew afterwards, so less of a difference may be none in the end.
constexpr double kWorthwhile = 0.99;

class Placing {
public:
    Placing(const Datapath& datapath, const std::stop_token& stop)
        : planner_(datapath), stop_(stop), cells_(datapath.cells.size()) {}

    StorePlan run() {
        StorePlan best = improved(std::vector<bool>(cells_, false));
        StorePlan other = improved(std::vector<bool>(cells_, true));
        return other.weight < best.weight ? other : best;
    }

private:
    bool mayCount() {
        counted_ += static_cast<std::int64_t>(cells_);
        return counted_ <= kCountedCells && !stop_.stop_requested();
    }

    /// Until no cell alone makes it lighter.
    StorePlan improved(std::vector<bool> stored) {
        StorePlan best = planner_.plan(stored);
        counted_ = 0;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t k = cells_; k-- > 0;) {
                if (!planner_.mayMove(k) || !matters(best, stored, k) || !mayCount())
                    continue;
                stored[k] = !stored[k];
                StorePlan plan = planner_.plan(stored);
                const bool isLighter = plan.weight < best.weight - kRounding;
                if (isLighter)
                    best = std::move(plan);
                else
                    stored[k] = !stored[k];
                changed = changed || isLighter;
            }
        }
        return best;
    }

    /// Whether a cell that is not stored is computed at other times than one that is.
    static bool matters(const StorePlan& plan, const std::vector<bool>& stored, std::size_t k) {
        return stored[k] || plan.copies[k].size() > 1 || plan.copies[k][0] != 0;
    }

    StorePlanner planner_;
    const std::stop_token& stop_;
    std::size_t cells_;
    std::int64_t counted_ = 0;
};

bool hasLines(const Datapath& datapath) {
    const auto isFar = [](const Tap& tap) { return tap.distance >= kFarSteps; };
    return std::ranges::any_of(datapath.outputs, isFar) ||
           std::ranges::any_of(datapath.cells, [&](const Cell& cell) {
               return std::ranges::any_of(cell.operands, isFar);
           });
}

} // namespace

void placeStores(Datapath& datapath, const std::stop_token& stop) {
    if (!hasLines(datapath))
        return;
    Datapath planned = StorePlanner(datapath).built(Placing(datapath, stop).run().copies);
    rematerialise(datapath, stop);
    if (weightOf(planned) < kWorthwhile * weightOf(datapath))
        datapath = std::move(planned);
}

} // namespace marquetry::datapath
