#include "engine/extract/band_choices.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <optional>

namespace marquetry::extract {

namespace {

using design::LayerBands;

class Finder {
public:
    Finder(const BandProblem& problem, BandRuns& runs)
        : problem_(problem), runs_(runs), request_(problem.request) {
        request_.bands.resize(1);
    }

    BandChoices run() {
        for (const auto& [first, last] : runs_.known)
            if (isRun(first, last))
                fewest(first, last);
        const bool all = found_.empty() && runs_.failures < kMostWithoutBands;
        if (all) {
            if (someFits())
                tryAll();
            if (found_.empty() && !runs_.cut)
                ++runs_.failures;
        }
        std::ranges::stable_sort(found_, {}, &Choice::blocks);
        found_.resize(std::min(kMostBandedRuns, found_.size()));
        if (all)
            runs_.known.clear();
        for (const Choice& choice : found_) {
            if (all)
                runs_.known.emplace_back(choice.bands.first, choice.bands.last);
            choices_.fitting.push_back(choice.bands);
            if (const LayerBands higher = highest(choice.bands); higher != choice.bands)
                choices_.fitting.push_back(higher);
        }
        return std::move(choices_);
    }

private:
    struct Choice {
        LayerBands bands;
        double blocks = 0;
    };

    std::size_t layers() const { return request_.plan->layers.size(); }

    /// In bands as low as there may be, of the longest runs.
    bool someFits() {
        bool some = false;
        for (std::size_t last = 0; last < layers() && !some; ++last) {
            std::size_t first = 0;
            while (first <= last && !isRun(first, last))
                ++first;
            some = first <= last && lowestFits(first, last);
        }
        return some;
    }

    bool lowestFits(std::size_t first, std::size_t last) {
        for (std::int64_t rows = 1; rows < rowsOf(first); rows *= 2)
            if (const auto blocks = blocksOf({first, last, rows}))
                return *blocks <= problem_.limit;
        return false;
    }

    /// Of what comes first.
    std::int64_t rowsOf(std::size_t first) const {
        const ir::Layer& layer = request_.plan->layers[first];
        return request_.program->value(layer.input).type.dims.front();
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

    /// That a design takes at least; nothing where it has too many steps, no ring, or time is up.
    std::optional<double> blocksOf(const LayerBands& bands) {
        runs_.cut = runs_.cut || problem_.ended();
        if (runs_.cut || ceilDiv(rowsOf(bands.first), bands.rows) > kMostBandedSteps)
            return std::nullopt;
        request_.bands.front() = bands;
        const design::Schedule schedule = design::buildSchedule(request_);
        if (std::ssize(schedule.steps) > kMostBandedSteps ||
            std::ranges::none_of(schedule.slots, &design::Slot::ring))
            return std::nullopt;
        const double blocks = problem_.leastBlocks(schedule, bands);
        choices_.leastBlocks = std::min(choices_.leastBlocks, blocks);
        return blocks;
    }

    bool fits(const LayerBands& bands) {
        const auto blocks = blocksOf(bands);
        return blocks && *blocks <= problem_.limit;
    }

    /// Bands half as high take less room, but for rows that all of them keep.
    bool fewest(std::size_t first, std::size_t last) {
        for (std::int64_t rows = rowsOf(first); rows > 1;) {
            rows = ceilDiv(rows, 2);
            const LayerBands bands{first, last, rows};
            const auto blocks = blocksOf(bands);
            if (!blocks)
                return false;
            if (*blocks > problem_.limit)
                continue;
            found_.push_back({bands, *blocks});
            return true;
        }
        return false;
    }

    /// Between bands that fit and those twice as high, which do not.
    LayerBands highest(LayerBands bands) {
        std::int64_t tooHigh = std::min(2 * bands.rows, rowsOf(bands.first));
        while (tooHigh - bands.rows > 1) {
            LayerBands between = bands;
            between.rows = bands.rows + (tooHigh - bands.rows) / 2;
            if (fits(between))
                bands = between;
            else
                tooHigh = between.rows;
        }
        return bands;
    }

    const BandProblem& problem_;
    BandRuns& runs_;
    design::ScheduleRequest request_;
    std::vector<Choice> found_; ///< the shortest first
    BandChoices choices_;
};

} // namespace

BandChoices bandChoices(const BandProblem& problem, BandRuns& runs) {
    return Finder(problem, runs).run();
}

} // namespace marquetry::extract
