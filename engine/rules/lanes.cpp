#include "engine/rules/lanes.h"

#include "engine/rules/streaming.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

namespace marquetry::rules {

namespace {

using ir::Layer;
using ir::Program;
using ir::UnitShape;
using ir::ValueId;

/// So many cycles stand for "cannot be".
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 128;

/// Stored words that a unit takes at once, at most, as far as the estimate looks.
constexpr std::int64_t kMostWords = 32;

/// Clocks in which a unit reads what one result needs, so many stored words at once.
std::int64_t reductionWords(const UnitShape& shape, std::int64_t lanes, std::int64_t span) {
    const std::int64_t rows = shape.function == ir::UnitFunction::Conv ? shape.kernel.vertical : 1;
    return rows * ceilDiv(ceilDiv(shape.cols, lanes) / rows, span);
}

/// Cycles of a layer on a unit of the most rows that fit, whose results leave a word at a time.
std::int64_t sharedUnitCycles(const UnitShape& shape, std::int64_t lanes, std::int64_t multipliers,
                              std::int64_t span) {
    const std::int64_t width = std::min(span * lanes, shape.cols);
    const std::int64_t parallel = std::clamp<std::int64_t>(multipliers / width, 1, shape.rows);
    const std::int64_t words =
        std::max(reductionWords(shape, lanes, span), ceilDiv(parallel, lanes));
    return vectorsOf(shape) * words * ceilDiv(shape.rows, parallel);
}

/// Products of a row alone within the limit.
std::int64_t widestRow(const LoweringParams& params) {
    return params.pairsRows ? params.multipliers / 2 : params.multipliers;
}

/// Of a lane unit that takes so many stored words at once.
std::int64_t laneUnitCycles(const UnitShape& shape, std::int64_t lanes, std::int64_t span) {
    return vectorsOf(shape) * shape.cols * ceilDiv(shape.rows, span * lanes);
}

/// Of all products on one unit, and of depth-wise ones on a lane unit beside it, whose products
/// share no blocks; both take as many stored words at once as is best.
class SharedUnitEstimate {
public:
    SharedUnitEstimate(const Program& program, const ir::LayerPlan& plan, std::int64_t lanes,
                       const LoweringParams& params)
        : lanes_(lanes), multipliers_(params.multipliers), sharing_(params.pairsRows ? 2 : 1) {
        for (const Layer& layer : plan.layers)
            if (!layer.pass)
                (layer.lanewise ? lanewise_ : products_).push_back(shapeOf(program, layer, lanes));
    }

    std::int64_t cycles() const {
        if (lanewise_.empty())
            return productCycles(multipliers_);
        std::int64_t best = kNever;
        for (std::int64_t span = 1; span <= kMostWords; ++span) {
            const std::int64_t left = multipliers_ - sharing_ * span * lanes_;
            if (span > 1 && left < 0)
                break;
            std::int64_t cycles = products_.empty() ? 0 : productCycles(left);
            for (const UnitShape& shape : lanewise_)
                cycles += laneUnitCycles(shape, lanes_, span);
            best = std::min(best, cycles);
        }
        return best;
    }

private:
    std::int64_t productCycles(std::int64_t multipliers) const {
        if (lanes_ > std::max<std::int64_t>(multipliers / sharing_, 8))
            return kNever;
        std::int64_t best = kNever;
        for (std::int64_t span = 1;
             span == 1 || (span <= kMostWords && sharing_ * span * lanes_ <= multipliers); ++span) {
            std::int64_t cycles = 0;
            for (const UnitShape& shape : products_)
                cycles += sharedUnitCycles(shape, lanes_, multipliers, span);
            best = std::min(best, cycles);
        }
        return best;
    }

    std::int64_t lanes_;
    std::int64_t multipliers_;
    std::int64_t sharing_;
    std::vector<UnitShape> products_;
    std::vector<UnitShape> lanewise_;
};

std::int64_t storedBits(const ir::Type& type, std::int64_t lanes) {
    const StoredExtent extent = storedExtent(type);
    const std::int64_t perPixel =
        extent.channels < lanes
            ? static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(extent.channels)))
            : roundUp(extent.channels, lanes);
    return extent.pixels() * perPixel * 8 * ir::info(type.scalar).bytes;
}

/// Of the layer that reads and writes most.
std::int64_t mostLiveBits(const ir::Program& program, const ir::LayerPlan& plan,
                          std::int64_t lanes) {
    const auto bits = [&](ValueId id) { return storedBits(program.value(id).type, lanes); };
    std::int64_t most = 0;
    for (const Layer& layer : plan.layers) {
        std::int64_t live = bits(layer.input) + bits(layer.result);
        for (ValueId other : layer.others)
            live += bits(other);
        for (const ir::EpilogueOp& op : layer.epilogue)
            live += op.addend ? bits(*op.addend) : 0;
        most = std::max(most, live);
    }
    return most;
}

} // namespace

