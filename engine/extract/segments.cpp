#include "engine/extract/segments.h"

#include "engine/design/external_tensors.h"
#include "engine/design/moves_of.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

namespace marquetry::extract {

namespace {

using design::RowUse;
using ir::ValueId;

constexpr double kNone = std::numeric_limits<double>::infinity();
/// Numbers of bands that are tried.
constexpr std::array<std::int64_t, 20> kBands{1,  2,  3,  4,  5,  6,  7,  8,  10,  12,
                                              14, 16, 19, 23, 28, 38, 56, 75, 112, 224};
/// Calls of a segment: more of them are too many for a sequencer.
constexpr std::int64_t kMostSegmentCalls = 400;
/// Estimates: of a call that begins and ends in a band; of a load or store; of a step of the
/// sequencer; of a mover.
constexpr double kClocksOfCall = 30;
constexpr double kClocksOfMove = 6;
constexpr double kLutsOfStep = 15;
constexpr double kLutsOfMover = 150;

constexpr std::size_t kBeforeAll = std::numeric_limits<std::size_t>::max();

} // namespace

class SegmentPlanner::Plan {
    struct StoredValue {
        std::size_t maker = kBeforeAll; ///< layer
        std::vector<std::size_t>
            readers; ///< layers, in order; of an output also one behind the last
        bool mayLeave = false;
        std::int64_t height = 1, pitch = 1, bytes = 0;
        std::int64_t turns = 1, bits = 64; ///< of a word

        std::size_t lastRead() const { return readers.empty() ? 0 : readers.back(); }
        bool isReadBy(std::size_t layer) const {
            return std::ranges::binary_search(readers, layer);
        }
        /// The last of the layers from this one on that read it one after the other; 0: this one
        /// does not.
        std::size_t readUntil(std::size_t layer) const {
            if (!isReadBy(layer))
                return 0;
            while (isReadBy(layer + 1))
                ++layer;
            return layer;
        }
    };

    /// Layers first … last, and what of the values at its ends stays on the chip.
    struct Span {
        std::size_t first = 0, last = 0;
        bool takes = false; ///< the result of the layer before
        bool keeps = false; ///< its own last result

        bool has(std::size_t layer) const { return first <= layer && layer <= last; }
        std::size_t length() const { return last + 1 - first; }
    };

    /// A way to compute a segment.
    struct Way {
        double blocks = 0, largest = 0; ///< of all tensors, of one
        double clocks = 0;
        double luts = 0;       ///< of sequencer and movers
        std::int64_t rows = 0; ///< of a band; 0: the layers are whole
        bool moves = false;    ///< something of external memory

        void addBlocks(double of) {
            blocks += of;
            largest = std::max(largest, of);
        }
        void addMover(double clocksOfAll, std::int64_t parts) {
            clocks += clocksOfAll;
            luts += kLutsOfMover;
            moves = true;
            addSteps(parts);
        }
        void addSteps(std::int64_t steps) { luts += kLutsOfStep * static_cast<double>(steps); }
    };

public:
    Plan(const SegmentProblem& problem, SegmentMemo& memo) : problem_(problem), memo_(memo) {
        readLayers();
        readValues();
        for (const LayerDemand& layer : problem.layers) {
            clocks_.push_back(clocks_.back() + layer.clocks);
            bytes_.push_back(bytes_.back() + layer.weightBytes);
        }
    }

    std::optional<SegmentCuts> best(const SegmentLimits& limits) {
        const std::size_t n = layers();
        AllReached reached(n + 1);
        reached[0][0].clocks = 0;
        for (std::size_t first = 0; first < n; ++first)
            for (const bool takes : {false, true})
                if (reached[first][takes].clocks < kNone)
                    for (std::size_t last = first; last < n; ++last)
                        for (const bool keeps : {false, true})
                            goOn(reached, {first, last, takes, keeps}, limits);
        if (reached[n][0].clocks == kNone)
            return std::nullopt;
        return cutsOf(reached);
    }

private:
    std::size_t layers() const { return problem_.layers.size(); }
    const ir::LayerPlan& plan() const { return *problem_.request.plan; }

