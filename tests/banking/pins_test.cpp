// Plans under pins: every answer is conflict-free by running the loops, every refusal is right by
// trying all maps of the pinned form.
#include "engine/banking/derive.h"
#include "engine/banking/find_witness.h"
#include "engine/banking/occupancy.h"
#include "engine/banking/pins.h"
#include "tests/banking/memory_helpers.h"

#include <gmock/gmock.h>

#include <numeric>

namespace marquetry::banking {
namespace {

const char* const kCross = "array a : i32[8, 8]; for i in 0 .. 6, j in 0 .. 6 { "
                           "read a[i+1, j], a[i, j+1], a[i+1, j+2], a[i+2, j+1]; }";
const char* const kWindow = "array a : i32[8, 8]; for i in 0 .. 6, j in 0 .. 6 { read a[i, j], "
                            "a[i, j+1], a[i, j+2], a[i+1, j], a[i+1, j+1], a[i+1, j+2], a[i+2, j], "
                            "a[i+2, j+1], a[i+2, j+2]; }";

Result<Plan> pinned(const std::string& body, const SchemePins& pins) {
    const ir::MemoryProgram memory = memoryOf(body);
    const auto pattern = accessPattern(memory);
    EXPECT_TRUE(pattern.has_value());
    return plan(*pattern, memory.directive, pins, deviceNamed("arria10"));
}

/// Runs the loops: no two reads of a cycle that use one copy of the array meet in a bank.
bool serves(const std::string& body, const Scheme& scheme) {
    const AccessPattern pattern = patternOf(body);
    return !findWitness(pattern, scheme.maps, scheme.copyOf);
}

/// Tries every α below N · B with the interpreter of the loops.
bool anyFlat(const std::string& body, std::int64_t banks, std::int64_t block) {
    const AccessPattern pattern = patternOf(body);
    for (std::int64_t a = 0; a < banks * block; ++a)
        for (std::int64_t b = 0; b < banks * block; ++b)
            if (!findWitness(pattern, {ir::FlatMap{{a, b}, block, banks}}))
                return true;
    return false;
}

TEST(Pins, EachPartIsMet) {
    SchemePins pins;
    pins.kind = Kind::Hierarchical;
    auto plan = pinned(kWindow, pins);
    ASSERT_TRUE(plan.has_value());
    for (const PricedScheme& priced : plan->front) {
        EXPECT_EQ(priced.scheme.kind(), Kind::Hierarchical);
        EXPECT_TRUE(serves(kWindow, priced.scheme)) << priced.scheme.text();
    }
    EXPECT_EQ(plan->found.minBanks, 9) << "the bound is that of the free search";
    EXPECT_TRUE(plan->found.proved());
    pins = {};
    pins.banks = 13;
    plan = pinned(kWindow, pins);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->chosen().scheme.banks(), 13);
    EXPECT_TRUE(serves(kWindow, plan->chosen().scheme));
    pins = {};
    pins.copies = 3;
    plan = pinned(kWindow, pins);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->chosen().scheme.copies, 3);
    EXPECT_EQ(plan->chosen().scheme.words,
              plan->chosen().scheme.depth * plan->chosen().scheme.banks() * 3);
    pins = {};
    pins.kind = Kind::Flat;
    pins.block = 2;
    plan = pinned(kCross, pins);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->chosen().scheme.maps[0].block, 2);
    EXPECT_TRUE(serves(kCross, plan->chosen().scheme));
}

TEST(Pins, AnswersAndRefusalsAgreeWithTryingEveryMap) {
    for (std::int64_t banks = 4; banks <= 7; ++banks) {
        for (std::int64_t block = 1; block <= 3; ++block) {
            SchemePins pins;
            pins.kind = Kind::Flat;
            pins.banks = banks;
            pins.block = block;
            pins.copies = 1;
            const auto plan = pinned(kCross, pins);
            EXPECT_EQ(plan.has_value(), anyFlat(kCross, banks, block))
                << "N = " << banks << ", B = " << block;
            if (plan) {
                EXPECT_TRUE(serves(kCross, plan->chosen().scheme));
            }
        }
    }
}

TEST(Pins, AlphaAloneFindsTheBanksItNeeds) {
    SchemePins pins;
    pins.alpha = {1, 0};
    pins.copies = 1;
    const auto none = pinned(kCross, pins); // all columns alike: two reads of a row always meet
    ASSERT_FALSE(none.has_value());
    EXPECT_EQ(none.error().front().code, "pins-unmet");
    pins.alpha = {1, 2};
    const auto plan = pinned(kCross, pins);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->chosen().scheme.maps[0].alpha, (Address{1, 2}));
    EXPECT_TRUE(serves(kCross, plan->chosen().scheme));
    pins.alpha = {6, 7};
    pins.banks = 5;
    pins.block = 1;
    const auto modulo = pinned(kCross, pins);
    ASSERT_TRUE(modulo.has_value());
    EXPECT_EQ(modulo->chosen().scheme.maps[0].alpha, (Address{1, 2}));
}

TEST(Pins, TooFewBanksAreRefusedWithTheAddressesThatNeedMore) {
    SchemePins pins;
    pins.banks = 8;
    const auto copied = pinned(kWindow, pins);
    ASSERT_TRUE(copied.has_value());
    EXPECT_GT(copied->chosen().scheme.copies, 1);
    EXPECT_TRUE(serves(kWindow, copied->chosen().scheme));
    pins.copies = 1;
    const auto refused = pinned(kWindow, pins);
    ASSERT_FALSE(refused.has_value());
    const Diagnostic& error = refused.error().front();
    EXPECT_EQ(error.code, "pins-unmet");
    EXPECT_EQ(error.message, "no scheme found with N = 8, copies = 1");
    ASSERT_EQ(error.notes.size(), 1U);
    EXPECT_EQ(error.notes[0],
              "at least 9 banks are needed (lanes): (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), "
              "(1, 2), (2, 0), (2, 1), (2, 2)");
}