std::vector<std::int64_t> offeredLanes(const ir::Program& program, const ir::LayerPlan& plan,
                                       const LoweringParams& params) {
    if (params.policy != Policy::Cycles || params.lanes != 0)
        return {lanesFor(program, plan, params)};
    std::vector<std::int64_t> widths = {8, 16, 32, 64};
    while (widths.size() > 1 && mostLiveBits(program, plan, widths.back()) > params.onChipBits)
        widths.pop_back();
    return widths;
}

std::vector<std::int64_t> offeredGroups(const ir::Program& program, const LoweringParams& params) {
    std::set<std::int64_t> offered = {0};
    const bool on = std::ranges::find(params.without, "grouping") == params.without.end();
    if (on && params.policy == Policy::Cycles)
        for (const Layer& layer : ir::planLayers(program).layers)
            if (layer.lanewise && layer.weight &&
                program.value(layer.anchor).op == ir::OpKind::DwConv) {
                const std::int64_t channels = program.value(layer.anchor).type.dims.back();
                if (channels <= kMostGroupedChannels)
                    offered.insert(channels);
            }
    return {offered.begin(), offered.end()};
}

std::int64_t chooseLanes(const ir::Program& program, const ir::LayerPlan& plan,
                         const LoweringParams& params) {
    const std::vector<std::int64_t> widths = offeredLanes(program, plan, params);
    std::vector<std::int64_t> cycles;
    for (std::int64_t lanes : widths)
        cycles.push_back(SharedUnitEstimate(program, plan, lanes, params).cycles());
    for (std::size_t k = 0; k < widths.size(); ++k)
        if (100 * cycles[k] <= 115 * std::ranges::min(cycles))
            return widths[k];
    return widths.back();
}

namespace {

/// LUTs of stream units, from those of examples (cost-model.md, "Streamed calls"), on the safe
/// side.
double roughLuts(const ir::ConvStream& conv) {
    return 64.0 * static_cast<double>(conv.products()) + 100.0 * static_cast<double>(conv.rows);
}

/// What the layers would take with words of so many lanes, each call streamed where it can be.
struct StreamedEstimate {
    std::int64_t cycles = 0;
    int streamable = 0;
};

class StreamedEstimator {
public:
    StreamedEstimator(const Program& program, const ir::LayerPlan& plan,
                      const LoweringParams& params)
        : program_(program), plan_(plan), params_(params) {}

    StreamedEstimate at(std::int64_t lanes) const {
        const bool room = luts(lanes) <= params_.streamLuts;
        // Calls that are not streamed, or may turn out not to be, need a unit.
        const bool shared = lanes <= widestRow(params_);
        StreamedEstimate estimate;
        for (const Layer& layer : plan_.layers) {
            if (layer.pass)
                continue;
            std::int64_t cycles = kNever;
            if (shared)
                cycles = onUnit(shapeOf(program_, layer, lanes), lanes);
            if (const auto conv = streamable(program_, layer, lanes)) {
                ++estimate.streamable;
                if (room || shared)
                    cycles = std::min(cycles, conv->paddedHeight() * conv->paddedWidth());
            }
            estimate.cycles = std::min(kNever, estimate.cycles + cycles);
        }
        return estimate;
    }

private:
    std::int64_t onUnit(const UnitShape& shape, std::int64_t lanes) const {
        return shape.function == ir::UnitFunction::DwConv
                   ? laneUnitCycles(shape, lanes, 1)
                   : sharedUnitCycles(shape, lanes, params_.multipliers, 1);
    }

    double luts(std::int64_t lanes) const {
        double sum = 0;
        for (const Layer& layer : plan_.layers)
            if (const auto conv = layer.pass ? std::nullopt : streamable(program_, layer, lanes))
                sum += roughLuts(*conv);
        return sum;
    }

    const Program& program_;
    const ir::LayerPlan& plan_;
    const LoweringParams& params_;
};

/// `narrow`, or a wider word with which more calls can be streamed and less time is taken.
std::int64_t widenForStreams(const Program& program, const ir::LayerPlan& plan,
                             const LoweringParams& params, std::int64_t narrow) {
    const StreamedEstimator estimator(program, plan, params);
    StreamedEstimate best = estimator.at(narrow);
    std::int64_t lanes = narrow;
    for (std::int64_t wider = 2 * narrow; wider <= 64; wider *= 2) {
        if (mostLiveBits(program, plan, wider) > params.onChipBits)
            break;
        const StreamedEstimate estimate = estimator.at(wider);
        if (estimate.streamable <= best.streamable || estimate.cycles >= best.cycles)
            continue;
        best = estimate;
        lanes = wider;
    }
    return lanes;
}

} // namespace

std::int64_t lanesFor(const Program& program, const ir::LayerPlan& plan,
                      const LoweringParams& params) {
    if (params.policy == Policy::Published)
        return 64;
    if (params.policy == Policy::Toy)
        return 1;
    if (params.lanes != 0)
        return params.lanes;
    const std::int64_t lanes = chooseLanes(program, plan, params);
    const bool streams = params.streams && params.streamLuts > 0 &&
                         std::ranges::find(params.without, "streams") == params.without.end();
    return streams ? widenForStreams(program, plan, params, lanes) : lanes;
}

} // namespace marquetry::rules
