#include "engine/frontend/parser.h"
#include "engine/session/verify_export.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace marquetry::session {
namespace {

namespace fs = std::filesystem;

class SessionExport : public ::testing::Test {
protected:
    test::TemporaryFolder folder_;
};

TEST_F(SessionExport, WritesTheDesignAtHand) {
    Harness harness;
    harness.explored(64);
    const std::string target = folder_ / "out";
    const Acknowledgement done = harness.run(Export{target, "verilog"});
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    const auto snapshot = harness.settled();
    EXPECT_EQ(snapshot->exportedTo, target);
    EXPECT_EQ(snapshot->phase, Phase::Ready);
    EXPECT_TRUE(fs::exists(folder_.path() / "out" / "manifest.json"));
    for (const HdlFile& file : *snapshot->hdl)
        EXPECT_TRUE(fs::exists(folder_.path() / "out" / file.path)) << file.path;
}

TEST_F(SessionExport, WritesTheMemoryAtHand) {
    Harness harness;
    const auto opened = harness.settle(
        OpenText{"memory one { array a : i8[16]; for i in 0 .. 15 { read a[i], a[i+1]; } }"
                 "memory two { array a : i8[16]; for i in 0 .. 14 { read a[i], a[i+2]; } }",
                 "memories.mq"});
    ASSERT_TRUE(opened->exportedMemory());
    EXPECT_EQ(opened->exportedMemory()->program->name, "one");
    ASSERT_TRUE(opened->hdl);
    const std::string target = folder_ / "out";
    const auto refusal = [&](const std::string& item) {
        return harness.run(Export{target, "verilog", item}).diagnostics.at(0).code;
    };
    EXPECT_EQ(refusal("three"), "memory-unknown");
    EXPECT_EQ(refusal("two"), "memory-unplanned");
    const Acknowledgement done = harness.run(Export{target});
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    for (const HdlFile& file : *opened->hdl)
        EXPECT_TRUE(fs::exists(folder_.path() / "out" / file.path)) << file.path;
    ASSERT_TRUE(harness.run(Verify{"", "iverilog"}).accepted);
    const auto verified = harness.settled();
    EXPECT_TRUE(verified->verify.pass) << verified->verify.message;
    fs::remove(folder_.path() / "out" / "tb" / "tb.v");
    EXPECT_TRUE(hasCode(harness.run(Verify{"", "iverilog"}).diagnostics, "export-damaged"))
        << "it is the export just made that is verified";
}

TEST_F(SessionExport, ABufferIsAMemoryOfItsOwn) {
    Harness harness;
    harness.explored(64);
    ASSERT_TRUE(harness.run(ShowMemory{"a"}).accepted);
    const std::string target = folder_ / "buffer";
    const Acknowledgement done = harness.run(Export{target, "verilog", "a"});
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    EXPECT_FALSE(harness.settled()->exportedMemory()) << "the design is at hand";
    const auto written = frontend::parseFile(target + "/program/a.mq");
    ASSERT_TRUE(written) << format(written.error());
    EXPECT_EQ(written->memories.at(0).type.dims, (ir::Shape{4, 4, 64}));
    ASSERT_TRUE(harness.run(Verify{"", "iverilog", 1, 1, "a"}).accepted);
    const auto verified = harness.settled();
    EXPECT_TRUE(verified->verify.pass) << verified->verify.message;
    EXPECT_EQ(verified->verify.item, "a");
    fs::remove(folder_.path() / "buffer" / "tb" / "tb.v");
    EXPECT_TRUE(
        hasCode(harness.run(Verify{"", "iverilog", 1, 1, "a"}).diagnostics, "export-damaged"));
}

TEST_F(SessionExport, TheBenchOfEveryBufferFollowsFromItsProgram) {
    Harness harness;
    const auto explored = harness.explored(16, "design d {\n"
                                               "  input x : i8[12, 12, 3] = random(seed: 1);\n"
                                               "  weight w1 : i8[8, 3, 3, 3] = random(seed: 2);\n"
                                               "  weight w2 : i8[4, 3, 3, 8] = random(seed: 3);\n"
                                               "  weight w3 : i8[10, 36] = random(seed: 4);\n"
                                               "  let a = relu(requant(conv(x, w1, pad: 1), shift: "
                                               "6));\n"
                                               "  let b = maxpool(a, size: 2);\n"
                                               "  let c = relu(requant(conv(b, w2, stride: 2, pad: "
                                               "1), shift: 6));\n"
                                               "  output y = mv(w3, flatten(c));\n"
                                               "}\n");
    std::stop_source stopped;
    stopped.request_stop(); // after the benches were compared
    int buffers = 0;
    for (const MemoryItem& item : explored->memories) {
        const std::string name = item.program->name;
        ASSERT_TRUE(harness.settle(ShowMemory{name}));
        const Acknowledgement done = harness.run(Export{folder_ / name, "verilog", name});
        ASSERT_TRUE(done.accepted) << name << ": " << format(done.diagnostics);
        const auto report = verifyExport(folder_ / name, {}, stopped.get_token());
        ASSERT_FALSE(report);
        EXPECT_EQ(report.error().front().code, "cancelled") << format(report.error());
        ++buffers;
    }
    EXPECT_GE(buffers, 4);
}

TEST_F(SessionExport, RefusesFoldersAndTargetsItCannotServe) {
    Harness harness;
    harness.explored(64);
    EXPECT_EQ(harness.run(Export{"", "verilog"}).diagnostics.at(0).code, "export-folder");
    const std::string target = folder_ / "out";
    EXPECT_TRUE(hasCode(harness.run(Export{target, "paper"}).diagnostics, "unknown-target"));
    EXPECT_TRUE(
        hasCode(harness.run(Export{"/proc/x/y", "verilog"}).diagnostics, "output-unwritable"));
    EXPECT_TRUE(
        hasCode(harness.run(Verify{target, "verilator", 1, 1}).diagnostics, "export-missing"));
    EXPECT_TRUE(hasCode(harness.run(Verify{"", "pencil", 1, 1}).diagnostics, "unknown-simulator"));
    EXPECT_TRUE(harness.fresh()->exportedTo.empty());
}

TEST_F(SessionExport, ADesignWithExternalWeightsHasTheirImage) {
    Harness harness;
    Settings settings = Harness::withDsp(64);
    settings.limits["bram"] = 30;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    const auto snapshot = harness.settle(session::Run{});
    ASSERT_TRUE(snapshot->design) << format(snapshot->infeasible);
    ASSERT_TRUE(snapshot->design->schedule);
    EXPECT_TRUE(snapshot->design->schedule->memory);
    const Acknowledgement done = harness.run(Export{folder_ / "out", "verilog"});
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    EXPECT_TRUE(fs::exists(folder_.path() / "out" / "memory" / "weights.bin"));
    ASSERT_TRUE(harness.run(Verify{"", "iverilog", 1, 1}).accepted);
    const auto verified = harness.settled();
    EXPECT_TRUE(verified->verify.pass) << verified->verify.message;
}

TEST_F(SessionExport, RefusesADesignThatNoHardwareIsMadeFrom) {
    Harness harness;
    Settings settings = Harness::withDsp(64);
    settings.cost = design::CostModel::PublishedOpen;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    const auto snapshot = harness.settle(session::Run{});
    ASSERT_TRUE(snapshot->design) << format(snapshot->infeasible);
    ASSERT_FALSE(snapshot->design->schedule);
    EXPECT_FALSE(snapshot->hdl);
    const Acknowledgement done = harness.run(Export{folder_ / "out", "verilog"});
    ASSERT_TRUE(hasCode(done.diagnostics, "not-exportable")) << format(done.diagnostics);
    EXPECT_NE(done.diagnostics[0].message.find(snapshot->design->notExportable), std::string::npos);
    EXPECT_TRUE(hasCode(harness.run(Verify{}).diagnostics, "not-exportable"));
}

TEST_F(SessionExport, WaitsForTheDesignThatIsBeingLookedFor) {
    Harness harness;
    harness.explored(64);
    harness.session().post(AddPin{{0, design::PinKind::NeverShare, "Conv 4×4×64→64 k3", "", true}});
    const Acknowledgement done = harness.run(Export{folder_ / "out", "verilog"});
    EXPECT_TRUE(done.accepted) << format(done.diagnostics);
}

TEST_F(SessionExport, VerifiesATemporaryExportWithProgress) {
    Harness harness;
    harness.explored(64);
    const Ticket ticket = harness.session().post(Verify{"", "iverilog", 1, 1});
    harness.waitUntilReached(Phase::Verifying);
    const Acknowledgement done = harness.wait(ticket);
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    const auto snapshot = harness.settled();
    EXPECT_TRUE(snapshot->verify.done);
    EXPECT_FALSE(snapshot->verify.running);
    EXPECT_TRUE(snapshot->verify.pass) << snapshot->verify.message;
    EXPECT_EQ(snapshot->verify.predictedCycles, snapshot->design->cycles);
    EXPECT_EQ(snapshot->verify.cycles, snapshot->verify.predictedCycles);
}

/// A verdict is of one design: it goes with another, and comes back with it.
TEST_F(SessionExport, AVerdictBelongsToItsDesign) {
    Harness harness;
    const auto explored = harness.explored(512);
    ASSERT_TRUE(harness.run(Verify{"", "iverilog", 1, 1}).accepted);
    const auto verified = harness.settled();
    ASSERT_TRUE(verified->verify.pass) << verified->verify.message;
    EXPECT_FALSE(verified->verify.ofAnother);
    const auto is = [&](const design::DesignPoint& point, bool chosen) {
        return point.feasible && (point.cycles == explored->design->cycles) == chosen;
    };
    const auto pick = [&](bool chosen) {
        for (const design::DesignPoint& point : explored->points)
            if (is(point, chosen))
                return harness.settle(ChoosePoint{point});
        return std::shared_ptr<const Snapshot>();
    };
    const auto other = pick(false);
    ASSERT_TRUE(other);
    ASSERT_NE(other->design->cycles, explored->design->cycles);
    EXPECT_TRUE(other->verify.ofAnother);
    EXPECT_EQ(other->verify.cycles, explored->design->cycles) << "the verdict that there is";
    const auto again = pick(true);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->design->cycles, explored->design->cycles);
    EXPECT_FALSE(again->verify.ofAnother) << "the same design, found anew";
    EXPECT_TRUE(again->verify.pass);
    // Of two that are verified each has its own verdict.
    ASSERT_TRUE(pick(false));
    ASSERT_TRUE(harness.run(Verify{"", "iverilog", 1, 1}).accepted);
    const auto both = harness.settled();
    EXPECT_FALSE(both->verify.ofAnother);
    EXPECT_EQ(both->verify.cycles, both->design->cycles);
    EXPECT_EQ(pick(true)->verify.cycles, explored->design->cycles);
    EXPECT_EQ(pick(false)->verify.cycles, both->design->cycles);
    // A verification that came to nothing takes no verdict away.
    EXPECT_FALSE(harness.run(Verify{"", "pencil", 1, 1}).accepted);
    EXPECT_FALSE(harness.fresh()->verify.done);
    EXPECT_TRUE(pick(true)->verify.pass);
}

