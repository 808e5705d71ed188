// What random stream programs have in common: operators on the values before them, from a seed.
#pragma once

#include "engine/rtl/netlist.h"
#include "engine/support/rng.h"

#include <string>
#include <vector>

namespace marquetry::test {

class RandomStreamText {
public:
    const std::string& text() const { return text_; }

protected:
    explicit RandomStreamText(std::uint64_t seed) : random_(seed) {}

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

    SplitMix64 random_;
    std::string scalar_;
    int last_ = 0; ///< value
    std::string text_;
};

} // namespace marquetry::test
