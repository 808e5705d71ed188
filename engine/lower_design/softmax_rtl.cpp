// Softmax as hardware: ir/op_eval_rows.cpp says what it computes.
#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/row_frame.h"
#include "engine/rtl/names.h"
#include "engine/support/checked_math.h"

#include <cmath>

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

constexpr int kIndexBits = 8;
constexpr int kExponentBits = 8;

/// 255·2^(−k/16), rounded, for k = 0 … 255: a word a line, in hex digits.
SharedText exponentials() {
    auto text = std::make_shared<std::string>();
    for (int k = 0; k < 1 << kIndexBits; ++k) {
        const auto value = static_cast<unsigned>(std::floor(255.0 * std::exp2(-k / 16.0) + 0.5));
        *text += "0123456789abcdef"[value / 16];
        *text += "0123456789abcdef"[value % 16];
        *text += "\n";
    }
    return text;
}

/// index → exponential, a clock later.
rtl::ModulePtr exponentialModule(const std::string& name) {
    rtl::Module m(name);
    m.comment("Exponentials of softmax: 255 * 2^(-index / 16), rounded.");
    m.comment("Cycles: 1 per read. Resources: a table of 256 words.");
    const Expr clock = m.input("aclk");
    const Expr index = m.input("index", bits(kIndexBits));
    const Expr q = m.outputRegister("q", bits(kExponentBits));
    const rtl::Memory words = m.memory("words", bits(kExponentBits), 1 << kIndexBits);
    m.fill(words, exponentials());
    m.clocked(clock, [&](rtl::Block& b) { b.set(q, words[index]); });
    return finished(std::move(m));
}

class SoftmaxBuilder {
public:
    SoftmaxBuilder(DesignLibrary& library, const RtlPlan& plan, const RowPlan& rows)
        : library_(library), rows_(rows), m_(rows.module), frame_(m_, plan, rows) {}

    rtl::ModulePtr build() && {
        m_.comment(cat("Softmax of layer \"", rows_.layer, "\": ", rows_.shape.rows, " rows of ",
                       rows_.shape.columns, ", ", rows_.shape.run, " elements per clock."));
        m_.comment("Passes over a row: its greatest element, the sum of the exponentials of the");
        m_.comment("distances from it, and 255 times each exponential divided by the sum.");
        m_.comment(cat("Cycles: ", rows_.cycles, ". Resources: dividers, tables; no DSP."));
        frame_.read();
        greatest();
        const std::vector<Timed> exponents = exponentialsOfRun();
        addUp(exponents);
        divide(exponents);
        return finished(std::move(m_));
    }

private:
    Expr typed(const Expr& element) const {
        return rows_.operandSigned ? element.asSigned() : element;
    }

    /// Elements behind the row count as the least number.
    void greatest() {
        const int width = rows_.shape.operandBits;
        const Expr least = rows_.operandSigned ? rtl::join({constant(1, 1), rtl::zeros(width - 1)})
                                               : rtl::zeros(width);
        std::vector<Timed> values;
        for (int lane = 0; lane < frame_.run(); ++lane)
            values.push_back(frame_.pipe().registered(
                cat("candidate_", lane),
                choose(frame_.inRow(lane, 0), frame_.element(lane).value, least), 0));
        const auto larger = [&](const Expr& a, const Expr& b) {
            return choose(typed(a) > typed(b), a, b);
        };
        const Timed best = frame_.reduced("best", values, larger);
        peak_ = m_.reg("peak", bits(width));
        const Expr takes = m_.wire("peak_takes", frame_.inPass(0, best.clock));
        const Expr begins = frame_.first(best.clock);
        m_.clocked(frame_.clock(), [&](rtl::Block& b) {
            b.when(takes, [&](rtl::Block& then) {
                then.set(peak_, choose(begins, best.value, larger(best.value, peak_)));
            });
        });
    }

    std::vector<Timed> exponentialsOfRun() {
        const int width = rows_.shape.operandBits;
        const rtl::ModulePtr table = library_.once("exponentials", exponentialModule);
        std::vector<Timed> exponents;
        for (int lane = 0; lane < frame_.run(); ++lane) {
            const Timed& x = frame_.element(lane);
            // As unsigned numbers of so many bits they differ by as much.
            const Timed distance =
                frame_.pipe().registered(cat("distance_", lane), peak_ - x.value, x.clock);
            Expr index = distance.value;
            if (width > kIndexBits) {
                const Expr far = rtl::anyOf(distance.value.slice(kIndexBits, width - kIndexBits));
                index = choose(far, constant(255, kIndexBits), distance.value.slice(0, kIndexBits));
            }
            const Timed at = frame_.pipe().registered(cat("index_", lane), index, distance.clock);
            const Expr q = m_.wire(cat("exponential_", lane), bits(kExponentBits));
            m_.instance(table, cat("table_", lane),
                        {{"aclk", frame_.clock()}, {"index", at.value}, {"q", q}});
            exponents.push_back({q, at.clock + 1});
        }
        return exponents;
    }

    void addUp(const std::vector<Timed>& exponents) {
        const int width = bitsFor(rows_.shape.columns * 255 + 1);
        std::vector<Timed> values;
        for (int lane = 0; lane < frame_.run(); ++lane) {
            const Timed& e = exponents[static_cast<std::size_t>(lane)];
            const Expr counts = frame_.inRow(lane, e.clock).repeated(kExponentBits);
            values.push_back(
                {m_.wire(cat("counted_", lane), (e.value & counts).extended(width)), e.clock});
        }
        const Timed part =
            frame_.reduced("part", values, [](const Expr& a, const Expr& b) { return a + b; });
        sum_ = m_.reg("sum", bits(width));
        const Expr takes = m_.wire("sum_takes", frame_.inPass(1, part.clock));
        const Expr begins = frame_.first(part.clock);
        m_.clocked(frame_.clock(), [&](rtl::Block& b) {
            b.when(takes, [&](rtl::Block& then) {
                then.set(sum_, choose(begins, part.value, sum_ + part.value));
            });
        });
    }

    /// (255·e + ⌊sum / 2⌋) / sum, which is at most 255.
    void divide(const std::vector<Timed>& exponents) {
        const int width = std::max(sum_.width(), 2 * kExponentBits) + 1;
        const Expr half =
            m_.wire("half", sum_.width() > 1 ? sum_.slice(1, sum_.width() - 1) : rtl::zeros(1));
        std::vector<Expr> results;
        int clock = 0;
        for (int lane = 0; lane < frame_.run(); ++lane) {
            const Timed& e = exponents[static_cast<std::size_t>(lane)];
            const Expr times = rtl::join({e.value, rtl::zeros(kExponentBits)}).extended(width) -
                               e.value.extended(width);
            const Timed numerator = frame_.pipe().registered(cat("numerator_", lane),
                                                             times + half.extended(width), e.clock);
            const Timed result =
                frame_.quotient(cat("quotient_", lane), numerator, sum_, kExponentBits);
            results.push_back(result.value);
            clock = result.clock;
        }
        frame_.write(results, clock);
    }

    DesignLibrary& library_;
    const RowPlan& rows_;
    rtl::Module m_;
    RowFrame frame_;
    Expr peak_, sum_;
};

} // namespace

rtl::ModulePtr softmaxModule(DesignLibrary& library, const RtlPlan& plan, const RowPlan& rows) {
    return SoftmaxBuilder(library, plan, rows).build();
}

} // namespace marquetry::hdl
