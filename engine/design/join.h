// Joined calls: two calls as one, in which the second reads what the first still writes (`Seq`;
// EngineIR's R3-fuse across two units: background/engineir.md, "Rules and their conditions"). The
// first may be the transfer of an input.
//
// The reader starts a fixed number of clocks after the writer. This delay is the smallest with
// which it never reads a word before it is written, so the hardware needs no signal to wait for;
// while a transfer waits for its stream, its reader stands still. The buffer between the two has
// one writer and one reader, and both together take the delay plus the reader's cycles. The delay
// is found by stepping through both: a word is complete with its last block of rows or its last
// elements, and a pixel before the next one.
//
// Units: cycles. Complexity: O(words that the reader reads, row blocks but the first left out where
// they read the same again, + words written).
// Thread rule: pure.
#pragma once

#include "engine/design/schedule.h"

#include <cstdint>

namespace marquetry::design {

/// The writer's controller tells the reader's a clock ahead.
inline constexpr std::int64_t kLeastJoinDelay = 2;

/// Words of a tensor, and reductions of a call, that are stepped through at most. What is larger is
/// in no device, and is never joined.
inline constexpr double kMostJoinedWords = 1 << 20;
inline constexpr double kMostJoinedReductions = 1 << 24;

/// The call is small enough for joinDelay.
bool canBeJoined(const Schedule& schedule, const ComputeStep& reader);

/// Clocks from the start of `writer`, a load or a call, to the start of `reader`, which reads what
/// it writes. Never below what lets the reader end last.
std::int64_t joinDelay(const Schedule& schedule, const Step& writer, const ComputeStep& reader);

/// Step `index` is a call that reads what step `index` − 1, a load or a call, writes; the two use
/// different units and never the same port of a memory, and the call can be joined.
bool mayOverlap(const Schedule& schedule, std::size_t index);

} // namespace marquetry::design
