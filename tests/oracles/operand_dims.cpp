// The extents of what units compute with.
#include "tests/oracles/denotation.h"

namespace marquetry::rules {

using ir::Shape;
using ir::UnitFunction;
using ir::UnitShape;

namespace {

/// What the windows of a convolution cover.
Shape imageOf(const UnitShape& shape, std::int64_t channels) {
    return {(shape.height - 1) * shape.stride.vertical + shape.kernel.vertical,
            (shape.width - 1) * shape.stride.horizontal + shape.kernel.horizontal, channels};
}

} // namespace

std::array<Shape, 2> operandDims(const UnitShape& shape) {
    switch (shape.function) {
    case UnitFunction::Dot:
        return {Shape{shape.rows, shape.cols}, Shape{shape.rows, shape.cols}};
    case UnitFunction::Mv:
        return {Shape{shape.cols}, Shape{shape.rows, shape.cols}};
    case UnitFunction::Conv:
        return {imageOf(shape, shape.channels),
                Shape{shape.rows, shape.kernel.vertical, shape.kernel.horizontal, shape.channels}};
    case UnitFunction::DwConv:
        return {imageOf(shape, shape.rows),
                Shape{shape.rows, shape.kernel.vertical, shape.kernel.horizontal}};
    case UnitFunction::Lanes:
        return {Shape{shape.rows, shape.cols}, Shape{shape.rows, shape.cols}};
    case UnitFunction::Mm:
        return {Shape{shape.height, shape.cols}, Shape{shape.rows, shape.cols}};
    case UnitFunction::Bmm:
        return {Shape{shape.channels, shape.height, shape.cols},
                Shape{shape.channels, shape.rows, shape.cols}};
    case UnitFunction::Conv1DW:
        return {Shape{shape.height, shape.rows + shape.kernel.vertical - 1},
                Shape{shape.kernel.vertical}};
    case UnitFunction::Conv1DH:
        return {Shape{shape.rows + shape.kernel.vertical - 1, shape.width},
                Shape{shape.kernel.vertical}};
    case UnitFunction::Map:
        break;
    }
    return {Shape{shape.height, shape.width, shape.rows}, Shape{}};
}

} // namespace marquetry::rules
