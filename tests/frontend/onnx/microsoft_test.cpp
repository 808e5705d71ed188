// Operators of com.microsoft against their definition, evaluated with long doubles: the products of
// a float and an integer of 9 bits are exact there.
#include "tests/frontend/onnx/run_model.h"

#include <gmock/gmock.h>

#include <functional>

namespace marquetry::frontend::onnx {
namespace {

constexpr const char* kDomain = "com.microsoft";

class MicrosoftModel : public ModelBuilder {
public:
    explicit MicrosoftModel(std::uint64_t seed) : rng(seed), x(Grid::drawnFrom(rng)) {
        domain(kDomain, 1);
        x.addTo(*this, "x");
    }

    /// A grid of the same type as x: the runtime's operators have one for all.
    Grid another() {
        Grid grid = Grid::drawnFrom(rng);
        grid.isSigned = x.isSigned;
        grid.zero = static_cast<int>(rng.range(grid.least(), grid.greatest()));
        return grid;
    }

    /// `usual`: a scale with which the results fill 8 bits; theirs is near it.
    ::onnx::NodeProto& last(const std::string& op, const std::vector<std::string>& inputs,
                            float usual) {
        const std::vector<float> factors = {0.5F, 1, 0.75F, 1.3F};
        y = another();
        y.scale = usual * factors[rng.next() % factors.size()];
        y.addTo(*this, "y");
        auto& made = node(op, inputs, "y", kDomain);
        output("y", {}, y.type());
        return made;
    }

    SplitMix64 rng;
    Grid x, y;
};

std::vector<std::string> operator+(std::vector<std::string> names,
                                   const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
    return names;
}

const std::vector<std::string> kResult = {"y_scale", "y_zero"};

/// An operator of one quantised tensor, element by element.
void expectElements(const std::string& op, std::uint64_t seed,
                    const std::function<long double(long double)>& f, float usual,
                    float alpha = 0) {
    SCOPED_TRACE(op + ", seed " + std::to_string(seed));
    MicrosoftModel model(seed);
    model.input("x", {1, 256}, model.x.type());
    auto& node =
        model.last(op, quantisedNames({"x"}) + kResult, usual != 0 ? usual : model.x.scale);
    if (alpha != 0)
        ModelBuilder::real(node, "alpha", alpha);
    Numbers all;
    RealNumbers expected;
    for (std::int64_t k = model.x.least(); k <= model.x.greatest(); ++k) {
        all.push_back(k);
        expected.push_back(f(model.x.real(k)));
    }
    EXPECT_EQ(outputOf(model, all), model.y.quantised(expected));
}

TEST(Microsoft, LeakyReluScalesWhatIsBelowZero) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const float alpha = seed % 2 == 0 ? 0.25F : 0.1F;
        expectElements(
            "QLinearLeakyRelu", seed,
            [&](long double v) { return v < 0 ? v * static_cast<long double>(alpha) : v; }, 0,
            alpha);
    }
}

TEST(Microsoft, SigmoidIsThatOfTheReals) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
        expectElements(
            "QLinearSigmoid", seed, [](long double v) { return 1 / (1 + std::exp(-v)); },
            1.0F / 256);
}

/// An operator of two tensors with scales of their own.
void expectPairs(const std::string& op, std::uint64_t seed,
                 const std::function<long double(long double, long double)>& f,
                 const std::function<float(float, float)>& usual) {
    SCOPED_TRACE(op + ", seed " + std::to_string(seed));
    MicrosoftModel model(seed);
    const Grid b = model.another();
    b.addTo(model, "b");
    model.input("x", {1, 500}, model.x.type());
    model.input("b", {1, 500}, b.type());
    model.last(op, quantisedNames({"x", "b"}) + kResult, usual(model.x.scale, b.scale));
    const Numbers left = model.x.drawn(model.rng, 500);
    const Numbers right = b.drawn(model.rng, 500);
    RealNumbers expected;
    for (std::size_t k = 0; k < left.size(); ++k)
        expected.push_back(f(model.x.real(left[k]), b.real(right[k])));
    EXPECT_EQ(outputOf(model, {left, right}), model.y.quantised(expected));
}

TEST(Microsoft, AdditionRoundsOnce) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
        expectPairs("QLinearAdd", seed, std::plus<>(), std::plus<>());
}

TEST(Microsoft, MultiplicationRoundsOnce) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
        expectPairs("QLinearMul", seed, std::multiplies<>(),
                    [](float a, float b) { return 100 * a * b; });
}

