// Random programs on pictures: windows with borders, coordinates, shifts to either side; text, from
// a seed.
#pragma once

#include "tests/lower_stream/random_stream_text.h"

namespace marquetry::test {

/// Values are all pictures of one size and scalar. Every operator uses the value before it.
class RandomPictures : public RandomStreamText {
public:
    explicit RandomPictures(std::uint64_t seed) : RandomStreamText(seed) {
        scalar_ = pick({"u8", "u16", "i16", "i8"});
        height_ = random_.range(1, 5);
        width_ = random_.range(1, 6);
        text_ =
            hdl::cat("stream s { input v0 : Seq ", height_, " (Seq ", width_, " ", scalar_, ");\n");
        const std::int64_t steps = random_.range(1, 3);
        for (std::int64_t k = 0; k < steps; ++k)
            put(random_.range(0, 2) > 0 ? windowed() : expression());
        text_ += hdl::cat("output y = v", last_, "; }\n");
    }

    std::int64_t pixels() const { return height_ * width_; }

private:
    std::string windowed() {
        const std::int64_t rows = random_.range(1, std::min<std::int64_t>(3, height_));
        const std::int64_t columns = random_.range(1, std::min<std::int64_t>(4, width_));
        const std::string border = pick({"undefined", "zero", "clamp", "mirror", number(0, 99)});
        std::string weights;
        for (std::int64_t k = 0; k < rows * columns; ++k)
            weights += (k == 0 ? "" : ", ") + number(0, 9);
        const std::string weighted =
            hdl::cat("reduce(add, map2(mul, unpartition(w), const([", weights, "] : Seq ",
                     rows * columns, " ", scalar_, ")))");
        const std::string ranked = hdl::cat("reduce(", pick({"min", "max"}), ", unpartition(w))");
        const std::string one =
            hdl::cat("tap(", number(0, rows - 1), ", ", number(0, columns - 1), ", w)");
        const std::string both = hdl::cat("map2(sub, ", one, ", ", ranked, ")");
        return hdl::cat("map(fn l -> unpartition(map(fn w -> ",
                        pick({weighted, weighted, ranked, both}), ", l)), window(", rows, ", ",
                        columns, ", border: ", border, ", ", value(), "))");
    }

    std::string expression() {
        const std::string lines = hdl::cat(", ", value(), ", ", earlier(), ")");
        switch (random_.range(0, 3)) {
        case 0:
            return hdl::cat("map2(fn a b -> map2(", pick({"add", "sub", "max"}), ", a, b)", lines);
        case 1:
            return hdl::cat("map2(fn l n -> map2(fn v k -> if(lt(k, ", number(1, 4), "), ",
                            number(0, 99), ", v), l, n), ", value(), ", ",
                            pick({"pixel_x", "pixel_y"}), "(", value(), "))");
        case 2:
            return hdl::cat("map(fn l -> shift(", pick({"1", "-1", "-2"}), ", l), ", value(), ")");
        default:
            return hdl::cat("partition(", height_, ", ", width_, ", shift(", pick({"-", ""}),
                            number(1, 2), ", unpartition(", value(), ")))");
        }
    }

    std::int64_t height_ = 1;
    std::int64_t width_ = 1;
};

} // namespace marquetry::test
