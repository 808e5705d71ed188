#include "engine/quant/rational.h"

#include "engine/support/assert.h"

#include <cmath>

namespace marquetry::quant {

Integer floorDiv(const Integer& a, const Integer& b) {
    ENGINE_ASSERT(b > 0, "floors are taken of quotients by positive numbers");
    Integer quotient, remainder;
    boost::multiprecision::divide_qr(a, b, quotient, remainder);
    return remainder < 0 ? Integer(quotient - 1) : quotient;
}

Integer ceilDiv(const Integer& a, const Integer& b) {
    return -floorDiv(-a, b);
}

Integer powerOfTwo(unsigned exponent) {
    return Integer(1) << exponent;
}

unsigned signedBits(const Integer& value) {
    const Integer magnitude = value < 0 ? Integer(-value - 1) : value;
    return magnitude == 0 ? 1 : static_cast<unsigned>(boost::multiprecision::msb(magnitude)) + 2;
}

bool fitsInt32(const Integer& value) {
    return signedBits(value) <= 32;
}

std::int64_t toInt64(const Integer& value) {
    ENGINE_ASSERT(signedBits(value) <= 64, "the number is known to fit 64 bits");
    return static_cast<std::int64_t>(value);
}

Rational::Rational(Integer numerator, Integer denominator)
    : numerator_(std::move(numerator)), denominator_(std::move(denominator)) {
    ENGINE_ASSERT(denominator_ != 0, "a rational has a denominator other than 0");
    if (denominator_ < 0) {
        numerator_ = -numerator_;
        denominator_ = -denominator_;
    }
    const Integer common = boost::multiprecision::gcd(numerator_, denominator_);
    if (common != 1) {
        numerator_ /= common;
        denominator_ /= common;
    }
}

std::optional<Rational> Rational::fromDouble(double value) {
    if (!std::isfinite(value))
        return std::nullopt;
    constexpr int kMantissaBits = 53;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const Integer mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kMantissaBits));
    exponent -= kMantissaBits;
    if (exponent >= 0)
        return Rational(mantissa * powerOfTwo(static_cast<unsigned>(exponent)));
    return Rational(mantissa, powerOfTwo(static_cast<unsigned>(-exponent)));
}

Rational Rational::operator-() const {
    Rational negated = *this;
    negated.numerator_ = -negated.numerator_;
    return negated;
}

Rational Rational::operator+(const Rational& other) const {
    return {numerator_ * other.denominator_ + other.numerator_ * denominator_,
            denominator_ * other.denominator_};
}

Rational Rational::operator-(const Rational& other) const {
    return *this + -other;
}

Rational Rational::operator*(const Rational& other) const {
    return {numerator_ * other.numerator_, denominator_ * other.denominator_};
}

Rational Rational::operator/(const Rational& other) const {
    return {numerator_ * other.denominator_, denominator_ * other.numerator_};
}

std::strong_ordering Rational::operator<=>(const Rational& other) const {
    const Integer left = numerator_ * other.denominator_;
    const Integer right = other.numerator_ * denominator_;
    return left < right   ? std::strong_ordering::less
           : left > right ? std::strong_ordering::greater
                          : std::strong_ordering::equal;
}

double Rational::toDouble() const {
    if (isZero())
        return 0;
    // The quotient has 64 bits or one more, which is more than a double holds.
    constexpr int kBits = 64;
    const Integer magnitude = numerator_ < 0 ? Integer(-numerator_) : numerator_;
    const int shift = static_cast<int>(boost::multiprecision::msb(denominator_)) + kBits -
                      static_cast<int>(boost::multiprecision::msb(magnitude));
    const auto by = static_cast<unsigned>(std::abs(shift));
    const Integer quotient = shift >= 0 ? Integer((magnitude << by) / denominator_)
                                        : Integer(magnitude / (denominator_ << by));
    const double value = std::ldexp(static_cast<double>(quotient), -shift);
    return numerator_ < 0 ? -value : value;
}

std::string Rational::text() const {
    return isInteger() ? numerator_.str() : numerator_.str() + "/" + denominator_.str();
}

std::string_view toString(RoundingMode mode) {
    switch (mode) {
    case RoundingMode::Up:
        return "up";
    case RoundingMode::Down:
        return "down";
    case RoundingMode::Away:
        return "away";
    case RoundingMode::Even:
        return "even";
    }
    return "";
}

Integer roundedQuotient(const Integer& numerator, const Integer& denominator, RoundingMode mode) {
    if (mode == RoundingMode::Down)
        return floorDiv(numerator, denominator);
    const Integer twice = 2 * denominator;
    const Integer up = floorDiv(2 * numerator + denominator, twice);
    const bool tie = 2 * numerator + denominator == up * twice;
    const bool lower = (mode == RoundingMode::Away && numerator < 0) ||
                       (mode == RoundingMode::Even && (up & 1) != 0);
    return tie && lower ? Integer(up - 1) : up;
}

Integer rounded(const Rational& value, RoundingMode mode) {
    return roundedQuotient(value.numerator(), value.denominator(), mode);
}

} // namespace marquetry::quant
