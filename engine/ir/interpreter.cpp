#include "engine/ir/interpreter.h"

#include "engine/support/checked_math.h"
#include "engine/support/rng.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

struct SourceLoader {
    const Value& value;

    Result<Tensor> operator()(std::monostate) const {
        return makeError("input-missing", "the input '" + value.name + "' has no values",
                         "give it a source (= random(…), = file(…), = zeros) or a vector");
    }
    Result<Tensor> operator()(const RandomSource& source) const {
        Tensor tensor = zeros();
        SplitMix64 random(source.seed);
        for (std::int64_t& element : tensor.data)
            element = random.range(source.lo, source.hi);
        return tensor;
    }
    Result<Tensor> operator()(const FileSource& source) const {
        if (source.bytes != nullptr)
            return decodeTensorFile(source.resolvedPath, *source.bytes, value.type);
        return loadTensorFile(source.resolvedPath, value.type);
    }
    Result<Tensor> operator()(const ZeroSource&) const { return zeros(); }
    Result<Tensor> operator()(const ComputedSource& source) const { return *source.tensor; }

    Tensor zeros() const {
        return {value.type,
                std::vector<std::int64_t>(static_cast<std::size_t>(value.type.elements()))};
    }
};

Diagnostics placed(Diagnostics diagnostics, const Program& program, const Value& value) {
    for (Diagnostic& diagnostic : diagnostics) {
        diagnostic.file = program.file;
        diagnostic.range = value.place;
    }
    return diagnostics;
}

/// Elements that are looked at to compute a value, its multiply–accumulates among them.
std::int64_t stepsOf(const Value& value) {
    const PerAxis& pool = value.params.size;
    const std::int64_t window =
        std::max<std::int64_t>(1, saturatingMul(pool.vertical, pool.horizontal));
    return saturatingAdd(value.macs, saturatingMul(value.type.elements(), window));
}

Status checkInputs(const Program& program, const std::map<std::string, Tensor>& inputs) {
    Diagnostics errors;
    for (const auto& given : inputs) {
        const auto& [name, tensor] = given;
        const auto input =
            std::find_if(program.inputs.begin(), program.inputs.end(),
                         [&](ValueId id) { return program.value(id).name == given.first; });
        if (input == program.inputs.end())
            errors.push_back(
                makeError("unknown-name", "'" + program.name + "' has no input '" + name + "'"));
        else if (program.value(*input).type != tensor.type)
            errors.push_back(makeError("type-mismatch", "the input '" + name + "' is " +
                                                            toString(program.value(*input).type) +
                                                            ", but a tensor of type " +
                                                            toString(tensor.type) + " was given"));
    }
    if (!errors.empty())
        return errors;
    return ok();
}

Tensor evaluateOp(const Value& value, const std::vector<Tensor>& values,
                  const std::stop_token& stop) {
    std::vector<const Tensor*> operands;
    for (const ValueId operand : value.operands)
        operands.push_back(&values[operand.index()]);
    Tensor result{value.type,
                  std::vector<std::int64_t>(static_cast<std::size_t>(value.type.elements()))};
    info(value.op).evaluate(operands, value.params, result, stop);
    return result;
}

} // namespace

Status checkInterpretable(const Program& program, std::int64_t maxSteps) {
    std::int64_t elements = 0;
    std::int64_t steps = 0;
    for (const Value& value : program.values) {
        elements = saturatingAdd(elements, value.type.elements());
        steps = saturatingAdd(steps, stepsOf(value));
        if (elements > kMaxInterpretedElements)
            return placed({tooLarge("to interpret '" + program.name + "', its values up to '" +
                                        value.name + "' take",
                                    elements, kMaxInterpretedElements, "elements")},
                          program, value);
        if (steps > maxSteps)
            return placed(
                {tooLarge("to interpret '" + program.name + "' up to '" + value.name + "' takes",
                          steps, maxSteps, "multiplications or additions")},
                program, value);
    }
    return ok();
}

Result<Tensor> loadSource(const Value& value) {
    if (value.type.elements() > kMaxInterpretedElements)
        return tooLarge("the values of '" + value.name + "' are", value.type.elements(),
                        kMaxInterpretedElements, "elements");
    Result<Tensor> tensor = std::visit(SourceLoader{value}, value.source);
    if (tensor)
        return tensor;
    Diagnostics errors = std::move(tensor).error();
    for (Diagnostic& error : errors)
        error.range = value.place;
    return errors;
}

Result<InterpreterResult> interpret(const Program& program,
                                    const std::map<std::string, Tensor>& inputs,
                                    std::stop_token stop) {
    if (const Status size = checkInterpretable(program); !size)
        return size.error();
    if (const Status fits = checkInputs(program, inputs); !fits)
        return fits.error();
    InterpreterResult result;
    result.values.reserve(program.values.size());
    for (const Value& value : program.values) {
        if (stop.stop_requested())
            return makeError("cancelled", "the interpreter was stopped");
        const auto given = inputs.find(value.name);
        if (value.kind == ValueKind::Op) {
            result.values.push_back(evaluateOp(value, result.values, stop));
        } else if (value.kind == ValueKind::Input && given != inputs.end()) {
            result.values.push_back(given->second);
        } else {
            Result<Tensor> tensor = loadSource(value);
            if (!tensor)
                return placed(std::move(tensor).error(), program, value);
            result.values.push_back(*std::move(tensor));
        }
    }
    if (stop.stop_requested())
        return makeError("cancelled", "the interpreter was stopped");
    return result;
}

} // namespace marquetry::ir
