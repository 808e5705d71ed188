// Streams in a session: scheduled in the background, over all throughputs, chosen, pinned, undone.
#include "engine/spacetime/schedule.h"
#include "tests/session/session_harness.h"
#include "tests/support/places.h"

#include "engine/device/device_file.h"
#include "engine/lower_stream/estimate_kernel.h"
#include "engine/lower_stream/schedule_as_built.h"
#include "engine/spacetime/output_types.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>

namespace marquetry::session {
namespace {

const char* const kStreams = R"(stream triple {
  input x  : Seq 12 u8;
  output y = map(fn v -> add(v, 3), x);
}
stream tap {
  input x  : Seq 64 u16;
  output y = map2(add, x, shift(8, x));
}
)";

std::shared_ptr<const Snapshot> openedStreams(Harness& harness,
                                              const std::string& text = kStreams) {
    return harness.settle(OpenText{text, "streams.mq"});
}

const StreamItem& shown(const Snapshot& snapshot) {
    return snapshot.streams.at(snapshot.stream);
}

/// The schedule of the same stream outside the session.
spacetime::StreamSchedule scheduled(const StreamItem& item, std::int64_t clocks) {
    const auto device = device::findDevice(item.device);
    auto found = hdl::scheduleAsBuilt(*item.program, clocks, *device);
    EXPECT_TRUE(found.has_value());
    return std::move(found->schedule);
}

TEST(SessionStreams, AFileOfStreamsOpensAndItsFirstIsScheduled) {
    Harness harness;
    const auto snapshot = openedStreams(harness);
    EXPECT_EQ(snapshot->phase, Phase::Loaded);
    EXPECT_FALSE(snapshot->program);
    ASSERT_EQ(snapshot->streams.size(), 2U);
    const StreamItem& item = shown(*snapshot);
    EXPECT_EQ(item.device, "xc7k160t") << "the default device has no 6-input LUTs";
    ASSERT_TRUE(item.schedule);
    EXPECT_EQ(item.schedule->throughput, (spacetime::Throughput{1, 1}));
    ASSERT_TRUE(item.operators);
    EXPECT_EQ(std::ranges::count_if(*item.operators,
                                    [](const auto& op) { return op.isOutput && op.depth == 0; }),
              1);
    EXPECT_FALSE(snapshot->streams[1].schedule) << "scheduled when it is looked at";
    EXPECT_FALSE(snapshot->canUndo);
    EXPECT_EQ(harness.run(session::Run{}).diagnostics.at(0).code, "no-program");
}

TEST(SessionStreams, EveryThroughputOnOfferHasTheLeastArea) {
    Harness harness;
    const auto snapshot = openedStreams(harness);
    const StreamItem& item = shown(*snapshot);
    EXPECT_FALSE(item.sweeping);
    ASSERT_EQ(item.rates.size(), 10U) << "6 divisors of 12, and 2, 3, 4, 8 times slower";
    for (const StreamRate& rate : item.rates) {
        const auto same = scheduled(item, rate.clocks);
        ASSERT_TRUE(rate.area) << rate.clocks;
        EXPECT_EQ(*rate.area, same.front[0].area) << rate.clocks;
        EXPECT_EQ(rate.delay, same.front[0].delay);
        EXPECT_EQ(rate.throughput, same.throughput);
        EXPECT_EQ(rate.proved, same.complete);
    }
}

TEST(SessionStreams, TheStatesOfTheSearchAreTheEGraph) {
    Harness harness;
    openedStreams(harness);
    const auto snapshot = harness.settle(ShowStream{"tap"});
    const StreamItem& item = shown(*snapshot);
    ASSERT_TRUE(item.states);
    EXPECT_EQ(snapshot->egraph, item.states->egraph);
    const egraph::FrozenEGraph& view = *snapshot->egraph;
    std::vector<std::string> chosen;
    for (const egraph::ENodeId node : item.states->chosen) {
        const std::string& name = view.language().name(view.op(node));
        chosen.push_back(name.substr(0, name.find(" [")));
    }
    EXPECT_THAT(chosen, ::testing::UnorderedElementsAre("input x", "shift 8", "map(add)"));
    const auto slower = harness.settle(SetThroughput{"tap", {1, 2}});
    ASSERT_TRUE(slower->egraph);
    EXPECT_NE(slower->egraph, snapshot->egraph);
}

