#include "engine/hdl/modules.h"

#include "engine/hdl/plan_names.h"
#include "engine/hdl/slot_wiring.h"
#include "engine/hdl/unit_control.h"
#include "engine/hdl/wiring.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

class TopWriter {
public:
    TopWriter(const RtlPlan& plan, const design::Schedule& schedule)
        : plan_(plan), schedule_(schedule), control_(plan), lanes_(static_cast<int>(plan.lanes)) {}

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
                wireSlot(body_, plan_, schedule_, s);
        status();
        m_.body = body_.text();
        return m_;
    }

private:
    void comment() {
        std::int64_t multipliers = 0;
        std::int64_t banks = 0;
        for (const UnitPlan& u : plan_.units) {
            multipliers += u.multiplies() && !u.layers.empty() ? u.parallel * lanes_ : 0;
            banks += u.multiplies() && !u.layers.empty() ? u.parallel * u.banksPerRow : 0;
        }
        for (const SlotPlan& s : plan_.slots)
            banks += s.used ? s.banks * s.memoriesPerBank : 0;
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

    /// A stream's end `axis`, and its part in the sequencing, at the mover `p`.
    static Wiring streamWiring(const std::string& p, const std::string& axis) {
        Wiring wiring;
        for (const char* port : {"tdata", "tvalid", "tlast", "tready"})
            wiring.emplace_back(port, cat(axis, "_", port));
        for (const char* port : {"active", "advance", "finished"})
            wiring.emplace_back(port, cat(p, "_", port));
        return wiring;
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
        if (plan_.joins)
            follower(module);
        instance(body_, module, "sequencer", {});
    }

    void follower(const Module& leader) {
        const Module module = followerModule(plan_);
        body_.line("wire follow_finished;");
        body_.line("wire f_result_valid;");
        Wiring wiring = {{"finished", "follow_finished"}, {"result_valid", "f_result_valid"}};
        std::string unused;
        const auto mayRest = [&](const std::string& name) { unused += ", " + name; };
        for (const Port& p : leader.ports)
            if (p.direction != Direction::Input && p.name != "done" && p.name != "cycles")
                mayRest(p.name);
        for (const Port& p : module.ports) {
            if (p.direction == Direction::Input || p.name == "finished")
                continue;
            body_.line("wire ", range(p.width), "f_", p.name, ";");
            wiring.emplace_back(p.name, "f_" + p.name);
            mayRest("f_" + p.name);
        }
        body_.note("Of what both sequencers say, each unit hears what it needs.");
        body_.line("wire unused_control = &{1'b0", unused, "};");
        instance(body_, module, "follower", wiring);
    }

    void streams() {
        // Names of instances give way to the signals of streams that have one more word in theirs.
        NameTable names;
        takeStreamSignals(plan_, names);
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
            instance(body_, module, names.unique(p), wiring);
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
            instance(body_, module, names.unique(p), wiring);
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

    void unit(std::size_t index) {
        const UnitPlan& u = plan_.units[index];
        const Module module = u.stream ? streamUnitInterface(plan_, u) : unitModule(plan_, u);
        body_.blank();
        control_.declare(body_, index);
        body_.line("wire ", u.name, "_valid;");
        body_.line("wire ", range(static_cast<int>(u.parallel) * u.resultBits), u.name, "_result;");
        if (partlyWritten(u))
            body_.line("wire unused_", u.name, "_result = &{1'b0, ", u.name, "_result};");
        Choice operand;
        for (const std::size_t s : u.inSlots)
            operand.add(control_.isSlot(control_.of(index, "in_slot"), s),
                        paddedElements({plan_.slots[s].name + "_q", storedLanes(s), storedLanes(s),
                                        schedule_.slots[s].elementBits, u.operandBits, false,
                                        u.operandBits},
                                       lanes_));
        body_.line("wire ", range(lanes_ * u.operandBits), u.name, "_operand =\n            ",
                   operand.text(""), ";");
        Wiring connections = {
            {"issue", control_.issue(index)},
            {"operand", u.name + "_operand"},
            {"result_valid", u.name + "_valid"},
            {"result", u.name + "_result"},
            {"weight_address", slice(control_.of(index, "weight_address"), plan_.weightBits,
                                     u.weightAddressBits - 1, 0)}};
        for (const char* signal : {"first", "last", "outside", "pool_first", "pool_last"})
            connections.emplace_back(signal, control_.of(index, signal));
        for (const ModePort& mode : modePorts(u))
            connections.emplace_back(mode.name, control_.of(index, u.name + "_" + mode.name));
        if (u.adds)
            addend(index, connections);
        instance(body_, module, u.name, connections);
    }

    /// No slot takes all rows of the unit's results.
    bool partlyWritten(const UnitPlan& u) const {
        return std::none_of(u.outSlots.begin(), u.outSlots.end(), [&](std::size_t s) {
            return plan_.slots[s].storedLanes >= u.parallel;
        });
    }

    void addend(std::size_t index, Wiring& connections) {
        const UnitPlan& u = plan_.units[index];
        const int bits = planEpilogue(u).addendBits;
        const int width = addendAddressBits(plan_, u);
        Choice word;
        for (std::size_t i = 0; i < u.addends.size(); ++i) {
            const AddendSource& source = u.addends[i];
            word.add(cat("(", control_.of(index, u.name + "_addend_source"),
                         " == ", literal(addendSourceBits(u), static_cast<std::int64_t>(i)), ")"),
                     paddedElements(
                         {plan_.slots[source.slot].name + "_q", storedLanes(source.slot),
                          storedLanes(source.slot), schedule_.slots[source.slot].elementBits,
                          ir::info(source.scalar).bits, ir::info(source.scalar).isSigned, bits},
                         lanes_));
        }
        body_.line("wire ", range(lanes_ * bits), u.name, "_addend_word =\n            ",
                   word.text(""), ";");
        body_.line("wire ", range(width - u.groupBits), u.name, "_addend_read_address;");
        connections.emplace_back("addend_word", u.name + "_addend_word");
        connections.emplace_back("addend_read_address", u.name + "_addend_read_address");
        connections.emplace_back("addend_address", slice(control_.of(index, "addend_address"),
                                                         plan_.addendBits, width - 1, 0));
    }

    void status() {
        body_.blank();
        if (!plan_.computes.empty())
            body_.line("assign result_valid = ", control_.resultValid(false), ";");
        if (plan_.joins)
            body_.line("assign f_result_valid = ", control_.resultValid(true), ";");
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
    UnitControl control_;
    int lanes_;
    Module m_;
    Body body_;
};

} // namespace

Module topModule(const RtlPlan& plan, const design::Schedule& schedule) {
    return TopWriter(plan, schedule).write();
}

} // namespace marquetry::hdl
