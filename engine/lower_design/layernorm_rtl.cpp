// Layernorm as hardware: ir/op_eval_rows.cpp says what it computes.
#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/root_unit.h"
#include "engine/lower_design/row_frame.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class LayerNormBuilder {
public:
    LayerNormBuilder(const RtlPlan& plan, const RowPlan& rows)
        : rows_(rows),
          widths_(cost::normWidths(rows.shape)),
          m_(rows.module),
          frame_(m_, plan, rows) {}

    rtl::ModulePtr build() && {
        m_.comment(cat("Layernorm of layer \"", rows_.layer, "\": ", rows_.shape.rows, " rows of ",
                       rows_.shape.columns, ", ", rows_.shape.run, " elements per clock."));
        m_.comment(
            "Passes over a row: its sum; the sum of the squares of N times each element less");
        m_.comment("the sum, of which the root is the deviation; each distance divided by that.");
        m_.comment(cat("Cycles: ", rows_.cycles,
                       ". Resources: multipliers of the squares, dividers; no RAM."));
        frame_.read();
        sum();
        for (int lane = 0; lane < frame_.run(); ++lane)
            distances_.push_back(distance(lane));
        squares();
        deviation();
        divide();
        return finished(std::move(m_));
    }

private:
    Expr wide(const Expr& element, int width) const {
        return (rows_.operandSigned ? element.asSigned() : element).extended(width).asUnsigned();
    }

    /// A register that adds up what a pass gives.
    Expr accumulated(const std::string& name, int pass, const std::vector<Timed>& values) {
        const Timed part = frame_.reduced(name + "_part", values,
                                          [](const Expr& a, const Expr& b) { return a + b; });
        const Expr total = m_.reg(name, bits(part.value.width()));
        const Expr takes = m_.wire(name + "_takes", frame_.inPass(pass, part.clock));
        const Expr begins = frame_.first(part.clock);
        m_.clocked(frame_.clock(), [&](rtl::Block& b) {
            b.when(takes, [&](rtl::Block& then) {
                then.set(total, choose(begins, part.value, total + part.value));
            });
        });
        lastClock_ = part.clock;
        return total;
    }

    void sum() {
        std::vector<Timed> values;
        for (int lane = 0; lane < frame_.run(); ++lane)
            values.push_back(
                frame_.pipe().registered(cat("addend_", lane),
                                         wide(frame_.element(lane).value, widths_.distance) &
                                             frame_.inRow(lane, 0).repeated(widths_.distance),
                                         0));
        sum_ = accumulated("sum", 0, values);
    }

    /// N·x less the sum: a clock for each bit of N that is 1, and one for the difference.
    Timed distance(int lane) {
        const Timed& x = frame_.element(lane);
        const int width = widths_.distance;
        Timed times;
        for (int bit = 0; rows_.shape.columns >> bit > 0; ++bit) {
            if ((rows_.shape.columns >> bit & 1) == 0)
                continue;
            const int clock = times.exists() ? times.clock : 0;
            const Expr element = wide(frame_.pipe().at(x, clock), width);
            const Expr named = m_.wire(cat("x_", lane, "_", bit), element);
            const Expr shifted =
                bit == 0 ? named : rtl::join({named.slice(0, width - bit), rtl::zeros(bit)});
            const Expr value = times.exists() ? times.value + shifted : shifted;
            times = frame_.pipe().registered(cat("times_", lane, "_", bit), value, clock);
        }
        return frame_.pipe().registered(cat("distance_", lane), times.value - sum_, times.clock);
    }

    void squares() {
        std::vector<Timed> values;
        for (int lane = 0; lane < frame_.run(); ++lane) {
            const Timed& d = distances_[static_cast<std::size_t>(lane)];
            const Timed factor{d.value.asSigned(), d.clock};
            const Timed square = frame_.pipe().product(cat("square_", lane), factor, factor);
            ENGINE_ASSERT(square.clock == cost::rowStages(rows_.shape).square,
                          "as the cycle model says");
            const Expr named = m_.wire(cat("square_", lane, "_all"), square.value.asUnsigned());
            const Expr value = named.resized(widths_.squares);
            values.push_back(frame_.pipe().registered(
                cat("squared_", lane),
                value & frame_.inRow(lane, square.clock).repeated(widths_.squares), square.clock));
        }
        squares_ = accumulated("squares", 1, values);
    }

    /// Starts when the last squares are in their sum.
    void deviation() {
        const int clock = lastClock_ + 1;
        const Expr starts = m_.wire("root_starts", frame_.inPass(1, clock) & frame_.last(clock));
        const RootUnit root{rows_.shape.columns, widths_.radicand, widths_.root};
        const Expr found =
            rootOf(m_, frame_.clocking(), root, starts, rtl::join({squares_, rtl::zeros(16)}));
        const int width = widths_.root;
        deviation_ = m_.reg("deviation", bits(width));
        const int most = widths_.numerator;
        const int least = rows_.resultSigned ? rows_.shape.resultBits - 1 : -1;
        // Half of it, less itself times the least result.
        Expr offset = rtl::join({rtl::zeros(most - width + 1), deviation_.slice(1, width - 1)});
        if (least >= 0)
            offset = offset +
                     rtl::join({rtl::zeros(most - width - least), deviation_, rtl::zeros(least)});
        offset_ = m_.reg("offset", bits(most));
        m_.clocked(frame_.clock(), [&](rtl::Block& b) {
            b.set(deviation_, found | rtl::join({rtl::zeros(width - 1), found == 0}));
            b.set(offset_, offset);
        });
    }

    void divide() {
        std::vector<Expr> results;
        int clock = 0;
        for (int lane = 0; lane < frame_.run(); ++lane) {
            const Timed result = quotient(lane);
            results.push_back(result.value);
            clock = result.clock;
        }
        ENGINE_ASSERT(clock == cost::rowStages(rows_.shape).result, "as the cycle model says");
        frame_.write(results, clock);
    }

    /// From the least result on; what is below it, or more than the bits of a result above it, is
    /// limited.
    Timed quotient(int lane) {
        LanePipe& pipe = frame_.pipe();
        const Timed& d = distances_[static_cast<std::size_t>(lane)];
        const int most = widths_.numerator;
        const int shift = static_cast<int>(rows_.shape.shift) + 8;
        const int count = rows_.shape.resultBits;
        const int width = widths_.root;
        const Expr scaled = rtl::join({d.value, rtl::zeros(shift)}).asSigned().extended(most);
        const Expr named = m_.wire(cat("scaled_", lane), scaled.asUnsigned());
        const Timed num = pipe.registered(cat("numerator_", lane), named + offset_, d.clock);
        const Expr limit =
            m_.wire(cat("limit_", lane),
                    rtl::join({rtl::zeros(most - width - count), deviation_, rtl::zeros(count)}));
        const Timed below =
            pipe.registered(cat("below_", lane), num.value.bit(most - 1), num.clock);
        const Timed above = pipe.registered(cat("above_", lane), num.value >= limit, num.clock);
        const Timed rest = pipe.registered(cat("dividend_", lane), num.value, num.clock);
        const Timed found = frame_.quotient(cat("quotient_", lane), rest, deviation_, count);
        const Expr none = pipe.at(below, found.clock);
        const Expr all = pipe.at(above, found.clock);
        const Expr limited = choose(none, rtl::zeros(count), found.value | all.repeated(count));
        const Expr low = m_.wire(cat("limited_", lane), limited);
        const Expr sign = rows_.resultSigned ? rtl::join({constant(1, 1), rtl::zeros(count - 1)})
                                             : rtl::zeros(count);
        return pipe.registered(cat("result_", lane), low ^ sign, found.clock);
    }

    const RowPlan& rows_;
    cost::NormWidths widths_;
    rtl::Module m_;
    RowFrame frame_;
    Expr sum_, squares_, deviation_, offset_;
    int lastClock_ = 0; ///< at which a sum's parts are there
    std::vector<Timed> distances_;
};

} // namespace

rtl::ModulePtr layerNormModule(const RtlPlan& plan, const RowPlan& rows) {
    return LayerNormBuilder(plan, rows).build();
}

} // namespace marquetry::hdl
