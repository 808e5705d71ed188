// Checks of one scheme against the enumeration of the oracle.
#pragma once

#include "engine/banking/access.h"
#include "engine/banking/conflict.h"
#include "engine/banking/scheme.h"
#include "tests/banking/oracle.h"

#include <gtest/gtest.h>

namespace marquetry::banking {

/// The same of XOR-linear schemes: the array is no union of boxes, so only its own addresses count.
inline void expectParityInjective(const Scheme& scheme, const ir::Shape& dims) {
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    std::int64_t padded = 1;
    for (std::size_t d = 0; d < dims.size(); ++d)
        padded *= scheme.boxes[d] * scheme.box[d];
    std::int64_t last = -1;
    oracle::forAll(dims, [&](const Address& x) {
        const std::int64_t offset = scheme.offset(x);
        EXPECT_EQ(scheme.bank(x), oracle::bankOf(scheme.maps, x));
        EXPECT_GE(offset, 0);
        EXPECT_TRUE(seen.emplace(scheme.bank(x), offset).second) << scheme.text();
        last = std::max(last, offset);
    });
    EXPECT_EQ(last, scheme.depth - 1) << scheme.text();
    EXPECT_EQ(scheme.words, scheme.banks() * scheme.depth * scheme.copies);
    EXPECT_EQ(scheme.padding, padded - std::ssize(seen));
    EXPECT_EQ(scheme.dark, scheme.banks() * scheme.depth - padded);
    EXPECT_GE(scheme.padding, 0) << scheme.text();
    EXPECT_GE(scheme.dark, 0) << scheme.text();
}

/// (bank, offset) is different for all addresses of the padded array, the depth holds every offset
/// and the sizes are what they are called.
inline void expectInjective(const Scheme& scheme, const ir::Shape& dims) {
    if (scheme.kind() == Kind::Xor)
        return expectParityInjective(scheme, dims);
    std::vector<std::int64_t> padded;
    std::int64_t logical = 1;
    std::int64_t all = 1;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        padded.push_back((dims[d] + scheme.box[d] - 1) / scheme.box[d] * scheme.box[d]);
        logical *= dims[d];
        all *= padded.back();
    }
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    std::int64_t last = -1;
    oracle::forAll(padded, [&](const Address& x) {
        const std::int64_t offset = scheme.offset(x);
        EXPECT_EQ(scheme.bank(x), oracle::bankOf(scheme.maps, x));
        EXPECT_GE(offset, 0);
        EXPECT_TRUE(seen.emplace(scheme.bank(x), offset).second) << scheme.text();
        last = std::max(last, offset);
    });
    EXPECT_LT(last, scheme.depth) << scheme.text();
    // The boxes that the last offsets lie in may be cut by the array.
    std::int64_t inBox = 1;
    for (const std::int64_t words : scheme.wordsIn)
        inBox *= words;
    EXPECT_GE(last, scheme.depth - inBox) << scheme.text();
    EXPECT_EQ(scheme.words, scheme.banks() * scheme.depth * scheme.copies);
    EXPECT_EQ(scheme.padding, all - logical);
    EXPECT_EQ(scheme.dark, scheme.banks() * scheme.depth - all);
    EXPECT_GE(scheme.dark, 0) << scheme.text();
}

/// Every copy serves every cycle; a broadcast costs one access.
inline bool servesAll(const Scheme& scheme, const AccessPattern& pattern,
                      const std::vector<oracle::Cycle>& cycles, const ir::MemoryProgram& memory) {
    // The copy that a reference reads in a lane.
    const auto copyOf = [&](const oracle::Access& access) -> std::int64_t {
        for (std::size_t g = 0; g < pattern.groups.size() && !scheme.copyOf.empty(); ++g) {
            const Group& group = pattern.groups[g];
            if (group.nest != access.nest || group.write)
                continue;
            const auto& lanes = pattern.nests[group.nest].lanes;
            const ir::MemoryLane* self = nullptr;
            for (const ir::MemoryLane& lane : lanes) {
                if (lane.reference == access.reference && lane.ids == access.lane)
                    self = &lane;
            }
            for (std::size_t k = 0; self != nullptr && k < group.lanes.size(); ++k) {
                if (lanes[group.lanes[k]].sameAddress(*self) &&
                    lanes[group.lanes[k]].trips == self->trips)
                    return scheme.copyOf[g][k];
            }
            ADD_FAILURE() << "a read of no lane";
        }
        return 0;
    };
    for (const oracle::Cycle& cycle : cycles) {
        std::map<std::pair<std::int64_t, std::int64_t>, std::set<Address>> load;
        for (const oracle::Access& access : cycle) {
            const bool write = memory.nests[access.nest].references[access.reference].write;
            load[{write ? 0 : copyOf(access), scheme.bank(access.address)}].insert(access.address);
        }
        for (const auto& [bank, addresses] : load) {
            if (addresses.size() > static_cast<std::size_t>(pattern.ports))
                return false;
        }
    }
    return true;
}

} // namespace marquetry::banking
