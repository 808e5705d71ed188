#include "engine/extract/band_search.h"

#include "engine/design/cycle_model.h"
#include "engine/design/external_tensors.h"
#include "engine/extract/cost_terms.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace marquetry::extract {

namespace {

/// Bands that may be begun before an earlier one has ended, until some are faster, and parts of
/// bands, that are tried. With three ahead, or eighths, networks gained nothing more.
constexpr std::array<std::size_t, 2> kBandsAhead{2, 1};
constexpr std::array<std::int64_t, 3> kPartsOfBands{1, 2, 4};

} // namespace

std::int64_t transfersOf(const design::Schedule& schedule,
                         const design::CyclePrediction& prediction) {
    std::int64_t cycles = 0;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s)
        if (design::layerOf(schedule.steps[s]) == nullptr)
            cycles += prediction.steps[s];
    return cycles;
}

bool mayRunBeside(const ExtractionProblem& problem, const BlockPlan& blocks) {
    return std::ranges::find(problem.joinable, true) != problem.joinable.end() &&
           std::ranges::none_of(blocks.blocks, &HardwareBlock::streamed);
}

void readExternally(const ExtractionProblem& problem, const MemoryPlan& plan,
                    design::ScheduleRequest& request) {
    request.external.assign(problem.lowered->plan.layers.size(), false);
    for (std::size_t c = 0; c < plan.external.size(); ++c)
        request.external[problem.calls[c].layer] = plan.external[c];
    for (design::ScheduleUnit& unit : request.units) {
        unit.ringWords = plan.rings[unit.id.index()];
        unit.loadBeats = plan.beats[unit.id.index()];
        unit.lutWeights = plan.luts[unit.id.index()].lut > 0;
    }
}

double BandSearch::improve(BandedDesign& design) {
    const std::vector<SegmentCuts> cuts = fittingCuts(design);
    const design::ScheduleRequest whole = design.request;
    const SegmentCuts* best = nullptr;
    std::int64_t least = chooserOf_(design.schedule).hasRoom(design.memories)
                             ? replayed(whole, design.schedule, design.memories.plan)
                             : std::numeric_limits<std::int64_t>::max();
    for (const SegmentCuts& cut : cuts) {
        if (best != nullptr && problem_.isOver())
            break;
        const design::ScheduleRequest inBands = withCuts(whole, cut);
        design::Schedule banded = design::buildSchedule(inBands);
        const MemoryChooser chooser = chooserOf_(banded);
        MemoryChoice choice = chooser.best(banded, inBands.bands);
        if (!chooser.hasRoom(choice))
            continue;
        const std::int64_t cycles = replayed(inBands, banded, choice.plan);
        if (cycles >= least)
            continue;
        least = cycles;
        best = &cut;
        design.schedule = std::move(banded);
        design.memories = std::move(choice);
    }
    if (best == nullptr)
        return needs_;
    design.request = withCuts(whole, *best);
    if (mayRunBeside(problem_, unplaced_.blocks))
        beginAhead(design, least);
    return needs_;
}

/// Where later bands may begin before earlier ones have ended, rings hold more rows. The fastest of
/// some such designs that fit takes the place of what is given, if it is faster.
void BandSearch::beginAhead(BandedDesign& design, std::int64_t least) const {
    const design::ScheduleRequest apart = design.request;
    for (const std::size_t ahead : kBandsAhead) {
        for (const std::int64_t part : kPartsOfBands) {
            design::ScheduleRequest together = apart;
            together.ahead = ahead;
            for (design::LayerBands& bands : together.bands)
                bands.rows = ceilDiv(bands.rows, part);
            if (problem_.isOver())
                return;
            takeFaster(std::move(together), design, least);
        }
        if (design.request.ahead > 0)
            return;
    }
}

void BandSearch::takeFaster(design::ScheduleRequest together, BandedDesign& design,
                            std::int64_t& least) const {
    design::Schedule ordered = design::buildSchedule(together);
    // Weights are still thought to be on the chip: no choice of them makes it faster.
    if (std::ssize(ordered.steps) > kMostBandedSteps ||
        design::predictCycles(ordered).total >= least)
        return;
    const MemoryChooser chooser = chooserOf_(ordered);
    MemoryChoice choice = chooser.best(ordered, together.bands);
    if (!chooser.hasRoom(choice))
        return;
    // Calls whose weights turn out to be external are no second ones: rings may be others.
    design::ScheduleRequest final = together;
    readExternally(problem_, choice.plan, final);
    const design::Schedule built = design::buildSchedule(final);
    if (built.slots != ordered.slots)
        return;
    const std::int64_t cycles = design::predictCycles(built).total;
    if (cycles >= least)
        return;
    least = cycles;
    design = {std::move(together), std::move(ordered), std::move(choice)};
}

