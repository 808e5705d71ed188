#include "tests/control/small_cores.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::test {

namespace {

using rtl::Block;
using rtl::constant;
using rtl::Expr;

constexpr int kMixBits = 64;

std::uint64_t lowBits(std::int64_t bits) {
    return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
}

/// The order of words matters to what they are mixed to.
std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
    return ((sum << 1) | (sum >> 63)) ^ word;
}

Expr mixed(const Expr& sum, const Expr& word) {
    return rtl::join({sum.slice(0, kMixBits - 1), sum.bit(kMixBits - 1)}) ^ word.extended(kMixBits);
}

/// Of a beat's word in the frame.
std::uint64_t cut(const SmallStream& stream, std::int64_t beat, std::uint64_t word) {
    return word &
           lowBits(std::min<std::int64_t>(stream.frameBits - beat * stream.bits, stream.bits));
}

Expr cut(const SmallStream& stream, const Expr& last, const Expr& word) {
    const std::int64_t rest = stream.frameBits - (stream.beats() - 1) * stream.bits;
    if (rest == stream.bits)
        return word;
    const Expr low = word.slice(0, rest);
    return choose(last, low.extended(stream.bits), word);
}

class SmallBuilder {
public:
    SmallBuilder(const std::string& name, const std::vector<SmallStream>& sources,
                 const std::vector<SmallStream>& sinks, bool starts)
        : m_(name) {
        made_.sources = sources;
        made_.sinks = sinks;
        core().clock = m_.input("aclk");
        core().reset = m_.input("aresetn");
        if (starts) {
            core().start = m_.input("start");
            core().done = m_.outputRegister("done");
        }
        core().error = m_.outputRegister("error");
        for (const SmallStream& s : sources)
            core().sources.push_back(
                {s.name, rtl::axisInput(m_, "s_axis_" + s.name, s.bits), s.frameBits});
        for (const SmallStream& s : sinks)
            core().sinks.push_back({s.name,
                                    starts
                                        ? rtl::axisOutput(m_, "m_axis_" + s.name, s.bits)
                                        : rtl::axisOutputRegisters(m_, "m_axis_" + s.name, s.bits),
                                    s.frameBits});
    }

    hdl::ShellCore& core() { return made_.core; }
    rtl::Module& module() { return m_; }

    SmallCore made() && {
        made_.core.module = finished(std::move(m_));
        return std::move(made_);
    }

private:
    SmallCore made_;
    rtl::Module m_;
};

/// What happens in the phases of a core that starts: 0 nothing, then one for each source and sink.
struct Phases {
    Expr at, beat, sum;
    Expr goes = constant(0, 1), ends = constant(0, 1), bad = constant(0, 1);
    Expr word; ///< what the sum becomes
    std::int64_t count = 0;
};

void readSources(SmallBuilder& b, const std::vector<SmallStream>& sources, Phases& p) {
    rtl::Module& m = b.module();
    for (std::size_t k = 0; k < sources.size(); ++k) {
        const rtl::AxisPorts& port = b.core().sources[k].port;
        const Expr here = p.at == ++p.count;
        const Expr takes = m.wire("takes_" + sources[k].name, here & port.tvalid);
        const Expr last = m.wire("last_" + sources[k].name, p.beat == sources[k].beats() - 1);
        m.assign(port.tready, here);
        p.goes = p.goes | takes;
        p.ends = p.ends | (takes & last);
        p.bad = p.bad | (takes & (last ^ port.tlast));
        p.word = choose(takes, mixed(p.sum, port.tdata), p.word);
    }
}

void writeSinks(SmallBuilder& b, const std::vector<SmallStream>& sinks, Phases& p) {
    rtl::Module& m = b.module();
    for (std::size_t k = 0; k < sinks.size(); ++k) {
        const rtl::AxisPorts& port = b.core().sinks[k].port;
        const Expr here = p.at == ++p.count;
        const Expr last = m.wire("last_" + sinks[k].name, p.beat == sinks[k].beats() - 1);
        const Expr value = m.wire("word_" + sinks[k].name,
                                  p.sum.slice(0, sinks[k].bits) + p.beat.resized(sinks[k].bits));
        m.assign(port.tvalid, here);
        m.assign(port.tlast, last);
        m.assign(port.tdata, cut(sinks[k], last, value));
        p.goes = p.goes | (here & port.tready);
        p.ends = p.ends | (here & port.tready & last);
    }
}

void runPhases(SmallBuilder& b, const Phases& p) {
    const hdl::ShellCore& core = b.core();
    const Expr final = p.at == p.count;
    const auto clear = [&](Block& then, std::int64_t phase) {
        then.set(p.at, constantLike(p.at, phase));
        then.set(p.beat, constant(0, 16));
        then.set(p.sum, constant(0, kMixBits));
        then.set(core.done, constant(0, 1));
        then.set(core.error, constant(0, 1));
    };
    b.module().clocked(core.clock, [&](Block& block) {
        block.when(~core.reset, [&](Block& then) { clear(then, 0); });
        block.orWhen((p.at == 0) & core.start, [&](Block& then) { clear(then, 1); });
        block.orWhen(p.goes, [&](Block& then) {
            then.set(p.beat, choose(p.ends, constant(0, 16), p.beat + 1));
            then.set(p.sum, p.word);
            then.when(p.bad, [&](Block& t) { t.set(core.error, constant(1, 1)); });
            then.when(p.ends, [&](Block& t) {
                t.set(core.done, final);
                t.set(p.at, choose(final, constantLike(p.at, 0), p.at + 1));
            });
        });
    });
}

