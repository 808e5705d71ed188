#include "engine/hdl/modules.h"

#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

/// The low bits of the first `count` elements of a word, each extended to `to` bits.
struct Elements {
    std::string word;
    int wordElements = 1;
    int count = 1;
    int stored = 8; ///< bits per element in the word
    int taken = 8;  ///< low bits that count
    bool isSigned = false;
    int to = 8;
};

std::string elements(const Elements& e) {
    const int width = e.wordElements * e.stored;
    if (e.stored == e.taken && e.taken == e.to)
        return slice(e.word, width, e.count * e.stored - 1, 0);
    std::string text;
    for (int i = e.count; i-- > 0;) {
        const int low = i * e.stored;
        const std::string value = slice(e.word, width, low + e.taken - 1, low);
        text += i + 1 == e.count ? "" : ", ";
        if (e.to > e.taken && e.isSigned)
            text += cat("{", e.to - e.taken, "{",
                        slice(e.word, width, low + e.taken - 1, low + e.taken - 1), "}}, ");
        else if (e.to > e.taken)
            text += literal(e.to - e.taken, 0) + ", ";
        text += value;
    }
    return "{" + text + "}";
}

/// Such a word with zeros for the elements that follow, up to `lanes`.
std::string paddedElements(const Elements& e, int lanes) {
    const int zeros = (lanes - e.count) * e.to;
    return zeros == 0 ? elements(e) : cat("{{", zeros, "{1'b0}}, ", elements(e), "}");
}

/// "a ? x : b ? y : z"; the last alternative needs no condition.
class Choice {
public:
    void add(const std::string& condition, const std::string& value) {
        items_.emplace_back(condition, value);
    }
    std::string text(const std::string& otherwise) const {
        if (items_.empty())
            return otherwise;
        std::string result;
        for (std::size_t i = 0; i + 1 < items_.size(); ++i)
            result += cat(items_[i].first, " ? ", items_[i].second, " :\n            ");
        return result + items_.back().second;
    }

private:
    std::vector<std::pair<std::string, std::string>> items_;
};

class TopWriter {
public:
    TopWriter(const RtlPlan& plan, const design::Schedule& schedule)
        : plan_(plan), schedule_(schedule), lanes_(static_cast<int>(plan.lanes)) {}

    Module write() {
        m_.name = plan_.name + "_top";
        comment();
        ports();
        sequencer();
        slotWords();
        streams();
        for (std::size_t u = 0; u < plan_.units.size(); ++u)
            if (!plan_.units[u].layers.empty())
                unit(u);
        for (std::size_t s = 0; s < plan_.slots.size(); ++s)
            if (plan_.slots[s].used)
                slot(s);
        status();
        m_.body = body_.text();
        return m_;
    }

private:
    void comment() {
        std::int64_t multipliers = 0;
        std::int64_t banks = 0;
        for (const UnitPlan& u : plan_.units) {
            multipliers += u.pass || u.layers.empty() ? 0 : u.parallel * lanes_;
            banks += u.pass || u.layers.empty() ? 0 : u.parallel * u.banksPerRow;
        }
        for (const SlotPlan& s : plan_.slots)
            banks += s.used ? s.groups * s.banksPerGroup : 0;
        m_.comment = {cat("Design ", plan_.name, ": one AXI4-Stream per input and output, 64-bit"),
                      "little-endian beats, row-major, the last beat zero-padded with TLAST.",
                      "start begins a run, done stays high from its end to the next start, cycles",
                      "counts from start to done without the clocks that wait for a stream; error",
                      "stays high when an input's TLAST came too early or too late.",
                      cat("Cycles: ", plan_.cycles, " predicted. Resources: ", multipliers,
                          " multipliers, ", banks, " memory banks."),
                      "Steps:"};
        for (std::size_t i = 0; i < plan_.stepNames.size(); ++i)
            m_.comment.push_back(
                cat("  ", i, " ", plan_.stepNames[i], ": ", plan_.stepCycles[i], " cycles"));
    }