/// With values outside, and with one run of bands.
std::vector<SegmentCuts> BandSearch::fittingCuts(const BandedDesign& whole) {
    BandProblem bands = bandProblem(whole.request);
    std::vector<SegmentCuts> cuts;
    needs_ = std::numeric_limits<double>::infinity();
    if (whole.request.memory.beatBytes >= design::kMovedBytes && externalMemory(params_.device)) {
        CutChoices outside = cutChoices(cutProblem(whole), runs_.segments);
        needs_ = outside.leastBlocks;
        bands.runs = std::move(outside.runs);
        cuts = std::move(outside.fitting);
    }
    BandChoices choices = bandChoices(bands, runs_);
    if (std::exchange(bands.runs, std::nullopt) && choices.fitting.empty() && cuts.empty())
        choices = bandChoices(bands, runs_); // of all runs
    needs_ = std::min(needs_, choices.leastBlocks);
    for (const design::LayerBands& fitting : choices.fitting)
        cuts.push_back({{fitting}, {}, 0});
    return cuts;
}

CutProblem BandSearch::cutProblem(const BandedDesign& whole) const {
    CutProblem cuts{
        {whole.request, whole.schedule, params_.device, layerDemands(whole), whole.request.memory},
        {},
        params_.limits.bram,
        params_.limits.lut,
        lutsShort_,
        [this] { return problem_.isOver(); }};
    cuts.needsOf = [this](const design::Schedule& schedule,
                          const std::vector<design::LayerBands>& bands) {
        return chooserOf_(schedule)
            .blocks(schedule, weightDemands(unplaced_, schedule, bands))
            .least;
    };
    return cuts;
}

std::vector<LayerDemand> BandSearch::layerDemands(const BandedDesign& whole) const {
    std::vector<LayerDemand> layers(problem_.lowered->plan.layers.size());
    const MemoryProblem& memory = whole.memories.demands.memory;
    for (std::size_t c = 0; c < problem_.calls.size(); ++c) {
        LayerDemand& layer = layers[problem_.calls[c].layer];
        const WeightDemand& call = memory.calls[c];
        const WeightUnit& unit = memory.units[call.unit];
        layer.clocks = static_cast<double>(call.computeCycles);
        if (!call.stays)
            layer.weightBytes = static_cast<double>(call.words * unit.elements) *
                                static_cast<double>(unit.elementBits) / 8;
        layer.mayBand = mayBand(c);
    }
    return layers;
}

bool BandSearch::mayBand(std::size_t call) const {
    return unplaced_.asScheduled(call) && !unplaced_.blocks.of(call).streamed();
}

/// Cycles of a run, but for what calls may overlap.
std::int64_t BandSearch::replayed(const design::ScheduleRequest& request,
                                  const design::Schedule& schedule, const MemoryPlan& plan) const {
    if (!plan.readsMemory() && request.outside.empty())
        return design::predictCycles(schedule).total;
    design::ScheduleRequest external = request;
    readExternally(problem_, plan, external);
    return design::predictCycles(design::buildSchedule(external)).total;
}

BandProblem BandSearch::bandProblem(const design::ScheduleRequest& request) const {
    BandProblem bands{request, {}, {}, params_.limits.bram, {}};
    bands.may.assign(problem_.lowered->plan.layers.size(), false);
    for (std::size_t c = 0; c < problem_.calls.size(); ++c)
        bands.may[problem_.calls[c].layer] = mayBand(c);
    bands.costOf = [this](const design::Schedule& banded, const design::LayerBands& layers) {
        const WeightDemands demands = weightDemands(unplaced_, banded, {layers});
        const WeightBlocks blocks = chooserOf_(banded).blocks(banded, demands);
        BandCost cost{blocks.least, blocks.onChip,
                      transfersOf(banded, design::predictCycles(banded))};
        for (const WeightDemand& call : demands.memory.calls)
            cost.cycles += call.computeCycles;
        return cost;
    };
    bands.ended = [this] { return problem_.isOver(); };
    return bands;
}

} // namespace marquetry::extract
