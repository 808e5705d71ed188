#include "engine/rules/lanes.h"

#include "engine/rules/streaming.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace marquetry::rules {

namespace {

using ir::Layer;
using ir::Program;
using ir::UnitShape;
using ir::ValueId;

/// So many cycles stand for "cannot be".
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 128;

/// Cycles of a layer on a unit of the largest power-of-two parallelism that fits.
std::int64_t sharedUnitCycles(const UnitShape& shape, std::int64_t lanes,
                              std::int64_t multipliers) {
    if (shape.function == ir::UnitFunction::DwConv)
        return vectorsOf(shape) * shape.cols * ceilDiv(shape.rows, lanes);
    const std::int64_t width = std::min(lanes, shape.cols);
    std::int64_t parallel = 1;
    while (parallel < lanes && 2 * parallel * width <= multipliers)
        parallel *= 2;
    return vectorsOf(shape) * ceilDiv(shape.cols, lanes) * ceilDiv(shape.rows, parallel);
}

/// Products of a row alone within the limit.
std::int64_t widestRow(const LoweringParams& params) {
    return params.pairsRows ? params.multipliers / 2 : params.multipliers;
}

/// Layers of products, lanewise or not.
bool multipliesIn(const ir::LayerPlan& plan, bool lanewise) {
    return std::ranges::any_of(
        plan.layers, [&](const Layer& layer) { return !layer.pass && layer.lanewise == lanewise; });
}

/// Of all products on one unit, and of depth-wise ones on a lane unit beside it, whose products
/// share no blocks.
std::int64_t sharedUnitCycles(const Program& program, const ir::LayerPlan& plan, std::int64_t lanes,
                              const LoweringParams& params) {
    const std::int64_t sharing = params.pairsRows ? 2 : 1;
    std::int64_t multipliers = params.multipliers;
    if (multipliesIn(plan, true) && multipliesIn(plan, false))
        multipliers -= sharing * lanes;
    if (lanes > std::max<std::int64_t>(multipliers / sharing, 8))
        return kNever;
    std::int64_t cycles = 0;
    for (const Layer& layer : plan.layers)
        if (!layer.pass)
            cycles += sharedUnitCycles(shapeOf(program, layer, lanes), lanes, multipliers);
    return cycles;
}

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

std::int64_t chooseLanes(const ir::Program& program, const ir::LayerPlan& plan,
                         const LoweringParams& params) {
    std::vector<std::int64_t> widths = {8, 16, 32, 64};
    while (widths.size() > 1 && mostLiveBits(program, plan, widths.back()) > params.onChipBits)
        widths.pop_back();
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t lanes : widths)
        best = std::min(best, sharedUnitCycles(program, plan, lanes, params));
    for (std::int64_t lanes : widths)
        if (100 * sharedUnitCycles(program, plan, lanes, params) <= 115 * best)
            return lanes;
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
                cycles =
                    sharedUnitCycles(shapeOf(program_, layer, lanes), lanes, params_.multipliers);
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
