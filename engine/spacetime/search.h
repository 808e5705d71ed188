// The search for implementations of a stream program in given layouts (background/aetherling.md,
// "Scheduling").
//
// A state is a set of pairs (value, layout) that are still asked for. The search walks the graph
// from its output to its inputs. At each value a state is continued by every way to produce the
// value, with the changes of layout to what was asked for; the continued state asks for the
// operands instead. A value with several users is reached after all of them, so its one layout is
// chosen by cost. Functions are searched once for each layout of their result, which gives a
// relation between that layout and those of their inputs.
//
// A state keeps the areas that no other area beats in every resource. It is dropped when another
// state is at most as large even with the changes of layout that lead from the one to the other,
// because what completes the one then completes the other. One of its areas is not pursued when it
// exceeds the bound (a sum of fractions of the device) together with the least that is still to
// come (least_area.h), or when the result would be no smaller than a design known before. A
// function gets the bound that the values around it leave. So the result and the known designs hold
// every smallest area within the bound.
// Deviation: the published search fixes a value's layout by its first user and tries changes only
// at `unpartition`; here every value may be changed, and each shape is taken with every number of
// lanes.
//
// Complexity: polynomial in the layouts within the bound for a chain of values; exponential in the
// number of values alive at once. Thread rule: not shared.
#pragma once

#include "engine/spacetime/constants.h"
#include "engine/spacetime/implementation.h"
#include "engine/spacetime/least_area.h"
#include "engine/spacetime/loop_length.h"
#include "engine/spacetime/state_record.h"
#include "engine/support/until.h"

#include <chrono>
#include <stop_token>

namespace marquetry::spacetime {

/// Sums of fractions of a device that differ by less are equal.
inline constexpr double kRounding = 1e-12;

/// What surrounds a function: how often it is there, and the constants its inputs carry.
struct Surroundings {
    std::int64_t copies = 1;
    std::vector<MaybeConstants> inputs{};
    auto operator<=>(const Surroundings&) const = default;
};

struct SearchLimits {
    std::int64_t maxBits = 1 << 16; ///< widest layout, in a clock
    bool changes = true;            ///< false: only wires between layouts
    /// Where only wires are between layouts, those of a value are found from the one that is
    /// wanted, and not among all: of equal circuits another may come first.
    bool waysOfWires = false;
    const ir::StreamGraph* program = nullptr; ///< the graph that `designs` implement
    std::vector<device::Resources> designs{}; ///< areas known: none as large is wanted
    StateRecord* record = nullptr;            ///< of `program`: what is looked at; may be null
    std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
    std::stop_token stop{};

    Until until() const { return {stop, deadline}; }
};

/// A loop that takes more clocks than there are until the next elements come.
struct LongLoop {
    LoopLength length;
    std::int64_t clocks = 1; ///< there are
    std::int64_t lanes = 1;
    SourceRange place{};
};

class Search {
public:
    using Implementations = std::vector<std::shared_ptr<const Implementation>>;

    Search(LayoutTable& layouts, LeastAreaTable& least, const device::Device& device,
           SearchLimits limits)
        : layouts_(layouts), least_(least), device_(device), limits_(std::move(limits)) {}

    /// Those of a graph with one output within a bound (sum of fractions of the device); areas are
    /// of all copies. The reference stays valid.
    const Implementations& implementations(const ir::StreamGraph& graph, LayoutId output,
                                           const Surroundings& around, double bound);

    bool stopped() const;
    const SearchLimits& limits() const { return limits_; }
    LayoutTable& layouts() { return layouts_; }
    LeastAreaTable& least() { return least_; }
    const device::Device& device() const { return device_; }
    /// Of functions of reduces, as far as known.
    std::map<const Implementation*, std::int64_t>& delays() { return delays_; }
    /// Whether the loop of a scan closes in time; one that does not is remembered.
    bool closes(const ir::StreamNode& scan, const Decision& decision);
    /// Of the loops that did not, the one through the fewest elements.
    const std::optional<LongLoop>& longLoop() const { return longLoop_; }
    std::int64_t states() const { return states_; }
    void countStates(std::size_t n) { states_ += static_cast<std::int64_t>(n); }

private:
    using Key = std::tuple<const ir::StreamGraph*, LayoutId, Surroundings, double>;

    LayoutTable& layouts_;
    LeastAreaTable& least_;
    const device::Device& device_;
    SearchLimits limits_;
    std::map<Key, Implementations> known_;
    std::map<const Implementation*, std::int64_t> delays_;
    /// By function and lanes.
    std::map<std::pair<const Implementation*, std::int64_t>, LoopLength> loops_;
    std::optional<LongLoop> longLoop_;
    std::int64_t states_ = 0;
};

} // namespace marquetry::spacetime
