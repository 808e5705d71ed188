// Memories in a session: planned in the background, chosen, pinned, tried, undone.
#include "engine/session/memories.h"
#include "tests/session/session_harness.h"
#include "tests/support/places.h"

#include <gmock/gmock.h>

#include <numeric>

namespace marquetry::session {
namespace {

const char* const kMemories = R"(memory cross {
  array a : i32[8, 8];
  for i in 0 .. 6, j in 0 .. 6 { read a[i+1, j], a[i, j+1], a[i+1, j+2], a[i+2, j+1]; }
}
memory window {
  array a : i32[8, 8];
  for i in 0 .. 6, j in 0 .. 6 {
    read a[i, j], a[i, j+1], a[i, j+2], a[i+1, j], a[i+1, j+1], a[i+1, j+2],
         a[i+2, j], a[i+2, j+1], a[i+2, j+2];
  }
}
)";

std::shared_ptr<const Snapshot> opened(Harness& harness, const std::string& text = kMemories) {
    return harness.settle(OpenText{text, "memories.mq"});
}

const banking::Scheme& chosen(const Snapshot& snapshot) {
    return snapshot.memories.at(snapshot.memory).detail->priced.scheme;
}

SchemeName flat(std::int64_t banks, std::vector<std::int64_t> alpha, std::int64_t copies = 1) {
    return {{ir::FlatMap{std::move(alpha), 1, banks}}, copies};
}

/// Half a million pairs of lanes of an unknown index.
std::string wide(int lanes) {
    return "memory wide { array a : i32[64, 4096]; for i in 0 .. 4096 par " +
           std::to_string(lanes) + " { read a[?r(i), i]; } }";
}

TEST(SessionMemories, TheTimeLimitHoldsWhileAccessesAreLookedAt) {
    Harness harness;
    Settings settings;
    settings.seconds = 1e-6;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    const auto snapshot = opened(harness, wide(1024));
    ASSERT_EQ(snapshot->memories.size(), 1U);
    const MemoryItem& item = snapshot->memories[0];
    ASSERT_TRUE(item.pattern);
    EXPECT_GE(item.pattern->unresolved.size(), 1024U * 1023 / 2 - 256)
        << "256 pairs lie between two looks at the clock";
    EXPECT_FALSE(item.plan && item.plan->found.proved());
}

TEST(SessionMemories, LookingAtAccessesIsStopped) {
    Harness harness;
    ASSERT_TRUE(harness.run(OpenText{wide(1024), "wide.mq"}).accepted);
    harness.run(StopRun{}); // refused when the search was quicker
    const auto stopped = harness.settled();
    EXPECT_FALSE(stopped->memories[0].planning);
    EXPECT_THAT(stopped->memories[0].failure.at(0).code,
                ::testing::AnyOf("search-stopped", "no-scheme"));
}

TEST(SessionMemories, AFileOfMemoriesOpensAndItsFirstIsPlanned) {
    Harness harness;
    const auto snapshot = opened(harness);
    EXPECT_EQ(snapshot->phase, Phase::Loaded);
    EXPECT_FALSE(snapshot->program);
    ASSERT_EQ(snapshot->memories.size(), 2U);
    const MemoryItem& cross = snapshot->memories[0];
    ASSERT_TRUE(cross.plan);
    EXPECT_EQ(cross.plan->found.minBanks, 4);
    EXPECT_TRUE(cross.plan->found.proved());
    EXPECT_EQ(cross.detail->priced.scheme.maps, cross.plan->chosen().scheme.maps);
    EXPECT_EQ(static_cast<std::int64_t>(cross.detail->wordsPerBank.size()),
              chosen(*snapshot).banks());
    EXPECT_EQ(std::accumulate(cross.detail->wordsPerBank.begin(), cross.detail->wordsPerBank.end(),
                              std::int64_t{0}),
              64);
    ASSERT_EQ(cross.detail->banksOf.size(), 1U);
    ASSERT_EQ(cross.detail->banksOf[0].size(), 4U);
    for (std::size_t k = 0; k < 4; ++k)
        EXPECT_EQ(static_cast<std::int64_t>(cross.detail->banksOf[0][k].size()),
                  cross.detail->priced.cost.banksSeen[0][k]);
    EXPECT_FALSE(snapshot->memories[1].plan) << "planned when it is looked at";
    EXPECT_EQ(harness.run(session::Run{}).diagnostics.at(0).code, "no-program");
}

