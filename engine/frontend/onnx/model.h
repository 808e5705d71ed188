// What an ONNX file says, as plain values: no class of protobuf is seen outside the reader.
//
// Tensors are in row-major order of their dimensions. Numbers are exact: every float32 is a double,
// every integer of at most 64 bits (unsigned ones up to 2^63 − 1) an int64. Tensors of the graph
// are numbers; nodes stand in topological order. Thread rule: value types.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::frontend::onnx {

enum class Element : std::uint8_t {
    None,
    Float,
    Double,
    Int8,
    Uint8,
    Int16,
    Uint16,
    Int32,
    Uint32,
    Int64,
    Bool,
    Other, ///< known to ONNX, of no use here
};
bool isReal(Element element);
bool isInteger(Element element);
/// Smallest and largest value of an integer element.
std::int64_t lowestOf(Element element);
std::int64_t highestOf(Element element);
std::string nameOf(Element element);

struct OnnxConstant {
    Element element = Element::None;
    std::vector<std::int64_t> dims;
    std::vector<std::int64_t> ints; ///< of integers and Bool
    std::vector<double> reals;      ///< of Float and Double

    std::size_t size() const { return isReal(element) ? reals.size() : ints.size(); }
};
using ConstantPointer = std::shared_ptr<const OnnxConstant>;

struct OnnxAttribute {
    enum class Kind : std::uint8_t { Int, Real, Text, Ints, Reals, Tensor, Other };
    Kind kind = Kind::Other;
    std::int64_t number = 0;
    double real = 0;
    std::string text;
    std::vector<std::int64_t> ints;
    std::vector<double> reals;
    ConstantPointer tensor;
};

struct OnnxNode {
    std::string name; ///< as written, or "the 12th node" when it has none
    std::string op;
    std::string domain;
    std::vector<int> inputs;  ///< −1: left out
    std::vector<int> outputs; ///< −1: left out
    std::map<std::string, OnnxAttribute> attributes;

    std::int64_t integer(const std::string& key, std::int64_t fallback) const;
    double real(const std::string& key, double fallback) const;
    std::string text(const std::string& key, const std::string& fallback) const;
    /// Empty when the attribute is not there.
    std::vector<std::int64_t> integers(const std::string& key) const;
    bool has(const std::string& key) const { return attributes.contains(key); }
};

struct GraphTensor {
    std::string name;
    ConstantPointer constant; ///< of an initialiser
};

struct GraphPort {
    int tensor = 0;
    Element element = Element::None;
    std::vector<std::int64_t> dims; ///< −1: a name instead of a number
    bool hasShape = false;
};

struct OnnxModel {
    std::string name;
    std::string producer;
    std::map<std::string, std::int64_t> opsets; ///< by domain; that of ONNX is ""
    std::vector<GraphTensor> tensors;
    std::vector<OnnxNode> nodes;
    std::vector<GraphPort> inputs; ///< without those that initialisers give a value
    std::vector<GraphPort> outputs;

    std::int64_t opset() const { return opsets.contains("") ? opsets.at("") : 0; }
};

} // namespace marquetry::frontend::onnx
