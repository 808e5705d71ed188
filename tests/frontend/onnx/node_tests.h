// The node tests that come with ONNX (Debian: libonnx-testdata): a model of one operator, its
// inputs, and what it gives for them.
//
// What a network knows beforehand (weights, scales, zero points) is an input of the graph there:
// constants are made of those inputs that do not stay.
#pragma once

#include "engine/frontend/onnx/imported.h"
#include "engine/ir/interpreter.h"

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

inline const std::string kNodeTests = "/usr/share/libonnx-testdata/data/node/";

class NodeTest {
public:
    explicit NodeTest(const std::string& name) : folder_(kNodeTests + name + "/") {
        EXPECT_TRUE(load("model.onnx", model_)) << folder_;
    }

    const ::onnx::GraphProto& graph() const { return model_.graph(); }

    /// Every input becomes a constant but the first one and these.
    Result<Imported> imported(const std::set<std::string>& staying) {
        auto& graph = *model_.mutable_graph();
        for (int k = 0; k < graph.input_size(); ++k) {
            ::onnx::TensorProto tensor;
            EXPECT_TRUE(load("test_data_set_0/input_" + std::to_string(k) + ".pb", tensor));
            tensor.set_name(graph.input(k).name());
            inputs_[tensor.name()] = numbersOf(tensor);
            if (k > 0 && !staying.contains(tensor.name()))
                *graph.add_initializer() = tensor;
        }
        return importOnnx(model_.SerializeAsString(), "", "model.onnx");
    }

    /// What the program makes of the test's inputs, as real numbers in the file's order.
    std::vector<double> result(const Imported& network) const {
        std::map<std::string, ir::Tensor> given;
        for (const ImportNote& note : network.inputs) {
            const ir::Value& value = network.program.value(note.value);
            given[value.name] = {value.type,
                                 inProgramOrder(integersOf(note, value.type.scalar), note.layout)};
        }
        const auto run = ir::interpret(network.program, given);
        EXPECT_TRUE(run) << format(run.error());
        std::vector<double> reals;
        if (!run)
            return reals;
        const ImportNote& to = network.outputs.at(0);
        const auto ints = inFileOrder(run->values[to.value.index()].data, to.layout);
        for (std::size_t k = 0; k < ints.size(); ++k) {
            const auto flat = static_cast<std::int64_t>(k);
            reals.push_back(static_cast<double>(ints[k]) * to.scale.at(flat).toDouble() +
                            to.offset.at(flat).toDouble());
        }
        return reals;
    }

    std::vector<double> expected() const {
        ::onnx::TensorProto tensor;
        EXPECT_TRUE(load("test_data_set_0/output_0.pb", tensor));
        return numbersOf(tensor);
    }

private:
    template <class Message>
    bool load(const std::string& name, Message& message) const {
        std::ifstream file(folder_ + name, std::ios::binary);
        return message.ParseFromIstream(&file);
    }

    template <class T>
    static void append(const std::string& raw, std::vector<double>& numbers) {
        for (std::size_t at = 0; at + sizeof(T) <= raw.size(); at += sizeof(T)) {
            T value;
            std::memcpy(&value, raw.data() + at, sizeof value);
            numbers.push_back(static_cast<double>(value));
        }
    }

    static std::vector<double> numbersOf(const ::onnx::TensorProto& tensor) {
        std::vector<double> numbers(tensor.float_data().begin(), tensor.float_data().end());
        numbers.insert(numbers.end(), tensor.int32_data().begin(), tensor.int32_data().end());
        const std::string& raw = tensor.raw_data();
        switch (tensor.data_type()) {
        case ::onnx::TensorProto::FLOAT:
            append<float>(raw, numbers);
            break;
        case ::onnx::TensorProto::INT8:
            append<std::int8_t>(raw, numbers);
            break;
        case ::onnx::TensorProto::UINT8:
            append<std::uint8_t>(raw, numbers);
            break;
        case ::onnx::TensorProto::INT32:
            append<std::int32_t>(raw, numbers);
            break;
        default:
            ADD_FAILURE() << tensor.name() << " has the type " << tensor.data_type();
        }
        return numbers;
    }

    /// A float input as its first quantisation rounds it, half to even.
    std::vector<std::int64_t> integersOf(const ImportNote& note, ir::Scalar type) const {
        const double scale = note.scale.value().toDouble();
        const double zero = std::nearbyint(-note.offset.value().toDouble() / scale);
        const ir::ScalarInfo& scalar = ir::info(type);
        std::vector<std::int64_t> ints;
        for (const double real : inputs_.at(note.tensor)) {
            const double steps = std::nearbyint(real / scale) + zero;
            ints.push_back(static_cast<std::int64_t>(std::clamp(
                steps, static_cast<double>(scalar.min), static_cast<double>(scalar.max))));
        }
        return ints;
    }

    std::string folder_;
    ::onnx::ModelProto model_;
    std::map<std::string, std::vector<double>> inputs_;
};

} // namespace marquetry::frontend::onnx
