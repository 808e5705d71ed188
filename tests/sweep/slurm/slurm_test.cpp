// A sweep through a Slurm of one node, started by the test.
#include "engine/support/files.h"
#include "engine/support/process.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace marquetry::sweep {
namespace {

using ::testing::HasSubstr;

class Slurm : public ::testing::Test {
protected:
    Slurm() {
        std::ofstream(folder_ / "grid.json")
            << R"({"device": "xc7z020", "limit": ["dsp=20", "dsp=60", "dsp=1"],)"
               R"( "overlap": [false, true]})";
    }

    std::string sweep(const std::string& out) const {
        return test::program() + " sweep " + test::sourceFolder() +
               "/examples/running_example/running_example.mq --grid " + (folder_ / "grid.json") +
               " --out " + (folder_ / out);
    }

    ProcessResult shell(const std::string& script) const {
        auto result = runProcess({.arguments = {"bash", "-c", script}});
        EXPECT_TRUE(result.has_value());
        return result ? *result : ProcessResult{};
    }

    /// The commands, beside a Slurm.
    ProcessResult besideSlurm(const std::string& script) const {
        std::ofstream(folder_ / "script.sh") << script;
        return shell(test::sourceFolder() + "/tests/sweep/slurm/one_node.sh " +
                     (folder_ / "slurm") + " bash " + (folder_ / "script.sh"));
    }

    std::string csv(const std::string& out) const {
        return files::read(folder_ / (out + "/sweep.csv")).value_or("");
    }

    test::TemporaryFolder folder_;
};

TEST_F(Slurm, FindsWhatOneMachineFinds) {
    ASSERT_EQ(shell(sweep("local")).exitCode, 0);
    const ProcessResult done = besideSlurm(sweep("out%j") + " --slurm");
    EXPECT_EQ(done.exitCode, 0) << done.output;
    EXPECT_EQ(csv("out%j"), csv("local"));
    EXPECT_EQ(std::ranges::count(csv("local"), '\n'), 7);
}

TEST_F(Slurm, SchedulesAStream) {
    std::ofstream(folder_ / "rates.json") << R"({"item": "conv_4x4", "throughput": [1, 4, 3]})";
    const std::string start = test::program() + " sweep " + test::sourceFolder() +
                              "/examples/streams/conv/conv.mq --grid " + (folder_ / "rates.json") +
                              " --out ";
    ASSERT_EQ(shell(start + (folder_ / "local")).exitCode, 0);
    const ProcessResult done = besideSlurm(start + (folder_ / "out") + " --slurm");
    EXPECT_EQ(done.exitCode, 0) << done.output;
    EXPECT_EQ(csv("out"), csv("local"));
    EXPECT_EQ(std::ranges::count(csv("local"), '\n'), 4);
}

/// The first time the sweep is killed with its jobs in the queue; the second time a job is.
TEST_F(Slurm, GoesOnAfterKills) {
    ASSERT_EQ(shell(sweep("local")).exitCode, 0);
    const std::string start = sweep("out") +
                              " --slurm &\n"
                              "sweep=$!\n"
                              "until squeue --noheader | grep -q . || ! kill -0 $sweep; do "
                              "sleep 0.1; done\n";
    const ProcessResult done = besideSlurm(start + "kill -9 $sweep\nscancel --name=marquetry\n" +
                                           start + "scancel --name=marquetry\nwait $sweep\n");
    EXPECT_EQ(done.exitCode, 0) << done.output;
    EXPECT_EQ(csv("out"), csv("local"));
}

TEST_F(Slurm, SaysWhatSlurmRefuses) {
    const ProcessResult done =
        besideSlurm("SBATCH_PARTITION=none " + sweep("out") + " --slurm --json");
    EXPECT_EQ(done.exitCode, 2) << done.output;
    EXPECT_THAT(done.output, HasSubstr("slurm-refused"));
    EXPECT_THAT(done.output, HasSubstr("partition"));
}

TEST_F(Slurm, SaysThatThereIsNone) {
    const ProcessResult done = shell("PATH=/nowhere " + sweep("out") + " --slurm");
    EXPECT_EQ(done.exitCode, 2) << done.output;
    EXPECT_THAT(done.output, HasSubstr("sbatch"));
}

} // namespace
} // namespace marquetry::sweep
