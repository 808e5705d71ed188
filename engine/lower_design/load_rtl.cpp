#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/stream_walk.h"
#include "engine/support/checked_math.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class LoadBuilder {
public:
    LoadBuilder(const RtlPlan& plan, const StreamPlan& load)
        : load_(load),
          rest_(load.tensor.channels % load.perCycle),
          walk_(walkOf(plan, load)),
          m_(load.module),
          ports_(declareMover(m_, true)) {
        describeStream(m_, plan, load, "Loader");
    }

    rtl::ModulePtr build() && {
        ports();
        walk_.declare(m_);
        const bool whole = load_.perCycle == load_.perBeat && rest_ == 0;
        Expr take = constant(1, 1);
        Expr elements = ports_.axis.tdata;
        if (!whole) {
            declareStock();
            take = m_.wire("take", lacks());
        }
        m_.assign(ports_.advance, ports_.active & (~take | ports_.axis.tvalid));
        m_.assign(ports_.axis.tready, ports_.active & take);
        m_.assign(ports_.finished, ports_.advance & walk_.last);
        if (!whole)
            elements = chunksFromStock();
        checkLastBeat();
        m_.blank();
        write(elements);
        return finished(std::move(m_));
    }

private:
    void ports() {
        if (!load_.external)
            bad_ = m_.output("bad");
        we_ = m_.outputRegister("we");
        waddr_ = m_.outputRegister("waddr", bits(walk_.addressBits));
        wdata_ = m_.output("wdata", bits(walk_.wordBits));
    }

    /// What is held is too little for this clock.
    Expr lacks() const {
        if (rest_ == 0)
            return held_ < load_.perCycle;
        return ~walk_.pixelEnd | (held_ < rest_);
    }

    /// Elements that leave in this clock, modulo those of a beat.
    Expr moved() const {
        const auto number = [&](std::int64_t n) { return constantLike(held_, n % load_.perBeat); };
        return rest_ == 0 ? number(load_.perCycle)
                          : choose(walk_.pixelEnd, number(rest_), number(load_.perCycle));
    }

    /// What stays when so many elements of the window leave.
    Expr stockBehind(const Expr& window, std::int64_t elements) const {
        return window.slice(elements * load_.elementBits, stock_.width());
    }

    /// Elements of a beat that are not moved at once wait in `stock`, in order.
    void declareStock() {
        held_ = m_.reg("held", bits(bitsFor(load_.perBeat)));
        stock_ = m_.reg("stock", bits((load_.perBeat - 1) * load_.elementBits));
    }

    /// The beat comes behind what is held: the window of both, its lowest elements moved.
    Expr chunksFromStock() {
        const int element = load_.elementBits;
        const int stockBits = stock_.width();
        const int chunkBits = static_cast<int>(load_.perCycle) * element;
        m_.lint("lint_off UNUSEDSIGNAL");
        const Expr window = m_.reg("window", bits(stockBits + 64));
        m_.lint("lint_on UNUSEDSIGNAL");
        m_.combinational([&](rtl::Block& b) {
            b.set(window, rtl::join({rtl::zeros(64), stock_}));
            std::vector<std::pair<std::int64_t, rtl::Block::Body>> cases;
            for (std::int64_t held = 0; held < load_.perCycle; ++held)
                cases.emplace_back(held, [&, held](rtl::Block& then) {
                    then.set(window.slice(held * element, 64), ports_.axis.tdata);
                });
            b.select(held_, cases, [](rtl::Block&) {});
        });
        m_.clocked(ports_.clock, [&](rtl::Block& b) {
            b.when(ports_.setup,
                   [&](rtl::Block& then) { then.set(held_, constantLike(held_, 0)); });
            b.orWhen(ports_.advance, [&](rtl::Block& then) {
                then.set(held_, held_ - moved()); // a beat that comes is a whole turn of it
                const Expr behind = stockBehind(window, load_.perCycle);
                then.set(stock_, rest_ == 0
                                     ? behind
                                     : choose(walk_.pixelEnd, stockBehind(window, rest_), behind));
            });
        });
        // What comes behind the rest of a pixel may be no beat at all.
        const Expr chunk = window.slice(0, chunkBits);
        if (rest_ == 0)
            return m_.wire("elements", chunk);
        const int restBits = static_cast<int>(rest_) * element;
        const Expr rest = rtl::join({rtl::zeros(chunkBits - restBits), window.slice(0, restBits)});
        return m_.wire("elements", choose(walk_.pixelEnd, rest, chunk));
    }

    /// Counts beats: the last one of a stream must say so.
    void checkLastBeat() {
        if (load_.external)
            return leaveUnused(m_, ports_.axis.tlast);
        const Expr beat = m_.reg("beat", bits(bitsFor(load_.beats)));
        const Expr takes = m_.wire("takes", ports_.advance & ports_.axis.tready);
        m_.assign(bad_, takes & (ports_.axis.tlast ^ (beat == load_.beats - 1)));
        m_.clocked(ports_.clock, [&](rtl::Block& b) {
            b.when(ports_.setup, [&](rtl::Block& then) { then.set(beat, constantLike(beat, 0)); });
            b.orWhen(takes, [&](rtl::Block& then) { then.set(beat, beat + 1); });
        });
    }

    /// A chunk with every element as wide as the slot has it.
    Expr widened(const Expr& elements) const {
        std::vector<Expr> highFirst;
        for (std::int64_t i = load_.perCycle; i-- > 0;)
            highFirst.push_back(
                elements.slice(i * load_.elementBits, load_.elementBits).extended(walk_.slotBits));
        return rtl::join(highFirst);
    }

    void write(const Expr& elements) {
        const Expr chunk = widened(elements);
        m_.clocked(ports_.clock, [&](rtl::Block& b) {
            b.set(we_, ports_.reset & ports_.advance & walk_.wordEnd);
            b.set(waddr_, walk_.address);
            walk_.lookUp(b);
            b.when(ports_.setup, [&](rtl::Block& then) { walk_.start(then); });
            b.orWhen(ports_.advance, [&](rtl::Block& then) { walk_.advance(then); });
        });
        const Expr word = m_.reg("word", bits(walk_.chunksPerWord * chunk.size()));
        m_.assign(wdata_, rtl::join({rtl::zeros(walk_.wordBits - word.width()), word}));
        if (walk_.chunksPerPixel == 1)
            m_.note("Lanes behind the last channel stay zero.");
        m_.repeat("lanes", walk_.chunksPerWord, [&](const rtl::Size& i) {
            const Expr part = word.slice(i * chunk.size(), chunk.size());
            const Expr mine = walk_.chunksPerWord == 1 ? constant(1, 1)
                                                       : walk_.chunk.extended(32) == rtl::number(i);
            m_.clocked(ports_.clock, [&](rtl::Block& b) {
                b.when(ports_.setup,
                       [&](rtl::Block& then) { then.set(part, rtl::zeros(chunk.size())); });
                b.orWhen(ports_.advance & mine, [&](rtl::Block& then) { then.set(part, chunk); });
            });
        });
    }

    const StreamPlan& load_;
    std::int64_t rest_; ///< elements in the last chunk of a pixel; 0: as many as in the others
    StreamWalk walk_;
    rtl::Module m_;
    MoverPorts ports_;
    Expr bad_, we_, waddr_, wdata_;
    Expr held_, stock_;
};

} // namespace

rtl::ModulePtr loadModule(const RtlPlan& plan, const StreamPlan& load) {
    return LoadBuilder(plan, load).build();
}

} // namespace marquetry::hdl
