#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/node_numbers.h"
#include "engine/support/checked_math.h"

#include <cmath>
#include <set>

namespace marquetry::frontend::onnx {
namespace {

constexpr std::int64_t kMostFolded = 1 << 22;

void constant(const NodeUse& use) {
    using Kind = OnnxAttribute::Kind;
    const auto& attributes = use.node().attributes;
    if (attributes.empty()) {
        use.fail("onnx-tensor", "has no value");
        return;
    }
    const OnnxAttribute& value = attributes.begin()->second;
    auto raw = std::make_shared<OnnxConstant>();
    if (value.kind == Kind::Int || value.kind == Kind::Ints) {
        raw->element = Element::Int64;
        raw->ints = value.kind == Kind::Int ? Dims{value.number} : value.ints;
    } else if (value.kind == Kind::Real || value.kind == Kind::Reals) {
        raw->element = Element::Float;
        raw->reals = value.kind == Kind::Real ? std::vector{value.real} : value.reals;
    } else if (value.kind == Kind::Tensor && value.tensor) {
        return use.give(knownTensor(value.tensor));
    } else if (value.kind != Kind::Tensor) { // of a tensor the reader has said what is wrong
        use.fail("onnx-tensor", "has a value of a type that is not imported");
        return;
    }
    if (value.kind == Kind::Ints || value.kind == Kind::Reals)
        raw->dims = {static_cast<std::int64_t>(raw->size())};
    if (raw->element != Element::None)
        use.give(knownTensor(std::move(raw)));
}

void shapeOf(const NodeUse& use) {
    if (!use.has(0))
        return;
    const Dims& shape = use.input(0).shape();
    const auto rank = std::ssize(shape);
    const auto within = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + rank : at, 0, rank);
    };
    const std::int64_t from = within(use.node().integer("start", 0));
    const std::int64_t until = std::max(from, within(use.node().integer("end", rank)));
    Dims part(shape.begin() + from, shape.begin() + until);
    const auto count = std::ssize(part);
    use.give(knownIntegers(std::move(part), {count}));
}

void constantOfShape(const NodeUse& use) {
    const auto dims = integersAt(use, 0, "dimensions");
    if (!dims)
        return;
    const auto elements = checkedProduct(*dims);
    const bool negative =
        std::any_of(dims->begin(), dims->end(), [](std::int64_t d) { return d < 0; });
    if (negative || !elements || *elements > kMostFolded || dims->size() > 8) {
        use.fail("too-large", "asks for a constant of more than 2^22 elements");
        return;
    }
    if (!use.importer().spend(*elements, 0, 0))
        return;
    auto raw = std::make_shared<OnnxConstant>();
    raw->element = Element::Float;
    raw->dims = *dims;
    const auto value = use.node().attributes.find("value");
    const bool given = value != use.node().attributes.end() && value->second.tensor &&
                       value->second.tensor->size() == 1;
    const auto count = static_cast<std::size_t>(*elements);
    if (given && !isReal(value->second.tensor->element)) {
        raw->element = value->second.tensor->element;
        raw->ints.assign(count, value->second.tensor->ints.front());
    } else {
        raw->reals.assign(count, given ? value->second.tensor->reals.front() : 0.0);
    }
    use.give(knownTensor(std::move(raw)));
}

/// The one list of numbers that folding works on: integers of at most one dimension.
std::optional<std::vector<Dims>> integerInputs(const NodeUse& use) {
    std::vector<Dims> lists;
    for (std::size_t k = 0; k < use.inputs(); ++k) {
        const auto list = integersAt(use, k, "constants to compute with");
        if (!list)
            return std::nullopt;
        lists.push_back(*list);
    }
    return lists;
}

void foldConcat(const NodeUse& use) {
    const auto lists = integerInputs(use);
    if (!lists)
        return;
    Dims all;
    for (const Dims& list : *lists)
        all.insert(all.end(), list.begin(), list.end());
    const auto count = std::ssize(all);
    use.give(knownIntegers(std::move(all), {count}));
}

void foldGather(const NodeUse& use) {
    const auto lists = integerInputs(use);
    if (!lists || lists->size() != 2)
        return;
    Dims result;
    for (const std::int64_t index : (*lists)[1]) {
        const auto size = std::ssize((*lists)[0]);
        if (index < -size || index >= size || use.input(0).known.dims.size() != 1) {
            use.fail("onnx-shape", "gathers what is not there");
            return;
        }
        result.push_back((*lists)[0][static_cast<std::size_t>(index < 0 ? index + size : index)]);
    }
    use.give(knownIntegers(std::move(result), use.input(1).known.dims));
}

