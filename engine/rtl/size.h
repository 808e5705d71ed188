// A whole number that the parameters and loop variables of a module decide: a width, a depth, a
// place in a word, a count of copies.
//
// It is a polynomial with integer coefficients, kept in one form, so that equal polynomials are
// equal values: a width of 2*WIDTH is the width of two words of WIDTH bits, whoever wrote it how.
// Limits: coefficients and values are std::int64_t; overflow is our own mistake and not looked for.
// Thread rule: value type.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace marquetry::rtl {

/// Something that gets its name when the whole netlist is named (scope.h).
struct Named {
    std::string wanted; ///< the name it has unless that is taken
};

struct SizeVariable : Named {
    enum class Kind : std::uint8_t { Parameter, Genvar, Integer };
    Kind kind = Kind::Parameter;
    int order = 0;          ///< place among the variables of its module
    std::int64_t value = 0; ///< of a parameter that nobody overrides
};
using VariablePtr = std::shared_ptr<const SizeVariable>;

class Size {
public:
    Size(std::int64_t number = 0); // NOLINT(google-explicit-constructor): numbers are sizes
    explicit Size(VariablePtr variable);

    bool known() const; ///< without variables
    /// Of a known size.
    std::int64_t value() const;

    bool operator==(const Size& other) const { return terms_ == other.terms_; }
    friend Size operator+(Size a, const Size& b);
    friend Size operator-(Size a, const Size& b);
    friend Size operator*(const Size& a, const Size& b);

    using Values = std::map<const SizeVariable*, Size>;
    /// With sizes for variables; parameters that are not given have their own value.
    Size with(const Values& values) const;

    /// "2*WIDTH - 1"; numbers alone are plain.
    std::string text(const std::function<std::string(const SizeVariable&)>& nameOf) const;
    std::vector<VariablePtr> variables() const;

private:
    /// Sorted by order; the empty product is 1.
    using Product = std::vector<VariablePtr>;
    struct Before {
        bool operator()(const Product& a, const Product& b) const;
    };
    void add(const Product& product, std::int64_t factor);

    std::map<Product, std::int64_t, Before> terms_; ///< without factors of 0
};

} // namespace marquetry::rtl
