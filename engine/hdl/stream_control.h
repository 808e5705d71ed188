// The control of a stream kernel: one counter for each period, and what follows from them.
//
// A counter runs with the kernel's enable from its reset on, so at step T after the reset it is at
// T modulo its period: a word that starts `offset` steps later than the inputs sees it rotated.
// Thread rule: one writer.
#pragma once

#include "engine/hdl/netlist.h"
#include "engine/spacetime/datapath.h"

#include <map>
#include <set>

namespace marquetry::hdl {

class StreamControl {
public:
    /// `reset`: the name of the signal that is 0 while the counters start anew.
    explicit StreamControl(std::string reset = "aresetn") : reset_(std::move(reset)) {}

    /// Bits [low, high] of a generator's word, for a user that starts at step `offset`.
    std::string word(const spacetime::Cell& generator, int high, int low, std::int64_t offset);
    /// 1 in the steps [first, end) of the period that started at step `offset`.
    std::string phase(std::int64_t period, std::int64_t first, std::int64_t end,
                      std::int64_t offset);
    /// 1 from step `steps` on.
    std::string started(std::int64_t steps);

    /// What it takes: registers of counters, and LUTs that decode and count, roughly.
    struct Size {
        std::int64_t counterBits = 0;
        std::int64_t phases = 0; ///< with a register each
        std::int64_t decoderLuts = 0;
        std::int64_t tableLuts = 0;
    };
    Size size() const;

    bool empty() const { return counters_.empty() && starts_.empty(); }
    /// Declarations, to stand before the users; and the clocked part.
    void declare(Body& body) const;
    void run(Body& body) const;

private:
    struct Counter {
        std::int64_t period = 1;
        std::int64_t spread = 1; ///< steps of each value
        std::int64_t offset = 0;
        /// Of a longer period, from whose step `offset` on this one is counted anew; 0: of none.
        std::int64_t within = 0;
        auto operator<=>(const Counter&) const = default;
    };
    /// A register that is 1 from the step behind a condition.
    struct Phase {
        std::string name;
        bool atReset = false;
    };
    std::string counter(const Counter& key);
    std::string countedAnew(const spacetime::Cell& generator, std::int64_t offset);
    std::string wireOf(const std::string& condition);
    std::string table(const spacetime::Cell& generator, const std::string& counter,
                      std::int64_t offset);
    std::string condition(const spacetime::Cell& pattern, std::int64_t offset);
    void runCounter(Body& body, const Counter& key, const std::string& name) const;

    std::string reset_;
    std::map<Counter, std::string> counters_;
    std::map<Counter, std::string> restarts_; ///< 1 in the last step before one
    std::int64_t tableLuts_ = 0;
    std::set<std::int64_t> starts_;
    std::map<std::string, Phase> phases_;      ///< by the condition one step before
    std::map<std::string, std::string> wires_; ///< text of a condition → its name
    std::vector<std::string> lines_;
};

} // namespace marquetry::hdl
