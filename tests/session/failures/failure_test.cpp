// A session whose memory fails: at any allocation of anything it does, and all the time under a
// limit. It says so, every command is acknowledged once, and what is asked for next is done as if
// nothing had happened.
#include "engine/support/file_system.h"
#include "engine/support/files.h"
#include "tests/session/failures/failing_memory.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <new>
#include <utility>

namespace marquetry::session {
namespace {

using ::testing::HasSubstr;

/// Allocations of each scenario that fail in turn.
constexpr std::uint64_t kSamples = 120;

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
        for (const cost::SharedEstimate& hardware : item.hardware)
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

const std::string& exportedTo(const Scenario& scenario) {
    return std::get<Export>(scenario.commands.back()).folder;
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

/// The memory of what receives the callbacks is the test's own.
Session::Callbacks sparing(Session::Callbacks callbacks) {
    return {[ready = std::move(callbacks.snapshotReady)] {
                const failing_memory::Spared spared;
                ready();
            },
            [acknowledged = std::move(callbacks.acknowledged)](const Acknowledgement& done) {
                const failing_memory::Spared spared;
                acknowledged(done);
            }};
}

/// Takes back what was done: an undo among the commands may be what failed. Yields the commands
/// posted.
std::size_t undone(Harness& harness) {
    std::size_t posted = 1;
    while (harness.run(Undo{}).accepted)
        ++posted;
    return posted;
}

class SessionFailure : public ::testing::TestWithParam<std::size_t> {
protected:
    void TearDown() override { failing_memory::disarm(); }

    Scenario scenario() const { return scenarios(folder_.string())[GetParam()]; }

    test::TemporaryFolder folder_;
};

/// Numbers from the first to the last, evenly spread.
std::vector<std::uint64_t> sampled(std::uint64_t all, std::uint64_t count) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t k = 0; k < count; ++k)
        numbers.push_back(1 + k * (all - 1) / (count - 1));
    return numbers;
}

using Files = std::map<std::string, std::string>;

Files contents(const std::string& folder) {
    std::vector<file_system::Entry> entries;
    file_system::entriesBelow(folder, entries);
    Files files;
    for (const file_system::Entry& entry : entries)
        if (!entry.folder)
            files[entry.name] = *files::read(folder + "/" + entry.name);
    return files;
}

/// Of a scenario to whose end nothing failed.
struct Outcome {
    std::string answers;
    Files files;
    std::uint64_t allocations = 0;
};

Outcome outcomeOf(const Scenario& asked) {
    Harness harness(sparing);
    failing_memory::failAt(0);
    for (const Acknowledgement& done : ask(harness, asked))
        EXPECT_TRUE(done.accepted) << format(done.diagnostics);
    const std::uint64_t allocations = failing_memory::allocations();
    failing_memory::disarm();
    return {answers(*harness.settled()), contents(exportedTo(asked)), allocations};
}

struct Told {
    bool failed = false; ///< an allocation did
    bool said = false;   ///< in an acknowledgement or a snapshot
};

/// Every command under memory of which the `n`-th piece fails. What succeeds without a word about
/// it is whole.
Told askFailing(Harness& harness, std::uint64_t n, const Scenario& asked, const Files& files,
                Acknowledgement& last) {
    Told told;
    failing_memory::failAt(n);
    for (const Command& command : asked.commands) {
        last = harness.run(command);
        const auto snapshot = harness.settled();
        inspect(*snapshot);
        told.said = told.said || hasCode(last.diagnostics, "out-of-memory") ||
                    hasCode(snapshot->failure, "out-of-memory");
    }
    failing_memory::disarm();
    told.failed = failing_memory::failed();
    if (!told.said) {
        EXPECT_EQ(contents(exportedTo(asked)), files);
    }
    return told;
}

/// Asks once with a failure, takes all back, and asks once more: as the first time left no trace,
/// what is expected comes. An export that was written is not written again, for it takes long.
Told askTwice(std::uint64_t n, const Scenario& asked, const Outcome& expected) {
    Harness harness(sparing);
    Acknowledgement last;
    const Told told = askFailing(harness, n, asked, expected.files, last);
    std::size_t posted = asked.commands.size() + undone(harness);
    Scenario again = asked;
    if (last.accepted)
        again.commands.pop_back();
    for (const Acknowledgement& done : ask(harness, again))
        EXPECT_TRUE(done.accepted) << format(done.diagnostics);
    posted += again.commands.size();
    EXPECT_EQ(answers(*harness.settled()), expected.answers);
    EXPECT_TRUE(harness.settled()->failure.empty());
    if (!last.accepted) {
        EXPECT_EQ(contents(exportedTo(asked)), expected.files);
    }
    const auto acknowledged = harness.acknowledged();
    EXPECT_EQ(acknowledged.size(), posted);
    for (const auto& [ticket, times] : acknowledged)
        EXPECT_EQ(times.size(), 1U) << "ticket " << ticket;
    return told;
}

TEST_P(SessionFailure, AtAnyAllocationLeavesASessionThatAnswersAsBefore) {
    const Scenario asked = scenario();
    const Outcome expected = outcomeOf(asked);
    int told = 0;
    int failures = 0;
    for (const std::uint64_t n : sampled(expected.allocations, kSamples)) {
        SCOPED_TRACE(asked.name + ", allocation " + std::to_string(n) + " of " +
                     std::to_string(expected.allocations));
        const Told now = askTwice(n, asked, expected);
        failures += now.failed ? 1 : 0;
        told += now.said ? 1 : 0;
        if (HasFailure())
            return;
    }
    EXPECT_GT(failures, 100) << "the allocations that were to fail were made";
    EXPECT_GT(told, failures * 9 / 10) << "a failure is a state of the session, not a secret";
}

TEST_P(SessionFailure, UnderALimitIsStatedAndTheSameWithoutItIsDone) {
    const Scenario asked = scenario();
    std::string expected;
    {
        Harness harness(sparing);
        ask(harness, asked);
        expected = answers(*harness.settled());
    }
    int failures = 0;
    for (const std::int64_t bytes : {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22}) {
        SCOPED_TRACE(asked.name + " with " + std::to_string(bytes) + " bytes");
        Harness harness(sparing);
        failing_memory::limitTo(bytes);
        for (const Command& command : asked.commands)
            harness.run(command); // refused or not, it is acknowledged
        const Acknowledgement last = harness.run(StopRun{});
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

// A window that has no memory to be told in is told later.
TEST(SessionFailures, InTheReceiverAreTriedAgain) {
    std::atomic<int> failures = 0;
    const auto failing = [&failures](Session::Callbacks callbacks) {
        const auto fail = [&failures] {
            if (++failures % 4 != 0)
                throw std::bad_alloc();
        };
        return Session::Callbacks{[=, ready = std::move(callbacks.snapshotReady)] {
                                      fail();
                                      ready();
                                  },
                                  [=, done = std::move(callbacks.acknowledged)](const auto& a) {
                                      fail();
                                      done(a);
                                  }};
    };
    Harness harness(failing);
    EXPECT_TRUE(harness.run(OpenText{kCross, "cross.mq"}).accepted);
    EXPECT_TRUE(harness.settled()->memories.front().plan);
    // How many snapshots are told of depends on time, so that commands are what is counted on.
    for (int command = 0; command < 5; ++command)
        EXPECT_FALSE(harness.run(OpenText{"memory {", "broken.mq"}).accepted);
    for (const auto& [ticket, times] : harness.acknowledged())
        EXPECT_EQ(times.size(), 1U) << "ticket " << ticket;
    EXPECT_GT(failures, 12);
}

INSTANTIATE_TEST_SUITE_P(All, SessionFailure, ::testing::Values(0, 1, 2),
                         [](const auto& param) { return scenarios("")[param.param].name; });

} // namespace
} // namespace marquetry::session
