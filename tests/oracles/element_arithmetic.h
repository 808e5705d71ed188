// What the functional simulator computes of elements: words of a number of bits, the stages of an
// epilogue, and functions of rows, each as it is defined and not as hardware computes it.
//
// Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"
#include "engine/design/write_back.h"

#include <cstdint>
#include <vector>

namespace marquetry::design {

__extension__ using Wide = __int128;

/// What a memory starts with, so that a schedule which reads what it never wrote shows.
std::vector<std::int32_t> noise(const Slot& slot);

/// The low bits of a value, read back as the scalar.
std::int32_t wrapTo(int bits, bool isSigned, std::int64_t value);
std::int32_t wrapTo(ir::Scalar scalar, std::int64_t value);
std::int32_t wrap32(std::int64_t value);

/// A product / 2^shift, rounded as the stage says, with its zero point, within its type.
std::int32_t limited(const RequantStage& stage, Wide product, std::int64_t shift);
std::int32_t apply(const RequantStage& stage, std::int32_t value);
/// With the numbers of the row.
std::int32_t apply(const RequantStage& stage, std::int32_t value, const ScaleFields& numbers);
std::int32_t apply(const ActivationStage& stage, std::int32_t value);

/// The sum of a write-back, with its factors where it has some.
std::int32_t withAddend(const Epilogue& epilogue, std::int32_t value, std::int32_t addend);
std::int32_t pooledWith(PoolKind kind, std::int32_t before, std::int32_t value);

/// Of a function of elements, modulo 2^32.
std::int32_t elementOf(cost::RowFunction function, std::int64_t first, std::int64_t second);
/// The least common multiple of how many elements windows of an average hold, divided by how many
/// the pixel's window holds.
std::int64_t averageFactor(const ir::Program& program, const ir::Value& average,
                           std::int64_t pixel);

/// Of a function of rows.
std::vector<Wide> rowOf(cost::RowFunction function, const std::vector<Wide>& row,
                        std::int64_t shift, ir::Scalar to);
/// 255 times the share of each 2^((x − greatest) / 16), rounded to 255ths first.
std::vector<Wide> softmaxOf(const std::vector<Wide>& row);
/// In steps of 2^-shift: the greatest root whose square is not above is found by halving.
std::vector<Wide> normalised(const std::vector<Wide>& row, std::int64_t shift,
                             const ir::ScalarInfo& to);

} // namespace marquetry::design
