#include "engine/spacetime/alternatives.h"

#include "engine/spacetime/area.h"
#include "engine/spacetime/delay.h"
#include "engine/spacetime/layout_ways.h"
#include "engine/spacetime/match_delays.h"

#include <algorithm>
#include <cmath>

namespace marquetry::spacetime {

using device::Resources;
using ir::StreamOp;

namespace {

/// Sums of fractions in another order differ by less.
constexpr double kSlack = 1e-12;

/// Of any change of layout: an atom at least goes through a LUT for every bit, or block RAM.
double leastChangeFraction(const ir::StreamType& type, const device::Device& device) {
    const double bits = ir::atomBits(ir::atomOf(type));
    const double blocks = device.limits.bram > 0 ? 0.5 / device.limits.bram : 1;
    return std::min(bits / device.limits.lut, blocks);
}

class Alternatives {
public:
    Alternatives(Search& search, const ir::StreamGraph& graph, ir::StreamNodeId id,
                 const std::vector<LayoutId>& wanted, const std::vector<MaybeConstants>& constants,
                 std::int64_t copies, AreaBounds bounds)
        : search_(search),
          layouts_(search.layouts()),
          graph_(graph),
          id_(id),
          node_(graph.node(id)),
          wanted_(wanted),
          constants_(constants),
          copies_(static_cast<double>(copies)),
          bounds_(bounds),
          time_(layouts_.time(wanted[0])),
          onlyWires_(!search.limits().changes ||
                     bounds.alternative < leastChangeFraction(node_.type, search.device())) {}

    std::vector<LayoutAlternative> list() && {
        switch (node_.op) {
        case StreamOp::Input:
            input();
            break;
        case StreamOp::Const:
        case StreamOp::Counter:
            generator();
            break;
        case StreamOp::Map:
        case StreamOp::Map2:
            map();
            break;
        case StreamOp::Scan:
            scan();
            break;
        case StreamOp::Shift:
        case StreamOp::Up:
            inShape();
            break;
        case StreamOp::Select:
        case StreamOp::Reduce:
            toOne();
            break;
        case StreamOp::STuple:
        case StreamOp::Append:
            tuple();
            break;
        default:
            atom();
        }
        return std::move(found_);
    }

private:
    /// No change of layout within the bound has more lanes than this: each lane that both sides do
    /// not share is stored, in a LUT for every bit at least.
    std::int64_t maxLanes() const {
        std::int64_t narrowest = layouts_.width(wanted_[0]);
        for (const LayoutId layout : wanted_)
            narrowest = std::min(narrowest, layouts_.width(layout));
        const SearchLimits& limits = search_.limits();
        const std::int64_t bits = ir::atomBits(ir::atomOf(node_.type));
        const double stored =
            bounds_.alternative * search_.device().limits.lut / static_cast<double>(bits);
        const auto most = static_cast<double>(limits.maxBits / bits);
        const double lanes =
            std::min(static_cast<double>(narrowest) + (onlyWires_ ? 0 : stored), mostComputed());
        return static_cast<std::int64_t>(std::min(lanes, most));
    }

    /// Lanes of atoms that are computed within the bound: each by the innermost function.
    double mostComputed() const {
        const ir::StreamNode* node = &node_;
        while (node->function && !ir::isAtom(node->type.element())) {
            const ir::StreamGraph& function = *node->function;
            node = &function.node(withoutRegrouping(function, function.outputs[0].node));
        }
        const bool computes =
            search_.limits().waysOfWires && node->function && node->op != StreamOp::Reduce;
        const double each = computes ? copies_ * search_.least().fraction(*node->function, 1) : 0;
        return each > 0 ? std::floor((bounds_.alternative + kSlack) / each)
                        : std::numeric_limits<double>::infinity();
    }

    /// Of a value that is a sequence.
    std::vector<LayeredLayout> ways() {
        if (!onlyWires_ || !search_.limits().waysOfWires)
            return layouts_.layered(node_.type, time_, maxLanes());
        return wanted_.size() == 1 ? waysToWrite(layouts_, node_.type, wanted_[0])
                                   : std::vector<LayeredLayout>();
    }

    bool exceeds(const Resources& area) const {
        return sumOfFractions(area, search_.device()) > bounds_.alternative;
    }

