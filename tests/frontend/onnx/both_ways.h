// One network, run by the interpreter and by floats.
#pragma once

#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"
#include "engine/support/rng.h"
#include "tests/frontend/onnx/float_evaluation.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace marquetry::frontend::onnx {

class BothWays {
public:
    explicit BothWays(const std::string& bytes) : network_(importOnnx(bytes, "", "model.onnx")) {
        ::onnx::ModelProto model;
        EXPECT_TRUE(model.ParseFromString(bytes));
        floats_ = std::make_unique<FloatEvaluation>(model);
    }

    bool good() const { return network_.has_value(); }
    std::string why() const { return good() ? "" : format(network_.error()); }
    bool hasTail() const { return !network_->cut.empty(); }

    void compare(std::uint64_t seed) {
        const ImportNote& input = network_->inputs.at(0);
        const ir::Value& value = network_->program.value(input.value);
        SplitMix64 rng(seed);
        ir::Tensor image{value.type, {}};
        for (std::int64_t k = 0; k < value.type.elements(); ++k)
            image.data.push_back(rng.range(-127, 127));
        const auto run = ir::interpret(network_->program, {{value.name, image}});
        ASSERT_TRUE(run) << format(run.error());
        FloatTensor real{input.shape, {}};
        for (const std::int64_t number : inFileOrder(image.data, input.layout))
            real.data.push_back(static_cast<double>(number) * input.scale.value().toDouble());
        const auto expected = floats_->run(input.tensor, std::move(real));
        for (const ImportNote& note : network_->notes)
            compareTensor(note, run->values[note.value.index()], expected.at(note.tensor));
    }

    std::size_t compared = 0;

private:
    void compareTensor(const ImportNote& note, const ir::Tensor& held, const FloatTensor& real) {
        const auto ints = inFileOrder(held.data, note.layout);
        ASSERT_EQ(ints.size(), real.data.size()) << note.tensor;
        for (std::size_t k = 0; k < ints.size(); ++k) {
            const auto flat = static_cast<std::int64_t>(k);
            const double ours = static_cast<double>(ints[k]) * note.scale.at(flat).toDouble() +
                                note.offset.at(flat).toDouble();
            ++compared;
            ASSERT_NEAR(ours, real.data[k], 1e-9 * (1 + std::abs(real.data[k])))
                << note.tensor << " element " << k;
        }
    }

    Result<Imported> network_;
    std::unique_ptr<FloatEvaluation> floats_;
};

} // namespace marquetry::frontend::onnx
