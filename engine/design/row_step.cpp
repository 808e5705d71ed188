#include "engine/design/row_step.h"

#include "engine/ir/average_factors.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace marquetry::design {

namespace {

using cost::RowFunction;
using cost::SecondOperand;

MoveSide sideOf(const Schedule& schedule, TensorId id, std::int64_t run) {
    const std::int64_t pixels = schedule.storedPixels(id);
    const std::int64_t runs = ceilDiv(schedule.tensor(id).channels, run);
    Walk walk;
    if (pixels > 1)
        walk.loops.push_back({pixels, layoutOf(schedule, id).lanes});
    if (runs > 1)
        walk.loops.push_back({runs, run});
    return slotSide(schedule, id, walk, run);
}

/// What a step is before it is known where its tensors are.
struct RowMeaning {
    RowFunction function = RowFunction::Softmax;
    SecondOperand second = SecondOperand::None;
    ir::ValueId input; ///< stored; the sums of an average are the average's
    std::optional<ir::ValueId> other = {};
    std::optional<RowConstants> constants = {};
};

RowConstants constantsOf(const ir::Value& weight) {
    return {weight.id, ir::storedBits(weight.type.scalar), ir::info(weight.type.scalar).isSigned};
}

RowMeaning meaningOfAverage(const ir::Program& program, const ir::Value& average) {
    const int bits = bitsFor(ir::mostAverageFactor(program, average) + 1);
    return {RowFunction::Multiply,
            SecondOperand::ConstantOfRow,
            average.id,
            {},
            RowConstants{average.id, bits, false}};
}

class RowMeaningFinder {
public:
    RowMeaningFinder(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer)
        : program_(program), plan_(plan), layer_(layer), value_(program.value(layer.anchor)) {}

    RowMeaning run() const {
        RowMeaning meaning;
        meaning.function = *rowFunctionOf(value_.op);
        meaning.input = layer_.input;
        if (value_.operands.size() == 1)
            return meaning;
        if (meaning.function == RowFunction::LookUp) {
            meaning.second = SecondOperand::Entry;
            meaning.other = layer_.others.front();
            return meaning;
        }
        // The first operand is visited unless it is no stored tensor.
        const bool swapped = plan_.storage[value_.operands[0].index()] != layer_.input;
        if (swapped && meaning.function == RowFunction::Subtract)
            meaning.function = RowFunction::SubtractFrom;
        const ir::Type& second = program_.value(value_.operands[swapped ? 0 : 1]).type;
        const bool whole = second.dims == value_.type.dims;
        if (layer_.weight) {
            meaning.second = whole ? SecondOperand::ConstantElements : SecondOperand::ConstantRow;
            meaning.constants = constantsOf(program_.value(*layer_.weight));
        } else if (!layer_.others.empty()) {
            meaning.second = whole ? SecondOperand::Elements : SecondOperand::Row;
            meaning.other = layer_.others.front();
        } else {
            meaning.second = whole ? SecondOperand::Itself : SecondOperand::Row;
            meaning.other = whole ? std::nullopt : std::optional(layer_.input);
        }
        return meaning;
    }

private:
    const ir::Program& program_;
    const ir::LayerPlan& plan_;
    const ir::Layer& layer_;
    const ir::Value& value_;
};

RowMeaning meaningOf(const ir::Program& program, const ir::LayerPlan& plan,
                     const ir::Layer& layer) {
    return layer.averages ? meaningOfAverage(program, program.value(layer.anchor))
                          : RowMeaningFinder(program, plan, layer).run();
}

void setExtents(cost::RowShape& shape, const ir::Type& rows, std::int64_t lanes) {
    shape.columns = rows.dims.empty() ? 1 : rows.dims.back();
    shape.rows = rows.elements() / shape.columns;
    shape.run = cost::rowRun(shape.function, lanes);
}

/// Every frame has its own.
std::vector<std::int64_t> ofEachFrame(const std::vector<std::int64_t>& values,
                                      std::int64_t frames) {
    std::vector<std::int64_t> all;
    for (std::int64_t frame = 0; frame < frames; ++frame)
        all.insert(all.end(), values.begin(), values.end());
    return all;
}

int factorBits(ir::Scalar scalar) {
    return ir::storedBits(scalar) + (ir::info(scalar).isSigned ? 0 : 1);
}

int factorBits(const RowConstants& constants) {
    return constants.bits + (constants.isSigned ? 0 : 1);
}

/// The rest of a shape with its extents, lanes and types.
void setFactors(cost::RowShape& shape, ir::Scalar input, std::optional<ir::Scalar> other,
                const std::optional<RowConstants>& constants) {
    shape.operandBits = ir::storedBits(input);
    if (shape.second == SecondOperand::None)
        return;
    shape.firstFactor = factorBits(input);
    shape.secondFactor = constants ? factorBits(*constants) : factorBits(other.value_or(input));
}

} // namespace

