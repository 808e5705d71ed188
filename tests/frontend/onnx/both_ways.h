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
    const Imported& network() const { return *network_; }

    /// From the input to the output.
    void compare(std::uint64_t seed) {
        const ir::Tensor image = drawImage(seed);
        const auto run = interpret(image);
        ASSERT_TRUE(run) << format(run.error());
        const auto expected = floats_->run(input().tensor, realInput(image));
        for (const ImportNote& note : network_->notes)
            compareTensor(note, realsOf(note, run->values), expected.at(note.tensor), 1e-9);
    }

    /// Each node on what the program computes before it, so that one result within the distance
    /// `allowed` for its operator changes no other.
    void compareNodeByNode(std::uint64_t seed, const std::map<std::string, double>& allowed) {
        const ir::Tensor image = drawImage(seed);
        const auto run = interpret(image);
        ASSERT_TRUE(run) << format(run.error());
        std::map<std::string, const ImportNote*> notes;
        for (const ImportNote& note : network_->notes)
            notes[note.tensor] = &note;
        const auto look = [&](const ::onnx::NodeProto& node, FloatTensor& result) {
            const auto found = notes.find(node.output(0));
            if (found == notes.end())
                return;
            // Of a quantised tensor of the file the integers are compared.
            FloatTensor ours = node.op_type() == "QuantizeLinear"
                                   ? integersOf(*found->second, run->values)
                                   : realsOf(*found->second, run->values);
            ours.dims = result.dims;
            const auto distance = allowed.find(node.op_type());
            compareTensor(*found->second, ours, result,
                          distance == allowed.end() ? 1e-9 : distance->second);
            result = std::move(ours);
        };
        floats_->run(input().tensor, realInput(image), look);
    }

    std::size_t compared = 0;

private:
    const ImportNote& input() const { return network_->inputs.at(0); }

    ir::Tensor drawImage(std::uint64_t seed) const {
        const ir::Value& value = network_->program.value(input().value);
        SplitMix64 rng(seed);
        ir::Tensor image{value.type, {}};
        for (std::int64_t k = 0; k < value.type.elements(); ++k)
            image.data.push_back(rng.range(-127, 127));
        return image;
    }

    Result<ir::InterpreterResult> interpret(const ir::Tensor& image) const {
        return ir::interpret(network_->program,
                             {{network_->program.value(input().value).name, image}});
    }

    FloatTensor realInput(const ir::Tensor& image) const {
        FloatTensor real{input().shape, {}};
        const double scale = input().scale.value().toDouble();
        const double zero = input().offset.value().toDouble() / scale;
        for (const std::int64_t number : inFileOrder(image.data, input().layout))
            real.data.push_back((static_cast<double>(number) + zero) * scale);
        return real;
    }

    static FloatTensor integersOf(const ImportNote& note, const std::vector<ir::Tensor>& values) {
        const auto ints = inFileOrder(values[note.value.index()].data, note.layout);
        return {note.shape, {ints.begin(), ints.end()}};
    }

    static FloatTensor realsOf(const ImportNote& note, const std::vector<ir::Tensor>& values) {
        FloatTensor real{note.shape, {}};
        const auto ints = inFileOrder(values[note.value.index()].data, note.layout);
        for (std::size_t k = 0; k < ints.size(); ++k) {
            const auto flat = static_cast<std::int64_t>(k);
            real.data.push_back(static_cast<double>(ints[k]) * note.scale.at(flat).toDouble() +
                                note.offset.at(flat).toDouble());
        }
        return real;
    }

    void compareTensor(const ImportNote& note, const FloatTensor& ours, const FloatTensor& real,
                       double allowed) {
        ASSERT_EQ(ours.data.size(), real.data.size()) << note.tensor;
        for (std::size_t k = 0; k < ours.data.size(); ++k) {
            ++compared;
            ASSERT_NEAR(ours.data[k], real.data[k], allowed * (1 + std::abs(real.data[k])))
                << note.tensor << " element " << k;
        }
    }

    Result<Imported> network_;
    std::unique_ptr<FloatEvaluation> floats_;
};

} // namespace marquetry::frontend::onnx
