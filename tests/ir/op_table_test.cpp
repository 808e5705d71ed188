#include "tests/ir/tensor_maker.h"

#include <set>

namespace marquetry::ir {
namespace {

TEST(OpTable, EntriesStandAtTheirKind) {
    ASSERT_EQ(opTable().size(), kOpCount);
    for (std::size_t k = 0; k < kOpCount; ++k) {
        EXPECT_EQ(static_cast<std::size_t>(opTable()[k].kind), k);
        EXPECT_EQ(&info(static_cast<OpKind>(k)), &opTable()[k]);
    }
}

TEST(OpTable, NamesAreThoseOfTheLanguage) {
    const std::set<std::string_view> expected = {
        "conv",    "dwconv",  "conv1d_w",  "conv1d_h", "mm",       "bmm",
        "mv",      "dot",     "add",       "sub",      "mul",      "relu",
        "leaky",   "requant", "maxpool",   "sumpool",  "slice",    "concat",
        "flatten", "reshape", "transpose", "permute",  "softmax",  "layernorm",
        "qadd",    "clip",    "table",     "avgpool",  "upsample", "depth_to_space"};
    std::set<std::string_view> names;
    for (const OpInfo& op : opTable()) {
        names.insert(op.name);
        EXPECT_EQ(opNamed(op.name), &op);
    }
    EXPECT_EQ(names, expected);
    EXPECT_EQ(opNamed("Conv"), nullptr);
}

TEST(OpTable, ScalarsKnowTheirRange) {
    EXPECT_EQ(info(Scalar::I16).min, -32768);
    EXPECT_EQ(info(Scalar::U32).max, 4294967295LL);
    EXPECT_EQ(info(Scalar::Bit).max, 1);
    EXPECT_EQ(scalarNamed("u16"), Scalar::U16);
    EXPECT_EQ(scalarNamed("f32"), std::nullopt);
    EXPECT_EQ(toString(Type{Scalar::I8, {32, 32, 3}}), "i8[32, 32, 3]");
    EXPECT_EQ(toString(Type{Scalar::I32, {}}), "i32");
    EXPECT_EQ((Type{Scalar::I32, {}}).elements(), 1);
    EXPECT_EQ((Type{Scalar::I16, {3, 5}}).bytes(), 30);
}

TEST(OpTable, NumbersOfOddWidthAreStoredAsThoseOfWholeBytes) {
    EXPECT_TRUE(isStoredAs(Scalar::U3, Scalar::I8));
    EXPECT_TRUE(isStoredAs(Scalar::U7, Scalar::I8));
    EXPECT_TRUE(isStoredAs(Scalar::U3, Scalar::U8));
    EXPECT_TRUE(isStoredAs(Scalar::I5, Scalar::I8));
    EXPECT_TRUE(isStoredAs(Scalar::I8, Scalar::I8));
    EXPECT_FALSE(isStoredAs(Scalar::I5, Scalar::U8));
    EXPECT_FALSE(isStoredAs(Scalar::U8, Scalar::I8));
    EXPECT_FALSE(isStoredAs(Scalar::I8, Scalar::I16));
    EXPECT_FALSE(isStoredAs(Scalar::I8, Scalar::I5));
}

TEST(OpTable, MacsAreCountedPerOutputElement) {
    const auto macs = [](OpKind kind, const std::vector<Type>& types, const OpParams& params) {
        return info(kind).macs(types, params);
    };
    const Type x{Scalar::I8, {32, 32, 3}};
    EXPECT_EQ(macs(OpKind::Conv, {x, {Scalar::I8, {64, 3, 3, 3}}}, {.pad = 1}), 32 * 32 * 64 * 27);
    EXPECT_EQ(macs(OpKind::Conv, {x, {Scalar::I8, {64, 3, 3, 3}}}, {.stride = 2}),
              15 * 15 * 64 * 27);
    EXPECT_EQ(macs(OpKind::DwConv, {x, {Scalar::I8, {3, 3, 3}}}, {}), 30 * 30 * 3 * 9);
    EXPECT_EQ(macs(OpKind::Conv1dW, {{Scalar::I8, {4, 6}}, {Scalar::I8, {3}}}, {}), 4 * 4 * 3);
    EXPECT_EQ(macs(OpKind::Conv1dH, {{Scalar::I8, {4, 6}}, {Scalar::I8, {3}}}, {}), 2 * 6 * 3);
    EXPECT_EQ(macs(OpKind::Mm, {{Scalar::I8, {4, 6}}, {Scalar::I8, {5, 6}}}, {}), 120);
    EXPECT_EQ(macs(OpKind::Bmm, {{Scalar::I8, {2, 4, 6}}, {Scalar::I8, {2, 5, 6}}}, {}), 240);
    EXPECT_EQ(macs(OpKind::Mv, {{Scalar::I8, {4, 6}}, {Scalar::I8, {6}}}, {}), 24);
    EXPECT_EQ(macs(OpKind::Dot, {{Scalar::I8, {6}}, {Scalar::I8, {6}}}, {}), 6);
    EXPECT_EQ(macs(OpKind::Mul, {x, x}, {}), 0);
}

} // namespace
} // namespace marquetry::ir
