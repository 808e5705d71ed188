#include "engine/support/rng.h"
#include "tests/session/large_program.h"
#include "tests/session/session_harness.h"
#include "tests/support/cases.h"
#include "tests/support/effort.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

namespace marquetry::session {
namespace {

void expectConsistent(const Snapshot& snapshot) {
    if (snapshot.design) {
        ASSERT_TRUE(snapshot.egraph);
        for (const design::DesignUnit& unit : snapshot.design->units)
            EXPECT_LT(unit.eclass.index(), snapshot.egraph->totalEnodes());
        EXPECT_LE(snapshot.lowerBound, snapshot.design->cycles);
        EXPECT_EQ(snapshot.design->program, snapshot.program->name);
    }
    if (snapshot.phase == Phase::Ready && snapshot.whatIf) {
        EXPECT_FALSE(snapshot.whatIf->running);
        EXPECT_TRUE(snapshot.whatIf->design || !snapshot.whatIf->infeasible.empty());
    }
    if (snapshot.hdl) {
        EXPECT_TRUE(snapshot.design);
    }
    if (snapshot.phase == Phase::Ready) {
        EXPECT_TRUE(snapshot.outcome);
        EXPECT_TRUE(snapshot.design || !snapshot.infeasible.empty());
    }
    if (snapshot.phase == Phase::Loaded) {
        EXPECT_FALSE(snapshot.design);
    }
}

Command randomCommand(SplitMix64& rng, const Snapshot& snapshot) {
    const std::string unit = "Conv 4×4×64→64 k3";
    const int id = snapshot.pins.empty() ? 1 : snapshot.pins.front().id;
    switch (rng.range(0, 17)) {
    case 0:
        return OpenText{kTwoLayers, rng.range(0, 1) == 0 ? "a.mq" : "b.mq"};
    case 1:
        return rng.range(0, 3) == 0 ? OpenText{"design broken {", "a.mq"}
                                    : OpenText{kTwoLayers, "a.mq"};
    case 2: {
        Settings settings = Harness::withDsp(static_cast<double>(rng.range(1, 4) * 256));
        if (rng.range(0, 2) == 0)
            settings.without = {rng.range(0, 1) == 0 ? "sharing" : "tiling"};
        return ChangeSettings{settings};
    }
    case 3:
    case 4:
        return session::Run{};
    case 5:
        return Pause{};
    case 6:
        return StepOnce{};
    case 7:
        return StopRun{};
    case 8:
        return AddPin{{0,
                       rng.range(0, 1) == 0 ? design::PinKind::NeverShare : design::PinKind::Share,
                       rng.range(0, 3) == 0 ? "Mv 1×1" : unit, "", true}};
    case 9:
        return RemovePin{id};
    case 10:
        return EnablePin{id, rng.range(0, 1) == 0};
    case 11:
        return Undo{};
    case 12:
        return Redo{};
    case 13:
        return SwitchRules{rng.range(0, 1) == 0 ? "tiling" : "padding", rng.range(0, 1) == 0};
    case 14:
        return snapshot.points.empty() ? ChoosePoint{} : ChoosePoint{snapshot.points.back()};
    case 15:
        return rng.range(0, 3) == 0 ? AskWhatIf{}
                                    : AskWhatIf{{{0, design::PinKind::NeverShare, unit, "", true}}};
    case 16:
        return rng.range(0, 1) == 0 ? Command(AskWithoutRule{"R-TILE-MV"}) : Command(AskProof{"a"});
    default:
        return rng.range(0, 1) == 0 ? Command{Export{"", "verilog"}}
                                    : Command{Verify{"/nowhere", "verilator", 1, 1}};
    }
}

class SessionFuzz : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SessionFuzz, AnyOrderOfCommandsEndsInAConsistentState) {
    SplitMix64 rng(GetParam());
    Harness harness;
    std::vector<Ticket> tickets;
    for (int k = 0; k < 300; ++k) {
        const auto snapshot = harness.session().latest();
        tickets.push_back(harness.session().post(randomCommand(rng, *snapshot)));
        const auto pace = rng.range(0, 3);
        if (pace == 0)
            harness.wait(tickets.back());
        if (pace == 1)
            expectConsistent(*harness.fresh());
    }
    for (const Ticket ticket : tickets)
        harness.wait(ticket);
    expectConsistent(*harness.settled());
    const auto acknowledged = harness.acknowledged();
    EXPECT_EQ(acknowledged.size(), tickets.size());
    for (const auto& [ticket, all] : acknowledged)
        EXPECT_EQ(all.size(), 1U) << "ticket " << ticket;

