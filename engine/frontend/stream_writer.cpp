#include "engine/frontend/stream_writer.h"

#include "engine/frontend/stream_elaborator.h"
#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::frontend {

using ir::StreamNode;
using ir::StreamOp;
using ir::StreamType;

StreamWriter::Meaning StreamWriter::put(StreamOp op, const std::vector<Meaning>& operands,
                                        ir::StreamParams params, Function function) {
    StreamNode node{op, {}, {}};
    std::vector<StreamType> types;
    for (const Meaning operand : operands) {
        if (!operand)
            return std::nullopt;
        node.operands.push_back(*operand);
        types.push_back(typeOf(*operand));
    }
    const StreamType* body = function ? &function->node(function->outputs[0].node).type : nullptr;
    const auto type = ir::info(op).type(types, params, body);
    ENGINE_ASSERT(type.has_value(), "derived operators are written in ones that fit");
    node.type = *type;
    node.params = params;
    node.function = std::move(function);
    return elaborator_.append(graph_, std::move(node), range_);
}

StreamWriter::Meaning StreamWriter::map(const std::vector<Meaning>& operands, const Body& body) {
    if (!std::ranges::all_of(operands, &Meaning::has_value))
        return std::nullopt;
    auto function = std::make_shared<ir::StreamGraph>();
    std::vector<Meaning> parameters;
    for (const Meaning operand : operands) {
        const StreamType element = typeOf(*operand).element();
        parameters.push_back(elaborator_.append(*function, {StreamOp::Input, {}, element}, range_));
        if (!parameters.back())
            return std::nullopt;
        function->inputs.push_back(*parameters.back());
    }
    StreamWriter inner(elaborator_, *function, range_);
    const Meaning result = body(inner, parameters);
    if (!result)
        return std::nullopt;
    function->outputs.push_back({"", *result});
    return put(operands.size() == 1 ? StreamOp::Map : StreamOp::Map2, operands, {}, function);
}

StreamWriter::Meaning StreamWriter::constant(std::vector<std::int64_t> words,
                                             const StreamType& type) {
    StreamNode node{StreamOp::Const, {}, type};
    node.literal = std::move(words);
    return elaborator_.append(graph_, std::move(node), range_);
}

StreamWriter::Meaning StreamWriter::number(std::int64_t value, const StreamType& type) {
    return constant({value}, type);
}

StreamWriter::Meaning StreamWriter::counter(std::int64_t length, ir::Scalar scalar) {
    StreamNode node{StreamOp::Counter, {}, ir::seqOf(length, ir::scalarStream(scalar))};
    node.params = {length, 1};
    return elaborator_.append(graph_, std::move(node), range_);
}

} // namespace marquetry::frontend
