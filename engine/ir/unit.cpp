#include "engine/ir/unit.h"

namespace marquetry::ir {

namespace {

std::string timesText(std::initializer_list<std::int64_t> factors) {
    std::string text;
    for (std::int64_t factor : factors)
        text += (text.empty() ? "" : "×") + std::to_string(factor);
    return text;
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
               std::to_string(shape.rows) + " k" + std::to_string(shape.kernel);
        if (shape.stride != 1)
            text += " s" + std::to_string(shape.stride);
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
        text = "Conv1D_W " + timesText({shape.height, shape.rows}) + " k" +
               std::to_string(shape.kernel);
        break;
    case UnitFunction::Conv1DH:
        text = "Conv1D_H " + timesText({shape.rows, shape.width}) + " k" +
               std::to_string(shape.kernel);
        break;
    case UnitFunction::DwConv:
        text = "DwConv " + timesText({shape.height, shape.width, shape.rows}) + " k" +
               std::to_string(shape.kernel);
        if (shape.stride != 1)
            text += " s" + std::to_string(shape.stride);
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
