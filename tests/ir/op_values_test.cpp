// Every operator against values computed by hand.
#include "tests/ir/tensor_maker.h"

#include <cmath>

namespace marquetry::ir {
namespace {

constexpr std::int64_t kMin32 = -2147483648LL;
constexpr std::int64_t kMax32 = 2147483647LL;

using Values = std::vector<std::int64_t>;

TEST(OpValues, ConvIsCrossCorrelation) {
    const Tensor x = tensor(Scalar::I8, {2, 3, 1}, {1, 2, 3, 4, 5, 6});
    const Tensor w = tensor(Scalar::I8, {1, 2, 2, 1}, {1, 10, 100, -1});
    const Tensor y = evaluate(OpKind::Conv, {x, w});
    EXPECT_EQ(y.type, (Type{Scalar::I32, {1, 2, 1}}));
    EXPECT_EQ(y.data, (Values{1 + 20 + 400 - 5, 2 + 30 + 500 - 6}));
}

TEST(OpValues, ConvPadsWithZerosAndStrides) {
    const Tensor x = tensor(Scalar::I8, {2, 2, 1}, {1, 2, 3, 4});
    const Tensor w = tensor(Scalar::I8, {1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    EXPECT_EQ(evaluate(OpKind::Conv, {x, w}, {.pad = 1}).data,
              (Values{5 + 12 + 24 + 36, 4 + 10 + 21 + 32, 2 + 6 + 15 + 24, 1 + 4 + 12 + 20}));
    EXPECT_EQ(evaluate(OpKind::Conv, {x, w}, {.pad = 1, .stride = 2}).data, (Values{77}));
}

TEST(OpValues, ConvWindowInsidePaddingIsZero) {
    const Tensor x = tensor(Scalar::I8, {1, 1, 1}, {5});
    const Tensor w = tensor(Scalar::I8, {1, 1, 1, 1}, {3});
    EXPECT_EQ(evaluate(OpKind::Conv, {x, w}, {.pad = 1}).data,
              (Values{0, 0, 0, 0, 15, 0, 0, 0, 0}));
}

TEST(OpValues, SumsWrapModulo32Bits) {
    // 65535² · 2 = 8589672450 = 2·2^32 − 262142.
    const Tensor a = tensor(Scalar::U16, {2}, {65535, 65535});
    EXPECT_EQ(evaluate(OpKind::Dot, {a, a}).data, (Values{-262142}));
    const Tensor m = tensor(Scalar::I32, {2}, {kMax32, kMin32});
    const Tensor one = tensor(Scalar::I32, {2}, {1, -1});
    EXPECT_EQ(evaluate(OpKind::Add, {m, one}).data, (Values{kMin32, kMax32}));
    EXPECT_EQ(evaluate(OpKind::Sub, {m, one}).data, (Values{kMax32 - 1, kMin32 + 1}));
    EXPECT_EQ(evaluate(OpKind::Mul, {m, m}).data, (Values{1, 0}));
}

TEST(OpValues, DepthwiseConvKeepsChannelsApart) {
    const Tensor x = tensor(Scalar::I8, {2, 1, 2}, {1, 10, 2, 20});
    const Tensor w = tensor(Scalar::I8, {2, 1, 1}, {3, 5});
    EXPECT_EQ(evaluate(OpKind::DwConv, {x, w}).data, (Values{3, 50, 6, 100}));
}

TEST(OpValues, OneDimensionalStencils) {
    const Tensor image = tensor(Scalar::U8, {2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor k = tensor(Scalar::I8, {2}, {1, 10});
    EXPECT_EQ(evaluate(OpKind::Conv1dW, {image, k}).data, (Values{21, 32, 54, 65}));
    EXPECT_EQ(evaluate(OpKind::Conv1dH, {image, k}).data, (Values{41, 52, 63}));
    EXPECT_EQ(evaluate(OpKind::Conv1dW, {image, k}, {.pad = 1}).data,
              (Values{10, 21, 32, 3, 40, 54, 65, 6}));
}

TEST(OpValues, MatrixProducts) {
    const Tensor a = tensor(Scalar::I8, {2, 2}, {1, 2, 3, 4});
    const Tensor b = tensor(Scalar::I8, {3, 2}, {1, 0, 0, 1, 1, 1});
    EXPECT_EQ(evaluate(OpKind::Mm, {a, b}).data, (Values{1, 2, 3, 3, 4, 7}));
    EXPECT_EQ(evaluate(OpKind::Mv, {b, tensor(Scalar::I8, {2}, {7, 9})}).data, (Values{7, 9, 16}));
    const Tensor a3 = tensor(Scalar::I8, {2, 1, 2}, {1, 2, 3, 4});
    const Tensor b3 = tensor(Scalar::I8, {2, 1, 2}, {5, 6, 7, 8});
    EXPECT_EQ(evaluate(OpKind::Bmm, {a3, b3}).data, (Values{17, 53}));
    EXPECT_EQ(evaluate(OpKind::Dot,
                       {tensor(Scalar::I8, {2}, {-128, 127}), tensor(Scalar::U8, {2}, {255, 2})})
                  .data,
              (Values{-128 * 255 + 254}));
}

TEST(OpValues, ElementwiseBroadcastsTheLastDimension) {
    const Tensor a = tensor(Scalar::I8, {2, 2}, {1, 2, 3, 4});
    const Tensor b = tensor(Scalar::I16, {2}, {10, 20});
    EXPECT_EQ(evaluate(OpKind::Add, {a, b}).data, (Values{11, 22, 13, 24}));
    EXPECT_EQ(evaluate(OpKind::Sub, {a, b}).data, (Values{-9, -18, -7, -16}));
    EXPECT_EQ(evaluate(OpKind::Mul, {a, b}).data, (Values{10, 40, 30, 80}));
}

TEST(OpValues, ReluAndLeakyKeepTheScalar) {
    const Tensor x = tensor(Scalar::I8, {4}, {-128, -1, 0, 127});
    const Tensor r = evaluate(OpKind::Relu, {x});
    EXPECT_EQ(r.type.scalar, Scalar::I8);
    EXPECT_EQ(r.data, (Values{0, 0, 0, 127}));
    // −1·3 >> 4 rounds down: −3 / 16 → −1.
    EXPECT_EQ(evaluate(OpKind::Leaky, {x}, {.shift = 4, .num = 3}).data, (Values{-24, -1, 0, 127}));
    // −128·2 = −256 wraps to 0 in i8.
    EXPECT_EQ(evaluate(OpKind::Leaky, {x}, {.shift = 0, .num = 2}).data, (Values{0, -2, 0, 127}));
}

struct RequantCase {
    std::int64_t x;
    OpParams params;
    std::int64_t expected;
};

TEST(OpValues, RequantRoundsHalfUpAndSaturates) {
    const std::vector<RequantCase> cases = {
        {3, {.shift = 1}, 2},
        {-3, {.shift = 1}, -1},
        {5, {.shift = 0}, 5},
        {1000, {.shift = 0}, 127},
        {-1000, {.shift = 0}, -128},
        {-5, {.shift = 0, .zero = 3, .to = Scalar::U8}, 0},
        {7, {.mul = 3, .shift = 2}, 5},
        {kMin32, {.mul = kMin32, .shift = 62}, 1},
        {kMin32, {.mul = kMin32, .shift = 31, .to = Scalar::I32}, kMax32},
        {kMax32, {.mul = kMin32, .shift = 31, .to = Scalar::I32}, -kMax32},
        {kMax32, {.shift = 62}, 0},
        {-1, {.shift = 62}, 0},
        {40000, {.shift = 0, .zero = -10, .to = Scalar::U16}, 39990},
    };
    for (const RequantCase& c : cases)
        EXPECT_EQ(evaluate(OpKind::Requant, {tensor(Scalar::I32, {1}, {c.x})}, c.params).data,
                  (Values{c.expected}))
            << c.x << " * " << c.params.mul << " >> " << c.params.shift;
}

TEST(OpValues, RequantWithAMultiplierPerChannel) {
    const Tensor x = tensor(Scalar::I32, {2, 2}, {4, 4, -6, -6});
    const Tensor mul = tensor(Scalar::I32, {2}, {1, 3});
    EXPECT_EQ(evaluate(OpKind::Requant, {x, mul}, {.shift = 2, .vectors = kVectorMul}).data,
              (Values{1, 3, -1, -4}));
}

TEST(OpValues, PoolsAndPaddingThatNeverWins) {
    const Tensor x = tensor(Scalar::I8, {3, 3, 1}, {-9, -8, -7, -6, -5, -4, -3, -2, -1});
    const Tensor m = evaluate(OpKind::MaxPool, {x}, {.stride = 2, .size = 2, .padAfter = 1});
    EXPECT_EQ(m.type, (Type{Scalar::I8, {2, 2, 1}}));
    EXPECT_EQ(m.data, (Values{-5, -4, -2, -1}));
    const Tensor s = evaluate(OpKind::SumPool, {x}, {.stride = 1, .size = 2});
    EXPECT_EQ(s.type, (Type{Scalar::I32, {2, 2, 1}}));
    EXPECT_EQ(s.data, (Values{-28, -24, -16, -12}));
}

TEST(OpValues, ViewsMoveElements) {
    const Tensor x = tensor(Scalar::I8, {2, 3}, {1, 2, 3, 4, 5, 6});
    EXPECT_EQ(evaluate(OpKind::Slice, {x}, {.axis = 1, .from = 1, .until = 3}).data,
              (Values{2, 3, 5, 6}));
    EXPECT_EQ(evaluate(OpKind::Slice, {x}, {.axis = 0, .from = 1, .until = 2}).data,
              (Values{4, 5, 6}));
    EXPECT_EQ(evaluate(OpKind::Concat, {x, tensor(Scalar::I8, {2, 1}, {7, 8})}, {.axis = 1}).data,
              (Values{1, 2, 3, 7, 4, 5, 6, 8}));
    EXPECT_EQ(evaluate(OpKind::Concat, {x, x}, {.axis = 0}).type.dims, (Shape{4, 3}));
    EXPECT_EQ(evaluate(OpKind::Flatten, {x}).type.dims, (Shape{6}));
    EXPECT_EQ(evaluate(OpKind::Reshape, {x}, {.list = {3, 1, 2}}).data, x.data);
    EXPECT_EQ(evaluate(OpKind::Transpose, {x}).data, (Values{1, 4, 2, 5, 3, 6}));
    const Tensor p = evaluate(OpKind::Permute, {tensor(Scalar::Bit, {1, 2, 2}, {1, 0, 1, 1})},
                              {.list = {2, 0, 1}});
    EXPECT_EQ(p.type, (Type{Scalar::Bit, {2, 1, 2}}));
    EXPECT_EQ(p.data, (Values{1, 1, 0, 1}));
}

TEST(OpValues, SoftmaxFollowsItsTable) {
    // T[0] = 255, T[16] = 128; S = 383; ⌊(255·255 + 191)/383⌋ = 170, ⌊(255·128 + 191)/383⌋ = 85.
    const Tensor x = tensor(Scalar::I8, {2, 2}, {16, 0, -5, -5});
    const Tensor y = evaluate(OpKind::Softmax, {x});
    EXPECT_EQ(y.type, (Type{Scalar::U8, {2, 2}}));
    EXPECT_EQ(y.data, (Values{170, 85, 128, 128}));
}

TEST(OpValues, SoftmaxTableEntries) {
    // Against a row of one peak: y = ⌊(255·T[d] + ⌊S/2⌋) / S⌋ with S = 255 + T[d].
    for (std::int64_t d = 0; d < 300; ++d) {
        const auto t =
            d > 255 ? 0
                    : static_cast<std::int64_t>(std::floor(
                          255.0L * std::pow(2.0L, -static_cast<long double>(d) / 16.0L) + 0.5L));
        EXPECT_EQ(t == 0, d >= 144) << d;
        const std::int64_t s = 255 + t;
        const Tensor y = evaluate(OpKind::Softmax, {tensor(Scalar::I32, {1, 2}, {1000, 1000 - d})});
        EXPECT_EQ(y.data, (Values{(255 * 255 + s / 2) / s, (255 * t + s / 2) / s})) << d;
    }
}

TEST(OpValues, SoftmaxOfExtremesDoesNotOverflow) {
    const Tensor x = tensor(Scalar::I32, {1, 2}, {kMin32, kMax32});
    EXPECT_EQ(evaluate(OpKind::Softmax, {x}).data, (Values{0, 255}));
}

TEST(OpValues, WrapTakesTheLowBits) {
    EXPECT_EQ(wrap(Scalar::I8, 128), -128);
    EXPECT_EQ(wrap(Scalar::U8, -1), 255);
    EXPECT_EQ(wrap(Scalar::I32, 0x1'8000'0000LL), kMin32);
    EXPECT_EQ(wrap(Scalar::Bit, 3), 1);
}

} // namespace
} // namespace marquetry::ir
