#include "engine/extract/term_cost.h"

#include "engine/cost/published_cost.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <cmath>

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
    CyclesCost(const device::Device& device, const rules::Menu& menu, const WriteBacks& writeBacks)
        : device_(device), lanes_(menu.lanes), parallel_(menu.parallel), writeBacks_(writeBacks) {}

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
        cost.time = static_cast<double>(ceilDiv(shape.rows, cost.parallel));
        cost::UnitHardware hardware{cost.parallel, std::min(lanes_, shape.cols),
                                    ir::storedBits(shape.operand), ir::storedBits(shape.weight)};
        cost.dsp = cost::unitDsp(device_, hardware);
        hardware.parallel = 2;
        cost.pairedLanes = cost::pairsRows(device_, hardware) ? hardware.lanes : 0;
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
            const bool pairs = rows && cost.pairedLanes > 0;
            (rows ? cost.parallel : cost.pixelParallel) *= count;
            cost.dsp =
                pairs ? dspOfRows(cost, cost.parallel) * static_cast<double>(cost.pixelParallel)
                      : cost.dsp * static_cast<double>(count);
        }
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

    std::vector<PathCost> forms(const PathCost& term) const override {
        if (!term.comparesRows)
            return {term}; // a pass
        std::vector<PathCost> forms;
        for (std::int64_t lanes : writeBacks_.choices(term.parallel)) {
            forms.push_back(term);
            forms.back().writeLanes = lanes;
            forms.back().dsp += writeBacks_.dsp(lanes);
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
                              call.reductionWords,
                              lanes_,
                              call.pass,
                              call.lanewise()};
        shape.scales = writeBacks_.scales;
        shape.groups = writeBacks_.groups(call, form.parallel, form.writeLanes);
        std::int64_t cycles = cost::computeCycles(shape);
        if (call.held)
            cycles += design::heldCycles(*call.held, form.parallel, lanes_);
        return static_cast<double>(call.parts * cycles + call.besidesCycles);
    }

    double usesOfChild(const UnitNode&) const override { return 1; }
    int convsOf(const UnitNode&) const override { return 0; }

private:
    device::Device device_;
    std::int64_t lanes_;
    std::set<std::int64_t> parallel_;
    WriteBacks writeBacks_;
};

} // namespace

double dspOfRows(const PathCost& leaf, std::int64_t rows) {
    if (leaf.pairedLanes > 0)
        return static_cast<double>(ceilDiv(rows, 2) * leaf.pairedLanes);
    return leaf.dsp / static_cast<double>(leaf.parallel) * static_cast<double>(rows);
}

bool dominates(const PathCost& a, const PathCost& b) {
    if (a.pins != b.pins || (a.marks & ~b.marks) != 0)
        return false;
    if (a.time > b.time || a.dsp > b.dsp || a.convs > b.convs)
        return false;
    if (a.comparesRows && (a.parallel != b.parallel || a.pixelParallel != b.pixelParallel))
        return false;
    const bool better = a.time < b.time || a.dsp < b.dsp || a.convs < b.convs;
    return better || a.size <= b.size;
}

bool dominates(const ReachCost& a, const ReachCost& b) {
    if (a.pins != b.pins || (a.marks & ~b.marks) != 0)
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

std::unique_ptr<TermCost> makeTermCost(design::CostModel model, const device::Device& device,
                                       const rules::Menu& menu, const WriteBacks& writeBacks) {
    if (model == design::CostModel::Cycles)
        return std::make_unique<CyclesCost>(device, menu, writeBacks);
    return std::make_unique<PublishedCost>(model == design::CostModel::PublishedOpen);
}

} // namespace marquetry::extract
