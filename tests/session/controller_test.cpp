// The state machine without its thread: what an interrupted piece of work leaves behind.
#include "engine/session/controller.h"
#include "tests/session/session_harness.h"

namespace marquetry::session {
namespace {

struct Driver {
    std::map<Ticket, Status> answers;
    Controller controller{
        {[this](Ticket ticket, const Status& status) { answers.emplace(ticket, status); }, [] {}}};
    Ticket last = 0;

    Ticket hand(const Command& command) {
        controller.handle(++last, command);
        return last;
    }
    void finish() {
        while (controller.nextWork() != Work::None)
            controller.work({});
    }
    void interrupt() {
        std::stop_source source;
        source.request_stop();
        controller.work(source.get_token());
    }
};

/// While a job waits, no command is handled: it must not outlive the question before it.
TEST(Controller, AnInterruptedQuestionRefusesTheJobBehindIt) {
    const Command questions[] = {
        AskWhatIf{{{0, design::PinKind::NeverShare, "Conv 4×4×64→64 k3", "", true}}},
        AskProof{"a"},
    };
    for (const Command& question : questions) {
        Driver driver;
        driver.hand(ChangeSettings{Harness::withDsp(512)});
        driver.hand(OpenText{kTwoLayers, "a.mq"});
        driver.hand(session::Run{});
        driver.finish();
        ASSERT_TRUE(driver.answers.at(driver.hand(question)).has_value());
        const Ticket job = driver.hand(Verify{"/nowhere", "verilator", 1, 1});
        ASSERT_TRUE(driver.controller.hasJob());
        driver.interrupt();
        EXPECT_FALSE(driver.controller.hasJob());
        ASSERT_TRUE(driver.answers.contains(job));
        EXPECT_FALSE(driver.answers.at(job).has_value());
    }
}

/// Works until the text of the hardware is next.
void exploreUpToText(Driver& driver) {
    driver.hand(ChangeSettings{Harness::withDsp(512)});
    driver.hand(OpenText{kTwoLayers, "a.mq"});
    driver.hand(session::Run{});
    while (driver.controller.nextWork() != Work::None &&
           driver.controller.nextWork() != Work::Write)
        driver.controller.work({});
}

TEST(Controller, TheTextOfTheHardwareIsWorkThatCanBeStopped) {
    Driver driver;
    exploreUpToText(driver);
    ASSERT_EQ(driver.controller.nextWork(), Work::Write);
    const Snapshot before = driver.controller.snapshot(true);
    EXPECT_EQ(before.phase, Phase::Writing);
    EXPECT_TRUE(before.design) << "it is shown before its text is there";
    EXPECT_FALSE(before.hdl) << "a snapshot makes nothing";
    driver.interrupt();
    EXPECT_EQ(driver.controller.nextWork(), Work::Write) << "what was interrupted is still due";
    EXPECT_FALSE(driver.controller.snapshot(true).hdl);
    driver.finish();
    const Snapshot after = driver.controller.snapshot(true);
    EXPECT_EQ(after.phase, Phase::Ready);
    ASSERT_TRUE(after.hdl);
    EXPECT_FALSE(after.hdl->empty());
}

TEST(Controller, JobsComeBeforeTheText) {
    Driver driver;
    exploreUpToText(driver);
    const Ticket job = driver.hand(Measure{});
    EXPECT_EQ(driver.controller.nextWork(), Work::Measure);
    driver.controller.work({});
    EXPECT_TRUE(driver.answers.at(job).has_value());
    EXPECT_EQ(driver.controller.nextWork(), Work::Write);
}

TEST(Controller, SnapshotsShareWhatHasNotChanged) {
    Driver driver;
    exploreUpToText(driver);
    driver.finish();
    const Snapshot one = driver.controller.snapshot(true);
    ASSERT_FALSE(one.log.empty());
    ASSERT_FALSE(one.iterations.empty());
    ASSERT_FALSE(one.points.empty());
    ASSERT_FALSE(one.memories.empty());
    const std::size_t lines = one.log.size();
    driver.hand(ShowMemory{"nothing"}); // refused, which the log says
    const Snapshot two = driver.controller.snapshot(true);
    EXPECT_FALSE(two.log.same(one.log));
    EXPECT_EQ(one.log.size(), lines) << "an old snapshot stays as it was";
    EXPECT_GT(two.log.size(), lines);
    EXPECT_TRUE(two.memories.same(one.memories));
    EXPECT_TRUE(two.iterations.same(one.iterations));
    EXPECT_TRUE(two.terms.same(one.terms));
    EXPECT_TRUE(two.points.same(one.points));
    EXPECT_TRUE(two.alternatives.same(one.alternatives));
    EXPECT_TRUE(two.ruleNames.same(one.ruleNames));
    const Snapshot three = driver.controller.snapshot(true);
    EXPECT_TRUE(three.log.same(two.log));
    EXPECT_EQ(three.egraph, two.egraph);
}

} // namespace
} // namespace marquetry::session
