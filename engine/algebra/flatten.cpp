#include "engine/algebra/flatten.h"

#include <algorithm>

namespace marquetry::algebra {

using ir::StreamGraph;
using ir::StreamNode;
using ir::StreamNodeId;
using ir::StreamOp;
using ir::StreamType;
using Kind = StreamType::Kind;

namespace {

/// Scalar types of the leaves of an atom.
void appendLeafTypes(const StreamType& type, std::vector<StreamType>& leaves) {
    if (type.is(Kind::Pair)) {
        appendLeafTypes(type.parts[0], leaves);
        appendLeafTypes(type.parts[1], leaves);
    } else {
        leaves.push_back(type);
    }
}

std::vector<StreamType> leafTypes(const StreamType& atom) {
    std::vector<StreamType> leaves;
    appendLeafTypes(atom, leaves);
    return leaves;
}

int sequenceLayers(const StreamType& type) {
    return type.is(Kind::Seq) ? 1 + sequenceLayers(type.element()) : 0;
}

const StreamType& below(const StreamType& type, int layers) {
    return layers == 0 ? type : below(type.element(), layers - 1);
}

std::int64_t lengthOf(const StreamType& type, int layers) {
    return layers == 0 ? 1 : type.length * lengthOf(type.element(), layers - 1);
}

/// Evaluates functions on terms. A value that is known as it is written, a constant or a counter of
/// a sequence, becomes lanes or a stream when something uses it.
class Flattening {
public:
    Flattening(const StreamGraph& graph, Rewrites rewrites)
        : flat_{&graph, Terms(rewrites), {}, {}, {}} {}

    FlatGraph run() && {
        const StreamGraph& graph = *flat_.graph;
        std::vector<Value> values;
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const StreamNode& node = graph.nodes[k];
            std::optional<Value> value;
            if (node.op != StreamOp::Input)
                value = evaluate(node, operandsOf(node, values), {1, false});
            flat_.opaque.push_back(!value);
            values.push_back(value ? *std::move(value) : opaque(StreamNodeId(k), node.type));
        }
        for (const Value& value : values) {
            const bool known = value.usable && !value.written;
            flat_.values.push_back(known ? std::optional(value.flat) : std::nullopt);
        }
        return std::move(flat_);
    }

private:
    struct Value {
        FlatValue flat;
        bool usable = true;                        ///< false: cannot be looked into
        std::shared_ptr<const StreamNode> written; ///< a constant or counter
    };
    using Values = std::vector<Value>;
    using Maybe = std::optional<Value>;

    struct Scope {
        std::int64_t repeats; ///< of the function, over the outer layers
        bool writtenOut;      ///< the function is there for each of several lanes
    };

    static Values operandsOf(const StreamNode& node, const Values& values) {
        Values operands;
        for (const StreamNodeId operand : node.operands)
            operands.push_back(values[operand.index()]);
        return operands;
    }

    /// Layers of one element at the inner end are no layers.
    static Value canonical(Value value) {
        FlatValue& flat = value.flat;
        while (flat.layers > 0 && below(flat.type, flat.layers - 1).length == 1)
            --flat.layers;
        return value;
    }

    static Value made(StreamType type, int layers, std::vector<TermId> leaves) {
        return canonical({{std::move(type), layers, std::move(leaves)}, true, nullptr});
    }

    TermId source(const StreamType& leaf, std::int64_t length, LeafSource source) {
        flat_.sources.push_back(std::move(source));
        return flat_.terms.source(leaf, length,
                                  static_cast<std::int64_t>(flat_.sources.size()) - 1);
    }

    Value opaque(StreamNodeId id, const StreamType& type) {
        const int layers = sequenceLayers(type);
        const StreamType& rest = below(type, layers);
        if (!ir::isAtom(rest))
            return {{type, 0, {}}, false, nullptr};
        std::vector<TermId> leaves;
        for (const StreamType& leaf : leafTypes(rest))
            leaves.push_back(source(leaf, lengthOf(type, layers), {id, nullptr, 1, leaves.size()}));
        return made(type, layers, std::move(leaves));
    }

