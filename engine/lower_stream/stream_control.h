// The control of a stream kernel: one counter for each period, and what follows from them.
//
// A counter runs with the kernel's enable from its reset on, so at step T after the reset it is at
// T modulo its period: a word that starts `offset` steps later than the inputs sees it rotated.
// Everything is declared in a section of its own, before the words that use it; what moves the
// counters on comes where run() is called.
// Thread rule: one writer.
#pragma once

#include "engine/cost/kernel_area.h"
#include "engine/datapath/datapath.h"
#include "engine/rtl/module.h"

#include <map>

namespace marquetry::hdl {

using rtl::Expr;

/// What control runs with.
struct ControlSignals {
    Expr clock;
    Expr reset; ///< 0 while the counters start anew
    Expr enable;
};

class StreamControl {
public:
    /// Declares its section in the module, there.
    StreamControl(rtl::Module& module, ControlSignals signals);

    /// Bits [low, high] of a generator's word, for a user that starts at step `offset`.
    Expr word(const datapath::Cell& generator, int high, int low, std::int64_t offset);
    /// 1 in the steps [first, end) of the period that started at step `offset`.
    Expr phase(std::int64_t period, std::int64_t first, std::int64_t end, std::int64_t offset);
    /// 1 from step `steps` on.
    Expr started(std::int64_t steps);

    cost::KernelControl size() const;

    /// The clocked part, when nothing is asked for any more.
    void run();

private:
    struct Counter {
        std::int64_t period = 1;
        std::int64_t spread = 1; ///< steps of each value
        std::int64_t offset = 0;
        /// Of a longer period, from whose step `offset` on this one is counted anew; 0: of none.
        std::int64_t within = 0;
        auto operator<=>(const Counter&) const = default;

        std::string name() const;
    };
    struct CounterRegisters {
        Expr value, low; ///< `low`: of a spread
        Expr restarts;   ///< 1 in the last step before it is counted anew
    };
    /// A register that is 1 from the step behind a condition.
    struct Phase {
        Expr before, value;
        bool atReset = false;
    };
    struct Named {
        Expr condition, wire;
    };
    Expr counter(const Counter& key);
    Expr countedAnew(const datapath::Cell& generator, std::int64_t offset);
    Expr wireOf(const Expr& condition);
    Expr table(const datapath::Cell& generator, const Expr& counter, std::int64_t offset);
    Expr condition(const datapath::Cell& pattern, std::int64_t offset);
    void runCounter(rtl::Block& block, const Counter& key, const CounterRegisters& registers) const;
    void runPhases(rtl::Block& block) const;
    void runStarts(rtl::Block& block) const;

    rtl::Module& module_;
    ControlSignals signals_;
    rtl::Section section_;
    std::map<Counter, CounterRegisters> counters_;
    std::int64_t tableLuts_ = 0;
    std::int64_t wires_ = 0;              ///< conditions and tables
    std::map<std::int64_t, Expr> starts_; ///< steps that are left, by all of them
    std::vector<Phase> phases_;
    std::vector<Named> conditions_;
    std::map<std::pair<const rtl::ExprNode*, std::vector<std::int64_t>>, Expr> tables_;
};

} // namespace marquetry::hdl
