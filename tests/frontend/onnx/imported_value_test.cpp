#include "engine/frontend/onnx/imported.h"
#include "tests/frontend/onnx/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::frontend::onnx {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const ir::ImportedValue* partOf(const ir::Program& program, const std::string& tensor) {
    const auto found = std::ranges::find(program.imported, tensor, &ir::ImportedValue::tensor);
    return found == program.imported.end() ? nullptr : &*found;
}

TEST(ImportedValues, NamesNodesScalesAndFactors) {
    const auto network = importOnnx(smallModel().bytes(), "", "m.onnx");
    ASSERT_TRUE(network) << format(network.error());
    const ir::ImportedValue* part = partOf(network->program, "out_q");
    ASSERT_NE(part, nullptr);
    EXPECT_EQ(part->node, "out_q_node");
    EXPECT_EQ(part->op, "QuantizeLinear");
    EXPECT_EQ(part->scale, "real value = 0.75 × integer + 5.25");
    // 1/8 ÷ 3/4 = 1/6, which no power of two divides.
    EXPECT_THAT(part->factor, HasSubstr("rounded even, zero point -7"));
    EXPECT_THAT(part->proof, HasSubstr("exact for"));
    EXPECT_EQ(network->program.value(part->value).op, ir::OpKind::Requant);
}

TEST(ImportedValues, OfTensorsThatNothingRoundsHasNoFactor) {
    ModelBuilder model(13);
    model.input("x", {2, 2}, ::onnx::TensorProto::UINT8);
    model.ints("w", {2, 1}, {-3, 5});
    model.ints("z", {}, {7}, ::onnx::TensorProto::UINT8);
    model.node("MatMulInteger", {"x", "w", "z"}, "y");
    model.output("y", {}, ::onnx::TensorProto::INT32);
    const auto network = importOnnx(model.bytes(), "", "m.onnx");
    ASSERT_TRUE(network) << format(network.error());
    for (const ir::ImportedValue& part : network->program.imported)
        EXPECT_THAT(part.factor + part.proof, IsEmpty()) << part.tensor;
}

} // namespace
} // namespace marquetry::frontend::onnx
