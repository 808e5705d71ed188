#include "engine/extract/infeasible.h"

#include "engine/extract/build_design.h"
#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marquetry::extract {

namespace {

/// An explanation is not worth more search than the answer was.
constexpr std::size_t kMaxNodes = 20'000;

/// The ways of every call; null: none is streamed.
using Streams = std::shared_ptr<const StreamedCalls>;

/// What was found, for which fixed hardware takes more blocks besides, and whether prices are those
/// of the hardware.
struct Searched : PoolResult {
    double fixedDsp = 0;
    bool exact = true;
};

std::optional<Searched> search(const rules::Lowered& lowered, const ExtractParams& params,
                               const Streams& streams, double dspLimit, bool leastDsp, Price price,
                               std::stop_token stop) {
    ProblemParams problemParams{params.model,   params.device,      dspLimit,
                                params.sharing, params.pins,        streams,
                                params.limits,  params.absentIsOut, params.frames.value_or(1)};
    problemParams.price = price;
    auto problem = makeProblem(lowered, problemParams, stop);
    if (!problem)
        return std::nullopt;
    (*problem)->pool.leastDsp = leastDsp;
    (*problem)->pool.wholeFront = false;
    (*problem)->pool.maxNodes = kMaxNodes;
    return Searched{searchPools((*problem)->pool, stop), (*problem)->fixedDsp,
                    (*problem)->exactPrices};
}

bool feasible(const rules::Lowered& lowered, const ExtractParams& params, const Streams& streams,
              std::stop_token stop) {
    const auto result =
        search(lowered, params, streams, params.limits.dsp, false, Price::Usual, std::move(stop));
    return result && !result->front.empty();
}

/// The pins that cannot be met together: taking any one away makes a design possible.
std::vector<design::Pin> minimalConflict(const rules::Lowered& lowered, ExtractParams params,
                                         const Streams& streams, std::stop_token stop) {
    std::erase_if(params.pins, [](const design::Pin& pin) { return !pin.enabled; });
    for (std::size_t k = 0; k < params.pins.size();) {
        ExtractParams fewer = params;
        fewer.pins.erase(fewer.pins.begin() + static_cast<std::ptrdiff_t>(k));
        if (feasible(lowered, fewer, streams, stop))
            ++k;
        else
            params = fewer;
    }
    return params.pins;
}

void addSwitchedOff(Diagnostic& error, const ExtractParams& params) {
    if (!params.sharing)
        error.notes.push_back("sharing is switched off: every call site pays for its own unit");
    for (const std::string& group : params.without)
        if (group != "sharing")
            error.notes.push_back("rule group \"" + group + "\" is switched off");
}

/// The strict reading of the paper counts every convolution unit; the open one has no such limit.
std::optional<Diagnostic> convLimit(const rules::Lowered& lowered, const ExtractParams& params,
                                    const Streams& streams, std::stop_token stop) {
    if (params.model != design::CostModel::Published)
        return std::nullopt;
    ExtractParams open = params;
    open.model = design::CostModel::PublishedOpen;
    if (!feasible(lowered, open, streams, std::move(stop)))
        return std::nullopt;
    return makeError("limit-convs",
                     "no design within the limits has one convolution unit only, as the published "
                     "reading conv_count ≤ 1 asks",
                     "--cost published-open has no such limit");
}

double limitOf(const ExtractParams& params, design::LimitKind kind) {
    using design::LimitKind;
    switch (kind) {
    case LimitKind::Dsp:
        return params.limits.dsp;
    case LimitKind::Bram:
        return params.limits.bram;
    case LimitKind::Lut:
        return params.limits.lut;
    case LimitKind::Ff:
        return params.limits.ff;
    case LimitKind::Cycles:
        return params.cyclesLimit.value_or(0);
    }
    return 0;
}

Diagnostic blockedBy(const ExtractParams& params, const std::vector<Blocked>& blocked) {
    const auto isOther = [](const Blocked& one) { return one.limit != design::LimitKind::Dsp; };
    const design::LimitKind kind = std::ranges::find_if(blocked, isOther)->limit;
    double least = std::numeric_limits<double>::infinity();
    for (const Blocked& one : blocked)
        if (one.limit == kind)
            least = std::min(least, one.needs);
    if (std::isinf(least))
        return makeError("batch-room",
                         "the frames of a run of the program come one by one, and no design within "
                         "the limits has room for two of them in flight",
                         "raise the limits of block RAM and LUTs, or leave out the batch");
    const std::string name = toString(kind);
    Diagnostic error =
        makeError("limit-" + name,
                  "no design fits " + name + "=" + numberText(limitOf(params, kind)) +
                      ": the best needs " + numberText(least),
                  "raise --limit " + name + ", or choose a larger device");
    if (kind == design::LimitKind::Bram)
        error.notes.push_back("where there are more blocks, fewer memories are built of LUTs: more "
                              "than " +
                              numberText(least) + " may be needed");
    return error;
}

Diagnostic shortage(const ExtractParams& params, const std::string& smallest, double needs) {
    return makeError("limit-dsp",
                     "no design fits dsp=" + numberText(params.limits.dsp) + ": the smallest " +
                         smallest + " " + numberText(needs) + " DSP",
                     "raise --limit dsp, or allow sharing and more rule groups");
}

std::optional<Diagnostic> dspShortage(const rules::Lowered& lowered, const ExtractParams& params,
                                      const Streams& streams, std::stop_token stop) {
    constexpr double kNoLimit = std::numeric_limits<double>::max();
    const auto free = search(lowered, params, streams, kNoLimit, true, Price::Usual, stop);
    if (!free || free->front.empty())
        return std::nullopt;
    const double least = free->front.front().dsp + free->fixedDsp;
    if (least <= params.limits.dsp)
        return std::nullopt;
    if (free->exact)
        return shortage(params, free->complete || !streams ? "needs" : "found needs", least);
    const auto cheap = search(lowered, params, streams, kNoLimit, true, Price::Least, stop);
    const double bound = cheap ? cheap->lowerBound + cheap->fixedDsp : 0;
    return bound > params.limits.dsp ? shortage(params, "needs at least", bound)
                                     : shortage(params, "found needs at most", least);
}

/// The same of designs that were found and take too many blocks.
std::optional<Diagnostic> dspShortage(const ExtractParams& params,
                                      const std::vector<Blocked>& blocked) {
    if (blocked.empty())
        return std::nullopt;
    return shortage(params, "found needs", std::ranges::min(blocked, {}, &Blocked::needs).needs);
}

} // namespace

