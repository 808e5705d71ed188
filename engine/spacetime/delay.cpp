#include "engine/spacetime/delay.h"

#include "engine/spacetime/area_table.h"
#include "engine/spacetime/regroup.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/table_rom.h"
#include "engine/spacetime/typing.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace marquetry::spacetime {

namespace {

using Inputs = std::vector<MaybeConstants>;

/// Clocks of a product in our hardware; none with a constant.
std::int64_t productDelay(const Node& node, const SeqType& operand, const Inputs& constants) {
    const auto isSteady = [](const MaybeConstants& known) {
        if (!known)
            return false;
        for (std::int64_t copy = 0; copy < known->copies; ++copy) {
            if (!known->steady(copy))
                return false;
        }
        return true;
    };
    const std::size_t first = node.atom == ir::StreamOp::Mul ? 0 : 1;
    if (std::any_of(constants.begin() + static_cast<std::ptrdiff_t>(first), constants.end(),
                    isSteady))
        return 0;
    const int bits = ir::atomBits(operand.atom);
    return std::ranges::find_if(kProductAreas, [&](const auto& p) { return bits <= p.bits; })
        ->delay;
}

std::int64_t atomDelay(const Node& node, const SeqType& operand, const Inputs& constants,
                       DelayModel model) {
    const bool product = node.atom == ir::StreamOp::Mul || node.atom == ir::StreamOp::Div;
    if (node.table)
        return model == DelayModel::Ours && tableRom(*node.table).isBlock() ? 1 : 0;
    if (model == DelayModel::Ours)
        return product ? productDelay(node, operand, constants) : 0;
    if (product)
        return ir::atomBits(operand.atom) >= 32 ? 6 : 3;
    return node.atom == ir::StreamOp::Abs ? 1 : 0;
}

Result<std::int64_t> delayOf(const Graph& graph, const Inputs& inputs, std::int64_t copies,
                             DelayModel model);

std::int64_t copiesOf(const Inputs& inputs) {
    for (const MaybeConstants& known : inputs) {
        if (known)
            return known->copies;
    }
    return 1;
}

Diagnostic tooLate(const Node& node, std::int64_t body, const std::string& needs) {
    return makeError("delay-mismatch", "the function of '" + toString(node) + "' has a delay of " +
                                           std::to_string(body) + " clocks; " + needs);
}

Result<std::int64_t> reduceDelay(const Node& node, const SeqType& operand, DelayModel model) {
    const auto body = delayOf(*node.function, {std::nullopt, std::nullopt}, 1, model);
    if (!body)
        return body;
    if (model == DelayModel::Published && *body != 0)
        return tooLate(node, *body, "a reduction needs one without");
    const std::int64_t n = node.params[0];
    const std::int64_t registers = model == DelayModel::Published ? 2 : n > 1 ? 1 : 0;
    if (node.op == Op::ReduceS)
        return treeLevels(n) * *body + registers;
    const std::int64_t period = clocks(operand.element());
    if (n > 1 && *body >= period)
        return tooLate(node, *body,
                       "the next element comes after " + std::to_string(period) + ", too early");
    return (n - 1) * period + (n > 1 ? *body : 0) + registers;
}

Result<std::int64_t> scanDelay(const Node& node, const SeqType& operand, DelayModel model);

/// Elements that come later are waited for, as groups of them come; all undefined, nothing is.
std::int64_t shiftDelay(const Node& node, const SeqType& operand) {
    const std::int64_t ahead = std::max<std::int64_t>(0, -node.params.back());
    const std::int64_t lanes = node.op == Op::ShiftTS ? node.params[2] : 1;
    const std::int64_t groups = (ahead + lanes - 1) / lanes;
    return ahead < node.params[0] * lanes ? groups * clocks(operand.element()) : 0;
}

using Starts = std::vector<std::optional<std::int64_t>>;

/// The first input comes after `first` clocks, the others at once.
Result<Starts> delaysOf(const Graph& graph, const Inputs& inputs, std::int64_t copies,
                        DelayModel model, std::int64_t first = 0) {
    const auto types = check(graph);
    if (!types)
        return types.error();
    const auto constants = constantsOf(graph, *types, inputs, copies);
    Starts delays;
    for (const Node& node : graph.nodes) {
        std::optional<std::int64_t> start;
        if (node.op == Op::Input)
            start = &node == &graph.node(graph.inputs[0]) ? first : 0;
        std::vector<SeqType> operandTypes;
        Inputs known;
        for (const NodeId operand : node.operands) {
            operandTypes.push_back((*types)[operand.index()]);
            known.push_back(constants[operand.index()]);
            const auto& other = delays[operand.index()];
            if (start && other && *start != *other)
                return makeError(
                    "delay-mismatch",
                    "the operands of '" + toString(node) + "' come after " +
                        std::to_string(*start) + " and " + std::to_string(*other) + " clocks",
                    "the earlier one needs a fifo of " + std::to_string(std::abs(*start - *other)));
            start = start ? start : other;
        }
        if (!isGenerator(node) && start) {
            const auto own = ownDelay(node, operandTypes, known, model);
            if (!own)
                return own.error();
            *start += *own;
        }
        delays.push_back(start);
    }
    return delays;
}

/// The lanes take their states one after the other, and the next group its own from the last.
Result<std::int64_t> scanDelay(const Node& node, const SeqType& operand, DelayModel model) {
    const Graph& function = *node.function;
    const auto timing = stateTiming(function, model);
    if (!timing)
        return timing.error();
    const auto delays = delaysOf(function, {}, 1, model, timing->start);
    if (!delays)
        return delays.error();
    const std::int64_t lanes = lanesOfScan(node);
    const std::int64_t period = clocks(operand.element());
    if (groupsOfScan(node) > 1 && lanes * timing->loop > period)
        return tooLate(node, lanes * timing->loop,
                       "the next state is needed after " + std::to_string(period) + ", too early");
    return (*delays)[function.output.index()].value_or(0) + (lanes - 1) * timing->loop;
}

Result<std::int64_t> delayOfReshape(const SeqType& from, const SeqType& to) {
    if (const auto clocks = reshapeDelay(from, to))
        return *clocks;
    return tooLarge("a change of layout from " + toString(from) + " to " + toString(to) + " has",
                    atomCount(from), kMaxTimedWords, "elements in no common order",
                    "another throughput may do without it");
}

Result<std::int64_t> delayOf(const Graph& graph, const Inputs& inputs, std::int64_t copies,
                             DelayModel model) {
    const auto delays = delaysOf(graph, inputs, copies, model);
    if (!delays)
        return delays.error();
    return (*delays)[graph.output.index()].value_or(0);
}

} // namespace

