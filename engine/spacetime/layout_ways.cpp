#include "engine/spacetime/layout_ways.h"

#include <optional>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

namespace {

/// A digit of the number of an atom, and how far apart it places them, in clocks or lanes.
struct Step {
    bool inTime;
    std::int64_t length;
    std::int64_t stride;
};

/// Outermost first, without those of one step.
std::vector<Step> stepsOf(const SeqType& type) {
    std::vector<Step> digits;
    for (const SeqType* t = &type; !t->is(Kind::Atom); t = &t->element()) {
        const bool inTime = t->is(Kind::TSeq);
        if (t->length > 1)
            digits.push_back(
                {inTime, t->length, inTime ? clocks(t->element()) : lanes(t->element())});
    }
    return digits;
}

/// Leaves the digits of an element of n, and returns those before; nothing where a digit belongs to
/// both.
std::optional<std::vector<Step>> splitOff(std::vector<Step>& digits, std::int64_t n) {
    std::vector<Step> outer;
    while (n > 1 && !digits.empty()) {
        Step& first = digits.front();
        if (n % first.length == 0) {
            n /= first.length;
            outer.push_back(first);
            digits.erase(digits.begin());
            continue;
        }
        if (first.length % n != 0)
            return std::nullopt;
        const std::int64_t inner = first.length / n;
        outer.push_back({first.inTime, n, first.stride * inner});
        first.length = inner;
        n = 1;
    }
    return n == 1 ? std::optional(outer) : std::nullopt;
}

/// The type with idle time behind, in all so many clocks.
std::optional<SeqType> lasting(SeqType type, std::int64_t time) {
    if (clocks(type) == time)
        return type;
    if (type.is(Kind::TSeq)) {
        const std::int64_t step = clocks(type.element());
        if (time % step != 0 || time / step < type.length)
            return std::nullopt;
        type.idle = time / step - type.length;
        return type;
    }
    if (type.is(Kind::SSeq)) {
        auto element = lasting(type.element(), time);
        return element ? std::optional(sseq(type.length, *std::move(element))) : std::nullopt;
    }
    const std::int64_t own = clocks(type);
    if (time % own != 0)
        return std::nullopt;
    return tseq(1, time / own - 1, std::move(type));
}

std::optional<SeqType> typeOf(const ir::StreamType& atom, const std::vector<Step>& digits,
                              std::int64_t time) {
    std::optional<SeqType> type = atomType(atom);
    for (std::size_t k = digits.size(); k-- > 0 && type;) {
        const Step& digit = digits[k];
        if (!digit.inTime) {
            type = sseq(digit.length, *std::move(type));
        } else if ((type = lasting(*std::move(type), digit.stride))) {
            type = tseq(digit.length, 0, *std::move(type));
        }
    }
    return type ? lasting(*std::move(type), time) : std::nullopt;
}

bool isLayoutOf(LayoutTable& layouts, const ir::StreamType& type, LayoutId layout) {
    if (ir::isAtom(type))
        return layouts.time(layout) == 1;
    if (type.is(ir::StreamType::Kind::STuple)) {
        auto digits = stepsOf(layouts.type(layout));
        const auto parts = splitOff(digits, type.length);
        const auto part = typeOf(ir::atomOf(type), digits, layouts.time(layout));
        return parts && part && layouts.intern(stuple(type.length, *part)) == layout &&
               isLayoutOf(layouts, type.element(), layouts.intern(*part));
    }
    return !waysToWrite(layouts, type, layout).empty();
}

} // namespace

std::vector<LayeredLayout> waysToWrite(LayoutTable& layouts, const ir::StreamType& type,
                                       LayoutId whole) {
    std::vector<Step> inner = stepsOf(layouts.type(whole));
    const auto outer = splitOff(inner, type.length);
    if (!outer || outer->size() > 2)
        return {};
    LayerShape shape;
    std::int64_t apart = layouts.time(whole); // from group to group
    for (const Step& digit : *outer) {
        const bool isGroup = digit.inTime && shape.groups == 1 && shape.lanes == 1;
        if (digit.inTime && !isGroup)
            return {};
        (digit.inTime ? shape.groups : shape.lanes) *= digit.length;
        apart = digit.inTime ? digit.stride : apart;
    }
    if (layouts.time(whole) % apart != 0)
        return {};
    shape.period = layouts.time(whole) / apart;
    std::vector<LayeredLayout> ways;
    for (const std::int64_t time : divisors(apart)) {
        const auto element = typeOf(ir::atomOf(type), inner, time);
        if (!element)
            continue;
        shape.spread = apart / time;
        const LayoutId id = layouts.intern(*element);
        if (layouts.around(shape, id) == whole && isLayoutOf(layouts, type.element(), id))
            ways.push_back({shape, id, whole});
    }
    return ways;
}

} // namespace marquetry::spacetime
