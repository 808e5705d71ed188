#include "engine/vendor/avalon_commands.h"

#include "engine/support/checked_math.h"

namespace marquetry::vendor {

namespace {

constexpr int kBeatCountBits = rtl::kAxiLengthBits + 1;

} // namespace

void AvalonCommands::addPorts(HostPorts& p) {
    p.write = m_.output(name_ + "_write");
    p.writedata = m_.output(name_ + "_writedata", rtl::bits(memory_.dataBits));
    p.byteenable = m_.output(name_ + "_byteenable", rtl::bits(memory_.dataBits / 8));
    p.writeresponsevalid = m_.input(name_ + "_writeresponsevalid");
}

rtl::Expr AvalonCommands::wire(const std::string& port, int width) {
    const rtl::Expr made = m_.wire("of_" + port, width == 1 ? rtl::SignalType{} : rtl::bits(width));
    wired_.emplace_back(port, made);
    return made;
}

void AvalonCommands::drive(const HostPorts& p) {
    const rtl::Expr left = m_.reg(name_ + "_left", rtl::bits(kBeatCountBits));
    writing_ = m_.wire(name_ + "_writing", left != 0);
    writeAddress_ = m_.reg(name_ + "_write_address", rtl::bits(rtl::kAxiAddressBits));
    writeBeats_ = m_.reg(name_ + "_write_beats", rtl::bits(kBeatCountBits));
    driveReads(p);
    const rtl::AxiWriteNames& axi = *memory_.write;
    const rtl::Expr asks = wire(axi.awvalid, 1);
    const rtl::Expr address = wire(axi.awaddr, rtl::kAxiAddressBits);
    const rtl::Expr beats = m_.wire(
        name_ + "_asked_beats", wire(axi.awlen, rtl::kAxiLengthBits).extended(kBeatCountBits) + 1);
    const rtl::Expr takes = m_.wire(name_ + "_takes", ~writing_ & ~readWaits_);
    wired_.emplace_back(axi.awready, takes);
    driveWrites(p);
    m_.clocked(at_.clock, [&](rtl::Block& b) {
        b.when(~at_.reset, [&](rtl::Block& then) { then.set(left, constantLike(left, 0)); });
        b.orWhen(asks & takes, [&](rtl::Block& then) {
            then.set(left, beats);
            then.set(writeAddress_, address);
            then.set(writeBeats_, beats);
        });
        b.orWhen(p.write & ~p.waitrequest, [&](rtl::Block& then) { then.set(left, left - 1); });
    });
}

void AvalonCommands::driveWrites(const HostPorts& p) {
    const rtl::AxiWriteNames& axi = *memory_.write;
    m_.assign(p.write, writing_ & wire(axi.wvalid, 1));
    wired_.insert(wired_.end(), {{axi.wready, writing_ & ~p.waitrequest},
                                 {axi.wdata, p.writedata},
                                 {axi.wstrb, p.byteenable},
                                 {axi.bvalid, p.writeresponsevalid},
                                 {axi.bresp, p.response}});
}

void AvalonCommands::driveReads(const HostPorts& p) {
    const rtl::AxiReadNames& axi = memory_.port;
    const rtl::Expr asks = wire(axi.arvalid, 1);
    const rtl::Expr address = wire(axi.araddr, rtl::kAxiAddressBits);
    const rtl::Expr length = wire(axi.arlen, rtl::kAxiLengthBits);
    const int places = bitsFor(memory_.mostReads);
    owed_ = m_.reg(name_ + "_owed", rtl::bits(places + 1));
    const rtl::Expr room = m_.wire(name_ + "_room", ~writing_ & ~owed_.bit(places));
    m_.assign(p.read, asks & room);
    readWaits_ = m_.wire(name_ + "_read_waits", p.read & p.waitrequest);
    wired_.emplace_back(axi.arready, room & ~p.waitrequest);
    m_.assign(p.address, choose(writing_, writeAddress_, address));
    const rtl::Expr beats = m_.wire(name_ + "_read_beats", length.extended(kBeatCountBits) + 1);
    m_.lint("lint_off UNUSEDSIGNAL"); // no burst is longer than the port can say
    const rtl::Expr count = m_.wire(name_ + "_beats", choose(writing_, writeBeats_, beats));
    m_.lint("lint_on UNUSEDSIGNAL");
    m_.assign(p.burstcount, count.slice(0, p.burstcount.width()));
    countBeats(p, length);
}

/// Which beat is the last one of its read.
void AvalonCommands::countBeats(const HostPorts& p, const rtl::Expr& length) {
    const int places = bitsFor(memory_.mostReads);
    const rtl::Memory lengths =
        m_.memory(name_ + "_lengths", rtl::bits(rtl::kAxiLengthBits), std::int64_t{1} << places);
    const rtl::Expr to = m_.reg(name_ + "_to", rtl::bits(places));
    const rtl::Expr from = m_.reg(name_ + "_from", rtl::bits(places));
    const rtl::Expr beat = m_.reg(name_ + "_beat", rtl::bits(rtl::kAxiLengthBits));
    const rtl::Expr taken = m_.wire(name_ + "_taken", p.read & ~p.waitrequest);
    const rtl::Expr last = m_.wire(name_ + "_last", beat == lengths[from]);
    const rtl::Expr ends = m_.wire(name_ + "_ends", p.readdatavalid & last);
    wired_.emplace_back(memory_.port.rlast, last);
    m_.clocked(at_.clock, [&](rtl::Block& b) {
        b.when(taken, [&](rtl::Block& then) { then.set(lengths[to], length); });
    });
    m_.clocked(at_.clock, [&](rtl::Block& b) {
        b.when(~at_.reset, [&](rtl::Block& then) {
            for (const rtl::Expr& count : {to, from, beat, owed_})
                then.set(count, constantLike(count, 0));
        });
        b.otherwise([&](rtl::Block& then) {
            then.set(to, to + taken.extended(places));
            then.set(from, from + ends.extended(places));
            then.set(owed_, owed_ + taken.extended(places + 1) - ends.extended(places + 1));
            then.when(p.readdatavalid, [&](rtl::Block& comes) {
                comes.set(beat, choose(last, constantLike(beat, 0), beat + 1));
            });
        });
    });
}

} // namespace marquetry::vendor
