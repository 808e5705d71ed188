// What a change of layout stores (background/aetherling.md, "Changes of layout"): elements come in
// one layout and leave in another of the same time.
//
// An element is stored from the clock in which it comes until the clock in which it leaves. That is
// as early as the latest element allows. Layers with which both layouts begin repeat the change
// inside them. Repetitions in time overlap, so the storage is counted in the steady state.
//
// The elements stored in a clock are those that have come less those that have left, and both are
// counted by arithmetic. The cost looks at every element and clock inside the common layers up to
// kCountedElements. Beyond that it looks at kSampledElements at either end and as many evenly
// spread ones, which gives a lower bound. regroupingDelay is always exact.
// Complexity: linear in the elements and clocks looked at, times the depth. Thread rule: pure.
#pragma once

#include "engine/spacetime/seq_type.h"

#include <optional>

namespace marquetry::spacetime {

inline constexpr std::int64_t kCountedElements = 1 << 10;
/// Looked at when there are more, three times.
inline constexpr std::int64_t kSampledElements = 1 << 8;

/// A change of layout without the layers that begin both.
struct Regrouping {
    SeqType from;
    SeqType to;
    std::int64_t copies = 1; ///< side by side, for common layers in space
};
/// Of types with the same time and elements; works on their normal forms.
Regrouping withoutCommonLayers(const SeqType& from, const SeqType& to);

struct RegroupingCost {
    std::int64_t delay = 0;  ///< clocks; 0 when wires do
    std::int64_t stored = 0; ///< most elements that are stored at once, of all copies
};
RegroupingCost regroupingCost(const Regrouping& change);
/// From a few elements and clocks: neither figure is above the exact one.
RegroupingCost regroupingBound(const Regrouping& change);

/// Clocks by which the output starts after the input. Logarithmic in the elements unless layers of
/// one do not divide those of the other; then as many are looked at as the inner ones of these
/// hold. Nothing when these are more than kMaxTimedWords.
std::optional<std::int64_t> regroupingDelay(const SeqType& from, const SeqType& to);

/// The clock in which element `k` of a value is there.
std::int64_t clockOf(const SeqType& type, std::int64_t k);
/// Elements of a value that are there before `clock`.
std::int64_t countBefore(const SeqType& type, std::int64_t clock);

} // namespace marquetry::spacetime