    // Whatever came before, a fresh exploration gives the answer of a fresh session.
    harness.run(OpenText{"", "none.mq"});
    const std::string after = text(*harness.explored(512));
    Harness fresh;
    EXPECT_EQ(after, text(*fresh.explored(512)));
}

INSTANTIATE_TEST_SUITE_P(Seeds, SessionFuzz, ::testing::Range<std::uint64_t>(1, 11));

TEST(SessionThreads, ReadersSeeGrowingEpochsWhileTheEngineWorks) {
    Harness harness;
    std::atomic<bool> done = false;
    std::atomic<std::size_t> looked = 0;
    const auto read = [&] {
        std::uint64_t last = 0;
        while (!done) {
            harness.session().requestSnapshot();
            const auto snapshot = harness.session().latest();
            EXPECT_GE(snapshot->epoch, last);
            last = snapshot->epoch;
            if (snapshot->egraph)
                looked += snapshot->egraph->eclasses().size();
            if (snapshot->design)
                looked += snapshot->design->units.size();
            std::this_thread::yield();
        }
    };
    std::jthread first(read);
    std::jthread second(read);
    const auto snapshot = harness.explored(512);
    for (int k = 0; k < 5; ++k) {
        harness.settle(AddPin{{0, design::PinKind::NeverShare, "Conv 4×4×64→64 k3", "", true}});
        harness.settle(Undo{});
    }
    done = true;
    first.join();
    second.join();
    EXPECT_GT(looked.load(), 0U);
    EXPECT_EQ(text(*harness.fresh()), text(*snapshot));
}

std::string programThatTakesAWhile() {
    return largeProgram(test::cases(7, 10));
}

/// Processor time of all threads while that program is explored to the end.
test::Effort wholeExploration() {
    static const test::Effort kWhole = [] {
        Harness harness;
        EXPECT_TRUE(harness.run(OpenText{programThatTakesAWhile(), "large.mq"}).accepted);
        return test::effortOfProcess([&] { harness.settle(session::Run{}); });
    }();
    return kWhole;
}

/// Begins to explore it, and returns when so much of the work is done; or all of it, when this
/// thread had to wait for its turn.
void exploreInPart(Harness& harness, double share) {
    ASSERT_TRUE(harness.run(OpenText{programThatTakesAWhile(), "large.mq"}).accepted);
    const test::Effort part = share * wholeExploration();
    const test::Effort begin = test::Effort::ofClock(CLOCK_PROCESS_CPUTIME_ID);
    ASSERT_TRUE(harness.run(session::Run{}).accepted);
    while (harness.session().latest()->phase != Phase::Ready &&
           test::Effort::ofClock(CLOCK_PROCESS_CPUTIME_ID) - begin < part)
        test::breathe();
}

/// The rest is several times as much as a prompt end may take.
constexpr double kShares[] = {0, 0.1, 0.2, 0.3};
constexpr double kPrompt = 0.5;
constexpr int kAttempts = 2; // others on the machine may disturb one

bool isPrompt(const std::optional<test::Effort>& effort) {
    return effort && *effort < kPrompt * wholeExploration();
}

TEST(SessionThreads, EndsPromptlyWhileSaturatingAndRefusesTheRest) {
    for (const double share : kShares) {
        std::optional<test::Effort> least;
        for (int attempt = 0; attempt < kAttempts && !isPrompt(least); ++attempt) {
            Harness harness;
            ASSERT_NO_FATAL_FAILURE(exploreInPart(harness, share));
            const Ticket late = harness.session().post(Verify{"/nowhere", "verilator", 1, 1});
            const auto effort = test::effortOfProcess([&] { harness.destroy(); });
            least = std::min(least.value_or(effort), effort);
            const auto acknowledged = harness.acknowledged();
            ASSERT_TRUE(acknowledged.contains(late));
            EXPECT_FALSE(acknowledged.at(late).front().accepted);
        }
        EXPECT_TRUE(isPrompt(least)) << share << ": " << *least << " of " << wholeExploration();
    }
}

TEST(SessionThreads, TheLastPhaseIsShownUnasked) {
    Harness harness;
    EXPECT_TRUE(harness.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    EXPECT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    EXPECT_TRUE(harness.run(session::Run{}).accepted);
    const auto snapshot = harness.waitFor(Phase::Ready);
    EXPECT_TRUE(snapshot->design);
    EXPECT_TRUE(snapshot->hdl);
}

TEST(SessionThreads, PauseInterruptsWhatIsRunning) {
    int interrupted = 0;
    for (const double share : kShares) {
        std::optional<test::Effort> pausing, stopping;
        for (int attempt = 0; attempt < kAttempts && !(isPrompt(pausing) && isPrompt(stopping));
             ++attempt) {
            Harness harness;
            ASSERT_NO_FATAL_FAILURE(exploreInPart(harness, share));
            Acknowledgement paused;
            const auto pause = test::effortOfProcess([&] { paused = harness.run(Pause{}); });
            if (!paused.accepted)
                continue; // all was saturated
            ++interrupted;
            const auto stop = test::effortOfProcess([&] {
                EXPECT_TRUE(harness.run(StopRun{}).accepted);
                harness.session().post(
                    StopRun{}); // ends the extraction, if it has not ended by itself
                EXPECT_TRUE(harness.waitFor(Phase::Ready)->outcome);
            });
            pausing = std::min(pausing.value_or(pause), pause);
            stopping = std::min(stopping.value_or(stop), stop);
        }
        if (pausing) {
            EXPECT_TRUE(isPrompt(pausing)) << share << ": " << *pausing;
            EXPECT_TRUE(isPrompt(stopping)) << share << ": " << *stopping;
        }
    }
    EXPECT_GT(interrupted, 0);
}

} // namespace
} // namespace marquetry::session
