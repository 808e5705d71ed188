#include "engine/extract/throughput.h"

#include "engine/design/batch.h"
#include "engine/design/held_of.h"
#include "engine/extract/group_choices.h"
#include "engine/extract/ranking.h"

#include <algorithm>
#include <chrono>
#include <set>

namespace marquetry::extract {

namespace {

/// Cycles of a frame.
double boundOfFrame(const ExtractResult& result) {
    return result.lowerBound / static_cast<double>(result.design->frames);
}

class ThroughputSearch {
public:
    ThroughputSearch(const rules::Lowered& lowered, const ExtractParams& params,
                     std::stop_token stop)
        : lowered_(lowered), params_(params), stop_(std::move(stop)), most_(mostFrames(lowered)) {
        if (!params_.circuits)
            params_.circuits = std::make_shared<StreamCircuits>();
    }

    Result<ExtractResult> run() {
        for (std::int64_t frames = 1; frames <= most_ && goesOn(frames); frames = behind(frames)) {
            auto tried = extract(lowered_, of(frames, left() / 2, false), stop_);
            if (!tried)
                return tried.error();
            if (!take(*std::move(tried), frames))
                break;
        }
        if (const Status beside = tryBeside(); !beside)
            return beside.error();
        if (params_.explain && !stop_.stop_requested())
            if (const Status explained = explain(); !explained)
                return explained.error();
        return finished();
    }

private:
    using Clock = std::chrono::steady_clock;

    /// More groups take little more memory, and more frames of a group as many times as much. What
    /// reads weights gains most by many frames.
    std::int64_t behind(std::int64_t frames) const {
        if ((!inGroups_ && !reads_) || frames == most_)
            return 2 * frames;
        return std::min(4 * frames, most_);
    }

    bool goesOn(std::int64_t frames) const {
        return frames == 1 || (!stop_.stop_requested() && left() > 0);
    }

    /// Of groups, half and twice as many frames as the best runs have, where they were left out.
    /// Groups that read weights may pay in long runs alone, which fill their queues once.
    Status tryBeside() {
        if (!best_.design)
            return ok();
        if (reads_)
            if (const Status tried = tryOne(most_, kLeastGain); !tried)
                return tried;
        const bool inGroups = best_.design->schedule && best_.design->schedule->groups > 1;
        if (!inGroups && !reads_)
            return ok();
        const std::int64_t best = best_.design->frames;
        for (const std::int64_t frames : {2 * best, best / 2})
            if (const Status tried = tryOne(frames); !tried)
                return tried;
        return ok();
    }

    /// `gain`: of the cycles of a frame, for which the run takes the place of the best one.
    Status tryOne(std::int64_t frames, double gain = 0) {
        if (frames < 1 || frames > most_ || framesTried_.contains(frames) || !goesOn(frames))
            return ok();
        auto tried = extract(lowered_, of(frames, left() / 2, false), stop_);
        if (!tried)
            return tried.error();
        take(*std::move(tried), frames, gain);
        return ok();
    }

    double left() const {
        return params_.seconds - std::chrono::duration<double>(Clock::now() - begin_).count();
    }

    ExtractParams of(std::int64_t frames, double seconds, bool explains) const {
        ExtractParams params = params_;
        params.frames = frames;
        params.explain = explains;
        params.seconds = std::max(0.0, seconds);
        return params;
    }

    /// False where more frames are not worth a try.
    bool take(ExtractResult tried, std::int64_t frames, double gain = 0) {
        framesTried_.insert(frames);
        milliseconds_ += tried.milliseconds;
        bufferMilliseconds_ += tried.bufferMilliseconds;
        poolsTried_ += tried.poolsTried;
        outOfTime_ = outOfTime_ || tried.outOfTime;
        points_.insert(points_.end(), tried.points.begin(), tried.points.end());
        const bool first = !tried_;
        tried_ = true;
        if (!tried.design) {
            bound_ = std::min(bound_, tried.openBound / static_cast<double>(frames));
            if (first)
                best_ = std::move(tried);
            return false;
        }
        bound_ = std::min(bound_, boundOfFrame(tried));
        const bool grouped = tried.design->schedule && tried.design->schedule->groups > 1;
        inGroups_ = inGroups_ || grouped;
        reads_ = reads_ || (tried.design->schedule && tried.design->schedule->memory);
        // A run of one frame may stream calls one after another, which longer ones do at once with
        // others or not at all: it is no measure of them.
        const double now = tried.design->cyclesPerFrame();
        const bool streamed =
            frames == 1 && std::ranges::any_of(tried.design->units, &design::DesignUnit::streams);
        const bool gains = !last_ || now < (1 - kLeastGain) * *last_;
        last_ = streamed ? std::nullopt : std::optional(now);
        const bool worthIt =
            first || gain == 0 || now < (1 - gain) * best_.design->cyclesPerFrame();
        if (first || (worthIt && better(*tried.design, *best_.design, params_)))
            best_ = std::move(tried);
        return gains;
    }

