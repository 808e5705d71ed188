// Control shells around lowered designs and streams: every word is the interpreter's, also behind
// aborts in any clock.
#include "tests/control/real_benches.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/test_designs.h"
#include "tests/lower_stream/kernel_bench.h"
#include "tests/support/shared_cache.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace marquetry::test {
namespace {

class RealShell : public ::testing::Test {
protected:
    RealShell() { useCacheFolder(folder_ / "cache"); }

private:
    TemporaryFolder folder_;
};

TEST_F(RealShell, DesignsAreRightBehindAborts) {
    const std::string said = saidOf(designBench(twoInputsTwoOutputs(), 32, 5));
    EXPECT_TRUE(said.starts_with("right")) << said;
}

TEST_F(RealShell, DesignsWithExternalWeightsAreRightBehindAbortsAndErrors) {
    TestDesign design = convThenVector();
    SplitMix64 rng(4);
    ASSERT_GT(makeExternal(design.schedule, rng), 0);
    const std::string said = saidOf(designBench(design, 32, 5));
    EXPECT_TRUE(said.starts_with("right")) << said;
}

TEST_F(RealShell, StreamsAreRightBehindAborts) {
    const std::string said = saidOf(streamBench(exampleStream("map", "map"), {4, 1}, 8, 5));
    EXPECT_TRUE(said.starts_with("right")) << said;
}

} // namespace
} // namespace marquetry::test