/// Weights [K, N] or [N, K], a scale and a zero point for each column, a bias of the products'
/// scale.
struct GemmCase {
    std::int64_t rows, depth, columns;
    bool transposed, hasBias;
    float alpha;
    Numbers weights, zeros;
    std::vector<float> scales;
    Numbers bias;

    static GemmCase drawnFrom(SplitMix64& rng) {
        GemmCase made;
        made.rows = rng.range(1, 3);
        made.depth = rng.range(1, 9);
        made.columns = rng.range(1, 5);
        made.transposed = rng.next() % 2 == 0;
        made.hasBias = rng.next() % 2 == 0;
        made.alpha = rng.next() % 2 == 0 ? 1.0F : 0.75F;
        made.weights = drawn(rng, made.depth * made.columns, -128, 127);
        made.zeros = drawn(rng, made.columns, -20, 20);
        for (std::int64_t n = 0; n < made.columns; ++n)
            made.scales.push_back(static_cast<float>(rng.range(1, 99)) / 1000);
        made.bias = drawn(rng, made.columns, -3000, 3000);
        return made;
    }
};

void addGemm(MicrosoftModel& model, const GemmCase& gemm) {
    const TestDims dims =
        gemm.transposed ? TestDims{gemm.columns, gemm.depth} : TestDims{gemm.depth, gemm.columns};
    model.ints("w", dims, asInts(gemm.weights));
    model.floats("w_scale", {gemm.columns}, gemm.scales);
    model.ints("w_zero", {gemm.columns}, asInts(gemm.zeros));
    model.ints("c", {gemm.columns}, asInts(gemm.bias), ::onnx::TensorProto::INT32);
    model.input("x", {gemm.rows, gemm.depth}, model.x.type());
    auto& node = model.last("QGemm",
                            quantisedNames({"x", "w"}) +
                                std::vector<std::string>{gemm.hasBias ? "c" : ""} + kResult,
                            10 * model.x.scale);
    ModelBuilder::number(node, "transB", gemm.transposed ? 1 : 0);
    ModelBuilder::real(node, "alpha", gemm.alpha);
}

/// Of the integers of x, which has the grid.
RealNumbers gemmResults(const GemmCase& gemm, const Grid& x, const Numbers& image) {
    RealNumbers results;
    for (std::int64_t m = 0; m < gemm.rows; ++m) {
        for (std::int64_t n = 0; n < gemm.columns; ++n) {
            const auto at = static_cast<std::size_t>(n);
            std::int64_t sum = gemm.hasBias ? gemm.bias[at] : 0;
            for (std::int64_t k = 0; k < gemm.depth; ++k) {
                const std::int64_t place =
                    gemm.transposed ? n * gemm.depth + k : k * gemm.columns + n;
                sum += (image[static_cast<std::size_t>(m * gemm.depth + k)] - x.zero) *
                       (gemm.weights[static_cast<std::size_t>(place)] - gemm.zeros[at]);
            }
            results.push_back(
                static_cast<long double>(gemm.alpha) * static_cast<long double>(x.scale) *
                static_cast<long double>(gemm.scales[at]) * static_cast<long double>(sum));
        }
    }
    return results;
}

void expectGemm(std::uint64_t seed) {
    MicrosoftModel model(seed);
    const auto gemm = GemmCase::drawnFrom(model.rng);
    addGemm(model, gemm);
    const Numbers image = model.x.drawn(model.rng, gemm.rows * gemm.depth);
    EXPECT_EQ(outputOf(model, image), model.y.quantised(gemmResults(gemm, model.x, image)))
        << "seed " << seed;
}

TEST(Microsoft, GemmHasScalesAndZeroPointsOfColumns) {
    for (std::uint64_t seed = 0; seed < 2 * kSeeds; ++seed)
        expectGemm(seed);
}

