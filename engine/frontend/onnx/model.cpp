#include "engine/frontend/onnx/model.h"

#include <limits>

namespace marquetry::frontend::onnx {
namespace {

struct ElementInfo {
    const char* name;
    bool real;
    bool integer;
    std::int64_t lowest;
    std::int64_t highest;
};

template <class T>
constexpr ElementInfo integerInfo(const char* name) {
    return {name, false, true, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

const ElementInfo& elementInfo(Element element) {
    static const ElementInfo kInfos[] = {
        {"no type", false, false, 0, 0},      {"float", true, false, 0, 0},
        {"double", true, false, 0, 0},        integerInfo<std::int8_t>("int8"),
        integerInfo<std::uint8_t>("uint8"),   integerInfo<std::int16_t>("int16"),
        integerInfo<std::uint16_t>("uint16"), integerInfo<std::int32_t>("int32"),
        integerInfo<std::uint32_t>("uint32"), integerInfo<std::int64_t>("int64"),
        {"bool", false, false, 0, 1},         {"another type", false, false, 0, 0},
    };
    return kInfos[static_cast<std::size_t>(element)];
}

const OnnxAttribute* attributeOf(const OnnxNode& node, const std::string& key,
                                 OnnxAttribute::Kind kind) {
    const auto found = node.attributes.find(key);
    return found != node.attributes.end() && found->second.kind == kind ? &found->second : nullptr;
}

} // namespace

bool isReal(Element element) {
    return elementInfo(element).real;
}

bool isInteger(Element element) {
    return elementInfo(element).integer;
}

std::int64_t lowestOf(Element element) {
    return elementInfo(element).lowest;
}

std::int64_t highestOf(Element element) {
    return elementInfo(element).highest;
}

std::string nameOf(Element element) {
    return elementInfo(element).name;
}

std::int64_t OnnxNode::integer(const std::string& key, std::int64_t fallback) const {
    const OnnxAttribute* found = attributeOf(*this, key, OnnxAttribute::Kind::Int);
    return found ? found->number : fallback;
}

double OnnxNode::real(const std::string& key, double fallback) const {
    const OnnxAttribute* found = attributeOf(*this, key, OnnxAttribute::Kind::Real);
    return found ? found->real : fallback;
}

std::string OnnxNode::text(const std::string& key, const std::string& fallback) const {
    const OnnxAttribute* found = attributeOf(*this, key, OnnxAttribute::Kind::Text);
    return found ? found->text : fallback;
}

std::vector<std::int64_t> OnnxNode::integers(const std::string& key) const {
    const OnnxAttribute* found = attributeOf(*this, key, OnnxAttribute::Kind::Ints);
    return found ? found->ints : std::vector<std::int64_t>{};
}

} // namespace marquetry::frontend::onnx