    /// Nothing when it exceeds the bound.
    std::optional<Resources> changesFrom(LayoutId layout) {
        for (const LayoutId other : wanted_) {
            const bool wires = layout == other;
            if (!wires &&
                (onlyWires_ || layouts_.leastFraction(layout, other) > bounds_.alternative))
                return std::nullopt;
        }
        Resources sum;
        for (const LayoutId other : wanted_)
            sum += copies_ * layouts_.change(layout, other);
        const bool wires = sum == Resources();
        if (exceeds(sum) || (!wires && !search_.limits().changes))
            return std::nullopt;
        return sum;
    }

    void add(Decision decision, Resources area) {
        if (exceeds(area))
            return;
        decision.node = id_;
        LayoutAlternative alternative{area, {}, decision};
        const std::vector<LayoutId> operands = operandLayouts(graph_, decision, layouts_);
        for (std::size_t k = 0; k < operands.size(); ++k)
            alternative.demands.emplace_back(withoutRegrouping(graph_, node_.operands[k]),
                                             operands[k]);
        found_.push_back(std::move(alternative));
    }

    /// Area of the operator itself, its function known.
    Resources ownArea(const Decision& decision) {
        CircuitBuilder circuit;
        std::vector<NodeId> operands;
        for (const LayoutId layout : operandLayouts(graph_, decision, layouts_))
            operands.push_back(circuit.input(layouts_.type(layout)));
        const NodeId result = lowerOperator(circuit, graph_, decision, operands, layouts_);
        return copies_ * area(std::move(circuit).finish(result), search_.device());
    }

    void input() {
        for (const LayoutId layout : wanted_) {
            if (search_.stopped())
                return;
            if (const auto changes = changesFrom(layout))
                found_.push_back({*changes, {{id_, layout}}, {}});
        }
    }

    void generator() {
        Resources sum;
        for (const LayoutId layout : wanted_) {
            CircuitBuilder circuit;
            Node node{node_.op == StreamOp::Const ? Op::Const : Op::Counter,
                      {},
                      {},
                      {},
                      layouts_.type(layout)};
            node.literal = node_.literal;
            if (node.op == Op::Counter)
                node.params = {node_.params[1]};
            const NodeId result = circuit.add(std::move(node));
            sum += copies_ * area(std::move(circuit).finish(result), search_.device());
        }
        found_.push_back({sum, {}, {}});
    }

    /// What the function of a map has around it in a shape.
    Surroundings inside(const LayerShape& shape) const {
        Surroundings around{static_cast<std::int64_t>(copies_) * shape.lanes, {}};
        bool any = false;
        for (const ir::StreamNodeId operand : node_.operands) {
            const auto& known = constants_[withoutRegrouping(graph_, operand).index()];
            any = any || known;
            around.inputs.push_back(
                known ? MaybeConstants(known->inTime(shape.groups).inSpace(shape.lanes)) : known);
        }
        return any ? around : Surroundings();
    }

    /// With one function for each lane, of the least area.
    bool isAboveTheBound(const LayeredLayout& way, const Resources& changes) const {
        const double least = copies_ * static_cast<double>(way.shape.lanes) *
                             search_.least().fraction(*node_.function, layouts_.time(way.element));
        return least + sumOfFractions(changes, search_.device()) > bounds_.alternative + kSlack;
    }

    void map() {
        for (const LayeredLayout& way : ways()) {
            if (search_.stopped())
                return;
            const auto changes = changesFrom(way.whole);
            if (!changes)
                continue;
            const Surroundings around = inside(way.shape);
            const double factor =
                around.inputs.empty() ? copies_ * static_cast<double>(way.shape.lanes) : 1;
            if (isAboveTheBound(way, *changes))
                continue;
            for (const auto& function :
                 search_.implementations(*node_.function, way.element, around, bounds_.function))
                add({id_, way.whole, way.shape, way.element, function, nullptr},
                    *changes + factor * function->area);
        }
    }

    /// The function takes and yields the state in one layout.
    void scan() {
        for (const LayeredLayout& way : ways()) {
            if (search_.stopped())
                return;
            const auto changes = changesFrom(way.whole);
            if (!changes)
                continue;
            if (isAboveTheBound(way, *changes))
                continue;
            for (const auto& function :
                 search_.implementations(*node_.function, way.element, {}, bounds_.function)) {
                const Decision decision{id_, way.whole, way.shape, way.element, function, nullptr};
                if (function->inputs[0] == way.element && search_.closes(node_, decision))
                    add(decision, *changes + ownArea(decision));
            }
        }
    }

