// The cost model against synthesised memories: those of the table, and some synthesised now.
#include "engine/banking/cost_calibration.h"
#include "engine/banking/cost_steps.h"
#include "tests/lower_memory/calibration/boosted.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>

namespace marquetry::hdl {
namespace {

std::vector<Sample> table(bool heldOut) {
    std::vector<Sample> chosen;
    for (Sample& sample : readSamples(test::sourceFolder() + "/tests/data/banking/synthesis.csv")) {
        if (sample.heldOut() == heldOut)
            chosen.push_back(std::move(sample));
    }
    return chosen;
}

double priced(const Row& row) {
    return row.priced;
}

TEST(Calibration, TheFactorsAreThoseThatTheTableGives) {
    const std::vector<Sample> training = table(false);
    ASSERT_GE(training.size(), 200U);
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const Terms fitted = fitFactors(rowsOf(training, amount));
        for (std::size_t t = 0; t < fitted.size(); ++t) {
            const banking::CostFactor& factor = banking::kCostFactors[t];
            EXPECT_NEAR(amount == Amount::Lut ? factor.lut : factor.ff, fitted[t], 0.011)
                << banking::kCostTerms[t];
        }
    }
}

TEST(Calibration, TheStepsAreThoseThatTheTableGives) {
    const BoostedSteps fitted = boost(rowsOf(table(false), Amount::Lut), Amount::Lut);
    EXPECT_NEAR(fitted.base, banking::kLutBase, 1e-4);
    ASSERT_EQ(fitted.steps.size(), banking::kLutSteps.size());
    for (std::size_t k = 0; k < fitted.steps.size(); ++k) {
        EXPECT_EQ(fitted.steps[k].feature, banking::kLutSteps[k].feature);
        EXPECT_NEAR(fitted.steps[k].threshold, banking::kLutSteps[k].threshold, 1e-9);
        EXPECT_NEAR(fitted.steps[k].rise, banking::kLutSteps[k].rise, 1e-4);
    }
}

TEST(Calibration, HeldOutMemoriesArePredictedWithinTwentyPercent) {
    const std::vector<Sample> heldOut = table(true);
    ASSERT_GE(heldOut.size(), 50U);
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const Errors errors = errorsOf(rowsOf(heldOut, amount), priced);
        EXPECT_LE(errors.meanRelative, 0.20);
        EXPECT_LE(errors.meanAbsoluteOverMean, 0.20);
        EXPECT_GE(errors.r2, 0.75);
        EXPECT_GE(errors.within20, errors.samples * 3 / 4);
        EXPECT_NEAR(errors.meanRelative,
                    amount == Amount::Lut ? banking::kHeldOutLutError : banking::kHeldOutFfError,
                    0.0006);
    }
}

/// Why steps correct LUTs and not flip-flops: by both measures, on memories that are held out.
TEST(Calibration, StepsArePartOfThePriceWhereTheyPredictBetter) {
    for (const Amount amount : {Amount::Lut, Amount::Ff}) {
        const BoostedSteps steps = boost(rowsOf(table(false), amount), amount);
        const std::vector<Row> heldOut = rowsOf(table(true), amount);
        const Errors terms =
            errorsOf(heldOut, [amount](const Row& row) { return counted(row, amount); });
        const Errors both = errorsOf(
            heldOut, [&](const Row& row) { return std::round(steps.predicted(row, amount)); });
        const bool better = both.meanAbsolute < terms.meanAbsolute && both.r2 > terms.r2;
        EXPECT_EQ(better, amount == Amount::Lut);
        const Errors inUse = errorsOf(heldOut, priced);
        EXPECT_NEAR(inUse.meanAbsolute, better ? both.meanAbsolute : terms.meanAbsolute, 0.05);
        EXPECT_EQ(inUse.within20, better ? both.within20 : terms.within20);
    }
}

TEST(Calibration, SynthesisGivesWhatTheTableSays) {
    std::vector<Sample> samples;
    std::vector<BankedMemory> memories;
    for (const Sample& sample : table(true)) {
        if (samples.size() == 4 || sample.made.lut > 150)
            continue;
        samples.push_back(sample);
        memories.push_back(memoryOf(sample));
    }
    ASSERT_EQ(samples.size(), 4U);
    const test::TemporaryFolder folder;
    const auto made = synthesise(memories, folder.string());
    ASSERT_TRUE(made.has_value());
    const std::vector<Row> rows = rowsOf(samples, Amount::Lut);
    double lut = 0;
    double error = 0;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        SCOPED_TRACE(samples[k].body);
        // Names decide ties inside the mapper.
        EXPECT_NEAR((*made)[k].lut, samples[k].made.lut, 0.02 * samples[k].made.lut + 1);
        EXPECT_NEAR((*made)[k].ff, samples[k].made.ff, 1);
        lut += (*made)[k].lut;
        error += std::abs(rows[k].priced - (*made)[k].lut);
    }
    EXPECT_LE(error, 0.2 * lut);
}

} // namespace
} // namespace marquetry::hdl