    // ---- what the program says

    void readLayers() {
        uses_.resize(layers());
        for (const design::Step& step : problem_.whole.steps)
            if (const auto* call = std::get_if<design::ComputeStep>(&step))
                for (std::size_t k = 0; k < layers(); ++k)
                    if (plan().layers[k].name == call->layer)
                        uses_[k] = RowUse{0,
                                          0,
                                          call->kernel.vertical,
                                          call->stride.vertical,
                                          call->pad.vertical,
                                          call->epilogue.poolSize};
        for (std::size_t k = 0; k < layers(); ++k)
            if (const auto repeat =
                    design::rowsOfEachRow(*problem_.request.program, plan().layers[k]))
                uses_[k] = RowUse{0, 0, 1, 1, 0, 1, *repeat};
    }

    void readValues() {
        const ir::Program& program = *problem_.request.program;
        values_.resize(program.values.size());
        for (const design::StoredTensor& tensor : problem_.whole.tensors)
            values_[tensor.value.index()] = valueOf(tensor);
        for (std::size_t k = 0; k < layers(); ++k) {
            values_[resultOf(k)].maker = k;
            for (const std::size_t operand : operandsOf(k))
                values_[operand].readers.push_back(k);
            const design::ScheduleUnit& unit =
                problem_.request.units[problem_.request.layerUnits[k].index()];
            std::int64_t& turns = values_[plan().layers[k].input.index()].turns;
            const auto span = static_cast<std::uint64_t>(unit.span);
            turns = std::max(turns, static_cast<std::int64_t>(std::bit_ceil(span)));
        }
        for (const ir::Output& output : program.outputs)
            values_[plan().storage[output.value.index()].index()].readers.push_back(layers());
        for (std::size_t v = 0; v < values_.size(); ++v)
            if (!values_[v].mayLeave && !values_[v].readers.empty())
                fixed_.push_back(v);
    }

    StoredValue valueOf(const design::StoredTensor& tensor) const {
        const int bytes = ir::info(tensor.scalar).bytes;
        StoredValue value;
        value.mayLeave = design::mayLieOutside(*problem_.request.program, plan(), tensor.value);
        value.height = tensor.height;
        value.pitch = tensor.pitch();
        value.bytes = tensor.elements() * bytes;
        value.bits = design::storedLanesFor(tensor.channels, problem_.whole.lanes) * 8 * bytes;
        return value;
    }

    std::size_t resultOf(std::size_t layer) const { return plan().layers[layer].result.index(); }
    std::vector<std::size_t> operandsOf(std::size_t layer) const {
        std::vector<std::size_t> all;
        for (const ValueId operand : design::storedOperands(plan().layers[layer]))
            all.push_back(operand.index());
        return all;
    }

    // ---- values and segments

    double blocksOf(std::size_t v, std::int64_t rows) {
        const StoredValue& value = values_[v];
        const auto [known, isNew] = knownBlocks_.try_emplace({v, rows}, 0);
        if (isNew) {
            const std::int64_t words = std::max(rows * value.pitch, 2 * value.turns);
            known->second = static_cast<double>(value.turns) *
                            problem_.device.ramBlocks(ceilDiv(words, value.turns), value.bits);
        }
        return known->second;
    }
    double wholeBlocks(std::size_t v) { return blocksOf(v, values_[v].height); }

    bool isMadeIn(const Span& span, std::size_t v) const {
        return values_[v].maker != kBeforeAll && span.has(values_[v].maker);
    }
    /// Made before the segment, and not on the chip.
    bool isLoaded(const Span& span, std::size_t v) const {
        const bool taken = span.takes && values_[v].maker + 1 == span.first;
        return values_[v].mayLeave && !taken && !isMadeIn(span, v);
    }
    bool leaves(const Span& span, std::size_t v) const {
        const bool kept = span.keeps && values_[v].maker == span.last;
        return values_[v].mayLeave && !kept && isMadeIn(span, v) &&
               values_[v].lastRead() > span.last;
    }

