// Derived operators of streams: each written in others, which have the same meaning.
#include "engine/frontend/stream_elaborator.h"

namespace marquetry::frontend {

using ir::Scalar;
using ir::StreamNodeId;
using ir::StreamOp;
using ir::StreamType;

namespace {

/// Writes operators into a graph; without a value once one could not be written.
class DerivedWriter {
public:
    using Meaning = StreamElaborator::Meaning;

    DerivedWriter(StreamElaborator& elaborator, ir::StreamGraph& graph, const SourceRange& range)
        : elaborator_(elaborator), graph_(graph), range_(range) {}

    Meaning put(StreamOp op, const std::vector<Meaning>& operands) {
        ir::StreamNode node{op, {}, {}};
        std::vector<StreamType> types;
        for (const Meaning operand : operands) {
            if (!operand)
                return std::nullopt;
            node.operands.push_back(*operand);
            types.push_back(graph_.node(*operand).type);
        }
        node.type = *ir::info(op).type(types, node.params, nullptr);
        return elaborator_.append(graph_, std::move(node), range_);
    }

    Meaning number(std::int64_t value, const StreamType& type) {
        ir::StreamNode node{StreamOp::Const, {}, type};
        node.literal = {value};
        return elaborator_.append(graph_, std::move(node), range_);
    }

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

private:
    StreamElaborator& elaborator_;
    ir::StreamGraph& graph_;
    const SourceRange& range_;
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
    case StreamOp::AddSat:
    case StreamOp::SubSat:
        return ir::atomBits(type) <= kMostWidened ? writer.saturatedSum(sum, a, b, type.scalar)
                                                  : writer.longSum(sum, a, b, type);
    default:
        return writer.saturated(a, types[0], type.scalar);
    }
}

} // namespace marquetry::frontend
