// A sweep through a Slurm of one node, started by the test.
#include "tests/sweep/slurm/slurm_fixture.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace marquetry::sweep {
namespace {

using ::testing::HasSubstr;

class Slurm : public test::SlurmTest {};

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