std::optional<Diagnostic> shortOfDsp(const rules::Lowered& lowered, const ExtractParams& params,
                                     std::stop_token stop) {
    return dspShortage(lowered, params, nullptr, std::move(stop));
}

Diagnostic outOfTime() {
    return makeError("limit-time", "the time limit ended extraction before it found a design",
                     "raise --time");
}

Diagnostics explainInfeasible(const rules::Lowered& lowered, const ExtractParams& params,
                              std::shared_ptr<const StreamedCalls> streams,
                              const std::vector<Blocked>& blocked, std::stop_token stop) {
    const bool pinned = std::ranges::any_of(params.pins, &design::Pin::enabled);
    const bool onlyDsp = std::ranges::all_of(
        blocked, [](const Blocked& one) { return one.limit == design::LimitKind::Dsp; });
    if (pinned && onlyDsp) {
        ExtractParams free = params;
        free.pins.clear();
        if (feasible(lowered, free, streams, stop)) {
            Diagnostic error = makeError("pin-conflict",
                                         "these pins cannot be met together under "
                                         "the limits: take any one away",
                                         "switch a pin off, or raise the limits");
            for (const design::Pin& pin : minimalConflict(lowered, params, streams, stop))
                error.notes.push_back(noteOf(pin));
            return {error};
        }
    }
    std::optional<Diagnostic> error;
    if (blocked.empty())
        error = convLimit(lowered, params, streams, stop);
    else
        error = onlyDsp ? dspShortage(params, blocked) : blockedBy(params, blocked);
    if (!error)
        error = dspShortage(lowered, params, streams, stop);
    if (!error)
        error = makeError("no-unit",
                          "no combination of units computes this program under the "
                          "rules in force",
                          "allow more rule groups");
    addSwitchedOff(*error, params);
    return {*error};
}

} // namespace marquetry::extract
