// The functions of whole rows, and of elements on their own, that have units of their own
// (row_timing.h). Thread rule: value types.
#pragma once

#include <cstdint>

namespace marquetry::cost {

/// SubtractFrom: the second operand less the element. Second: that operand, whatever the element.
/// LookUp: the entry of a stored table that has the element's number.
enum class RowFunction : std::uint8_t {
    Softmax,
    LayerNorm,
    Add,
    Subtract,
    SubtractFrom,
    Multiply,
    Second,
    LookUp
};

/// What a function of elements has as its second operand: nothing of it, the element itself, a
/// stored tensor of the same extents, one of a row that all rows take, an entry of a stored table,
/// or constants: a number for each element, for each of a row, or for each row.
enum class SecondOperand : std::uint8_t {
    None,
    Itself,
    Elements,
    Row,
    Entry,
    ConstantElements,
    ConstantRow,
    ConstantOfRow
};

constexpr bool isConstant(SecondOperand second) {
    return second >= SecondOperand::ConstantElements;
}

} // namespace marquetry::cost
