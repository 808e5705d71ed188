#include "engine/extract/cut_choices.h"

#include "engine/design/external_tensors.h"
#include "engine/design/weight_image.h"
#include "engine/extract/band_choices.h"

#include <algorithm>
#include <array>
#include <utility>

namespace marquetry::extract {

namespace {

/// In place of a block of RAM, where half of all LUTs may hold tensors.
constexpr double kLutsOfBlock = 1'200;
/// Of the room for tensors: what they may take at once, and of that each of them.
constexpr std::array<double, 8> kShares{1.0, 0.8, 0.65, 0.52, 0.42, 0.33, 0.25, 0.18};
constexpr std::array<double, 2> kLargest{1.0, 0.35};
/// Where everything is on the chip; some slots are built of LUTs.
constexpr std::array<double, 10> kSharesOnChip{1.6,  1.25, 1.0,  0.8,  0.65,
                                               0.52, 0.42, 0.33, 0.25, 0.18};
/// Of a LUT: where there are enough, and where they are short; more if there are too many steps.
constexpr std::array<double, 3> kLutClocks{0.5, 10, 40};
constexpr std::array<double, 3> kShortLutClocks{20, 80, 320};

class Chooser {
public:
    Chooser(const CutProblem& problem, SegmentMemo& memo)
        : problem_(problem), planner_(problem.segments, memo) {}

    CutChoices run() {
        tryRoom(problem_.limit);
        // Where there are few blocks, most of the room is LUTs.
        if (const double luts = problem_.luts / kLutsOfBlock; luts > problem_.limit)
            tryRoom(problem_.limit + luts);
        std::ranges::stable_sort(choices_.fitting, {}, &SegmentCuts::clocks);
        choices_.fitting.resize(std::min(choices_.fitting.size(), kMostCuts));
        return std::move(choices_);
    }

private:
    void tryRoom(double blocks) {
        for (const double share : kShares)
            for (const double largest : kLargest)
                tryBlocks(share * blocks, largest);
        for (const double share : kSharesOnChip)
            addRun(share * blocks);
    }

    void tryBlocks(double blocks, double largest) {
        for (const double lutClocks : problem_.lutsShort ? kShortLutClocks : kLutClocks) {
            if (problem_.ended())
                return;
            auto cuts = planner_.best({blocks, largest * blocks, lutClocks});
            if (!cuts || cuts->outside.empty() || std::ranges::find(tried_, *cuts) != tried_.end())
                return;
            tried_.push_back(*cuts);
            const design::Schedule schedule =
                design::buildSchedule(withCuts(problem_.segments.request, *cuts));
            if (std::ssize(schedule.steps) > kMostBandedSteps || !hasPort(schedule))
                continue;
            const double needs = problem_.needsOf(schedule, cuts->bands);
            choices_.leastBlocks = std::min(choices_.leastBlocks, needs);
            if (needs <= problem_.limit)
                choices_.fitting.push_back(*std::move(cuts));
            return;
        }
    }

    /// Values pass where weights do, in whole groups of bytes (external_tensors.h).
    static bool hasPort(const design::Schedule& schedule) {
        return schedule.memory && schedule.memory->beatBytes >= design::kMovedBytes &&
               std::ranges::any_of(schedule.units, [&](const design::ScheduleUnit& unit) {
                   return design::isLoaded(schedule, unit.id);
               });
    }

    void addRun(double blocks) {
        if (problem_.ended())
            return;
        const auto cuts = planner_.best({blocks, blocks, kLutClocks.front(), false});
        if (!cuts || cuts->bands.size() != 1)
            return;
        const std::pair run{cuts->bands.front().first, cuts->bands.front().last};
        if (std::ranges::find(choices_.runs, run) == choices_.runs.end())
            choices_.runs.push_back(run);
    }

    const CutProblem& problem_;
    SegmentPlanner planner_;
    std::vector<SegmentCuts> tried_;
    CutChoices choices_;
};

} // namespace

design::ScheduleRequest withCuts(design::ScheduleRequest request, const SegmentCuts& cuts) {
    request.bands = cuts.bands;
    request.outside = cuts.outside;
    return request;
}

CutChoices cutChoices(const CutProblem& problem, SegmentMemo& memo) {
    return Chooser(problem, memo).run();
}

} // namespace marquetry::extract