TEST(SessionStreams, TheThroughputChangesTheCircuitAndIsUndone) {
    Harness harness;
    const auto before = openedStreams(harness);
    const auto after = harness.settle(SetThroughput{"triple", {4, 1}});
    ASSERT_TRUE(shown(*after).schedule);
    EXPECT_EQ(shown(*after).schedule->clocks, 3);
    EXPECT_EQ(shown(*after).rates[shown(*after).rate].clocks, 3);
    EXPECT_EQ(spacetime::lanes(shown(*after).operators->back().type), 1) << "inside the function";
    const auto output = std::ranges::find_if(
        *shown(*after).operators, [](const auto& op) { return op.isOutput && op.depth == 0; });
    EXPECT_EQ(spacetime::clocks(output->type), 3);
    const auto undone = harness.settle(Undo{});
    EXPECT_EQ(shown(*undone).schedule->clocks, shown(*before).schedule->clocks);
    EXPECT_EQ(shown(*harness.settle(Redo{})).schedule->clocks, 3);
    const std::string log = after->log.back().text + undone->log.back().text;
    EXPECT_NE(log.find("elements per clock"), std::string::npos) << log;
}

TEST(SessionStreams, ThroughputsThatNothingMeetsAreRefused) {
    Harness harness;
    openedStreams(harness);
    for (const spacetime::Throughput wrong :
         {spacetime::Throughput{0, 1}, {-1, 2}, {5, 1}, {24, 1}, {1, std::int64_t{1} << 60}}) {
        const Acknowledgement refused = harness.run(SetThroughput{"triple", wrong});
        EXPECT_FALSE(refused.accepted) << wrong.atoms << "/" << wrong.clocks;
        EXPECT_THAT(refused.diagnostics.at(0).code,
                    ::testing::AnyOf("bad-throughput", "infeasible-throughput"));
    }
    EXPECT_EQ(harness.run(SetThroughput{"none", {1, 1}}).diagnostics.at(0).code, "stream-unknown");
    EXPECT_EQ(harness.run(ShowStream{"none"}).diagnostics.at(0).code, "stream-unknown");
    EXPECT_FALSE(harness.settled()->canUndo);
}

TEST(SessionStreams, AThroughputOfTheUsersJoinsTheOffer) {
    Harness harness;
    openedStreams(harness);
    const auto snapshot = harness.settle(SetThroughput{"triple", {1, 5}});
    const StreamItem& item = shown(*snapshot);
    EXPECT_EQ(item.rates.size(), 11U);
    EXPECT_EQ(item.rates[item.rate].clocks, 60);
    EXPECT_TRUE(std::ranges::is_sorted(item.rates, {}, &StreamRate::clocks));
}

TEST(SessionStreams, APinnedTypeIsTheOutputsAndIsUndone) {
    Harness harness;
    openedStreams(harness);
    const auto free = harness.settle(SetThroughput{"triple", {1, 3}});
    const auto types = shown(*free).schedule->outputTypes;
    ASSERT_GT(types.size(), 1U);
    for (const spacetime::SeqType& type : types) {
        const auto pinned = harness.settle(PinOutputType{"triple", 36, spacetime::toString(type)});
        ASSERT_TRUE(shown(*pinned).schedule) << spacetime::toString(type);
        for (const auto& op : *shown(*pinned).operators) {
            if (op.isOutput && op.depth == 0) {
                EXPECT_TRUE(spacetime::equivalent(op.type, type)) << spacetime::toString(type);
            }
        }
        EXPECT_TRUE(shown(*pinned).choice.pinned());
    }
    const auto elsewhere = harness.settle(SetThroughput{"triple", {1, 1}});
    EXPECT_EQ(shown(*elsewhere).scheduledType, "") << "a pin holds at its throughput";
    auto last = harness.settle(PinOutputType{"triple", 36, ""});
    EXPECT_FALSE(shown(*last).choice.pinned());
    last = harness.settle(Undo{});
    EXPECT_TRUE(shown(*last).choice.pinned());
    EXPECT_EQ(harness.run(PinOutputType{"triple", 36, "TSeq 1 1 u8"}).diagnostics.at(0).code,
              "type-unknown");
    EXPECT_EQ(harness.run(PinOutputType{"triple", 0, ""}).diagnostics.empty(), true);
}

