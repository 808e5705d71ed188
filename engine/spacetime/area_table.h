// The figures of the area model, per bit of the operand (area.h).
//
// LUT figures are those of a 6-input LUT with a carry chain. They are measured: each is what Yosys
// 0.23 makes of the operator alone, as the mean over words of 8, 16 and 32 bits, to a tenth
// (tests/lower_stream/calibration/operators_test.cpp synthesises them again, and the products too).
// What a LUT stores is in device/lut6.h.
// Weights are the LUTs that a resource is worth when two stores are compared: the ratio of what a
// 7-series device has of each.
// Thread rule: constants.
#pragma once

#include "engine/ir/stream_op.h"

#include <array>

namespace marquetry::spacetime {

struct AtomArea {
    ir::StreamOp op;
    double lutPerBit;
};

inline constexpr std::array<AtomArea, 21> kAtomAreas = {{
    {ir::StreamOp::Abs, 1},   {ir::StreamOp::Not, 0}, // absorbed
    {ir::StreamOp::And, 1},   {ir::StreamOp::Or, 1},    {ir::StreamOp::Xor, 1},
    {ir::StreamOp::Add, 1},   {ir::StreamOp::Sub, 1},   {ir::StreamOp::Lt, 0.7},
    {ir::StreamOp::Eq, 0.5},  {ir::StreamOp::If, 1},    {ir::StreamOp::Min, 1.7},
    {ir::StreamOp::Max, 1.7}, {ir::StreamOp::Fst, 0},   {ir::StreamOp::Snd, 0},
    {ir::StreamOp::AsBit, 0}, // casts are wires
    {ir::StreamOp::AsI8, 0},  {ir::StreamOp::AsU8, 0},  {ir::StreamOp::AsI16, 0},
    {ir::StreamOp::AsU16, 0}, {ir::StreamOp::AsI32, 0}, {ir::StreamOp::AsU32, 0},
}};

/// A product of two numbers of at most so many bits: DSP blocks, and LUTs beside or instead.
struct ProductArea {
    int bits;
    double dsp;
    double lut;
    int delay; ///< clocks
};
inline constexpr std::array<ProductArea, 3> kProductAreas = {
    {{8, 0, 56, 1}, {17, 1, 0, 2}, {32, 3, 17, 4}}};

inline constexpr double kRegisterWeight = 0.5;
inline constexpr double kBlockRamWeight = 300;
/// LUTs of a bit that is loaded from either of two sources.
inline constexpr double kLoadPerBit = 1;

} // namespace marquetry::spacetime
