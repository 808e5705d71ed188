#include "tests/oracles/evaluate.h"

#include "engine/ir/op.h"
#include "engine/ir/stream_interpreter.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::spacetime {

namespace {

/// The part of `elements` (`of` to each wave) from number `from` on, `count` to each wave.
Slots take(const Slots& elements, std::int64_t of, std::int64_t from, std::int64_t count,
           std::int64_t size) {
    const auto waves = static_cast<std::int64_t>(elements.size()) / (of * size);
    Slots taken;
    taken.reserve(static_cast<std::size_t>(waves * count * size));
    for (std::int64_t w = 0; w < waves; ++w) {
        const auto begin = elements.begin() + (w * of + from) * size;
        taken.insert(taken.end(), begin, begin + count * size);
    }
    return taken;
}

/// `count` copies of each wave of `size` words, next to each other.
Slots repeat(const Slots& waves, std::int64_t count, std::int64_t size) {
    Slots repeated;
    repeated.reserve(waves.size() * static_cast<std::size_t>(count));
    for (auto begin = waves.begin(); begin != waves.end(); begin += size) {
        for (std::int64_t k = 0; k < count; ++k)
            repeated.insert(repeated.end(), begin, begin + size);
    }
    return repeated;
}

class Evaluation {
public:
    Evaluation(const Graph& graph, const std::vector<Slots>& inputs, std::int64_t batch)
        : graph_(graph), inputs_(inputs), batch_(batch) {
        auto types = check(graph);
        ENGINE_ASSERT(types.has_value(), "only well-typed programs have a meaning");
        types_ = *std::move(types);
        uses_.assign(graph.nodes.size(), 0);
        for (const Node& node : graph.nodes) {
            for (const NodeId operand : node.operands)
                ++uses_[operand.index()];
        }
        ++uses_[graph.output.index()];
    }

    Slots run() {
        std::size_t nextInput = 0;
        for (std::size_t k = 0; k < graph_.nodes.size(); ++k) {
            const Node& node = graph_.nodes[k];
            values_.push_back(node.op == Op::Input ? inputs_[nextInput++]
                                                   : evaluateNode(node, types_[k]));
            for (const NodeId operand : node.operands)
                release(operand);
        }
        return std::move(values_[graph_.output.index()]);
    }

private:
    void release(NodeId id) {
        if (--uses_[id.index()] == 0)
            values_[id.index()] = Slots();
    }

    const Slots& operand(const Node& node, std::size_t k) const {
        return values_[node.operands[k].index()];
    }
    const SeqType& operandType(const Node& node, std::size_t k) const {
        return types_[node.operands[k].index()];
    }

    Slots evaluateNode(const Node& node, const SeqType& type) const {
        if (isScan(node.op))
            return scan(node, type);
        switch (node.op) {
        case Op::Const:
            return repeat(toWave(type, node.literal), batch_, slotCount(type));
        case Op::Counter:
            return counter(node, type);
        case Op::Atom:
            return atom(node);
        case Op::STuple:
        case Op::Append:
            return tuple(node, type);
        case Op::MapS:
        case Op::MapT:
        case Op::Map2S:
        case Op::Map2T:
            return map(node, type);
        case Op::ReduceS:
        case Op::ReduceT:
            return reduce(node, type);
        case Op::ShiftS:
        case Op::ShiftT:
        case Op::ShiftTS:
        case Op::ShiftTN:
            return shift(node, type);
        case Op::UpS:
        case Op::UpT:
            return join(type, repeat(split(operandType(node, 0), operand(node, 0)), type.length,
                                     slotCount(type.element())));
        case Op::SelectS:
        case Op::SelectT:
            return select(node, type);
        case Op::Fifo:
            return operand(node, 0);
        default: // the same elements in other slots
            return toWave(type, fromWave(operandType(node, 0), operand(node, 0)));
        }
    }

    Slots counter(const Node& node, const SeqType& type) const {
        Slots words;
        for (std::int64_t k = 0; k < atomCount(type); ++k)
            words.push_back(ir::wrap(atomOf(type).scalar, k * node.params[0]));
        return repeat(toWave(type, words), batch_, slotCount(type));
    }

    /// L_seq's own meaning of the operator, on all atoms at once.
    Slots atom(const Node& node) const {
        ir::StreamGraph graph;
        ir::StreamNode result{node.atom, {}, {}};
        std::vector<ir::StreamType> types;
        std::vector<Slots> arguments;
        for (std::size_t k = 0; k < node.operands.size(); ++k) {
            types.push_back(operandType(node, k).atom);
            graph.nodes.push_back({ir::StreamOp::Input, {}, types.back()});
            graph.inputs.emplace_back(k);
            result.operands.emplace_back(k);
            arguments.push_back(operand(node, k));
        }
        result.type =
            *ir::info(node.atom).type(types, {}, node.table ? &node.table->element : nullptr);
        result.table = node.table;
        graph.nodes.push_back(std::move(result));
        graph.outputs = {{"", ir::StreamNodeId(graph.nodes.size() - 1)}};
        return ir::evaluate(graph, arguments, batch_)[0];
    }

