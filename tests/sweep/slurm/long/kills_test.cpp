// A sweep of 48 points through Slurm that is killed again and again.
#include "engine/support/rng.h"
#include "tests/sweep/slurm/slurm_fixture.h"

#include <algorithm>

namespace marquetry::sweep {
namespace {

class SlurmLong : public test::SlurmTest {};

/// Starts the sweep, and kills it when so many points have a result; its jobs go on, or are taken
/// out of the queue.
std::string killedAt(const std::string& sweep, const std::string& points, std::int64_t results,
                     bool withJobs) {
    return sweep + " --slurm &\nsweep=$!\nuntil [ $(find " + points +
           " -name '*.json' 2>/dev/null | wc -l) -ge " + std::to_string(results) +
           " ] || ! kill -0 $sweep; do sleep 0.05; done\n" +
           "kill -9 $sweep && kills=$((kills + 1))\nwait $sweep\n" +
           (withJobs ? "scancel --name=marquetry\n" : "");
}

} // namespace

TEST_F(SlurmLong, FortyEightPointsKilledFiveTimesAreThoseOfOneMachine) {
    setGrid(R"({"device": "xc7z020", "overlap": [false, true], "objective": ["latency", "area"],
        "limit": ["dsp=1", "dsp=12", "dsp=16", "dsp=20", "dsp=24", "dsp=32", "dsp=40", "dsp=48",
                  "dsp=60", "dsp=80", "dsp=100", "dsp=140"]})");
    ASSERT_EQ(shell(sweep("local")).exitCode, 0);
    ASSERT_EQ(std::ranges::count(csv("local"), '\n'), 49);
    SplitMix64 rng(48);
    constexpr std::int64_t kKills = 5;
    constexpr std::int64_t kBetween = 9; // points
    std::string script = "kills=0\n";
    for (std::int64_t k = 0; k < kKills; ++k)
        script += killedAt(sweep("out"), folder_ / "out/points",
                           kBetween * k + rng.range(0, kBetween - 1), k % 2 == 1);
    script += sweep("out") + " --slurm\nstatus=$?\necho killed $kills times\nexit $status\n";
    const ProcessResult done = besideSlurm(script);
    EXPECT_EQ(done.exitCode, 0) << done.output;
    EXPECT_NE(done.output.find("killed 5 times"), std::string::npos) << done.output;
    EXPECT_EQ(csv("out"), csv("local"));
}

} // namespace marquetry::sweep
