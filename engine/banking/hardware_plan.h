// How the memory of a scheme is built. This is decided here once, for the cost model that prices it
// and for the generator that writes it.
//
// The reads, or the writes, of a loop nest are *tabulated* when their counters have few bits. Each
// bank then has a table from the counters to its address, and no address of a lane is routed
// anywhere. Otherwise every lane has an address of its own, routed to the banks that it sees. The
// address comes from a table of the lane's counters or from residues counted along with the loops.
// With an unknown index, or in a nest whose ends are not all numbers, the coordinates arrive from
// outside and are decoded.
//
// Complexity: O(lanes · iterations) for tabulated groups, at most kMostTableRows · lanes; else
// O(lanes · banks). Thread rule: pure.
#pragma once

#include "engine/banking/scheme.h"

#include "engine/banking/access.h"
#include "engine/device/device.h"

#include <optional>
#include <string>
#include <vector>

namespace marquetry::banking {

/// Rows of the largest table that is built.
inline constexpr std::int64_t kMostTableRows = std::int64_t{1} << 12;

/// A counter that a lane's address or its activity depends on.
struct CounterUse {
    std::size_t generator = 0;
    int bits = 1;
};

enum class AddressMode { Table, Counted, Decoded };
std::string toString(AddressMode mode);

struct LaneHardware {
    std::size_t group = 0;
    std::size_t lane = 0; ///< of the group
    bool write = false;
    std::int64_t copy = 0; ///< that a reader reads
    bool always = true;    ///< happens in every iteration
    AddressMode mode = AddressMode::Table;
    std::vector<CounterUse> counters;
    std::vector<bool> banks; ///< per bank of a copy: whether the lane ever uses it
    std::int64_t seen = 0;   ///< number of them
};

/// Addresses of the banks of a tabulated group, row by row of its counters (first counter most
/// significant; rows that are no iteration are left out: row → nothing).
struct BankTable {
    struct Hit {
        std::size_t lane = 0;
        std::int64_t copy = 0; ///< −1: all copies (writers)
        std::int64_t bank = 0;
        int port = 0;
        std::int64_t offset = 0;
    };
    std::vector<std::vector<Hit>> rows;
};

struct GroupHardware {
    bool tabulated = false;
    std::vector<CounterUse> counters; ///< of all its lanes
    int counterBits = 0;
    std::vector<LaneHardware> lanes;
};

struct HardwarePlan {
    bool blockRam = false;
    std::vector<GroupHardware> groups; ///< as Pattern::groups
};

HardwarePlan planHardware(const AccessPattern& pattern, const Scheme& scheme,
                          const device::Device& device);

/// The rows of a tabulated group. A conflict gives ports that the memory does not have: the first
/// lanes keep them.
BankTable bankTable(const AccessPattern& pattern, const Scheme& scheme, const GroupHardware& group);

/// Calls visit(row, point) for each iteration of the counters, the others at 0; `point` has one
/// value per generator.
template <class Visitor>
void forEachRow(const std::vector<CounterUse>& counters, const ir::UnrolledNest& nest,
                const Visitor& visit) {
    std::vector<std::int64_t> point(nest.generators.size());
    while (true) {
        std::size_t row = 0;
        for (const CounterUse& use : counters)
            row = row << use.bits | static_cast<std::size_t>(point[use.generator]);
        visit(row, point);
        std::size_t k = counters.size();
        while (k > 0) {
            const std::size_t g = counters[k - 1].generator;
            if (++point[g] < nest.generators[g].trips)
                break;
            point[g] = 0;
            --k;
        }
        if (k == 0)
            return;
    }
}

/// The counters that a lane's index is made of, those with the smallest factors first.
std::vector<std::size_t> indexTerms(const ir::MemoryLane& lane, const ir::UnrolledNest& nest,
                                    std::size_t dim);

/// Bits of the counters together.
int bitsOf(const std::vector<CounterUse>& counters);

/// Bits of the residues and box numbers that a lane counts. Parities are made of the coordinates,
/// which follow from the loop counters: none.
std::int64_t stateBits(const Scheme& scheme);

/// Bits of an n:1 selection or of a counter of n values; 0 for n ≤ 1.
int selectBits(std::int64_t n);

} // namespace marquetry::banking
