#include "engine/frontend/onnx/arrange.h"
#include "engine/frontend/onnx/handlers.h"
#include "engine/frontend/onnx/linear.h"
#include "engine/frontend/onnx/pools.h"

#include <numeric>
#include <set>

namespace marquetry::frontend::onnx {
namespace {

/// The input as H × W × C.
std::optional<ir::ValueId> pixels(const NodeUse& use, const AffineTerm& term, const Dims& image) {
    return arranged(use, term, layoutOf(image, {0, 2, 3, 1}), {image[2], image[3], image[1]});
}

Dims pooledShape(const AffineTensor& x, const WindowPlan& plan) {
    Dims shape = {1, x.shape[1], plan.heightOut, plan.widthOut};
    if (x.shape.size() == 3)
        shape.erase(shape.begin() + 2);
    return shape;
}

ir::OpParams poolParams(const WindowPlan& plan) {
    ir::OpParams params;
    params.size = ir::PerAxis(plan.kernelH, plan.kernelW);
    params.stride = plan.stride;
    params.pad = plan.pad;
    return params;
}

/// The least common multiple of how many elements the windows hold: what avgpool multiplies by.
std::int64_t commonCount(const WindowPlan& plan, const Dims& image) {
    const auto inside = [](std::int64_t at, std::int64_t window, std::int64_t size) {
        return std::min(at + window, size) - std::max<std::int64_t>(at, 0);
    };
    std::set<std::int64_t> rows;
    std::set<std::int64_t> columns;
    for (std::int64_t y = 0; y < plan.heightOut; ++y)
        rows.insert(inside(y * plan.stride.vertical - plan.pad.top, plan.kernelH, image[2]));
    for (std::int64_t x = 0; x < plan.widthOut; ++x)
        columns.insert(inside(x * plan.stride.horizontal - plan.pad.left, plan.kernelW, image[3]));
    std::int64_t common = 1;
    for (const std::int64_t height : rows) {
        for (const std::int64_t width : columns) {
            common = std::lcm(common, std::max<std::int64_t>(1, height * width));
            if (common > (1 << 30))
                return common;
        }
    }
    return common;
}

AffineTensor poolResult(const GridTensor& grid, const Dims& shape, ir::ValueId value,
                        const Rational& divisor, const Rational& zeros) {
    const Dims image = shape.size() == 3 ? Dims{1, shape[1], 1, shape[2]} : shape;
    AffineTensor result;
    result.shape = shape;
    result.terms = {{value, layoutOf(image, {0, 2, 3, 1}), PerChannel::all(grid.scale / divisor)}};
    result.offset = PerChannel::all(-zeros * grid.scale / divisor);
    return result;
}

std::optional<AffineTensor> averaged(const NodeUse& use, const AffineTensor& x,
                                     const WindowPlan& plan, bool countsPads) {
    const auto image = imageShape(use, x.shape);
    const auto grid = image ? onGrid(use, x) : std::nullopt;
    const auto input = grid ? pixels(use, grid->term, *image) : std::nullopt;
    if (!input)
        return std::nullopt;
    if (plan.dilationH != 1 || plan.dilationW != 1)
        return use.fail("onnx-unsupported", "averages with dilations");
    const Dims shape = pooledShape(x, plan);
    ir::OpParams params = poolParams(plan);
    const std::int64_t window = plan.kernelH * plan.kernelW;
    if (plan.pad.isNone() || countsPads) {
        params.fill = plan.pad.isNone() ? 0 : grid->zero;
        const auto value = use.emit(use.tensorName(), ir::OpKind::SumPool, {*input}, params);
        return value ? std::optional(poolResult(*grid, shape, *value, Rational(window),
                                                Rational(window * grid->zero)))
                     : std::nullopt;
    }
    const std::int64_t common = commonCount(plan, *image);
    if (common > (1 << 22))
        return use.fail("onnx-unsupported", "averages windows of too many different sizes",
                        "count the pads (count_include_pad)");
    const auto value = use.emit(use.tensorName(), ir::OpKind::AvgPool, {*input}, params);
    return value ? std::optional(poolResult(*grid, shape, *value, Rational(common),
                                            Rational(common * grid->zero)))
                 : std::nullopt;
}

void maxPool(const NodeUse& use) {
    if (use.node().outputs.size() > 1 && use.node().outputs[1] >= 0) {
        use.fail("onnx-unsupported", "gives indices too", "remove the second output");
        return;
    }
    const AffineTensor* x = use.affine(0, "an input");
    auto result = x ? maxPooled(use, *x) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

void averagePool(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    auto result = x ? averagePooled(use, *x) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

void globalAveragePool(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    auto result = x ? globallyAveraged(use, *x) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

std::optional<WindowPlan> wholePlan(const NodeUse& use, const AffineTensor& x) {
    const auto image = imageShape(use, x.shape);
    if (!image)
        return std::nullopt;
    WindowPlan plan;
    plan.kernelH = (*image)[2];
    plan.kernelW = (*image)[3];
    plan.stride = ir::PerAxis(plan.kernelH, plan.kernelW);
    plan.heightOut = plan.widthOut = 1;
    return plan;
}

std::optional<AffineTensor> greatest(const NodeUse& use, const AffineTensor& x,
                                     const WindowPlan& plan) {
    const auto image = imageShape(use, x.shape);
    if (!image)
        return std::nullopt;
    if (plan.dilationH != 1 || plan.dilationW != 1)
        return use.fail("onnx-unsupported", "is a pool with dilations");
    if (!x.parts.empty() || x.terms.size() != 1 || x.function || x.step) {
        const auto plain = settled(use, x);
        return plain ? greatest(use, *plain, plan) : std::nullopt;
    }
    const AffineTerm& term = x.term();
    if (!term.scale.isUniform() || !x.offset.isUniform() || term.scale.value().sign() <= 0)
        return use.fail("onnx-unsupported", "takes the greatest of numbers of different scales",
                        "quantise before the pool");
    const auto input = pixels(use, term, *image);
    const auto value =
        input ? use.emit(use.tensorName(), ir::OpKind::MaxPool, {*input}, poolParams(plan))
              : std::nullopt;
    if (!value)
        return std::nullopt;
    AffineTensor result = x;
    result.shape = pooledShape(x, plan);
    result.terms.front().value = *value;
    result.terms.front().bounds = {};
    const Dims held = {1, (*image)[1], plan.heightOut, plan.widthOut};
    result.terms.front().layout = layoutOf(held, {0, 2, 3, 1});
    return result;
}

void globalMaxPool(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    const auto plan = x ? wholePlan(use, *x) : std::nullopt;
    auto result = plan ? greatest(use, *x, *plan) : std::nullopt;
    if (result)
        use.give(std::move(*result));
}

/// The mean over height and width.
void reduceMean(const NodeUse& use) {
    const AffineTensor* x = use.affine(0, "an input");
    if (!x)
        return;
    Dims axes = use.node().integers("axes");
    if (axes.empty() && use.isKnown(1) && use.input(1).known.raw)
        axes = use.input(1).known.raw->ints;
    for (std::int64_t& axis : axes)
        axis += axis < 0 ? std::ssize(x->shape) : 0;
    std::sort(axes.begin(), axes.end());
    if (x->shape.size() != 4 || axes != Dims{2, 3}) {
        use.fail("onnx-unsupported", "takes the mean along other axes than height and width",
                 "use GlobalAveragePool");
        return;
    }
    auto result = globallyAveraged(use, *x);
    if (!result)
        return;
    if (use.node().integer("keepdims", 1) == 0)
        result->shape.resize(2);
    use.give(std::move(*result));
}

} // namespace

std::optional<AffineTensor> maxPooled(const NodeUse& use, const AffineTensor& x) {
    const auto plan = windowPlan(use, x.shape, {}, use.node().integer("ceil_mode", 0) != 0);
    return plan ? greatest(use, x, *plan) : std::nullopt;
}

std::optional<AffineTensor> averagePooled(const NodeUse& use, const AffineTensor& x) {
    const bool ceil = use.node().integer("ceil_mode", 0) != 0;
    const auto plan = windowPlan(use, x.shape, {}, ceil);
    if (!plan)
        return std::nullopt;
    const bool countsPads = use.node().integer("count_include_pad", 0) != 0;
    if (ceil && countsPads)
        return use.fail("onnx-unsupported", "counts pads and rounds its size up",
                        "use ceil_mode=0");
    return averaged(use, x, *plan, countsPads);
}

std::optional<AffineTensor> globallyAveraged(const NodeUse& use, const AffineTensor& x) {
    const auto plan = wholePlan(use, x);
    return plan ? averaged(use, x, *plan, false) : std::nullopt;
}

void addPoolNodes(HandlerTable& table) {
    table["MaxPool"] = maxPool;
    table["AveragePool"] = averagePool;
    table["GlobalAveragePool"] = globalAveragePool;
    table["GlobalMaxPool"] = globalMaxPool;
    table["ReduceMean"] = reduceMean;
}

} // namespace marquetry::frontend::onnx
