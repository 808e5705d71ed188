#include "engine/hdl/slot_wiring.h"

#include "engine/hdl/unit_control.h"
#include "engine/hdl/wiring.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

class SlotWriter {
public:
    SlotWriter(Body& body, const RtlPlan& plan, const design::Schedule& schedule)
        : body_(body), plan_(plan), schedule_(schedule), control_(plan) {}

    void write(std::size_t s) {
        const SlotPlan& p = plan_.slots[s];
        body_.blank();
        body_.line("wire ", range(p.addressBits), p.name, "_raddr =\n            ", readAddress(s),
                   ";");
        body_.line("wire ", range(static_cast<int>(p.banks)), p.name, "_we;");
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
            const std::string writes = control_.writes(u, s);
            address.add(writes, slice(control_.of(u, "out_address"), plan_.outBits,
                                      low + p.addressBits - 1, low));
            data.add(writes, resultWord(u, s));
        }
        const int bits = storedLanes(s) * schedule_.slots[s].elementBits;
        body_.line("wire ", range(p.addressBits), p.name, "_waddr =\n            ",
                   address.text(literal(p.addressBits, 0)), ";");
        body_.line("wire ", range(bits), p.name, "_wdata =\n            ",
                   data.text(cat("{", bits, "{1'b0}}")), ";");
        if (partlyRead(s))
            body_.line("wire unused_", p.name, " = &{1'b0, ", p.name, "_q};");
        instance(body_, slotModule(plan_, schedule_, s), p.name,
                 {{"re", "~hold"},
                  {"raddr", p.name + "_raddr"},
                  {"q", p.name + "_q"},
                  {"we", p.name + "_we"},
                  {"waddr", p.name + "_waddr"},
                  {"wdata", p.name + "_wdata"}});
    }

private:
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
                address.add(addsFrom(u, s),
                            slice(unit.name + "_addend_read_address", width, p.addressBits - 1, 0));
                break;
            }
        }
        if (p.followerReads)
            address.add(cat("(f_active & ", control_.isSlot("f_in_slot", s), ")"),
                        slice("f_in_address", plan_.inputBits, p.addressBits - 1, 0));
        if (p.computeReads)
            address.add("", slice("in_address", plan_.inputBits, p.addressBits - 1, 0));
        return address.text(literal(p.addressBits, 0));
    }

    /// "the unit adds what this slot holds".
    std::string addsFrom(std::size_t u, std::size_t s) const {
        const UnitPlan& unit = plan_.units[u];
        std::string text;
        if (unit.leads)
            text = cat("(adding & ", control_.isSlot("add_slot", s), " & ",
                       control_.isUnit(u, false), ")");
        if (unit.follows)
            text += cat(text.empty() ? "" : " | ", "(f_active & f_adding & ",
                        control_.isSlot("f_add_slot", s), " & ", control_.isUnit(u, true), ")");
        return unit.leads && unit.follows ? cat("(", text, ")") : text;
    }

    void writeEnables(std::size_t s) {
        const SlotPlan& p = plan_.slots[s];
        const std::int64_t groupLanes = schedule_.slots[s].writeLanes;
        for (std::int64_t g = 0; g < p.banks; ++g) {
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
                std::string term = cat("(", unit.name, "_valid & ",
                                       control_.isSlot(control_.of(u, "out_slot"), s));
                if (unit.groupBits > 0)
                    term += cat(
                        " & (",
                        slice(control_.of(u, "out_address"), plan_.outBits, unit.groupBits - 1, 0),
                        " == ", literal(unit.groupBits, g * groupLanes / unit.parallel), ")");
                either(term + ")");
            }
            body_.line("assign ",
                       slice(p.name + "_we", static_cast<int>(p.banks), static_cast<int>(g),
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

    int storedLanes(std::size_t s) const { return static_cast<int>(plan_.slots[s].storedLanes); }

    Body& body_;
    const RtlPlan& plan_;
    const design::Schedule& schedule_;
    UnitControl control_;
};

} // namespace

void wireSlot(Body& body, const RtlPlan& plan, const design::Schedule& schedule, std::size_t slot) {
    SlotWriter(body, plan, schedule).write(slot);
}

} // namespace marquetry::hdl
