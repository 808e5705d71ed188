#include "engine/extract/term_cost.h"

#include "engine/cost/published_cost.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace marquetry::extract {

namespace {

using rules::Skeleton;
using rules::SkeletonRole;

class PublishedCost final : public TermCost {
public:
    explicit PublishedCost(bool open) : open_(open) {}

    PathCost leaf(const UnitNode& node, const ir::UnitShape& shape) const override {
        PathCost cost;
        cost.size = 1;
        if (node.skeleton == Skeleton::Map)
            return cost;
        cost.parallel = node.params[0];
        cost.time = cost::publishedDotTime(shape.rows, shape.cols, cost.parallel);
        cost.dsp = cost::publishedDotDsp(shape.cols, cost.parallel);
        return cost;
    }

    PathCost fold(const UnitNode& node, const ir::UnitShape&,
                  const PathCost& child) const override {
        PathCost cost = child;
        ++cost.size;
        cost.convs += convsOf(node);
        if (rules::isParallel(rules::info(node.skeleton).role)) {
            const auto count = loopCount(node.skeleton, node.params);
            cost.dsp *= static_cast<double>(count);
            cost.convs *= static_cast<int>(count);
        } else {
            cost.time *= usesOfChild(node);
        }
        return cost;
    }

    PathCost use(const ir::UnitShape&, const ReachCost& reach,
                 const PathCost& body) const override {
        PathCost cost = body;
        cost.time = reach.factor * (body.time + cost::kCommunicationCost);
        cost.dsp = 0;
        cost.convs = reach.convs;
        cost.size += reach.size;
        cost.pins |= reach.pins;
        return cost;
    }

    double callTime(const CallInfo&, const PathCost& path) const override { return path.time; }

    int maxConvs() const override { return open_ ? -1 : 1; }

    double usesOfChild(const UnitNode& node) const override {
        return static_cast<double>(rules::callsOfChild(node.skeleton, node.params));
    }

    int convsOf(const UnitNode& node) const override {
        const bool conv = node.skeleton == Skeleton::Conv ||
                          node.skeleton == Skeleton::ParallelConv ||
                          node.skeleton == Skeleton::WindowConv;
        return conv ? 1 : 0;
    }

private:
    bool open_;
};

class CyclesCost final : public TermCost {
public:
    CyclesCost(const device::Device& device, const rules::Menu& menu, const WriteBacks& writeBacks,
               const Spans& spans)
        : device_(device),
          lanes_(menu.lanes),
          parallel_(menu.parallel),
          writeBacks_(writeBacks),
          spans_(spans) {}

    PathCost leaf(const UnitNode& node, const ir::UnitShape& shape) const override {
        PathCost cost;
        cost.size = 1;
        if (node.skeleton == Skeleton::Map) {
            cost.parallel = lanes_;
            cost.time = static_cast<double>(ceilDiv(shape.rows, lanes_));
            return cost;
        }
        cost.parallel = node.params[0];
        cost.comparesRows = true;
        cost.lanewise = node.skeleton == Skeleton::LaneProducts;
        cost.mostSpan = mostSpan(shape, lanes_);
        cost.time = static_cast<double>(ceilDiv(shape.rows, cost.parallel));
        cost.dsp = productsDsp(cost, shape);
        return cost;
    }

    PathCost fold(const UnitNode& node, const ir::UnitShape& shape,
                  const PathCost& child) const override {
        PathCost cost = child;
        ++cost.size;
        const rules::SkeletonInfo& entry = rules::info(node.skeleton);
        const std::int64_t count = loopCount(node.skeleton, node.params);
        const bool rows = entry.axis == ir::LoopAxis::Rows;
        if (entry.role == SkeletonRole::Par) {
            (rows ? cost.parallel : cost.pixelParallel) *= count;
        }
        cost.dsp = productsDsp(cost, shape);
        cost.mostSpan = mostSpan(shape, lanes_);
        // The schedule's nest is the same for every term: blocks of `parallel` rows, the last one
        // not full, and none that holds only padding.
        cost.time = static_cast<double>(ceilDiv(shape.rows, cost.parallel)) /
                    static_cast<double>(cost.pixelParallel);
        return cost;
    }

    /// A partial product needs an adder tree with C taps, which our generator does not build.
    bool exists(const UnitNode& node) const override {
        return node.skeleton != Skeleton::ParallelPartialDot &&
               node.skeleton != Skeleton::MergePartialSum &&
               node.skeleton != Skeleton::ParallelConv;
    }

