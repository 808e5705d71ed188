#include "engine/lower_design/rounding_pipe.h"

#include "engine/lower_design/saturate.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::Expr;
using rtl::signedConstant;

namespace {

class RoundingPipe {
public:
    RoundingPipe(LanePipe& pipe, const RoundingModes& modes, const Timed& value, Timed shift)
        : pipe_(pipe), m_(pipe.module()), r_(modes), value_(value), shift_(std::move(shift)) {}

    Timed run() && {
        if (r_.mostShift > 0)
            divide();
        offset();
        return saturate();
    }

private:
    std::string name(const char* what) const { return r_.name + "_" + what; }

    template <class Of>
    std::vector<std::int64_t> each(const Of& of) const {
        std::vector<std::int64_t> values;
        for (const design::RequantStage& mode : r_.modes)
            values.push_back(of(mode));
        return values;
    }

    bool rounds(ir::Rounding how) const {
        return std::ranges::any_of(r_.modes, [&](const auto& m) { return m.round == how; });
    }

    /// A bit that says in which modes it is so.
    Expr isOne(const char* what, bool (*is)(const design::RequantStage&)) const {
        return r_.byMode(name(what), 1, each([&](const auto& m) { return is(m) ? 1 : 0; }));
    }

    /// Of a shift s: for each of the bits below `width`, whether s is `more` above it, or (beyond)
    /// further above.
    Expr decoded(const Expr& shift, int width, int more, bool beyond) const {
        std::vector<Expr> highFirst;
        for (int bit = width; bit-- > 0;)
            highFirst.push_back(isShift(shift, bit + more, beyond));
        return rtl::join(highFirst);
    }

    /// The shift is `s`, or beyond it.
    Expr isShift(const Expr& shift, int s, bool beyond) const {
        if (s < r_.leastShift || s > r_.mostShift || (beyond && s == r_.mostShift))
            return rtl::constant(beyond && s < r_.leastShift ? 1 : 0, 1);
        if (shift.size() == rtl::Size(0))
            return rtl::constant(beyond ? 0 : 1, 1);
        const std::int64_t field = s - r_.leastShift;
        return beyond ? shift >= field + 1 : shift == field;
    }

    /// What is added before the bits are cut off; at `clock` as the shift and the value's sign.
    Expr increment(const Expr& shift, const Expr& value, int width) const {
        const Expr none = rtl::zeros(width);
        const Expr halves = isOne(
            "halves", [](const design::RequantStage& m) { return m.round != ir::Rounding::Down; });
        Expr sum = decoded(shift, width, 1, false) & halves.repeated(width);
        if (rounds(ir::Rounding::Away)) {
            const Expr less =
                isOne("away",
                      [](const design::RequantStage& m) { return m.round == ir::Rounding::Away; }) &
                value.bit(value.width() - 1);
            sum = choose(less, decoded(shift, width, 1, true), sum);
        }
        const auto ties = each([](const auto& m) { return m.tie; });
        if (std::ranges::any_of(ties, [](std::int64_t tie) { return tie != 0; }))
            sum = sum | r_.byMode(name("tie"), 63, ties).resized(width);
        return sum;
    }

    void divide() {
        const int width = std::max(value_.value.width(), r_.mostShift) + 2;
        const int begin = std::max(value_.clock, shift_.exists() ? shift_.clock : 0);
        const Expr v = pipe_.at(value_, begin);
        const Expr s = shift_.exists() ? pipe_.at(shift_, begin) : Expr();
        const Timed more = pipe_.registered(name("more"), increment(s, v, width), begin);
        const Timed kept = pipe_.registered(name("kept"), v, begin);
        const Timed total = pipe_.registered(
            name("total"), kept.value.extended(width) + more.value.asSigned(), begin + 1);
        if (rounds(ir::Rounding::Even))
            tie_ = tie(total);
        shiftRight(total);
    }

