// Random stream programs with all operators on words, of all scalars: text, from a seed.
#pragma once

#include "engine/support/rng.h"

#include <string>
#include <vector>

namespace marquetry::algebra {

/// Two inputs of Seq 2 · N; values of any scalar that are cast into each other. Every operator uses
/// the value before it. Numbers are at the edges of their ranges as often as not.
class RandomOperators {
public:
    explicit RandomOperators(std::uint64_t seed) : random_(seed) {
        const std::int64_t half = random_.range(1, 4);
        text_ = "stream s { let N = " + text(half) + ";\n";
        for (const char* name : {"x", "z"}) {
            const std::string scalar = pick(kScalars);
            text_ += std::string("input ") + name + " : Seq 2 * N " + scalar + ";\n";
            values_.push_back({name, scalar});
        }
        const std::int64_t steps = random_.range(4, 9);
        for (std::int64_t k = 0; k < steps; ++k)
            addOne();
        text_ += "output y = " + values_.back().name + "; }\n";
    }

    const std::string& text() const { return text_; }

private:
    struct Value {
        std::string name;
        std::string scalar;
    };

    inline static const std::vector<std::string> kIntegers = {"u8",  "i8",  "u16",
                                                              "i16", "u32", "i32"};
    inline static const std::vector<std::string> kScalars = {"u8",  "i8",  "u16", "i16",
                                                             "u32", "i32", "bit"};

    static std::string text(std::int64_t n) { return std::to_string(n); }

    const std::string& pick(const std::vector<std::string>& all) {
        return all[static_cast<std::size_t>(
            random_.range(0, static_cast<std::int64_t>(all.size()) - 1))];
    }

    static bool isSigned(const std::string& scalar) { return scalar[0] == 'i'; }
    static int bitsOf(const std::string& scalar) {
        return scalar == "bit" ? 1 : std::stoi(scalar.substr(1));
    }

    std::string number(const std::string& scalar) {
        const int bits = bitsOf(scalar);
        const std::int64_t low = isSigned(scalar) ? -(std::int64_t{1} << (bits - 1)) : 0;
        const std::int64_t high = low + (std::int64_t{1} << bits) - 1;
        const std::int64_t edges[] = {low, high, 0, 1};
        return text(random_.range(0, 1) == 0   ? edges[random_.range(0, 3)]
                    : random_.range(0, 1) == 0 ? random_.range(low, high)
                                               : random_.range(std::max<std::int64_t>(low, -9),
                                                               std::min<std::int64_t>(high, 99)));
    }

    void put(const std::string& expression, const std::string& scalar) {
        const std::string name = "v" + text(static_cast<std::int64_t>(values_.size()));
        text_ += "let " + name + " = " + expression + ";\n";
        values_.push_back({name, scalar});
    }
    void map(const Value& v, const std::string& body, const std::string& scalar) {
        put("map(fn a -> " + body + ", " + v.name + ")", scalar);
    }

    void addOne() {
        const Value v = values_.back();
        switch (random_.range(0, 7)) {
        case 0:
            return put("shift(" + text(random_.range(1, 2)) + ", " + v.name + ")", v.scalar);
        case 1:
        case 2:
            return cast(v);
        case 3:
        case 4:
            return v.scalar == "bit" ? cast(v) : unary(v);
        default:
            return binary(v);
        }
    }

    void cast(const Value& v) {
        const bool saturates = random_.range(0, 1) == 0;
        const std::string to = pick(saturates ? kIntegers : kScalars);
        put("map(" + std::string(saturates ? "sat_" : "as_") + to + ", " + v.name + ")", to);
    }

    void unary(const Value& v) {
        const std::string k = number(v.scalar);
        const std::string amount = text(random_.range(0, bitsOf(v.scalar) + 1));
        switch (random_.range(0, 6)) {
        case 0:
            return map(v, "not(a)", v.scalar);
        case 1:
            return map(v, pick({"lsr", "lsl"}) + "(a, " + amount + ")", v.scalar);
        case 2:
            return map(v, (isSigned(v.scalar) ? "asr(a, " : "lsr(a, ") + amount + ")", v.scalar);
        case 3:
            return map(v, "clamp(a, " + k + ", " + number(v.scalar) + ")", v.scalar);
        case 4:
            return isSigned(v.scalar) ? map(v, "asr(a, as_u8(and(a, 15)))", v.scalar)
                                      : map(v, "lsr(add(a, 1), as_u8(and(a, 15)))", v.scalar);
        case 5:
            return lookUp(v);
        default:
            return map(v,
                       pick({"add", "sub", "mul", "and", "or", "xor", "add_sat", "sub_sat"}) +
                           "(a, " + k + ")",
                       v.scalar);
        }
    }

    /// In a table whose words the index cannot miss.
    void lookUp(const Value& v) {
        const std::string scalar = pick(kScalars);
        const bool isMasked = random_.range(0, 1) == 0;
        const std::int64_t words = isMasked ? 16 : random_.range(2, 90);
        const std::string name = "t" + text(static_cast<std::int64_t>(values_.size()));
        text_ += "let " + name + " = table([" + number(scalar);
        for (std::int64_t k = 1; k < words; ++k)
            text_ += ", " + number(scalar);
        text_ += "] : " + scalar + ");\n";
        map(v, name + (isMasked ? "(and(a, 15))" : "(clamp(a, 0, " + text(words - 1) + "))"),
            scalar);
    }

    /// With an earlier value, as one of the same scalar.
    void binary(const Value& v) {
        const Value other = values_[static_cast<std::size_t>(
            random_.range(0, static_cast<std::int64_t>(values_.size()) - 1))];
        const std::string b = other.scalar == v.scalar ? "b" : "as_" + v.scalar + "(b)";
        const auto both = [&](const std::string& body, const std::string& scalar) {
            put("map2(fn a b -> " + body + ", " + v.name + ", " + other.name + ")", scalar);
        };
        const std::string compared = pick({"le", "ge", "gt", "ne", "lt", "eq"}) + "(a, " + b + ")";
        const std::string bitwise = pick({"and", "or", "xor"}) + "(a, " + b + ")";
        switch (random_.range(0, 4)) {
        case 0:
            return both(compared, "bit");
        case 1:
            return both(bitwise, v.scalar);
        case 2:
            return both("if(" + compared + ", a, " + bitwise + ")", v.scalar);
        default:
            if (v.scalar == "bit")
                return both("not(" + bitwise + ")", v.scalar);
            return both(pick({"add", "sub", "mul", "min", "max", "add_sat", "sub_sat"}) + "(a, " +
                            b + ")",
                        v.scalar);
        }
    }

    SplitMix64 random_;
    std::vector<Value> values_;
    std::string text_;
};

} // namespace marquetry::algebra