TEST(SessionStreams, ACircuitOfTheFrontIsChosenAndUndone) {
    Harness harness;
    openedStreams(harness);
    std::shared_ptr<const Snapshot> snapshot = harness.settle(ShowStream{"tap"});
    for (const StreamRate& rate : shown(*snapshot).rates) {
        const auto now = harness.settle(SetThroughput{"tap", rate.throughput});
        const auto& front = shown(*now).schedule->front;
        const std::size_t last = front.size() - 1;
        const CircuitName name{front[last].area, front[last].delay};
        const auto chosen = harness.settle(ChooseCircuit{"tap", rate.clocks, name});
        EXPECT_EQ(shown(*chosen).chosen, last);
        EXPECT_EQ(shown(*chosen).schedule, shown(*now).schedule) << "choosing searches nothing";
    }
    EXPECT_EQ(harness.run(ChooseCircuit{"tap", shown(*snapshot).rates.back().clocks, {{}, 77}})
                  .diagnostics.at(0)
                  .code,
              "circuit-unknown");
    EXPECT_EQ(harness.run(ChooseCircuit{"tap", 1, {}}).diagnostics.at(0).code,
              "stream-unscheduled");
}

TEST(SessionStreams, TheHardwareOfEveryCircuitOfTheFrontIsEstimated) {
    Harness harness;
    openedStreams(harness);
    for (const char* item : {"triple", "tap"}) {
        const auto snapshot = harness.settle(ShowStream{item});
        const StreamItem& now = shown(*snapshot);
        ASSERT_EQ(now.hardware.size(), now.schedule->front.size());
        for (std::size_t k = 0; k < now.hardware.size(); ++k) {
            const auto alone = hdl::estimateKernel(now.schedule->front[k].circuit,
                                                   *device::findDevice(now.device));
            ASSERT_TRUE(now.hardware[k] && *now.hardware[k] && alone);
            EXPECT_EQ((*now.hardware[k])->area, alone->area);
            EXPECT_EQ((*now.hardware[k])->latency, alone->latency);
            EXPECT_EQ(now.schedule->front[k].area.bram, alone->area.bram);
            EXPECT_EQ(now.schedule->front[k].area.lut, std::round(alone->area.lut));
        }
    }
    const auto elsewhere = harness.settle(SetThroughput{"tap", {2, 1}});
    EXPECT_EQ(shown(*elsewhere).hardware.size(), shown(*elsewhere).schedule->front.size());
    EXPECT_GT((*shown(*elsewhere).hardware[0])->area.ff, 0);
}

TEST(SessionStreams, AnotherDeviceSchedulesAnew) {
    Harness harness;
    const auto before = openedStreams(harness);
    Settings settings;
    settings.device = "zu3eg";
    const Acknowledgement changed = harness.run(ChangeSettings{settings});
    ASSERT_TRUE(changed.accepted) << format(changed.diagnostics);
    const auto after = harness.settled();
    EXPECT_EQ(shown(*after).device, "zu3eg");
    EXPECT_NE(shown(*after).schedule, shown(*before).schedule);
    EXPECT_TRUE(std::ranges::all_of(shown(*after).rates, &StreamRate::tried));
}