    /// The best one again, with its reasons, or with those why there is none.
    Status explain() {
        auto again =
            extract(lowered_, of(best_.design ? best_.design->frames : 1, left(), true), stop_);
        if (!again)
            return again.error();
        milliseconds_ += again->milliseconds;
        const bool same =
            again->design ? best_.design != nullptr && again->design->cycles == best_.design->cycles
                          : best_.design == nullptr;
        if (same)
            best_ = *std::move(again);
        return ok();
    }

    ExtractResult finished() {
        best_.milliseconds = milliseconds_;
        best_.bufferMilliseconds = bufferMilliseconds_;
        best_.poolsTried = poolsTried_;
        best_.outOfTime = outOfTime_;
        std::ranges::stable_sort(points_, {}, &design::DesignPoint::cyclesPerFrame);
        markFront(points_);
        best_.points = std::move(points_);
        if (!best_.design)
            return std::move(best_);
        const auto cycles = static_cast<double>(best_.design->cycles);
        best_.lowerBound =
            std::min(best_.lowerBound, bound_ * static_cast<double>(best_.design->frames));
        best_.gap = cycles > 0 ? (cycles - best_.lowerBound) / cycles : 0;
        if (best_.status == ExtractStatus::Optimal && most_ > 1)
            best_.status = ExtractStatus::Feasible;
        return std::move(best_);
    }

    const rules::Lowered& lowered_;
    ExtractParams params_; ///< with circuits, which all runs share
    std::stop_token stop_;
    std::int64_t most_; ///< frames
    Clock::time_point begin_ = Clock::now();
    bool tried_ = false;
    std::set<std::int64_t> framesTried_;
    bool inGroups_ = false;      ///< the frames of some runs that were tried
    bool reads_ = false;         ///< some of these from external memory
    std::optional<double> last_; ///< cycles of a frame of the last runs that were tried
    ExtractResult best_;
    std::vector<design::DesignPoint> points_;
    double bound_ = std::numeric_limits<double>::max(); ///< cycles of a frame
    double milliseconds_ = 0;
    double bufferMilliseconds_ = 0;
    std::size_t poolsTried_ = 0;
    bool outOfTime_ = false;
};

} // namespace

std::int64_t mostFrames(const rules::Lowered& lowered) {
    if (!whyOneFrameInARun(lowered).empty())
        return 1;
    if (design::whyOneFrame(*lowered.program, lowered.plan).empty())
        return design::kMostFrames;
    std::int64_t steps = 1; // of a frame, about: batches have calls, and moves of what a unit holds
    for (const ir::Layer& layer : lowered.plan.layers)
        steps += layer.pass || !layer.unbuildable.empty()
                     ? 1
                     : (layer.weight ? 1 : 2) * design::batchesOf(*lowered.program, layer);
    return std::clamp<std::int64_t>(kMostSteps / steps, 1, design::kMostFrames);
}

std::string whyOneFrameInARun(const rules::Lowered& lowered) {
    const bool inFlight = std::ranges::find(lowered.joinable, true) != lowered.joinable.end();
    return inFlight ? std::string() : design::whyOneFrame(*lowered.program, lowered.plan);
}

Result<ExtractResult> extractThroughput(const rules::Lowered& lowered, const ExtractParams& params,
                                        std::stop_token stop) {
    return ThroughputSearch(lowered, params, std::move(stop)).run();
}

} // namespace marquetry::extract