/// What a flowing core has in its two stages.
struct Flow {
    Expr beat, sum, valid, last; ///< the first one's registers
    Expr moves, takes, ends, bad, word;
};

void runFlow(SmallBuilder& b, const SmallStream& sink, const Flow& f) {
    const hdl::ShellCore& core = b.core();
    const rtl::AxisPorts& out = core.sinks[0].port;
    b.module().clocked(core.clock, [&](Block& block) {
        block.when(~core.reset, [&](Block& then) {
            for (const Expr& bit : {core.error, f.valid, out.tvalid})
                then.set(bit, constant(0, 1));
            then.set(f.beat, constant(0, 16));
        });
        block.otherwise([&](Block& then) {
            then.when(f.bad, [&](Block& t) { t.set(core.error, constant(1, 1)); });
            then.when(f.takes, [&](Block& t) {
                t.set(f.beat, choose(f.ends, constant(0, 16), f.beat + 1));
                t.set(f.sum, f.word);
                t.set(f.last, f.ends);
            });
            then.when(~f.valid | f.moves, [&](Block& t) { t.set(f.valid, f.takes); });
            then.when(f.moves, [&](Block& t) {
                t.set(out.tvalid, f.valid);
                t.set(out.tlast, f.last);
                t.set(out.tdata, cut(sink, f.last, f.sum.slice(0, sink.bits)));
            });
        });
    });
}

} // namespace

SmallCore startedCore(const std::vector<SmallStream>& sources,
                      const std::vector<SmallStream>& sinks) {
    SmallBuilder b("sums_top", sources, sinks, true);
    Phases p;
    p.at = b.module().reg(
        "phase", rtl::bits(bitsFor(static_cast<std::int64_t>(sources.size() + sinks.size()) + 1)));
    p.beat = b.module().reg("beat", rtl::bits(16));
    p.sum = p.word = b.module().reg("sum", rtl::bits(kMixBits));
    readSources(b, sources, p);
    writeSinks(b, sinks, p);
    runPhases(b, p);
    SmallCore made = std::move(b).made();
    made.model = [sinks](const std::vector<FrameWords>& in) {
        std::uint64_t sum = 0;
        for (const FrameWords& words : in)
            for (const std::uint64_t word : words)
                sum = mixed(sum, word);
        std::vector<FrameWords> out;
        for (const SmallStream& sink : sinks) {
            FrameWords& words = out.emplace_back();
            for (std::int64_t beat = 0; beat < sink.beats(); ++beat)
                words.push_back(cut(sink, beat, sum + static_cast<std::uint64_t>(beat)));
        }
        return out;
    };
    return made;
}

SmallCore flowingCore(const std::vector<SmallStream>& sources, const SmallStream& sink) {
    SmallBuilder b("flow_top", sources, {sink}, false);
    rtl::Module& m = b.module();
    const rtl::AxisPorts& out = b.core().sinks[0].port;
    Flow f;
    f.beat = m.reg("beat", rtl::bits(16));
    f.sum = m.reg("sum", rtl::bits(kMixBits));
    f.valid = m.reg("sum_valid");
    f.last = m.reg("sum_last");
    f.moves = m.wire("moves", ~out.tvalid | out.tready);
    f.ends = m.wire("ends", f.beat == sink.beats() - 1);
    f.word = m.wire("before", choose(f.beat == 0, rtl::zeros(kMixBits), f.sum) + 1);
    Expr all = ~f.valid | f.moves;
    for (const hdl::CoreStream& source : b.core().sources)
        all = all & source.port.tvalid;
    f.takes = m.wire("takes", all);
    f.bad = constant(0, 1);
    for (const hdl::CoreStream& source : b.core().sources) {
        m.assign(source.port.tready, f.takes);
        f.bad = f.bad | (f.takes & (f.ends ^ source.port.tlast));
        f.word = m.wire("mixed_" + source.name, mixed(f.word, source.port.tdata));
    }
    runFlow(b, sink, f);
    SmallCore made = std::move(b).made();
    made.model = [sink](const std::vector<FrameWords>& in) {
        FrameWords words;
        std::uint64_t mix = 0;
        for (std::int64_t at = 0; at < sink.beats(); ++at) {
            ++mix;
            for (const FrameWords& source : in)
                mix = mixed(mix, source[static_cast<std::size_t>(at)]);
            words.push_back(cut(sink, at, mix));
        }
        return std::vector<FrameWords>{words};
    };
    return made;
}

} // namespace marquetry::test