    /// Loads, or stores, in so many parts.
    void addMover(Way& way, std::size_t v, std::int64_t parts) const {
        const double rate =
            std::min(static_cast<double>(design::kMovedBytes), problem_.memory.bytesPerCycle);
        const double wait = static_cast<double>(problem_.memory.latencyCycles) + kClocksOfMove;
        way.addMover(static_cast<double>(values_[v].bytes) / rate +
                         static_cast<double>(parts) * wait,
                     parts);
    }

    /// The calls and their weights, in so many bands.
    void addCalls(Way& way, const Span& span, std::int64_t bands) const {
        const double compute = clocks_[span.last + 1] - clocks_[span.first];
        const double weights = bytes_[span.last + 1] - bytes_[span.first];
        const auto again = static_cast<double>(bands);
        const auto calls = static_cast<std::int64_t>(span.length());
        way.clocks += std::max(compute, again * weights / problem_.memory.bytesPerCycle) +
                      (again - 1) * static_cast<double>(calls) * kClocksOfCall;
        way.addSteps(bands * calls);
    }

    const std::vector<Way>& waysOf(const Span& span) {
        const std::size_t at =
            ((span.first * layers() + span.last) * 2 + (span.takes ? 1 : 0)) * 2 +
            (span.keeps ? 1 : 0);
        const auto [known, isNew] = ways_.try_emplace(at);
        if (isNew) {
            known->second.push_back(whole(span));
            if (span.length() <= kMostSegmentLayers)
                addBanded(span, known->second);
        }
        return known->second;
    }

    // ---- layers as a whole

    Way whole(const Span& span) {
        Way way;
        std::vector<double> blocks(span.length(), 0);
        const auto lives = [&](std::size_t v, std::size_t from, std::size_t to) {
            for (std::size_t k = std::max(from, span.first); k <= std::min(to, span.last); ++k)
                blocks[k - span.first] += wholeBlocks(v);
            if (from <= span.last && to >= span.first)
                way.largest = std::max(way.largest, wholeBlocks(v));
        };
        addCalls(way, span, 1);
        for (const std::size_t v : fixed_)
            lives(v, values_[v].maker == kBeforeAll ? 0 : values_[v].maker, values_[v].lastRead());
        if (span.takes) {
            const std::size_t taken = resultOf(span.first - 1);
            lives(taken, span.first, values_[taken].lastRead());
        } else if (span.first > 0) {
            // What external memory holds as well is still there.
            const std::size_t before = resultOf(span.first - 1);
            if (values_[before].mayLeave && values_[before].readUntil(span.first) >= span.first)
                lives(before, span.first, values_[before].readUntil(span.first));
        }
        for (std::size_t k = span.first; k <= span.last; ++k) {
            const std::size_t result = resultOf(k);
            if (values_[result].mayLeave)
                lives(result, k, std::max(k, livesUntil(span, result)));
            if (leaves(span, result))
                addMover(way, result, 1);
            for (const std::size_t v : operandsOf(k))
                if (startsToRead(span, k, v)) {
                    lives(v, k, values_[v].readUntil(k));
                    addMover(way, v, 1);
                }
        }
        way.blocks = std::ranges::max(blocks);
        return way;
    }

    std::size_t livesUntil(const Span& span, std::size_t v) const {
        return leaves(span, v) ? values_[v].readUntil(values_[v].maker + 1) : values_[v].lastRead();
    }

    /// A value of external memory, which is not on the chip since the layer before.
    bool startsToRead(const Span& span, std::size_t layer, std::size_t v) const {
        if (!isLoaded(span, v) && !leaves(span, v))
            return false;
        return values_[v].maker + 1 != layer &&
               (layer == span.first || !values_[v].isReadBy(layer - 1));
    }