void foldSlice(const NodeUse& use) {
    const auto lists = integerInputs(use);
    if (!lists)
        return;
    const Dims& values = (*lists)[0];
    const auto size = std::ssize(values);
    const auto number = [&](std::size_t k, const std::string& key) {
        const Dims& list = k < lists->size() ? (*lists)[k] : use.node().integers(key);
        return list.size() == 1 ? list[0] : 0;
    };
    const auto within = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? std::max(at, -size) + size : at, 0, size);
    };
    const std::int64_t from = within(number(1, "starts"));
    const std::int64_t until = std::max(from, within(number(2, "ends")));
    if (use.input(0).known.dims.size() != 1 || (lists->size() > 4 && (*lists)[4] != Dims{1})) {
        use.fail("onnx-unsupported", "slices constants of more than one dimension, or with steps");
        return;
    }
    Dims part(values.begin() + from, values.begin() + until);
    const auto count = std::ssize(part);
    use.give(knownIntegers(std::move(part), {count}));
}

void foldCast(const NodeUse& use) {
    const KnownTensor& known = use.input(0).known;
    const std::int64_t to = use.node().integer("to", 0);
    auto raw = std::make_shared<OnnxConstant>();
    raw->dims = known.dims;
    const bool toReal = to == 1 || to == 11;
    const bool toInteger = to == 6 || to == 7;
    if (known.isQuantised() || (!toReal && !toInteger) ||
        (toInteger && !allFinite(use, known, "constants"))) {
        use.fail("onnx-unsupported", "casts constants to a type that is not imported");
        return;
    }
    raw->element = toReal ? Element::Float : Element::Int64;
    for (std::size_t k = 0; k < known.size(); ++k) {
        const double value = isReal(known.raw->element) ? known.raw->reals[k]
                                                        : static_cast<double>(known.raw->ints[k]);
        if (toReal)
            raw->reals.push_back(value);
        else
            raw->ints.push_back(isReal(known.raw->element)
                                    ? static_cast<std::int64_t>(std::clamp(value, -9e15, 9e15))
                                    : known.raw->ints[k]);
    }
    use.give(knownTensor(std::move(raw)));
}

template <class F>
void foldIntegers(const NodeUse& use, const F& f) {
    const auto lists = integerInputs(use);
    if (!lists || lists->size() != 2)
        return;
    const auto& [a, b] = std::pair((*lists)[0], (*lists)[1]);
    if (a.size() != b.size() && a.size() != 1 && b.size() != 1) {
        use.fail("onnx-shape", "computes with constants that do not fit");
        return;
    }
    Dims result;
    for (std::size_t k = 0; k < std::max(a.size(), b.size()) && !a.empty() && !b.empty(); ++k) {
        const auto value = f(a[a.size() == 1 ? 0 : k], b[b.size() == 1 ? 0 : k]);
        if (!value) {
            use.fail("onnx-shape", "divides by 0, or needs more than 64 bits");
            return;
        }
        result.push_back(*value);
    }
    use.give(knownIntegers(std::move(result), a.size() >= b.size() ? use.input(0).known.dims
                                                                   : use.input(1).known.dims));
}

void foldAdd(const NodeUse& use) {
    foldIntegers(use, checkedAdd);
}

void foldMul(const NodeUse& use) {
    foldIntegers(use, checkedMul);
}

void foldSub(const NodeUse& use) {
    foldIntegers(use, [](std::int64_t a, std::int64_t b) -> std::optional<std::int64_t> {
        return b == INT64_MIN ? std::nullopt : checkedAdd(a, -b);
    });
}

void foldDiv(const NodeUse& use) {
    foldIntegers(use, [](std::int64_t a, std::int64_t b) -> std::optional<std::int64_t> {
        return b == 0 || (b == -1 && a == INT64_MIN) ? std::nullopt : std::optional(a / b);
    });
}

} // namespace

bool foldConstants(const NodeUse& use) {
    static const HandlerTable kFolded = {
        {"Concat", foldConcat}, {"Gather", foldGather}, {"Slice", foldSlice}, {"Cast", foldCast},
        {"Add", foldAdd},       {"Sub", foldSub},       {"Mul", foldMul},     {"Div", foldDiv}};
    const auto found = kFolded.find(handlerKey(use.node()));
    if (found == kFolded.end() || use.inputs() == 0)
        return false;
    std::int64_t numbers = 0;
    for (std::size_t k = 0; k < use.inputs(); ++k) {
        if (!use.isKnown(k))
            return false;
        numbers += static_cast<std::int64_t>(use.input(k).known.size());
    }
    if (numbers > kMostFolded)
        use.fail("too-large", "computes with constants of more than 2^22 elements",
                 "fold them before the export");
    else if (use.importer().spend(numbers, 0, 0))
        found->second(use);
    return true;
}

void addConstantNodes(HandlerTable& table) {
    table["Constant"] = constant;
    table["Shape"] = shapeOf;
    table["ConstantOfShape"] = constantOfShape;
}

} // namespace marquetry::frontend::onnx