    /// As many rows in parallel as are of use. Pixels in parallel would need as many read ports on
    /// the activations, partial sums in parallel adders between the instances.
    bool buildable(const UnitNode& node, const PathCost& child) const override {
        const rules::SkeletonInfo& entry = rules::info(node.skeleton);
        if (!rules::isParallel(entry.role))
            return true;
        const std::int64_t rows = child.parallel * loopCount(node.skeleton, node.params);
        return entry.role == SkeletonRole::Par && entry.axis == ir::LoopAxis::Rows &&
               child.comparesRows && parallel_.contains(rows);
    }

    /// The controller walks the call's own nest, whatever the terms above the unit are.
    PathCost use(const ir::UnitShape& root, const ReachCost& reach,
                 const PathCost& body) const override {
        PathCost cost = body;
        cost.time = static_cast<double>(ceilDiv(root.rows, body.parallel)) /
                    static_cast<double>(body.pixelParallel);
        cost.dsp = 0;
        cost.convs = reach.convs;
        cost.size += reach.size;
        cost.pins |= reach.pins;
        return cost;
    }

    std::vector<PathCost> forms(const PathCost& term, const ir::UnitShape& shape) const override {
        if (!term.comparesRows)
            return {term}; // a pass
        if (term.lanewise)
            return laneForms(term, shape);
        std::vector<PathCost> forms;
        for (std::int64_t span : spans_.products) {
            const bool fits =
                span <= term.mostSpan && term.parallel * span * lanes_ <= rules::kMostProducts;
            if (!fits && span > 1)
                break;
            for (std::int64_t lanes : writeBacks_.choices(term.parallel, span)) {
                forms.push_back(term);
                forms.back().span = span;
                forms.back().writeLanes = lanes;
                forms.back().dsp = productsDsp(forms.back(), shape) + writeBacks_.dsp(lanes);
            }
        }
        return forms;
    }

    /// Lanes of several stored words, each with rows of its own.
    std::vector<PathCost> laneForms(const PathCost& term, const ir::UnitShape& shape) const {
        std::vector<PathCost> forms;
        for (std::int64_t span : spans_.lanes)
            for (std::int64_t lanes : writeBacks_.choices(term.parallel * span, 1)) {
                forms.push_back(term);
                PathCost& form = forms.back();
                form.span = span;
                form.writeLanes = lanes;
                form.parallel = term.parallel * span;
                form.time = static_cast<double>(ceilDiv(shape.rows, form.parallel));
                form.dsp = productsDsp(form, shape) + writeBacks_.dsp(lanes);
            }
        return forms;
    }

    double callTime(const CallInfo& call, const PathCost& form) const override {
        if (call.isFixed())
            return static_cast<double>(call.fixedCycles);
        const double reductions =
            std::ceil(form.time * static_cast<double>(call.pixels / call.parts));
        cost::CallShape shape{1,
                              static_cast<std::int64_t>(reductions),
                              call.reductionWords(form.span),
                              lanes_ * form.span,
                              call.pass,
                              call.lanewise()};
        shape.scales = writeBacks_.scales;
        shape.groups = writeBacks_.groups(call, form.parallel, form.writeLanes);
        std::int64_t cycles = cost::computeCycles(shape);
        if (call.held)
            cycles += design::heldCycles(*call.held, form.parallel, lanes_);
        return static_cast<double>(call.parts * cycles + call.besidesCycles);
    }

    bool serves(const CallInfo& call, const PathCost& form) const override {
        return form.span == 1 || call.spans;
    }

    double usesOfChild(const UnitNode&) const override { return 1; }
    int convsOf(const UnitNode&) const override { return 0; }

    double productsDsp(const PathCost& form, const ir::UnitShape& shape) const override {
        return form.comparesRows ? cost::unitDsp(device_, productsOf(form, shape, lanes_)) : 0;
    }

    bool pairsRows(const PathCost& form, const ir::UnitShape& shape) const override {
        return form.comparesRows && cost::pairsRows(device_, productsOf(form, shape, lanes_));
    }

private:
    device::Device device_;
    std::int64_t lanes_;
    std::set<std::int64_t> parallel_;
    WriteBacks writeBacks_;
    Spans spans_;
};

} // namespace

cost::UnitHardware productsOf(const PathCost& form, const ir::UnitShape& shape,
                              std::int64_t lanes) {
    const std::int64_t perRow = form.lanewise ? 1 : std::min(shape.cols, lanes * form.span);
    return {form.parallel * form.pixelParallel, perRow, ir::storedBits(shape.operand),
            ir::storedBits(shape.weight)};
}

