// Small random stream programs: text, from a seed.
#pragma once

#include "engine/support/rng.h"

#include <string>
#include <vector>

namespace marquetry::spacetime {

/// One input of at most eight bytes, `operators` operators on sequences of one or two layers. Every
/// operator works on the value before it, so the input is always used. A third are scans where
/// these are asked for.
class RandomStream {
public:
    RandomStream(std::uint64_t seed, int operators, bool scans = false)
        : random_(seed), scans_(scans) {
        static const std::vector<std::int64_t> kLengths = {2, 3, 4, 6, 8};
        const std::int64_t n = kLengths[static_cast<std::size_t>(random_.range(0, 4))];
        text_ = "stream s { input x : Seq " + std::to_string(n) + " u8;\n";
        values_ = {{"x", {n}}};
        for (int k = 0; k < operators;)
            k += addNext() ? 1 : 0;
        text_ += "output y = " + values_.back().name + "; }\n";
    }

    const std::string& text() const { return text_; }

private:
    struct Value {
        std::string name;
        std::vector<std::int64_t> lengths;
    };

    static std::string text(std::int64_t n) { return std::to_string(n); }

    std::int64_t atoms(const std::vector<std::int64_t>& lengths) const {
        std::int64_t product = 1;
        for (const std::int64_t n : lengths)
            product *= n;
        return product;
    }

    bool put(const std::string& expression, std::vector<std::int64_t> lengths) {
        if (atoms(lengths) > 12)
            return false;
        const std::string name = "v" + std::to_string(values_.size());
        text_ += "let " + name + " = " + expression + ";\n";
        values_.push_back({name, std::move(lengths)});
        return true;
    }

    bool addNext() {
        return scans_ && random_.range(0, 2) == 0 ? scan(values_.back()) : addOperator();
    }

    bool addOperator() {
        const Value v = values_.back();
        const bool flat = v.lengths.size() == 1;
        const std::int64_t n = v.lengths[0];
        switch (random_.range(0, 10)) {
        case 0:
        case 1:
            return scalar(v, "add(v, 3)");
        case 2:
            return scalar(v, random_.range(0, 1) == 0 ? "mul(v, 5)" : "mul(v, 8)");
        case 3:
            return put("shift(" + text(random_.range(1, 3)) + ", " + v.name + ")", v.lengths);
        case 4:
            return sum(v);
        case 5:
            if (flat) {
                for (const std::int64_t inner : {2, 3, 1}) {
                    if (n % inner == 0)
                        return put("partition(" + text(n / inner) + ", " + text(inner) + ", " +
                                       v.name + ")",
                                   {n / inner, inner});
                }
            }
            return put("unpartition(" + v.name + ")", {n * v.lengths[1]});
        case 6:
            return flat ? put("reduce(add, " + v.name + ")", {1})
                        : put("map(fn r -> reduce(add, r), " + v.name + ")", {n, 1});
        case 7:
            return !flat && put("reduce(assoc fn p q -> map2(add, p, q), " + v.name + ")",
                                {1, v.lengths[1]});
        case 8:
            return put("select(" + text(random_.range(0, n - 1)) + ", " + v.name + ")",
                       flat ? std::vector<std::int64_t>{1}
                            : std::vector<std::int64_t>{1, v.lengths[1]});
        case 9:
            if (n == 1) {
                const std::int64_t count = random_.range(2, 4);
                std::vector<std::int64_t> lengths = v.lengths;
                lengths[0] = count;
                return put("up(" + text(count) + ", " + v.name + ")", lengths);
            }
            return !flat && put("map(fn r -> shift(1, r), " + v.name + ")", v.lengths);
        default:
            return flat && put("map(tuple_to_seq, partition(" + text(n) +
                                   ", 1, map2(stuple, shift(1, " + v.name + "), " + v.name + ")))",
                               {n, 2});
        }
    }

    bool scan(const Value& v) {
        const std::string f = random_.range(0, 1) == 0 ? "xor" : "fn s v -> and(not(s), v)";
        const std::string along = "scan(" + f + ", 0, ";
        if (v.lengths.size() == 1)
            return put(along + v.name + ")", v.lengths);
        return random_.range(0, 1) == 0
                   ? put("map(fn r -> " + along + "r), " + v.name + ")", v.lengths)
                   : put("scan(fn p q -> map2(" + f + ", p, q), 0, " + v.name + ")", v.lengths);
    }

    bool scalar(const Value& v, const std::string& body) {
        return v.lengths.size() == 1
                   ? put("map(fn v -> " + body + ", " + v.name + ")", v.lengths)
                   : put("map(fn r -> map(fn v -> " + body + ", r), " + v.name + ")", v.lengths);
    }

    /// With an earlier value of the same type, if there is one: a fork that is joined.
    bool sum(const Value& v) {
        for (const Value& other : values_) {
            if (other.lengths != v.lengths)
                continue;
            return put(v.lengths.size() == 1
                           ? "map2(add, " + v.name + ", " + other.name + ")"
                           : "map2(fn p q -> map2(add, p, q), " + v.name + ", " + other.name + ")",
                       v.lengths);
        }
        return false;
    }

    SplitMix64 random_;
    bool scans_;
    std::string text_;
    std::vector<Value> values_;
};

} // namespace marquetry::spacetime
