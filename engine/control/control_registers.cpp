#include "engine/control/control_registers.h"

#include "engine/rtl/netlist.h"

#include <algorithm>
#include <map>

namespace marquetry::hdl {

using rtl::bits;
using rtl::Block;
using rtl::constant;
using rtl::Expr;

namespace {

constexpr int kWordBits = 32;
/// Bits of an address within a word.
constexpr int kByteBits = 2;

class RegisterSlave {
public:
    RegisterSlave(const std::string& name, const RegisterMap& map) : map_(map), m_(name) {}

    rtl::ModulePtr build() && {
        m_.comment("AXI4-Lite slave of the control registers. Addresses without a register read");
        m_.comment("as 0; every answer is OKAY.");
        m_.comment("Cycles: 2 for a read or a write. Resources: the registers.");
        clock_ = m_.input("aclk");
        reset_ = m_.input("aresetn");
        bus_ = rtl::axiLiteSlave(m_, kControlPrefix, map_.addressBits);
        for (const ControlRegister& r : map_.registers)
            for (const ControlField& field : r.fields)
                declare(r, field);
        m_.wire("unused_control", allOf(rtl::join({constant(0, 1), bus_.awprot, bus_.arprot,
                                                   bus_.awaddr.slice(0, kByteBits),
                                                   bus_.araddr.slice(0, kByteBits)})));
        takeWrites();
        for (const ControlRegister& r : map_.registers)
            drive(r);
        takeReads();
        return finished(std::move(m_));
    }

private:
    static std::string portName(const ControlRegister& r, const ControlField& field,
                                const char* what) {
        return cat(r.name, "_", field.name, "_", what);
    }

    /// The ports of a field.
    struct FieldPorts {
        Expr is, asked, now, event;
    };

    void declare(const ControlRegister& r, const ControlField& field) {
        FieldPorts& ports = fields_[&field];
        const auto port = [&](const char* what,
                              Expr (rtl::Module::*declared)(const std::string&, rtl::SignalType)) {
            return (m_.*declared)(portName(r, field, what), bits(field.bits));
        };
        if (field.fixed)
            return;
        if (field.access == Access::ReadWrite || field.access == Access::ClearByOne)
            ports.is = port("is", &rtl::Module::outputRegister);
        if (field.access == Access::Trigger)
            ports.asked = port("asked", &rtl::Module::output);
        if (field.access == Access::ClearByOne)
            ports.event = port("event", &rtl::Module::input);
        if (field.access == Access::Trigger || field.access == Access::Read)
            ports.now = port("now", &rtl::Module::input);
    }

    /// What waits until the other half has come, and what of it: ready is low meanwhile.
    struct Half {
        Expr ready, full;
    };

    /// A channel that takes one thing and holds it until `used`.
    Half half(const std::string& name, const Expr& valid, const Expr& ready, const Expr& used,
              const std::vector<std::pair<Expr, Expr>>& kept) {
        const Half h = {m_.reg(name + "_ready"), m_.reg(name + "_full")};
        m_.assign(ready, h.ready);
        const Expr takes = m_.wire(name + "_takes", valid & h.ready);
        const Expr fullNext = m_.wire(name + "_full_next", takes | (h.full & ~used));
        m_.clocked(clock_, [&](Block& b) {
            b.set(h.full, fullNext & reset_);
            b.set(h.ready, ~fullNext & reset_);
            b.when(takes, [&](Block& then) {
                for (const auto& [to, from] : kept)
                    then.set(to, from);
            });
        });
        return h;
    }

    /// The answer's valid: from `given` until it is taken.
    Expr answer(const std::string& name, const Expr& valid, const Expr& ready, const Expr& given) {
        const Expr is = m_.reg(name);
        m_.assign(valid, is);
        m_.clocked(clock_, [&](Block& b) { b.set(is, reset_ & (given | (is & ~ready))); });
        return is;
    }

    Expr wordOf(const Expr& address) const {
        return address.slice(kByteBits, map_.addressBits - kByteBits);
    }

    void takeWrites() {
        m_.blank();
        const int wordBits = map_.addressBits - kByteBits;
        write_ = m_.wire("write", bits(1));
        address_ = m_.reg("write_word", bits(wordBits));
        m_.lint("lint_off UNUSEDSIGNAL");
        data_ = m_.reg("write_data", bits(kWordBits));
        strobe_ = m_.reg("write_bytes", bits(kWordBits / 8));
        const Half address =
            half("aw", bus_.awvalid, bus_.awready, write_, {{address_, wordOf(bus_.awaddr)}});
        const Half data = half("w", bus_.wvalid, bus_.wready, write_,
                               {{data_, bus_.wdata}, {strobe_, bus_.wstrb}});
        const Expr answered = answer("b_valid", bus_.bvalid, bus_.bready, write_);
        m_.assign(write_, address.full & data.full & ~answered);
        m_.assign(bus_.bresp, constant(0, 2));
        std::vector<Expr> mask;
        for (int byte = kWordBits / 8; byte-- > 0;)
            mask.push_back(strobe_.bit(byte).repeated(8));
        mask_ = m_.wire("write_mask", rtl::join(mask));
        m_.lint("lint_on UNUSEDSIGNAL");
    }

