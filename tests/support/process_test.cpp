// Commands with hostile habits: they end, with all that they have started.
#include "engine/support/process.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/file.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace marquetry {
namespace {

namespace fs = std::filesystem;
using test::comes;
using test::TemporaryFolder;

std::string codeOf(const Result<ProcessResult>& result) {
    return result ? "exit " + std::to_string(result->exitCode) : result.error().front().code;
}

ProcessParams shell(const std::string& script) {
    return {{"sh", "-c", script}};
}

/// Programs that sleep, under a name that nobody else has.
class Sleepers {
public:
    Sleepers() { fs::copy_file("/bin/sleep", path()); }

    std::string path() const { return folder_ / "sleeper"; }

    int running() const {
        int count = 0;
        for (const auto& entry : fs::directory_iterator("/proc")) {
            std::ifstream file(entry.path() / "cmdline", std::ios::binary);
            std::string line;
            std::getline(file, line, '\0');
            count += line == path() ? 1 : 0;
        }
        return count;
    }

private:
    TemporaryFolder folder_;
};

/// In a process of its own: runs the command, and whatever happens to it, ends.
pid_t elsewhere(const ProcessParams& params) {
    const pid_t helper = ::fork();
    if (helper != 0)
        return helper;
    (void)runProcess(params);
    ::_exit(0);
}

TEST(Process, GivesOutputAndStatus) {
    const auto result = runProcess({{"sh", "-c", "echo out; echo err >&2; pwd; exit 3"}, "/tmp"});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 3);
    EXPECT_EQ(result->output, "out\nerr\n/tmp\n");
    EXPECT_EQ(codeOf(runProcess(shell("kill -TERM $$"))), "exit 143");
}

TEST(Process, PassesArgumentsWithoutAShell) {
    const auto result = runProcess({{"echo", "$(id); a b"}, ""});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "$(id); a b\n");
}

TEST(Process, SaysWhatCannotBeStarted) {
    const TemporaryFolder folder;
    std::ofstream(folder / "plain") << "no program\n";
    EXPECT_EQ(codeOf(runProcess({{"no-such-simulator"}})), "process-start");
    EXPECT_EQ(codeOf(runProcess({{folder / "plain"}})), "process-start");
    const auto refused = runProcess({{"true"}, folder / "nowhere"});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "process-start");
    EXPECT_NE(refused.error().front().message.find("nowhere"), std::string::npos);
    EXPECT_EQ(codeOf(runProcess({{"true"}})), "exit 0");
}

TEST(Process, LooksForTheProgramFromItsFolderWhenItIsAPath) {
    const TemporaryFolder folder;
    fs::create_directories(folder.path() / "here");
    fs::copy_file("/bin/echo", folder / "tool");
    const auto result = runProcess({{"../tool", "found"}, folder / "here"});
    ASSERT_TRUE(result) << format(result.error());
    EXPECT_EQ(result->output, "found\n");
}

TEST(Process, HasNothingOfOursButItsOutput) {
    const TemporaryFolder folder;
    const int mine = ::open((folder / "mine").c_str(), O_RDWR | O_CREAT, 0600);
    ASSERT_GE(mine, 0);
    const auto listed = runProcess(shell("ls /proc/self/fd; cat; echo end of input"));
    ASSERT_TRUE(listed);
    // The fourth is the folder that ls itself reads.
    EXPECT_EQ(listed->output, "0\n1\n2\n3\nend of input\n");
    ::close(mine);
}

TEST(Process, WorksWithTheStandardDescriptorsClosed) {
    const pid_t helper = ::fork();
    if (helper == 0) {
        for (const int fd : {0, 1, 2})
            ::close(fd);
        const auto result = runProcess(shell("cat; echo out; echo err >&2"));
        ::_exit(result && result->output == "out\nerr\n" ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(helper, &status, 0), helper);
    EXPECT_EQ(status, 0);
}

TEST(Process, SetsAndRemovesVariables) {
    ::setenv("MARQUETRY_KEPT", "kept", 1);
    ::setenv("MARQUETRY_GONE", "there", 1);
    ProcessParams params = shell("echo $MARQUETRY_KEPT ${MARQUETRY_GONE-none} $MARQUETRY_NEW");
    params.environment = {{"MARQUETRY_GONE", std::nullopt}, {"MARQUETRY_NEW", "a=b"}};
    const auto result = runProcess(params);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->output, "kept none a=b\n");
}

