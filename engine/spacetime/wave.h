// Waves: values of space-time types, slot by slot.
//
// A wave of a type holds clocks(type) × lanes(type) slots of the atom's leaves, in this axis
// order: clock, lane, leaf. A slot holds a value of its leaf, ir::kUndefined (valid, but nobody
// may rely on it), or kInvalid in the idle time. Several waves of one type lie one after the
// other. Complexity of every function: linear in the slots. Thread rule: pure.
#pragma once

#include "engine/ir/stream_op.h"
#include "engine/spacetime/seq_type.h"

namespace marquetry::spacetime {

/// Never a value: the slot carries nothing.
inline constexpr std::int64_t kInvalid = ir::kUndefined + 1;

using Slots = std::vector<std::int64_t>;

/// Words of one wave.
std::int64_t slotCount(const SeqType& type);

/// The valid elements of each wave of an STuple, SSeq or TSeq, one after the other: `count` waves
/// become count · length waves of the element type.
Slots split(const SeqType& type, const Slots& waves);
/// The reverse: what lies between valid elements is kInvalid.
Slots join(const SeqType& type, const Slots& elements);

/// Words of a value of erase(type) in the order of L_seq to a wave, and back.
Slots toWave(const SeqType& type, const Slots& words);
Slots fromWave(const SeqType& type, const Slots& waves);

/// A wave that is undefined in all its valid slots.
Slots undefinedWave(const SeqType& type);

} // namespace marquetry::spacetime
