// SkeleShare's running example and variants of it: one shared Mv, and why not without sharing or
// padding.
#include "tests/support/programs.h"

#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace marquetry {

namespace {

struct Dims {
    std::int64_t extent = 4; ///< of the square input
    std::int64_t kernel = 3;
    std::int64_t channels = 64;
    std::int64_t rows = 64; ///< filters, and rows of the classifier

    std::int64_t output() const { return extent - kernel + 1; }
    std::int64_t convCols() const { return kernel * kernel * channels; }
    std::int64_t fcCols() const { return output() * output() * rows; }
};

std::string textOf(const Dims& d) {
    const auto n = [](std::int64_t value) { return std::to_string(value); };
    return "design example { input x : i8[" + n(d.extent) + ", " + n(d.extent) + ", " +
           n(d.channels) + "] = zeros; weight c : i8[" + n(d.rows) + ", " + n(d.kernel) + ", " +
           n(d.kernel) + ", " + n(d.channels) + "] = zeros; weight f : i8[" + n(d.rows) + ", " +
           n(d.fcCols()) + "] = zeros; output y = mv(f, flatten(requant(conv(x, c), shift: 9))); }";
}

struct Ask {
    double dsp = 64;
    bool sharing = true;
    std::vector<std::string> without;
};

extract::ExtractResult explore(const Dims& dims, const Ask& ask) {
    rules::LoweringParams lowering;
    lowering.policy = rules::Policy::Published;
    lowering.without = ask.without;
    auto lowered = rules::lower(test::programOf(textOf(dims)), lowering);
    EXPECT_TRUE(lowered.has_value());
    EXPECT_EQ(egraph::saturate(*lowered->egraph, lowered->rewrites, {}).outcome,
              egraph::StopReason::Saturated);
    extract::ExtractParams params;
    params.model = design::CostModel::Published;
    params.device = *device::findDevice("arria10");
    params.limits = params.device.limits;
    params.limits.dsp = ask.dsp;
    params.sharing = ask.sharing;
    params.without = ask.without;
    auto result = extract::extract(*lowered, params);
    EXPECT_TRUE(result.has_value());
    return *std::move(result);
}

/// T of the example on one Mv with P = 1: every use takes rows · ceil(cols / 64) and 5 to get
/// there.
double sharedTime(const Dims& d) {
    const double cols = static_cast<double>(d.convCols());
    const double mv = static_cast<double>(d.rows) * cols /
                      static_cast<double>(std::min<std::int64_t>(d.convCols(), 64));
    return static_cast<double>(d.output() * d.output() + 1) * (mv + 5);
}

void expectOneSharedUnit(const Dims& dims, double dsp) {
    const extract::ExtractResult result = explore(dims, {dsp, true, {}});
    const std::string what = textOf(dims) + " dsp " + std::to_string(dsp);
    ASSERT_NE(result.design, nullptr) << what;
    EXPECT_EQ(result.status, extract::ExtractStatus::Optimal) << what;
    const design::Design& design = *result.design;
    ASSERT_EQ(design.units.size(), 1U) << what;
    EXPECT_EQ(design.units[0].name,
              "Mv " + std::to_string(dims.rows) + "×" + std::to_string(dims.convCols()));
    EXPECT_TRUE(design.units[0].shared);
    EXPECT_EQ(design.units[0].callSites.size(), 2U);
    EXPECT_LE(design.resources.dsp, dsp);
    EXPECT_LE(static_cast<double>(design.cycles), std::ceil(sharedTime(dims))) << what;
}

void expectInfeasible(const Dims& dims, const Ask& ask, const std::string& code) {
    const extract::ExtractResult result = explore(dims, ask);
    const std::string what = textOf(dims) + " dsp " + std::to_string(ask.dsp);
    EXPECT_EQ(result.status, extract::ExtractStatus::Infeasible) << what;
    EXPECT_EQ(result.design, nullptr);
    ASSERT_FALSE(result.infeasible.empty()) << what;
    EXPECT_EQ(result.infeasible.front().code, code) << what;
}

/// Dimensions at which only padding lets the two layers meet.
Dims drawDims(SplitMix64& rng) {
    for (;;) {
        Dims d;
        d.kernel = rng.range(1, 5);
        d.extent = d.kernel + rng.range(0, 3);
        d.channels = rng.range(1, 100);
        d.rows = rng.range(8, 128);
        const std::int64_t pad = d.convCols() - d.fcCols();
        if (pad > 0 && pad <= 512 && d.convCols() % d.fcCols() != 0)
            return d;
    }
}

} // namespace

TEST(RunningExample, SharesOneMvAtEveryLimit) {
    for (double dsp = 64; dsp <= 127; ++dsp)
        expectOneSharedUnit({}, dsp);
}

TEST(RunningExample, TakesThePapersTime) {
    // Four windows and the classifier, 64 · 9 and 5 each.
    const extract::ExtractResult result = explore({}, {});
    EXPECT_EQ(result.design->cycles, 5 * (576 + 5));
    EXPECT_EQ(result.design->resources.dsp, 64);
}

TEST(RunningExample, IsInfeasibleWithoutSharingOrPadding) {
    for (double dsp = 64; dsp <= 127; ++dsp) {
        expectInfeasible({}, {dsp, false, {}}, "limit-dsp");
        expectInfeasible({}, {dsp, true, {"padding"}}, "limit-dsp");
    }
    expectInfeasible({}, {63, true, {}}, "limit-dsp");
    EXPECT_EQ(explore({}, {128, false, {}}).status, extract::ExtractStatus::Optimal);
}

TEST(RunningExample, HoldsForTwentyOtherDimensions) {
    SplitMix64 rng(20);
    for (int k = 0; k < 20 && !HasFailure(); ++k) {
        const Dims dims = drawDims(rng);
        // One row of the shared unit at a time: as many DSP as a dot product has, 64 at most.
        const std::int64_t one = std::min<std::int64_t>(dims.convCols(), 64);
        const std::int64_t other = std::min<std::int64_t>(dims.fcCols(), 64);
        for (std::int64_t dsp : {one, one + other - 1}) {
            const auto limit = static_cast<double>(dsp);
            expectOneSharedUnit(dims, limit);
            expectInfeasible(dims, {limit, false, {}}, "limit-dsp");
            expectInfeasible(dims, {limit, true, {"padding"}}, "limit-dsp");
        }
        expectInfeasible(dims, {static_cast<double>(one - 1), true, {}}, "limit-dsp");
        EXPECT_NE(explore(dims, {static_cast<double>(one + other), false, {}}).design, nullptr);
    }
}

} // namespace marquetry