TEST(SessionMemories, AnotherItemIsPlannedWhenShown) {
    Harness harness;
    opened(harness);
    const auto snapshot = harness.settle(ShowMemory{"window"});
    EXPECT_EQ(snapshot->memory, 1U);
    ASSERT_TRUE(snapshot->memories[1].plan);
    EXPECT_EQ(snapshot->memories[1].plan->found.minBanks, 9);
    EXPECT_TRUE(snapshot->memories[0].plan) << "the other one's plan stays";
    EXPECT_EQ(harness.run(ShowMemory{"none"}).diagnostics.at(0).code, "memory-unknown");
    const std::string log = snapshot->log.back().text;
    EXPECT_NE(log.find("fewest 9 (proven: lanes)"), std::string::npos) << log;
}

TEST(SessionMemories, ASchemeOfTheFrontIsChosenAndUndone) {
    Harness harness;
    opened(harness);
    const auto before = harness.settle(ShowMemory{"window"});
    const auto& front = before->memories[1].plan->front;
    ASSERT_GT(front.size(), 1U);
    const SchemeName second{front[1].scheme.maps, front[1].scheme.copies};
    const auto after = harness.settle(ChooseBanks{"window", second});
    EXPECT_EQ(after->memories[1].chosen, 1U);
    EXPECT_EQ(chosen(*after).maps, second.maps);
    EXPECT_EQ(after->memories[1].plan, before->memories[1].plan) << "choosing searches nothing";
    EXPECT_TRUE(after->canUndo);
    const auto undone = harness.settle(Undo{});
    EXPECT_EQ(chosen(*undone).maps, chosen(*before).maps);
    EXPECT_EQ(chosen(*harness.settle(Redo{})).maps, second.maps);
    EXPECT_EQ(harness.run(ChooseBanks{"window", flat(99, {1, 2})}).diagnostics.at(0).code,
              "scheme-unknown");
    EXPECT_EQ(harness.run(ChooseBanks{"none", second}).diagnostics.at(0).code, "memory-unknown");
}

TEST(SessionMemories, PinsPlanAnewAndUndoRestores) {
    Harness harness;
    const auto before = opened(harness);
    banking::SchemePins pins;
    pins.banks = 6;
    const auto pinned = harness.settle(PinBanks{"cross", pins});
    EXPECT_EQ(chosen(*pinned).banks(), 6);
    EXPECT_EQ(pinned->memories[0].choice.pins, pins);
    pins.banks = 3;
    pins.copies = 1;
    const auto impossible = harness.settle(PinBanks{"cross", pins});
    EXPECT_FALSE(impossible->memories[0].plan);
    ASSERT_TRUE(hasCode(impossible->memories[0].failure, "pins-unmet"));
    EXPECT_EQ(impossible->memories[0].failure[0].notes.size(), 1U);
    EXPECT_EQ(chosen(*harness.settle(Undo{})).banks(), 6);
    EXPECT_EQ(chosen(*harness.settle(Undo{})).maps, chosen(*before).maps);
    pins.alpha = {1};
    EXPECT_EQ(harness.run(PinBanks{"cross", pins}).diagnostics.at(0).code, "scheme-shape");
}

TEST(SessionMemories, ATriedSchemeIsAnsweredWithItsCostOrItsConflict) {
    Harness harness;
    opened(harness);
    auto snapshot = harness.settle(TryBanks{"cross", flat(4, {1, 1})});
    ASSERT_TRUE(snapshot->memories[0].attempt);
    const SchemeAttempt& fails = *snapshot->memories[0].attempt;
    EXPECT_FALSE(fails.running);
    EXPECT_FALSE(fails.detail);
    ASSERT_TRUE(fails.witness);
    const auto& addresses = fails.witness->addresses;
    ASSERT_EQ(addresses.size(), 2U);
    EXPECT_NE(addresses[0], addresses[1]);
    for (const auto& x : addresses)
        EXPECT_EQ((x[0] + x[1]) % 4, fails.witness->bank);
    EXPECT_NE(fails.text.find("both hit bank"), std::string::npos) << fails.text;
    EXPECT_FALSE(fails.belowBound);
    EXPECT_FALSE(snapshot->canUndo) << "a question changes nothing";

    snapshot = harness.settle(TryBanks{"cross", flat(5, {1, 2})});
    ASSERT_TRUE(snapshot->memories[0].attempt->detail);
    EXPECT_EQ(snapshot->memories[0].attempt->detail->priced.scheme.banks(), 5);
    EXPECT_GT(snapshot->memories[0].attempt->detail->priced.cost.total.lut, 0);

    snapshot = harness.settle(TryBanks{"cross", flat(3, {1, 2})});
    EXPECT_TRUE(snapshot->memories[0].attempt->belowBound);
    snapshot = harness.settle(TryBanks{"cross", flat(3, {1, 2}, 2)});
    EXPECT_FALSE(snapshot->memories[0].attempt->belowBound);
    snapshot = harness.settle(TryBanks{"cross", {}});
    EXPECT_FALSE(snapshot->memories[0].attempt);
    for (const SchemeName& wrong :
         {flat(0, {1, 2}), flat(4, {1}), flat(5000, {1, 2}), flat(4, {1, 2}, 100)})
        EXPECT_EQ(harness.run(TryBanks{"cross", wrong}).diagnostics.at(0).code, "scheme-shape");
}

