// Exact rationals of any size, and the four ways in which requantisation rounds them.
//
// Scales come as float32 or float64 and are taken as the exact values of their bits; everything
// computed from them stays exact (requantisation.md, "What equal means here").
//
// A Rational is in lowest terms with a denominator > 0. Dividing by zero is our own mistake and
// asserts. Thread rule: value types; no shared state.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace marquetry::quant {

// 256 bits are held without an allocation; numbers grow beyond that as they need. Without
// expression templates `auto` holds values.
using Integer = boost::multiprecision::number<boost::multiprecision::cpp_int_backend<256>,
                                              boost::multiprecision::et_off>;

/// ⌊a / b⌋; b > 0.
Integer floorDiv(const Integer& a, const Integer& b);
/// ⌈a / b⌉; b > 0.
Integer ceilDiv(const Integer& a, const Integer& b);
Integer powerOfTwo(unsigned exponent);
/// Bits of the shortest two's complement number that holds the value; 1 for 0 and −1.
unsigned signedBits(const Integer& value);
bool fitsInt32(const Integer& value);
std::int64_t toInt64(const Integer& value); ///< requires that it fits

class Rational {
public:
    Rational() = default;
    Rational(std::int64_t value) : numerator_(value) {}
    Rational(Integer value) : numerator_(std::move(value)) {}
    Rational(Integer numerator, Integer denominator); ///< denominator ≠ 0

    /// The exact value of the bits; none for infinities and NaN. A float32 is converted to double
    /// without a change.
    static std::optional<Rational> fromDouble(double value);

    const Integer& numerator() const { return numerator_; }
    const Integer& denominator() const { return denominator_; }
    bool isZero() const { return numerator_ == 0; }
    bool isInteger() const { return denominator_ == 1; }
    int sign() const { return numerator_.sign(); }

    Rational operator-() const;
    Rational operator+(const Rational& other) const;
    Rational operator-(const Rational& other) const;
    Rational operator*(const Rational& other) const;
    Rational operator/(const Rational& other) const; ///< other ≠ 0
    bool operator==(const Rational& other) const = default;
    std::strong_ordering operator<=>(const Rational& other) const;

    Integer floor() const { return floorDiv(numerator_, denominator_); }
    Integer ceil() const { return ceilDiv(numerator_, denominator_); }
    Rational abs() const { return sign() < 0 ? -*this : *this; }

    /// Nearest, but for denominators and numerators beyond double's range; for reports only.
    double toDouble() const;
    /// "p/q", or "p".
    std::string text() const;

private:
    Integer numerator_ = 0;
    Integer denominator_ = 1;
};

/// Up: half goes up. Down: the floor. Away: half goes away from 0. Even: half goes to the even one.
enum class RoundingMode : std::uint8_t { Up, Down, Away, Even };

std::string_view toString(RoundingMode mode);

Integer rounded(const Rational& value, RoundingMode mode);
/// numerator / denominator rounded, without reducing it; denominator > 0.
Integer roundedQuotient(const Integer& numerator, const Integer& denominator, RoundingMode mode);

} // namespace marquetry::quant