    void port(Direction direction, int width, const std::string& name) {
        m_.ports.push_back({direction, width, name});
    }

    void ports() {
        port(Direction::Input, 1, "aclk");
        port(Direction::Input, 1, "aresetn");
        port(Direction::Input, 1, "start");
        port(Direction::Output, 1, "done");
        port(Direction::Output, 1, "busy");
        port(Direction::Output, 64, "cycles");
        port(Direction::OutputReg, 1, "error");
        for (const StreamPlan& load : plan_.loads) {
            const std::string prefix = "s_axis_" + load.name;
            port(Direction::Input, 64, prefix + "_tdata");
            port(Direction::Input, 1, prefix + "_tvalid");
            port(Direction::Input, 1, prefix + "_tlast");
            port(Direction::Output, 1, prefix + "_tready");
        }
        for (const StreamPlan& store : plan_.stores) {
            const std::string prefix = "m_axis_" + store.name;
            port(Direction::Output, 64, prefix + "_tdata");
            port(Direction::Output, 1, prefix + "_tvalid");
            port(Direction::Output, 1, prefix + "_tlast");
            port(Direction::Input, 1, prefix + "_tready");
        }
    }

    using Wiring = std::vector<std::pair<std::string, std::string>>;

    /// A stream's end `axis`, and its part in the sequencing, at the mover `p`.
    static Wiring streamWiring(const std::string& p, const std::string& axis) {
        Wiring wiring;
        for (const char* port : {"tdata", "tvalid", "tlast", "tready"})
            wiring.emplace_back(port, cat(axis, "_", port));
        for (const char* port : {"active", "advance", "finished"})
            wiring.emplace_back(port, cat(p, "_", port));
        return wiring;
    }

    /// Instances of a module whose ports are wired to signals of the same name, but for those
    /// given.
    void instance(const Module& module, const std::string& name, const Wiring& wiring) {
        body_.line(module.name, " ", name, " (");
        for (std::size_t i = 0; i < module.ports.size(); ++i) {
            std::string signal = module.ports[i].name;
            for (const auto& [port, to] : wiring)
                if (port == module.ports[i].name)
                    signal = to;
            body_.line("    .", module.ports[i].name, "(", signal, ")",
                       i + 1 < module.ports.size() ? "," : ");");
        }
    }

    void sequencer() {
        const Module module = sequencerModule(plan_);
        for (const Port& p : module.ports)
            if (p.direction != Direction::Input && p.name != "done" && p.name != "busy" &&
                p.name != "cycles")
                body_.line("wire ", range(p.width), p.name, ";");
        body_.line("wire stream_advance;");
        body_.line("wire stream_finished;");
        if (!plan_.computes.empty())
            body_.line("wire result_valid;");
        instance(module, "sequencer", {});
    }

    void streams() {
        for (const StreamPlan& load : plan_.loads) {
            const std::string p = "load_" + load.name;
            const std::string axis = "s_axis_" + load.name;
            const Module module = loadModule(plan_, load);
            body_.blank();
            declare(p, load.step);
            body_.line("wire ", p, "_bad;");
            body_.line("wire ", p, "_we;");
            body_.line("wire ", range(module.ports[12].width), p, "_waddr;");
            body_.line("wire ", range(module.ports[13].width), p, "_wdata;");
            Wiring wiring = streamWiring(p, axis);
            for (const char* port : {"bad", "we", "waddr", "wdata"})
                wiring.emplace_back(port, cat(p, "_", port));
            instance(module, p, wiring);
        }
        for (const StreamPlan& store : plan_.stores) {
            const std::string p = "store_" + store.name;
            const std::string axis = "m_axis_" + store.name;
            const Module module = storeModule(plan_, store);
            body_.blank();
            declare(p, store.step);
            body_.line("wire ", range(module.ports[10].width), p, "_raddr;");
            Wiring wiring = streamWiring(p, axis);
            wiring.emplace_back("raddr", p + "_raddr");
            wiring.emplace_back("q", plan_.slots[store.slot].name + "_q");
            instance(module, p, wiring);
        }
        body_.blank();
        body_.line("assign stream_advance = ", anyStream("_advance"), ";");
        body_.line("assign stream_finished = ", anyStream("_finished"), ";");
        body_.note("A stopped storer holds the words being read.");
        std::string holds;
        for (const StreamPlan& store : plan_.stores)
            holds += cat(holds.empty() ? "" : " | ", "(store_", store.name, "_active & ~store_",
                         store.name, "_advance)");
        body_.line("wire hold = ", holds.empty() ? "1'b0" : holds, ";");
    }

