// Pad, Slice, Resize against loops over the file's own dimensions, and the two signs of
// BipolarQuant.
#include "tests/frontend/onnx/run_model.h"

#include <gmock/gmock.h>

#include <numeric>

namespace marquetry::frontend::onnx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::int64_t product(const TestDims& dims) {
    return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

/// The place of each dimension of element `flat`.
TestDims placeOf(std::int64_t flat, const TestDims& dims) {
    TestDims place(dims.size());
    for (std::size_t k = dims.size(); k-- > 0;) {
        place[k] = flat % dims[k];
        flat /= dims[k];
    }
    return place;
}

/// The element at a place, or `outside`.
std::int64_t at(const Numbers& tensor, const TestDims& dims, const TestDims& place,
                std::int64_t outside = 0) {
    std::int64_t flat = 0;
    for (std::size_t k = 0; k < dims.size(); ++k) {
        if (place[k] < 0 || place[k] >= dims[k])
            return outside;
        flat = flat * dims[k] + place[k];
    }
    return tensor[static_cast<std::size_t>(flat)];
}

TestDims drawnDims(SplitMix64& rng, std::size_t rank, std::int64_t lo, std::int64_t hi) {
    TestDims dims;
    for (std::size_t k = 0; k < rank; ++k)
        dims.push_back(rng.range(lo, hi));
    return dims;
}

/// A quantised input of these dimensions, and what the operator gives quantised alike.
struct ViewModel : ModelBuilder {
    ViewModel(const TestDims& dims, int zero) { begin(dims, zero); }

    void begin(const TestDims& dims, int zero) {
        input("x", dims);
        quantised("x", "in", 0.5F, zero);
    }
    void end(const std::string& result, int zero) {
        quantised(result, "out", 0.5F, zero);
        output("out_q", {}, ::onnx::TensorProto::INT8);
    }
};

/// Two dimensions at most, of tensors of one to four.
void expectPad(std::uint64_t seed) {
    SplitMix64 rng(seed);
    const auto rank = static_cast<std::size_t>(rng.range(2, 4));
    TestDims dims = drawnDims(rng, rank, 1, 5);
    dims[0] = 1;
    TestDims before(rank), after(rank);
    for (int k = 0; k < 2; ++k) {
        const auto axis = static_cast<std::size_t>(rng.range(1, std::ssize(dims) - 1));
        before[axis] = rng.range(0, 3);
        after[axis] = rng.range(0, 3);
    }
    TestDims pads = before;
    pads.insert(pads.end(), after.begin(), after.end());
    const int zero = static_cast<int>(rng.range(-40, 40));
    const std::int64_t fill = rng.next() % 2 == 0 ? zero : rng.range(-60, 60);
    ViewModel model(dims, zero);
    model.ints("pads", {std::ssize(pads)}, asInts(pads), ::onnx::TensorProto::INT64);
    model.floats("value", {}, {0.5F * static_cast<float>(fill - zero)});
    model.node("Pad", {"in_d", "pads", "value"}, "p");
    // What reads it is no convolution.
    model.node("Relu", {"p"}, "r");
    model.end("r", zero);
    const Numbers image = drawn(rng, product(dims), -128, 127);
    TestDims whole = dims;
    for (std::size_t k = 0; k < rank; ++k)
        whole[k] += before[k] + after[k];
    Numbers expected;
    for (std::int64_t flat = 0; flat < product(whole); ++flat) {
        TestDims place = placeOf(flat, whole);
        for (std::size_t k = 0; k < rank; ++k)
            place[k] -= before[k];
        expected.push_back(std::max<std::int64_t>(at(image, dims, place, fill), zero));
    }
    EXPECT_EQ(outputOf(model, image), expected) << "seed " << seed;
}

TEST(OnnxPad, PutsAConstantAround) {
    for (std::uint64_t seed = 0; seed < 2 * kSeeds; ++seed)
        expectPad(seed);
}

/// Pad, its own quantisation, a convolution of 2 × 2 that may have pads too.
struct PadThenConvolution {
    TestDims dims, pads;
    std::int64_t own; ///< pads of the convolution, on each side
    int zero;
    std::int64_t fill;
    Numbers weights, image;

