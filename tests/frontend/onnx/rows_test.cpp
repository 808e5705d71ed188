// Softmax and layer normalisation against their definition in long doubles: never farther away than
// the bound that the import states, and in some row a good part of it.
#include "engine/frontend/onnx/rows.h"
#include "tests/frontend/onnx/run_model.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <span>

namespace marquetry::frontend::onnx {
namespace {

using testing::HasSubstr;

RealNumbers softmaxOfRow(const RealNumbers& row) {
    const long double peak = *std::max_element(row.begin(), row.end());
    long double sum = 0;
    RealNumbers result;
    for (const long double value : row) {
        result.push_back(std::exp(value - peak));
        sum += result.back();
    }
    for (long double& value : result)
        value /= sum;
    return result;
}

RealNumbers normalisedRow(const RealNumbers& row, long double epsilon) {
    long double mean = 0, variance = 0;
    const auto count = static_cast<long double>(row.size());
    for (const long double value : row)
        mean += value / count;
    for (const long double value : row)
        variance += (value - mean) * (value - mean) / count;
    RealNumbers result;
    for (const long double value : row)
        result.push_back((value - mean) / std::sqrt(variance + epsilon));
    return result;
}

/// The number behind "within ", the k-th time.
double statedBound(const Imported& network, int k = 0) {
    const std::string text = format(network.warnings);
    std::size_t place = 0;
    for (int count = 0; count <= k; ++count)
        place = text.find("within ", place) + 7;
    EXPECT_THAT(text, HasSubstr("onnx-approximation"));
    return std::stod(text.substr(place));
}

/// Rows of integers: at random, all alike but one, few values, one great one.
Numbers drawnRow(SplitMix64& rng, std::int64_t length) {
    switch (rng.next() % 4) {
    case 0:
        return drawn(rng, length, -128, 127);
    case 1: {
        Numbers row(static_cast<std::size_t>(length), rng.range(-100, 100));
        row.back() += rng.range(-20, 20);
        return row;
    }
    case 2:
        return drawn(rng, length, 0, 3);
    default: {
        Numbers row = drawn(rng, length, -90, -80);
        row.front() = rng.range(-80, 120);
        return row;
    }
    }
}

/// Of three rows with the zero point 5.
Result<Imported> softmaxNetwork(std::int64_t length, float scale) {
    ModelBuilder model;
    model.input("x", {1, 3, length});
    model.quantised("x", "in", scale, 5);
    model.node("Softmax", {"in_d"}, "p");
    // Read by an operator that is not left out at the end.
    model.weights("w", {length, 1}, std::vector<int>(static_cast<std::size_t>(length), 1), 1);
    model.node("MatMul", {"p", "w"}, "y");
    model.output("p");
    model.output("y");
    return importOnnx(model.bytes(), "", "m.onnx");
}

struct SoftmaxRows {
    Numbers image;
    RealNumbers expected;
};

SoftmaxRows drawnSoftmaxRows(SplitMix64& rng, std::int64_t length, float scale) {
    SoftmaxRows rows;
    for (int row = 0; row < 3; ++row) {
        const Numbers integers = drawnRow(rng, length);
        RealNumbers reals;
        for (const std::int64_t x : integers)
            reals.push_back(static_cast<long double>(scale) * static_cast<long double>(x - 5));
        rows.image.insert(rows.image.end(), integers.begin(), integers.end());
        const RealNumbers exact = softmaxOfRow(reals);
        rows.expected.insert(rows.expected.end(), exact.begin(), exact.end());
    }
    return rows;
}

class SoftmaxLength : public testing::TestWithParam<std::int64_t> {};

TEST_P(SoftmaxLength, StaysWithinTheStatedBound) {
    const std::int64_t length = GetParam();
    long double most = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 rng(seed);
        const float scale = 0.01F + static_cast<float>(rng.range(0, 99)) / 500;
        const auto network = softmaxNetwork(length, scale);
        ASSERT_TRUE(network) << format(network.error());
        EXPECT_EQ(network->outputs.at(0).tensor, "p");
        const double bound = statedBound(*network);
        EXPECT_NEAR(bound, softmaxBound(length), 0.005 * bound);
        const auto [image, expected] = drawnSoftmaxRows(rng, length, scale);
        const Numbers ours = outputOf(*network, {image});
        ASSERT_EQ(ours.size(), expected.size());
        for (std::size_t k = 0; k < ours.size(); ++k) {
            const long double away =
                std::abs(static_cast<long double>(ours[k]) / 255 - expected[k]);
            EXPECT_LE(away, softmaxBound(length)) << "seed " << seed << " element " << k;
            most = std::max(most, away);
        }
    }
    EXPECT_GE(most, softmaxBound(length) / 10);
}

INSTANTIATE_TEST_SUITE_P(Rows, SoftmaxLength, testing::Values(1, 2, 3, 16, 100),
                         testing::PrintToStringParamName());

TEST(OnnxSoftmax, IsOfTheAxisThatIsNamed) {
    ModelBuilder model;
    model.input("x", {1, 2, 2, 2});
    model.quantised("x", "in", 0.5F, 0);
    ModelBuilder::number(model.node("Softmax", {"in_d"}, "p"), "axis", 1);
    model.quantised("p", "out", 1.0F / 256, 0);
    model.node("Relu", {"out_d"}, "r");
    model.output("r");
    const auto network = importOnnx(model.bytes(), "", "m.onnx");
    ASSERT_TRUE(network) << format(network.error());
    const Numbers ours = outputOf(*network, {{0, 0, 4, 8, 0, 2, 4, 0}});
    // Channels of each pixel: differences of 0, 1, 0 and −4, in 256ths, of which 127 is the most.
    const double expected[] = {127, 68.8, 127, 127, 127, 127, 127, 4.6};
    for (std::size_t k = 0; k < ours.size(); ++k)
        EXPECT_NEAR(static_cast<double>(ours[k]), expected[k], 256 * softmaxBound(2)) << k;
}

TEST(OnnxSoftmax, OfMicrosoftIsQuantised) {
    ModelBuilder model;
    model.domain("com.microsoft", 1);
    const Grid x{true, 0.125F, -7};
    const Grid y{true, 1.0F / 256, -128};
    x.addTo(model, "x");
    y.addTo(model, "y");
    model.input("x", {2, 40}, x.type());
    auto& node = model.node("QLinearSoftmax", {"x", "x_scale", "x_zero", "y_scale", "y_zero"}, "p",
                            "com.microsoft");
    ModelBuilder::number(node, "axis", -1);
    ModelBuilder::number(node, "opset", 13);
    model.node("DequantizeLinear", {"p", "y_scale", "y_zero"}, "d");
    model.node("Relu", {"d"}, "r");
    model.output("r");
    const auto network = importOnnx(model.bytes(), "", "m.onnx");
    ASSERT_TRUE(network) << format(network.error());
    SplitMix64 rng(3);
    Numbers image = x.drawn(rng, 80);
    const Numbers ours = outputOf(*network, {image});
    for (std::size_t row = 0; row < 2; ++row) {
        RealNumbers reals;
        for (std::size_t k = 0; k < 40; ++k)
            reals.push_back(x.real(image[40 * row + k]));
        const RealNumbers exact = softmaxOfRow(reals);
        for (std::size_t k = 0; k < 40; ++k)
            EXPECT_NEAR(static_cast<double>(ours[40 * row + k] - y.zero) / 256,
                        static_cast<double>(exact[k]), softmaxBound(40) + 0.5 / 256);
    }
}

/// Twice a network with and without what makes the softmax a part of it.
TEST(OnnxSoftmax, IsLeftOutAtTheEndOnly) {
    for (const bool last : {true, false}) {
        ModelBuilder model = smallModel();
        model.quantised("p", "probability", 1.0F / 256, -128);
        if (!last)
            model.node("Relu", {"probability_d"}, "r");
        model.graph().mutable_output(0)->set_name(last ? "probability_d" : "r");
        const auto network = importOnnx(model.bytes(), "", "m.onnx");
        ASSERT_TRUE(network) << format(network.error());
        EXPECT_EQ(network->cut.empty(), !last);
    }
}

struct NormCase {
    std::int64_t length;
    float scale;
};

/// A layer normalisation of two rows with the zero point 3.
struct NormModel {
    explicit NormModel(const NormCase& given) : length(given.length), scale(given.scale) {
        for (std::int64_t k = 0; k < length; ++k) {
            gamma.push_back(0.5F + static_cast<float>(k % 5) / 4);
            beta.push_back(static_cast<float>(k % 3) - 1);
        }
    }