    int storedLanes(std::size_t s) const { return static_cast<int>(plan_.slots[s].storedLanes); }

    void slotWords() {
        for (std::size_t s = 0; s < plan_.slots.size(); ++s)
            if (plan_.slots[s].used)
                body_.line("wire ", range(storedLanes(s) * schedule_.slots[s].elementBits),
                           plan_.slots[s].name, "_q;");
    }

    void declare(const std::string& prefix, std::size_t step) {
        body_.line("wire ", prefix, "_active = run & (step == ",
                   literal(plan_.stepBits, static_cast<std::int64_t>(step)), ");");
        body_.line("wire ", prefix, "_advance;");
        body_.line("wire ", prefix, "_finished;");
    }

    std::string anyStream(const char* suffix) const {
        std::string text;
        for (const StreamPlan& load : plan_.loads)
            text += cat(text.empty() ? "" : " | ", "load_", load.name, suffix);
        for (const StreamPlan& store : plan_.stores)
            text += cat(text.empty() ? "" : " | ", "store_", store.name, suffix);
        return text.empty() ? "1'b0" : text;
    }

    std::string isSlot(const char* selector, std::size_t s) const {
        return cat("(", selector, " == ", literal(plan_.slotBits, static_cast<std::int64_t>(s)),
                   ")");
    }

    std::string isUnit(std::size_t u) const {
        return cat("(unit == ", literal(plan_.unitBits, static_cast<std::int64_t>(u)), ")");
    }

    void unit(std::size_t index) {
        const UnitPlan& u = plan_.units[index];
        const Module module = unitModule(plan_, u);
        body_.blank();
        body_.line("wire ", u.name, "_valid;");
        body_.line("wire ", range(static_cast<int>(u.parallel) * u.resultBits), u.name, "_result;");
        if (partlyWritten(u))
            body_.line("wire unused_", u.name, "_result = &{1'b0, ", u.name, "_result};");
        Choice operand;
        for (const std::size_t s : u.inSlots)
            operand.add(
                isSlot("in_slot", s),
                paddedElements({plan_.slots[s].name + "_q", storedLanes(s), storedLanes(s),
                                schedule_.slots[s].elementBits, u.operandBits, false,
                                u.operandBits},
                               lanes_));
        body_.line("wire ", range(lanes_ * u.operandBits), u.name, "_operand =\n            ",
                   operand.text(""), ";");
        std::vector<std::pair<std::string, std::string>> connections = {
            {"issue", cat("issue & ", isUnit(index))},
            {"operand", u.name + "_operand"},
            {"result_valid", u.name + "_valid"},
            {"result", u.name + "_result"},
            {"weight_address",
             slice("weight_address", plan_.weightBits, u.weightAddressBits - 1, 0)}};
        for (const ModePort& mode : modePorts(u))
            connections.emplace_back(mode.name, u.name + "_" + mode.name);
        if (u.adds)
            addend(u, connections);
        instance(module, u.name, connections);
    }

    /// No slot takes all rows of the unit's results.
    bool partlyWritten(const UnitPlan& u) const {
        return std::none_of(u.outSlots.begin(), u.outSlots.end(), [&](std::size_t s) {
            return plan_.slots[s].storedLanes >= u.parallel;
        });
    }

