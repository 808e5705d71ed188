// Processes that compute points: those that are killed, that fail, and that are stopped.
#include "engine/sweep/workers.h"

#include "engine/support/files.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/sweep/small_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace marquetry::sweep {
namespace {

using ::testing::HasSubstr;

class Workers : public ::testing::Test {
protected:
    explicit Workers(
        const std::string& program = kSmallProgram,
        const std::string& grid = R"({"limit": ["", "dsp=4", "dsp=1"], "overlap": [false, true]})")
        : sweep_(sweepOf(grid, program, folder_ / "d.mq")) {
        std::ofstream(folder_ / "d.mq") << program;
        EXPECT_TRUE(begin(folder(), sweep_).has_value());
    }

    std::string folder() const { return folder_ / "sweep"; }

    /// What a shell does instead of computing a point, or before: "$1" is the point, "$compute" the
    /// command that computes it.
    std::vector<std::string> shell(const std::string& script) const {
        return {"sh", "-c",
                "compute=\"" + test::program() + " sweep --out " + folder() + " --point\"\n" +
                    "cd " + (folder_ / "") + "\n" + script,
                "worker"};
    }

    SweepReport run(const std::string& script, int jobs = 2) const {
        const auto report = runLocally(folder(), sweep_, {.jobs = jobs, .worker = shell(script)});
        EXPECT_TRUE(report.has_value());
        return report ? *report : SweepReport{};
    }

    std::string csv() const { return files::read(folder() + "/sweep.csv").value_or(""); }

    test::TemporaryFolder folder_;
    Sweep sweep_;
};

/// One of its throughputs is one that the stream has not.
class StreamWorkers : public Workers {
protected:
    StreamWorkers()
        : Workers(kSmallStream,
                  R"({"device": ["xc7k160t", "zu3eg"], "throughput": [1, "1/2", 3]})") {}
};

TEST_F(Workers, ComputeEveryPointOnce) {
    std::vector<std::size_t> seen;
    const auto report = runLocally(folder(), sweep_,
                                   {.jobs = 3,
                                    .worker = shell("echo >>ran; $compute $1"),
                                    .progress = [&](std::size_t done, std::size_t all) {
                                        EXPECT_EQ(all, 6U);
                                        seen.push_back(done);
                                    }});
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->computed, 6U);
    EXPECT_TRUE(report->failures.empty());
    EXPECT_THAT(seen, ::testing::ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_EQ(files::read(folder_ / "ran").value_or("").size(), 6U);
    EXPECT_EQ(csv(), table(sweep_, outcomesOf(folder(), sweep_)));
    EXPECT_EQ(std::ranges::count(csv(), '\n'), 7);
    EXPECT_EQ(run("echo >>again").computed, 0U);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "again"));
}

TEST_F(Workers, ThatAreKilledAreStartedAgain) {
    const SweepReport report =
        run("test -e killed$1 || { echo >killed$1; kill -9 $$; }; $compute $1");
    EXPECT_EQ(report.computed, 6U);
    EXPECT_TRUE(report.failures.empty());
}

TEST_F(Workers, ThatAreAlwaysKilledAreGivenUp) {
    const SweepReport report = run("test $1 != 4 || { echo >>killed; kill -9 $$; }; $compute $1");
    EXPECT_EQ(report.computed, 5U);
    ASSERT_EQ(report.failures.size(), 1U);
    EXPECT_EQ(report.failures[0].point, 4U);
    EXPECT_THAT(report.failures[0].why, HasSubstr("signal 9, 3 times"));
    EXPECT_EQ(files::read(folder_ / "killed").value_or("").size(), 3U);
    EXPECT_EQ(std::ranges::count(csv(), '\n'), 6) << "what is done is in the table";
    EXPECT_EQ(run("$compute $1").computed, 1U) << "and what is not is computed the next time";
}

TEST_F(StreamWorkers, ThatAreKilledLeaveTheSameTable) {
    const std::string killedOnce =
        "test -e killed$1 || { echo >killed$1; kill -9 $$; }; $compute $1";
    EXPECT_EQ(run("test $1 -lt 2 || { echo >>ran; kill -9 $$; }; $compute $1").computed, 2U);
    EXPECT_EQ(std::ranges::count(csv(), '\n'), 3) << "what is done is in the table";
    const SweepReport rest = run(killedOnce);
    EXPECT_EQ(rest.computed, 4U);
    EXPECT_TRUE(rest.failures.empty());
    const std::string table = csv();
    EXPECT_EQ(std::ranges::count(table, '\n'), 7);
    EXPECT_THAT(table, HasSubstr("infeasible"));
    std::filesystem::remove_all(folder());
    ASSERT_TRUE(begin(folder(), sweep_).has_value());
    EXPECT_EQ(run("$compute $1", 1).computed, 6U);
    EXPECT_EQ(csv(), table);
}

TEST_F(Workers, ThatFailSayWhyOnce) {
    const SweepReport report =
        run("echo >>ran; echo 'd.mq:1:2: error: it is broken [code]' >&2; exit 2");
    EXPECT_EQ(report.computed, 0U);
    ASSERT_EQ(report.failures.size(), 6U);
    EXPECT_EQ(report.failures[5].why, "it is broken [code]");
    EXPECT_EQ(files::read(folder_ / "ran").value_or("").size(), 6U);
}

TEST_F(Workers, ThatCannotBeStartedSayWhy) {
    const auto report = runLocally(folder(), sweep_, {.jobs = 1, .worker = {"/no/such/program"}});
    ASSERT_TRUE(report.has_value());
    ASSERT_EQ(report->failures.size(), 6U);
    EXPECT_THAT(report->failures[0].why, HasSubstr("/no/such/program"));
}

TEST_F(Workers, EndWhenTheyAreStopped) {
    std::stop_source stop;
    const auto report = runLocally(folder(), sweep_,
                                   {.jobs = 1,
                                    .worker = shell("test $1 = 0 || sleep 1000; $compute $1"),
                                    .progress =
                                        [&](std::size_t done, std::size_t) {
                                            if (done == 1)
                                                stop.request_stop();
                                        }},
                                   stop.get_token());
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->computed, 1U);
    EXPECT_EQ(std::ranges::count(csv(), '\n'), 2);
}

} // namespace
} // namespace marquetry::sweep
