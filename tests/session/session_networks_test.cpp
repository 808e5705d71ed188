// Networks in ONNX that are opened: their program is shown, and what is wrong with a file.
#include "tests/frontend/onnx/small_network.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <atomic>
#include <fstream>
#include <functional>

namespace marquetry::session {
namespace {

class SessionNetworks : public ::testing::Test {
protected:
    std::string write(const std::string& name, const std::string& bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    test::TemporaryFolder folder_;
};

TEST_F(SessionNetworks, AreShownAsPrograms) {
    Harness harness;
    const Acknowledgement opened =
        harness.run(OpenFile{write("small.onnx", test::smallNetwork()), ""});
    EXPECT_TRUE(opened.accepted) << format(opened.diagnostics);
    const auto snapshot = harness.settled();
    ASSERT_TRUE(snapshot->program);
    EXPECT_EQ(snapshot->program->macs(), 24);
    ASSERT_TRUE(snapshot->source);
    EXPECT_EQ(snapshot->source->rfind("design small {", 0), 0U) << *snapshot->source;
    EXPECT_NE(snapshot->source->find("conv("), std::string::npos);
}

TEST_F(SessionNetworks, ThatAreBrokenSayWhy) {
    Harness harness;
    const Acknowledgement opened = harness.run(OpenFile{write("no.onnx", "no network"), ""});
    EXPECT_FALSE(opened.accepted);
    ASSERT_FALSE(opened.diagnostics.empty());
    EXPECT_FALSE(opened.diagnostics.front().message.empty());
    EXPECT_FALSE(harness.settled()->program);
}

/// The first snapshot that shows an import under way is answered with a command.
class AnswersTheOpening {
public:
    explicit AnswersTheOpening(Command answer) : answer_(std::move(answer)) {}

    Session::Callbacks operator()(const Session::Callbacks& callbacks) {
        return {[this, ready = callbacks.snapshotReady] {
                    Session* const at = session;
                    if (at && !ticket && at->latest()->phase == Phase::Opening)
                        ticket = at->post(answer_);
                    ready();
                },
                callbacks.acknowledged};
    }

    std::atomic<Session*> session = nullptr;
    std::optional<Ticket> ticket;

private:
    Command answer_;
};

TEST_F(SessionNetworks, AreNotImportedAnyMoreOnceStopped) {
    AnswersTheOpening stop{StopRun{}};
    Harness harness(std::ref(stop));
    EXPECT_TRUE(harness.run(OpenText{kTwoLayers, "two_layers.mq"}).accepted);
    stop.session = &harness.session();
    const Acknowledgement opened =
        harness.run(OpenFile{write("small.onnx", test::smallNetwork()), ""});
    EXPECT_FALSE(opened.accepted);
    EXPECT_TRUE(hasCode(opened.diagnostics, "cancelled")) << format(opened.diagnostics);
    ASSERT_TRUE(stop.ticket);
    EXPECT_TRUE(harness.wait(*stop.ticket).accepted);
    const auto snapshot = harness.settled();
    ASSERT_TRUE(snapshot->program) << "what was open before stays";
    EXPECT_EQ(snapshot->program->name, "two_layers");
    EXPECT_EQ(snapshot->phase, Phase::Loaded);
    EXPECT_TRUE(harness.run(OpenFile{folder_ / "small.onnx", ""}).accepted) << "it can be again";
}

TEST_F(SessionNetworks, AreNotImportedAnyMoreWhenAnotherFileIsWanted) {
    AnswersTheOpening other{OpenText{kTwoLayers, "two_layers.mq"}};
    Harness harness(std::ref(other));
    other.session = &harness.session();
    const Acknowledgement opened =
        harness.run(OpenFile{write("small.onnx", test::smallNetwork()), ""});
    EXPECT_TRUE(hasCode(opened.diagnostics, "cancelled")) << format(opened.diagnostics);
    ASSERT_TRUE(other.ticket);
    EXPECT_TRUE(harness.wait(*other.ticket).accepted);
    ASSERT_TRUE(harness.settled()->program);
    EXPECT_EQ(harness.settled()->program->name, "two_layers");
}

} // namespace
} // namespace marquetry::session
