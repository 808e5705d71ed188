#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"
#include "engine/support/rng.h"
#include "tests/support/places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace marquetry::frontend::onnx {
namespace {

struct NetworkFigures {
    std::string name;
    std::int64_t macs; ///< of the published network with this topology
    std::int64_t results;
};

class ExampleNetworks : public testing::TestWithParam<NetworkFigures> {
protected:
    ExampleNetworks()
        : network_(importOnnxFile(test::sourceFolder() + "/examples/networks/" + GetParam().name +
                                  ".onnx")) {}

    Result<Imported> network_;
};

TEST_P(ExampleNetworks, HaveTheWorkOfThePublishedOnes) {
    ASSERT_TRUE(network_) << format(network_.error());
    const ir::Program& program = network_->program;
    EXPECT_EQ(program.macs(), GetParam().macs);
    ASSERT_EQ(program.outputs.size(), 1U);
    EXPECT_EQ(program.value(program.outputs[0].value).type.elements(), GetParam().results);
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

INSTANTIATE_TEST_SUITE_P(Topologies, ExampleNetworks,
                         testing::Values(NetworkFigures{"resnet8", 12501632, 10},
                                         NetworkFigures{"ds_cnn", 2656768, 12},
                                         NetworkFigures{"mobilenet", 7489664, 2},
                                         NetworkFigures{"autoencoder", 264192, 640}),
                         [](const auto& network) { return network.param.name; });

} // namespace
} // namespace marquetry::frontend::onnx