TEST(Pins, AWholeSchemeThatFailsSaysWhen) {
    SchemePins pins;
    pins.maps = {ir::FlatMap{{1, 2}, 1, 8}};
    pins.copies = 1;
    const auto refused = pinned(kWindow, pins);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().front().code, "bank-conflict");
    EXPECT_EQ(refused.error().front().notes.size(), 1U);
    pins.maps = {ir::FlatMap{{3, 1}, 1, 9}};
    const auto plan = pinned(kWindow, pins);
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->front.size(), 1U);
    EXPECT_EQ(plan->chosen().scheme.maps, pins.maps);
}

TEST(Pins, ContradictTheDirective) {
    SchemePins pins;
    pins.banks = 6;
    const auto refused =
        pinned("array a : i32[8, 8] bank flat(5, 1, [1, 2]); for i in 0 .. 6, j in 0 .. 6 { "
               "read a[i+1, j], a[i, j+1], a[i+1, j+2], a[i+2, j+1]; }",
               pins);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().front().code, "pin-conflict");
    EXPECT_EQ(refused.error().front().message,
              "the pins ask for N = 6, but flat N=5 B=1 alpha=(1, 2) is fixed as well");
    EXPECT_TRUE(refused.error().front().range.known());
}

TEST(Pins, StopWhenAskedTo) {
    std::stop_source source;
    source.request_stop();
    SchemePins pins;
    pins.kind = Kind::Hierarchical;
    const AccessPattern pattern = patternOf("array a : i32[1024, 1024, 1024]; for i in 0 .. 1000 { "
                                            "read a[i, i, i], a[i+1, i+3, i], a[i, i+5, i+7]; }");
    const auto cancelled = plan(pattern, {}, pins, deviceNamed("arria10"), {}, source.get_token());
    if (!cancelled) {
        EXPECT_EQ(cancelled.error().front().code, "pins-unmet");
    }
    PlanParams few;
    few.search.steps = 2000;
    pins.banks = 7;
    pins.block = 5;
    const auto limited = plan(pattern, {}, pins, deviceNamed("arria10"), few);
    if (!limited) {
        EXPECT_EQ(limited.error().front().code, "pins-unmet");
    }
}

// ---- words per bank

void expectOccupancy(const std::vector<ir::FlatMap>& maps, const ir::Shape& dims) {
    const Scheme scheme = derive(maps, dims);
    const auto words = wordsPerBank(scheme, dims);
    ASSERT_TRUE(words.has_value()) << scheme.text();
    std::vector<std::int64_t> counted(static_cast<std::size_t>(scheme.banks()));
    Address x(dims.size());
    for (bool more = true; more;) {
        ++counted[static_cast<std::size_t>(scheme.bank(x))];
        std::size_t d = dims.size();
        while (d > 0 && ++x[d - 1] == dims[d - 1])
            x[--d] = 0;
        more = d > 0;
    }
    EXPECT_EQ(*words, counted) << scheme.text();
}

TEST(Occupancy, CountsAsVisitingEveryAddressDoes) {
    expectOccupancy({ir::FlatMap{{2, 1}, 1, 5}}, {8, 12});
    expectOccupancy({ir::FlatMap{{1, 3}, 2, 4}}, {8, 8});
    expectOccupancy({ir::FlatMap{{4}, 3, 2}}, {33});
    expectOccupancy({ir::FlatMap{{1, 0}, 1, 2}, ir::FlatMap{{0, 4}, 3, 2}}, {6, 9});
    expectOccupancy({ir::FlatMap{{3, 9, 8}, 1, 27}}, {7, 8, 5});
    expectOccupancy({ir::FlatMap{{1, 1}, 1, 2}, ir::FlatMap{{1, 3}, 1, 4}}, {5, 11});
    expectOccupancy({ir::FlatMap{{0, 0}, 1, 3}}, {4, 4});
}

TEST(Occupancy, NeedsNoVisitToALargeArray) {
    const ir::Shape dims = {std::int64_t{1} << 16, std::int64_t{1} << 15};
    const auto words = wordsPerBank(derive({ir::FlatMap{{1, 5}, 1, 13}}, dims), dims);
    ASSERT_TRUE(words.has_value());
    EXPECT_EQ(std::accumulate(words->begin(), words->end(), std::int64_t{0}),
              std::int64_t{1} << 31);
}

TEST(Occupancy, GivesUpOnTooManyResidues) {
    const ir::Shape dims = {std::int64_t{1} << 30};
    const Scheme scheme = derive({ir::FlatMap{{1}, std::int64_t{1} << 29, 2}}, dims);
    EXPECT_FALSE(wordsPerBank(scheme, dims).has_value());
}

TEST(Pins, CopiesOfTheDirectiveAreFixedAndThoseItLeavesOpenAreNot) {
    SchemePins pins;
    pins.copies = 3;
    const std::string cross(kCross);
    std::string two = cross;
    two.replace(two.find(";"), 1, " copies 2;");
    const auto conflict = pinned(two, pins);
    ASSERT_FALSE(conflict.has_value());
    EXPECT_EQ(conflict.error()[0].code, "pin-conflict");
    std::string flat = cross;
    flat.replace(flat.find(";"), 1, " bank flat(2, 1, [0, 1]);");
    const auto served = pinned(flat, pins);
    ASSERT_TRUE(served.has_value()) << format(served.error());
    EXPECT_EQ(served->chosen().scheme.copies, 3);
}

} // namespace
} // namespace marquetry::banking
