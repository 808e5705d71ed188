// Random stream programs with all operators on words: text, from a seed.
#pragma once

#include "engine/rtl/netlist.h"
#include "engine/support/rng.h"

#include <string>
#include <vector>

namespace marquetry::test {

/// Values are all Seq n of one scalar; constants, counters and borders that a counter fills among
/// them. Every operator uses the value before it.
class RandomWords {
public:
    explicit RandomWords(std::uint64_t seed) : random_(seed) {
        scalar_ = pick({"u8", "u16", "u32", "i16", "i8", "i32"});
        isSigned_ = scalar_[0] == 'i';
        n_ = random_.range(1, 6) * 2;
        text_ = hdl::cat("stream s { input x : Seq ", n_, " ", scalar_, "; input z : Seq ", n_, " ",
                         scalar_, ";\nlet v0 = map2(", pick({"add", "sub", "mul"}), ", x, z);\n");
        for (int k = 0; k < 6; ++k)
            put(expression());
        text_ += hdl::cat("output y = ", last_ % 4 == 0 ? "reduce(add, v" : "map(fn v -> v, v",
                          last_, "); }\n");
    }

    const std::string& text() const { return text_; }

private:
    std::string pick(const std::vector<std::string>& from) {
        return from[static_cast<std::size_t>(
            random_.range(0, static_cast<std::int64_t>(from.size()) - 1))];
    }
    std::string number(std::int64_t from, std::int64_t to) {
        return std::to_string(random_.range(from, to));
    }
    std::string value() const { return "v" + std::to_string(last_); }
    std::string earlier() { return "v" + number(0, last_); }

    void put(const std::string& expression) {
        text_ += hdl::cat("let v", last_ + 1, " = ", expression, ";\n");
        ++last_;
    }

    std::string constants() {
        std::string list;
        for (std::int64_t k = 0; k < n_; ++k)
            list += (k == 0 ? "" : ", ") + number(isSigned_ ? -7 : 0, 9);
        return hdl::cat("const([", list, "] : Seq ", n_, " ", scalar_, ")");
    }

    std::string expression() {
        const std::string v = value();
        switch (random_.range(0, 9)) {
        case 0:
            return hdl::cat("map(fn v -> ", pick({"add", "sub", "mul", "min", "max"}), "(v, ",
                            number(0, 100), "), ", v, ")");
        case 1:
            return hdl::cat("map2(", pick({"add", "sub", "min", "max"}), ", ", v, ", ", earlier(),
                            ")");
        case 2:
            return hdl::cat("map2(fn a b -> if(lt(a, b), sub(b, a), a), ", v, ", ", earlier(), ")");
        case 3:
            return hdl::cat("shift(", number(1, 3), ", ", v, ")");
        case 4:
            return hdl::cat("map2(add, ", v, ", counter(", n_, ", ", number(1, 9), " : ", scalar_,
                            "))");
        case 5:
            return hdl::cat("map2(", pick({"mul", "add"}), ", ", v, ", ", constants(), ")");
        case 6:
            return isSigned_ ? hdl::cat("map(fn v -> abs(v), ", v, ")")
                             : hdl::cat("map(fn v -> div(v, ", number(1, 255), "), ", v, ")");
        case 7:
            return hdl::cat("map2(fn a k -> if(lt(k, 2), ", number(0, 9), ", a), shift(2, ", v,
                            "), counter(", n_, ", 1 : ", scalar_, "))");
        case 8:
            return hdl::cat("map(fn v -> ", pick({"lsl", "lsr"}), "(v, ", number(0, 9), "), ", v,
                            ")");
        default:
            return hdl::cat("map2(fn a b -> if(and(eq(a, b), not(lt(a, 3))), a, add(a, b)), ", v,
                            ", ", earlier(), ")");
        }
    }

    SplitMix64 random_;
    std::string scalar_;
    bool isSigned_ = false;
    std::int64_t n_ = 2;
    int last_ = 0;
    std::string text_;
};

} // namespace marquetry::test
