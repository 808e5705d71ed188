#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/stream_unit_position.h"
#include "engine/lower_stream/stream_kernel.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class StreamUnitBuilder {
public:
    StreamUnitBuilder(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                      const cost::StreamCircuit& circuit)
        : library_(library),
          plan_(plan),
          unit_(unit),
          s_(*unit.stream),
          circuit_(circuit),
          epilogue_(planEpilogue(unit)),
          m_(unit.module) {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        operand();
        steps();
        const Expr rowEnd = m_.wire("row_end", pixel_ & xEnd_);
        y_ = axisPosition(m_, clocking_, s_, {"y", s_.height, s_.outHeight}, rowEnd, yEnd_);
        x_ = axisPosition(m_, clocking_, s_, {"x", s_.width, s_.outWidth}, pixel_, xEnd_);
        if (epilogue_.pools)
            column(rowEnd);
        flags();
        kernel();
        rows();
        writeBack();
        epilogues();
        return finished(std::move(m_));
    }

private:
    void comment() {
        const std::string throughput = s_.interval == 1 ? "1" : cat("1/", s_.interval);
        m_.comment(cat("Unit ", unit_.name, ": convolution of layer ", unit_.layers.front(),
                       " with its weights inside, ", throughput, " pixels per clock."));
        m_.comment(cat("Takes ", s_.height, " x ", s_.width, " pixels of ", s_.channels,
                       " channels in raster order, padding included; gives ", s_.rows, " rows, ",
                       unit_.parallel, " per clock."));
        m_.comment(cat("Cycles: ", unit_.cycles, " a call, latency ", s_.latency, " pixels."));
        m_.comment("Resources: sums of shifted words, line buffers; no multiplier.");
    }

    void ports() {
        clocking_ = {m_.input("aclk"), m_.input("aresetn")};
        issue_ = m_.input("issue");
        first_ = m_.input("first");
        if (s_.padded)
            outside_ = m_.input("outside");
        word_ = m_.input("operand", bits(plan_.lanes * unit_.operandBits));
        resultValid_ = m_.output("result_valid");
        result_ = m_.output("result", bits(unit_.parallel * unit_.resultBits));
    }

    Expr reg(const std::string& name, const Expr& next) {
        const Expr word = m_.reg(name, bits(next.size()));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) { b.set(word, next); });
        return word;
    }

    /// Takes the next word in each step.
    Expr stepped(const std::string& name, const Expr& next) {
        const Expr word = m_.reg(name, bits(next.size()));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.when(step_, [&](rtl::Block& then) { then.set(word, next); });
        });
        return word;
    }

    /// The channels of the pixel; the others of the word are not looked at.
    void operand() {
        const std::int64_t width = s_.channels * unit_.operandBits;
        if (word_.width() > width)
            leaveUnused(m_, word_);
        Expr next = word_.slice(0, width);
        if (s_.padded) {
            m_.note("Zero padding: words outside the input count as zero.");
            next = choose(reg("outside_q", reg("outside_read", outside_)), rtl::zeros(width), next);
        }
        operand_ = reg("operand_q", next);
    }

    /// A pixel is there three clocks after its address; behind the last one the kernel is moved on
    /// until all results are out, and starts anew.
    void steps() {
        m_.blank();
        const Expr read = reg("pixel_1", clocking_.reset & issue_ & first_);
        pixel_ = reg("pixel", clocking_.reset & reg("pixel_2", clocking_.reset & read));
        xEnd_ = m_.wire("x_end", bits(1));
        yEnd_ = m_.wire("y_end", bits(1));
        if (s_.latency == 0) {
            step_ = pixel_;
            restart_ = reg("restart", pixel_ & xEnd_ & yEnd_);
            return;
        }
        const Expr left = m_.reg("steps_left", bits(bitsFor(s_.latency + 1)));
        Expr flush = ~pixel_ & (left != 0);
        Expr since;
        if (s_.interval > 1) {
            since = m_.reg("since", bits(bitsFor(s_.interval)));
            flush = flush & (since == s_.interval - 1);
        }
        flush = m_.wire("flush", flush);
        step_ = m_.wire("step", pixel_ | flush);
        restart_ = reg("restart", flush & (left == 1));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.when(~clocking_.reset, [&](rtl::Block& t) { t.set(left, constantLike(left, 0)); });
            b.orWhen(pixel_, [&](rtl::Block& t) { t.set(left, constantLike(left, s_.latency)); });
            b.orWhen(flush, [&](rtl::Block& t) { t.set(left, left - 1); });
            if (s_.interval == 1)
                return;
            b.when(~clocking_.reset | step_,
                   [&](rtl::Block& t) { t.set(since, constantLike(since, 0)); });
            b.orWhen(since != s_.interval - 1, [&](rtl::Block& t) { t.set(since, since + 1); });
        });
    }

    void column(const Expr& rowEnd) {
        column_ = m_.reg("column", bits(s_.columnBits()));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            b.when(~clocking_.reset | rowEnd,
                   [&](rtl::Block& then) { then.set(column_, constantLike(column_, 0)); });
            b.orWhen(pixel_ & x_.taken & x_.last,
                     [&](rtl::Block& then) { then.set(column_, column_ + 1); });
        });
    }

    /// As many steps later as the kernel's results are. `reset`: cleared by it.
    Expr late(const std::string& name, const Expr& source, bool reset) {
        if (s_.latency == 0)
            return source;
        const int width = source.width();
        const Expr words = m_.reg(name, bits(s_.latency * width));
        const Expr next = rtl::join({words.slice(0, (s_.latency - 1) * width), source});
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            if (!reset) {
                b.when(step_, [&](rtl::Block& then) { then.set(words, next); });
                return;
            }
            b.when(~clocking_.reset,
                   [&](rtl::Block& then) { then.set(words, rtl::zeros(words.size())); });
            b.orWhen(step_, [&](rtl::Block& then) { then.set(words, next); });
        });
        return words.slice((s_.latency - 1) * width, width);
    }

    void flags() {
        m_.blank();
        const Expr taken = m_.wire("taken", pixel_ & x_.taken & y_.taken);
        lateTaken_ = late("taken_line", taken, true);
        if (!epilogue_.pools)
            return;
        const Expr flags =
            m_.wire("window", rtl::join({column_, x_.last & y_.last, x_.first & y_.first}));
        lateWindow_ = stepped("window_q", late("window_line", flags, false));
    }

    void kernel() {
        const rtl::ModulePtr module = streamUnitKernel(library_, unit_, circuit_);
        m_.blank();
        kernelOut_ = m_.wire("kernel_out", bits(outputBits()));
        rtl::Module::Connections wiring = {{"aclk", clocking_.clock},
                                           {"aresetn", clocking_.reset & ~restart_},
                                           {"enable", step_},
                                           {"out_y", kernelOut_},
                                           {"out_valid", m_.wire("unused_valid", bits(1))}};
        if (module->port("in_valid"))
            wiring.emplace_back("in_valid", constant(1, 1));
        for (std::int64_t c = 0; c < s_.channels; ++c)
            wiring.emplace_back(cat("in_x", c), channel(c));
        m_.instance(module, "kernel", wiring);
    }

    /// Half the range above the element, which turns its sign bit over.
    Expr channel(std::int64_t c) const {
        const int width = unit_.operandBits;
        const Expr word = operand_.slice(c * width, width);
        return unit_.operandSigned ? word ^ constant(std::int64_t{1} << (width - 1), width) : word;
    }

    std::int64_t outputBits() const { return s_.rows * circuit_.sumBits(); }

    void rows() {
        m_.blank();
        sums_ = stepped("sums", kernelOut_);
        if (s_.blocks == 1) {
            block_ = constant(0, s_.blockBits());
            ready_ = reg("ready", clocking_.reset & step_ & lateTaken_);
            return;
        }
        ready_ = m_.reg("ready");
        block_ = m_.reg("block", bits(s_.blockBits()));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) {
            const auto sets = [&](int value) {
                return [this, value](rtl::Block& then) { then.set(ready_, constant(value, 1)); };
            };
            b.when(~clocking_.reset, sets(0));
            b.orWhen(step_ & lateTaken_, sets(1));
            b.orWhen(block_ == s_.blocks - 1, sets(0));
            b.set(block_, choose(step_, constantLike(block_, 0), block_ + 1));
        });
    }

    void writeBack() {
        m_.blank();
        Expr done = ready_;
        if (epilogue_.pools) {
            const Expr poolColumn = lateWindow_.slice(2, s_.columnBits());
            const Expr pool =
                library_.later(m_, clocking_, "pooling",
                               rtl::join({poolColumn, block_, lateWindow_.bit(0), ready_}),
                               epilogue_.stagesBeforePool);
            poolValid_ = pool.bit(0);
            poolFirst_ = pool.bit(1);
            poolIndex_ = pool.slice(2, s_.poolIndexBits());
            done = m_.wire("window_done", ready_ & lateWindow_.bit(1));
        }
        m_.assign(resultValid_,
                  library_.validLater(m_, clocking_, "written", done, epilogue_.stages));
    }

    /// Rows that go through the write-back at once.
    std::int64_t lanes() const { return std::min(unit_.parallel, s_.rows); }

    /// Those of the block at hand, side by side.
    Expr rowWords() {
        if (s_.blocks == 1)
            return sums_;
        const std::int64_t width = lanes() * circuit_.sumBits();
        const Expr blocks =
            m_.wire("blocks", rtl::join({rtl::zeros(s_.blocks * width - sums_.width()), sums_}));
        return m_.wire("rows", blocks.part(block_, width));
    }

    void epilogues() {
        const Expr rows = rowWords();
        const int width = circuit_.sumBits();
        const int out = unit_.resultBits;
        const rtl::ModulePtr module = epilogueModule(unit_);
        m_.repeat("lane", lanes(), [&](const rtl::Size& i) {
            const Expr sum = rows.slice(i * width, width).asSigned().extended(32);
            rtl::Module::Connections wiring = {{"x", sum}, {"y", result_.slice(i * out, out)}};
            if (epilogue_.stages > 0)
                wiring.emplace_back("aclk", clocking_.clock);
            if (epilogue_.pools) {
                wiring.emplace_back("pool_valid", poolValid_);
                wiring.emplace_back("pool_first", poolFirst_);
                wiring.emplace_back("pool_index", poolIndex_);
            }
            m_.instance(module, "epilogue", wiring);
        });
        const std::int64_t rest = (unit_.parallel - lanes()) * out;
        if (rest > 0)
            m_.assign(result_.slice(lanes() * out, rest), rtl::zeros(rest));
    }

    DesignLibrary& library_;
    const RtlPlan& plan_;
    const UnitPlan& unit_;
    const StreamUnitPlan& s_;
    const cost::StreamCircuit& circuit_;
    EpiloguePlan epilogue_;
    rtl::Module m_;
    Clocking clocking_;
    Expr issue_, first_, outside_, word_, resultValid_, result_;
    Expr operand_, pixel_, step_, restart_, xEnd_, yEnd_;
    AxisPosition x_, y_;
    Expr column_, lateTaken_, lateWindow_;
    Expr kernelOut_, sums_, ready_, block_;
    Expr poolValid_, poolFirst_, poolIndex_;
};

} // namespace