TEST(Microsoft, ConcatBringsAllToOneScale) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        MicrosoftModel model(seed);
        const std::int64_t axis = model.rng.range(1, 3);
        std::vector<std::string> names;
        std::vector<TestDims> shapes;
        std::vector<Grid> grids;
        std::vector<Numbers> images;
        for (std::size_t k = 0; k < 3; ++k) {
            names.push_back("p" + std::to_string(k));
            shapes.push_back({1, 2, 3, 2});
            shapes[k][static_cast<std::size_t>(axis)] = model.rng.range(1, 4);
            grids.push_back(model.another());
            grids[k].addTo(model, names[k]);
            model.input(names[k], shapes[k], grids[k].type());
            images.push_back(grids[k].drawn(model.rng, shapes[k][1] * shapes[k][2] * shapes[k][3]));
        }
        ModelBuilder::number(model.last("QLinearConcat", kResult + quantisedNames(names), 0.03F),
                             "axis", axis);
        // All elements before the axis, of each piece what is behind it.
        std::int64_t before = 1;
        for (std::int64_t k = 0; k < axis; ++k)
            before *= shapes[0][static_cast<std::size_t>(k)];
        Numbers expected;
        for (std::int64_t outer = 0; outer < before; ++outer) {
            for (std::size_t k = 0; k < 3; ++k) {
                const auto run = std::ssize(images[k]) / before;
                for (std::int64_t at = outer * run; at < (outer + 1) * run; ++at)
                    expected.push_back(
                        model.y.quantised(grids[k].real(images[k][static_cast<std::size_t>(at)])));
            }
        }
        EXPECT_EQ(outputOf(model, images), expected) << "seed " << seed << ", axis " << axis;
    }
}

struct PoolCase {
    std::int64_t height, width, kernelH, kernelW, stride, pad;
    bool countsPads;
};

RealNumbers averages(const RealNumbers& image, const PoolCase& pool) {
    const std::int64_t rows = (pool.height + 2 * pool.pad - pool.kernelH) / pool.stride + 1;
    const std::int64_t columns = (pool.width + 2 * pool.pad - pool.kernelW) / pool.stride + 1;
    const std::int64_t pixels = pool.height * pool.width;
    RealNumbers result;
    for (std::int64_t c = 0; c < std::ssize(image) / pixels; ++c) {
        for (std::int64_t at = 0; at < rows * columns; ++at) {
            long double sum = 0;
            std::int64_t count = 0;
            for (std::int64_t k = 0; k < pool.kernelH * pool.kernelW; ++k) {
                const std::int64_t y = at / columns * pool.stride + k / pool.kernelW - pool.pad;
                const std::int64_t x = at % columns * pool.stride + k % pool.kernelW - pool.pad;
                const bool inside = y >= 0 && y < pool.height && x >= 0 && x < pool.width;
                count += inside || pool.countsPads ? 1 : 0;
                if (inside)
                    sum += image[static_cast<std::size_t>(c * pixels + y * pool.width + x)];
            }
            result.push_back(sum / static_cast<long double>(count));
        }
    }
    return result;
}

TEST(Microsoft, AveragePoolsDivideByWhatTheyCount) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        MicrosoftModel model(seed);
        PoolCase pool{model.rng.range(3, 7),    model.rng.range(3, 7), model.rng.range(2, 3),
                      model.rng.range(2, 3),    model.rng.range(1, 2), model.rng.range(0, 1),
                      model.rng.next() % 2 == 0};
        model.input("x", {1, 3, pool.height, pool.width}, model.x.type());
        auto& node =
            model.last("QLinearAveragePool", quantisedNames({"x"}) + kResult, model.x.scale);
        ModelBuilder::list(node, "kernel_shape", {pool.kernelH, pool.kernelW});
        ModelBuilder::list(node, "strides", {pool.stride, pool.stride});
        ModelBuilder::list(node, "pads", {pool.pad, pool.pad, pool.pad, pool.pad});
        ModelBuilder::number(node, "count_include_pad", pool.countsPads ? 1 : 0);
        const Numbers image = model.x.drawn(model.rng, 3 * pool.height * pool.width);
        EXPECT_EQ(outputOf(model, image), model.y.quantised(averages(model.x.reals(image), pool)))
            << "seed " << seed;
    }
}

TEST(Microsoft, GlobalAveragePoolsAreTheMeanOfAllPixels) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        MicrosoftModel model(seed);
        PoolCase pool{model.rng.range(1, 7), model.rng.range(1, 7), 0, 0, 1, 0, false};
        pool.kernelH = pool.height;
        pool.kernelW = pool.width;
        model.input("x", {1, 4, pool.height, pool.width}, model.x.type());
        model.last("QLinearGlobalAveragePool", quantisedNames({"x"}) + kResult, model.x.scale);
        const Numbers image = model.x.drawn(model.rng, 4 * pool.height * pool.width);
        EXPECT_EQ(outputOf(model, image), model.y.quantised(averages(model.x.reals(image), pool)))
            << "seed " << seed;
    }
}

} // namespace
} // namespace marquetry::frontend::onnx
