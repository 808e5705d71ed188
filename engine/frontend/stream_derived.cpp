// Derived operators of streams: each written in others, which have the same meaning.
#include "engine/frontend/stream_elaborator.h"

namespace marquetry::frontend {

using ir::Scalar;
using ir::StreamNodeId;
using ir::StreamOp;
using ir::StreamType;

namespace {

/// What sums and casts that stay within a scalar are made of.
class DerivedWriter : public StreamWriter {
public:
    using StreamWriter::StreamWriter;

    /// Between the least and the largest of a scalar, when its own type has others.
    Meaning within(Meaning x, const StreamType& type, const ir::ScalarInfo& bounds) {
        const ir::ScalarInfo& own = ir::info(type.scalar);
        if (own.min < bounds.min)
            x = put(StreamOp::Max, {x, number(bounds.min, type)});
        if (own.max > bounds.max)
            x = put(StreamOp::Min, {x, number(bounds.max, type)});
        return x;
    }

    Meaning saturated(Meaning x, const StreamType& type, Scalar to) {
        return put(ir::castTo(to), {within(x, type, ir::info(to))});
    }

    /// In words that hold every result.
    Meaning saturatedSum(StreamOp op, Meaning a, Meaning b, Scalar scalar) {
        const StreamType wide = ir::scalarStream(Scalar::I32);
        const Meaning sum = put(op, {put(StreamOp::AsI32, {a}), put(StreamOp::AsI32, {b})});
        const ir::ScalarInfo& bounds = ir::info(scalar);
        // Without a sign a sum is not too small, and a difference not too large.
        const bool mayBeLess = bounds.isSigned || op == StreamOp::Sub;
        const bool mayBeMore = bounds.isSigned || op == StreamOp::Add;
        const Meaning above = mayBeLess ? put(StreamOp::Max, {sum, number(bounds.min, wide)}) : sum;
        return put(ir::castTo(scalar),
                   {mayBeMore ? put(StreamOp::Min, {above, number(bounds.max, wide)}) : above});
    }

    /// There are no wider words: b becomes what a may take.
    Meaning longSum(StreamOp op, Meaning a, Meaning b, const StreamType& type) {
        if (!ir::info(type.scalar).isSigned)
            return op == StreamOp::Add
                       ? put(op, {put(StreamOp::Min, {a, put(StreamOp::Not, {b})}), b})
                       : put(op, {put(StreamOp::Max, {a, b}), b});
        const ir::ScalarInfo& bounds = ir::info(type.scalar);
        const Meaning least = number(bounds.min, type);
        const Meaning most = number(bounds.max, type);
        const Meaning edge = number(op == StreamOp::Add ? 0 : -1, type);
        const Meaning negative = put(StreamOp::Min, {a, edge});
        const Meaning positive = put(StreamOp::Max, {a, edge});
        const bool adds = op == StreamOp::Add;
        const Meaning low =
            adds ? put(StreamOp::Sub, {least, negative}) : put(StreamOp::Sub, {positive, most});
        const Meaning high =
            adds ? put(StreamOp::Sub, {most, positive}) : put(StreamOp::Sub, {negative, least});
        return put(op, {a, put(StreamOp::Min, {put(StreamOp::Max, {b, low}), high})});
    }
};

} // namespace

StreamElaborator::Meaning StreamElaborator::derived(const ir::StreamNode& node,
                                                    const std::vector<StreamType>& types,
                                                    const StreamType& type, const Scope& scope,
                                                    const SourceRange& range) {
    DerivedWriter writer(*this, scope.graph, range);
    const Meaning a = node.operands[0];
    const Meaning b = node.operands.back();
    const StreamOp sum = node.op == StreamOp::AddSat ? StreamOp::Add : StreamOp::Sub;
    constexpr int kMostWidened = 16;
    switch (node.op) {
    case StreamOp::Le:
        return writer.put(StreamOp::Not, {writer.put(StreamOp::Lt, {b, a})});
    case StreamOp::Ge:
        return writer.put(StreamOp::Not, {writer.put(StreamOp::Lt, {a, b})});
    case StreamOp::Gt:
        return writer.put(StreamOp::Lt, {b, a});
    case StreamOp::Ne:
        return writer.put(StreamOp::Not, {writer.put(StreamOp::Eq, {a, b})});
    case StreamOp::Clamp:
        return writer.put(StreamOp::Min, {writer.put(StreamOp::Max, {a, node.operands[1]}), b});
    case StreamOp::Tap: {
        const Meaning line = writer.put(StreamOp::Unpartition,
                                        {writer.put(StreamOp::Select, {a}, {node.params[0], 0})});
        return writer.put(StreamOp::Select, {line}, {node.params[1], 0});
    }
    case StreamOp::PixelX:
        return writePixelX(writer, *a, Scalar::U16);
    case StreamOp::PixelY:
        return writePixelY(writer, *a, Scalar::U16);
    case StreamOp::Zip:
        return lifted(StreamOp::STuple, *a, *b, scope, range);
    case StreamOp::AddSat:
    case StreamOp::SubSat:
        return ir::atomBits(type) <= kMostWidened ? writer.saturatedSum(sum, a, b, type.scalar)
                                                  : writer.longSum(sum, a, b, type);
    default:
        return writer.saturated(a, types[0], type.scalar);
    }
}

/// A tuple of more than two: of the first two, and then the others one by one.
StreamElaborator::Meaning StreamElaborator::longer(const ir::StreamOpInfo& op,
                                                   const StreamExprSyntax& expression,
                                                   const Scope& scope) {
    const bool zips = op.op == StreamOp::Zip;
    Meaning sum;
    for (std::size_t k = 0; k < expression.operands.size(); ++k) {
        const Meaning part = elaborate(stream_.expressions[expression.operands[k]], scope);
        if (!part || (k > 0 && !sum))
            return std::nullopt;
        ir::StreamNode node{k == 1 ? op.op : StreamOp::Append, {}, {}};
        if (k > 0)
            node.operands = {*sum, *part};
        sum = k == 0          ? part
              : zips && k > 1 ? lifted(StreamOp::Append, *sum, *part, scope, expression.range)
                              : finish(std::move(node), nullptr, scope, expression.range);
    }
    return sum;
}

/// map2 of an operator.
StreamElaborator::Meaning StreamElaborator::lifted(StreamOp op, StreamNodeId a, StreamNodeId b,
                                                   const Scope& scope, const SourceRange& range) {
    const std::vector<StreamType> types = {scope.graph.node(a).type, scope.graph.node(b).type};
    if (const auto fitting = ir::info(StreamOp::Map2).type(types, {}, nullptr); !fitting)
        return reportAt(fitting.error(), range);
    const auto body = functionGraph({&ir::info(op), nullptr, "zip", nullptr},
                                    {types[0].element(), types[1].element()}, scope, range);
    if (!body)
        return std::nullopt;
    ir::StreamNode node{StreamOp::Map2, {}, {}};
    node.operands = {a, b};
    node.function = body;
    const StreamType result = body->node(body->outputs[0].node).type;
    return finish(std::move(node), &result, scope, range);
}

} // namespace marquetry::frontend
