// Ends of ranges that other iterators or unknown values name: what breaks lockstep, the edits that
// restore it, and what the memory then takes.
#include "engine/banking/find_witness.h"
#include "engine/ir/printer.h"
#include "tests/banking/memory_helpers.h"
#include "tests/support/places.h"

#include <gmock/gmock.h>

namespace marquetry::banking {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::int64_t banksOf(const ir::MemoryProgram& memory) {
    const auto pattern = accessPattern(memory);
    EXPECT_TRUE(pattern);
    const SearchResult found = search(*pattern);
    EXPECT_TRUE(found.proved());
    return found.minBanks;
}

/// The item with the edit made in its printed text.
ir::MemoryProgram edited(const ir::MemoryProgram& memory, const Edit& edit) {
    std::string text = ir::print(memory);
    EXPECT_THAT(text, HasSubstr(edit.from));
    for (std::size_t at = 0; (at = text.find(edit.from, at)) != std::string::npos;
         at += edit.to.size())
        text.replace(at, edit.from.size(), edit.to);
    const auto parsed = frontend::parse(text, "edited.mq");
    EXPECT_TRUE(parsed) << text << (parsed ? "" : format(parsed.error()));
    return parsed ? parsed->memories[0] : ir::MemoryProgram();
}

/// Every edit proposed restores lockstep and takes fewer banks than before, in one copy.
void expectEditsHelp(const std::string& body, const std::string& cause, std::size_t edits) {
    SCOPED_TRACE(body);
    const ir::MemoryProgram memory = memoryOf(body);
    const auto pattern = accessPattern(memory);
    ASSERT_TRUE(pattern);
    const Group& group = pattern->groups[0];
    ASSERT_THAT(group.dephasings, SizeIs(1));
    EXPECT_EQ(group.dephasings[0].cause, cause);
    EXPECT_EQ(group.dephasings[0].iterator, "i");
    EXPECT_EQ(group.dephasings[0].lanes, 2);
    ASSERT_THAT(group.dephasings[0].edits, SizeIs(edits));
    const std::int64_t before = banksOf(memory);
    for (const Edit& edit : group.dephasings[0].edits) {
        EXPECT_THAT(group.why, HasSubstr("`" + edit.to + "`"));
        const ir::MemoryProgram after = edited(memory, edit);
        const auto restored = accessPattern(after);
        ASSERT_TRUE(restored);
        EXPECT_THAT(restored->groups[0].dephasings, IsEmpty()) << edit.to;
        EXPECT_LT(banksOf(after), before) << edit.to;
    }
}

TEST(Dephasing, AnUnknownEndPerLaneIsNamedAndItsEditsRestoreLockstep) {
    expectEditsHelp("array a : i32[8, 8]; for i in 0 .. 8 par 2, j in 0 .. ?n(i) {"
                    " read a[j, 0], a[j, 1]; }",
                    "j in 0 .. ?n(i)", 2);
}

TEST(Dephasing, AnEndThatAParallelIteratorNames) {
    expectEditsHelp("array a : i32[8, 8]; for i in 0 .. 8 par 2, j in 0 .. i + 1 {"
                    " read a[j, 0], a[j, 1]; }",
                    "j in 0 .. i + 1", 2);
}

TEST(Dephasing, AnUnknownIndexPerLane) {
    expectEditsHelp("array a : i32[8, 8]; for i in 0 .. 8 par 2, j in 0 .. 8 {"
                    " read a[?row(i), j], a[?row(i) + 1, j]; }",
                    "?row(i)", 2);
}

TEST(Dephasing, TheReasonNamesLoopBoundAndIterator) {
    const AccessPattern pattern =
        patternOf("array a : i32[8, 8]; for i in 0 .. 8 par 2, j in 0 .. ?n(i) { read a[i, j]; }");
    EXPECT_EQ(pattern.groups[0].why,
              "dephased by j@i=0: `j in 0 .. ?n(i)` ends differently in the lanes of i (par 2), "
              "which drift apart; write `j in 0 .. 8` (lanes past ?n(i) idle) or `i in 0 .. 8` to "
              "restore lockstep");
    EXPECT_EQ(pattern.groups[0].dephasings[0].bound, "?n(i)");
}

TEST(Dephasing, AllLoopsInsideDriftToo) {
    const AccessPattern pattern =
        patternOf("array a : i32[8, 8]; for i in 0 .. 8 par 2, j in 0 .. ?n(i),"
                  " k in 0 .. 8 { read a[0, k]; }");
    ASSERT_THAT(pattern.groups[0].dephasings, SizeIs(1));
    EXPECT_EQ(pattern.groups[0].dephasings[0].cause, "j in 0 .. ?n(i)");
    EXPECT_THAT(pattern.groups[0].why, HasSubstr("dephased by k@i=0"));
}

TEST(Dephasing, TwoIteratorsOfOneEnd) {
    const AccessPattern pattern =
        patternOf("array a : i32[4, 8]; for i in 0 .. 2 par 2, h in 0 .. 2 par 2,"
                  " j in 0 .. i + h + 1 { read a[i + h, j]; }");
    ASSERT_THAT(pattern.groups[0].dephasings, SizeIs(1));
    const Dephasing& cause = pattern.groups[0].dephasings[0];
    EXPECT_EQ(cause.iterator, "i, h");
    EXPECT_EQ(cause.lanes, 4);
    ASSERT_THAT(cause.edits, SizeIs(1)) << "dropping one par would not do";
    EXPECT_EQ(cause.edits[0].to, "j in 0 .. 3");
}

TEST(Dephasing, EndsThatNoParallelIteratorNamesKeepLockstep) {
    for (const char* loops : {"i in 0 .. 8, j in 0 .. ?n(i) par 2", "i in 0 .. 8, j in 0 .. i + 1",
                              "i in 0 .. 8 par 2, j in 0 .. ?n()"}) {
        const AccessPattern pattern = patternOf(std::string("array a : i32[8, 10]; for ") + loops +
                                                " { read a[0, j], a[0, j + 1]; }");
        EXPECT_THAT(pattern.groups[0].why, HasSubstr("in lockstep")) << loops;
    }
}

TEST(Dephasing, TheExamplesTakeFewerBanksInLockstep) {
    const auto parsed =
        frontend::parseFile(test::sourceFolder() + "/examples/lockstep/lockstep.mq");
    ASSERT_TRUE(parsed) << format(parsed.error());
    ASSERT_THAT(parsed->memories, SizeIs(6));
    for (std::size_t k = 0; k < parsed->memories.size(); k += 2) {
        const auto apart = accessPattern(parsed->memories[k]);
        const auto together = accessPattern(parsed->memories[k + 1]);
        ASSERT_TRUE(apart && together);
        EXPECT_THAT(apart->groups[0].dephasings, SizeIs(1)) << parsed->memories[k].name;
        EXPECT_THAT(together->groups[0].dephasings, IsEmpty()) << parsed->memories[k + 1].name;
        EXPECT_EQ(banksOf(parsed->memories[k + 1]), 2);
        EXPECT_GE(banksOf(parsed->memories[k]), 4);
        const auto& edits = apart->groups[0].dephasings[0].edits;
        EXPECT_TRUE(std::ranges::any_of(edits, [&](const Edit& edit) {
            ir::MemoryProgram after = edited(parsed->memories[k], edit);
            after.name = parsed->memories[k + 1].name;
            return ir::print(after) == ir::print(parsed->memories[k + 1]);
        })) << "the second item is the first one edited";
    }
}

// Of 16 lanes that drift apart two meet: the others' places say nothing about when.
TEST(Dephasing, AWitnessNamesTheUnknownValuesOfItsLanesAlone) {
    const AccessPattern pattern = patternOf("array a : i32[8, 16]; for i in 0 .. 16 par 16,"
                                            " j in 0 .. ?n(i) { read a[j, i]; }");
    const auto witness = findWitness(pattern, {ir::FlatMap{{1, 0}, 1, 8}});
    ASSERT_TRUE(witness);
    EXPECT_EQ(text(*witness, pattern), "a[j, i] (i lane 0) and a[j, i] (i lane 1) both hit bank 0 "
                                       "at i = 0, j@i=0 = 0, j@i=1 = 0");
}

// 10^8 iterations are not run: their ends are left out of account and nothing is called proven.
TEST(Dephasing, ManyIterationsOfATriangleAreStillServed) {
    const ir::MemoryProgram memory =
        memoryOf("array a : i32[10000, 10001]; for i in 0 .. 10000, j in 0 .. i + 1 {"
                 " read a[i, j], a[i, j + 1], a[9999 - i, j]; }");
    const auto pattern = accessPattern(memory, {.enumerationLimit = 1000});
    ASSERT_TRUE(pattern);
    EXPECT_TRUE(pattern->relaxed);
    const ir::MemoryProgram plain =
        memoryOf("array a : i32[10000, 10001]; for i in 0 .. 10000, j in 0 .. i + 1 {"
                 " read a[i, j], a[i, j + 1]; }");
    const auto alike = accessPattern(plain);
    ASSERT_TRUE(alike);
    EXPECT_TRUE(alike->relaxed);
    EXPECT_TRUE(alike->unresolved.empty());
    const SearchResult found = search(*alike);
    EXPECT_EQ(found.minBanks, 2);
    EXPECT_TRUE(found.proved()) << "two reads of one cycle need two banks whatever the ends are";
    EXPECT_EQ(found.proof, BoundProof::Lanes);
}

} // namespace
} // namespace marquetry::banking
