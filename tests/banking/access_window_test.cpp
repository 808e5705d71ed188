// The accesses of an iteration against a direct reading of the program.
#include "engine/banking/access_window.h"

#include "engine/banking/derive.h"
#include "engine/frontend/parser.h"
#include "tests/banking/memory_helpers.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry::banking {
namespace {

/// All addresses that the loops of a nest touch in one cycle, read from the program itself.
std::multiset<Address> touched(const ir::MemoryProgram& program, std::size_t n,
                               const std::vector<std::int64_t>& trips) {
    const ir::MemoryNest& nest = program.nests[n];
    std::multiset<Address> addresses;
    std::set<std::pair<bool, Address>> once;
    std::vector<std::int64_t> ids(nest.loops.size());
    for (bool more = true; more;) {
        std::vector<std::int64_t> value;
        bool running = true;
        for (std::size_t l = 0; l < nest.loops.size(); ++l) {
            const ir::MemoryLoop& loop = nest.loops[l];
            value.push_back(loop.begin + loop.step * (loop.parallel * trips[l] + ids[l]));
            running = running && value.back() < loop.end;
        }
        for (const ir::MemoryReference& reference : nest.references) {
            Address address;
            for (const ir::AffineForm& form : reference.index) {
                std::int64_t at = form.constant;
                for (std::size_t l = 0; l < value.size(); ++l)
                    at += form.coefficients[l] * value[l];
                address.push_back(at);
            }
            if (running && ir::isInside(address, program.type.dims) &&
                once.emplace(reference.write, address).second)
                addresses.insert(address);
        }
        std::size_t l = ids.size();
        while (l > 0 && ++ids[l - 1] == nest.loops[l - 1].parallel)
            ids[--l] = 0;
        more = l > 0;
    }
    return addresses;
}

Iterations iterationsOf(const ir::MemoryProgram& program) {
    auto pattern = accessPattern(program);
    EXPECT_TRUE(pattern.has_value());
    return Iterations(std::make_shared<const AccessPattern>(pattern ? *pattern : AccessPattern()));
}

std::vector<ir::MemoryProgram> shippedMemories() {
    auto result = frontend::parseFile(test::sourceFolder() + "/examples/memories/memories.mq");
    EXPECT_TRUE(result.has_value());
    return result ? result->memories : std::vector<ir::MemoryProgram>();
}

TEST(AccessWindow, IsWhatTheProgramTouches) {
    std::vector<ir::MemoryProgram> programs = shippedMemories();
    programs.push_back(
        memoryOf("array a : i32[9, 7]; for i in 1 .. 8 step 2 par 3, j in 0 .. 7 par 2 "
                 "{ read a[i, j], a[i-1, 7-j]; write a[i, j]; }"));
    int compared = 0;
    for (const ir::MemoryProgram& program : programs) {
        const Iterations iterations = iterationsOf(program);
        const Scheme scheme =
            derive({ir::FlatMap{Address(program.type.dims.size(), 1), 1, 7}}, program.type.dims);
        for (std::size_t n = 0; n < program.nests.size(); ++n) {
            const std::int64_t count = iterations.count(n);
            if (!program.nests[n].symbols.empty())
                continue;
            for (std::int64_t k = 0; k < count; k += std::max<std::int64_t>(1, count / 40)) {
                const auto point = iterations.pointOf(n, k);
                EXPECT_EQ(iterations.iterationOf(n, point), k);
                std::multiset<Address> shown;
                for (const LaneAt& lane : iterations.windowAt(scheme, n, point).lanes)
                    if (lane.happens) {
                        shown.insert(lane.address);
                        EXPECT_EQ(lane.bank, scheme.bank(lane.address));
                    }
                EXPECT_EQ(shown, touched(program, n, point)) << program.name << " at " << k;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 500);
}

TEST(AccessWindow, UnknownValuesStayInsideTheArray) {
    const Iterations iterations = iterationsOf(memoryOf("array a : i32[8, 8]; for t in 0 .. 6 { "
                                                        "read a[?row(t), t], a[?row(t), t+1]; }"));
    const Scheme scheme = derive({ir::FlatMap{{0, 1}, 1, 2}}, {8, 8});
    std::set<std::int64_t> rows;
    for (std::int64_t k = 0; k < 6; ++k) {
        const auto point = iterations.pointOf(0, k);
        EXPECT_EQ(point, iterations.pointOf(0, k));
        const AccessWindow window = iterations.windowAt(scheme, 0, point);
        for (const LaneAt& lane : window.lanes) {
            EXPECT_TRUE(lane.happens);
            rows.insert(lane.address[0]);
        }
        EXPECT_FALSE(window.conflicts());
    }
    EXPECT_GT(rows.size(), 1U);
}

TEST(AccessWindow, ConflictsAreThoseOfOneBankOneCopyAndOneKind) {
    const auto pattern = std::make_shared<const AccessPattern>(
        patternOf("array a : i32[8]; for i in 0 .. 4 { read a[i], a[i+2], a[i+4]; "
                  "write a[i], a[i+1]; }"));
    const Iterations iterations(pattern);
    Scheme scheme = derive({ir::FlatMap{{1}, 1, 2}}, {8});
    const auto conflicting = [&] {
        int count = 0;
        for (const LaneAt& lane : iterations.windowAt(scheme, 0, {0}).lanes)
            count += lane.conflict ? 1 : 0;
        return count;
    };
    EXPECT_EQ(conflicting(), 3) << "the reads meet, the writes do not";
    scheme.copies = 3;
    scheme.copyOf.resize(pattern->groups.size());
    for (std::size_t g = 0; g < pattern->groups.size(); ++g)
        for (std::size_t k = 0; k < pattern->groups[g].lanes.size(); ++k)
            scheme.copyOf[g].push_back(pattern->groups[g].write ? 0 : static_cast<std::int64_t>(k));
    EXPECT_EQ(conflicting(), 0) << "a copy for each reader";
}

} // namespace
} // namespace marquetry::banking