    /// The remainder is so small that a half, or nearly one, was rounded up.
    Timed tie(const Timed& total) {
        const int width = total.value.width();
        const Expr s = shift_.exists() ? pipe_.at(shift_, total.clock) : Expr();
        const Expr below = decoded(s, width, 0, true);
        const Timed rest =
            pipe_.registered(name("rest"), total.value.asUnsigned() & below, total.clock);
        const auto ties = each([](const auto& m) { return 2 * m.tie; });
        const Expr even = isOne(
            "even", [](const design::RequantStage& m) { return m.round == ir::Rounding::Even; });
        const bool exact = std::ranges::all_of(ties, [](std::int64_t tie) { return tie == 0; });
        const Expr small = exact ? ~rtl::anyOf(rest.value)
                                 : rest.value <= r_.byMode(name("ties"), 63, ties).resized(width);
        // Nothing is divided, nothing is a half.
        const Timed cuts = pipe_.registered(name("cuts"), decoded(s, 1, 0, true), total.clock);
        return pipe_.registered(name("is_tie"), small & even & cuts.value, rest.clock);
    }

    /// By what every shift has, then by the field: eights first.
    void shiftRight(const Timed& total) {
        const int low = r_.leastShift;
        Timed now{
            m_.wire(name("high"), total.value.slice(low, total.value.width() - low).asSigned()),
            total.clock};
        const int bits = shift_.exists() ? shift_.value.width() : 0;
        if (bits > 3) {
            const Expr eights =
                rtl::join({pipe_.at(shift_, now.clock).slice(3, bits - 3), rtl::zeros(3)});
            now = pipe_.registered(name("eights"), now.value >> eights, now.clock);
        }
        if (bits > 0) {
            const Expr ones = pipe_.at(shift_, now.clock).slice(0, std::min(bits, 3));
            now = pipe_.registered(name("shifted"), now.value >> ones, now.clock);
        }
        value_ = now;
    }

    void offset() {
        const auto zeros = each([](const auto& m) { return m.zero; });
        if (tie_.exists()) {
            const int begin = std::max(value_.clock, tie_.clock);
            const Expr v = pipe_.at(value_, begin);
            const Expr low = v.bit(0) & ~pipe_.at(tie_, begin);
            const Expr cleared = v.width() == 1 ? low : rtl::join({v.slice(1, v.width() - 1), low});
            value_ = pipe_.registered(name("rounded"), cleared.asSigned(), begin);
        }
        if (std::ranges::all_of(zeros, [](std::int64_t zero) { return zero == 0; }))
            return;
        const int width = std::max(value_.value.width(), 32) + 1;
        value_ = pipe_.registered(name("offset"),
                                  value_.value.extended(width) +
                                      r_.byMode(name("zero"), 32, zeros).asSigned().extended(width),
                                  value_.clock);
    }

    /// By mode, the nearest value of its scalar.
    Timed saturate() {
        int bits = 1;
        for (const design::RequantStage& mode : r_.modes)
            bits = std::max(bits, valueBitsOf(mode.to));
        std::vector<std::pair<ir::Scalar, bool>> forms;
        std::vector<std::int64_t> formOf;
        for (std::size_t k = 0; k < r_.modes.size(); ++k) {
            const std::pair form{r_.modes[k].to, static_cast<bool>(r_.wraps[k])};
            const auto found = std::ranges::find(forms, form);
            formOf.push_back(found - forms.begin());
            if (found == forms.end())
                forms.push_back(form);
        }
        Expr result;
        const int choice = bitsFor(std::ssize(forms));
        for (std::size_t k = 0; k < forms.size(); ++k) {
            const Expr one = limited(k, forms[k]).extended(bits);
            if (k == 0) {
                result = one;
                continue;
            }
            const Expr is = r_.byMode(name("form"), choice, formOf) == static_cast<std::int64_t>(k);
            result = choose(is, one, result);
        }
        return pipe_.registered(name("limited"), result, value_.clock);
    }

    Expr limited(std::size_t number, const std::pair<ir::Scalar, bool>& form) const {
        const int bits = valueBitsOf(form.first);
        const std::string to = name("to_") + std::to_string(number);
        const Expr one = form.second
                             ? value_.value.resized(bits)
                             : saturated(m_, to, value_.value, bits, ir::info(form.first).isSigned);
        return m_.wire(to, one);
    }

    LanePipe& pipe_;
    rtl::Module& m_;
    const RoundingModes& r_;
    Timed value_;
    Timed shift_;
    Timed tie_;
};

} // namespace

int valueBitsOf(ir::Scalar scalar) {
    return ir::info(scalar).bits + (ir::info(scalar).isSigned ? 0 : 1);
}

Timed rounded(LanePipe& pipe, const RoundingModes& modes, Timed value, const Timed& shift) {
    return RoundingPipe(pipe, modes, value, shift).run();
}

} // namespace marquetry::hdl
