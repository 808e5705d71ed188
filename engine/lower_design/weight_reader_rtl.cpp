#include "engine/design/weight_image.h"
#include "engine/lower_design/design_library.h"
#include "engine/lower_design/step_table.h"
#include "engine/lower_design/weight_modules.h"
#include "engine/rtl/axi_read_ports.h"
#include "engine/rtl/netlist.h"

namespace marquetry::hdl {

using rtl::bits;
using rtl::constant;

namespace {

class ReaderBuilder {
public:
    explicit ReaderBuilder(const RtlPlan& plan)
        : port_(*plan.memory), beatBytes_(port_.beatBits / 8), m_(plan.name + "_weight_reader") {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        requests();
        queue();
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment(
            "Reader of weights: an AXI4 master. `begin_read` reads one part of their image,");
        m_.comment("burst after burst: the words that stay on the chip, or those of a run.");
        if (jumps())
            m_.comment(cat("A run reads ", port_.ranges.size(), " ranges of bursts."));
        if (port_.writes) {
            m_.comment(
                "While it `pauses` it asks for nothing; what comes while there is `reading`");
            m_.comment("is not for it, and `quiet` means that nothing for it is under way.");
        }
        m_.comment(
            cat("A queue of ", port_.queueBeats, " beats has room for all that is asked for,"));
        m_.comment(
            "so no beat that comes waits. `idle`: nothing is asked for and nothing is left.");
        m_.comment(cat("Cycles: 2 from a beat of the bus to the loader. Resources: block RAM for ",
                       port_.queueBeats, " words of ", port_.beatBits, " bits."));
    }

    void ports() {
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        begin_ = m_.input("begin_read");
        resident_ = m_.input("resident");
        base_ = m_.input("weights_base", bits(64));
        axi_ = rtl::axiReadMaster(m_, "m_axi", port_.beatBits);
        beat_ = m_.outputRegister("beat", bits(port_.beatBits));
        valid_ = m_.outputRegister("beat_valid");
        taken_ = m_.input("beat_taken");
        idle_ = m_.output("idle");
        bad_ = m_.output("bad");
        if (port_.writes) {
            pauses_ = m_.input("pauses");
            others_ = m_.input("reading");
            quiet_ = m_.output("quiet");
        }
        leaveUnused(m_, base_);
        leaveUnused(m_, axi_.rlast);
        leaveUnused(m_, axi_.rresp);
    }

