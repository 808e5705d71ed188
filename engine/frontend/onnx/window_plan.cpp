#include "engine/frontend/onnx/linear.h"

namespace marquetry::frontend::onnx {
namespace {

constexpr std::int64_t kMostStep = 1 << 16;

/// One number for each axis: what the attribute says, or the fallback.
std::optional<ir::PerAxis> perAxis(const NodeUse& use, const std::string& key, std::size_t axes,
                                   std::int64_t least) {
    Dims numbers = use.node().integers(key);
    if (numbers.empty())
        numbers.assign(axes, 1);
    const bool good = std::all_of(numbers.begin(), numbers.end(),
                                  [&](std::int64_t n) { return n >= least && n <= kMostStep; });
    if (numbers.size() != axes || !good)
        return use.fail("onnx-shape", "has " + key + " that do not fit its input");
    return axes == 1 ? ir::PerAxis(1, numbers[0]) : ir::PerAxis(numbers[0], numbers[1]);
}

std::optional<ir::Pads> explicitPads(const NodeUse& use, std::size_t axes) {
    Dims pads = use.node().integers("pads");
    if (pads.empty())
        pads.assign(2 * axes, 0);
    const bool good = std::all_of(pads.begin(), pads.end(),
                                  [](std::int64_t n) { return n >= 0 && n <= kMostStep; });
    if (pads.size() != 2 * axes || !good)
        return use.fail("onnx-shape", "has pads that do not fit its input, or negative ones",
                        "crop with Slice");
    if (axes == 1)
        return ir::Pads(0, pads[0], 0, pads[1]);
    return ir::Pads(pads[0], pads[1], pads[2], pads[3]);
}

/// Pads for ⌈size / stride⌉ results; the odd one below or above.
std::pair<std::int64_t, std::int64_t> samePads(std::int64_t size, std::int64_t window,
                                               std::int64_t stride, bool upper) {
    const std::int64_t results = (size + stride - 1) / stride;
    const std::int64_t all = std::max<std::int64_t>(0, (results - 1) * stride + window - size);
    return upper ? std::pair(all / 2, all - all / 2) : std::pair(all - all / 2, all / 2);
}

std::optional<ir::Pads> padsOf(const NodeUse& use, const WindowPlan& plan, const Dims& image,
                               std::size_t axes) {
    const std::string mode = use.node().text("auto_pad", "NOTSET");
    if (mode == "NOTSET")
        return explicitPads(use, axes);
    if (mode == "VALID")
        return ir::Pads();
    if (mode != "SAME_UPPER" && mode != "SAME_LOWER")
        return use.fail("onnx-unsupported", "has an unknown auto_pad");
    const bool upper = mode == "SAME_UPPER";
    const auto [top, bottom] =
        samePads(image[2], plan.extent().vertical, plan.stride.vertical, upper);
    const auto [left, right] =
        samePads(image[3], plan.extent().horizontal, plan.stride.horizontal, upper);
    return ir::Pads(top, left, bottom, right);
}

std::int64_t results(std::int64_t size, std::int64_t window, std::int64_t stride,
                     std::int64_t before, std::int64_t& after, bool ceil) {
    const std::int64_t free = size + before + after - window;
    if (free < 0)
        return 0;
    std::int64_t count = free / stride + 1;
    // A window that would start behind the last element is not counted.
    if (ceil && free % stride != 0 && count * stride < size + before)
        ++count;
    after = std::max(after, (count - 1) * stride + window - size - before);
    return count;
}

} // namespace

std::optional<Dims> imageShape(const NodeUse& use, const Dims& shape) {
    if (shape.size() != 4 && shape.size() != 3)
        return use.fail("onnx-unsupported",
                        "reads a tensor of " + std::to_string(shape.size()) + " dimensions",
                        "images [1, C, H, W] and signals [1, C, L] are imported");
    if (shape[0] != 1)
        return use.fail("onnx-unsupported", "reads a batch of " + std::to_string(shape[0]),
                        "export the network with a batch of 1, or with a dynamic one");
    if (shape.back() > (1 << 20) || shape[2] > (1 << 20))
        return use.fail("too-large", "reads an image of more than 2^20 rows or columns");
    return shape.size() == 4 ? shape : Dims{1, shape[1], 1, shape[2]};
}

std::optional<WindowPlan> windowPlan(const NodeUse& use, const Dims& shape, const Dims& kernel,
                                     bool ceil) {
    const auto image = imageShape(use, shape);
    if (!image)
        return std::nullopt;
    const std::size_t axes = shape.size() - 2;
    const Dims declared = use.node().integers("kernel_shape");
    const Dims& size = kernel.empty() ? declared : kernel;
    const bool fits = std::all_of(size.begin(), size.end(),
                                  [](std::int64_t n) { return n >= 1 && n <= kMostStep; });
    if (size.size() != axes || !fits || (!declared.empty() && declared != size))
        return use.fail("onnx-shape", "has a kernel_shape that does not fit its input");
    WindowPlan plan;
    plan.kernelH = axes == 2 ? size[0] : 1;
    plan.kernelW = size[axes - 1];
    const auto stride = perAxis(use, "strides", axes, 1);
    const auto dilation = perAxis(use, "dilations", axes, 1);
    if (!stride || !dilation)
        return std::nullopt;
    plan.stride = *stride;
    plan.dilationH = dilation->vertical;
    plan.dilationW = dilation->horizontal;
    const auto pad = padsOf(use, plan, *image, axes);
    if (!pad)
        return std::nullopt;
    plan.pad = *pad;
    plan.heightOut = results((*image)[2], plan.extent().vertical, stride->vertical, pad->top,
                             plan.pad.bottom, ceil);
    plan.widthOut = results((*image)[3], plan.extent().horizontal, stride->horizontal, pad->left,
                            plan.pad.right, ceil);
    if (plan.heightOut < 1 || plan.widthOut < 1)
        return use.fail("onnx-shape", "has a window larger than its input");
    return plan;
}

} // namespace marquetry::frontend::onnx