TEST(Process, StartsWithAllSignalsAtTheirDefault) {
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    struct sigaction before = {};
    ASSERT_EQ(::sigaction(SIGUSR1, &ignore, &before), 0);
    EXPECT_EQ(codeOf(runProcess(shell("kill -USR1 $$; echo alive"))), "exit 138");
    ::sigaction(SIGUSR1, &before, nullptr);
}

TEST(Process, EndsEndlessOutput) {
    ProcessParams params = shell("while :; do echo more and more; done");
    params.outputBytes = 100'000;
    EXPECT_EQ(codeOf(runProcess(params)), "process-output");
    params.arguments = {"head", "-c", "100001", "/dev/zero"};
    EXPECT_EQ(codeOf(runProcess(params)), "process-output") << "also of one that ends by itself";
    params.arguments = {"head", "-c", "100000", "/dev/zero"};
    const auto whole = runProcess(params);
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->output.size(), 100'000u);
}

TEST(Process, EndsWhatTakesTooLong) {
    ProcessParams params = shell("sleep 1000");
    params.seconds = 0.1;
    EXPECT_EQ(codeOf(runProcess(params)), "process-time");
    params = shell("echo done");
    params.seconds = 1000;
    EXPECT_EQ(codeOf(runProcess(params)), "exit 0");
}

TEST(Process, LimitsMemoryAndFiles) {
    const TemporaryFolder folder;
    ProcessParams params = {{"head", "-c", "200000", "/dev/zero"}};
    params.fileBytes = 100'000;
    EXPECT_EQ(codeOf(runProcess(params)), "exit 0") << "its output is no file";
    params.arguments = {"cp", "/dev/zero", folder / "large"};
    EXPECT_EQ(codeOf(runProcess(params)), "exit 153") << "SIGXFSZ";
    EXPECT_LE(fs::file_size(folder / "large"), 100'000u);
    params = {{"sort", "-S", "1G", "/dev/zero"}};
    params.memoryBytes = 100'000'000;
    EXPECT_EQ(codeOf(runProcess(params)), "exit 2");
}

TEST(Process, StopsWhenAsked) {
    const Sleepers sleepers;
    std::stop_source source;
    std::jthread stopper([&] {
        EXPECT_TRUE(comes([&] { return sleepers.running() == 2; }));
        source.request_stop();
    });
    const std::string script =
        "trap '' TERM INT HUP; " + sleepers.path() + " 1000 & " + sleepers.path() + " 1000";
    EXPECT_EQ(codeOf(runProcess(shell(script), source.get_token())), "cancelled");
    EXPECT_EQ(sleepers.running(), 0);
    EXPECT_EQ(codeOf(runProcess(shell("echo"), source.get_token())), "cancelled");
}

TEST(Process, DoesNotWaitForADaemonThatHoldsThePipe) {
    const Sleepers sleepers;
    const auto result = runProcess(shell(sleepers.path() + " 1000 & echo left behind; exit 4"));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->exitCode, 4);
    EXPECT_EQ(result->output, "left behind\n");
    EXPECT_EQ(sleepers.running(), 0);
}

TEST(Process, EndsDescendantsInSessionsOfTheirOwn) {
    const Sleepers sleepers;
    const TemporaryFolder folder;
    const std::string sleeper = sleepers.path() + " 1000";
    std::jthread watcher([&] {
        EXPECT_TRUE(comes([&] { return sleepers.running() == 2; }));
        std::ofstream(folder / "end") << "now";
    });
    const auto result =
        runProcess(shell("setsid sh -c '" + sleeper + " & setsid " + sleeper + "' & while [ ! -e " +
                         (folder / "end") + " ]; do sleep 0.01; done"));
    ASSERT_TRUE(result) << format(result.error());
    EXPECT_EQ(result->exitCode, 0);
    EXPECT_EQ(sleepers.running(), 0);
}

