// Random stream programs with what kernels are made of: text, from a seed.
#pragma once

#include "engine/support/rng.h"

#include <string>
#include <vector>

namespace marquetry::algebra {

/// One or two inputs of Seq n; windows with random weights, in one and two dimensions, choices by
/// thresholds, shifts, constants with special values, pairs, counters in rows.
class RandomKernel {
public:
    explicit RandomKernel(std::uint64_t seed) : random_(seed) {
        static const std::vector<std::string> kTypes = {"u8", "u16", "u32", "i8", "i16", "i32"};
        type_ = pick(kTypes);
        width_ = random_.range(2, 5);
        rows_ = random_.range(1, 5);
        n_ = width_ * rows_;
        values_ = {"x"};
        text_ = "stream s { input x : Seq " + text(n_) + " " + type_ + ";\n";
        if (random_.range(0, 2) == 0) {
            text_ += "input w : Seq " + text(n_) + " " + type_ + ";\n";
            values_.push_back("w");
        }
        const std::int64_t steps = random_.range(1, 6);
        for (std::int64_t k = 0; k < steps; ++k)
            put(step());
        text_ += "output y = " + values_.back() + "; }\n";
    }

    const std::string& text() const { return text_; }

private:
    static std::string text(std::int64_t n) { return std::to_string(n); }

    const std::string& pick(const std::vector<std::string>& all) {
        return all[static_cast<std::size_t>(
            random_.range(0, static_cast<std::int64_t>(all.size()) - 1))];
    }
    /// The newest value most of the time, so that steps build on each other.
    const std::string& value() { return random_.range(0, 2) > 0 ? values_.back() : pick(values_); }
    bool isSigned() const { return type_[0] == 'i'; }

    void put(const std::string& expression) {
        const std::string name = "v" + text(static_cast<std::int64_t>(values_.size()));
        text_ += "let " + name + " = " + expression + ";\n";
        values_.push_back(name);
    }

    std::string weight() {
        static const std::vector<std::string> kPlain = {"0", "1", "1", "2", "2",  "3",  "4",
                                                        "6", "5", "7", "9", "64", "100"};
        const std::string w = pick(kPlain);
        return isSigned() && w != "0" && random_.range(0, 2) == 0 ? "-" + w : w;
    }

    /// Half of them products of two rows of weights.
    std::string weights(std::int64_t height) {
        std::vector<std::int64_t> row;
        for (int k = 0; k < 3; ++k)
            row.push_back(std::stoll(weight()) % 8);
        const bool separable = random_.range(0, 1) == 0;
        std::string all = "[";
        for (std::int64_t r = 0; r < height; ++r) {
            const std::int64_t factor = random_.range(0, 3);
            all += r > 0 ? ", [" : "[";
            for (std::size_t k = 0; k < 3; ++k)
                all += (k > 0 ? ", " : "") + (separable ? text(factor * row[k]) : weight());
            all += "]";
        }
        return all + "]";
    }

    std::string window(const std::string& a, const std::string& b, const std::string& c) {
        return "map(tuple_to_seq, partition(" + text(n_) + ", 1, map2(append, map2(stuple, " + a +
               ", " + b + "), " + c + ")))";
    }
    std::string shifted(std::int64_t distance, const std::string& v) {
        return "shift(" + text(distance) + ", " + v + ")";
    }
    std::string row(const std::string& v) {
        return window(shifted(1, shifted(1, v)), shifted(1, v), v);
    }

    std::string line() {
        std::string all = "[";
        for (int k = 0; k < 3; ++k)
            all += (k > 0 ? ", " : "") + weight();
        return all + "]";
    }

    std::string oneDimension(const std::string& v) {
        return "unpartition(map(fn r -> reduce(add, map2(mul, r, const(" + line() + " : Seq 3 " +
               type_ + "))), " + row(v) + "))";
    }

    std::string twoDimensions(const std::string& v) {
        const std::string above = shifted(width_, v);
        const std::string window2 = window(row(shifted(width_, above)), row(above), row(v));
        return "unpartition(unpartition(map(fn w -> reduce(assoc fn a b -> map2(add, a, b), "
               "map(fn r -> reduce(add, r), map2(fn r c -> map2(mul, r, c), w, const(" +
               weights(3) + " : Seq 3 Seq 3 " + type_ + ")))), " + window2 + ")))";
    }

    std::string unary() {
        const std::string amount = text(random_.range(0, 9));
        switch (random_.range(0, 6)) {
        case 0:
            return "lsr(v, " + amount + ")";
        case 1:
            return "lsl(v, " + amount + ")";
        case 2:
            return "mul(v, " + weight() + ")";
        case 3:
            return isSigned() ? "abs(v)" : "div(v, " + text(1 << random_.range(0, 7)) + ")";
        case 4:
            return isSigned() ? "sub(0, v)" : "div(v, " + text(random_.range(0, 255)) + ")";
        case 5:
            return "min(max(v, 3), " + text(random_.range(2, 90)) + ")";
        default:
            return "sub(add(v, " + weight() + "), v)";
        }
    }

    /// Some of them with branches that agree.
    std::string choice() {
        const std::string k = text(random_.range(0, 20));
        switch (random_.range(0, 3)) {
        case 0:
            return "if(or(lt(" + k + ", sub(a, b)), lt(" + k + ", sub(b, a))), sub(b, a), 0)";
        case 1:
            return "if(lt(a, " + k + "), sub(" + k + ", a), b)";
        case 2:
            return "if(eq(lsr(a, 9), 0), b, if(not(lt(a, b)), add(a, b), b))";
        default:
            return "if(and(lt(a, " + k + "), eq(b, " + k + ")), b, " + k + ")";
        }
    }

    std::string counted(const std::string& v) {
        return "unpartition(map(fn g -> map2(fn a k -> if(lt(k, " + text(random_.range(0, width_)) +
               "), add(a, 1), sub(a, k)), g, counter(" + text(width_) + ", " +
               text(random_.range(1, 3)) + " : " + type_ + ")), partition(" + text(rows_) + ", " +
               text(width_) + ", " + v + ")))";
    }

    std::string step() {
        const std::string v = value();
        switch (random_.range(0, 9)) {
        case 0:
            return shifted(random_.range(1, n_), v);
        case 1:
            return oneDimension(v);
        case 2:
        case 3:
            return twoDimensions(v);
        case 4:
            return "map(fn v -> " + unary() + ", " + v + ")";
        case 5:
            return "map2(fn a b -> " + choice() + ", " + v + ", " + value() + ")";
        case 6:
            return counted(v);
        case 7:
            return "map(fn p -> add(fst(p), snd(p)), map2(tuple, " + v + ", " + value() + "))";
        case 8:
            return "map2(" + pick({"add", "sub", "mul", "min", "max"}) + ", " + v + ", " + value() +
                   ")";
        default:
            return "unpartition(map(fn r -> map(fn v -> " + unary() + ", r), partition(" +
                   text(rows_) + ", " + text(width_) + ", " + v + ")))";
        }
    }

    SplitMix64 random_;
    std::string type_;
    std::int64_t width_ = 0;
    std::int64_t rows_ = 0;
    std::int64_t n_ = 0;
    std::vector<std::string> values_;
    std::string text_;
};

} // namespace marquetry::algebra