    /// Every word a lane.
    Maybe asLanes(Value value) {
        if (!value.written)
            return value.flat.layers == 0 ? Maybe(std::move(value)) : std::nullopt;
        const StreamNode& node = *value.written;
        if (ir::words(node.type) > kMostLanes || !mayWriteOut(node.type))
            return std::nullopt;
        const std::vector<StreamType> types = leafTypes(ir::atomOf(node.type));
        std::vector<TermId> leaves;
        for (std::int64_t k = 0; k < ir::words(node.type); ++k) {
            const StreamType& type = types[static_cast<std::size_t>(k) % types.size()];
            const std::int64_t word =
                node.op == StreamOp::Counter
                    ? ir::info(StreamOp::Add).scalar(scalarOf(type), k * node.params[1], 0)
                    : node.literal[static_cast<std::size_t>(k)];
            leaves.push_back(flat_.terms.constant(type, word));
        }
        return made(node.type, 0, std::move(leaves));
    }

    /// A stream of the outermost layer.
    Maybe asStream(Value value, const Scope& scope) {
        if (!value.written)
            return value.flat.layers > 0 ? Maybe(std::move(value)) : std::nullopt;
        const StreamNode& node = *value.written;
        if (!node.type.is(Kind::Seq) || !ir::isAtom(node.type.element()))
            return std::nullopt;
        std::vector<TermId> leaves;
        for (const StreamType& leaf : leafTypes(node.type.element()))
            leaves.push_back(source(leaf, scope.repeats * node.type.length,
                                    {{}, value.written, scope.repeats, leaves.size()}));
        return made(node.type, 1, std::move(leaves));
    }

    bool mayWriteOut(const StreamType& type) const {
        return !type.is(Kind::Seq) || type.length == 1 ||
               flat_.terms.rewrites().has(KernelRewrite::Windows);
    }

    Maybe evaluate(const StreamGraph& function, Values arguments, const Scope& scope) {
        Values values;
        std::size_t next = 0;
        for (const StreamNode& node : function.nodes) {
            Maybe value = node.op == StreamOp::Input
                              ? Maybe(std::move(arguments[next++]))
                              : evaluate(node, operandsOf(node, values), scope);
            if (!value)
                return std::nullopt;
            values.push_back(*std::move(value));
        }
        return values[function.outputs[0].node.index()];
    }

    Maybe evaluate(const StreamNode& node, Values operands, const Scope& scope) {
        if (!std::ranges::all_of(operands, &Value::usable))
            return std::nullopt;
        if (node.op == StreamOp::Const || node.op == StreamOp::Counter)
            return constant(node);
        if (node.op == StreamOp::Map || node.op == StreamOp::Map2)
            return map(node, std::move(operands), scope);
        if (node.op == StreamOp::Partition || node.op == StreamOp::Unpartition)
            return regrouped(node, std::move(operands[0]));
        if (node.op == StreamOp::Shift && !operands[0].written && operands[0].flat.layers > 0)
            return shiftedStream(node, std::move(operands[0]), scope);
        for (Value& operand : operands) {
            auto lanes = asLanes(std::move(operand));
            if (!lanes)
                return std::nullopt;
            operand = *std::move(lanes);
        }
        return onLanes(node, operands, scope);
    }

    Maybe constant(const StreamNode& node) {
        Value value{{node.type, 0, {}}, true, std::make_shared<StreamNode>(node)};
        return ir::isAtom(node.type) ? asLanes(std::move(value)) : Maybe(std::move(value));
    }

    Maybe map(const StreamNode& node, Values operands, const Scope& scope) {
        const bool streams = std::ranges::any_of(
            operands, [](const Value& v) { return !v.written && v.flat.layers > 0; });
        for (Value& operand : operands) {
            auto converted =
                streams ? asStream(std::move(operand), scope) : asLanes(std::move(operand));
            if (!converted)
                return std::nullopt;
            operand = *std::move(converted);
        }
        return streams ? mapStreams(node, operands, scope) : mapLanes(node, operands, scope);
    }