    void inShape() {
        for (const LayeredLayout& way : ways()) {
            if (search_.stopped())
                return;
            if (const auto changes = changesFrom(way.whole)) {
                const Decision decision{id_, way.whole, way.shape, way.element, nullptr, nullptr};
                add(decision, *changes + ownArea(decision));
            }
        }
    }

    /// The operand is a sequence that takes the time of the one element of the result.
    void toOne() {
        const std::int64_t length = graph_.node(node_.operands[0]).type.length;
        for (const LayeredLayout& way : ways()) {
            const auto changes = changesFrom(way.whole);
            if (!changes || search_.stopped())
                continue;
            const std::int64_t lanes =
                search_.limits().maxBits / ir::atomBits(ir::atomOf(node_.type));
            for (const LayerShape& shape :
                 layerShapes(length, way.shape.time(), lanes / layouts_.width(way.element))) {
                if (search_.stopped())
                    return;
                const Decision decision{id_, way.whole, shape, way.element, nullptr, nullptr};
                if (node_.op == StreamOp::Reduce)
                    reduce(decision, *changes);
                else
                    add(decision, *changes + ownArea(decision));
            }
        }
    }

    /// The function of a reduce has equal layouts everywhere, and in time its result before the
    /// next element comes.
    void reduce(Decision decision, const Resources& changes) {
        const std::int64_t period = decision.shape.spread * layouts_.time(decision.element);
        // Of one element it costs nothing: its function is not built.
        const bool built = decision.shape.groups * decision.shape.lanes > 1;
        const double bound = built ? bounds_.function : std::numeric_limits<double>::infinity();
        for (const auto& function :
             search_.implementations(*node_.function, decision.element, {}, bound)) {
            const bool fits = function->inputs == std::vector(2, decision.element);
            if (!fits || (decision.shape.groups > 1 && delayOf(*function) >= period))
                continue;
            decision.function = function;
            add(decision, changes + ownArea(decision));
        }
    }

    std::int64_t delayOf(const Implementation& function) {
        const auto known = search_.delays().find(&function);
        if (known != search_.delays().end())
            return known->second;
        const auto matched = matchDelays(circuitOf(function, layouts_), search_.limits().stop);
        const auto clocks =
            matched ? delay(*matched, DelayModel::Ours) : Result<std::int64_t>(matched.error());
        return search_.delays()[&function] =
                   clocks.value_or(std::numeric_limits<std::int64_t>::max());
    }

    void tuple() {
        for (const LayoutId element :
             layouts_.layouts(node_.type.element(), time_, maxLanes() / node_.type.length)) {
            if (search_.stopped())
                return;
            const LayoutId whole =
                layouts_.intern(stuple(node_.type.length, layouts_.type(element)));
            if (const auto changes = changesFrom(whole))
                add({id_, whole, {}, element, nullptr, nullptr}, *changes);
        }
    }

    void atom() {
        if (time_ != 1)
            return;
        const Decision decision{id_,    layouts_.intern(atomType(node_.type)), {}, {}, nullptr,
                                nullptr};
        CircuitBuilder circuit;
        std::vector<NodeId> operands;
        std::vector<MaybeConstants> known;
        for (const ir::StreamNodeId operand : node_.operands) {
            operands.push_back(circuit.input(atomType(graph_.node(operand).type)));
            known.push_back(constants_[operand.index()]);
        }
        const NodeId result = lowerOperator(circuit, graph_, decision, operands, layouts_);
        add(decision, area(std::move(circuit).finish(result), search_.device(),
                           static_cast<std::int64_t>(copies_), known));
    }

    Search& search_;
    LayoutTable& layouts_;
    const ir::StreamGraph& graph_;
    ir::StreamNodeId id_;
    const ir::StreamNode& node_;
    const std::vector<LayoutId>& wanted_;
    const std::vector<MaybeConstants>& constants_;
    double copies_;
    AreaBounds bounds_;
    std::int64_t time_;
    bool onlyWires_; ///< every change of layout exceeds the bound
    std::vector<LayoutAlternative> found_;
};

} // namespace

std::vector<LayoutAlternative> alternatives(Search& search, const ir::StreamGraph& graph,
                                            ir::StreamNodeId id,
                                            const std::vector<LayoutId>& wanted,
                                            const std::vector<MaybeConstants>& constants,
                                            std::int64_t copies, AreaBounds bounds) {
    return Alternatives(search, graph, id, wanted, constants, copies, bounds).list();
}

} // namespace marquetry::spacetime
