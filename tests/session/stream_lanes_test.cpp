// A lower DSP limit does not take stream units away.
#include "engine/session/explore.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

namespace marquetry {

/// Its pixels have nine rows, and an array of multipliers as few as these has words of eight.
TEST(StreamLimits, FewMultipliersLeaveTheStreamUnit) {
    const auto program = test::programOf(
        "design n { input x : i8[3, 12, 4] = random(seed: 21); weight w : i8[9, 1, 1, 4] = "
        "random(seed: 16, lo: -2, hi: 2); output c0 = relu(conv(x, w, pad: 2, stride: 2)); }");
    session::Settings settings;
    settings.device = "xcu250";
    settings.without = {"overlap"}; // of joined calls the bound is not as close
    settings.limits["lut"] = 10'000;
    const design::Pin force{0, design::PinKind::ForceTerm, "Stream[c0, 1]", "", true};
    const auto forced = session::explore(program, settings, {force}, {});
    ASSERT_TRUE(forced.has_value() && forced->extraction.design);
    for (const double dsp : {8.0, 1.0, 0.0}) {
        settings.limits["dsp"] = dsp;
        const auto found = session::explore(program, settings, {}, {});
        ASSERT_TRUE(found.has_value());
        ASSERT_TRUE(found->extraction.design) << dsp;
        const design::Design& design = *found->extraction.design;
        EXPECT_LE(design.resources.dsp, dsp);
        EXPECT_EQ(design.cycles, forced->extraction.design->cycles) << dsp;
        EXPECT_EQ(found->extraction.status, extract::ExtractStatus::Optimal) << dsp;
    }
}

} // namespace marquetry
