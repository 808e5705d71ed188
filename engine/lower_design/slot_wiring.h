// The slots at the top: who reads and who writes each of them, and when.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/unit_control.h"

namespace marquetry::hdl {

/// A mover of a stream: its wires at the top.
struct MoverWires {
    Expr active, advance, finished;
    Expr bad, we, waddr, wdata; ///< of a loader
    Expr raddr;                 ///< of a storer
    design::Queue queue = design::Queue::Calls;
};

/// Of a move between slots, or a unit of rows.
struct MoveWires {
    std::optional<design::SlotId> from, to; ///< slots, if any
    Expr active, finished, raddr, waddr, wdata;
    Expr we; ///< a bit for each bank
    design::Queue queue = design::Queue::Calls;
};

/// A slot that a unit of elements reads along.
struct SecondRead {
    design::SlotId slot;
    Expr active, raddr;
};

struct UnitWires {
    Expr valid, result;
    Expr addendReadAddress; ///< of a unit that adds
};

/// What slots are wired to.
struct TopWires {
    std::vector<MoverWires> loads, stores; ///< index: as the plan's loaders() and storers()
    std::vector<MoveWires> moves;          ///< those of moves first, as the plan's
    std::vector<SecondRead> seconds;
    std::vector<UnitWires> units; ///< index: UnitId
    /// What was read, of many turns the first word alone; index: SlotId.
    std::vector<Expr> words;
    /// A clock later, of slots that units take operands from, the first word first; index: SlotId.
    std::vector<std::vector<Expr>> operands;
    Expr clock;
    std::vector<Expr> reads; ///< low keeps the words being read; index: SlotId
};

class SlotWiring {
public:
    SlotWiring(rtl::Module& m, DesignLibrary& library, const RtlPlan& plan,
               const design::Schedule& schedule, const UnitControl& control, const TopWires& wires)
        : m_(m),
          library_(library),
          plan_(plan),
          schedule_(schedule),
          control_(control),
          wires_(wires) {}

    void write(std::size_t slot);

private:
    void describe(std::size_t slot);
    /// What a slot is asked, or one of its turns.
    struct Request {
        Expr raddr, we, waddr, wdata;
    };
    void instance(std::size_t slot, const std::string& name, const Request& request,
                  const Expr& words);
    void turns(std::size_t slot, const Request& request);
    Expr turnedBy(const std::string& name, const Expr& turn, Expr words, int begin, int end);
    void operands(std::size_t slot);
    void turnsLate(std::size_t slot, const Expr& turn, const Expr& words);
    Expr roundsAt(const SlotPlan& slot, const Expr& first, std::int64_t turn, int bits,
                  std::int64_t less);
    Expr turnAddress(const SlotPlan& slot, std::int64_t turn, const Expr& first, const Expr& round);
    Expr readAddress(std::size_t slot) const;
    Expr addsFrom(std::size_t unit, std::size_t slot) const;
    Expr writeEnables(std::size_t slot);
    Expr unitWrites(std::size_t unit, std::size_t slot, std::int64_t group) const;
    Expr resultWord(std::size_t unit, std::size_t slot);
    int storedLanes(std::size_t slot) const {
        return static_cast<int>(plan_.slots[slot].storedLanes);
    }

    rtl::Module& m_;
    DesignLibrary& library_;
    const RtlPlan& plan_;
    const design::Schedule& schedule_;
    const UnitControl& control_;
    const TopWires& wires_;
};

} // namespace marquetry::hdl
