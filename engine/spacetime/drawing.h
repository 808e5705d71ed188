// Two space-time types next to each other, as lanes × clocks: which element is where, when.
//
//   found                 expected
//   TSeq 2 1 (SSeq 2 u8)  TSeq 3 0 u8
//   lane 0  0 2 .         lane 0  0 1 2
//   lane 1  1 3 .
//
// Elements are numbered in the order of L_seq, "." is an invalid slot. Big types are cut at
// kDrawnClocks and kDrawnLanes, with "…". Thread rule: pure.
#pragma once

#include "engine/spacetime/seq_type.h"

namespace marquetry::spacetime {

inline constexpr std::int64_t kDrawnClocks = 16;
inline constexpr std::int64_t kDrawnLanes = 8;

/// The element in a slot; −1 when the slot is invalid. O(depth).
std::int64_t elementAt(const SeqType& type, std::int64_t clock, std::int64_t lane);

std::vector<std::string> draw(const SeqType& type);
/// The lines of both, `found` on the left.
std::vector<std::string> drawBoth(const SeqType& found, const SeqType& expected);

} // namespace marquetry::spacetime
