// Signals and kills at any moment of every long command: nothing is left, nothing is half done.
#include "engine/support/rng.h"
#include "tests/cli/reliability/child.h"
#include "tests/cli/reliability/commands.h"
#include "tests/support/effort.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sys/wait.h>

namespace marquetry::reliability {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// More than enough for every command below to be at work for minutes.
constexpr const char* kLongDesign = R"(design d {
  input a : i8[8, 8, 16] = random(seed: 1);
  weight v : i8[64, 3, 3, 16] = random(seed: 2);
  weight w : i8[64, 3, 3, 64] = random(seed: 3);
  weight u : i8[64, 3, 3, 64] = random(seed: 4);
  weight f : i8[64, 256] = random(seed: 5);
  let b = requant(conv(a, v), shift: 8);
  let c = requant(conv(b, w), shift: 8);
  output y = mv(f, flatten(requant(conv(c, u), shift: 8)));
}
)";

/// Starts where one is at work and ends it by a signal.
class Signals : public ::testing::TestWithParam<int> {
protected:
    Signals() {
        fs::create_directory(place_.path("tmp"));
        fs::create_directory(place_.path("out"));
    }

    void expectOver(const Arguments& arguments, test::Span after) {
        const std::string context = arguments[0] + " " + strsignal(GetParam());
        Child child(arguments, place_.path("tmp"));
        letPass(after);
        child.signal(GetParam());
        const int status = child.end();
        ASSERT_NE(status, -1) << context << " goes on";
        // A command that was done before ends as it would have.
        if (WIFSIGNALED(status)) {
            EXPECT_EQ(WTERMSIG(status), GetParam()) << context;
        }
        EXPECT_TRUE(child.allGone()) << context << " leaves processes";
        EXPECT_EQ(tree(place_.path("tmp")).size(), 0U) << context << " leaves temporary files";
        EXPECT_EQ(tree(place_.path("out")).size(), 0U) << context << " leaves half an output";
        signalled_ += WIFSIGNALED(status) ? 1 : 0;
    }

    Workplace place_;
    int signalled_ = 0;
};

TEST_P(Signals, EndEveryLongCommand) {
    place_.put("in/long.mq", kLongDesign);
    const std::string design = place_.file("long.mq");
    const Arguments quick{"export", place_.file("m.mq"), "--out", place_.path("memory")};
    const test::Span moment =
        test::spanOf([&] { ASSERT_EQ(Child(quick, place_.path("tmp")).end(), 0); });
    const std::vector<Arguments> commands = {
        {"verify", place_.path("memory"), "--vectors", "10000", "--simulator", "iverilog"},
        {"verify", place_.path("memory")},
        {"explore", design, "--method", "milp", "--device", "xc7z020", "--time", "100"},
        {"bench", "egraph", "--workload", "ac11", "--iterations", "100"},
        {"count", design, "--cost", "cycles"},
    };
    for (const Arguments& command : commands)
        for (const double share : {0.1, 1.0, 4.0})
            expectOver(command, share * moment);
    EXPECT_GE(signalled_, 5) << "the commands are too quick to be signalled";
}

INSTANTIATE_TEST_SUITE_P(Each, Signals, ::testing::Values(SIGINT, SIGTERM, SIGHUP, SIGPIPE),
                         [](const auto& test) { return std::string(sigabbrev_np(test.param)); });

/// Kills that nobody can handle, at random moments: what was there is there, old or new, and the
/// next run works and clears what was left.
class Kills : public ::testing::Test {
protected:
    Kills() { fs::create_directory(place_.path("tmp")); }

    /// `most`: of the moments. Yields how many came before the command's end.
    int kill(const Arguments& arguments, const std::string& target,
             const std::vector<std::map<std::string, std::string>>& versions, test::Span most) {
        constexpr int kKills = 200;
        SplitMix64 random(7);
        int killed = 0;
        for (int k = 0; k < kKills; ++k) {
            Child child(arguments, place_.path("tmp"));
            letPass(1e-3 * static_cast<double>(random.range(0, 1000)) * most);
            child.signal(SIGKILL);
            const int status = child.end();
            killed += WIFSIGNALED(status) ? 1 : 0;
            EXPECT_TRUE(child.allGone()) << "processes are left";
            EXPECT_NE(std::ranges::find(versions, treeOf(target)), versions.end()) << k;
            if (HasFailure())
                break;
        }
        return killed;
    }

