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

/// Those after Bit are tensors' alone: a byte each in files, as narrow as they are in hardware.
enum class Scalar : std::uint8_t {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    Bit,
    I2,
    I3,
    I4,
    I5,
    I6,
    I7,
    U2,
    U3,
    U4,
    U5,
    U6,
    U7,
};

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
/// Whether it has a width that is none of 1, 8, 16 and 32.
bool isOddWidth(Scalar scalar);
/// Bits of an element in memories and on buses, and as an operand: whole bytes.
int storedBits(Scalar scalar);
/// Whether each number of `narrow` is stored as `wide` stores it: an operand of either is read
/// alike.
bool isStoredAs(Scalar narrow, Scalar wide);
/// The narrowest integer scalar of tensors that holds both; nothing when none does.
std::optional<Scalar> narrowestScalar(std::int64_t lo, std::int64_t hi);

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
