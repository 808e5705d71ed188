// The state machine without its thread: what an interrupted piece of work leaves behind.
#include "engine/session/controller.h"
#include "tests/session/session_harness.h"

namespace marquetry::session {
namespace {

struct Desk {
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
        Desk desk;
        desk.hand(ChangeSettings{Harness::withDsp(512)});
        desk.hand(OpenText{kTwoLayers, "a.mq"});
        desk.hand(session::Run{});
        desk.finish();
        ASSERT_TRUE(desk.answers.at(desk.hand(question)).has_value());
        const Ticket job = desk.hand(Verify{"/nowhere", "verilator", 1, 1});
        ASSERT_TRUE(desk.controller.hasJob());
        desk.interrupt();
        EXPECT_FALSE(desk.controller.hasJob());
        ASSERT_TRUE(desk.answers.contains(job));
        EXPECT_FALSE(desk.answers.at(job).has_value());
    }
}

} // namespace
} // namespace marquetry::session
