#include "engine/extract/band_choices.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <optional>

namespace marquetry::extract {

namespace {

using design::LayerBands;
using design::ScheduleRequest;

class Finder {
public:
    Finder(const ScheduleRequest& request, const std::vector<bool>& may,
           const std::function<double(const design::Schedule&)>& blocksOf, double limit)
        : request_(request), may_(may), blocksOf_(blocksOf), limit_(limit) {
        request_.bands.resize(1);
    }

    std::vector<LayerBands> run(BandRuns& known) {
        if (known.empty() && someFits())
            tryAll();
        for (const auto& [first, last] : known)
            if (isRun(first, last))
                fewest(first, last);
        std::vector<LayerBands> best = bestOf();
        if (known.empty())
            for (const LayerBands& bands : best)
                known.emplace_back(bands.first, bands.last);
        return best;
    }

private:
    std::size_t layers() const { return request_.plan->layers.size(); }

    /// In bands as low as there may be, of the longest runs.
    bool someFits() {
        bool fits = false;
        for (std::size_t last = 0; last < layers() && !fits; ++last) {
            std::size_t first = 0;
            while (first <= last && !isRun(first, last))
                ++first;
            fits = first <= last && lowest(first, last);
        }
        found_.clear();
        return fits;
    }

    bool lowest(std::size_t first, std::size_t last) {
        for (std::int64_t rows = 1; rows < rowsOf(first); rows *= 2)
            if (const auto schedule = scheduleOf({first, last, rows}))
                return fits({first, last, rows}, *schedule);
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

    std::vector<LayerBands> bestOf() {
        std::ranges::stable_sort(found_, {}, &Choice::blocks);
        std::vector<LayerBands> best;
        for (std::size_t k = 0; k < std::min(kMostBandChoices, found_.size()); ++k)
            best.push_back(found_[k].bands);
        return best;
    }

    struct Choice {
        LayerBands bands;
        double blocks = 0;
    };

    bool isRun(std::size_t first, std::size_t last) const {
        for (std::size_t k = first; k <= last; ++k)
            if (!may_[k])
                return false;
        return design::mayBand(*request_.program, *request_.plan, first, last);
    }

    /// Nothing where it has too many steps.
    std::optional<design::Schedule> scheduleOf(const LayerBands& bands) {
        if (ceilDiv(rowsOf(bands.first), bands.rows) > kMostBandedSteps)
            return std::nullopt;
        request_.bands.front() = bands;
        design::Schedule schedule = design::buildSchedule(request_);
        if (std::ssize(schedule.steps) > kMostBandedSteps)
            return std::nullopt;
        return schedule;
    }

    bool fits(const LayerBands& bands, const design::Schedule& schedule) {
        const bool rings = std::ranges::any_of(schedule.slots, &design::Slot::ring);
        const double blocks = blocksOf_(schedule);
        if (!rings || blocks > limit_)
            return false;
        found_.push_back({bands, blocks});
        return true;
    }

    /// Bands half as high take less room, but for rows that all of them keep.
    bool fewest(std::size_t first, std::size_t last) {
        std::int64_t rows = rowsOf(first);
        while (rows > 1) {
            rows = ceilDiv(rows, 2);
            const LayerBands bands{first, last, rows};
            const auto schedule = scheduleOf(bands);
            if (!schedule)
                return false;
            if (fits(bands, *schedule))
                return true;
        }
        return false;
    }

    ScheduleRequest request_;
    const std::vector<bool>& may_;
    const std::function<double(const design::Schedule&)>& blocksOf_;
    double limit_;
    std::vector<Choice> found_; ///< the shortest first
};

} // namespace

std::vector<LayerBands> bandChoices(const ScheduleRequest& request, const std::vector<bool>& may,
                                    const std::function<double(const design::Schedule&)>& blocksOf,
                                    double limit, BandRuns& known) {
    return Finder(request, may, blocksOf, limit).run(known);
}

} // namespace marquetry::extract
