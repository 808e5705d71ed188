#include "tests/lower_design/random_elements.h"

#include "engine/support/rng.h"
#include "tests/lower_design/random_windows.h"

#include <vector>

namespace marquetry::test {

namespace {

using Dims = std::vector<std::int64_t>;

class ElementsText {
public:
    explicit ElementsText(std::uint64_t seed)
        : rng_(seed), name_("elements_" + std::to_string(seed)) {}

    std::string write() {
        const std::int64_t layers = rng_.range(1, 3);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            append();
        return "design " + name_ + " {\n" + text_ + outputs_ + "}\n";
    }

private:
    bool coin() { return rng_.range(0, 1) == 1; }
    std::string pick(const std::vector<std::string>& from) {
        return from[static_cast<std::size_t>(
            rng_.range(0, static_cast<std::int64_t>(from.size()) - 1))];
    }
    std::string number(std::int64_t lo, std::int64_t hi) {
        return std::to_string(rng_.range(lo, hi));
    }

    std::string declare(const std::string& kind, const std::string& scalar, const Dims& dims) {
        const std::string name = kind.substr(0, 1) + "_" + std::to_string(++names_);
        std::string extents;
        for (const std::int64_t extent : dims)
            extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
        text_ += "  " + kind + " " + name + " : " + scalar + "[" + extents +
                 "] = random(seed: " + std::to_string(names_) + ");\n";
        return name;
    }

    std::string let(const std::string& expression) {
        const std::string name = "v" + std::to_string(++names_);
        text_ += "  let " + name + " = " + expression + ";\n";
        return name;
    }

    /// A stored tensor: an input, or what a pass makes of one.
    std::string tensor(const Dims& dims) {
        const std::string input = declare("input", pick({"i8", "u8", "i16", "i32", "i5"}), dims);
        if (coin())
            return input;
        return let("requant(" + input + ", shift: " + number(0, 3) +
                   ", to: " + pick({"i8", "u8", "u16", "i32", "u3"}) + ")");
    }

    std::string weight(const Dims& dims) {
        return declare("weight", pick({"i8", "u8", "i16", "i32", "i3"}), dims);
    }

    Dims shape() {
        Dims dims = {rng_.range(1, 21)};
        for (std::int64_t rank = rng_.range(1, 3); rank > 1; --rank)
            dims.insert(dims.begin(), rng_.range(1, 5));
        return dims;
    }

    void output(const std::string& value) {
        outputs_ += "  output y" + std::to_string(++names_) + " = " +
                    (coin() ? value : "requant(" + value + ", shift: " + number(0, 12) + ")") +
                    ";\n";
    }

    void ofTwo() {
        const Dims dims = shape();
        const std::string op = pick({"sub", "mul", "add"});
        const std::string first = tensor(dims);
        switch (rng_.range(0, 5)) {
        case 0:
            return output(op + "(" + first + ", " + first + ")");
        case 1:
            return output(op + "(" + first + ", " + tensor({dims.back()}) + ")");
        case 2:
            return output(op + "(" + first + ", " + weight(dims) + ")");
        case 3:
            return output(op + "(" + first + ", " + weight({dims.back()}) + ")");
        case 4:
            return output(op + "(" + weight(dims) + ", " + first + ")");
        default:
            return output(op + "(" + first + ", " + tensor(dims) + ")");
        }
    }

    void average() {
        const std::int64_t height = rng_.range(3, 7);
        const std::int64_t width = rng_.range(3, 7);
        const std::string pad = "[" + number(0, 1) + ", " + number(0, 1) + ", " + number(0, 1) +
                                ", " + number(0, 1) + "]";
        output("avgpool(" +
               declare("input", pick({"i8", "u8", "i16"}), {height, width, rng_.range(1, 19)}) +
               ", size: [" + number(2, 3) + ", " + number(2, 3) + "], stride: " + number(1, 2) +
               ", pad: " + pad + ")");
    }

