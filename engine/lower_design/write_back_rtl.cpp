#include "engine/cost/call_timing.h"
#include "engine/cost/write_back.h"
#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/result_groups.h"
#include "engine/lower_design/write_back_lane.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

using rtl::bits;
using rtl::Expr;
using rtl::Size;

namespace {

class WriteBackBuilder {
public:
    WriteBackBuilder(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                     const WriteBackTexts& texts)
        : library_(library),
          plan_(plan),
          unit_(unit),
          texts_(texts),
          form_(unit.writeBack->form),
          addendBits_(planEpilogue(unit).addendBits),
          lane_(writeBackLane(unit, addendBits_, texts.tables)),
          pools_(unit.poolsMax || unit.poolsSum),
          lanes_(static_cast<int>(unit.writeLanes)),
          m_(unit.module + "_write_back") {}

    rtl::ModulePtr build() && {
        comment();
        ports();
        m_.lint("lint_off UNUSEDSIGNAL");
        serialise();
        if (form_.fieldBits() > 0)
            numbers();
        // The lanes begin a clock later, when the numbers were read.
        operands_ = m_.reg("operands_q", bits(lanes_ * form_.sumBits));
        m_.clocked(clocking_.clock, [&](rtl::Block& b) { b.set(operands_, now_.operands); });
        if (unit_.adds)
            addend();
        control();
        modeNumbers();
        lanes();
        m_.lint("lint_on UNUSEDSIGNAL");
        return finished(std::move(m_));
    }

private:
    void comment() {
        m_.comment(cat("Write-back of ", unit_.name, ": ", unit_.parallel, " sums leave through ",
                       lanes_, " lanes."));
        m_.comment(cat("Cycles: latency ", firstClock() + lane_.stages, " of the first ", lanes_,
                       ". Resources: up to ", lanes_ * cost::laneDsp(form_), " multipliers."));
    }

    bool serial() const { return unit_.serial(); }
    /// From the sums to the lanes' input.
    int firstClock() const { return serial() ? 2 : 1; }

    Expr in(const std::string& name, int width = 1) {
        return in_[name] = m_.input(name, bits(width));
    }

    void ports() {
        clocking_ = {m_.input("aclk"), m_.input("aresetn")};
        in("reduced");
        in("sums", static_cast<int>(unit_.parallel) * form_.sumBits);
        if (pools_) {
            in("pool_first");
            in("pool_last");
        }
        if (form_.fieldBits() > 0)
            in("scale_address", unit_.writeBack->addressBits);
        if (unit_.adds) {
            in("addend_address", addendAddressBits(plan_, unit_));
            in("addend_word", static_cast<int>(plan_.lanes) * addendBits_);
            addendRead_ = m_.output("addend_read_address",
                                    bits(addendAddressBits(plan_, unit_) - unit_.groupBits));
        }
        for (const ModePort& port : modePorts(unit_))
            in(port.name, port.width);
        resultValid_ = m_.output("result_valid");
        result_ = m_.output("result", bits(lanes_ * unit_.resultBits));
    }

    /// What leaves in a clock.
    struct Group {
        Expr valid, number, operands, poolFirst, poolLast, scaleAddress, addendAddress;
    };

    void serialise() {
        const auto port = [&](const char* name) {
            return in_.contains(name) ? in_.at(name) : Expr();
        };
        now_ = {port("reduced"),       Expr(),
                port("sums"),          port("pool_first"),
                port("pool_last"),     port("scale_address"),
                port("addend_address")};
        if (!serial())
            return;
        ResultGroups groups(m_, clocking_, unit_.groups, in_.at("reduced"), in_.at("sums"));
        now_ = {groups.valid(), groups.number(), groups.group(), {}, {}, {}, {}};
        for (const auto& [name, to] :
             {std::pair{"pool_first", &Group::poolFirst}, std::pair{"pool_last", &Group::poolLast}})
            if (in_.contains(name))
                now_.*to = groups.with(name, in_.at(name));
        for (const auto& [name, to] : {std::pair{"scale_address", &Group::scaleAddress},
                                       std::pair{"addend_address", &Group::addendAddress}})
            if (in_.contains(name))
                now_.*to = groups.address(name, in_.at(name));
    }