/// For a process of its own: whether three children, those after them and a second call end.
bool endsAllChildren(const Sleepers& sleepers) {
    std::vector<std::jthread> threads;
    std::vector<std::string> codes(3);
    for (std::string& code : codes)
        threads.emplace_back(
            [&] { code = codeOf(runProcess(shell("setsid " + sleepers.path() + " 1000"))); });
    const bool began = comes([&] { return sleepers.running() == 3; });
    endChildren();
    const bool gone = sleepers.running() == 0;
    threads.clear();
    endChildren();
    return began && gone && codes == std::vector<std::string>(3, "cancelled") &&
           codeOf(runProcess(shell("true"))) == "cancelled";
}

TEST(Process, EndsAllChildrenAtOnceAndForGood) {
    const Sleepers sleepers;
    const pid_t helper = ::fork();
    if (helper == 0)
        ::_exit(endsAllChildren(sleepers) ? 0 : 1);
    int status = 0;
    EXPECT_EQ(::waitpid(helper, &status, 0), helper);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(codeOf(runProcess(shell("true"))), "exit 0");
}

TEST(Process, NothingOutlivesUs) {
    const Sleepers sleepers;
    const std::string sleeper = sleepers.path() + " 1000";
    for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
        const pid_t helper = elsewhere(
            shell("trap '' TERM INT HUP; " + sleeper + " & setsid " + sleeper + " & " + sleeper));
        EXPECT_TRUE(comes([&] { return sleepers.running() == 3; }));
        ::kill(helper, signal);
        int status = 0;
        EXPECT_EQ(::waitpid(helper, &status, 0), helper);
        EXPECT_TRUE(WIFSIGNALED(status));
        EXPECT_TRUE(comes([&] { return sleepers.running() == 0; })) << "after " << signal;
    }
}

TEST(Process, TheLocksOfOneThatDiesAreFree) {
    const Sleepers sleepers;
    const TemporaryFolder folder;
    const std::string path = folder / "locked";
    const pid_t helper = ::fork();
    if (helper == 0) {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
        ::flock(file, LOCK_EX);
        (void)runProcess(shell(sleepers.path() + " 1000"));
        ::_exit(0);
    }
    EXPECT_TRUE(comes([&] { return sleepers.running() == 1; }));
    const int file = ::open(path.c_str(), O_RDWR);
    EXPECT_NE(::flock(file, LOCK_EX | LOCK_NB), 0);
    ::kill(helper, SIGKILL);
    int status = 0;
    EXPECT_EQ(::waitpid(helper, &status, 0), helper);
    EXPECT_EQ(::flock(file, LOCK_EX | LOCK_NB), 0);
    ::close(file);
    EXPECT_TRUE(comes([&] { return sleepers.running() == 0; }));
}

TEST(Process, SaysThatTheGuardWasKilled) {
    const Sleepers sleepers;
    std::jthread killer([&] {
        EXPECT_TRUE(comes([&] { return sleepers.running() == 1; }));
        // The guard is the child of ours that is still this program.
        for (const auto& entry : fs::directory_iterator("/proc")) {
            std::ifstream file(entry.path() / "stat");
            std::string pid, rest;
            std::getline(file, pid, ' ');
            std::getline(file, rest);
            const auto end = rest.rfind(')');
            constexpr std::size_t kState = 4; // ") S ", whatever it is doing
            if (end != std::string::npos && end + kState < rest.size() &&
                rest.substr(end + kState).starts_with(std::to_string(::getpid()) + " "))
                ::kill(std::stoi(pid), SIGKILL);
        }
    });
    EXPECT_EQ(codeOf(runProcess({{sleepers.path(), "1000"}})), "process-lost");
    EXPECT_TRUE(comes([&] { return sleepers.running() == 0; }));
}

} // namespace
} // namespace marquetry