    void drive(const ControlRegister& r) {
        const auto isWritten = [](const ControlField& f) { return f.access != Access::Read; };
        if (std::ranges::none_of(r.fields, isWritten))
            return;
        m_.blank();
        const Expr here =
            m_.wire("write_" + r.name,
                    write_ & (address_ == static_cast<std::int64_t>(r.offset >> kByteBits)));
        for (const ControlField& field : r.fields)
            if (isWritten(field))
                drive(field, here);
    }

    void drive(const ControlField& field, const Expr& here) {
        const FieldPorts& ports = fields_.at(&field);
        const Expr data = data_.slice(field.low, field.bits);
        const Expr mask = mask_.slice(field.low, field.bits) & here.repeated(field.bits);
        if (field.access == Access::Trigger)
            return m_.assign(ports.asked, data & mask);
        const Expr kept = field.access == Access::ReadWrite
                              ? (ports.is & ~mask) | (data & mask)
                              : ports.event | (ports.is & ~(data & mask));
        m_.clocked(clock_, [&](Block& b) {
            b.when(~reset_,
                   [&](Block& then) { then.set(ports.is, constant(field.reset, field.bits)); });
            b.otherwise([&](Block& then) { then.set(ports.is, kept); });
        });
    }

    /// What is read of a register.
    Expr word(const ControlRegister& r) const {
        std::vector<Expr> highFirst;
        int end = 0;
        for (const ControlField& field : r.fields) {
            const FieldPorts& ports = fields_.at(&field);
            Expr is = ports.is.size() == rtl::Size(0) ? ports.now : ports.is;
            if (field.fixed)
                is = constant(field.reset, field.bits);
            highFirst.insert(highFirst.begin(), rtl::zeros(field.low - end));
            highFirst.insert(highFirst.begin(), is);
            end = field.low + field.bits;
        }
        return rtl::join(highFirst).extended(kWordBits);
    }

    void takeReads() {
        m_.blank();
        const Expr read = m_.wire("read", bits(1));
        const Expr address = m_.reg("read_word", bits(map_.addressBits - kByteBits));
        const Half held =
            half("ar", bus_.arvalid, bus_.arready, read, {{address, wordOf(bus_.araddr)}});
        const Expr answered = answer("r_valid", bus_.rvalid, bus_.rready, read);
        m_.assign(read, held.full & ~answered);
        m_.assign(bus_.rresp, constant(0, 2));
        const Expr data = m_.reg("read_data", bits(kWordBits));
        m_.assign(bus_.rdata, data);
        std::map<std::string, Expr> words;
        for (const ControlRegister& r : map_.registers)
            words[r.name] = r.heldBy.empty() ? word(r) : m_.reg(r.name + "_held", bits(kWordBits));
        std::vector<std::pair<std::int64_t, Block::Body>> cases;
        for (const ControlRegister& r : map_.registers)
            cases.emplace_back(r.offset >> kByteBits, [&](Block& then) {
                then.set(data, words.at(r.name));
                for (const ControlRegister& other : map_.registers)
                    if (other.heldBy == r.name)
                        then.set(words.at(other.name), word(other));
            });
        m_.clocked(clock_, [&](Block& b) {
            b.when(~reset_, [&](Block& then) {
                for (const ControlRegister& r : map_.registers)
                    if (!r.heldBy.empty())
                        then.set(words.at(r.name), constant(0, kWordBits));
            });
            b.orWhen(read, [&](Block& then) {
                then.select(address, cases,
                            [&](Block& rest) { rest.set(data, constant(0, kWordBits)); });
            });
        });
    }

    const RegisterMap& map_;
    rtl::Module m_;
    Expr clock_, reset_;
    rtl::AxiLitePorts bus_;
    std::map<const ControlField*, FieldPorts> fields_;
    Expr write_, address_, data_, strobe_, mask_;
};

} // namespace

rtl::ModulePtr controlRegisters(const std::string& name, const RegisterMap& map) {
    return RegisterSlave(name, map).build();
}

} // namespace marquetry::hdl