std::optional<cost::RowFunction> rowFunctionOf(ir::OpKind op) {
    switch (op) {
    case ir::OpKind::Softmax:
        return RowFunction::Softmax;
    case ir::OpKind::LayerNorm:
        return RowFunction::LayerNorm;
    case ir::OpKind::Add:
        return RowFunction::Add;
    case ir::OpKind::Sub:
        return RowFunction::Subtract;
    case ir::OpKind::Mul:
        return RowFunction::Multiply;
    case ir::OpKind::Table:
        return RowFunction::LookUp;
    default:
        return std::nullopt;
    }
}

RowStep rowStepOf(const ir::Program& program, const ir::LayerPlan& plan, const ir::Layer& layer,
                  const std::function<TensorId(ir::ValueId)>& tensorAt) {
    const RowMeaning meaning = meaningOf(program, plan, layer);
    RowStep step;
    step.layer = layer.name;
    step.function = meaning.function;
    step.input = tensorAt(meaning.input);
    step.output = tensorAt(layer.result);
    step.shift = program.value(layer.anchor).params.shift;
    step.second = meaning.second;
    if (meaning.other)
        step.other = tensorAt(*meaning.other);
    step.constants = meaning.constants;
    return step;
}

RowStep constantStep(const ir::Value& weight, TensorId tensor) {
    RowStep step;
    step.function = RowFunction::Second;
    step.input = step.output = tensor;
    step.second = SecondOperand::ConstantElements;
    step.constants = constantsOf(weight);
    return step;
}

std::int64_t constantCycles(const ir::Value& weight, std::int64_t lanes, std::int64_t frames) {
    cost::RowShape shape;
    shape.function = RowFunction::Second;
    shape.second = SecondOperand::ConstantElements;
    setExtents(shape, weight.type, lanes);
    shape.rows *= frames;
    return cost::rowCycles(shape);
}

cost::RowShape rowShape(const ir::Program& program, const ir::LayerPlan& plan,
                        const ir::Layer& layer, std::int64_t lanes) {
    const RowMeaning meaning = meaningOf(program, plan, layer);
    const ir::Type& rows = program.value(meaning.input).type;
    const ir::Value& value = program.value(layer.result);
    cost::RowShape shape;
    shape.function = meaning.function;
    setExtents(shape, rows, lanes);
    shape.resultBits = ir::info(value.type.scalar).bits;
    shape.shift = value.params.shift;
    shape.second = meaning.second;
    const auto other =
        meaning.other ? std::optional(program.value(*meaning.other).type.scalar) : std::nullopt;
    setFactors(shape, rows.scalar, other, meaning.constants);
    return shape;
}

cost::RowShape rowShape(const Schedule& schedule, const RowStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    cost::RowShape shape;
    shape.function = step.function;
    shape.rows = schedule.storedPixels(step.input);
    shape.columns = input.channels;
    shape.run = cost::rowRun(step.function, schedule.lanes);
    shape.resultBits = ir::info(schedule.tensor(step.output).scalar).bits;
    shape.shift = step.shift;
    shape.second = step.second;
    const auto other =
        step.other ? std::optional(schedule.tensor(*step.other).scalar) : std::nullopt;
    setFactors(shape, input.scalar, other, step.constants);
    return shape;
}

MoveSide rowSource(const Schedule& schedule, const RowStep& step) {
    return sideOf(schedule, step.input, cost::rowRun(step.function, schedule.lanes));
}

MoveSide rowTarget(const Schedule& schedule, const RowStep& step) {
    return sideOf(schedule, step.output, cost::rowRun(step.function, schedule.lanes));
}

MoveSide otherSource(const Schedule& schedule, const RowStep& step) {
    ENGINE_ASSERT(step.other.has_value(), "there is another tensor");
    return sideOf(schedule, *step.other, cost::rowRun(step.function, schedule.lanes));
}

