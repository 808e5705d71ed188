#include "engine/spacetime/wave.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

namespace {

std::int64_t leafCount(const SeqType& type) {
    return ir::words(atomOf(type));
}

/// Calls copy(position in the waves, position in the elements, words) for every run of words that
/// lies together in both.
template <class Copy>
void forEachRun(const SeqType& type, std::int64_t waves, const Copy& copy) {
    const SeqType& element = type.element();
    const std::int64_t whole = slotCount(type);
    const std::int64_t part = slotCount(element);
    if (type.is(Kind::TSeq)) {
        for (std::int64_t w = 0; w < waves; ++w)
            copy(w * whole, w * type.length * part, type.length * part);
        return;
    }
    const std::int64_t time = clocks(element);
    const std::int64_t row = part / time;
    for (std::int64_t w = 0; w < waves; ++w) {
        for (std::int64_t k = 0; k < type.length; ++k) {
            for (std::int64_t c = 0; c < time; ++c)
                copy(w * whole + (c * type.length + k) * row,
                     (w * type.length + k) * part + c * row, row);
        }
    }
}

std::int64_t waveCount(const SeqType& type, const Slots& slots, std::int64_t size) {
    ENGINE_ASSERT(static_cast<std::int64_t>(slots.size()) % size == 0,
                  ("the slots are whole waves of " + toString(type)).c_str());
    return static_cast<std::int64_t>(slots.size()) / size;
}

} // namespace

std::int64_t slotCount(const SeqType& type) {
    return clocks(type) * lanes(type) * leafCount(type);
}

Slots split(const SeqType& type, const Slots& waves) {
    const std::int64_t count = waveCount(type, waves, slotCount(type));
    Slots elements(static_cast<std::size_t>(count * type.length * slotCount(type.element())));
    forEachRun(type, count, [&](std::int64_t from, std::int64_t to, std::int64_t size) {
        std::copy_n(waves.begin() + from, size, elements.begin() + to);
    });
    return elements;
}

Slots join(const SeqType& type, const Slots& elements) {
    const std::int64_t count = waveCount(type, elements, type.length * slotCount(type.element()));
    Slots waves(static_cast<std::size_t>(count * slotCount(type)), kInvalid);
    forEachRun(type, count, [&](std::int64_t to, std::int64_t from, std::int64_t size) {
        std::copy_n(elements.begin() + from, size, waves.begin() + to);
    });
    return waves;
}

Slots toWave(const SeqType& type, const Slots& words) {
    return type.is(Kind::Atom) ? words : join(type, toWave(type.element(), words));
}

Slots fromWave(const SeqType& type, const Slots& waves) {
    return type.is(Kind::Atom) ? waves : fromWave(type.element(), split(type, waves));
}

Slots undefinedWave(const SeqType& type) {
    const auto size = static_cast<std::size_t>(atomCount(type) * leafCount(type));
    return toWave(type, Slots(size, ir::kUndefined));
}

} // namespace marquetry::spacetime
