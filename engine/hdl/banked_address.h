// The address of a lane: its bank and offset from counters, counted residues or coordinates.
// Internal to the generator of banked memories. Thread rule: one owner.
#pragma once

#include "engine/hdl/banked_logic.h"
#include "engine/hdl/banked_memory.h"

#include <map>

namespace marquetry::hdl {

/// The number of a bank as the logic has it: the numbers of its maps side by side.
struct BankCode {
    static int width(const banking::Scheme& scheme);
    static std::int64_t of(const banking::Scheme& scheme, std::int64_t bank);
};

struct LaneAddress {
    Signal happens; ///< one bit: inside the array and running; enables of ports not counted
    Signal code;    ///< BankCode
    Signal offset;
};

class AddressLogic {
public:
    AddressLogic(const BankedMemory& memory, Logic& logic) : memory_(memory), logic_(logic) {}

    /// Writes the loop counters of every nest.
    void writeCounters();

    LaneAddress address(const BankedLane& lane);
    /// The counters side by side, first one highest.
    Signal counters(std::size_t nest, const std::vector<banking::CounterUse>& uses);

private:
    /// u mod N·B per map, x mod P per dimension with several boxes, words before the box.
    struct State {
        std::vector<Signal> residues;
        std::vector<Signal> inBox;
        Signal chunk;
    };
    /// A distance in the array, as the amounts to add to a state.
    struct Move {
        std::vector<std::int64_t> residues;
        std::vector<std::int64_t> inBox;
        std::int64_t chunk = 0;
        bool operator==(const Move&) const = default;
    };

    const ir::MemoryLane& source(const BankedLane& lane) const;
    std::size_t nestOf(const BankedLane& lane) const;
    std::vector<std::size_t> loopsOf(std::size_t nest) const;

    LaneAddress tabulated(const BankedLane& lane);
    LaneAddress finish(const State& state, Signal happens);
    Signal happens(const BankedLane& lane);

    Move moveBy(const banking::Address& distance) const;
    State moved(const State& state, const Move& move);
    State constantState(const banking::Address& x) const;
    const State& counted(const BankedLane& lane);
    State decoded(const BankedLane& lane);
    State emptyState() const;
    State registersFor(const std::string& name) const;
    void writeRegisters(const State& now, const State& start, const State& next, std::size_t nest);
    State stepped(const State& now, const BankedLane& lane);
    Signal chosen(const std::vector<std::pair<std::string, Signal>>& byLevel, int width);

    std::int64_t stride(std::size_t dim) const; ///< words between boxes
    std::int64_t modulus(std::size_t map) const;
    int offsetBits() const;

    const BankedMemory& memory_;
    Logic& logic_;
    std::map<std::pair<std::size_t, std::vector<banking::Address>>, std::pair<State, std::size_t>>
        sets_; ///< by group and matrix: state of its first lane
    std::map<std::string, Signal> counterSets_;
};

} // namespace marquetry::hdl
