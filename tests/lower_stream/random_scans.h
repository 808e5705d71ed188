// Random programs with scans: along lines, over lines, over all pixels; text, from a seed.
#pragma once

#include "tests/lower_stream/random_stream_text.h"

namespace marquetry::test {

/// Values are all pictures of one size and scalar. Every operator uses the value before it.
class RandomScans : public RandomStreamText {
public:
    explicit RandomScans(std::uint64_t seed) : RandomStreamText(seed) {
        scalar_ = pick({"u8", "u16", "i16", "i8", "u32", "i32"});
        height_ = random_.range(1, 4);
        width_ = random_.range(1, 6);
        text_ =
            hdl::cat("stream s { input v0 : Seq ", height_, " (Seq ", width_, " ", scalar_, ");\n");
        put(scan());
        const std::int64_t steps = random_.range(0, 2);
        for (std::int64_t k = 0; k < steps; ++k)
            put(random_.range(0, 1) > 0 ? scan() : expression());
        text_ += hdl::cat("output y = v", last_, "; }\n");
    }

    std::int64_t pixels() const { return height_ * width_; }
    std::int64_t lines() const { return height_; }

private:
    bool isSigned() const { return scalar_[0] == 'i'; }

    /// Of a state s and an element v.
    std::string next() {
        const std::string half = isSigned() ? "asr(s, 1)" : "lsr(s, 1)";
        return pick({"add(s, v)", "sub(v, s)", "max(s, v)", "min(s, v)", "xor(s, v)",
                     hdl::cat("add(", half, ", v)"), hdl::cat("sub(v, mul(s, ", number(2, 5), "))"),
                     hdl::cat("if(lt(v, s), sub(s, ", number(1, 9), "), v)"),
                     hdl::cat("if(eq(s, ", number(0, 3), "), v, sub(s, 1))"), "add(s, 1)", "v",
                     "add_sat(s, v)"});
    }

    std::string scan() {
        const std::string initial = number(0, 99);
        const std::string function = hdl::cat("fn s v -> ", next());
        switch (random_.range(0, 5)) {
        case 0:
        case 1:
            return hdl::cat("map(fn l -> scan(", function, ", ", initial, ", l), ", value(), ")");
        case 2:
            return hdl::cat("scan(fn a b -> map2(", function, ", a, b), ", initial, ", ", value(),
                            ")");
        case 3:
            return hdl::cat("partition(", height_, ", ", width_, ", scan(", function, ", ", initial,
                            ", unpartition(", value(), ")))");
        case 4: // what leaves is not the state
            return hdl::cat("map(fn l -> map(snd, scan(fn p v -> tuple(", state(),
                            ", sub(fst(p), v)", "), const((", initial, ", 0) : (", scalar_, ", ",
                            scalar_, ")), l)), ", value(), ")");
        default: // a state of another scalar
            return hdl::cat("map(fn l -> map(as_", scalar_, ", scan(fn s v -> add(s, as_u32(v)), ",
                            "const(", initial, " : u32), l)), ", value(), ")");
        }
    }

    /// Of a pair p and an element v.
    std::string state() {
        return pick({"add(fst(p), v)", "if(lt(snd(p), fst(p)), v, fst(p))", "max(snd(p), v)"});
    }

    std::string expression() {
        switch (random_.range(0, 3)) {
        case 0:
            return hdl::cat("map2(fn a b -> map2(", pick({"add", "sub", "max"}), ", a, b), ",
                            value(), ", ", earlier(), ")");
        case 1:
            return hdl::cat("map(fn l -> map(fn v -> add(mul(v, ", number(2, 7), "), ",
                            number(0, 9), "), l), ", value(), ")");
        case 2:
            return hdl::cat("map(fn l -> shift(", pick({"1", "-1", "2"}), ", l), ", value(), ")");
        default:
            return hdl::cat("map2(fn l n -> map2(fn v k -> if(lt(k, ", number(1, 4), "), ",
                            number(0, 99), ", v), l, n), ", value(), ", pixel_x(", value(), "))");
        }
    }

    std::int64_t height_ = 1;
    std::int64_t width_ = 1;
};

} // namespace marquetry::test