    void depthwise() {
        const std::int64_t channels = rng_.range(1, 11);
        const std::int64_t kernel = rng_.range(1, 3);
        const Dims taps = {channels * rng_.range(2, 3), kernel, rng_.range(1, 3)};
        output("dwconv(" + declare("input", pick({"i8", "u8"}), {4, 5, channels}) + ", " +
               declare("weight", "i8", taps) + ", pad: " + number(0, 1) +
               ", stride: " + number(1, 2) + ")");
    }

    void stencil() {
        const std::int64_t taps = rng_.range(1, 5);
        // Of whole words, or not.
        const std::int64_t columns = coin() ? 8 * rng_.range(1, 6) : rng_.range(taps, 41);
        const Dims image = {rng_.range(taps, 9), columns};
        const std::string filtered = let(
            pick({"conv1d_w(", "conv1d_h("}) + declare("input", pick({"i8", "u8"}), image) + ", " +
            declare("weight", pick({"i8", "u8"}), {taps}) + ", pad: " + number(0, taps) + ")");
        output(coin() ? filtered : "relu(" + filtered + ")");
    }

    void vectors() {
        const Dims dims = {rng_.range(1, 21)};
        const std::string x = declare("input", pick({"i8", "u8"}), dims);
        const std::string w = declare("weight", pick({"i8", "u8"}), dims);
        output(coin() ? "dot(" + x + ", " + w + ")" : "dot(" + w + ", " + x + ")");
    }

    /// A weight in the place of what streams through a unit.
    void fromWeight() {
        const std::int64_t columns = rng_.range(1, 21);
        const std::string held = declare("input", "i8", {rng_.range(1, 9), columns});
        if (coin())
            return output("mv(" + held + ", " + declare("weight", "i8", {columns}) + ")");
        const std::string weight =
            declare("weight", pick({"i8", "u8"}), {rng_.range(1, 6), columns});
        output("requant(mm(" + weight + ", " + held + "), shift: 5)");
    }

    void table() {
        const std::string scalar = pick({"i4", "u4", "i3", "u2", "i7", "i8"});
        const std::int64_t bits = scalar[1] - '0';
        const std::string x = let("requant(" + tensor(shape()) + ", shift: 2, to: " + scalar + ")");
        const Dims entries = {std::int64_t{1} << bits};
        if (coin())
            return output("table(" + x + ", " +
                          declare("weight", pick({"i8", "u8", "i16"}), entries) + ")");
        const std::string of = coin() ? x : declare("weight", scalar, shape());
        output("table(" + of + ", " + tensor(entries) + ")");
    }

    void append() {
        switch (rng_.range(0, 10)) {
        case 0: {
            const Dims dims = shape();
            const std::string x = declare("input", pick({"i8", "u8", "i16"}), dims);
            const std::string w = coin() ? x : declare("weight", pick({"i8", "u8", "i16"}), dims);
            const bool first = coin();
            return output("qadd(" + (first ? x : w) + ", " + (first ? w : x) + ", mul: [" +
                          number(-40, 40) + ", " + number(1, 40) + "], add: " + number(-9, 9) +
                          ", shift: " + number(1, 9) + ", round: " + pick({"up", "even"}) + ")");
        }
        case 1:
            return average();
        case 2:
            return depthwise();
        case 3:
            return table();
        case 4:
            return stencil();
        case 5:
            return vectors();
        case 6:
            return fromWeight();
        default:
            return ofTwo();
        }
    }

    SplitMix64 rng_;
    std::string name_, text_, outputs_;
    std::int64_t names_ = 0;
};

} // namespace

std::string randomElementsText(std::uint64_t seed) {
    return ElementsText(seed).write();
}

TestDesign randomElements(std::uint64_t seed) {
    SplitMix64 rng(seed + 4'000'000);
    const std::int64_t lanes = std::int64_t{8} << rng.range(0, 1);
    return designOf(randomElementsText(seed), lanes, std::int64_t{1} << rng.range(0, 3));
}

} // namespace marquetry::test
