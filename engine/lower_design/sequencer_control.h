// The state machines of the sequencers: what runs when. The nests, addresses and tables they drive
// are built by sequencer_rtl.cpp. A step is set up for a clock, runs, and drains.
//
// Thread rule: one builder.
#pragma once

#include "engine/lower_design/design_library.h"

namespace marquetry::hdl {

/// The state: one of the registers is 1, or none.
struct SequencerState {
    Expr setup, run, drain;
    Expr busy() const { return setup | run | drain; }
};

/// What a machine goes by. Those that one of the machines does not have are of no bits.
struct SequencerInputs {
    Clocking clocking;
    Expr start, done, cycles;           ///< of the leader
    Expr step;                          ///< a register of the leader
    Expr isCompute, isStore;            ///< of the step
    Expr streamAdvance, streamFinished; ///< of what movers run, which units of rows are, too
    Expr memoryWaits;                   ///< rows of an external tensor wait for memory
    Expr follow;                        ///< the pulse that starts a follower
    std::vector<Expr> follows;          ///< of the leader: of each follower
    Expr followFinished;                ///< the answer to that of a joined call
    Expr followedAfter;                 ///< clocks until then, 0: nothing follows
    Expr active, finished;              ///< outputs of the follower
    Expr held;                  ///< the follower stands still: the load it is joined to waits
    std::vector<Expr> isBeside; ///< of the step: it is handed to that follower
    Expr isTransfer;            ///< likewise to the queue of transfers
    Expr ready;                 ///< all that the step awaits has ended
    Expr post;                  ///< hands a step to the queue of transfers
    Expr begun;                 ///< which one was begun last, of all steps; a register
    Expr lateStream;            ///< waits for a transfer that waits for its stream
    Expr drainCycles;           ///< of the step, less one
    Expr nestLast;              ///< the last iteration of the nest
};

/// The end of the list of steps, as tables have it, and the rounds in it.
struct LastStep {
    std::int64_t step = 0;
    bool handed = false; ///< another queue runs it
    std::optional<design::ScheduleLoop> loop = {};
    std::int64_t roundEnd = 0; ///< the last step of a round that the leader begins
};

/// The clock is one of the run's cycles: the leader does not wait for a stream.
Expr isCycle(const SequencerState& state, const SequencerInputs& in);

/// Runs the steps one after another, from step 0 to the last one; steps of other queues are handed
/// over in the clock of their set-up.
void leaderControl(rtl::Module& m, const SequencerState& state, const SequencerInputs& in,
                   LastStep last);

/// Runs one step each time it is told to. Where it has `streamFinished`, some of them are no calls,
/// and end with it.
void followerControl(rtl::Module& m, const SequencerState& state, const SequencerInputs& in);

} // namespace marquetry::hdl