    void addend(const UnitPlan& u, std::vector<std::pair<std::string, std::string>>& connections) {
        const int bits = planEpilogue(u).addendBits;
        const int width = addendAddressBits(plan_, u);
        Choice word;
        for (std::size_t i = 0; i < u.addends.size(); ++i) {
            const AddendSource& source = u.addends[i];
            word.add(
                cat("(", u.name, "_addend_source == ",
                    literal(addendSourceBits(u), static_cast<std::int64_t>(i)), ")"),
                paddedElements({plan_.slots[source.slot].name + "_q", storedLanes(source.slot),
                                storedLanes(source.slot), schedule_.slots[source.slot].elementBits,
                                ir::info(source.scalar).bits, ir::info(source.scalar).isSigned,
                                bits},
                               lanes_));
        }
        body_.line("wire ", range(lanes_ * bits), u.name, "_addend_word =\n            ",
                   word.text(""), ";");
        body_.line("wire ", range(width - u.groupBits), u.name, "_addend_read_address;");
        connections.emplace_back("addend_word", u.name + "_addend_word");
        connections.emplace_back("addend_read_address", u.name + "_addend_read_address");
        connections.emplace_back("addend_address",
                                 slice("addend_address", plan_.addendBits, width - 1, 0));
    }

    void slot(std::size_t s) {
        const SlotPlan& p = plan_.slots[s];
        body_.blank();
        body_.line("wire ", range(p.addressBits), p.name, "_raddr =\n            ", readAddress(s),
                   ";");
        body_.line("wire ", range(static_cast<int>(p.groups)), p.name, "_we;");
        writeEnables(s);
        Choice address;
        Choice data;
        for (const StreamPlan& load : plan_.loads) {
            if (load.slot != s)
                continue;
            address.add(cat("load_", load.name, "_we"), cat("load_", load.name, "_waddr"));
            data.add(cat("load_", load.name, "_we"), cat("load_", load.name, "_wdata"));
        }
        for (std::size_t u = 0; u < plan_.units.size(); ++u) {
            if (!contains(plan_.units[u].outSlots, s))
                continue;
            const int low = plan_.units[u].groupBits;
            address.add(isUnit(u),
                        slice("out_address", plan_.outBits, low + p.addressBits - 1, low));
            data.add(isUnit(u), resultWord(u, s));
        }
        const int bits = storedLanes(s) * schedule_.slots[s].elementBits;
        body_.line("wire ", range(p.addressBits), p.name, "_waddr =\n            ",
                   address.text(literal(p.addressBits, 0)), ";");
        body_.line("wire ", range(bits), p.name, "_wdata =\n            ",
                   data.text(cat("{", bits, "{1'b0}}")), ";");
        if (partlyRead(s))
            body_.line("wire unused_", p.name, " = &{1'b0, ", p.name, "_q};");
        instance(slotModule(plan_, schedule_, s), p.name,
                 {{"re", "~hold"},
                  {"raddr", p.name + "_raddr"},
                  {"q", p.name + "_q"},
                  {"we", p.name + "_we"},
                  {"waddr", p.name + "_waddr"},
                  {"wdata", p.name + "_wdata"}});
    }

    /// Some bits of the slot's elements may have no reader here.
    bool partlyRead(std::size_t s) const {
        const int stored = schedule_.slots[s].elementBits;
        int widest = 0;
        for (const StreamPlan& store : plan_.stores)
            widest = store.slot == s ? stored : widest;
        for (const UnitPlan& u : plan_.units) {
            if (contains(u.inSlots, s))
                widest = std::max(widest, u.operandBits);
            for (const AddendSource& source : u.addends)
                if (source.slot == s)
                    widest = std::max(widest, ir::info(source.scalar).bits);
        }
        return widest < stored;
    }

