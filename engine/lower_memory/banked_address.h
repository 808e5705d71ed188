// The address of a lane: its bank and offset from counters, counted residues or coordinates.
// Internal to the generator of banked memories. Thread rule: one owner.
#pragma once

#include "engine/lower_memory/banked_logic.h"
#include "engine/lower_memory/memory_ports.h"

#include <map>

namespace marquetry::hdl {

/// The number of a bank as the logic has it: the numbers of its maps side by side.
struct BankCode {
    static int width(const banking::Scheme& scheme);
    static std::int64_t of(const banking::Scheme& scheme, std::int64_t bank);
};

/// Name of the register that counts a generator of a nest.
std::string counterName(std::size_t nest, std::size_t generator);

struct LaneAddress {
    Expr happens; ///< one bit: inside the array and running; enables of ports not counted
    Expr code;    ///< BankCode
    Expr offset;
};

class AddressLogic {
public:
    AddressLogic(const BankedMemory& memory, const MemoryPorts& ports, Logic& logic)
        : memory_(memory), ports_(ports), logic_(logic) {}

    /// Writes the loop counters of every nest.
    void writeCounters();

    LaneAddress address(const BankedLane& lane);
    /// The counters side by side, first one highest.
    Expr counters(std::size_t nest, const std::vector<banking::CounterUse>& uses);
    /// Of a loop of several trips.
    const Expr& counter(std::size_t nest, std::size_t generator) const;

private:
    /// u mod N·B per map, x mod P per dimension with several boxes, words before the box.
    struct State {
        std::vector<Expr> residues;
        std::vector<Expr> inBox;
        Expr chunk;
    };
    /// A distance in the array, as the amounts to add to a state.
    struct Move {
        std::vector<std::int64_t> residues;
        std::vector<std::int64_t> inBox;
        std::int64_t chunk = 0;
        bool operator==(const Move&) const = default;
    };
    /// A loop that moves on, those inside it starting again; or all starting again.
    struct Level {
        Expr when;
        Move move;
    };

    const ir::MemoryLane& source(const BankedLane& lane) const;
    std::size_t nestOf(const BankedLane& lane) const;
    std::vector<std::size_t> loopsOf(std::size_t nest) const;
    void writeNest(std::size_t nest);

    LaneAddress tabulated(const BankedLane& lane);
    LaneAddress parity(const BankedLane& lane);
    Expr index(const BankedLane& lane, std::size_t dim);
    Expr parityCode(const std::vector<Expr>& indices);
    Expr parityOffset(const std::vector<Expr>& indices);
    LaneAddress finish(const State& state, Expr happens);
    Expr happens(const BankedLane& lane);
    Expr coordinate(const BankedLane& lane, std::size_t dim, int width);

    Move moveBy(const banking::Address& distance) const;
    State moved(const State& state, const Move& move);
    State constantState(const banking::Address& x) const;
    const State& counted(const BankedLane& lane);
    State decoded(const BankedLane& lane);
    Expr decodedResidue(Expr sum, const Expr& x, std::size_t map, std::size_t dim);
    State emptyState() const;
    State registersFor(const std::string& name);
    void writeRegisters(const State& now, const State& start, const State& next, std::size_t nest);
    State stepped(const State& now, const BankedLane& lane);
    std::vector<Level> levelsOf(const BankedLane& lane) const;
    Logic::Reduced steppedModulo(const Expr& from, const std::vector<Level>& levels,
                                 const std::vector<std::int64_t>& amounts, std::int64_t modulus);
    /// One of the values: that of the level that is high.
    Expr chosen(const std::vector<Level>& levels, const std::vector<Expr>& values, int width);

    std::int64_t stride(std::size_t dim) const; ///< words between boxes
    std::int64_t modulus(std::size_t map) const;
    int offsetBits() const;

    /// A loop counter.
    struct Counter {
        Expr value, last, moves;
    };
    const BankedMemory& memory_;
    const MemoryPorts& ports_;
    Logic& logic_;
    std::map<std::pair<std::size_t, std::size_t>, Counter> counters_; ///< by nest and generator
    std::vector<Expr> wraps_;                                         ///< by nest
    std::map<std::pair<std::size_t, std::vector<banking::Address>>, std::pair<State, std::size_t>>
        sets_; ///< by group and matrix: state of its first lane
};

} // namespace marquetry::hdl
