#include "engine/spacetime/regroup.h"

#include "engine/spacetime/layer_places.h"
#include "engine/support/limits.h"

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
std::int64_t latestDelay(const LayerPlaces& from, const LayerPlaces& to, std::int64_t samples) {
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
    RegroupingCost cost{latestDelay(from, to, samples), 0};
    forSamples(from.clocks(), samples, [&](std::int64_t clock) {
        cost.stored = std::max(cost.stored, from.countBefore(clock + 1) -
                                                to.countBefore(clock + 1 - cost.delay));
    });
    cost.stored *= change.copies;
    return cost;
}

constexpr std::int64_t kBoundSamples = 8;

/// A layer as a digit of the element's number: how many elements one of its own holds, and how much
/// later the next one of its own comes.
struct Digit {
    std::int64_t atoms;
    std::int64_t clocks;
};

/// Innermost first, layers of one element left out.
std::vector<Digit> digitsOf(const SeqType& type) {
    std::vector<Digit> digits;
    for (const SeqType* t = &type; !t->is(Kind::Atom); t = &t->element()) {
        if (t->length > 1)
            digits.push_back(
                {atomCount(t->element()), t->is(Kind::TSeq) ? clocks(t->element()) : 0});
    }
    std::ranges::reverse(digits);
    return digits;
}

/// The greatest difference of the clocks that an element has in two types of the same elements.
///
/// The clock is linear in every digit. Where a digit of one type is a product of digits of the
/// other, or the outer digits of both are as the common multiple of what they hold, the part of the
/// number above is independent of that below. What is left is linear between the multiples of the
/// sizes of digits.
class LatestElement {
public:
    LatestElement(const SeqType& come, const SeqType& leave)
        : size_(atomCount(come)), come_(digitsOf(come)), leave_(digitsOf(leave)) {}

    /// Nothing when there are too many elements to look at.
    std::optional<std::int64_t> latest() && {
        std::int64_t sum = 0;
        while (!come_.empty() && !leave_.empty()) {
            const Digit a = come_.back();
            const Digit b = leave_.back();
            const std::int64_t common = std::lcm(a.atoms, b.atoms);
            if (common == size_) { // neither is a part of the other
                const auto rest = looked();
                return rest ? std::optional(sum + *rest) : std::nullopt;
            }
            const std::int64_t later = common / a.atoms * a.clocks - common / b.atoms * b.clocks;
            sum += std::max<std::int64_t>(0, (size_ / common - 1) * later);
            size_ = common;
            dropWhole(come_);
            dropWhole(leave_);
        }
        return sum;
    }

private:
    /// Digits of one value, now that there are fewer elements.
    void dropWhole(std::vector<Digit>& digits) const {
        while (!digits.empty() && digits.back().atoms == size_)
            digits.pop_back();
    }

    std::int64_t difference(std::int64_t k) const { return clockOf(come_, k) - clockOf(leave_, k); }

    static std::int64_t clockOf(const std::vector<Digit>& digits, std::int64_t k) {
        std::int64_t clock = 0;
        for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
            clock += k / digit->atoms * digit->clocks;
            k %= digit->atoms;
        }
        return clock;
    }

    std::optional<std::int64_t> looked() const {
        std::int64_t latest = std::max(difference(0), difference(size_ - 1));
        std::int64_t left = kMaxTimedWords;
        for (const std::vector<Digit>* digits : {&come_, &leave_}) {
            for (const Digit& digit : *digits) {
                if (digit.atoms == 1)
                    continue;
                left -= size_ / digit.atoms;
                if (left < 0)
                    return std::nullopt;
                for (std::int64_t k = digit.atoms; k < size_; k += digit.atoms)
                    latest = std::max({latest, difference(k), difference(k - 1)});
            }
        }
        return latest;
    }

    std::int64_t size_;
    std::vector<Digit> come_; ///< innermost first, of `size_` elements
    std::vector<Digit> leave_;
};

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

std::optional<std::int64_t> regroupingDelay(const SeqType& from, const SeqType& to) {
    const Regrouping change = withoutCommonLayers(from, to);
    if (change.from == change.to)
        return 0;
    const auto latest = LatestElement(change.from, change.to).latest();
    return latest ? std::optional(1 + *latest) : std::nullopt;
}

RegroupingCost regroupingCost(const Regrouping& change) {
    const std::int64_t size = std::max(atomCount(change.from), clocks(change.from));
    return costOf(change, size <= kCountedElements ? size : kSampledElements);
}

RegroupingCost regroupingBound(const Regrouping& change) {
    return costOf(change, kBoundSamples);
}

} // namespace marquetry::spacetime
