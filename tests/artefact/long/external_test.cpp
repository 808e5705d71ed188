// Stalls on every channel for 10⁷ clocks: no deadlock and no wrong word.
#include "engine/design/cycle_model.h"
#include "tests/artefact/export_fixture.h"
#include "tests/lower_design/external_weights.h"
#include "tests/lower_design/random_design.h"

namespace marquetry {

using test::TestDesign;

class ExternalLong : public test::ExportTest {};

TEST_F(ExternalLong, StallsOnEveryChannelForTenMillionClocks) {
    constexpr std::int64_t kClocks = 10'000'000;
    constexpr int kDesigns = 8;
    std::int64_t clocks = 0;
    for (std::uint64_t seed = 0; clocks < kClocks; ++seed) {
        TestDesign design = test::randomDesign(seed);
        SplitMix64 rng(seed);
        if (test::makeExternal(design.schedule, rng) == 0)
            continue;
        const std::int64_t run = design::predictCycles(design.schedule).total;
        const auto vectors =
            static_cast<int>(std::min<std::int64_t>(kClocks / kDesigns / run, 4000));
        const hdl::VerifyReport report = verified(exportTo(design.program.name, design), design,
                                                  {hdl::Simulator::Verilator, vectors, seed, true});
        EXPECT_TRUE(report.pass) << seed;
        EXPECT_EQ(report.mismatchCount, 0) << seed;
        clocks += vectors * run;
    }
}

} // namespace marquetry
