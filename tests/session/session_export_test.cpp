#include "tests/session/session_harness.h"

#include <filesystem>

#include <unistd.h>

namespace marquetry::session {
namespace {

namespace fs = std::filesystem;

class SessionExport : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ =
            fs::temp_directory_path() / ("marquetry-session-test-" + std::to_string(::getpid()));
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    fs::path folder_;
};

TEST_F(SessionExport, WritesTheDesignAtHand) {
    Harness harness;
    harness.explored(64);
    const std::string target = (folder_ / "out").string();
    const Acknowledgement done = harness.run(Export{target, "verilog"});
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    const auto snapshot = harness.settled();
    EXPECT_EQ(snapshot->exportedTo, target);
    EXPECT_EQ(snapshot->phase, Phase::Ready);
    EXPECT_TRUE(fs::exists(folder_ / "out" / "manifest.json"));
    for (const HdlFile& file : *snapshot->hdl)
        EXPECT_TRUE(fs::exists(folder_ / "out" / file.path)) << file.path;
}

TEST_F(SessionExport, RefusesFoldersAndTargetsItCannotServe) {
    Harness harness;
    harness.explored(64);
    EXPECT_EQ(harness.run(Export{"", "verilog"}).diagnostics.at(0).code, "export-folder");
    const std::string target = (folder_ / "out").string();
    EXPECT_TRUE(hasCode(harness.run(Export{target, "paper"}).diagnostics, "unknown-target"));
    EXPECT_TRUE(
        hasCode(harness.run(Export{"/proc/x/y", "verilog"}).diagnostics, "output-unwritable"));
    EXPECT_TRUE(
        hasCode(harness.run(Verify{target, "verilator", 1, 1}).diagnostics, "export-missing"));
    EXPECT_TRUE(hasCode(harness.run(Verify{"", "pencil", 1, 1}).diagnostics, "unknown-simulator"));
    EXPECT_TRUE(harness.fresh()->exportedTo.empty());
}

TEST_F(SessionExport, RefusesADesignWithBuffersInExternalMemory) {
    Harness harness;
    Settings settings = Harness::withDsp(64);
    settings.limits["bram"] = 30;
    ASSERT_TRUE(harness.run(ChangeSettings{settings}).accepted);
    ASSERT_TRUE(harness.run(OpenText{kTwoLayers, "a.mq"}).accepted);
    const auto snapshot = harness.settle(session::Run{});
    ASSERT_TRUE(snapshot->design) << format(snapshot->infeasible);
    ASSERT_FALSE(snapshot->design->schedule);
    EXPECT_FALSE(snapshot->hdl);
    const Acknowledgement done = harness.run(Export{(folder_ / "out").string(), "verilog"});
    ASSERT_TRUE(hasCode(done.diagnostics, "not-exportable")) << format(done.diagnostics);
    EXPECT_NE(done.diagnostics[0].message.find(snapshot->design->notExportable), std::string::npos);
    EXPECT_TRUE(hasCode(harness.run(Verify{}).diagnostics, "not-exportable"));
}

TEST_F(SessionExport, WaitsForTheDesignThatIsBeingLookedFor) {
    Harness harness;
    harness.explored(64);
    harness.session().post(AddPin{{0, design::PinKind::NeverShare, "Conv 4×4×64→64 k3", "", true}});
    const Acknowledgement done = harness.run(Export{(folder_ / "out").string(), "verilog"});
    EXPECT_TRUE(done.accepted) << format(done.diagnostics);
}

TEST_F(SessionExport, VerifiesATemporaryExportWithProgress) {
    Harness harness;
    harness.explored(64);
    const Ticket ticket = harness.session().post(Verify{"", "iverilog", 1, 1});
    const auto running = harness.waitFor(Phase::Verifying);
    EXPECT_EQ(running->phase, Phase::Verifying);
    const Acknowledgement done = harness.wait(ticket);
    ASSERT_TRUE(done.accepted) << format(done.diagnostics);
    const auto snapshot = harness.settled();
    EXPECT_TRUE(snapshot->verify.done);
    EXPECT_FALSE(snapshot->verify.running);
    EXPECT_TRUE(snapshot->verify.pass) << snapshot->verify.message;
    EXPECT_EQ(snapshot->verify.predictedCycles, snapshot->design->cycles);
    EXPECT_EQ(snapshot->verify.cycles, snapshot->verify.predictedCycles);
}

TEST_F(SessionExport, StopEndsAVerification) {
    Harness harness;
    harness.explored(64);
    const Ticket verify = harness.session().post(Verify{"", "verilator", 3, 1});
    harness.waitFor(Phase::Verifying);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(harness.run(Stop{}).accepted);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    const Acknowledgement done = harness.wait(verify);
    EXPECT_TRUE(hasCode(done.diagnostics, "cancelled")) << format(done.diagnostics);
    const auto snapshot = harness.settled();
    EXPECT_EQ(snapshot->phase, Phase::Ready);
    EXPECT_FALSE(snapshot->verify.running);
    EXPECT_FALSE(snapshot->verify.done);
    EXPECT_TRUE(snapshot->design);
    EXPECT_FALSE(harness.run(Stop{}).accepted) << "nothing is left to stop";
}

} // namespace
} // namespace marquetry::session
