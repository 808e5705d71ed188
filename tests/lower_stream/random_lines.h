// Random image pipelines: text, from a seed. Narrow pixels in wide words, and values that are used
// again lines later.
#pragma once

#include "engine/rtl/netlist.h"
#include "engine/support/rng.h"

#include <string>
#include <vector>

namespace marquetry::test {

/// Values are all Seq n of one scalar: six lines. Every operator uses the value before it; none
/// waits more than four lines for the input, so that the last ones are defined.
class RandomLines {
public:
    explicit RandomLines(std::uint64_t seed) : random_(seed) {
        const std::string scalar = pick({"u16", "i16", "u32", "i32"});
        const int bits = scalar.ends_with("16") ? 16 : 32;
        isSigned_ = scalar[0] == 'i';
        line_ = random_.range(97, 130) * 2;
        const std::int64_t above = bits - random_.range(3, 9);
        text_ = hdl::cat("stream s { input x : Seq ", 6 * line_, " ", scalar,
                         ";\nlet v0 = map(fn v -> lsr(lsl(v, ", above, "), ", above, "), x);\n");
        while (lags_.size() < 9)
            addOne();
        text_ +=
            hdl::cat("output y = map2(add, v", lags_.size() - 1, ", v", lags_.size() - 2, "); }\n");
    }

    const std::string& text() const { return text_; }
    std::int64_t elements() const { return 6 * line_; }

private:
    std::string pick(const std::vector<std::string>& from) {
        return from[static_cast<std::size_t>(
            random_.range(0, static_cast<std::int64_t>(from.size()) - 1))];
    }

    std::string value(std::size_t k) const { return "v" + std::to_string(k); }

    void put(std::int64_t lag, const std::string& expression) {
        text_ += hdl::cat("let v", lags_.size(), " = ", expression, ";\n");
        lags_.push_back(lag);
    }

    void addOne() {
        const std::size_t last = lags_.size() - 1;
        const auto other =
            static_cast<std::size_t>(random_.range(0, static_cast<std::int64_t>(last)));
        const std::int64_t lag = std::max(lags_[last], lags_[other]);
        const std::string both = hdl::cat(value(last), ", ", value(other), ")");
        switch (random_.range(0, 7)) {
        case 0:
        case 1:
        case 2:
            return addShifted(last, other);
        case 3:
            return put(lag,
                       hdl::cat("map2(", pick({"add", "sub", "min", "max", "mul"}), ", ", both));
        case 4:
            return put(lag, "map2(fn a b -> if(lt(a, b), sub(b, a), sub(a, b)), " + both);
        case 5:
            return put(lags_[last], hdl::cat("map(fn v -> ", pick({"lsl", "lsr"}), "(v, ",
                                             random_.range(1, 6), "), ", value(last), ")"));
        case 6:
            return put(lags_[last], isSigned_
                                        ? hdl::cat("map(fn v -> abs(v), ", value(last), ")")
                                        : hdl::cat("map(fn v -> div(v, 43), ", value(last), ")"));
        default:
            return put(lags_[last],
                       hdl::cat("map(fn v -> ", pick({"min", "max", "sub", "mul"}), "(v, ",
                                random_.range(0, 40), "), ", value(last), ")"));
        }
    }

    /// A value beside what it was one or two lines ago, and some elements.
    void addShifted(std::size_t last, std::size_t other) {
        const std::int64_t far = random_.range(1, 2) * line_ + random_.range(-2, 2);
        const std::int64_t lag = std::max(lags_[last], lags_[other] + far);
        if (lag > 4 * line_)
            return put(lags_[last], hdl::cat("shift(1, ", value(last), ")"));
        put(lag, hdl::cat("map2(", pick({"add", "sub", "min", "max"}), ", ", value(last),
                          ", shift(", far, ", ", value(other), "))"));
    }

    SplitMix64 random_;
    bool isSigned_ = false;
    std::int64_t line_ = 0;
    std::vector<std::int64_t> lags_ = {0}; ///< of each value behind the input
    std::string text_;
};

} // namespace marquetry::test
