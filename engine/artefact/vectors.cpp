#include "engine/artefact/vectors.h"

#include "engine/support/checked_math.h"
#include "engine/support/limits.h"
#include "engine/support/rng.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

bool hasDefaults(const ir::Program& program) {
    return std::none_of(program.inputs.begin(), program.inputs.end(), [&](ir::ValueId id) {
        return std::holds_alternative<std::monostate>(program.value(id).source);
    });
}

/// Of 64-bit beats, as hex lines.
std::int64_t textBytes(const ir::Type& type) {
    constexpr std::int64_t kBytesOfBeat = 8;
    constexpr std::int64_t kLine = 2 * kBytesOfBeat + 1;
    return kLine * ceilDiv(type.bytes(), kBytesOfBeat);
}

Status checkSize(const ir::Program& program, std::int64_t frames) {
    if (const Status held = ir::checkInterpretable(program); !held)
        return held;
    std::int64_t bytes = 0;
    for (const ir::ValueId id : program.inputs)
        bytes += textBytes(program.value(id).type);
    for (const ir::Output& output : program.outputs)
        bytes += textBytes(program.value(output.value).type);
    bytes = saturatingMul(bytes, frames);
    if (bytes <= kMaxVectorBytes)
        return ok();
    return tooLarge("the test vectors of '" + program.name + "' take", bytes, kMaxVectorBytes,
                    "bytes of text", "fewer vectors take less");
}

std::map<std::string, ir::Tensor> drawInputs(const ir::Program& program, std::uint64_t seed) {
    SplitMix64 rng(seed);
    std::map<std::string, ir::Tensor> inputs;
    for (const ir::ValueId id : program.inputs) {
        const ir::Value& value = program.value(id);
        const ir::ScalarInfo& scalar = ir::info(value.type.scalar);
        ir::Tensor tensor{value.type, {}};
        tensor.data.resize(static_cast<std::size_t>(value.type.elements()));
        for (std::int64_t& element : tensor.data)
            element = rng.range(scalar.min, scalar.max);
        inputs[value.name] = std::move(tensor);
    }
    return inputs;
}

/// Behind the elements of the frames before.
void append(ir::Tensor& frames, const ir::Tensor& frame) {
    frames.type = frame.type;
    frames.data.insert(frames.data.end(), frame.data.begin(), frame.data.end());
}

} // namespace

Result<std::vector<ir::Tensor>> valuesOf(const ir::Program& program, std::uint64_t seed,
                                         std::int64_t frame, std::stop_token stop) {
    std::map<std::string, ir::Tensor> inputs;
    if (frame > 0 || !hasDefaults(program))
        inputs = drawInputs(program, seed + static_cast<std::uint64_t>(frame));
    auto run = ir::interpret(program, inputs, std::move(stop));
    if (!run)
        return run.error();
    return std::move(run->values);
}

Result<TestVectors> makeVectors(const ir::Program& program, const VectorParams& params,
                                std::stop_token stop) {
    const std::int64_t frames = params.vectors * params.frames;
    if (const Status size = checkSize(program, frames); !size)
        return size.error();
    TestVectors result;
    for (std::int64_t frame = 0; frame < frames; ++frame) {
        auto values = valuesOf(program, params.seed, frame, stop);
        if (!values)
            return values.error();
        if (frame % params.frames == 0)
            result.vectors.emplace_back();
        TestVector& vector = result.vectors.back();
        for (const ir::ValueId id : program.inputs)
            append(vector.inputs[program.value(id).name], (*values)[id.index()]);
        for (const ir::Output& output : program.outputs)
            append(vector.outputs[output.name], (*values)[output.value.index()]);
        if (frame == 0)
            result.values = *std::move(values);
    }
    return result;
}

std::string beatLines(const ir::Tensor& tensor) {
    constexpr char digits[] = "0123456789abcdef";
    const auto bits = static_cast<std::size_t>(8 * ir::info(tensor.type.scalar).bytes);
    const std::size_t perBeat = 64 / bits;
    std::string text;
    for (std::size_t first = 0; first < tensor.data.size(); first += perBeat) {
        std::uint64_t beat = 0;
        for (std::size_t i = 0; i < perBeat && first + i < tensor.data.size(); ++i) {
            const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
            beat |= (static_cast<std::uint64_t>(tensor.data[first + i]) & mask) << (i * bits);
        }
        for (int low = 60; low >= 0; low -= 4)
            text += digits[beat >> low & 15];
        text += '\n';
    }
    return text;
}

std::map<std::string, std::string> vectorFiles(const RtlPlan& plan, const TestVectors& vectors) {
    std::map<std::string, std::string> files;
    for (const TestVector& vector : vectors.vectors) {
        for (const StreamPlan& load : plan.loads)
            files["in_" + load.name + ".hex"] += beatLines(vector.inputs.at(load.port));
        for (const StreamPlan& store : plan.stores)
            files["out_" + store.name + ".hex"] += beatLines(vector.outputs.at(store.port));
    }
    return files;
}

} // namespace marquetry::hdl
