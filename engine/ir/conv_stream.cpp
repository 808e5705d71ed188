#include "engine/ir/conv_stream.h"

#include "engine/ir/epilogue_stage.h"

#include "engine/support/assert.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace marquetry::ir {

namespace {

constexpr std::int64_t kWordMask = 0xffff'ffff;

class ConvWriter {
public:
    ConvWriter(const ConvStream& conv, const Tensor& weight) : conv_(conv), weight_(weight) {}

    StreamProgram write() {
        program_.name = "convolution";
        const StreamType type = seqOf(conv_.frame(), scalarStream(Scalar::U32));
        for (std::int64_t c = 0; c < conv_.channels; ++c) {
            StreamNode input{StreamOp::Input, "x" + std::to_string(c), type};
            channels_.push_back(put(program_.graph, std::move(input)));
            program_.graph.inputs.push_back(channels_.back());
        }
        for (std::int64_t row = 0; row < conv_.rows; ++row)
            program_.graph.outputs.push_back({"y" + std::to_string(row), sum(row)});
        return std::move(program_);
    }

private:
    static StreamNodeId put(StreamGraph& graph, StreamNode node) {
        graph.nodes.push_back(std::move(node));
        return StreamNodeId(graph.nodes.size() - 1);
    }

    static StreamNodeId append(StreamGraph& graph, StreamOp op, std::vector<StreamNodeId> operands,
                               StreamParams params = {},
                               std::shared_ptr<const StreamGraph> function = {}) {
        std::vector<StreamType> types;
        for (const StreamNodeId operand : operands)
            types.push_back(graph.node(operand).type);
        const StreamType* body =
            function ? &function->node(function->outputs[0].node).type : nullptr;
        auto type = info(op).type(types, params, body);
        ENGINE_ASSERT(type.has_value(), "a convolution's operators fit");
        StreamNode node{op, "", *std::move(type), std::move(operands), params};
        node.function = std::move(function);
        return put(graph, std::move(node));
    }

    /// fn v -> op(v, number)
    static std::shared_ptr<const StreamGraph> withConstant(StreamOp op, std::int64_t number) {
        StreamGraph function;
        const StreamType type = scalarStream(Scalar::U32);
        const StreamNodeId v = put(function, {StreamOp::Input, "v", type});
        function.inputs.push_back(v);
        StreamNode constant{StreamOp::Const, "", type};
        constant.literal = {number & kWordMask};
        const StreamNodeId c = put(function, std::move(constant));
        function.outputs.push_back({"", append(function, op, {v, c})});
        return std::make_shared<const StreamGraph>(std::move(function));
    }

    static std::shared_ptr<const StreamGraph> addition() {
        StreamGraph function;
        const StreamType type = scalarStream(Scalar::U32);
        for (const char* name : {"a", "b"})
            function.inputs.push_back(put(function, {StreamOp::Input, name, type}));
        const std::vector<StreamNodeId> operands = function.inputs;
        function.outputs.push_back({"", append(function, StreamOp::Add, operands)});
        return std::make_shared<const StreamGraph>(std::move(function));
    }

    StreamNodeId product(std::int64_t ky, std::int64_t kx, std::int64_t c, std::int64_t weight) {
        StreamGraph& graph = program_.graph;
        const std::int64_t last = conv_.kernel - 1;
        const std::int64_t back = (last - ky) * conv_.paddedWidth() + last - kx;
        StreamNodeId tap = channels_[static_cast<std::size_t>(c)];
        if (back > 0)
            tap = append(graph, StreamOp::Shift, {tap}, {back, 0});
        return append(graph, StreamOp::Map, {tap}, {}, withConstant(StreamOp::Mul, weight));
    }