    Maybe mapStreams(const StreamNode& node, const Values& operands, const Scope& scope) {
        Values arguments;
        for (const Value& operand : operands)
            arguments.push_back(
                made(operand.flat.type.element(), operand.flat.layers - 1, operand.flat.leaves));
        auto result = evaluate(*node.function, std::move(arguments),
                               {scope.repeats * node.type.length, scope.writtenOut});
        if (result && result->written)
            result = asLanes(*std::move(result));
        if (!result || !result->usable)
            return std::nullopt;
        return made(node.type, result->flat.layers + 1, std::move(result->flat.leaves));
    }

    Maybe mapLanes(const StreamNode& node, const Values& operands, const Scope& scope) {
        if (!mayWriteOut(node.type))
            return std::nullopt;
        const auto length = static_cast<std::size_t>(node.type.length);
        std::vector<TermId> leaves;
        for (std::size_t k = 0; k < length; ++k) {
            Values arguments;
            for (const Value& operand : operands)
                arguments.push_back(part(operand, k, length));
            auto result = evaluate(*node.function, std::move(arguments),
                                   {scope.repeats, scope.writtenOut || length > 1});
            auto lanes = result ? asLanes(*std::move(result)) : std::nullopt;
            if (!lanes)
                return std::nullopt;
            leaves.insert(leaves.end(), lanes->flat.leaves.begin(), lanes->flat.leaves.end());
        }
        if (leaves.size() > kMostLanes)
            return std::nullopt;
        return made(node.type, 0, std::move(leaves));
    }

    /// Element k of `length` of a value of lanes.
    static Value part(const Value& value, std::size_t k, std::size_t length) {
        const auto size = static_cast<std::ptrdiff_t>(value.flat.leaves.size() / length);
        const auto begin = value.flat.leaves.begin() + static_cast<std::ptrdiff_t>(k) * size;
        return made(value.flat.type.element(), 0, {begin, begin + size});
    }

    Maybe regrouped(const StreamNode& node, Value value) {
        if (value.written) {
            auto copy = std::make_shared<StreamNode>(*value.written);
            if (copy->op == StreamOp::Counter)
                return std::nullopt;
            copy->type = node.type;
            return Value{{node.type, 0, {}}, true, std::move(copy)};
        }
        const FlatValue& flat = value.flat;
        if (flat.layers == 0)
            return made(node.type, 0, flat.leaves);
        if (node.op == StreamOp::Partition)
            return made(node.type, flat.layers + 1, flat.leaves);
        const bool joins = flat.layers > 1 || flat.type.element().length == 1;
        return joins ? Maybe(made(node.type, std::max(1, flat.layers - 1), flat.leaves))
                     : std::nullopt;
    }

    Maybe shiftedStream(const StreamNode& node, Value value, const Scope& scope) {
        if (scope.repeats != 1)
            return std::nullopt;
        const FlatValue& flat = value.flat;
        const std::int64_t row = lengthOf(flat.type.element(), flat.layers - 1);
        std::vector<TermId> leaves;
        for (const TermId leaf : flat.leaves)
            leaves.push_back(flat_.terms.shifted(leaf, node.params[0] * row));
        return made(node.type, flat.layers, std::move(leaves));
    }

    Maybe onLanes(const StreamNode& node, const Values& operands, const Scope& scope) {
        std::vector<TermId> all;
        for (const Value& operand : operands)
            all.insert(all.end(), operand.flat.leaves.begin(), operand.flat.leaves.end());
        switch (node.op) {
        case StreamOp::Tuple:
        case StreamOp::STuple:
        case StreamOp::Append:
        case StreamOp::TupleToSeq:
        case StreamOp::SeqToTuple:
            return made(node.type, 0, std::move(all));
        case StreamOp::Fst:
            return made(node.type, 0, {all.begin(), all.begin() + sizeOf(node.type)});
        case StreamOp::Snd:
            return made(node.type, 0, {all.end() - sizeOf(node.type), all.end()});
        case StreamOp::Select:
            return part(operands[0], node.params[0], node.type);
        case StreamOp::Shift:
            return shiftedLanes(node, all);
        case StreamOp::Up:
            return repeated(node, all);
        case StreamOp::Reduce:
            return reduced(node, operands[0], scope);
        case StreamOp::Scan: // its loop stays one
            return std::nullopt;
        case StreamOp::If:
            return choice(node, all);
        default:
            return scalar(node, std::move(all), scope);
        }
    }

