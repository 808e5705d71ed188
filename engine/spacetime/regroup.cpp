#include "engine/spacetime/regroup.h"

#include "engine/spacetime/layer_places.h"

#include <algorithm>
#include <numeric>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

namespace {

/// `count` elements of a layer without idle time.
SeqType shortened(const SeqType& type, std::int64_t count) {
    SeqType part = type;
    part.length = count;
    return normalize(part);
}

/// Layers in time whose valid and idle parts take the same time, as layers without idle time in
/// one of the parts; false unless what is valid repeats. The idle time behind does not matter then.
bool removeCommonIdleTime(Regrouping& change) {
    SeqType& a = change.from;
    SeqType& b = change.to;
    const std::int64_t clocksA = clocks(a.element());
    const std::int64_t clocksB = clocks(b.element());
    const bool sameParts =
        a.length * clocksA == b.length * clocksB && a.idle * clocksA == b.idle * clocksB;
    if (!sameParts || std::gcd(a.length, b.length) == 1)
        return false;
    a.idle = 0;
    b.idle = 0;
    return true;
}

/// Removes one layer, or a part of one, that both begin with; false when there is none.
bool removeCommonLayer(Regrouping& change) {
    SeqType& a = change.from;
    SeqType& b = change.to;
    if (a.is(Kind::Atom) || a.kind != b.kind)
        return false;
    if ((a.idle != 0 || b.idle != 0) && !removeCommonIdleTime(change))
        return false;
    const std::int64_t common = std::gcd(a.length, b.length);
    if (common == 1)
        return false;
    change.copies *= a.is(Kind::TSeq) ? 1 : common;
    a = shortened(a, a.length / common);
    b = shortened(b, b.length / common);
    return true;
}

/// Calls look(k) for numbers below `size`: `samples` at either end and as many evenly spread; all
/// when there are fewer.
template <class Look>
void forSamples(std::int64_t size, std::int64_t samples, const Look& look) {
    if (size <= samples) {
        for (std::int64_t k = 0; k < size; ++k)
            look(k);
        return;
    }
    for (std::int64_t k = 0; k < samples; ++k) {
        look(k);
        look(size - 1 - k);
        look(k * (size / samples));
    }
}

/// The delay that the elements looked at need.
std::int64_t delayOf(const LayerPlaces& from, const LayerPlaces& to, std::int64_t samples) {
    std::int64_t latest = 0;
    forSamples(from.atoms(), samples, [&](std::int64_t k) {
        latest = std::max(latest, 1 + from.clockOf(k) - to.clockOf(k));
    });
    return latest;
}

RegroupingCost costOf(const Regrouping& change, std::int64_t samples) {
    if (change.from == change.to)
        return {};
    const LayerPlaces from(change.from);
    const LayerPlaces to(change.to);
    RegroupingCost cost{delayOf(from, to, samples), 0};
    forSamples(from.clocks(), samples, [&](std::int64_t clock) {
        cost.stored = std::max(cost.stored, from.countBefore(clock + 1) -
                                                to.countBefore(clock + 1 - cost.delay));
    });
    cost.stored *= change.copies;
    return cost;
}

constexpr std::int64_t kBoundSamples = 8;

} // namespace

std::int64_t clockOf(const SeqType& type, std::int64_t k) {
    return LayerPlaces(type).clockOf(k);
}

std::int64_t countBefore(const SeqType& type, std::int64_t clock) {
    return LayerPlaces(type).countBefore(clock);
}

Regrouping withoutCommonLayers(const SeqType& from, const SeqType& to) {
    Regrouping change{normalize(from), normalize(to), 1};
    while (removeCommonLayer(change)) {
    }
    return change;
}

std::int64_t regroupingDelay(const SeqType& from, const SeqType& to) {
    const Regrouping change = withoutCommonLayers(from, to);
    if (change.from == change.to)
        return 0;
    const LayerPlaces layers(change.from);
    return delayOf(layers, LayerPlaces(change.to), layers.atoms());
}

RegroupingCost regroupingCost(const Regrouping& change) {
    const std::int64_t size = std::max(atomCount(change.from), clocks(change.from));
    return costOf(change, size <= kCountedElements ? size : kSampledElements);
}

RegroupingCost regroupingBound(const Regrouping& change) {
    return costOf(change, kBoundSamples);
}

} // namespace marquetry::spacetime