    /// The time a whole run takes.
    test::Span spanOf(const Arguments& arguments) {
        return test::spanOf([&] { EXPECT_EQ(Child(arguments, place_.path("tmp")).end(), 0); });
    }

    void expectWriter(std::size_t which) {
        const Writer& writer = place_.writers()[which];
        const std::string target = place_.path("out/target");
        place_.put("out/mine", "mine");
        ASSERT_EQ(place_.write(writer, target, true).status, 0);
        const auto other = treeOf(target);
        ASSERT_EQ(place_.write(writer, target).status, 0);
        const auto one = treeOf(target);
        Arguments arguments = writer.arguments;
        arguments.insert(arguments.end(), writer.other.begin(), writer.other.end());
        arguments.push_back(writer.option + "=" + target);
        const test::Span whole = spanOf(arguments);
        EXPECT_GT(kill(arguments, target, {one, other}, whole), 20);
        EXPECT_EQ(place_.write(writer, target).status, 0);
        EXPECT_TRUE(treeOf(target) == one);
        EXPECT_EQ(tree(place_.path("out")).size(), one.size() + (writer.folder ? 2 : 1))
            << "leftovers stay";
    }

    Workplace place_;
};

TEST_F(Kills, OfExploreLeaveTheOldOrTheNewDesign) {
    expectWriter(0);
}

TEST_F(Kills, OfExportLeaveTheOldOrTheNewFolder) {
    expectWriter(7);
}

TEST_F(Kills, OfVerifyLeaveTheExportAndNoProcess) {
    const std::string folder = place_.path("design");
    ASSERT_EQ(place_.write(place_.writers()[7], folder).status, 0);
    const auto before = tree(folder);
    const Arguments verify{"verify", folder, "--simulator", "iverilog", "--vectors", "1"};
    const test::Span whole = spanOf(verify);
    EXPECT_GT(kill(verify, folder, {before}, whole), 20);
    Child last(verify, place_.path("tmp"));
    EXPECT_EQ(last.end(), 0);
    EXPECT_EQ(tree(place_.path("tmp")).size(), 0U) << "leftovers stay";
}

/// Killed five times at any moment and continued: the table is that of a sweep nobody touched.
class SweepKills : public Kills {
protected:
    void loseNoPoint(const std::string& program, const std::string& grid) {
        place_.put("in/grid.json", grid);
        const auto to = [&](const std::string& out) {
            return Arguments{
                "sweep", place_.file(program), "--grid", place_.file("grid.json"), "--jobs", "2",
                "--out", place_.path(out)};
        };
        const test::Span whole = spanOf(to("untouched"));
        const auto expected = tree(place_.path("untouched")).at("sweep.csv");
        EXPECT_EQ(std::ranges::count(expected, '\n'), 49);
        SplitMix64 random(11);
        for (int kill = 0; kill < 5; ++kill) {
            Child child(to("killed"), place_.path("tmp"));
            letPass(1e-3 * static_cast<double>(random.range(50, 250)) * whole);
            child.signal(SIGKILL);
            EXPECT_TRUE(WIFSIGNALED(child.end())) << "the sweep is too quick to be killed";
            EXPECT_TRUE(child.allGone()) << "workers are left";
        }
        EXPECT_EQ(Child(to("killed"), place_.path("tmp")).end(), 0);
        EXPECT_EQ(tree(place_.path("killed")).at("sweep.csv"), expected);
        EXPECT_EQ(tree(place_.path("killed")).size(), tree(place_.path("untouched")).size())
            << "leftovers stay";
    }
};

TEST_F(SweepKills, LoseNoPoint) {
    loseNoPoint("d.mq", R"({"limit": ["", "dsp=4", "dsp=2", "dsp=1"], "seed": [1, 2, 3],
                            "overlap": [false, true], "without": ["", "sharing"]})");
}

TEST_F(SweepKills, LoseNoPointOfAStream) {
    place_.put("in/sweep.mq", "stream s { input a : Seq 8 u8; output y = map(fn v -> mul(v, v), "
                              "a); }");
    loseNoPoint("sweep.mq", R"({"device": ["xc7k160t", "zu3eg"], "clock": [100, 150, 200],
                                "throughput": [8, 4, 3, 2, 1, "1/2", "1/3", "1/4"]})");
}

} // namespace
} // namespace marquetry::reliability
