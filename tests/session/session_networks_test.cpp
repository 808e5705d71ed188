// Networks in ONNX that are opened: their program is shown, and what is wrong with a file.
#include "tests/frontend/onnx/small_network.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

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

} // namespace
} // namespace marquetry::session