    static PadThenConvolution drawnFrom(SplitMix64& rng) {
        PadThenConvolution made;
        made.dims = {1, 2, rng.range(3, 6), rng.range(3, 6)};
        made.pads = {0, 0, rng.range(0, 2), rng.range(0, 2),
                     0, 0, rng.range(0, 2), rng.range(0, 2)};
        made.own = rng.range(0, 1);
        made.zero = static_cast<int>(rng.range(-40, 40));
        made.fill = rng.next() % 2 == 0 ? made.zero : rng.range(-60, 60);
        made.weights = drawn(rng, 8, -9, 9);
        made.image = drawn(rng, product(made.dims), -128, 127);
        return made;
    }

    Result<Imported> network() const {
        ViewModel model(dims, zero);
        model.ints("pads", {8}, asInts(pads), ::onnx::TensorProto::INT64);
        model.floats("value", {}, {0.5F * static_cast<float>(fill - zero)});
        model.node("Pad", {"in_d", "pads", "value"}, "p");
        model.quantised("p", "mid", 0.5F, zero);
        model.weights("w", {1, 2, 2, 2}, asInts(weights), 1.0F);
        ModelBuilder::list(model.node("Conv", {"mid_d", "w"}, "c"), "pads", TestDims(4, own));
        model.output("c");
        return importOnnx(model.bytes(), "", "m.onnx");
    }
};

Numbers convolvedSums(const PadThenConvolution& given) {
    const TestDims& pads = given.pads;
    const std::int64_t own = given.own;
    const std::int64_t height = given.dims[2] + pads[2] + pads[6];
    const std::int64_t width = given.dims[3] + pads[3] + pads[7];
    // The convolution's own pads are zeros.
    const auto real = [&](std::int64_t c, std::int64_t y, std::int64_t x) {
        if (y < 0 || y >= height || x < 0 || x >= width)
            return std::int64_t{0};
        const TestDims place = {0, c, y - pads[2], x - pads[3]};
        return at(given.image, given.dims, place, given.fill) - given.zero;
    };
    Numbers sums;
    for (std::int64_t y = -own; y < height + own - 1; ++y) {
        for (std::int64_t x = -own; x < width + own - 1; ++x) {
            std::int64_t sum = 0;
            for (std::int64_t k = 0; k < 8; ++k)
                sum += given.weights[static_cast<std::size_t>(k)] *
                       real(k / 4, y + k / 2 % 2, x + k % 2);
            sums.push_back(sum);
        }
    }
    return sums;
}

bool hasSumPool(const Imported& network) {
    const auto& values = network.program.values;
    return std::any_of(values.begin(), values.end(), [](const ir::Value& v) {
        return v.kind == ir::ValueKind::Op && v.op == ir::OpKind::SumPool;
    });
}

TEST(OnnxPad, IsAConvolutionsOwnWhereItCanBe) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SplitMix64 rng(seed);
        const auto given = PadThenConvolution::drawnFrom(rng);
        const auto network = given.network();
        ASSERT_TRUE(network) << format(network.error());
        EXPECT_EQ(outputOf(*network, {given.image}), convolvedSums(given)) << "seed " << seed;
        // Another constant than 0 cannot be the padding where there are zeros around it.
        const bool isOwn = given.fill == given.zero || given.own == 0;
        const TestDims& pads = given.pads;
        const bool padded = product({1 + pads[2], 1 + pads[3], 1 + pads[6], 1 + pads[7]}) > 1;
        EXPECT_EQ(hasSumPool(*network), padded && !isOwn) << "seed " << seed;
    }
}