    /// Asks for a burst whenever the queue has room for it.
    void requests() {
        const int countBits = bitsFor(std::max(port_.residentBursts, port_.runBursts) + 1);
        const Expr left = m_.reg("bursts_left", bits(countBits));
        const Expr asks = m_.reg("asks");
        const int roomBits = bitsFor(port_.queueBeats + 1);
        room_ = m_.reg("room", bits(roomBits));
        const Expr asked = m_.wire("asked", asks & axi_.arready);
        const Expr mayAsk =
            m_.wire("may_ask", ~asks & (left != 0) & (room_ >= design::kBurstBeats) &
                                   (port_.writes ? ~pauses_ : constant(1, 1)));
        driveRequest(addresses(asked), asks);
        m_.assign(idle_, ~asks & (left == 0) & (room_ == port_.queueBeats) & ~valid_);
        gone_ = m_.wire("gone", bits(1));
        asks_ = asks;
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& t) {
                t.set(asks, constant(0, 1));
                t.set(left, constantLike(left, 0));
                t.set(room_, constantLike(room_, port_.queueBeats));
            });
            b.otherwise([&](rtl::Block& t) {
                t.when(begin_, [&](rtl::Block& begins) {
                    begins.set(left, choose(resident_, constantLike(left, port_.residentBursts),
                                            constantLike(left, port_.runBursts)));
                });
                t.orWhen(asked, [&](rtl::Block& next) {
                    next.set(asks, constant(0, 1));
                    next.set(left, left - 1);
                });
                t.orWhen(mayAsk, [&](rtl::Block& asking) { asking.set(asks, constant(1, 1)); });
                const Expr taken = choose(mayAsk & ~begin_, room_ - design::kBurstBeats, room_);
                t.set(room_, taken + gone_.extended(roomBits));
            });
        });
    }

    bool jumps() const { return port_.ranges.size() > 1; }

    /// Of the burst that is asked for.
    Expr addresses(const Expr& asked) {
        const std::int64_t burstBytes = design::kBurstBeats * beatBytes_;
        const Expr address = m_.reg("address", bits(rtl::kAxiAddressBits));
        const Expr base = m_.wire("base", base_.slice(0, rtl::kAxiAddressBits));
        const Expr ofRun = constant(port_.residentBursts * burstBytes, rtl::kAxiAddressBits);
        Expr next = address + burstBytes;
        if (jumps()) {
            const Expr ends = rangeEnds(asked);
            const Expr image = m_.reg("image", bits(rtl::kAxiAddressBits));
            m_.clocked(clock_, [&](rtl::Block& b) {
                b.when(begin_, [&](rtl::Block& t) { t.set(image, base); });
            });
            next = choose(ends, image + rangeBegin(), next);
        }
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(begin_,
                   [&](rtl::Block& t) { t.set(address, choose(resident_, base, base + ofRun)); });
            b.orWhen(asked, [&](rtl::Block& t) { t.set(address, next); });
        });
        return address;
    }

    /// The range that comes next, by the register that counts them. Between two requests are two
    /// clocks, so constants may be registered.
    Expr ofNextRange(const char* name, auto value) {
        StepTable::Values values;
        std::int64_t most = 1;
        for (const design::BurstRange& range : port_.ranges) {
            values.emplace_back(value(range));
            most = std::max(most, *values.back());
        }
        values.front().reset(); // reading begins there
        return ranges_->registered(name, bitsFor(most + 1), values);
    }

    /// Bytes from the base on.
    Expr rangeBegin() const {
        const Expr zeros = rtl::zeros(bitsFor(design::kBurstBeats * beatBytes_));
        return rtl::join({nextBegin_, zeros}).resized(rtl::kAxiAddressBits);
    }

    /// The burst that is asked for is the last one of its range; the resident part is one range.
    Expr rangeEnds(const Expr& asked) {
        const Expr range = m_.reg("range", bits(bitsFor(std::ssize(port_.ranges) + 1)));
        ranges_.emplace(m_, range);
        nextBegin_ = ofNextRange("next_begin", [&](const design::BurstRange& r) {
            return port_.residentBursts + r.first;
        });
        const Expr nextBursts =
            ofNextRange("next_bursts", [](const design::BurstRange& r) { return r.bursts; });
        if (ranges_->empty())
            leaveUnused(m_, range);
        ranges_->write(clock_);
        const int countBits = bitsFor(std::max(port_.residentBursts, port_.runBursts) + 1);
        const Expr left = m_.reg("left_of_range", bits(countBits));
        const Expr ends = m_.wire("range_ends", left == 1);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(begin_, [&](rtl::Block& t) {
                t.set(range, constantLike(range, 1));
                t.set(left, choose(resident_, constantLike(left, port_.residentBursts),
                                   constantLike(left, port_.ranges.front().bursts)));
            });
            b.orWhen(asked, [&](rtl::Block& t) {
                t.set(left, choose(ends, nextBursts.resized(countBits), left - 1));
                t.set(range, choose(ends, range + 1, range));
            });
        });
        return ends;
    }

    void driveRequest(const Expr& address, const Expr& asks) {
        m_.assign(axi_.araddr, address);
        m_.assign(axi_.arlen, constant(design::kBurstBeats - 1, 8));
        m_.assign(axi_.arsize, constant(bitsFor(beatBytes_), 3));
        m_.assign(axi_.arburst, constant(1, 2)); // incrementing
        m_.assign(axi_.arcache, constant(3, 4)); // bufferable, modifiable
        m_.assign(axi_.arprot, constant(0, 3));
        m_.assign(axi_.arvalid, asks);
    }

    /// Beats as they come; the next one stands in a register.
    void queue() {
        const int placeBits = bitsFor(port_.queueBeats);
        m_.blank();
        const rtl::Memory beats =
            m_.memory("beats", bits(port_.beatBits), port_.queueBeats, rtl::RamStyle::Block);
        const Expr to = m_.reg("to", bits(placeBits));
        const Expr from = m_.reg("from", bits(placeBits));
        const Expr held = m_.reg("held", bits(placeBits + 1));
        const Expr comes = port_.writes ? m_.wire("comes", axi_.rvalid & ~others_) : axi_.rvalid;
        if (port_.writes)
            m_.assign(quiet_, ~asks_ & (room_ + held == port_.queueBeats));
        m_.assign(axi_.rready, constant(1, 1));
        m_.assign(bad_, axi_.rvalid & axi_.rresp.bit(1));
        const Expr moves = m_.wire("moves", (held != 0) & (~valid_ | taken_));
        m_.assign(gone_, moves);
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(comes, [&](rtl::Block& t) { t.set(beats[to], axi_.rdata); });
            b.when(moves, [&](rtl::Block& t) { t.set(beat_, beats[from]); });
        });
        m_.clocked(clock_, [&](rtl::Block& b) {
            b.when(~reset_, [&](rtl::Block& t) {
                t.set(to, constantLike(to, 0));
                t.set(from, constantLike(from, 0));
                t.set(held, constantLike(held, 0));
                t.set(valid_, constant(0, 1));
            });
            b.otherwise([&](rtl::Block& t) {
                t.set(to, to + comes.extended(placeBits));
                t.set(from, from + moves.extended(placeBits));
                t.set(held, held + comes.extended(placeBits + 1) - moves.extended(placeBits + 1));
                t.when(~valid_ | taken_, [&](rtl::Block& next) { next.set(valid_, held != 0); });
            });
        });
    }

    const MemoryPort& port_;
    std::int64_t beatBytes_;
    rtl::Module m_;
    Expr clock_, reset_, begin_, resident_, base_, beat_, valid_, taken_, idle_, bad_;
    Expr room_, gone_, asks_;
    Expr pauses_, others_, quiet_; ///< where rows of external tensors come the same way
    std::optional<StepTable> ranges_;
    Expr nextBegin_;
    rtl::AxiReadPorts axi_;
};

} // namespace

rtl::ModulePtr weightReaderModule(const RtlPlan& plan) {
    return ReaderBuilder(plan).build();
}

} // namespace marquetry::hdl
