// Random stream programs with all operators on words: text, from a seed.
#pragma once

#include "tests/lower_stream/random_stream_text.h"

namespace marquetry::test {

/// Values are all Seq n of one scalar; constants, counters and borders that a counter fills among
/// them. Every operator uses the value before it.
class RandomWords : public RandomStreamText {
public:
    explicit RandomWords(std::uint64_t seed) : RandomStreamText(seed) {
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

private:
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

    bool isSigned_ = false;
    std::int64_t n_ = 2;
};

} // namespace marquetry::test