bool dominates(const PathCost& a, const PathCost& b) {
    if (a.pins != b.pins)
        return false;
    if (a.time > b.time || a.dsp > b.dsp || a.convs > b.convs)
        return false;
    if (a.comparesRows && (a.parallel != b.parallel || a.pixelParallel != b.pixelParallel))
        return false;
    const bool better = a.time < b.time || a.dsp < b.dsp || a.convs < b.convs;
    return better || a.size <= b.size;
}

bool dominates(const ReachCost& a, const ReachCost& b) {
    if (a.pins != b.pins)
        return false;
    if (a.factor > b.factor || a.convs > b.convs)
        return false;
    return a.factor < b.factor || a.convs < b.convs || a.size <= b.size;
}

std::optional<PathCost> TermCost::wrap(const UnitNode& node, const ir::UnitShape& shape,
                                       const PathCost& child) const {
    if (!exists(node) || !buildable(node, child))
        return std::nullopt;
    return fold(node, shape, child);
}

std::optional<ReachCost> TermCost::descend(const UnitNode& node, const ReachCost& outer) const {
    if (!exists(node) || rules::isParallel(rules::info(node.skeleton).role))
        return std::nullopt;
    ReachCost inner = outer;
    inner.factor *= usesOfChild(node);
    inner.convs += convsOf(node);
    ++inner.size;
    return inner;
}

std::int64_t mostSpan(const ir::UnitShape& shape, std::int64_t lanes) {
    const bool products = shape.function != ir::UnitFunction::DwConv &&
                          shape.function != ir::UnitFunction::Lanes &&
                          shape.function != ir::UnitFunction::Map;
    return products ? std::clamp<std::int64_t>(shape.cols / lanes, 1, kMostSpan) : 1;
}

namespace {

/// Products of all calls when units take so many words, with those of words that are missing.
double productsWith(const std::vector<CallInfo>& calls, std::int64_t span) {
    double products = 0;
    for (const CallInfo& call : calls)
        if (call.spans && !call.lanewise())
            products += static_cast<double>(call.rows * call.pixels) *
                        static_cast<double>(call.reductionWords(span) * span);
    return products;
}

std::vector<std::int64_t> spansOfProducts(const std::vector<CallInfo>& calls, std::int64_t most) {
    constexpr std::size_t kAll = 16;
    std::set<std::int64_t> spans = {1};
    for (const CallInfo& call : calls)
        for (std::int64_t span = 2; call.spans && !call.lanewise() && span <= most; ++span)
            if (call.reductionWords(span) < call.reductionWords(span - 1))
                spans.insert(span);
    if (spans.size() <= kAll)
        return {spans.begin(), spans.end()};
    // The longer of two with as many products first.
    std::vector<std::int64_t> byProducts(spans.rbegin(), spans.rend());
    std::ranges::stable_sort(byProducts, {},
                             [&](std::int64_t span) { return productsWith(calls, span); });
    std::set<std::int64_t> chosen;
    std::set<std::uint64_t> octaves;
    for (const std::int64_t span : byProducts)
        if (octaves.insert(std::bit_width(static_cast<std::uint64_t>(span))).second)
            chosen.insert(span);
    for (const std::int64_t span : byProducts)
        if (chosen.size() < kAll)
            chosen.insert(span);
    return {chosen.begin(), chosen.end()};
}

std::vector<std::int64_t> spansOfLanes(const std::vector<CallInfo>& calls, std::int64_t lanes,
                                       std::int64_t most) {
    std::set<std::int64_t> spans = {1};
    for (const CallInfo& call : calls)
        for (std::int64_t blocks = 1, words = ceilDiv(call.rows, lanes);
             call.spans && call.lanewise() && blocks <= words; ++blocks)
            if (const auto span = ceilDiv(words, blocks); span <= most)
                spans.insert(span);
    return {spans.begin(), spans.end()};
}

} // namespace

std::unique_ptr<TermCost> makeTermCost(design::CostModel model, const device::Device& device,
                                       const rules::Menu& menu, const WriteBacks& writeBacks,
                                       const Spans& spans) {
    if (model == design::CostModel::Cycles)
        return std::make_unique<CyclesCost>(device, menu, writeBacks, spans);
    return std::make_unique<PublishedCost>(model == design::CostModel::PublishedOpen);
}

Spans usefulSpans(const std::vector<CallInfo>& calls, std::int64_t lanes, std::int64_t most) {
    return {spansOfProducts(calls, most), spansOfLanes(calls, lanes, most)};
}

} // namespace marquetry::extract
