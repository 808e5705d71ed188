// The figures of requantisation.md, "Figures": how many bits exact multipliers have.
#include "engine/quant/exact_factor.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <iostream>

namespace marquetry::quant {
namespace {

struct Figures {
    unsigned median = 0, most = 0; ///< bits of mul
    unsigned longest = 0;          ///< shift
    int windows = 0, wide = 0;     ///< answers with a tie window, and those over 18 bits
};

float drawnScale(SplitMix64& rng) {
    return static_cast<float>(rng.range(1 << 23, (1 << 24) - 1)) * 0x1p-24F;
}

/// 400 channels whose scales are float32 and whose accumulators use what the result can show.
Figures figuresOf(unsigned accumulatorBits, RoundingMode mode) {
    SplitMix64 rng(accumulatorBits);
    std::vector<unsigned> bits;
    Figures figures;
    for (int channel = 0; channel < 400; ++channel) {
        FactorRequest request;
        request.factor = *Rational::fromDouble(drawnScale(rng)) *
                         *Rational::fromDouble(drawnScale(rng)) /
                         *Rational::fromDouble(drawnScale(rng)) *
                         Rational(Integer(1), powerOfTwo(accumulatorBits - 8));
        request.hi = (std::int64_t{1} << (accumulatorBits - 1)) - 1;
        request.lo = -request.hi;
        request.mode = mode;
        const auto answer = exactFactor(request);
        if (!answer) {
            ADD_FAILURE() << format(answer.error());
            continue;
        }
        bits.push_back(answer->proof.mulBits);
        figures.longest = std::max(figures.longest, answer->shift);
        figures.windows += answer->tie > 0 ? 1 : 0;
        figures.wide += answer->proof.mulBits > 18 ? 1 : 0;
    }
    std::ranges::sort(bits);
    figures.median = bits[bits.size() / 2];
    figures.most = bits.back();
    return figures;
}

TEST(FactorFigures, MultipliersHaveAFewBitsMoreThanAccumulators) {
    for (const RoundingMode mode : {RoundingMode::Up, RoundingMode::Even})
        for (const unsigned bits : {12U, 16U, 18U, 20U, 22U}) {
            const Figures found = figuresOf(bits, mode);
            std::cout << "| " << toString(mode) << " | " << bits << " | " << found.median << " | "
                      << found.most << " | " << found.longest << " | " << found.wide << " | "
                      << found.windows << " |\n";
            EXPECT_LE(found.median, bits + 6);
            EXPECT_GE(found.median, bits + 2);
        }
}

} // namespace
} // namespace marquetry::quant
