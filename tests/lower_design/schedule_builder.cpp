#include "tests/lower_design/schedule_builder.h"

#include "engine/cost/stream_unit.h"
#include "engine/design/join.h"
#include "engine/design/windows.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"
#include "engine/support/rng.h"

#include <algorithm>
#include <numeric>

namespace marquetry::test {

using design::TensorId;
using design::UnitId;
using ir::ValueId;

namespace {

std::size_t at(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

ir::Tensor draw(const ir::Value& value) {
    const auto& source = std::get<ir::RandomSource>(value.source);
    SplitMix64 rng(source.seed);
    ir::Tensor tensor{value.type, {}};
    for (std::int64_t i = 0; i < value.type.elements(); ++i)
        tensor.data.push_back(rng.range(source.lo, source.hi));
    return tensor;
}

std::int64_t wrapTo(ir::Scalar scalar, std::int64_t value) {
    const ir::ScalarInfo& s = ir::info(scalar);
    const std::int64_t span = s.max - s.min + 1;
    return ((value - s.min) % span + span) % span + s.min;
}

struct Extents {
    std::int64_t height = 1, width = 1, channels = 1;
};

Extents extents(const ir::Type& type) {
    if (type.dims.size() == 3)
        return {type.dims[0], type.dims[1], type.dims[2]};
    return {1, 1, type.dims.back()};
}

std::int64_t pixelAt(const ir::Tensor& x, std::int64_t r, std::int64_t c, std::int64_t k) {
    const Extents e = extents(x.type);
    if (r < 0 || c < 0 || r >= e.height || c >= e.width)
        return 0;
    return x.data[at((r * e.width + c) * e.channels + k)];
}

void evaluateConv(const ir::Value& value, const ir::Tensor& x, const ir::Tensor& w,
                  ir::Tensor& result) {
    const Extents out = extents(value.type);
    const std::int64_t kernel = w.type.dims[1], ich = w.type.dims[3];
    const std::int64_t stride = value.params.stride.vertical, pad = value.params.pad.top;
    for (std::int64_t r = 0; r < out.height; ++r)
        for (std::int64_t c = 0; c < out.width; ++c)
            for (std::int64_t o = 0; o < out.channels; ++o) {
                std::int64_t sum = 0;
                for (std::int64_t t = 0; t < kernel * kernel * ich; ++t)
                    sum += w.data[at(o * kernel * kernel * ich + t)] *
                           pixelAt(x, r * stride + t / ich / kernel - pad,
                                   c * stride + t / ich % kernel - pad, t % ich);
                result.data.push_back(wrapTo(ir::Scalar::I32, sum));
            }
}

void evaluatePool(const ir::Value& value, const ir::Tensor& x, ir::Tensor& result) {
    const Extents out = extents(value.type);
    const std::int64_t n = value.params.size.vertical;
    for (std::int64_t r = 0; r < out.height; ++r)
        for (std::int64_t c = 0; c < out.width; ++c)
            for (std::int64_t k = 0; k < out.channels; ++k) {
                std::int64_t best = pixelAt(x, r * n, c * n, k), sum = 0;
                for (std::int64_t i = 0; i < n * n; ++i) {
                    best = std::max(best, pixelAt(x, r * n + i / n, c * n + i % n, k));
                    sum += pixelAt(x, r * n + i / n, c * n + i % n, k);
                }
                result.data.push_back(
                    value.op == ir::OpKind::MaxPool ? best : wrapTo(ir::Scalar::I32, sum));
            }
}

std::int64_t evaluateElement(const ir::Value& value, std::int64_t x) {
    const ir::OpParams& p = value.params;
    if (value.op == ir::OpKind::Relu)
        return std::max<std::int64_t>(x, 0);
    if (value.op == ir::OpKind::Leaky)
        return x >= 0 ? x : wrapTo(value.type.scalar, x * p.num >> p.shift);
    const std::int64_t half = p.shift == 0 ? 0 : std::int64_t{1} << (p.shift - 1);
    return std::clamp(((x * p.mul + half) >> p.shift) + p.zero, ir::info(p.to).min,
                      ir::info(p.to).max);
}

} // namespace

void TestDesign::drawInputs(std::uint64_t seed) {
    for (const ValueId id : program.inputs) {
        auto& source = std::get<ir::RandomSource>(program.values[id.index()].source);
        source.seed = seed++;
        values[id.index()] = draw(program.value(id));
    }
}

void TestDesign::evaluate() {
    for (const ir::Value& value : program.values) {
        if (value.kind != ir::ValueKind::Op)
            continue;
        const ir::Tensor& x = values[value.operands[0].index()];
        ir::Tensor result{value.type, {}};
        if (value.op == ir::OpKind::Conv) {
            evaluateConv(value, x, values[value.operands[1].index()], result);
        } else if (value.op == ir::OpKind::MaxPool || value.op == ir::OpKind::SumPool) {
            evaluatePool(value, x, result);
        } else if (value.op == ir::OpKind::Flatten) {
            result.data = x.data;
        } else if (value.op == ir::OpKind::Mv) {
            const ir::Tensor& v = values[value.operands[1].index()];
            for (std::int64_t r = 0; r < x.type.dims[0]; ++r) {
                std::int64_t sum = 0;
                for (std::int64_t k = 0; k < x.type.dims[1]; ++k)
                    sum += x.data[at(r * x.type.dims[1] + k)] * v.data[at(k)];
                result.data.push_back(wrapTo(ir::Scalar::I32, sum));
            }
        } else if (value.op == ir::OpKind::Add) {
            const ir::Tensor& y = values[value.operands[1].index()];
            for (std::size_t i = 0; i < x.data.size(); ++i)
                result.data.push_back(wrapTo(ir::Scalar::I32, x.data[i] + y.data[i]));
        } else {
            for (const std::int64_t element : x.data)
                result.data.push_back(evaluateElement(value, element));
        }
        values[value.id.index()] = result;
    }
}

std::vector<ir::Tensor> TestDesign::outputs() const {
    std::vector<ir::Tensor> result;
    for (const ir::Output& output : program.outputs)
        result.push_back(values[output.value.index()]);
    return result;
}

std::map<std::string, ir::Tensor> TestDesign::inputs() const {
    std::map<std::string, ir::Tensor> result;
    for (const ValueId id : program.inputs)
        result[program.value(id).name] = values[id.index()];
    return result;
}

ScheduleBuilder::ScheduleBuilder(std::string name, std::int64_t lanes) {
    design_.schedule.name = name;
    design_.schedule.lanes = lanes;
    design_.program.name = std::move(name);
    for (int i = 0; i < 4; ++i) {
        design::Slot slot;
        slot.id = design::SlotId(i);
        slot.name = "slot " + std::to_string(i);
        slot.storedLanes = 1;
        slot.writeLanes = lanes;
        design_.schedule.slots.push_back(slot);
    }
}

ValueId ScheduleBuilder::add(ir::Value value) {
    value.id = ValueId(design_.program.values.size());
    design_.program.values.push_back(value);
    design_.values.emplace_back();
    if (!std::holds_alternative<std::monostate>(value.source))
        design_.values.back() = draw(value);
    return value.id;
}

ValueId ScheduleBuilder::op(ir::OpKind kind, std::vector<ValueId> operands,
                            const ir::OpParams& params, const ir::Type& type) {
    ir::Value value;
    value.name = "v" + std::to_string(design_.program.values.size());
    value.op = kind;
    value.operands = std::move(operands);
    value.params = params;
    value.type = type;
    return add(value);
}

ValueId ScheduleBuilder::weight(UnitId unit, ir::Shape dims) {
    const ir::ScalarInfo& scalar = ir::info(design_.schedule.unit(unit).weight);
    ir::Value value;
    value.kind = ir::ValueKind::Weight;
    value.name = "w" + std::to_string(design_.program.values.size());
    value.type = {design_.schedule.unit(unit).weight, std::move(dims)};
    value.source = ir::RandomSource{nextSeed_++, scalar.min, scalar.max};
    const ValueId id = add(value);
    design_.program.weights.push_back(id);
    return id;
}

UnitId ScheduleBuilder::unit(const std::string& name, std::int64_t parallel, ir::Scalar operand,
                             ir::Scalar weight) {
    design::ScheduleUnit unit;
    unit.id = UnitId(design_.schedule.units.size());
    unit.name = name;
    unit.parallel = parallel;
    unit.operand = operand;
    unit.weight = weight;
    design_.schedule.units.push_back(unit);
    return unit.id;
}

UnitId ScheduleBuilder::streamUnit(const std::string& name, std::int64_t parallel,
                                   std::int64_t interval, ir::Scalar operand, ir::Scalar weight) {
    const UnitId id = unit(name, parallel, operand, weight);
    design_.schedule.units.back().stream = design::StreamTiming{interval, 0};
    return id;
}

void ScheduleBuilder::widen(UnitId unit, std::int64_t span) {
    design_.schedule.units[unit.index()].span = span;
}

UnitId ScheduleBuilder::passUnit(const std::string& name, ir::Scalar operand) {
    const UnitId id = unit(name, design_.schedule.lanes, operand);
    design_.schedule.units.back().pass = true;
    return id;
}

TensorId ScheduleBuilder::store(ValueId value, std::optional<TensorId> input,
                                std::optional<TensorId> addend, std::int64_t writeLanes) {
    auto& schedule = design_.schedule;
    const ir::Type& type = design_.program.value(value).type;
    const Extents e = extents(type);
    design::StoredTensor tensor;
    tensor.id = TensorId(schedule.tensors.size());
    tensor.value = value;
    tensor.name = design_.program.value(value).name;
    tensor.scalar = type.scalar;
    std::size_t slot = schedule.tensors.size() % schedule.slots.size();
    while ((input && schedule.tensor(*input).slot.index() == slot) ||
           (addend && schedule.tensor(*addend).slot.index() == slot))
        slot = (slot + 1) % schedule.slots.size();
    tensor.slot = design::SlotId(slot);
    tensor.base = schedule.slots[slot].depth;
    tensor.height = e.height;
    tensor.width = e.width;
    tensor.pixels = e.height * e.width;
    tensor.channels = e.channels;
    tensor.wordsPerPixel = ceilDiv(e.channels, schedule.lanes);
    schedule.slots[slot].depth += tensor.words();
    schedule.slots[slot].elementBits =
        std::max(schedule.slots[slot].elementBits, ir::info(type.scalar).bits);
    schedule.slots[slot].storedLanes = std::max(
        schedule.slots[slot].storedLanes, design::storedLanesFor(tensor.channels, schedule.lanes));
    schedule.slots[slot].writeLanes = std::min(schedule.slots[slot].writeLanes, writeLanes);
    schedule.tensors.push_back(tensor);
    return tensor.id;
}

TensorId ScheduleBuilder::input(const std::string& name, const ir::Type& type) {
    ir::Value value;
    value.kind = ir::ValueKind::Input;
    value.name = name;
    value.type = type;
    value.source =
        ir::RandomSource{nextSeed_++, ir::info(type.scalar).min, ir::info(type.scalar).max};
    const ValueId id = add(value);
    design_.program.inputs.push_back(id);
    const TensorId tensor = store(id, {}, {}, design_.schedule.lanes);
    design_.schedule.steps.push_back(design::LoadStep{name, tensor});
    return tensor;
}

ValueId ScheduleBuilder::requantValue(const design::RequantStage& stage, ValueId value) {
    if (!stage.enabled)
        return value;
    ir::OpParams params;
    params.mul = stage.mul;
    params.shift = stage.shift;
    params.zero = stage.zero;
    params.to = stage.to;
    return op(ir::OpKind::Requant, {value}, params,
              {stage.to, design_.program.value(value).type.dims});
}

ValueId ScheduleBuilder::poolValue(const EpilogueSpec& spec, ValueId value) {
    if (spec.pool == design::PoolKind::None)
        return value;
    ir::Type type = design_.program.value(value).type;
    ir::OpParams params;
    params.size = params.stride = spec.poolSize;
    type.dims[0] /= spec.poolSize;
    type.dims[1] /= spec.poolSize;
    if (spec.pool == design::PoolKind::Sum)
        type.scalar = ir::Scalar::I32;
    return op(spec.pool == design::PoolKind::Max ? ir::OpKind::MaxPool : ir::OpKind::SumPool,
              {value}, params, type);
}

ValueId ScheduleBuilder::applyEpilogue(const EpilogueSpec& spec, ValueId value) {
    const auto type = [&](ValueId id) { return design_.program.value(id).type; };
    value = requantValue(spec.requantBefore, value);
    if (spec.reluBefore)
        value = op(ir::OpKind::Relu, {value}, {}, type(value));
    if (spec.leakyBefore) {
        ir::OpParams params;
        params.num = spec.leakyBefore->num;
        params.shift = spec.leakyBefore->shift;
        value = op(ir::OpKind::Leaky, {value}, params, type(value));
    }
    if (spec.addend)
        value = op(ir::OpKind::Add, {value, design_.schedule.tensor(*spec.addend).value}, {},
                   {ir::Scalar::I32, type(value).dims});
    value = requantValue(spec.requantAfter, poolValue(spec, value));
    if (spec.reluAfter)
        value = op(ir::OpKind::Relu, {value}, {}, type(value));
    return value;
}

std::int64_t ScheduleBuilder::latencyOf(const design::ComputeStep& step) const {
    const design::StoredTensor& input = design_.schedule.tensor(step.input);
    const ir::ConvStream conv{
        input.height,         input.width,    step.pad.vertical, step.kernel.vertical,
        step.stride.vertical, input.channels, step.rows,         input.scalar};
    const auto circuit = cost::streamCircuit(conv, design_.values[step.weight->index()]);
    ENGINE_ASSERT(circuit.has_value(), "the test's convolution is small");
    return circuit->latency();
}

TensorId ScheduleBuilder::call(design::ComputeStep step, ValueId anchor, const EpilogueSpec& spec) {
    auto& schedule = design_.schedule;
    const ValueId result = applyEpilogue(spec, anchor);
    auto& unit = schedule.units[step.unit.index()];
    step.layer = design_.program.value(result).name;
    step.output = store(result, step.input, spec.addend,
                        unit.pass ? schedule.lanes : std::gcd(unit.parallel, schedule.lanes));
    step.rows = schedule.tensor(step.output).channels;
    step.rowBlocks = ceilDiv(step.rows, unit.parallel);
    step.height = schedule.tensor(step.output).height * spec.poolSize;
    step.width = schedule.tensor(step.output).width * spec.poolSize;
    step.weightBase = unit.weightWords;
    design::Slot& read = schedule.slots[schedule.tensor(step.input).slot.index()];
    while (read.turns < unit.span)
        read.turns *= 2;
    if (unit.stream)
        unit.stream->latency = latencyOf(step);
    else if (!unit.pass)
        unit.weightWords += step.rowBlocks * design::reductionWords(schedule, step);
    design::Epilogue& e = step.epilogue;
    using Kind = design::ActivationStage::Kind;
    e.requantBefore = spec.requantBefore;
    e.activationBefore.kind = spec.reluBefore ? Kind::Relu : Kind::None;
    if (spec.leakyBefore)
        e.activationBefore = *spec.leakyBefore;
    e.addend = spec.addend;
    e.pool = spec.pool;
    e.poolSize = spec.poolSize;
    e.requantAfter = spec.requantAfter;
    e.activationAfter.kind = spec.reluAfter ? Kind::Relu : Kind::None;
    e.result = design_.program.value(result).type.scalar;
    schedule.steps.push_back(step);
    return step.output;
}

TensorId ScheduleBuilder::conv(UnitId unit, TensorId in, const ConvSpec& spec,
                               const EpilogueSpec& epilogue) {
    const design::StoredTensor input = design_.schedule.tensor(in);
    design::ComputeStep step;
    step.unit = unit;
    step.input = in;
    step.weight = weight(unit, {spec.rows, spec.kernel, spec.kernel, input.channels});
    step.kernel = spec.kernel;
    step.stride = spec.stride;
    step.pad = spec.pad;
    step.channelWords = input.wordsPerPixel;
    ir::OpParams params;
    params.pad = spec.pad;
    params.stride = spec.stride;
    const auto extent = [&](std::int64_t n) {
        return (n + 2 * spec.pad - spec.kernel) / spec.stride + 1;
    };
    const ValueId anchor =
        op(ir::OpKind::Conv, {input.value, *step.weight}, params,
           {ir::Scalar::I32, {extent(input.height), extent(input.width), spec.rows}});
    return call(step, anchor, epilogue);
}

TensorId ScheduleBuilder::mv(UnitId unit, TensorId in, std::int64_t rows,
                             const EpilogueSpec& epilogue) {
    const design::StoredTensor input = design_.schedule.tensor(in);
    ValueId operand = input.value;
    if (input.pixels > 1)
        operand = op(ir::OpKind::Flatten, {operand}, {}, {input.scalar, {input.elements()}});
    design::ComputeStep step;
    step.unit = unit;
    step.input = in;
    step.weight = weight(unit, {rows, input.elements()});
    step.channelWords = input.words();
    const ValueId anchor =
        op(ir::OpKind::Mv, {*step.weight, operand}, {}, {ir::Scalar::I32, {rows}});
    return call(step, anchor, epilogue);
}

TensorId ScheduleBuilder::pass(UnitId unit, TensorId in, const EpilogueSpec& epilogue) {
    design::ComputeStep step;
    step.unit = unit;
    step.input = in;
    return call(step, design_.schedule.tensor(in).value, epilogue);
}

void ScheduleBuilder::output(const std::string& name, TensorId tensor) {
    const ValueId value = design_.schedule.tensor(tensor).value;
    design_.program.outputs.push_back({name, value});
    design_.schedule.steps.push_back(
        design::StoreStep{name, tensor, design_.program.value(value).type});
}

TestDesign ScheduleBuilder::finish(std::uint64_t inputSeed) {
    // A slot that nothing was put in would be a memory of no words.
    for (auto& slot : design_.schedule.slots) {
        slot.depth = std::max<std::int64_t>(slot.depth, 1);
        slot.writeLanes = std::min(slot.writeLanes, slot.storedLanes);
    }
    design_.drawInputs(inputSeed);
    design_.evaluate();
    return design_;
}

int joinSteps(design::Schedule& schedule, bool loads) {
    int joined = 0;
    for (std::size_t i = 1; i < schedule.steps.size(); ++i) {
        const design::Step& writer = schedule.steps[i - 1];
        if (!design::mayOverlap(schedule, i) ||
            (!loads && std::holds_alternative<design::LoadStep>(writer)))
            continue;
        auto& reader = std::get<design::ComputeStep>(schedule.steps[i]);
        reader.joinedAfter = design::joinDelay(schedule, writer, reader);
        ++joined;
    }
    return joined;
}

int pairRows(design::Schedule& schedule) {
    int paired = 0;
    for (design::ScheduleUnit& unit : schedule.units) {
        const bool narrow = ir::info(unit.operand).bits <= 8 && ir::info(unit.weight).bits <= 8;
        unit.pairsRows = !unit.pass && !unit.stream && unit.parallel >= 2 && narrow;
        paired += unit.pairsRows ? 1 : 0;
    }
    return paired;
}

} // namespace marquetry::test