/// The first simulator in PATH from now on: it never comes to an end.
class EndlessSimulator {
public:
    explicit EndlessSimulator(const std::string& name) : path_(std::getenv("PATH")) {
        const std::string file = folder_ / name;
        std::ofstream(file) << "#!/bin/sh\nexec sleep 3600\n";
        fs::permissions(file, fs::perms::owner_all);
        setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
    }
    ~EndlessSimulator() { setenv("PATH", path_.c_str(), 1); }
    EndlessSimulator(const EndlessSimulator&) = delete;
    EndlessSimulator& operator=(const EndlessSimulator&) = delete;

private:
    test::TemporaryFolder folder_;
    std::string path_;
};

TEST_F(SessionExport, StopEndsAVerification) {
    const EndlessSimulator simulator("verilator");
    Harness harness;
    harness.explored(64);
    const Ticket verify = harness.session().post(Verify{"", "verilator", 3, 1});
    harness.waitFor(Phase::Verifying);
    EXPECT_TRUE(harness.run(StopRun{}).accepted);
    const Acknowledgement done = harness.wait(verify);
    EXPECT_TRUE(hasCode(done.diagnostics, "cancelled")) << format(done.diagnostics);
    const auto snapshot = harness.settled();
    EXPECT_EQ(snapshot->phase, Phase::Ready);
    EXPECT_FALSE(snapshot->verify.running);
    EXPECT_FALSE(snapshot->verify.done);
    EXPECT_TRUE(snapshot->design);
    EXPECT_FALSE(harness.run(StopRun{}).accepted) << "nothing is left to stop";
}

} // namespace
} // namespace marquetry::session