    // ---- layers in bands

    bool comesWithBands(const Span& span, std::size_t v) const {
        if (values_[v].maker != kBeforeAll)
            return isLoaded(span, v);
        return v == operandsOf(span.first).front() && values_[v].height > 1 &&
               std::ranges::all_of(values_[v].readers,
                                   [&](std::size_t layer) { return span.has(layer); });
    }

    SegmentRun runOf(const Span& span) const {
        SegmentRun run;
        const auto add = [&](std::size_t v, bool brought) {
            if (std::ranges::find(run.values, v) != run.values.end())
                return;
            run.values.push_back(v);
            run.tensors.push_back({values_[v].height, {}, 0, brought});
        };
        const std::size_t input = operandsOf(span.first).front();
        if (comesWithBands(span, input))
            add(input, false);
        for (std::size_t k = span.first; k <= span.last; ++k)
            add(resultOf(k), false);
        for (std::size_t k = span.first; k <= span.last; ++k) {
            for (const std::size_t v : operandsOf(k))
                if (comesWithBands(span, v))
                    add(v, true);
            addUses(run, k);
        }
        return run;
    }

    void addUses(SegmentRun& run, std::size_t layer) const {
        const auto at = [&](std::size_t v) {
            return static_cast<std::size_t>(std::ranges::find(run.values, v) - run.values.begin());
        };
        bool isInput = true;
        for (const std::size_t v : operandsOf(layer)) {
            RowUse use = isInput || plan().layers[layer].moves
                             ? *uses_[layer]
                             : RowUse{0, 0, 1, 1, 0, uses_[layer]->pool};
            isInput = false;
            use.source = at(v);
            use.result = at(resultOf(layer));
            if (use.source == run.values.size())
                use.source = design::kThere;
            if (use.source != design::kThere || (use.repeat > 1 && use.result == 0))
                run.uses.push_back(use);
        }
    }

    bool mayBand(const Span& span) const {
        std::vector<ValueId> outside;
        for (std::size_t v = 0; v < values_.size(); ++v)
            if (values_[v].mayLeave)
                outside.emplace_back(v);
        return design::mayBand(*problem_.request.program, plan(), span.first, span.last, outside);
    }

    /// Of all designs.
    SegmentRun& knownRun(const Span& span) {
        const auto [known, isNew] = memo_.try_emplace({span.first, span.last, span.takes});
        if (isNew && mayBand(span)) {
            known->second = runOf(span);
            known->second.may = true;
        }
        return known->second;
    }

    static const std::vector<std::int64_t>& keptRows(SegmentRun& run, std::int64_t rows) {
        const auto [known, isNew] = run.kept.try_emplace(rows);
        if (isNew) {
            design::planBands(run.tensors, run.uses, rows);
            for (const design::BandedTensor& tensor : run.tensors)
                known->second.push_back(tensor.kept);
        }
        return known->second;
    }

    void addBanded(const Span& span, std::vector<Way>& ways) {
        for (std::size_t k = span.first; k <= span.last; ++k)
            if (!problem_.layers[k].mayBand || !uses_[k])
                return;
        SegmentRun& run = knownRun(span);
        if (!run.may)
            return;
        const std::int64_t height = run.tensors.front().height;
        Way beside;
        addBeside(beside, span, run);
        std::int64_t before = 0;
        for (const std::int64_t bands : kBands) {
            const std::int64_t rows = ceilDiv(height, bands);
            if (bands * static_cast<std::int64_t>(span.length()) > kMostSegmentCalls)
                break;
            if (std::exchange(before, rows) == rows)
                continue;
            Way way = beside;
            way.rows = rows;
            const std::vector<std::int64_t>& kept = keptRows(run, rows);
            for (std::size_t t = 0; t < kept.size(); ++t)
                if (const std::size_t v = run.values[t]; !isWhole(span, v))
                    way.addBlocks(blocksOf(v, kept[t]));
            addCalls(way, span, bands);
            for (const std::size_t v : run.values)
                if (isLoaded(span, v) || leaves(span, v))
                    addMover(way, v, bands);
            ways.push_back(way);
        }
    }