    /// The parts of the first operand and the second operand behind them.
    Slots tuple(const Node& node, const SeqType& type) const {
        const std::int64_t size = slotCount(type.element());
        const Slots first = node.op == Op::STuple ? operand(node, 0)
                                                  : split(operandType(node, 0), operand(node, 0));
        const std::int64_t parts = type.length - 1;
        Slots all;
        for (std::int64_t b = 0; b < batch_; ++b) {
            const auto begin = first.begin() + b * parts * size;
            all.insert(all.end(), begin, begin + parts * size);
            const auto last = operand(node, 1).begin() + b * size;
            all.insert(all.end(), last, last + size);
        }
        return join(type, all);
    }

    Slots map(const Node& node, const SeqType& type) const {
        std::vector<Slots> arguments;
        for (std::size_t k = 0; k < node.operands.size(); ++k)
            arguments.push_back(split(operandType(node, k), operand(node, k)));
        return join(type, evaluate(*node.function, arguments, batch_ * type.length));
    }

    Slots reduce(const Node& node, const SeqType& type) const {
        const SeqType& whole = operandType(node, 0);
        const std::int64_t size = slotCount(type.element());
        const Slots elements = split(whole, operand(node, 0));
        Slots sum = take(elements, whole.length, 0, 1, size);
        for (std::int64_t k = 1; k < whole.length; ++k)
            sum = evaluate(*node.function, {sum, take(elements, whole.length, k, 1, size)}, batch_);
        return join(type, sum);
    }

    /// All layers of the elements taken off, one state after the other, all layers put back.
    Slots scan(const Node& node, const SeqType& type) const {
        const bool grouped = node.op == Op::ScanTS;
        const SeqType& whole = operandType(node, 0);
        const SeqType& element = grouped ? whole.element().element() : whole.element();
        const SeqType& state = grouped ? type.element().element() : type.element();
        Slots elements = split(whole, operand(node, 0));
        if (grouped)
            elements = split(whole.element(), elements);
        const std::int64_t length = grouped ? type.length * type.element().length : type.length;
        Slots now = repeat(toWave(state, node.literal), batch_, slotCount(state));
        Slots states(static_cast<std::size_t>(batch_ * length * slotCount(state)));
        for (std::int64_t k = 0; k < length; ++k) {
            now = evaluate(*node.function, {now, take(elements, length, k, 1, slotCount(element))},
                           batch_);
            for (std::int64_t b = 0; b < batch_; ++b)
                std::copy_n(now.begin() + b * slotCount(state), slotCount(state),
                            states.begin() + (b * length + k) * slotCount(state));
        }
        return join(type, grouped ? join(type.element(), states) : states);
    }

    /// Element k of all the shifted layers becomes element k + r.
    Slots shift(const Node& node, const SeqType& type) const {
        const std::size_t layers = node.op == Op::ShiftTS   ? 2
                                   : node.op == Op::ShiftTN ? (node.params.size() - 1) / 2
                                                            : 1;
        std::vector<const SeqType*> stack;
        Slots elements = operand(node, 0);
        const SeqType* element = &type;
        std::int64_t length = 1;
        for (std::size_t k = 0; k < layers; ++k) {
            elements = split(*element, elements);
            stack.push_back(element);
            length *= element->length;
            element = &element->element();
        }
        const std::int64_t signedDistance =
            node.op == Op::ShiftTN ? node.params.front() : node.params.back();
        const std::int64_t distance = std::min(length, std::abs(signedDistance));
        const bool later = signedDistance < 0;
        const std::int64_t size = slotCount(*element);
        const Slots gap = repeat(undefinedWave(*element), distance, size);
        const Slots kept = take(elements, length, later ? distance : 0, length - distance, size);
        Slots shifted;
        for (std::int64_t b = 0; b < batch_; ++b) {
            if (!later)
                shifted.insert(shifted.end(), gap.begin(), gap.end());
            const auto begin = kept.begin() + b * (length - distance) * size;
            shifted.insert(shifted.end(), begin, begin + (length - distance) * size);
            if (later)
                shifted.insert(shifted.end(), gap.begin(), gap.end());
        }
        for (; !stack.empty(); stack.pop_back())
            shifted = join(*stack.back(), shifted);
        return shifted;
    }

    Slots select(const Node& node, const SeqType& type) const {
        const SeqType& whole = operandType(node, 0);
        return join(type, take(split(whole, operand(node, 0)), whole.length, node.params.back(), 1,
                               slotCount(type.element())));
    }

    const Graph& graph_;
    const std::vector<Slots>& inputs_;
    const std::int64_t batch_;
    std::vector<SeqType> types_;
    std::vector<int> uses_; ///< still to come, of each value
    std::vector<Slots> values_;
};

} // namespace

Slots evaluate(const Graph& graph, const std::vector<Slots>& inputs, std::int64_t batch) {
    return Evaluation(graph, inputs, batch).run();
}

} // namespace marquetry::spacetime