TEST(OnnxPad, SaysWhatItCannotPadWith) {
    const auto message = [](float value, const std::string& mode, const std::vector<int>& pads) {
        ViewModel model({1, 2, 3, 4}, 3);
        model.ints("pads", {8}, pads, ::onnx::TensorProto::INT64);
        model.floats("value", {}, {value});
        auto& node = model.node("Pad", {"in_d", "pads", "value"}, "p");
        auto& attribute = *node.add_attribute();
        attribute.set_name("mode");
        attribute.set_type(::onnx::AttributeProto::STRING);
        attribute.set_s(mode);
        model.node("Relu", {"p"}, "r");
        model.end("r", 3);
        const auto network = importOnnx(model.bytes(), "", "m.onnx");
        return network ? "" : format(network.error());
    };
    const std::vector<int> one = {0, 0, 1, 0, 0, 0, 0, 0};
    EXPECT_EQ(message(1, "constant", one), "");
    EXPECT_THAT(message(0.3F, "constant", one),
                HasSubstr("integers of its input do not hold: 0.3"));
    EXPECT_THAT(message(200, "constant", one), HasSubstr("do not hold: 200"));
    EXPECT_THAT(message(1, "reflect", one), HasSubstr("a reflect of its input"));
    EXPECT_THAT(message(1, "constant", {0, 1, 1, 1, 0, 0, 0, 0}),
                HasSubstr("more than two dimensions"));
    EXPECT_THAT(message(1, "constant", {0, 0, -1, 0, 0, 0, 0, 0}), HasSubstr("negative ones"));
}

TEST(OnnxSlice, TakesAPartOfEachDimension) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SplitMix64 rng(seed);
        const auto rank = static_cast<std::size_t>(rng.range(2, 4));
        TestDims dims = drawnDims(rng, rank, 1, 6);
        dims[0] = 1;
        TestDims axes, starts, ends, from(rank);
        TestDims part = dims;
        for (std::size_t k = 1; k < rank; ++k) {
            if (rng.next() % 3 == 0)
                continue;
            from[k] = rng.range(0, dims[k] - 1);
            const std::int64_t until = rng.range(from[k] + 1, dims[k]);
            part[k] = until - from[k];
            const bool back = rng.next() % 2 == 0;
            const auto axis = static_cast<std::int64_t>(k);
            axes.push_back(back ? axis - std::ssize(dims) : axis);
            starts.push_back(back ? from[k] - dims[k] : from[k]);
            ends.push_back(until == dims[k] ? 1'000'000 : until);
        }
        const auto count = std::ssize(axes);
        ViewModel model(dims, 3);
        for (const auto& [name, list] :
             {std::pair("starts", starts), std::pair("ends", ends), std::pair("axes", axes)})
            model.ints(name, {count}, asInts(list), ::onnx::TensorProto::INT64);
        model.node("Slice", {"in_d", "starts", "ends", "axes"}, "s");
        model.end("s", 3);
        const Numbers image = drawn(rng, product(dims), -128, 127);
        Numbers expected;
        for (std::int64_t flat = 0; flat < product(part); ++flat) {
            TestDims place = placeOf(flat, part);
            for (std::size_t k = 0; k < rank; ++k)
                place[k] += from[k];
            expected.push_back(at(image, dims, place));
        }
        if (count > 0) {
            EXPECT_EQ(outputOf(model, image), expected) << "seed " << seed;
        }
    }
}

/// Nearest with whole factors, as scales or as sizes, by both rules that repeat pixels.
struct RepeatCase {
    TestDims dims, factor;
    bool bySize, half;

    static RepeatCase drawnFrom(SplitMix64& rng) {
        RepeatCase made;
        made.dims = {1, rng.range(1, 3), rng.range(1, 5), rng.range(1, 5)};
        made.factor = {1, 1, rng.range(1, 4), rng.range(1, 4)};
        made.bySize = rng.next() % 2 == 0;
        made.half = rng.next() % 2 == 0;
        return made;
    }
    TestDims whole() const {
        TestDims result = dims;
        for (std::size_t k = 0; k < 4; ++k)
            result[k] *= factor[k];
        return result;
    }
};

void addResizeNode(ModelBuilder& model, const RepeatCase& given) {
    model.floats("none", {0}, {});
    model.floats("scales", {4},
                 {1, 1, static_cast<float>(given.factor[2]), static_cast<float>(given.factor[3])});
    model.ints("sizes", {4}, asInts(given.whole()), ::onnx::TensorProto::INT64);
    auto& node = model.node("Resize",
                            given.bySize ? std::vector<std::string>{"in_d", "none", "", "sizes"}
                                         : std::vector<std::string>{"in_d", "none", "scales"},
                            "s");
    for (const auto& [key, text] :
         {std::pair("mode", "nearest"),
          std::pair("coordinate_transformation_mode", given.half ? "half_pixel" : "asymmetric"),
          std::pair("nearest_mode", given.half ? "round_prefer_floor" : "floor")}) {
        auto& attribute = *node.add_attribute();
        attribute.set_name(key);
        attribute.set_type(::onnx::AttributeProto::STRING);
        attribute.set_s(text);
    }
}

