#include "engine/support/rng.h"
#include "tests/session/session_harness.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace marquetry::session {
namespace {

/// A chain of many different convolutions: its e-graph takes a while.
std::string largeProgram() {
    std::string text = "design large {\n  input x0 : i8[16, 16, 48] = random(seed: 1);\n";
    int channels = 48;
    for (int k = 1; k <= 10; ++k) {
        const int out = 48 + 24 * (k % 5) + 8 * k;
        const std::string n = std::to_string(k);
        text += "  weight w" + n + " : i8[" + std::to_string(out) + ", 3, 3, " +
                std::to_string(channels) + "] = random(seed: " + n + ");\n";
        const std::string name = k == 10 ? "output y" : "let x" + n;
        text += "  " + name + " = requant(conv(x" + std::to_string(k - 1) + ", w" + n +
                ", pad: 1), shift: 12);\n";
        channels = out;
    }
    return text + "}\n";
}

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
        return Step{};
    case 7:
        return Stop{};
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
        return AskProof{rng.range(0, 1) == 0 ? "a" : "y"};
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

TEST(SessionThreads, EndsPromptlyWhileSaturatingAndRefusesTheRest) {
    Harness harness;
    ASSERT_TRUE(harness.run(OpenText{largeProgram(), "large.mq"}).accepted);
    ASSERT_TRUE(harness.run(session::Run{}).accepted);
    const Ticket late = harness.session().post(Verify{"/nowhere", "verilator", 1, 1});
    const auto start = std::chrono::steady_clock::now();
    harness.destroy();
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
    const auto acknowledged = harness.acknowledged();
    ASSERT_TRUE(acknowledged.contains(late));
    EXPECT_FALSE(acknowledged.at(late).front().accepted);
}

TEST(SessionThreads, PauseInterruptsWhatIsRunning) {
    Harness harness;
    ASSERT_TRUE(harness.run(OpenText{largeProgram(), "large.mq"}).accepted);
    ASSERT_TRUE(harness.run(session::Run{}).accepted);
    const auto start = std::chrono::steady_clock::now();
    const Acknowledgement paused = harness.run(Pause{});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
    EXPECT_TRUE(paused.accepted) << format(paused.diagnostics);
    const auto again = std::chrono::steady_clock::now();
    EXPECT_TRUE(harness.run(Stop{}).accepted);
    harness.session().post(Stop{}); // ends the extraction, if it has not ended by itself
    const auto stopped = harness.waitFor(Phase::Ready);
    EXPECT_LT(std::chrono::steady_clock::now() - again, std::chrono::seconds(5));
    EXPECT_TRUE(stopped->outcome);
}

} // namespace
} // namespace marquetry::session
