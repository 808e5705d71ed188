#include "tests/frontend/onnx/both_ways.h"
#include "tests/frontend/onnx/golden.h"

#include <gmock/gmock.h>

namespace marquetry::frontend::onnx {
namespace {

struct GoldenNetwork {
    std::string folder;
    std::size_t elements; ///< quantised values that are compared: all but the
                          ///< input's and what Softmax gives
    std::size_t ties;     ///< of them on the other side of an exact half
    std::size_t nearTies; ///< of them on the other side of a value nearly half
};

class GoldenNodes : public testing::TestWithParam<GoldenNetwork> {};

TEST_P(GoldenNodes, AreEqualOrOneStepAwayAtAnExactTie) {
    const std::string folder = modelsFolder() + "/" + GetParam().folder;
    const auto network = importOnnxFile(folder + "/model.onnx");
    ASSERT_TRUE(network) << format(network.error());
    const Golden golden = readGolden(folder + "/golden_ort1.30");
    NodeByNode check(*network, golden);
    check.run();
    EXPECT_THAT(check.faults, testing::IsEmpty());
    EXPECT_EQ(check.elements, GetParam().elements);
    EXPECT_EQ(check.ties, GetParam().ties);
    EXPECT_EQ(check.nearTies, GetParam().nearTies);
}

INSTANTIATE_TEST_SUITE_P(
    Published, GoldenNodes,
    testing::Values(GoldenNetwork{"mlperf_tiny_ic_resnet8_qdq", 114762, 0, 1},
                    GoldenNetwork{"mlperf_tiny_kws_dscnn_qdq", 72076, 0, 0},
                    GoldenNetwork{"mlperf_tiny_vww_mobilenet_qdq", 231810, 0, 0},
                    GoldenNetwork{"mlperf_tiny_ad_autoencoder_qdq", 1672, 0, 0},
                    GoldenNetwork{"micro_kws_m_static_qdq", 49716, 7, 0},
                    GoldenNetwork{"micro_kws_m_static_qoperator", 41556, 0, 0}),
    [](const auto& network) { return network.param.folder; });

/// Numbers of a text file, one a line, behind a line that begins with '#'.
std::vector<std::int64_t> readNumbers(const std::string& path) {
    std::vector<std::int64_t> numbers;
    TextIn in(files::read(path).value_or(""));
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line[0] != '#')
            numbers.push_back(std::stoll(line));
    }
    return numbers;
}

TEST(GoldenFrontnet, IsEqualFromInputToOutput) {
    const std::string folder = modelsFolder() + "/dory_nas_frontnet";
    const auto network = importOnnxFile(folder + "/Frontnet.onnx");
    ASSERT_TRUE(network) << format(network.error());
    const ir::Program& program = network->program;
    ASSERT_EQ(program.inputs.size(), 1U);
    const ir::Value& input = program.value(program.inputs[0]);
    const ir::Tensor image{input.type, readNumbers(folder + "/input.txt")};
    const auto run = ir::interpret(program, {{input.name, image}});
    ASSERT_TRUE(run) << format(run.error());
    // Tensors of the file behind each layer: its values are H × W × C, as the program holds them.
    const std::vector<std::string> layers = {"64", "65", "75", "85", "95", "105", "115", "125"};
    for (std::size_t k = 0; k < layers.size(); ++k) {
        const auto expected = readNumbers(folder + "/out_layer" + std::to_string(k) + ".txt");
        const auto note = std::find_if(network->notes.begin(), network->notes.end(),
                                       [&](const ImportNote& n) { return n.tensor == layers[k]; });
        ASSERT_NE(note, network->notes.end()) << layers[k];
        EXPECT_EQ(run->values[note->value.index()].data, expected) << "layer " << k;
    }
    std::vector<std::int64_t> last;
    for (const ir::Output& output : program.outputs)
        last.push_back(run->values[output.value.index()].data.at(0));
    EXPECT_EQ(last, readNumbers(folder + "/out_layer8.txt"));
}

class PublishedQonnx : public testing::TestWithParam<std::string> {};

TEST_P(PublishedQonnx, EqualsAnEvaluationWithFloat64OnRandomInputs) {
    const std::string file = modelsFolder() + "/" + GetParam() + "/model.onnx";
    BothWays both(files::read(file).value_or(""));
    ASSERT_TRUE(both.good()) << both.why();
    EXPECT_FALSE(both.hasTail());
    for (std::uint64_t seed = 0; seed < 100 && !HasFailure(); ++seed)
        both.compare(seed);
    EXPECT_GT(both.compared, 100'000U);
}

INSTANTIATE_TEST_SUITE_P(Networks, PublishedQonnx,
                         testing::Values("finn_kws_w3a3_qonnx", "nn2fpga_resnet8_a8w8b16"),
                         [](const auto& network) { return network.param; });

} // namespace
} // namespace marquetry::frontend::onnx