    /// The last result, where it does not leave.
    bool isWhole(const Span& span, std::size_t v) const {
        return values_[v].maker == span.last && !leaves(span, v);
    }

    /// Of what is there as a whole meanwhile.
    void addBeside(Way& way, const Span& span, const SegmentRun& run) {
        for (const std::size_t v : fixed_) {
            const bool before = values_[v].maker == kBeforeAll || values_[v].maker < span.first;
            const bool inRun = std::ranges::find(run.values, v) != run.values.end();
            if (!inRun && before && values_[v].lastRead() >= span.first)
                way.addBlocks(wholeBlocks(v));
        }
        if (isWhole(span, resultOf(span.last)))
            way.addBlocks(wholeBlocks(resultOf(span.last)));
        if (span.takes)
            way.addBlocks(wholeBlocks(resultOf(span.first - 1)));
    }

    // ---- cuts

    /// The best way to a cut: the segment that ends there.
    struct Reached {
        double clocks = kNone;
        Span span;
        std::int64_t rows = 0;
    };
    using AllReached = std::vector<std::array<Reached, 2>>;

    /// What is kept has a reader, and all of them in the next segment.
    bool isCut(const Span& span) const {
        const StoredValue& last = values_[resultOf(span.last)];
        if (span.keeps && (span.last + 1 == layers() || !last.mayLeave))
            return false;
        return !span.takes || values_[resultOf(span.first - 1)].lastRead() <= span.last;
    }

    void goOn(AllReached& reached, const Span& span, const SegmentLimits& limits) {
        if (!isCut(span))
            return;
        Reached& there = reached[span.last + 1][span.keeps];
        const double before = reached[span.first][span.takes].clocks;
        for (const Way& way : waysOf(span)) {
            const double clocks = before + way.clocks + limits.lutClocks * way.luts;
            if ((limits.mayLeave || !way.moves) && way.blocks <= limits.blocks &&
                way.largest <= limits.largest && clocks < there.clocks)
                there = {clocks, span, way.rows};
        }
    }

    SegmentCuts cutsOf(const AllReached& reached) const {
        SegmentCuts cuts;
        cuts.clocks = reached[layers()][0].clocks;
        bool keeps = false;
        for (std::size_t end = layers(); end > 0;) {
            const Reached& way = reached[end][keeps];
            if (way.rows > 0)
                cuts.bands.push_back({way.span.first, way.span.last, way.rows});
            for (std::size_t k = way.span.first; k <= way.span.last; ++k)
                if (leaves(way.span, resultOf(k)))
                    cuts.outside.push_back(plan().layers[k].result);
            end = way.span.first;
            keeps = way.span.takes;
        }
        std::ranges::reverse(cuts.bands);
        std::ranges::sort(cuts.outside);
        return cuts;
    }

    const SegmentProblem& problem_;
    SegmentMemo& memo_;
    std::vector<std::optional<RowUse>> uses_;  ///< by layer: of its input
    std::vector<StoredValue> values_;          ///< by ValueId
    std::vector<std::size_t> fixed_;           ///< values that cannot leave
    std::vector<double> clocks_{0}, bytes_{0}; ///< of all layers before
    std::map<std::pair<std::size_t, std::int64_t>, double> knownBlocks_;
    std::map<std::size_t, std::vector<Way>> ways_;
};

SegmentPlanner::SegmentPlanner(const SegmentProblem& problem, SegmentMemo& memo)
    : plan_(std::make_unique<Plan>(problem, memo)) {}

SegmentPlanner::~SegmentPlanner() = default;

std::optional<SegmentCuts> SegmentPlanner::best(const SegmentLimits& limits) {
    return plan_->best(limits);
}

} // namespace marquetry::extract