rtl::ModulePtr streamUnitKernel(DesignLibrary& library, const UnitPlan& unit,
                                const cost::StreamCircuit& circuit) {
    std::vector<std::string> inputs;
    for (std::int64_t c = 0; c < circuit.conv.channels; ++c)
        inputs.push_back(cat("in_x", c));
    StreamKernel kernel =
        kernelModule(library, *circuit.timed, unit.module + "_kernel", inputs, "out_y");
    for (std::string& line : std::vector<std::string>{
             cat("Kernel of ", unit.name, ": ", circuit.conv.products(),
                 " products with constants as sums, one pixel per step."),
             cat("Input: ", circuit.conv.channels, " channels, words of ",
                 circuit.conv.operandBits(), " bits, ", circuit.conv.offset(),
                 " above the element."),
             cat("Output: ", circuit.conv.rows, " rows, sums of ", circuit.sumBits(),
                 " bits of the window whose last pixel came ", circuit.latency(), " steps before."),
             cat("Resources: ", kernel.registerBits, " register bits beside control, ",
                 kernel.memoryBits, " bits in line buffers; longest path ",
                 static_cast<std::int64_t>(circuit.timed->pathDelay),
                 " ps (estimated, no wires).")})
        kernel.module.comment(std::move(line));
    return finished(std::move(kernel.module));
}

rtl::ModulePtr streamUnitModule(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                                const cost::StreamCircuit& circuit) {
    return StreamUnitBuilder(library, plan, unit, circuit).build();
}

} // namespace marquetry::hdl
