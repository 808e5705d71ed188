#include "engine/quant/factor_proof.h"

#include <cstdlib>

namespace marquetry::quant {
namespace {

/// Three digits, on the safe side: "1.24e-06".
std::string bound(const Rational& value, bool upper) {
    if (value.isZero())
        return "0";
    // A power of ten near the value, from its bits: it may be far below what a double holds.
    const int bits = static_cast<int>(boost::multiprecision::msb(value.numerator())) -
                     static_cast<int>(boost::multiprecision::msb(value.denominator()));
    int exponent = bits * 3 / 10;
    const auto digitsAt = [&](int power) {
        const Integer scale =
            boost::multiprecision::pow(Integer(10), static_cast<unsigned>(std::abs(power)));
        const Rational scaled = power < 0 ? value / Rational(scale) : value * Rational(scale);
        return upper ? scaled.ceil() : scaled.floor();
    };
    Integer digits = digitsAt(2 - exponent);
    while (digits >= 1000)
        digits = digitsAt(2 - ++exponent);
    while (digits < 100)
        digits = digitsAt(2 - --exponent);
    const std::string text = digits.str();
    return text.substr(0, 1) + "." + text.substr(1) + "e" + std::to_string(exponent);
}

} // namespace

std::string text(const FactorProof& proof) {
    std::string margin = "every value a tie";
    if (!proof.margin.isZero())
        margin = "nearest other value " + bound(proof.margin, false) + " from a threshold";
    return "exact for " + proof.first.str() + " … " + proof.last.str() + ": error at most " +
           bound(proof.error, true) + ", " + margin + ", " + proof.ties.str() +
           (proof.ties == 1 ? " tie" : " ties");
}

} // namespace marquetry::quant
