// Types of tensor values: a scalar and a shape.
//
// Axis order: activations are H × W × C, convolution weights OCH × KH × KW × ICH, matrices
// rows × columns; data is row-major. A type without dimensions is one scalar.
// Thread rule: value types.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::ir {

enum class Scalar : std::uint8_t { I8, U8, I16, U16, I32, U32, Bit };

struct ScalarInfo {
    std::string_view name;
    int bits;
    bool isSigned;
    int bytes; ///< in files and streams
    std::int64_t min;
    std::int64_t max;
};

const ScalarInfo& info(Scalar scalar);
std::optional<Scalar> scalarNamed(std::string_view name);

using Shape = std::vector<std::int64_t>;

struct Type {
    Scalar scalar = Scalar::I32;
    Shape dims;

    /// Number of elements; the front end rejects shapes whose product exceeds kMaxElements.
    std::int64_t elements() const;
    std::int64_t bytes() const { return elements() * info(scalar).bytes; }

    auto operator<=>(const Type&) const = default;
};

/// "i8[32, 32, 3]"; a scalar prints without brackets.
std::string toString(const Type& type);

} // namespace marquetry::ir
