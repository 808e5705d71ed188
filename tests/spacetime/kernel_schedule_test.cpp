// Random kernels, rewritten and scheduled: circuits that mean what the program says.
#include "tests/algebra/random_kernels.h"
#include "tests/spacetime/schedule_helpers.h"

namespace marquetry::spacetime {
namespace {

/// Circuits found within a moment mean the same as the smallest, which takes long to find for one
/// of the kernels; where there are none yet, the search goes on to its end.
Result<StreamSchedule> someSchedule(const ir::StreamProgram& program, std::int64_t clocks) {
    auto found = schedule(program, clocks, kintex(), {.seconds = 0.5});
    return found || found.error()[0].code != "time-limit" ? std::move(found)
                                                          : schedule(program, clocks, kintex(), {});
}

TEST(KernelSchedule, RandomKernelsMeanWhatTheySay) {
    int scheduled = 0;
    for (std::uint64_t seed = 1; seed <= 120; ++seed) {
        const algebra::RandomKernel kernel(seed);
        const ir::StreamProgram program = frontend::streamOf(kernel.text());
        const ir::StreamType& type = program.graph.node(program.graph.outputs[0].node).type;
        for (const std::int64_t clocks : {type.length, 3 * type.length, std::int64_t{1}}) {
            const auto found = someSchedule(program, clocks);
            ASSERT_TRUE(found) << kernel.text() << clocks << "\n" << format(found.error());
            for (const StreamDesign& design : found->front)
                expectMeaning(program, design, seed);
            ASSERT_FALSE(testing::Test::HasFailure()) << kernel.text() << clocks << " clocks";
            ++scheduled;
        }
    }
    EXPECT_EQ(scheduled, 360);
}

} // namespace
} // namespace marquetry::spacetime