    void numbers() {
        const WriteBackPlan& plan = *unit_.writeBack;
        const int width = lanes_ * form_.fieldBits();
        m_.note(cat("Numbers per channel: ", plan.words, " words of ", lanes_, " lanes."));
        const rtl::Memory words =
            m_.memory("numbers", bits(width), plan.words, rtl::RamStyle::BlockRom);
        m_.fill(words, texts_.scales);
        fields_ = m_.reg("numbers_q", bits(width));
        m_.clocked(clocking_.clock,
                   [&](rtl::Block& b) { b.set(fields_, words[now_.scaleAddress]); });
    }

    /// The addend's word is read two clocks before its value is added.
    void addend() {
        const int delay = 1 + lane_.beforeAdd - static_cast<int>(cost::kAddendLatency);
        const Expr address =
            library_.laterFromRegister(m_, clocking_, "addend_at", now_.addendAddress, delay);
        const int low = unit_.groupBits;
        m_.assign(addendRead_, address.slice(low, address.width() - low));
        addend_ =
            addendOfGroup(m_, clocking_, in_.at("addend_word"), address, low, lanes_ * addendBits_);
    }

    void control() {
        Expr done = now_.valid;
        if (pools_) {
            const Expr pool = library_.laterFromRegister(
                m_, clocking_, "pooling",
                m_.wire("pooling_now", rtl::join({now_.number, now_.poolFirst, now_.valid})),
                1 + lane_.beforePool);
            poolValid_ = pool.bit(0);
            poolFirst_ = pool.bit(1);
            if (serial())
                poolIndex_ = pool.slice(2, unit_.serialBits());
            done = m_.wire("window_done", now_.valid & now_.poolLast);
        }
        m_.assign(resultValid_,
                  library_.validLater(m_, clocking_, "written", done, 1 + lane_.stages));
    }

    /// What the modes of the step that runs give the lanes, in registers.
    void modeNumbers() {
        for (const ModeNumber& number : lane_.numbers) {
            const Expr q = m_.reg(number.name + "_q", bits(number.width));
            std::vector<std::pair<std::int64_t, rtl::Block::Body>> cases;
            const auto sets = [&, q](std::int64_t value) {
                return [q, value](rtl::Block& b) { b.set(q, constantLike(q, value)); };
            };
            for (std::size_t k = 0; k + 1 < number.values.size(); ++k)
                cases.emplace_back(static_cast<std::int64_t>(k), sets(number.values[k]));
            m_.clocked(clocking_.clock, [&](rtl::Block& b) {
                b.select(in_.at(number.mode), cases, sets(number.values.back()));
            });
            numbers_[number.name] = q;
        }
    }

    void lanes() {
        const int out = unit_.resultBits;
        m_.repeat("lane", lanes_, [&](const Size& i) {
            rtl::Module::Connections wiring = {
                {"aclk", clocking_.clock},
                {"x", operands_.slice(i * form_.sumBits, form_.sumBits)},
                {"y", result_.slice(i * out, out)}};
            if (form_.fieldBits() > 0)
                wiring.emplace_back("fields",
                                    fields_.slice(i * form_.fieldBits(), form_.fieldBits()));
            if (unit_.adds)
                wiring.emplace_back("addend", addend_.slice(i * addendBits_, addendBits_));
            if (pools_) {
                wiring.emplace_back("pool_valid", poolValid_);
                wiring.emplace_back("pool_first", poolFirst_);
                if (serial())
                    wiring.emplace_back("pool_index", poolIndex_);
            }
            for (const auto& [name, value] : numbers_)
                wiring.emplace_back(name, value);
            m_.instance(lane_.module, "scaled", wiring);
        });
    }

    DesignLibrary& library_;
    const RtlPlan& plan_;
    const UnitPlan& unit_;
    const WriteBackTexts& texts_;
    const cost::WriteBackForm& form_;
    int addendBits_;
    WriteBackLane lane_;
    bool pools_;
    int lanes_;
    rtl::Module m_;
    Clocking clocking_;
    std::map<std::string, Expr> in_;
    std::map<std::string, Expr> numbers_;
    Group now_;
    Expr addendRead_, resultValid_, result_;
    Expr operands_, fields_, addend_, poolValid_, poolFirst_, poolIndex_;
};

} // namespace

rtl::ModulePtr writeBackModule(DesignLibrary& library, const RtlPlan& plan, const UnitPlan& unit,
                               const WriteBackTexts& texts) {
    return WriteBackBuilder(library, plan, unit, texts).build();
}

} // namespace marquetry::hdl
