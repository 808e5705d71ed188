#include "engine/lower_design/lane_pipe.h"

#include "engine/cost/write_back.h"
#include "engine/support/assert.h"
#include "engine/support/quote.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::Expr;
using rtl::signedConstant;

namespace {

/// Bits from `low` on of a signed number, as a signed number.
struct Part {
    Expr value;
    int low = 0;
    bool inLogic = false; ///< left over by a cut, and short
};

std::vector<Part> partsOf(const Expr& word, int width) {
    const int bits = word.width();
    std::vector<Part> parts;
    int low = 0;
    for (; bits - low > width; low += width - 1)
        parts.push_back(
            {rtl::join({rtl::constant(0, 1), word.slice(low, width - 1)}).asSigned(), low});
    parts.push_back({word.slice(low, bits - low).asSigned(), low, cost::lastInLogic(bits, width)});
    return parts;
}

/// A number times one or two bits of a signed one, the highest of which counts as negative where it
/// is the sign.
Expr timesBits(const Expr& number, const Expr& bits, bool sign) {
    const int width = number.width() + bits.width();
    const Expr none = signedConstant(0, 1).extended(width);
    const auto times = [&](int k) {
        const Expr moved = k == 0 ? number : rtl::join({number, rtl::zeros(k)}).asSigned();
        return choose(bits.bit(k), moved.extended(width), none);
    };
    const int high = bits.width() - 1;
    const Expr low = high == 0 ? none : times(0);
    return sign ? low - times(high) : low + times(high);
}

} // namespace

Timed LanePipe::registered(const std::string& name, const Expr& value, int clock) {
    const Expr next = m_.reg(name, value.type());
    m_.clocked(clock_, [&](rtl::Block& b) { b.set(next, value); });
    return {next, clock + 1};
}

Expr LanePipe::at(const Timed& value, int clock) {
    ENGINE_ASSERT(value.clock <= clock, "nothing is there before it was made");
    if (value.steady || value.value.constant())
        return value.value;
    Timed now = value;
    while (now.clock < clock)
        now = registered("later_" + std::to_string(next_++), now.value, now.clock);
    return now.value;
}

Timed LanePipe::product(const std::string& name, const Timed& a, const Timed& b) {
    const int begin = std::max(a.clock, b.clock);
    const Timed x = registered(name + "_x", at(a, begin), begin);
    const Timed y = registered(name + "_y", at(b, begin), begin);
    const bool wide = cost::firstIsWide(x.value.width(), y.value.width());
    const int full = x.value.width() + y.value.width();
    std::vector<Timed> sums;
    for (const Part& p : partsOf(x.value, wide ? cost::kWideFactor : cost::kNarrowFactor))
        for (const Part& q : partsOf(y.value, wide ? cost::kNarrowFactor : cost::kWideFactor)) {
            const auto add = [&](const Expr& both, int low) {
                const std::string part = name + "_" + std::to_string(sums.size());
                const Expr kept = registered(part + "_q", m_.wire(part, both), x.clock).value;
                const Expr high = kept.width() > full - low ? kept.slice(0, full - low).asSigned()
                                                            : kept.extended(full - low);
                sums.push_back(
                    {low == 0 ? high : rtl::join({high, rtl::zeros(low)}).asSigned(), x.clock + 1});
            };
            if (!p.inLogic && !q.inLogic) {
                add(rtl::product(p.value, q.value), p.low + q.low);
                continue;
            }
            const std::string part = name + "_" + std::to_string(sums.size());
            const Expr few = m_.wire(part + "_few", p.inLogic ? p.value : q.value);
            const Expr other = m_.wire(part + "_other", p.inLogic ? q.value : p.value);
            for (int bit = 0; bit < few.width(); bit += cost::kLogicStep) {
                const int bits = std::min(cost::kLogicStep, few.width() - bit);
                add(timesBits(other, few.slice(bit, bits), bit + bits == few.width()),
                    p.low + q.low + bit);
            }
        }
    return sumOf(name, std::move(sums));
}

Timed LanePipe::sumOf(const std::string& name, std::vector<Timed> parts) {
    for (int level = 0; parts.size() > 1; ++level) {
        std::vector<Timed> sums;
        for (std::size_t i = 0; i < parts.size(); i += 2) {
            const std::string sum =
                name + "_sum_" + std::to_string(level) + "_" + std::to_string(i / 2);
            const Expr value =
                i + 1 < parts.size() ? parts[i].value + parts[i + 1].value : parts[i].value;
            sums.push_back(registered(sum, value, parts[i].clock));
        }
        parts = std::move(sums);
    }
    return parts.front();
}

} // namespace marquetry::hdl