TEST(SessionMemories, ADirectiveThatFailsShowsWhen) {
    Harness harness;
    const auto snapshot =
        opened(harness, "memory bad { array a : i32[8] bank flat(2, 1, [1]) copies 1; "
                        "for i in 0 .. 4 { read a[i], a[i+2]; } }");
    ASSERT_TRUE(hasCode(snapshot->memories[0].failure, "bank-conflict"));
    EXPECT_EQ(snapshot->memories[0].failure[0].file, "memories.mq");
    ASSERT_TRUE(snapshot->memories[0].attempt);
    EXPECT_TRUE(snapshot->memories[0].attempt->witness);
}

TEST(SessionMemories, TheHardwareOfTheChosenSchemeIsShown) {
    Harness harness;
    const auto cross = opened(harness);
    ASSERT_TRUE(cross->hdl);
    const auto holds = [](const Snapshot& snapshot, const std::string& text) {
        return std::ranges::any_of(*snapshot.hdl, [&](const HdlFile& file) {
            return file.text.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(holds(*cross, "module cross"));
    const auto window = harness.settle(ShowMemory{"window"});
    ASSERT_TRUE(window->hdl);
    EXPECT_TRUE(holds(*window, "module window"));
    const auto before = window->hdl;
    const auto& front = window->memories[1].plan->front;
    ASSERT_GT(front.size(), 1U);
    const auto other =
        harness.settle(ChooseBanks{"window", {front[1].scheme.maps, front[1].scheme.copies}});
    ASSERT_TRUE(other->hdl);
    EXPECT_NE(other->hdl->back().text, before->back().text);
}

TEST(SessionMemories, StandBesideADesign) {
    Harness harness;
    const std::string both = std::string(kTwoLayers) + kMemories;
    const auto snapshot = opened(harness, both);
    ASSERT_TRUE(snapshot->program);
    ASSERT_EQ(snapshot->memories.size(), 2U);
    EXPECT_TRUE(snapshot->memories[0].plan);
    ASSERT_TRUE(harness.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    const auto explored = harness.settle(session::Run{});
    ASSERT_TRUE(explored->design);
    const auto plan = explored->memories[0].plan;
    EXPECT_EQ(plan, snapshot->memories[0].plan) << "limits of designs are none of banks";
    banking::SchemePins pins;
    pins.banks = 8;
    const auto pinned = harness.settle(PinBanks{"cross", pins});
    EXPECT_EQ(pinned->design, explored->design) << "banks of an item change no design";
    const auto undone = harness.settle(Undo{});
    EXPECT_EQ(undone->design, explored->design);
    EXPECT_TRUE(undone->memories[0].choice.pins.free());
}

// Undone and done again, a change of the design brings its buffers back, and the one at hand.
TEST(SessionMemories, TheOneThatWasShownComesBackWithItsDesign) {
    const auto named = [](const char* name) {
        ir::MemoryProgram buffer;
        buffer.name = name;
        return buffer;
    };
    const auto atHand = [](const Memories& memories) {
        return memories.items()[memories.current()].program->name;
    };
    Memories memories;
    const Memories::BufferSource source{"design", ""};
    memories.setBuffers({named("image"), named("c")}, source, {});
    ASSERT_TRUE(memories.show("c"));
    memories.setBuffers({named("image"), named("d")}, source, {});
    EXPECT_EQ(atHand(memories), "image");
    EXPECT_FALSE(memories.due()) << "nobody has looked at it";
    memories.setBuffers({named("image"), named("c")}, source, {});
    EXPECT_EQ(atHand(memories), "c");
    ASSERT_TRUE(memories.show("image"));
    memories.setBuffers({named("c"), named("image")}, source, {});
    EXPECT_EQ(atHand(memories), "image");
}

TEST(SessionMemories, AnotherDeviceCostsAnew) {
    Harness harness;
    const auto before = opened(harness);
    Settings settings;
    settings.device = "ice40up5k";
    const Acknowledgement changed = harness.run(ChangeSettings{settings});
    ASSERT_TRUE(changed.accepted) << format(changed.diagnostics);
    const auto after = harness.settled();
    ASSERT_TRUE(after->memories[0].plan);
    EXPECT_NE(after->memories[0].plan, before->memories[0].plan);
    const auto undone = harness.settle(Undo{});
    EXPECT_EQ(undone->memories[0].detail->priced.cost.total.lut,
              before->memories[0].detail->priced.cost.total.lut);
}

TEST(SessionMemories, AnUnknownItemIsNamed) {
    Harness harness;
    const Acknowledgement missing =
        harness.run(OpenFile{test::sourceFolder() + "/examples/memories/memories.mq", "sobell"});
    ASSERT_FALSE(missing.accepted);
    EXPECT_EQ(missing.diagnostics.at(0).code, "no-item");
    const auto named =
        harness.settle(OpenFile{test::sourceFolder() + "/examples/memories/memories.mq", "sobel"});
    EXPECT_EQ(named->memories.at(named->memory).program->name, "sobel");
    EXPECT_TRUE(named->memories.at(named->memory).plan);
}

/// Loops that move by different amounts: a search with no early answer.
const char* const kHard = R"(memory hard {
  array a : i32[4096, 4096];
  for i in 0 .. 1000, j in 0 .. 1000 {
    read a[3*i, 2*j], a[2*i+1, 3*j], a[i+7, j+5], a[4*i, j], a[i, 4*j+3];
    }
})";

TEST(SessionMemories, ASearchIsStoppedAndWhatItFoundCounts) {
    Harness harness;
    const Acknowledgement done = harness.run(OpenText{kHard, "hard.mq"});
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    harness.run(StopRun{}); // refused when the search was quicker
    const auto stopped = harness.settled();
    EXPECT_FALSE(stopped->memories[0].planning);
    EXPECT_TRUE(stopped->memories[0].plan || !stopped->memories[0].failure.empty());
}

TEST(SessionMemories, AStreamsShiftedValuesFollowItsCircuit) {
    Harness harness;
    const auto opened =
        harness.settle(OpenText{"stream lines { input x : Seq 64 u16; let a = shift(8, x);"
                                " output y = map2(mul, map2(mul, x, a), shift(8, a)); }",
                                "streams.mq"});
    EXPECT_FALSE(opened->hasMemoryItems());
    ASSERT_EQ(opened->memories.size(), 1U);
    EXPECT_TRUE(opened->memories[0].buffer);
    EXPECT_EQ(opened->memories[0].owner, "stream lines, 1 elements per clock");
    EXPECT_FALSE(opened->memories[0].plan) << "planned when it is looked at";
    const auto serial = harness.settle(ShowMemory{"x"});
    EXPECT_EQ(serial->memories[0].program->type.dims, (ir::Shape{2, 8}));
    ASSERT_TRUE(serial->memories[0].plan);
    EXPECT_EQ(serial->memories[0].plan->found.minBanks, 2);
    EXPECT_TRUE(serial->memories[0].plan->found.proved());
    harness.settle(SetThroughput{"lines", {2, 1}});
    const auto parallel = harness.settle(ShowMemory{"x"});
    EXPECT_EQ(parallel->memories[0].owner, "stream lines, 2 elements per clock");
    ASSERT_TRUE(parallel->memories[0].plan);
    EXPECT_EQ(parallel->memories[0].plan->found.minBanks, 4);
    EXPECT_TRUE(std::ranges::any_of(parallel->log, [](const LogLine& line) {
        return line.text.find("marquetry bank streams.mq --item lines --clocks 32 --array x "
                              "--device arria10") != std::string::npos;
    }));
    EXPECT_TRUE(harness
                    .settle(OpenText{"stream other { input x : Seq 4 u8; output y ="
                                     " map(fn v -> add(v, 1), x); }",
                                     "other.mq"})
                    ->memories.empty());
}

} // namespace
} // namespace marquetry::session
