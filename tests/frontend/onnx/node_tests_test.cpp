#include "tests/frontend/onnx/node_tests.h"

#include <gmock/gmock.h>

#include <filesystem>

namespace marquetry::frontend::onnx {
namespace {

using testing::HasSubstr;

struct NodeCase {
    std::string name;
    std::set<std::string> staying{}; ///< inputs that are not made constants, besides the first
    std::string reason{};            ///< of those that are refused
};

void PrintTo(const NodeCase& node, std::ostream* out) {
    *out << node.name;
}

std::string nameOf(const testing::TestParamInfo<NodeCase>& info) {
    return info.param.name;
}

class NodesImported : public testing::TestWithParam<NodeCase> {};

TEST_P(NodesImported, GiveWhatTheyShould) {
    NodeTest test(GetParam().name);
    const auto network = test.imported(GetParam().staying);
    ASSERT_TRUE(network) << format(network.error());
    const std::vector<double> ours = test.result(*network);
    const std::vector<double> expected = test.expected();
    ASSERT_EQ(ours.size(), expected.size());
    // Integers are equal; a float of the file is the exact one rounded.
    for (std::size_t k = 0; k < ours.size(); ++k)
        EXPECT_NEAR(ours[k], expected[k], 1e-7 * std::abs(expected[k])) << k;
}

class NodesRefused : public testing::TestWithParam<NodeCase> {};

TEST_P(NodesRefused, SayWhy) {
    const auto network = NodeTest(GetParam().name).imported(GetParam().staying);
    ASSERT_FALSE(network);
    EXPECT_THAT(format(network.error()), HasSubstr(GetParam().reason));
}

const std::vector<NodeCase> kImported = {
    {"test_basic_convinteger"},
    {"test_clip_default_int8_inbounds"},
    {"test_clip_default_int8_max"},
    {"test_clip_default_int8_min"},
    {"test_convinteger_with_padding"},
    {"test_convinteger_without_padding"},
    {"test_dequantizelinear"},
    {"test_dequantizelinear_axis"},
    {"test_matmulinteger"},
    {"test_maxpool_2d_uint8"},
    {"test_qlinearconv"},
    {"test_qlinearmatmul_2D"},
    {"test_qlinearmatmul_3D", {"b"}},
    {"test_quantizelinear"},
};

const std::vector<NodeCase> kRefused = {
    {"test_add_uint8", {"y"}, "wrap around"},
    {"test_bitshift_left_uint8", {}, "computes with the bits of integers"},
    {"test_bitshift_right_uint8", {}, "computes with the bits of integers"},
    {"test_div_uint8", {"y"}, "needs constants that are known beforehand"},
    {"test_dynamicquantizelinear", {}, "finds its scale while the network runs"},
    {"test_dynamicquantizelinear_expanded", {}, "ReduceMin"},
    {"test_dynamicquantizelinear_max_adjusted", {}, "finds its scale while the network runs"},
    {"test_dynamicquantizelinear_max_adjusted_expanded", {}, "ReduceMin"},
    {"test_dynamicquantizelinear_min_adjusted", {}, "finds its scale while the network runs"},
    {"test_dynamicquantizelinear_min_adjusted_expanded", {}, "ReduceMin"},
    {"test_max_int8", {"data_1"}, "compares two tensors that the network computes"},
    {"test_max_uint8", {"data_1"}, "compares two tensors that the network computes"},
    {"test_min_int8", {"data_1"}, "compares two tensors that the network computes"},
    {"test_min_uint8", {"data_1"}, "compares two tensors that the network computes"},
    {"test_mod_mixed_sign_int8", {"y"}, "computes with the bits of integers"},
    {"test_mod_uint8", {"y"}, "computes with the bits of integers"},
    {"test_mul_uint8", {"y"}, "wrap around"},
    {"test_quantizelinear_axis", {}, "3 scales or zero points for 1 channels"},
    {"test_sub_uint8", {"y"}, "wrap around"},
};

INSTANTIATE_TEST_SUITE_P(Debian, NodesImported, testing::ValuesIn(kImported), nameOf);
INSTANTIATE_TEST_SUITE_P(OfTwoActivations, NodesImported,
                         testing::Values(NodeCase{"test_qlinearmatmul_2D", {"b"}},
                                         NodeCase{"test_matmulinteger", {"B"}}),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Debian, NodesRefused, testing::ValuesIn(kRefused), nameOf);

/// Whether the test has a quantised operator, or reads integers of 8 bits.
bool isQuantised(const ::onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) {
        for (const char* const part : {"Quantize", "QLinear", "Integer"}) {
            if (node.op_type().find(part) != std::string::npos)
                return true;
        }
    }
    if (graph.input_size() == 0)
        return false;
    const int type = graph.input(0).type().tensor_type().elem_type();
    return type == ::onnx::TensorProto::UINT8 || type == ::onnx::TensorProto::INT8;
}

/// No test of the package is passed over.
TEST(NodeTests, AreImportedOrRefusedEachOfThem) {
    std::set<std::string> listed;
    for (const auto& cases : {kImported, kRefused}) {
        for (const NodeCase& node : cases)
            EXPECT_TRUE(listed.insert(node.name).second) << node.name;
    }
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(kNodeTests)) {
        const std::string name = entry.path().filename().string();
        if (isQuantised(NodeTest(name).graph()))
            found.insert(name);
    }
    EXPECT_EQ(listed, found);
}

} // namespace
} // namespace marquetry::frontend::onnx
