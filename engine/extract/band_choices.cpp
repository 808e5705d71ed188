#include "engine/extract/band_choices.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace marquetry::extract {

namespace {

using design::LayerBands;

class Finder {
public:
    Finder(const BandProblem& problem, BandRuns& runs)
        : problem_(problem), runs_(runs), request_(problem.request) {
        wholeSteps_ = design::buildSchedule(request_).steps.size();
        request_.bands.resize(1);
    }

    BandChoices run() {
        for (const auto& [first, last] : runs_.known)
            if (isRun(first, last))
                fewest(first, last);
        if (problem_.runs)
            tryGiven();
        else if (found_.size() < kMostBandedRuns)
            tryOthers();
        keepBest();
        for (const Choice& choice : found_) {
            offer(choice.bands);
            offer(highest(choice.bands, &BandCost::blocks));
            if (const auto lower = halvedUntilOnChip(choice))
                offer(highest(*lower, &BandCost::onChip));
        }
        return std::move(choices_);
    }

private:
    struct Choice {
        LayerBands bands;
        BandCost cost;
    };

    void offer(const LayerBands& bands) {
        if (std::ranges::find(choices_.fitting, bands) == choices_.fitting.end())
            choices_.fitting.push_back(bands);
    }

    std::size_t layers() const { return request_.plan->layers.size(); }

    void tryGiven() {
        for (const auto& run : *problem_.runs)
            if (std::ranges::find(runs_.known, run) == runs_.known.end() &&
                isRun(run.first, run.second) && fewest(run.first, run.second) &&
                runs_.known.size() < 2 * kMostBandedRuns)
                runs_.known.push_back(run);
    }

    /// Other designs of the program try first what was found among all runs.
    void tryOthers() {
        if (!someFits())
            return;
        const std::vector<Choice> known = std::exchange(found_, {});
        tryAll();
        if (found_.empty()) {
            found_ = known;
            return;
        }
        keepBest();
        runs_.known.clear();
        for (const Choice& choice : found_)
            runs_.known.emplace_back(choice.bands.first, choice.bands.last);
    }

    /// Those with the fewest blocks, and of the others those with the fewest clocks.
    void keepBest() {
        const auto keep = [&](std::size_t from) {
            return std::min(found_.size(), from + kMostBandedRuns);
        };
        std::ranges::stable_sort(found_, {}, [](const Choice& c) { return c.cost.blocks; });
        const std::size_t fewest = keep(0);
        std::ranges::stable_sort(found_.begin() + static_cast<std::ptrdiff_t>(fewest), found_.end(),
                                 {}, [](const Choice& c) { return c.cost.cycles; });
        found_.resize(keep(fewest));
    }

    /// In bands as low as there may be.
    bool someFits() {
        bool some = false;
        for (std::size_t last = 0; last < layers() && !some; ++last) {
            std::size_t first = 0;
            while (first <= last && !isRun(first, last))
                ++first;
            for (std::size_t k : {first, last - std::min<std::size_t>(last, 1), last})
                some = some || (first <= k && k <= last && lowestFits(k, last));
        }
        return some;
    }

    bool lowestFits(std::size_t first, std::size_t last) {
        for (std::int64_t rows = 1; rows < rowsOf(first); rows *= 2)
            if (const auto cost = costOf({first, last, rows}))
                return cost->blocks <= problem_.limit;
        return false;
    }

    /// Of what comes first, or of more.
    std::int64_t rowsOf(std::size_t first) const {
        const ir::Layer& layer = request_.plan->layers[first];
        return std::max(request_.program->value(layer.input).type.dims.front(),
                        request_.program->value(layer.result).type.dims.front());
    }

    void tryAll() {
        std::size_t longest = layers();
        for (std::size_t length = 1; length <= longest; ++length)
            for (std::size_t first = 0; first + length <= layers(); ++first)
                if (isRun(first, first + length - 1) && fewest(first, first + length - 1))
                    longest = std::min(longest, length + kMoreBandedLayers);
    }

    bool isRun(std::size_t first, std::size_t last) const {
        for (std::size_t k = first; k <= last; ++k)
            if (!problem_.may[k])
                return false;
        return design::mayBand(*request_.program, *request_.plan, first, last);
    }

    /// Nothing where there are too many steps, no ring, or time is up.
    std::optional<BandCost> costOf(const LayerBands& bands) {
        runs_.cut = runs_.cut || problem_.ended();
        if (runs_.cut || ceilDiv(rowsOf(bands.first), bands.rows) > kMostBandedSteps)
            return std::nullopt;
        request_.bands.front() = bands;
        const design::Schedule schedule = design::buildSchedule(request_);
        if (std::ssize(schedule.steps) > kMostBandedSteps ||
            std::ranges::none_of(schedule.slots, &design::Slot::ring))
            return std::nullopt;
        BandCost cost = problem_.costOf(schedule, bands);
        if (schedule.steps.size() <= wholeSteps_) // one band is the whole
            cost.blocks = cost.onChip = std::numeric_limits<double>::infinity();
        choices_.leastBlocks = std::min(choices_.leastBlocks, cost.blocks);
        return cost;
    }

    /// Bands half as high take less room, but for rows that all of them keep.
    bool fewest(std::size_t first, std::size_t last) {
        for (std::int64_t rows = rowsOf(first); rows > 1;) {
            rows = ceilDiv(rows, 2);
            const LayerBands bands{first, last, rows};
            const auto cost = costOf(bands);
            if (!cost)
                return false;
            if (cost->blocks > problem_.limit)
                continue;
            found_.push_back({bands, *cost});
            return true;
        }
        return false;
    }

    /// Between bands that fit and those twice as high, which do not.
    LayerBands highest(LayerBands bands, double BandCost::*blocks) {
        std::int64_t tooHigh = std::min(2 * bands.rows, rowsOf(bands.first));
        while (tooHigh - bands.rows > 1) {
            LayerBands between = bands;
            between.rows = bands.rows + (tooHigh - bands.rows) / 2;
            if (const auto cost = costOf(between); cost && (*cost).*blocks <= problem_.limit)
                bands = between;
            else
                tooHigh = between.rows;
        }
        return bands;
    }

    std::optional<LayerBands> halvedUntilOnChip(const Choice& choice) {
        LayerBands bands = choice.bands;
        std::optional<BandCost> cost = choice.cost;
        while (cost && cost->onChip > problem_.limit && bands.rows > 1) {
            bands.rows = ceilDiv(bands.rows, 2);
            cost = costOf(bands);
        }
        return cost && cost->onChip <= problem_.limit ? std::optional(bands) : std::nullopt;
    }

    const BandProblem& problem_;
    BandRuns& runs_;
    design::ScheduleRequest request_;
    std::size_t wholeSteps_ = 0; ///< without bands
    std::vector<Choice> found_;
    BandChoices choices_;
};

} // namespace

BandChoices bandChoices(const BandProblem& problem, BandRuns& runs) {
    return Finder(problem, runs).run();
}

} // namespace marquetry::extract
