// A session whose memory fails: at any allocation of anything it does, and all the time under a
// limit. It says so, every command is acknowledged once, and what is asked for next is done as if
// nothing had happened.
#include "tests/session/failures/failing_memory.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>

#include <thread>

namespace marquetry::session {
namespace {

using ::testing::HasSubstr;

const char* const kLayer = R"(design layer {
  input  image : i8[4, 4, 16]     = random(seed: 1);
  weight w1    : i8[16, 3, 3, 16] = random(seed: 2);
  output y = relu(requant(conv(image, w1, pad: 1), shift: 12));
}
)";
const char* const kCross = R"(memory cross {
  array a : i32[8, 8];
  for i in 0 .. 6, j in 0 .. 6 { read a[i+1, j], a[i, j+1], a[i+1, j+2], a[i+2, j+1]; }
}
)";
const char* const kTap = R"(stream tap {
  input x  : Seq 12 u8;
  output y = map2(add, x, shift(2, x));
}
)";

/// What a window may look up in a snapshot is there, and belongs together.
void inspect(const Snapshot& s) {
    EXPECT_EQ(s.ruleNames.size(), s.ruleGroups.size());
    if (s.design) {
        ASSERT_TRUE(s.program);
        EXPECT_FALSE(designJson(*s.design, *s.program).empty());
    }
    for (const MemoryItem& item : s.memories) {
        ASSERT_TRUE(item.program);
        if (item.plan) {
            ASSERT_LT(item.chosen, item.plan->front.size());
            EXPECT_TRUE(item.pattern);
        }
    }
    if (!s.memories.empty()) {
        EXPECT_LT(s.memory, s.memories.size());
    }
    for (const StreamItem& item : s.streams) {
        ASSERT_LT(item.rate, item.rates.size());
        if (!item.schedule)
            continue;
        ASSERT_LT(item.chosen, item.schedule->front.size());
        EXPECT_EQ(item.hardware.size(), item.schedule->front.size());
        EXPECT_EQ(item.frontTypes.size(), item.schedule->front.size());
        EXPECT_TRUE(item.operators);
    }
    if (!s.streams.empty()) {
        EXPECT_LT(s.stream, s.streams.size());
    }
}

std::string toText(const SchemeDetail& detail) {
    return detail.priced.scheme.text() + " " + std::to_string(detail.priced.cost.total.lut);
}

/// The answers in a snapshot, as text.
std::string answers(const Snapshot& s) {
    std::string all = toString(s.phase) + "\n" + text(s) + "\n";
    for (const MemoryItem& item : s.memories)
        all += item.program->name + ": " + (item.detail ? toText(*item.detail) : "none") + "\n";
    for (const StreamItem& item : s.streams) {
        all += item.program->name + ":";
        for (const StreamRate& rate : item.rates)
            all += " " + (rate.area ? std::to_string(rate.area->lut) : "none");
        for (const StreamHardware& hardware : item.hardware)
            all += hardware && *hardware ? " " + std::to_string((*hardware)->area.lut) : " none";
        all += "\n";
    }
    for (const extract::TermCount& count : s.terms)
        all += count.terms + " ";
    return all + (s.metrics ? s.metrics->normalForms : "no metrics");
}

design::Pin pinOf(const std::string& target) {
    design::Pin pin;
    pin.kind = design::PinKind::NeverShare;
    pin.target = target;
    return pin;
}

/// What is asked of a session in a test, ending at rest.
struct Scenario {
    std::string name;
    std::vector<Command> commands;
};

std::vector<Scenario> scenarios(const std::string& folder) {
    Settings settings;
    settings.limits["dsp"] = 64;
    return {{"design",
             {ChangeSettings{settings}, OpenText{kLayer, "layer.mq"}, session::Run{},
              AskWhatIf{pinOf("Mv 16×144")}, AskProof{"y"}, Measure{}, AddPin{pinOf("Mv 16×144")},
              Undo{}, Export{folder + "/design"}}},
            {"memory",
             {OpenText{kCross, "cross.mq"}, TryBanks{"cross", {{ir::FlatMap{{1, 2}, 1, 5}}, 1}},
              PinBanks{"cross", {}}, Export{folder + "/memory"}}},
            {"stream",
             {OpenText{kTap, "tap.mq"}, SetThroughput{"tap", {2, 1}}, Undo{},
              Export{folder + "/stream"}}}};
}

/// Posts every command when the one before it is done with; no wish for success.
std::vector<Acknowledgement> ask(Harness& harness, const Scenario& scenario) {
    std::vector<Acknowledgement> all;
    for (const Command& command : scenario.commands) {
        all.push_back(harness.run(command));
        inspect(*harness.settled());
    }
    return all;
}

class SessionFailure : public ::testing::TestWithParam<std::size_t> {
protected:
    void TearDown() override { failing_memory::disarm(); }

    Scenario scenario() const { return scenarios(folder_.string())[GetParam()]; }

    testing::TemporaryFolder folder_;
};

TEST_P(SessionFailure, UnderALimitIsStatedAndTheSameWithoutItIsDone) {
    const Scenario asked = scenario();
    std::string expected;
    {
        Harness harness;
        ask(harness, asked);
        expected = answers(*harness.settled());
    }
    int failures = 0;
    for (const std::int64_t bytes : {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22}) {
        SCOPED_TRACE(asked.name + " with " + std::to_string(bytes) + " bytes");
        Harness harness;
        failing_memory::limitTo(bytes);
        for (const Command& command : asked.commands)
            harness.run(command); // refused or not, it is acknowledged
        const Acknowledgement last = harness.run(Stop{});
        const bool failed = failing_memory::failed();
        failing_memory::disarm();
        inspect(*harness.settled());
        failures += failed ? 1 : 0;
        for (const Acknowledgement& done : ask(harness, asked))
            ASSERT_TRUE(done.accepted) << format(done.diagnostics);
        ASSERT_EQ(answers(*harness.settled()), expected);
    }
    EXPECT_GT(failures, 1) << "some limits were too low";
}

INSTANTIATE_TEST_SUITE_P(All, SessionFailure, ::testing::Values(0, 1, 2),
                         [](const auto& param) { return scenarios("")[param.param].name; });

} // namespace
} // namespace marquetry::session