    std::string readAddress(std::size_t s) const {
        const SlotPlan& p = plan_.slots[s];
        Choice address;
        for (const StreamPlan& store : plan_.stores)
            if (store.slot == s)
                address.add(cat("store_", store.name, "_active"),
                            cat("store_", store.name, "_raddr"));
        for (std::size_t u = 0; u < plan_.units.size(); ++u) {
            const UnitPlan& unit = plan_.units[u];
            const int width = addendAddressBits(plan_, unit) - unit.groupBits;
            for (const AddendSource& source : unit.addends) {
                if (source.slot != s)
                    continue;
                address.add(cat("(adding & ", isSlot("add_slot", s), " & ", isUnit(u), ")"),
                            slice(unit.name + "_addend_read_address", width, p.addressBits - 1, 0));
                break;
            }
        }
        if (p.computeReads)
            address.add("", slice("in_address", plan_.inputBits, p.addressBits - 1, 0));
        return address.text(literal(p.addressBits, 0));
    }

    void writeEnables(std::size_t s) {
        const SlotPlan& p = plan_.slots[s];
        const std::int64_t groupLanes = schedule_.slots[s].writeLanes;
        for (std::int64_t g = 0; g < p.groups; ++g) {
            std::string text;
            const auto either = [&](const std::string& term) {
                text += (text.empty() ? "" : " |\n            ") + term;
            };
            for (const StreamPlan& load : plan_.loads)
                if (load.slot == s)
                    either(cat("load_", load.name, "_we"));
            for (std::size_t u = 0; u < plan_.units.size(); ++u) {
                const UnitPlan& unit = plan_.units[u];
                if (!contains(unit.outSlots, s))
                    continue;
                std::string term = cat("(", unit.name, "_valid & ", isSlot("out_slot", s));
                if (unit.groupBits > 0)
                    term +=
                        cat(" & (", slice("out_address", plan_.outBits, unit.groupBits - 1, 0),
                            " == ", literal(unit.groupBits, g * groupLanes / unit.parallel), ")");
                either(term + ")");
            }
            body_.line("assign ",
                       slice(p.name + "_we", static_cast<int>(p.groups), static_cast<int>(g),
                             static_cast<int>(g)),
                       " = ", text.empty() ? "1'b0" : text, ";");
        }
    }

    /// A unit's results as a word of the slot: repeated in every run of `parallel` lanes; those
    /// past the slot's lanes are left out.
    std::string resultWord(std::size_t u, std::size_t s) const {
        const UnitPlan& unit = plan_.units[u];
        const int bits = schedule_.slots[s].elementBits;
        const int parallel = static_cast<int>(unit.parallel);
        const int kept = std::min(parallel, storedLanes(s));
        const std::string run =
            elements({unit.name + "_result", parallel, kept, unit.resultBits, bits, false, bits});
        const int runs = storedLanes(s) / kept;
        return runs == 1 ? run : cat("{", runs, "{", run, "}}");
    }

    void status() {
        body_.blank();
        if (!plan_.computes.empty()) {
            std::string valid;
            for (const UnitPlan& u : plan_.units)
                if (!u.layers.empty())
                    valid += cat(valid.empty() ? "" : " | ", u.name, "_valid");
            body_.line("assign result_valid = ", valid, ";");
        }
        std::string bad;
        for (const StreamPlan& load : plan_.loads)
            bad += cat(bad.empty() ? "" : " | ", "load_", load.name, "_bad");
        body_.line("always @(posedge aclk) begin");
        body_.line("    if (!aresetn | (start & ~busy))");
        body_.line("        error <= 1'b0;");
        body_.line("    else if (", bad.empty() ? "1'b0" : bad, ")");
        body_.line("        error <= 1'b1;");
        body_.line("end");
    }

    const RtlPlan& plan_;
    const design::Schedule& schedule_;
    int lanes_;
    Module m_;
    Body body_;
};

} // namespace

Module topModule(const RtlPlan& plan, const design::Schedule& schedule) {
    return TopWriter(plan, schedule).write();
}

} // namespace marquetry::hdl
