#include "engine/hdl/process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace marquetry {

using hdl::runProcess;

TEST(Process, GivesOutputAndStatus) {
    const auto result = runProcess({{"sh", "-c", "echo out; echo err >&2; pwd; exit 3"}, "/tmp"});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 3);
    EXPECT_EQ(result->output, "out\nerr\n/tmp\n");
}

TEST(Process, PassesArgumentsWithoutAShell) {
    const auto result = runProcess({{"echo", "$(id); a b"}, ""});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "$(id); a b\n");
}

TEST(Process, SaysWhatIsNotInstalled) {
    const auto result = runProcess({{"no-such-simulator"}, ""});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().front().code, "process-start");
}

TEST(Process, KillsTheWholeGroupWhenStopped) {
    std::stop_source source;
    std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        source.request_stop();
    });
    const auto start = std::chrono::steady_clock::now();
    const auto result = runProcess({{"sh", "-c", "sleep 30; echo late"}, ""}, source.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().front().code, "cancelled");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

} // namespace marquetry
