#include "engine/ir/type.h"

#include <array>
#include <limits>

namespace marquetry::ir {

namespace {

template <class T>
constexpr ScalarInfo integerScalar(std::string_view name) {
    using Limits = std::numeric_limits<T>;
    return {name,
            static_cast<int>(8 * sizeof(T)),
            Limits::is_signed,
            static_cast<int>(sizeof(T)),
            Limits::min(),
            Limits::max()};
}

constexpr std::array<ScalarInfo, 7> kScalars = {{
    integerScalar<std::int8_t>("i8"),
    integerScalar<std::uint8_t>("u8"),
    integerScalar<std::int16_t>("i16"),
    integerScalar<std::uint16_t>("u16"),
    integerScalar<std::int32_t>("i32"),
    integerScalar<std::uint32_t>("u32"),
    {"bit", 1, false, 1, 0, 1},
}};

} // namespace

const ScalarInfo& info(Scalar scalar) {
    return kScalars[static_cast<std::size_t>(scalar)];
}

std::optional<Scalar> scalarNamed(std::string_view name) {
    for (std::size_t k = 0; k < kScalars.size(); ++k) {
        if (kScalars[k].name == name)
            return static_cast<Scalar>(k);
    }
    return std::nullopt;
}

std::int64_t Type::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t dim : dims)
        product *= dim;
    return product;
}

std::string toString(const Type& type) {
    std::string text(info(type.scalar).name);
    if (type.dims.empty())
        return text;
    text += "[";
    for (std::size_t k = 0; k < type.dims.size(); ++k)
        text += (k == 0 ? "" : ", ") + std::to_string(type.dims[k]);
    return text + "]";
}

} // namespace marquetry::ir
