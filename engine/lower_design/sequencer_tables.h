// What a sequencer knows of its steps: the loops of their nests, their affine quantities, and the
// constants of both. Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_modules.h"
#include "engine/lower_design/step_table.h"

#include <array>

namespace marquetry::hdl {

/// A loop of the nest with a bound above 1 in some step.
struct NestLevel {
    std::size_t level = 0;
    int bits = 1;
    Expr beforeEnd; ///< the iteration before its last one, of the step
    Expr once;      ///< the step's loop has one iteration
    Expr counter;
    Expr last; ///< a register: the counter is at its last iteration
    Expr step; ///< every loop inside it is at its end
};

/// A register to which the constant of the loop that advances is added.
struct AffineRegister {
    std::string name;
    int bits = 1;
    Affine StepPlan::*form = nullptr;
    Expr start;
    std::vector<Expr> deltas; ///< index: as the levels'
    Expr word;
};

struct StepConstants {
    Expr drain, isCompute, isStore, followedAfter;
    std::vector<Expr> isOf, awaits; ///< by queue: handed to it; begins when it is empty
    Expr unit, inSlot, outSlot, addSlot, adding;
    Expr inHeight, inWidth, tail;
    std::vector<Expr> rowOffsets, columnOffsets; ///< of each word that is read at once
    Expr outStart, outPixelStep, outRowStep, outRowEnd, outGroupEnd, outKeptEnd;
    Expr outBlockStep, outPixelEnd, outBlockEnd; ///< of outer blocks
    Expr external;
    Expr waits, waitClocks;    ///< behind a reduction; clocks less one
    std::vector<Expr> ofModes; ///< of ModePorts of all units, then of addend sources
};

class SequencerTables {
public:
    /// Of the steps of a follower, or of those of the leader.
    SequencerTables(const RtlPlan& plan, std::optional<std::size_t> follower);

    bool computes() const { return !computes_.empty(); }
    /// Of a follower: some of its steps are no calls, and movers or units of rows run them.
    bool moves() const;
    /// Some reduction waits for the results of the one before.
    bool waits() const;
    /// Some step has external weights; of the leader, some unit has a ring.
    bool fetches() const;
    /// Some step has outer blocks.
    bool blocksOutside() const;
    const std::vector<const UnitPlan*>& units() const { return units_; }

    /// Asks for all constants.
    void declare(StepTable& table);

    std::vector<NestLevel> levels; ///< outermost first
    std::vector<AffineRegister> registers;
    StepConstants constants;

private:
    using Values = StepTable::Values;
    template <class Value>
    Values perCompute(const Value& value) const;
    std::size_t rowOf(const StepPlan& p) const;
    bool reads(const AffineRegister& r, const StepPlan& p) const;
    void declareLeader(StepTable& table, Values& drains);
    void declareKinds(StepTable& table);
    void declareOrder(StepTable& table);
    void declareCompute(StepTable& table);
    void declareLevel(StepTable& table, NestLevel& l);
    void declareRegister(StepTable& table, AffineRegister& r);
    void declareExternal(StepTable& table);
    void declareWords(StepTable& table);
    void declareResults(StepTable& table);
    void declareModes(StepTable& table);

    const RtlPlan& plan_;
    std::optional<std::size_t> follower_;
    std::vector<StepPlan> computes_;
    std::vector<const UnitPlan*> units_; ///< that run one of its steps
};

const char* nameOf(Level level);

} // namespace marquetry::hdl