    Result<Imported> network() const {
        ModelBuilder model(17);
        model.input("x", {1, 2, length});
        model.quantised("x", "in", scale, 3);
        model.floats("gamma", {length}, gamma);
        model.floats("beta", {length}, beta);
        model.node("LayerNormalization", {"in_d", "gamma", "beta"}, "y");
        model.output("y");
        return importOnnx(model.bytes(), "", "m.onnx");
    }

    std::int64_t length;
    float scale;
    float epsilon = 1e-5F;
    std::vector<float> gamma, beta;
};

void expectStatedNormBounds(const Imported& network, const NormModel& norm,
                            const NormBounds& bounds) {
    const auto greatest =
        static_cast<double>(*std::max_element(norm.gamma.begin(), norm.gamma.end()));
    EXPECT_NEAR(statedBound(network, 0), bounds.usual * greatest, 0.005 * bounds.usual * greatest);
    EXPECT_NEAR(statedBound(network, 1), bounds.always * greatest,
                0.005 * bounds.always * greatest);
}

long double varianceOf(const RealNumbers& row) {
    const auto count = static_cast<long double>(row.size());
    long double mean = 0, variance = 0;
    for (const long double x : row)
        mean += x / count;
    for (const long double x : row)
        variance += (x - mean) * (x - mean) / count;
    return variance;
}

/// What the network gives, as real numbers.
RealNumbers outputReals(const Numbers& integers, const ImportNote& out) {
    RealNumbers reals;
    for (const std::int64_t x : integers) {
        const auto flat = std::ssize(reals);
        reals.push_back(static_cast<long double>(x) *
                            static_cast<long double>(out.scale.at(flat).toDouble()) +
                        static_cast<long double>(out.offset.at(flat).toDouble()));
    }
    return reals;
}

/// How far each element of a row is from the exact one, before gamma; `ours` begins with the row.
RealNumbers normErrors(const NormModel& norm, const RealNumbers& integers,
                       std::span<const long double> ours) {
    RealNumbers reals;
    for (const long double x : integers)
        reals.push_back(static_cast<long double>(norm.scale) * (x - 3));
    const RealNumbers exact = normalisedRow(reals, static_cast<long double>(norm.epsilon));
    RealNumbers errors;
    for (std::size_t k = 0; k < exact.size(); ++k) {
        const auto gamma = static_cast<long double>(norm.gamma[k]);
        const long double wanted = exact[k] * gamma + static_cast<long double>(norm.beta[k]);
        errors.push_back(std::abs(ours[k] - wanted) / gamma);
    }
    return errors;
}

class LayerNormCase : public testing::TestWithParam<NormCase> {};

TEST_P(LayerNormCase, StaysWithinTheStatedBounds) {
    const NormModel norm(GetParam());
    const auto count = static_cast<std::size_t>(norm.length);
    const auto network = norm.network();
    ASSERT_TRUE(network) << format(network.error());
    const unsigned fraction = 8;
    const NormBounds bounds = layerNormBounds(
        norm.length, fraction, static_cast<double>(norm.epsilon), static_cast<double>(norm.scale));
    expectStatedNormBounds(*network, norm, bounds);
    long double most = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SplitMix64 rng(seed);
        Numbers image = drawnRow(rng, norm.length);
        const Numbers second = drawnRow(rng, norm.length);
        image.insert(image.end(), second.begin(), second.end());
        const RealNumbers ours = outputReals(outputOf(*network, {image}), network->outputs.at(0));
        ASSERT_EQ(ours.size(), 2 * count);
        for (std::size_t row = 0; row < 2; ++row) {
            const auto* const first = image.data() + row * count;
            const RealNumbers integers(first, first + count);
            // By how much rows of deviation 1 are divided without and with epsilon.
            const double bound = varianceOf(integers) >= 1 ? bounds.usual : bounds.always;
            const RealNumbers errors =
                normErrors(norm, integers, std::span(ours).subspan(row * count));
            for (std::size_t k = 0; k < count; ++k)
                EXPECT_LE(errors[k], bound)
                    << "seed " << seed << " row " << row << " element " << k;
            most = std::max(most, *std::max_element(errors.begin(), errors.end()));
        }
    }
    EXPECT_GE(most, bounds.usual / 10);
}

INSTANTIATE_TEST_SUITE_P(Rows, LayerNormCase,
                         testing::Values(NormCase{2, 0.05F}, NormCase{16, 0.1F},
                                         NormCase{16, 0.002F}, NormCase{96, 0.03F}),
                         [](const auto& norm) {
                             return "Length" + std::to_string(norm.param.length) + "Scale" +
                                    std::to_string(std::lround(norm.param.scale * 1000));
                         });

} // namespace
} // namespace marquetry::frontend::onnx
