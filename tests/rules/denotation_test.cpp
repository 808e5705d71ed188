// The denotation of single skeletons on tensors small enough to compute by hand.
#include "tests/oracles/denotation.h"

#include <gtest/gtest.h>

namespace marquetry {

using rules::denote;
using rules::Skeleton;
using rules::UnitOperands;
using rules::UnitTerm;

namespace {

constexpr egraph::Param kI8 = static_cast<egraph::Param>(ir::Scalar::I8);

ir::Tensor i8(ir::Shape dims, std::vector<std::int64_t> data) {
    return {{ir::Scalar::I8, std::move(dims)}, std::move(data)};
}

UnitTerm mvTerm(egraph::Param p, egraph::Param m, egraph::Param n) {
    return {{Skeleton::Mv, {}}, {Skeleton::ParallelDot, {p, m, n, kI8, kI8}}};
}

UnitTerm wrapped(rules::TermNode outer, UnitTerm inner) {
    inner.insert(inner.begin(), std::move(outer));
    return inner;
}

// [1 2 3; 4 5 6] · [1 10 100] = [321, 654]
const UnitOperands kProduct{i8({3}, {1, 10, 100}), i8({2, 3}, {1, 2, 3, 4, 5, 6})};
const std::vector<std::int64_t> kExpected = {321, 654};

} // namespace

TEST(Denotation, OfAMatrixVectorProduct) {
    EXPECT_EQ(denote(mvTerm(2, 2, 3), kProduct).data, kExpected);
    EXPECT_EQ(denote(mvTerm(1, 2, 3), kProduct).data, kExpected);
}

TEST(Denotation, OfEveryLoopOverAProduct) {
    const rules::TermNode outers[] = {{Skeleton::TiledMv, {1, 3}},
                                      {Skeleton::TiledMvRows, {1, 2}},
                                      {Skeleton::ParMvRows, {1, 2}}};
    const UnitTerm inners[] = {mvTerm(2, 2, 1), mvTerm(1, 1, 3), mvTerm(1, 1, 3)};
    for (std::size_t k = 0; k < 3; ++k)
        EXPECT_EQ(denote(wrapped(outers[k], inners[k]), kProduct).data, kExpected) << k;
}

TEST(Denotation, OfPadsOfAProduct) {
    EXPECT_EQ(denote(wrapped({Skeleton::PaddedMv, {5, 3}}, mvTerm(2, 2, 5)), kProduct).data,
              kExpected);
    EXPECT_EQ(denote(wrapped({Skeleton::PaddedMvRows, {4, 2}}, mvTerm(3, 4, 3)), kProduct).data,
              kExpected);
}

TEST(Denotation, AddsModulo32Bits) {
    UnitTerm term = {{Skeleton::Mv, {}},
                     {Skeleton::ParallelDot,
                      {1, 1, 2, static_cast<egraph::Param>(ir::Scalar::U16),
                       static_cast<egraph::Param>(ir::Scalar::U16)}}};
    const ir::Tensor full{{ir::Scalar::U16, {2}}, {65535, 65535}};
    const ir::Tensor row{{ir::Scalar::U16, {1, 2}}, {65535, 65535}};
    // 2 · (2^16 − 1)² = 2^33 − 2^18 + 2
    EXPECT_EQ(denote(term, {full, row}).data, (std::vector<std::int64_t>{-(1 << 18) + 2}));
}

TEST(Denotation, OfAStridedConvolutionAndItsTiles) {
    // 1 channel, 2 × 2 kernel [1 2; 3 4], stride 2: windows of a 4 × 4 ramp do not overlap.
    const UnitOperands operands{
        i8({4, 4, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}),
        i8({1, 2, 2, 1}, {1, 2, 3, 4})};
    const std::vector<std::int64_t> expected = {0 + 2 + 12 + 20, 2 + 6 + 18 + 28, 8 + 18 + 36 + 52,
                                                10 + 22 + 42 + 60};
    const auto conv = [](egraph::Param h, egraph::Param w) {
        return wrapped({Skeleton::Conv, {h, w, 1, 2, 2}}, mvTerm(1, 1, 4));
    };
    EXPECT_EQ(denote(conv(2, 2), operands).data, expected);
    EXPECT_EQ(denote(wrapped({Skeleton::TiledConvHW, {1, 2, 2, 2}}, conv(1, 2)), operands).data,
              expected);
    EXPECT_EQ(denote(wrapped({Skeleton::ParConvHW, {2, 1, 2, 2}}, conv(2, 1)), operands).data,
              expected);
    EXPECT_EQ(denote(wrapped({Skeleton::PaddedConvHW, {3, 2, 2, 2}}, conv(3, 2)), operands).data,
              expected);
}

TEST(Denotation, RefusesTermsWhosePartsDoNotFit) {
    EXPECT_EQ(rules::shapeOf(wrapped({Skeleton::TiledMv, {2, 3}}, mvTerm(1, 1, 2))), std::nullopt);
    EXPECT_EQ(rules::shapeOf(wrapped({Skeleton::PaddedMv, {2, 3}}, mvTerm(1, 1, 2))), std::nullopt);
    EXPECT_EQ(rules::shapeOf(wrapped({Skeleton::TiledConvOCH, {1, 2}}, mvTerm(1, 1, 2))),
              std::nullopt);
    EXPECT_EQ(rules::shapeOf(wrapped({Skeleton::Conv, {1, 1, 2, 2, 1}}, mvTerm(1, 1, 7))),
              std::nullopt);
    EXPECT_EQ(rules::shapeOf(UnitTerm{{Skeleton::Mv, {}}}), std::nullopt);
    ASSERT_TRUE(rules::shapeOf(mvTerm(1, 2, 3)).has_value());
    EXPECT_EQ(toString(*rules::shapeOf(mvTerm(1, 2, 3))), "Mv 2×3");
}

} // namespace marquetry
