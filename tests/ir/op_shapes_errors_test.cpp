// Operands that do not fit: the exact code, and a message that names the numbers.
#include "tests/ir/tensor_maker.h"

#include <gmock/gmock.h>

namespace marquetry::ir {
namespace {

using testing::HasSubstr;

struct ErrorCase {
    OpKind kind;
    std::vector<Type> operands;
    OpParams params;
    std::string code;
    std::string message;
};

Type i8(Shape dims) {
    return {Scalar::I8, std::move(dims)};
}

void expectErrors(const std::vector<ErrorCase>& cases) {
    for (const ErrorCase& c : cases) {
        Diagnostics warnings;
        const auto type = inferType(c.kind, c.operands, c.params, warnings);
        ASSERT_FALSE(type.has_value()) << info(c.kind).name << " " << c.message;
        EXPECT_EQ(type.error()[0].code, c.code);
        EXPECT_THAT(type.error()[0].message + "; " + type.error()[0].hint, HasSubstr(c.message));
        EXPECT_TRUE(warnings.empty());
    }
}

const std::vector<ErrorCase> kMistakes = {
    {OpKind::Conv, {i8({4, 4}), i8({1, 3, 3, 1})}, {}, "shape-mismatch", "H×W×ICH"},
    {OpKind::Conv, {i8({4, 4, 1}), i8({3, 3, 1})}, {}, "shape-mismatch", "OCH×KH×KW×ICH"},
    {OpKind::Conv, {i8({4, 4, 1}), i8({1, 3, 5, 1})}, {}, "shape-mismatch", "5 columns"},
    {OpKind::Conv, {i8({4, 4, 2}), i8({1, 3, 3, 5})}, {}, "shape-mismatch", "have 5"},
    {OpKind::Conv, {i8({2, 4, 1}), i8({1, 3, 3, 1})}, {}, "shape-mismatch", "3 rows is larger"},
    {OpKind::Conv, {i8({4, 2, 1}), i8({1, 3, 3, 1})}, {}, "shape-mismatch", "3 columns"},
    {OpKind::Conv, {{Scalar::I32, {4, 4, 1}}, i8({1, 3, 3, 1})}, {}, "type-mismatch", "i32"},
    {OpKind::DwConv, {i8({4, 4, 2}), i8({3, 3, 3})}, {}, "shape-mismatch", "have 3"},
    {OpKind::Conv1dW, {i8({4, 2}), i8({3})}, {}, "shape-mismatch", "3 columns"},
    {OpKind::Conv1dH, {i8({2, 4}), i8({3})}, {}, "shape-mismatch", "3 rows"},
    {OpKind::Conv1dH, {i8({2}), i8({3})}, {}, "shape-mismatch", "H×W"},
    {OpKind::Mm, {i8({2, 3}), i8({3, 2})}, {}, "shape-mismatch", "3 and 2"},
    {OpKind::Bmm, {i8({2, 3, 4}), i8({1, 3, 4})}, {}, "shape-mismatch", "do not fit"},
    {OpKind::Mv, {i8({2, 3}), i8({2})}, {}, "shape-mismatch", "3 columns"},
    {OpKind::Mv, {i8({2, 3}), i8({3, 1})}, {}, "shape-mismatch", "vector"},
    {OpKind::Dot, {i8({2}), i8({3})}, {}, "shape-mismatch", "2 and 3"},
    {OpKind::Add, {i8({2, 3}), i8({2})}, {}, "shape-mismatch", "i8[2, 3]"},
    {OpKind::Add, {{Scalar::U32, {2}}, i8({2})}, {}, "type-mismatch", "u32"},
    {OpKind::Relu, {{Scalar::Bit, {2}}}, {}, "type-mismatch", "bit"},
    {OpKind::MaxPool, {i8({3, 3, 1})}, {.size = 4}, "shape-mismatch", "larger"},
    {OpKind::MaxPool, {i8({3, 3, 1})}, {.size = 2, .padAfter = 2}, "bad-parameter", "pad_after"},
    {OpKind::SumPool, {i8({3, 3})}, {.size = 2}, "shape-mismatch", "H×W×C"},
    {OpKind::Slice, {i8({3})}, {.axis = 1, .from = 0, .until = 1}, "bad-parameter", "axis 1"},
    {OpKind::Slice, {i8({3})}, {.from = 2, .until = 2}, "bad-parameter", "2 to 2"},
    {OpKind::Slice, {i8({3})}, {.from = 2, .until = 4}, "bad-parameter", "0 to 3"},
    {OpKind::Concat, {i8({3}), {Scalar::U8, {3}}}, {}, "type-mismatch", "scalars"},
    {OpKind::Concat, {i8({3, 2}), i8({3, 3})}, {}, "shape-mismatch", "another axis"},
    {OpKind::Concat, {i8({3, 2}), i8({3})}, {}, "shape-mismatch", "another axis"},
    {OpKind::Concat, {i8({3}), i8({3})}, {.axis = 1}, "bad-parameter", "axis 1"},
    {OpKind::Reshape, {i8({3, 2})}, {.list = {4, 2}}, "shape-mismatch", "6 elements"},
    {OpKind::Transpose, {i8({3})}, {}, "shape-mismatch", "matrix"},
    {OpKind::Permute, {i8({3, 2})}, {.list = {0, 0}}, "bad-parameter", "once"},
    {OpKind::Permute, {i8({3, 2})}, {.list = {0, 2}}, "bad-parameter", "once"},
    {OpKind::Permute, {i8({3, 2})}, {.list = {0}}, "bad-parameter", "once"},
    {OpKind::Permute, {i8({3, 2})}, {.list = {1, 0, 0}}, "bad-parameter", "once"},
    {OpKind::Softmax, {i8({3})}, {}, "shape-mismatch", "R×N"},
    {OpKind::Mm, {i8({1 << 20, 1}), i8({1 << 20, 1})}, {}, "too-large", "2147483648"},
    {OpKind::Relu, {i8({1}), i8({1})}, {}, "operand-count", "1 operand, but got 2"},
    {OpKind::Add, {i8({1})}, {}, "operand-count", "2 operands, but got 1"},
};

TEST(OpShapesErrors, EveryMistakeHasItsCode) {
    expectErrors(kMistakes);
}

Type i32(Shape dims) {
    return {Scalar::I32, std::move(dims)};
}

const std::vector<ErrorCase> kMistakesOfQuantisedNetworks = {
    {OpKind::Conv, {i8({4, 4, 4}), i8({3, 3, 3, 2})}, {.groups = 2}, "shape-mismatch", "2 groups"},
    {OpKind::Conv,
     {i8({4, 4, 4}), i8({2, 3, 3, 4})},
     {.groups = 2},
     "shape-mismatch",
     "ICH ÷ groups"},
    {OpKind::Conv,
     {i8({4, 4, 1}), i8({1, 3, 3, 1})},
     {.pad = 1, .fill = 128},
     "bad-parameter",
     "128 is no i8"},
    {OpKind::Requant,
     {i8({2, 3}), i8({3})},
     {.vectors = kVectorMul},
     "type-mismatch",
     "i32 weight"},
    {OpKind::Requant,
     {i8({2, 3}), i32({2})},
     {.vectors = kVectorMul},
     "shape-mismatch",
     "last dimension"},
    {OpKind::Requant,
     {i8({2, 3}), i8({3})},
     {.vectors = kVectorShift},
     "type-mismatch",
     "u8 weight"},
    {OpKind::Requant, {i8({2}), i8({2})}, {}, "operand-count", "but got 2"},
    {OpKind::Requant, {i8({2})}, {.shift = 4, .tie = 1}, "bad-parameter", "round: even"},
    {OpKind::Requant,
     {i8({2})},
     {.shift = 4, .tie = 8, .round = Rounding::Even},
     "bad-parameter",
     "half of 2^4"},
    {OpKind::QAdd, {i8({2, 3}), i8({3})}, {}, "shape-mismatch", "must be equal"},
    {OpKind::Clip, {i8({2})}, {.lo = 4, .hi = 3}, "bad-parameter", "4 to 3"},
    {OpKind::Clip, {i8({2})}, {.lo = 4, .hi = 128}, "bad-parameter", "no part of i8"},
    {OpKind::Table, {i8({2}), i8({255})}, {}, "shape-mismatch", "256 entries"},
    {OpKind::Table, {{Scalar::I16, {2}}, i8({256})}, {}, "type-mismatch", "at most 8 bits"},
    {OpKind::AvgPool,
     {i8({4, 4, 1})},
     {.pad = {0, 3, 0, 0}, .size = 3},
     "bad-parameter",
     "padding alone"},
    {OpKind::AvgPool,
     {i8({99, 99, 1})},
     {.pad = 50, .size = 51},
     "bad-parameter",
     "too many different"},
    {OpKind::DepthToSpace, {i8({2, 2, 6})}, {.block = 2}, "shape-mismatch", "6 channels"},
    {OpKind::LayerNorm, {i8({3})}, {}, "shape-mismatch", "R×N"},
    {OpKind::Upsample, {i8({3})}, {}, "shape-mismatch", "H×W×C"},
};

TEST(OpShapesErrors, OfQuantisedNetworksToo) {
    expectErrors(kMistakesOfQuantisedNetworks);
}

std::string warningOf(OpKind kind, const std::vector<Type>& operands, const OpParams& params) {
    Diagnostics warnings;
    EXPECT_TRUE(inferType(kind, operands, params, warnings).has_value());
    return warnings.empty() ? "" : warnings[0].code + ": " + warnings[0].message;
}

TEST(OpShapesErrors, DroppedRowsAndColumnsAreAWarning) {
    EXPECT_EQ(warningOf(OpKind::MaxPool, {i8({5, 4, 1})}, {.stride = 2, .size = 2}),
              "dropped-elements: maxpool drops 1 of 5 rows: no window reaches them");
    EXPECT_EQ(warningOf(OpKind::SumPool, {i8({4, 5, 1})}, {.stride = 2, .size = 2}),
              "dropped-elements: sumpool drops 1 of 5 columns: no window reaches them");
    EXPECT_EQ(warningOf(OpKind::MaxPool, {i8({5, 5, 1})}, {.stride = 2, .size = 2, .padAfter = 1}),
              "");
    // Only padding is left over: 4 + 2 − 3 = 3, stride 2.
    const std::vector<Type> conv = {i8({4, 4, 1}), i8({1, 3, 3, 1})};
    EXPECT_EQ(warningOf(OpKind::Conv, conv, {.pad = 1, .stride = 2}), "");
    EXPECT_EQ(warningOf(OpKind::Conv, conv, {.pad = 0, .stride = 2}),
              "dropped-elements: conv drops 1 of 4 rows: no window reaches them");
    // A stride larger than the window leaves gaps.
    EXPECT_EQ(warningOf(OpKind::Conv, {i8({5, 1, 1}), i8({1, 1, 1, 1})}, {.stride = 2}),
              "dropped-elements: conv drops 2 of 5 rows: no window reaches them");
}

} // namespace
} // namespace marquetry::ir
