#include "engine/ir/fold_constants.h"

#include "engine/ir/interpreter.h"

#include <algorithm>
#include <map>

namespace marquetry::ir {

namespace {

/// Index: ValueId. Weights are constants, too.
std::vector<bool> madeOfWeights(const Program& program) {
    std::vector<bool> constant;
    for (const Value& value : program.values)
        constant.push_back(value.kind == ValueKind::Weight ||
                           (value.kind == ValueKind::Op &&
                            std::ranges::all_of(value.operands, [&](ValueId operand) {
                                return constant[operand.index()];
                            })));
    return constant;
}

/// What is computed from weights alone, with the weights that it reads.
class ConstantPart {
public:
    explicit ConstantPart(const Program& program) : program_(program) {
        part_.name = program.name;
        part_.file = program.file;
        const std::vector<bool> constant = madeOfWeights(program);
        for (const Value& value : program.values)
            if (constant[value.id.index()] && value.kind == ValueKind::Op)
                add(value);
    }

    bool empty() const { return computed_.empty(); }

    Result<Program> folded(std::stop_token stop) && {
        if (const Status size = checkInterpretable(part_, kMaxFoldedSteps); !size)
            return size.error();
        auto result = interpret(part_, {}, std::move(stop));
        if (!result)
            return result.error();
        Program program = program_;
        for (const ValueId id : computed_) {
            Value& value = program.values[id.index()];
            Tensor& tensor = result->values[places_[id].index()];
            const auto [least, most] = std::ranges::minmax(tensor.data);
            value.kind = ValueKind::Weight;
            value.source = ComputedSource{std::make_shared<const Tensor>(std::move(tensor))};
            value.range = {least, most};
            value.macs = 0;
            program.weights.push_back(id);
        }
        return program;
    }

private:
    void add(const Value& value) {
        Value copy = value;
        for (ValueId& operand : copy.operands)
            operand = placeOf(operand);
        append(std::move(copy));
        computed_.push_back(value.id);
    }

    ValueId placeOf(ValueId id) {
        if (!places_.contains(id))
            append(program_.value(id));
        return places_[id];
    }

    void append(Value value) {
        const ValueId place(static_cast<std::int32_t>(part_.values.size()));
        places_[value.id] = place;
        value.id = place;
        part_.values.push_back(std::move(value));
    }

    const Program& program_;
    Program part_;
    std::map<ValueId, ValueId> places_;
    std::vector<ValueId> computed_;
};

} // namespace

Result<std::shared_ptr<const Program>> foldConstants(std::shared_ptr<const Program> program,
                                                     std::stop_token stop) {
    ConstantPart part(*program);
    if (part.empty())
        return program;
    auto folded = std::move(part).folded(std::move(stop));
    if (!folded)
        return folded.error();
    return std::make_shared<const Program>(*std::move(folded));
}

} // namespace marquetry::ir