    static std::ptrdiff_t sizeOf(const StreamType& type) { return ir::words(type); }

    static Value part(const Value& value, std::int64_t k, const StreamType& type) {
        const auto begin = value.flat.leaves.begin() + k * sizeOf(type);
        return made(type, 0, {begin, begin + sizeOf(type)});
    }

    Maybe shiftedLanes(const StreamNode& node, const std::vector<TermId>& leaves) {
        const std::int64_t distance = node.params[0] * sizeOf(node.type.element());
        std::vector<TermId> result;
        for (std::int64_t k = 0; k < std::ssize(leaves); ++k) {
            const std::int64_t from = k - distance;
            const bool isThere = from >= 0 && from < std::ssize(leaves);
            const StreamType& leaf = flat_.terms[leaves[static_cast<std::size_t>(k)]].type;
            result.push_back(isThere ? leaves[static_cast<std::size_t>(from)]
                                     : flat_.terms.constant(leaf, ir::kUndefined));
        }
        return made(node.type, 0, std::move(result));
    }

    Maybe repeated(const StreamNode& node, const std::vector<TermId>& once) {
        if (ir::words(node.type) > kMostLanes || !mayWriteOut(node.type))
            return std::nullopt;
        std::vector<TermId> leaves;
        for (std::int64_t k = 0; k < node.type.length; ++k)
            leaves.insert(leaves.end(), once.begin(), once.end());
        return made(node.type, 0, std::move(leaves));
    }

    /// A balanced tree: the function is associative.
    Maybe reduced(const StreamNode& node, const Value& operand, const Scope& scope) {
        if (!mayWriteOut(operand.flat.type))
            return std::nullopt;
        const std::int64_t length = operand.flat.type.length;
        Values level;
        for (std::int64_t k = 0; k < length; ++k)
            level.push_back(part(operand, k, node.type.element()));
        while (level.size() > 1) {
            Values next;
            for (std::size_t k = 0; k + 1 < level.size(); k += 2) {
                auto sum = evaluate(*node.function, {level[k], level[k + 1]},
                                    {scope.repeats, scope.writtenOut || length > 2});
                auto lanes = sum ? asLanes(*std::move(sum)) : std::nullopt;
                if (!lanes)
                    return std::nullopt;
                next.push_back(*std::move(lanes));
            }
            if (level.size() % 2 == 1)
                next.push_back(level.back());
            level = std::move(next);
        }
        return made(node.type, 0, level[0].flat.leaves);
    }

    Maybe choice(const StreamNode& node, const std::vector<TermId>& all) {
        const std::size_t size = (all.size() - 1) / 2;
        std::vector<TermId> leaves;
        for (std::size_t k = 0; k < size; ++k) {
            const TermId taken = all[1 + k];
            const TermId other = all[1 + size + k];
            leaves.push_back(
                flat_.terms.apply(StreamOp::If, flat_.terms[taken].type, {all[0], taken, other}));
        }
        return made(node.type, 0, std::move(leaves));
    }

    Maybe scalar(const StreamNode& node, std::vector<TermId> operands, const Scope& scope) {
        const bool product = node.op == StreamOp::Mul || node.op == StreamOp::Div;
        const auto varies = [&](TermId id) { return flat_.terms[id].length > 0; };
        if (product && scope.writtenOut && std::ranges::all_of(operands, varies))
            return std::nullopt;
        return made(node.type, 0,
                    {flat_.terms.apply(node.op, node.type, std::move(operands), node.table)});
    }

    FlatGraph flat_;
};

} // namespace

FlatGraph flattened(const StreamGraph& graph, Rewrites rewrites) {
    return Flattening(graph, rewrites).run();
}

} // namespace marquetry::algebra