TEST(SessionStreams, StandBesideADesign) {
    Harness harness;
    const auto snapshot = openedStreams(harness, std::string(kTwoLayers) + kStreams);
    ASSERT_TRUE(snapshot->program);
    ASSERT_TRUE(shown(*snapshot).schedule);
    ASSERT_TRUE(harness.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    const auto explored = harness.settle(session::Run{});
    ASSERT_TRUE(explored->design);
    const auto faster = harness.settle(SetThroughput{"triple", {2, 1}});
    EXPECT_EQ(faster->design, explored->design) << "a stream's throughput changes no design";
    EXPECT_EQ(harness.settle(Undo{})->design, explored->design);
}

TEST(SessionStreams, ASearchIsStopped) {
    Harness harness;
    harness.run(OpenFile{test::sourceFolder() + "/examples/streams/camera/camera.mq", ""});
    harness.run(StopRun{}); // refused when the search was quicker
    const auto stopped = harness.settled();
    EXPECT_FALSE(shown(*stopped).scheduling);
    EXPECT_FALSE(shown(*stopped).sweeping);
    EXPECT_TRUE(shown(*stopped).schedule || !shown(*stopped).failure.empty());
}

TEST(SessionStreams, TheCircuitAtHandIsExportedAndVerified) {
    const test::TemporaryFolder place;
    const std::string folder = place / "export";
    Harness harness;
    openedStreams(harness);
    harness.settle(ShowStream{"tap"});
    const auto at = harness.settle(SetThroughput{"tap", {2, 1}});
    ASSERT_TRUE(at->hdl);
    EXPECT_TRUE(std::ranges::any_of(*at->hdl, [](const HdlFile& file) {
        return file.text.find("module tap") != std::string::npos;
    }));
    const Acknowledgement exported = harness.run(Export{folder, "verilog"});
    ASSERT_TRUE(exported.accepted) << format(exported.diagnostics);
    Verify verify;
    verify.simulator = "iverilog";
    verify.vectors = 2;
    const Acknowledgement verified = harness.run(verify);
    ASSERT_TRUE(verified.accepted) << format(verified.diagnostics);
    const auto after = harness.settled();
    EXPECT_EQ(after->exportedTo, folder);
    EXPECT_TRUE(after->verify.done);
    EXPECT_TRUE(after->verify.pass) << after->verify.message;
    EXPECT_EQ(after->verify.cycles, after->verify.predictedCycles);
    std::string log;
    for (const LogLine& line : after->log)
        log += line.text + "\n";
    EXPECT_NE(log.find("$ marquetry export streams.mq --item tap --clocks 32"), std::string::npos)
        << log;
}

TEST(SessionStreams, AnUnknownItemIsNamed) {
    Harness harness;
    const std::string file = test::sourceFolder() + "/examples/streams/camera/camera.mq";
    EXPECT_EQ(harness.run(OpenFile{file, "camera"}).diagnostics.at(0).code, "no-item");
    const auto named = harness.settle(OpenFile{file, "camera_8x8"});
    EXPECT_EQ(shown(*named).program->name, "camera_8x8");
    EXPECT_TRUE(shown(*named).schedule);
}

/// What the function of a scan makes of an element is before its loop: the state comes later.
TEST(SessionStreams, TheStateOfAScanComesWhenItIsNeeded) {
    Harness harness;
    const auto snapshot = openedStreams(
        harness, "stream s { input x : Seq 64 u8; output y = scan(fn s v -> add(s, mul(v, v)), 0, "
                 "x); }");
    ASSERT_TRUE(shown(*snapshot).operators);
    std::vector<std::int64_t> inputs;
    for (const StreamOperator& op : *shown(*snapshot).operators) {
        if (op.text.starts_with("input") && op.depth == 1)
            inputs.push_back(op.starts.value_or(-1));
        if (op.text.starts_with("scan")) {
            EXPECT_EQ(op.delay, 1);
        }
    }
    EXPECT_THAT(inputs, testing::ElementsAre(1, 0));
}

} // namespace
} // namespace marquetry::session