    StreamNodeId sum(std::int64_t row) {
        StreamGraph& graph = program_.graph;
        std::optional<StreamNodeId> total;
        std::int64_t all = 0; // of the row's weights
        std::size_t at = static_cast<std::size_t>(row * conv_.window());
        for (std::int64_t ky = 0; ky < conv_.kernel; ++ky)
            for (std::int64_t kx = 0; kx < conv_.kernel; ++kx)
                for (std::int64_t c = 0; c < conv_.channels; ++c) {
                    const std::int64_t weight = weight_.data[at++];
                    all += weight;
                    const StreamNodeId term = product(ky, kx, c, weight);
                    total = total ? append(graph, StreamOp::Map2, {*total, term}, {}, addition())
                                  : term;
                }
        return append(graph, StreamOp::Map, {*total}, {},
                      withConstant(StreamOp::Add, -conv_.offset() * all));
    }

    const ConvStream& conv_;
    const Tensor& weight_;
    StreamProgram program_;
    std::vector<StreamNodeId> channels_;
};

bool isPrime(std::int64_t number) {
    for (std::int64_t factor = 2; factor * factor <= number; ++factor)
        if (number % factor == 0)
            return false;
    return number > 1;
}

} // namespace

std::int64_t ConvStream::frame() const {
    std::int64_t length = std::max(kLeastStreamFrame, paddedHeight() * paddedWidth());
    while (!isPrime(length))
        ++length;
    return length;
}

std::optional<ConvStream> convStreamOf(const Program& program, const Layer& layer) {
    const Value& anchor = program.value(layer.anchor);
    if (layer.pass || anchor.op != OpKind::Conv || !layer.weight || !layer.unbuildable.empty())
        return std::nullopt;
    const Value& weight = program.value(*layer.weight);
    const Value& input = program.value(layer.input);
    if (weight.kind != ValueKind::Weight || std::holds_alternative<std::monostate>(weight.source))
        return std::nullopt;
    const OpParams& params = anchor.params;
    const bool plain = weight.type.dims[1] == weight.type.dims[2] && params.stride.isSquare() &&
                       params.pad.isEven() && (params.fill == 0 || params.pad.isNone()) &&
                       params.groups == 1;
    if (!plain)
        return std::nullopt;
    const auto more = [&](const EpilogueOp& op) {
        return op.addend.has_value() || op.kind == EpilogueKind::Bias ||
               needsScaling(program.value(op.value));
    };
    if (std::ranges::any_of(layer.epilogue, more) || info(input.type.scalar).bits != 8)
        return std::nullopt;
    ConvStream conv;
    conv.height = input.type.dims[0];
    conv.width = input.type.dims[1];
    conv.pad = anchor.params.pad.top;
    conv.kernel = weight.type.dims[1];
    conv.stride = anchor.params.stride.vertical;
    conv.channels = weight.type.dims[3];
    conv.rows = weight.type.dims[0];
    conv.operand = input.type.scalar;
    const bool small = conv.products() <= kMaxStreamProducts && conv.window() <= kMaxStreamWindow;
    return small ? std::optional(conv) : std::nullopt;
}

StreamProgram convStreamProgram(const ConvStream& conv, const Tensor& weight) {
    return ConvWriter(conv, weight).write();
}

int convSumBits(const ConvStream& conv, const Tensor& weight) {
    const ScalarInfo& operand = info(conv.operand);
    const std::int64_t perRow = conv.window();
    std::int64_t least = 0;
    std::int64_t most = 0;
    for (std::int64_t row = 0; row < conv.rows; ++row) {
        std::int64_t low = 0;
        std::int64_t high = 0;
        for (std::int64_t k = row * perRow; k < (row + 1) * perRow; ++k) {
            const std::int64_t number = weight.data[static_cast<std::size_t>(k)];
            low += std::min(number * operand.min, number * operand.max);
            high += std::max(number * operand.min, number * operand.max);
        }
        least = std::min(least, low);
        most = std::max(most, high);
    }
    int bits = 1;
    while (bits < 32 &&
           (least < -(std::int64_t{1} << (bits - 1)) || most >= std::int64_t{1} << (bits - 1)))
        ++bits;
    return bits;
}

} // namespace marquetry::ir