Numbers repeatedPixels(const RepeatCase& given, const Numbers& image) {
    const TestDims whole = given.whole();
    Numbers pixels;
    for (std::int64_t flat = 0; flat < product(whole); ++flat) {
        const TestDims place = placeOf(flat, whole);
        // ONNX: half_pixel reads at (x + 1/2) / f − 1/2, a half taken down; asymmetric at x / f.
        const auto read = [&](std::size_t k) {
            const double x = static_cast<double>(place[k]);
            const double f = static_cast<double>(given.factor[k]);
            const double where = given.half ? std::ceil((x + 0.5) / f - 1) : std::floor(x / f);
            return static_cast<std::int64_t>(where);
        };
        pixels.push_back(at(image, given.dims, {0, place[1], read(2), read(3)}));
    }
    return pixels;
}

TEST(OnnxResize, RepeatsPixels) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SplitMix64 rng(seed);
        const auto given = RepeatCase::drawnFrom(rng);
        ViewModel model(given.dims, 3);
        addResizeNode(model, given);
        model.end("s", 3);
        const Numbers image = drawn(rng, product(given.dims), -128, 127);
        EXPECT_EQ(outputOf(model, image), repeatedPixels(given, image)) << "seed " << seed;
    }
}

/// QONNX: −scale below 0, else scale.
TEST(OnnxBipolar, TakesTheSignOfWeightsAndOfActivations) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        SplitMix64 rng(seed);
        ViewModel model({1, 6}, static_cast<int>(rng.range(-9, 9)));
        const int zero = model.graph().initializer(1).int32_data(0);
        model.domain("onnx.brevitas", 1);
        const Numbers raw = drawn(rng, 24, -2, 2);
        std::vector<float> weights;
        for (const std::int64_t w : raw)
            weights.push_back(0.3F * static_cast<float>(w));
        model.floats("w", {6, 4}, weights);
        model.floats("w_s", {}, {0.25F});
        model.node("BipolarQuant", {"w", "w_s"}, "wq", "onnx.brevitas");
        model.node("MatMul", {"in_d", "wq"}, "y");
        model.floats("b", {4}, {0.125F, -0.125F, 0, 1.0F});
        model.node("Add", {"y", "b"}, "z");
        model.floats("z_s", {}, {0.375F});
        model.node("BipolarQuant", {"z", "z_s"}, "s", "onnx.brevitas");
        model.output("s");
        const auto network = importOnnx(model.bytes(), "", "m.onnx");
        ASSERT_TRUE(network) << format(network.error());
        const Numbers image = drawn(rng, 6, -12, 12);
        Numbers expected;
        const int eighths[] = {1, -1, 0, 8};
        for (std::size_t n = 0; n < 4; ++n) {
            std::int64_t sum = eighths[n]; // in eighths: x in halves times weights of a quarter
            for (std::size_t k = 0; k < 6; ++k)
                sum += (image[k] - zero) * (raw[4 * k + n] < 0 ? -1 : 1);
            expected.push_back(sum < 0 ? -1 : 1);
        }
        EXPECT_EQ(outputOf(*network, {image}), expected) << "seed " << seed;
        EXPECT_EQ(network->outputs.at(0).scale.value().toDouble(), 0.375);
    }
}

TEST(OnnxBipolar, CountsZeroAsPositive) {
    ViewModel model({1, 3}, 0);
    model.domain("onnx.brevitas", 1);
    model.floats("s", {}, {1});
    model.node("BipolarQuant", {"in_d", "s"}, "y", "onnx.brevitas");
    model.output("y");
    EXPECT_THAT(outputOf(model, Numbers{-1, 0, 1}), ElementsAre(-1, 1, 1));
    EXPECT_THAT(outputOf(model, Numbers{-128, 127, 2}), ElementsAre(-1, 1, 1));
}

} // namespace
} // namespace marquetry::frontend::onnx
