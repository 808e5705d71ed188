#include "engine/frontend/onnx/imported.h"
#include "engine/frontend/onnx/rows.h"
#include "engine/ir/interpreter.h"
#include "engine/support/files.h"
#include "engine/support/rng.h"
#include "tests/frontend/onnx/both_ways.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace marquetry::frontend::onnx {
namespace {

/// Pixels × windows × results of each convolution.
constexpr std::int64_t kUNet = 1024 * (27 * 8 + 72 * 8) + 256 * (72 * 16 + 144 * 16) +
                               64 * (144 * 32 + 288 * 32) + 256 * (9 * 48 * 16) +
                               1024 * (9 * 24 * 8) + 1024 * (8 * 2);
/// Query, key, value and what is made of their mixture; scores and mixtures of two heads; two
/// layers.
constexpr std::int64_t kTransformer = 4 * 16 * 32 * 32 + 2 * 2 * (16 * 16 * 16) + 2 * 16 * 32 * 64;

struct NetworkFigures {
    std::string name;
    std::int64_t macs; ///< of the topology: of the published network where there is one
    std::int64_t results;
};

class ExampleNetworks : public testing::TestWithParam<NetworkFigures> {
protected:
    static std::string path() {
        return test::sourceFolder() + "/examples/networks/" + GetParam().name + ".onnx";
    }
    ExampleNetworks() : network_(importOnnxFile(path())) {}

    Result<Imported> network_;
};

TEST_P(ExampleNetworks, HaveTheWorkOfThePublishedOnes) {
    ASSERT_TRUE(network_) << format(network_.error());
    const ir::Program& program = network_->program;
    EXPECT_EQ(program.macs(), GetParam().macs);
    ASSERT_EQ(program.outputs.size(), 1U);
    EXPECT_EQ(program.value(program.outputs[0].value).type.elements(), GetParam().results);
}

/// Without the dimension of the batch: so they can be computed in bands of rows.
TEST_P(ExampleNetworks, JoinImagesAsImages) {
    ASSERT_TRUE(network_) << format(network_.error());
    std::size_t joined = 0;
    for (const ir::Value& value : network_->program.values)
        if (value.op == ir::OpKind::Concat) {
            ++joined;
            EXPECT_EQ(value.type.dims.size(), 3U) << value.name;
            EXPECT_EQ(value.params.axis, 2) << value.name;
        }
    EXPECT_EQ(joined, GetParam().name == "u_net" ? 2U : 0U);
}

/// Weights at random are no reason for activations that are all alike: nothing would be tested.
TEST_P(ExampleNetworks, KeepTheirActivationsAlive) {
    ASSERT_TRUE(network_) << format(network_.error());
    const ir::Value& input = network_->program.value(network_->program.inputs.at(0));
    SplitMix64 rng(1);
    ir::Tensor image{input.type, {}};
    for (std::int64_t k = 0; k < input.type.elements(); ++k)
        image.data.push_back(rng.range(-128, 127));
    const auto run = ir::interpret(network_->program, {{input.name, image}});
    ASSERT_TRUE(run) << format(run.error());
    for (const ImportNote& note : network_->notes) {
        const auto& data = run->values[note.value.index()].data;
        if (!note.requantised || data.size() < 64)
            continue;
        EXPECT_GE(std::set(data.begin(), data.end()).size(), 16U) << note.tensor;
        EXPECT_LT(std::ranges::count(data, 127), std::ssize(data) / 10) << note.tensor;
    }
}

/// Every node that gives integers, on the integers before it.
TEST_P(ExampleNetworks, EqualAnEvaluationWithFloat64) {
    BothWays both(files::read(path()).value_or(""));
    ASSERT_TRUE(both.good()) << both.why();
    std::map<std::string, double> allowed;
    if (GetParam().name == "transformer")
        allowed = {{"Softmax", softmaxBound(16)},
                   {"LayerNormalization", 1.3 * layerNormBounds(32, 8, 1e-5, 0.02).usual}};
    for (std::uint64_t seed = 0; seed < 3 && !HasFailure(); ++seed)
        both.compareNodeByNode(seed, allowed);
    EXPECT_GT(both.compared, 1000U);
}

INSTANTIATE_TEST_SUITE_P(Topologies, ExampleNetworks,
                         testing::Values(NetworkFigures{"resnet8", 12501632, 10},
                                         NetworkFigures{"ds_cnn", 2656768, 12},
                                         NetworkFigures{"mobilenet", 7489664, 2},
                                         NetworkFigures{"autoencoder", 264192, 640},
                                         NetworkFigures{"u_net", kUNet, 2048},
                                         NetworkFigures{"transformer", kTransformer, 512}),
                         [](const auto& network) { return network.param.name; });

} // namespace
} // namespace marquetry::frontend::onnx
