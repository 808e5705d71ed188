// The area of kernels against Yosys: the kernels of the table, and some synthesised now.
#include "engine/cost/kernel_calibration.h"
#include "engine/rtl/printed.h"
#include "tests/lower_stream/calibration/fit.h"
#include "tests/lower_stream/kernel_synthesis.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace marquetry::test {
namespace {

const std::vector<Measured>& table(bool heldOut) {
    static const std::string kPath = test::sourceFolder() + "/tests/data/streams/kernels.csv";
    static const std::vector<Measured> kTraining = measured(kPath, false);
    static const std::vector<Measured> kHeldOut = measured(kPath, true);
    return heldOut ? kHeldOut : kTraining;
}

TEST(KernelCalibration, TheFactorsAreThoseThatTheTableGives) {
    ASSERT_GE(table(false).size(), 115U);
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const Factors fitted = fitFactors(table(false), amount);
        for (std::size_t t = 0; t < fitted.size(); ++t) {
            const cost::KernelFactor& factor = cost::kKernelFactors[t];
            EXPECT_NEAR(amount == Amount::Lut ? factor.lut : factor.ff, fitted[t], 0.011)
                << cost::kKernelTerms[t];
        }
    }
}

TEST(KernelCalibration, HeldOutKernelsAreEstimatedWithoutBias) {
    ASSERT_GE(table(true).size(), 35U);
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const Ratios ratios = ratiosOf(table(true), amount);
        EXPECT_GE(ratios.kernels, 25U);
        EXPECT_NEAR(ratios.median, 1, 0.1);
        EXPECT_GE(ratios.tenth, 0.7);
        EXPECT_LE(ratios.ninth, 1.4);
        const cost::EstimateRatios& stated =
            amount == Amount::Lut ? cost::kHeldOutLut : cost::kHeldOutFf;
        EXPECT_NEAR(stated.median, ratios.median, 0.006);
        EXPECT_NEAR(stated.tenth, ratios.tenth, 0.006);
        EXPECT_NEAR(stated.ninth, ratios.ninth, 0.006);
    }
    for (const Measured& kernel : table(true)) {
        EXPECT_EQ(kernel.estimated.bram, kernel.sample.made.bram) << kernel.sample.text;
        EXPECT_EQ(kernel.estimated.dsp, kernel.sample.made.dsp) << kernel.sample.text;
    }
}

TEST(KernelCalibration, SynthesisGivesWhatTheTableSays) {
    std::vector<const Measured*> kernels;
    std::vector<hdl::Netlist> netlists;
    for (const Measured& kernel : table(true)) {
        if (kernels.size() == 4 || kernel.sample.made.lut > 150)
            continue;
        kernels.push_back(&kernel);
        netlists.push_back(hdl::printed(finished(build(kernel.sample)->kernel.module)));
    }
    ASSERT_EQ(kernels.size(), 4U);
    const TemporaryFolder folder;
    const auto made = synthesise(netlists, folder.string());
    ASSERT_TRUE(made.has_value());
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        const device::Resources& stated = kernels[k]->sample.made;
        // Names decide ties inside the mapper.
        EXPECT_NEAR((*made)[k].lut, stated.lut, 0.02 * stated.lut + 1) << kernels[k]->sample.text;
        EXPECT_NEAR((*made)[k].ff, stated.ff, 1) << kernels[k]->sample.text;
        EXPECT_EQ((*made)[k].bram, stated.bram);
        EXPECT_EQ((*made)[k].dsp, stated.dsp);
    }
}

} // namespace
} // namespace marquetry::test