namespace {

/// What the steps of a unit of rows have alike.
using RowForm = std::tuple<std::size_t, std::string, UnitId, RowFunction, SecondOperand,
                           std::optional<ir::ValueId>, std::array<std::int64_t, 10>,
                           std::vector<ir::ValueId>, std::vector<SlotId>>;

/// Outside of groups each step has a unit of its own.
RowForm rowFormOf(const Schedule& schedule, std::size_t index) {
    const auto& step = std::get<RowStep>(schedule.steps[index]);
    const cost::RowShape shape = rowShape(schedule, step);
    std::vector<TensorId> tensors{step.input, step.output};
    if (step.other)
        tensors.push_back(*step.other);
    RowForm form{schedule.groups > 1 ? 0 : index,
                 step.layer,
                 step.unit,
                 step.function,
                 step.second,
                 step.constants ? std::optional(step.constants->value) : std::nullopt,
                 {shape.rows, shape.columns, shape.run, shape.operandBits, shape.resultBits,
                  shape.shift, shape.firstFactor, shape.secondFactor,
                  step.constants ? step.constants->bits : 0,
                  step.constants && step.constants->isSigned ? 1 : 0},
                 {},
                 {}};
    for (const TensorId tensor : tensors) {
        std::get<std::vector<ir::ValueId>>(form).push_back(schedule.tensor(tensor).value);
        std::get<std::vector<SlotId>>(form).push_back(schedule.tensor(tensor).slot);
    }
    return form;
}

} // namespace

std::vector<std::vector<std::size_t>> stepsOfRowUnits(const Schedule& schedule) {
    std::map<RowForm, std::size_t> known;
    std::vector<std::vector<std::size_t>> units;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        if (!std::holds_alternative<RowStep>(schedule.steps[s]))
            continue;
        const auto [at, fresh] = known.try_emplace(rowFormOf(schedule, s), units.size());
        if (fresh)
            units.emplace_back();
        units[at->second].push_back(s);
    }
    return units;
}

std::vector<RowPart> partsOfRowUnit(const Schedule& schedule,
                                    const std::vector<std::size_t>& steps) {
    std::vector<RowPart> parts;
    for (const std::size_t s : steps) {
        const auto& step = std::get<RowStep>(schedule.steps[s]);
        parts.push_back({s, rowSource(schedule, step).walk.start,
                         rowTarget(schedule, step).walk.start,
                         step.other ? otherSource(schedule, step).walk.start : 0});
    }
    return parts;
}

device::Resources rowUnitResources(const Schedule& schedule,
                                   const std::vector<std::size_t>& steps) {
    constexpr double kEntriesOfLut = 32; // of a table of constants by step
    const auto& first = std::get<RowStep>(schedule.steps[steps.front()]);
    device::Resources area = cost::rowResources(rowShape(schedule, first));
    const std::vector<RowPart> parts = partsOfRowUnit(schedule, steps);
    const auto add = [&](std::int64_t RowPart::*value, const MoveSide& side) {
        std::set<std::int64_t> starts;
        for (const RowPart& part : parts)
            starts.insert(part.*value);
        if (starts.size() > 1)
            area.lut += side.addressBits() * static_cast<double>(starts.size()) / kEntriesOfLut;
    };
    add(&RowPart::from, rowSource(schedule, first));
    add(&RowPart::to, rowTarget(schedule, first));
    if (first.other)
        add(&RowPart::other, otherSource(schedule, first));
    return area;
}

std::vector<std::int64_t> packConstants(const Schedule& schedule, const RowStep& step,
                                        const ir::Program& program,
                                        const std::vector<ir::Tensor>& values) {
    if (!step.constants)
        return {};
    const ir::Value& value = program.value(step.constants->value);
    const bool weights = value.kind == ir::ValueKind::Weight;
    const cost::RowShape shape = rowShape(schedule, step);
    const bool ofFrames = step.second != SecondOperand::ConstantRow;
    const auto data =
        ofEachFrame(weights ? values[value.id.index()].data : ir::averageFactors(program, value),
                    ofFrames ? schedule.framesAtOnce() : 1);
    if (!weights)
        return data;
    const std::int64_t padded = shape.runs() * shape.run;
    std::vector<std::int64_t> packed(
        static_cast<std::size_t>(shape.constantWords() * shape.constantsOfWord()), 0);
    for (std::size_t k = 0; k < data.size(); ++k) {
        const auto row = static_cast<std::int64_t>(k) / shape.columns;
        const auto column = static_cast<std::int64_t>(k) % shape.columns;
        packed[static_cast<std::size_t>(row * padded + column)] = data[k];
    }
    return packed;
}

} // namespace marquetry::design
