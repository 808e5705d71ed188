// The functions of whole rows that have units of their own (row_timing.h). Thread rule: a value
// type.
#pragma once

#include <cstdint>

namespace marquetry::cost {

enum class RowFunction : std::uint8_t { Softmax, LayerNorm };

} // namespace marquetry::cost