StateTiming stateTiming(const Graph& function, const std::vector<std::int64_t>& own) {
    using Clock = std::optional<std::int64_t>;
    struct Ready {
        Clock fromElement, fromState;
    };
    std::vector<Ready> ready;
    StateTiming timing;
    for (std::size_t k = 0; k < function.nodes.size(); ++k) {
        const Node& node = function.nodes[k];
        Ready at;
        if (node.op == Op::Input)
            (NodeId(k) == function.inputs[0] ? at.fromState : at.fromElement) = 0;
        for (const NodeId operand : node.operands) {
            const Ready& other = ready[operand.index()];
            at.fromElement = std::max(at.fromElement, other.fromElement);
            at.fromState = std::max(at.fromState, other.fromState);
        }
        if (at.fromState && at.fromElement) {
            timing.start = std::max(timing.start, *at.fromElement - *at.fromState);
            at.fromElement.reset();
        }
        for (Clock* clock : {&at.fromElement, &at.fromState}) {
            if (*clock)
                **clock += own[k];
        }
        ready.push_back(at);
    }
    timing.loop = ready[function.output.index()].fromState.value_or(0);
    return timing;
}

Result<StateTiming> stateTiming(const Graph& function, DelayModel model) {
    const auto types = check(function);
    if (!types)
        return types.error();
    const auto constants = constantsOf(function, *types, {}, 1);
    std::vector<std::int64_t> own;
    for (const Node& node : function.nodes) {
        std::vector<SeqType> operandTypes;
        Inputs known;
        for (const NodeId operand : node.operands) {
            operandTypes.push_back((*types)[operand.index()]);
            known.push_back(constants[operand.index()]);
        }
        const bool waits = node.op != Op::Input && !isGenerator(node);
        const auto clocks =
            waits ? ownDelay(node, operandTypes, known, model) : Result<std::int64_t>(0);
        if (!clocks)
            return clocks.error();
        own.push_back(*clocks);
    }
    return stateTiming(function, own);
}

Result<std::int64_t> ownDelay(const Node& node, const std::vector<SeqType>& operands,
                              const std::vector<MaybeConstants>& constants, DelayModel model) {
    switch (node.op) {
    case Op::Atom:
        return atomDelay(node, operands[0], constants, model);
    case Op::MapS:
    case Op::MapT:
    case Op::Map2S:
    case Op::Map2T: {
        const Inputs inputs = functionInputs(node, constants);
        return delayOf(*node.function, inputs, copiesOf(inputs), model);
    }
    case Op::ReduceS:
    case Op::ReduceT:
        return reduceDelay(node, operands[0], model);
    case Op::ScanS:
    case Op::ScanT:
    case Op::ScanTS:
        return scanDelay(node, operands[0], model);
    case Op::SelectT:
        return node.params.back() * clocks(operands[0].element());
    case Op::ShiftT:
    case Op::ShiftTS:
        return shiftDelay(node, operands[0]);
    case Op::Serialize:
        return 1;
    case Op::Fifo:
        return node.params[0];
    case Op::Reshape:
        return delayOfReshape(operands[0], node.type);
    case Op::Deserialize:
        return delayOfReshape(operands[0], *judge(node, operands));
    default:
        return 0;
    }
}

bool isGenerator(const Node& node) {
    return node.op == Op::Const || node.op == Op::Counter;
}

std::int64_t treeLevels(std::int64_t n) {
    return std::bit_width(static_cast<std::uint64_t>(n - 1));
}

std::optional<std::int64_t> reshapeDelay(const SeqType& from, const SeqType& to) {
    return regroupingDelay(from, to);
}

Result<std::vector<std::optional<std::int64_t>>> startsOf(const Graph& graph, DelayModel model,
                                                          std::int64_t first) {
    return delaysOf(graph, {}, 1, model, first);
}

Result<std::int64_t> delay(const Graph& graph, DelayModel model) {
    return delayOf(graph, {}, 1, model);
}

} // namespace marquetry::spacetime
