#include "tests/lower_design/random_products.h"

#include "engine/support/rng.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_windows.h"

#include <algorithm>
#include <vector>

namespace marquetry::test {

namespace {

using Dims = std::vector<std::int64_t>;

class ProductsText {
public:
    explicit ProductsText(std::uint64_t seed)
        : rng_(seed), name_("products_" + std::to_string(seed)) {}

    std::string write() {
        const std::int64_t layers = rng_.range(1, 4);
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
    std::string fresh(const std::string& stem) { return stem + std::to_string(++names_); }

    std::string declare(const char* kind, const std::string& scalar, const Dims& dims) {
        const std::string name = fresh(kind[0] == 'i' ? "x" : "w");
        std::string extents;
        for (const std::int64_t extent : dims)
            extents += (extents.empty() ? "" : ", ") + std::to_string(extent);
        text_ += std::string("  ") + kind + " " + name + " : " + scalar + "[" + extents +
                 "] = random(seed: " + std::to_string(names_) + ");\n";
        return name;
    }

    /// A stored tensor: an input, or what a pass makes of one.
    std::string tensor(const Dims& dims) {
        const std::string input = declare("input", pick({"i8", "u8", "i8", "i16"}), dims);
        if (coin())
            return input;
        const std::string name = fresh("v");
        text_ += "  let " + name + " = requant(" + input +
                 ", shift: " + std::to_string(rng_.range(0, 3)) + ", to: " + pick({"i8", "u8"}) +
                 ");\n";
        return name;
    }

    void output(const std::string& value) {
        outputs_ += "  output " + fresh("y") + " = " + value + ";\n";
    }

    std::string finished(const std::string& product) {
        if (coin())
            return product;
        const std::string scaled = "requant(" + product +
                                   ", shift: " + std::to_string(rng_.range(4, 12)) +
                                   ", to: " + pick({"i8", "u8"}) + ")";
        return coin() ? "relu(" + scaled + ")" : scaled;
    }

    /// One word of the data, or more, and groups that end within words or with them.
    std::string grouped() {
        const std::int64_t groups = rng_.range(2, 5);
        const std::int64_t ofGroup = rng_.range(1, 9);
        const Dims kernel = {groups * rng_.range(1, 5), rng_.range(1, 3), rng_.range(1, 3),
                             ofGroup};
        return "conv(" + tensor({5, 4, groups * ofGroup}) + ", " + tensor(kernel) +
               ", pad: " + std::to_string(rng_.range(0, 1)) +
               ", stride: " + std::to_string(rng_.range(1, 2)) +
               ", groups: " + std::to_string(groups) + ")";
    }

    /// With a result for each channel, or several.
    std::string depthwise() {
        const std::int64_t channels = rng_.range(1, 19);
        const Dims kernel = {channels * (coin() ? 1 : rng_.range(2, 3)), rng_.range(1, 3),
                             rng_.range(1, 3)};
        const Dims image = {4, 5, channels};
        const bool given = rng_.range(0, 3) == 0; // and not the kernel
        return "dwconv(" + (given ? declare("weight", "i8", image) : tensor(image)) + ", " +
               tensor(kernel) + ", pad: " + std::to_string(rng_.range(0, 1)) +
               ", stride: " + std::to_string(rng_.range(1, 2)) + ")";
    }

    std::string stencil() {
        const std::int64_t taps = rng_.range(1, 9);
        const std::int64_t pad = rng_.range(0, 5);
        // Of whole words, or not; the kernel may be longer than the image.
        const std::int64_t least = std::max<std::int64_t>(1, taps - 2 * pad);
        const std::int64_t columns = coin() ? 8 * rng_.range(1, 6) : rng_.range(least, least + 30);
        return pick({"conv1d_w(", "conv1d_h("}) +
               tensor({rng_.range(least, 10), std::max(columns, least)}) + ", " + tensor({taps}) +
               ", pad: " + std::to_string(pad) + ")";
    }

    std::string heldKernel() {
        const std::int64_t kind = rng_.range(0, 2);
        return kind == 0 ? grouped() : kind == 1 ? depthwise() : stencil();
    }

    std::string ofRows(const Dims& dims) {
        if (coin())
            return "softmax(" + (coin() ? declare("input", "i32", dims) : tensor(dims)) + ")";
        return "layernorm(" + tensor(dims) + ", shift: " + std::to_string(rng_.range(0, 7)) +
               ", to: " + pick({"i8", "u8", "i16", "i5"}) + ")";
    }

    void append() {
        const std::int64_t rows = rng_.range(1, 9);
        const std::int64_t columns = rng_.range(1, 21);
        const std::int64_t others = rng_.range(1, 9);
        switch (rng_.range(0, 10)) {
        case 0:
            return output(
                finished("mm(" + tensor({rows, columns}) + ", " + tensor({others, columns}) + ")"));
        case 1: {
            const std::int64_t batches = rng_.range(1, 3);
            const bool held = coin();
            const Dims dims = {batches, others, columns};
            return output(finished("bmm(" + tensor({batches, rows, columns}) + ", " +
                                   (held ? tensor(dims) : declare("weight", "i8", dims)) + ")"));
        }
        case 2:
            return output(
                finished("mv(" + tensor({others, columns}) + ", " + tensor({columns}) + ")"));
        case 3: {
            const std::int64_t height = rng_.range(1, 3);
            return output(finished("mv(" + tensor({others, height * columns}) + ", flatten(" +
                                   tensor({height, 1, columns}) + "))"));
        }
        case 4:
            return output("dot(" + tensor({columns}) + ", " + tensor({columns}) + ")");
        case 5: {
            const std::int64_t kernel = rng_.range(1, 3);
            return output(finished("conv(" + tensor({rows + 2, 4, columns}) + ", " +
                                   tensor({others, kernel, kernel, columns}) + ", pad: 1)"));
        }
        case 6:
        case 7:
        case 8:
            return output(finished(heldKernel()));
        default:
            return output(ofRows({rows, columns}));
        }
    }

    SplitMix64 rng_;
    std::string name_, text_, outputs_;
    std::int64_t names_ = 0;
};

} // namespace

std::string randomProductsText(std::uint64_t seed) {
    return ProductsText(seed).write();
}

TestDesign randomProducts(std::uint64_t seed) {
    SplitMix64 rng(seed + 3'000'000);
    const std::int64_t lanes = std::int64_t{8} << rng.range(0, 1);
    const std::int64_t parallel = anyParallel(rng);
    return designOf(randomProductsText(seed), lanes, parallel, anySpan(rng));
}

} // namespace marquetry::test
