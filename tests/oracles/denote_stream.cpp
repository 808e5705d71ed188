// A convolution as a stream unit computes it.
#include "engine/ir/stream_interpreter.h"
#include "engine/support/assert.h"
#include "tests/oracles/denotation.h"

namespace marquetry::rules {

ir::Tensor denoteStream(const ir::ConvStream& conv, const UnitOperands& operands) {
    const ir::StreamProgram program = ir::convStreamProgram(conv, operands.weight);
    const ir::StreamType type = program.graph.node(program.graph.inputs[0]).type;
    std::map<std::string, ir::StreamData> inputs;
    for (std::int64_t c = 0; c < conv.channels; ++c) {
        ir::StreamData& channel = inputs["x" + std::to_string(c)];
        channel = {type,
                   std::vector<std::int64_t>(static_cast<std::size_t>(words(type)), conv.offset())};
        for (std::int64_t y = 0; y < conv.height; ++y)
            for (std::int64_t x = 0; x < conv.width; ++x)
                channel.words[static_cast<std::size_t>((y + conv.pad) * conv.paddedWidth() + x +
                                                       conv.pad)] +=
                    operands.data
                        .data[static_cast<std::size_t>((y * conv.width + x) * conv.channels + c)];
    }
    const auto outputs = ir::interpret(program, inputs);
    ENGINE_ASSERT(outputs.has_value(), "the operands are those of the convolution");
    const std::int64_t height = (conv.paddedHeight() - conv.kernel) / conv.stride + 1;
    const std::int64_t width = (conv.paddedWidth() - conv.kernel) / conv.stride + 1;
    ir::Tensor result{{ir::Scalar::I32, {height, width, conv.rows}}, {}};
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (const ir::StreamData& row : *outputs) {
                const std::int64_t last = (y * conv.stride + conv.kernel - 1) * conv.paddedWidth() +
                                          x * conv.stride + conv.kernel - 1;
                result.data.push_back(
                    static_cast<std::int32_t>(row.words[static_cast<std::size_t>(last)]));
            }
    return result;
}

} // namespace marquetry::rules
