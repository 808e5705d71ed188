#include "engine/ir/unit.h"

namespace marquetry::ir {

namespace {

std::string timesText(std::initializer_list<std::int64_t> factors) {
    std::string text;
    for (std::int64_t factor : factors)
        text += (text.empty() ? "" : "×") + std::to_string(factor);
    return text;
}

std::string textOf(const PerAxis& extent) {
    const std::string rows = std::to_string(extent.vertical);
    return extent.isSquare() ? rows : rows + "×" + std::to_string(extent.horizontal);
}

/// " k3 s2": the window of a convolution.
std::string windowText(const UnitShape& shape) {
    return " k" + textOf(shape.kernel) +
           (shape.stride == PerAxis(1) ? "" : " s" + textOf(shape.stride));
}

} // namespace

std::string toString(const UnitShape& shape) {
    std::string text;
    switch (shape.function) {
    case UnitFunction::Dot:
        text = "Dot " + timesText({shape.rows, shape.cols});
        break;
    case UnitFunction::Mv:
        text = "Mv " + timesText({shape.rows, shape.cols});
        break;
    case UnitFunction::Conv:
        text = "Conv " + timesText({shape.height, shape.width, shape.channels}) + "→" +
               std::to_string(shape.rows) + windowText(shape);
        break;
    case UnitFunction::Map:
        text = "Map " + timesText({shape.height, shape.width, shape.rows});
        break;
    case UnitFunction::Mm:
        text = "Mm " + timesText({shape.height, shape.cols}) + "→" + std::to_string(shape.rows);
        break;
    case UnitFunction::Bmm:
        text = "Bmm " + timesText({shape.channels, shape.height, shape.cols}) + "→" +
               std::to_string(shape.rows);
        break;
    case UnitFunction::Conv1DW:
        text = "Conv1D_W " + timesText({shape.height, shape.rows}) + " k" + textOf(shape.kernel);
        break;
    case UnitFunction::Conv1DH:
        text = "Conv1D_H " + timesText({shape.rows, shape.width}) + " k" + textOf(shape.kernel);
        break;
    case UnitFunction::DwConv:
        text = "DwConv " + timesText({shape.height, shape.width, shape.rows}) + windowText(shape);
        break;
    case UnitFunction::Lanes:
        text = "Lanes " + std::to_string(shape.rows);
        break;
    }
    if (shape.parts != 1)
        text += " c" + std::to_string(shape.parts);
    if (shape.operand != Scalar::I8)
        text += " " + std::string(info(shape.operand).name);
    if (shape.weight != Scalar::I8)
        text += " w:" + std::string(info(shape.weight).name);
    return text;
}

} // namespace marquetry::ir
