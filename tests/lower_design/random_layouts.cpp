#include "tests/lower_design/random_layouts.h"

#include "engine/support/rng.h"
#include "tests/lower_design/random_design.h"
#include "tests/lower_design/random_windows.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace marquetry::test {

namespace {

using Dims = std::vector<std::int64_t>;

std::string bracketed(const Dims& numbers) {
    std::string text;
    for (const std::int64_t number : numbers)
        text += (text.empty() ? "[" : ", ") + std::to_string(number);
    return text + "]";
}

struct Tensor {
    std::string name;
    Dims dims;
};

class LayoutText {
public:
    explicit LayoutText(std::uint64_t seed)
        : rng_(seed), name_("layouts_" + std::to_string(seed)) {}

    std::string write() {
        scalar_ = pick({"i8", "u8", "i16", "i8", "u32", "bit"});
        const std::int64_t inputs = rng_.range(1, 2);
        for (std::int64_t k = 0; k < inputs; ++k) {
            Tensor input{"x" + std::to_string(k), {}};
            const std::int64_t rank = rng_.range(1, 4);
            for (std::int64_t d = 0; d < rank; ++d)
                input.dims.push_back(d + 1 == rank ? rng_.range(1, 26) : rng_.range(1, 6));
            declare("input", input);
            known_.push_back(input);
        }
        const std::int64_t layers = rng_.range(1, 6);
        for (std::int64_t layer = 0; layer < layers; ++layer)
            append();
        std::string outputs = "  output y = " + known_.back().name + ";\n";
        if (coin())
            outputs += "  output z = " + known_[index(known_.size())].name + ";\n";
        return "design " + name_ + " {\n" + text_ + outputs + "}\n";
    }

private:
    bool coin() { return rng_.range(0, 1) == 1; }
    std::size_t index(std::size_t count) {
        return static_cast<std::size_t>(rng_.range(0, static_cast<std::int64_t>(count) - 1));
    }
    std::string pick(const std::vector<std::string>& from) { return from[index(from.size())]; }

    void declare(const char* kind, const Tensor& tensor) {
        text_ += std::string("  ") + kind + " " + tensor.name + " : " + scalar_ +
                 bracketed(tensor.dims) + " = random(seed: " + std::to_string(++seeds_) + ");\n";
    }

    void let(const std::string& expression, const Dims& dims) {
        const std::string name = "v" + std::to_string(++seeds_);
        text_ += "  let " + name + " = " + expression + ";\n";
        known_.push_back({name, dims});
    }

    void append() {
        const Tensor from = known_[coin() ? known_.size() - 1 : index(known_.size())];
        switch (rng_.range(0, 9)) {
        case 0:
            return slice(from);
        case 1:
        case 2:
            return concat(from);
        case 3:
        case 4:
            return permute(from);
        case 5:
            return reshape(from);
        case 6:
            return let("flatten(" + from.name + ")", {elements(from)});
        case 7:
            if (scalar_ == "u32" || scalar_ == "bit") // which nothing computes with
                return permute(from);
            return let("relu(" + from.name + ")", from.dims);
        case 8:
            return from.dims.size() == 3 ? upsample(from) : permute(from);
        default:
            return from.dims.size() == 3 ? depthToSpace(from) : reshape(from);
        }
    }

    static std::int64_t elements(const Tensor& tensor) {
        return std::accumulate(tensor.dims.begin(), tensor.dims.end(), std::int64_t{1},
                               std::multiplies<>());
    }

    void slice(const Tensor& from) {
        const std::size_t axis = index(from.dims.size());
        const std::int64_t begin = rng_.range(0, from.dims[axis] - 1);
        const std::int64_t end = rng_.range(begin + 1, from.dims[axis]);
        Dims dims = from.dims;
        dims[axis] = end - begin;
        let("slice(" + from.name + ", axis: " + std::to_string(axis) +
                ", from: " + std::to_string(begin) + ", to: " + std::to_string(end) + ")",
            dims);
    }

    /// With a part of itself, or itself.
    void concat(const Tensor& from) {
        const std::size_t axis = index(from.dims.size());
        Tensor other = from;
        if (from.dims[axis] > 1 && coin()) {
            const std::string cut = "slice(" + from.name + ", axis: " + std::to_string(axis) +
                                    ", from: 1, to: " + std::to_string(from.dims[axis]) + ")";
            Dims dims = from.dims;
            --dims[axis];
            let(cut, dims);
            other = known_.back();
        }
        if (rng_.range(0, 3) == 0) {
            other.name = "w" + std::to_string(seeds_);
            declare("weight", other);
        }
        Dims dims = from.dims;
        dims[axis] += other.dims[axis];
        if (elements({"", dims}) > 3000)
            return;
        const bool first = coin();
        let("concat(" + (first ? from : other).name + ", " + (first ? other : from).name +
                ", axis: " + std::to_string(axis) + ")",
            dims);
    }

    void permute(const Tensor& from) {
        Dims order(from.dims.size());
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t k = order.size(); k > 1; --k)
            std::swap(order[k - 1], order[index(k)]);
        Dims dims;
        for (const std::int64_t axis : order)
            dims.push_back(from.dims[static_cast<std::size_t>(axis)]);
        let("permute(" + from.name + ", order: " + bracketed(order) + ")", dims);
    }

    /// Into factors of the number of elements.
    void reshape(const Tensor& from) {
        Dims dims;
        std::int64_t left = elements(from);
        for (std::int64_t rank = rng_.range(1, 3); rank > 1; --rank) {
            std::vector<std::int64_t> factors;
            for (std::int64_t f = 1; f <= std::min<std::int64_t>(left, 30); ++f)
                if (left % f == 0)
                    factors.push_back(f);
            dims.push_back(factors[index(factors.size())]);
            left /= dims.back();
        }
        dims.push_back(left);
        if (coin())
            std::reverse(dims.begin(), dims.end());
        let("reshape(" + from.name + ", dims: " + bracketed(dims) + ")", dims);
    }

    void upsample(const Tensor& from) {
        const std::int64_t rows = rng_.range(1, 3);
        const std::int64_t columns = rng_.range(1, 3);
        if (elements(from) * rows * columns > 3000)
            return;
        let("upsample(" + from.name + ", factor: " + bracketed({rows, columns}) + ")",
            {from.dims[0] * rows, from.dims[1] * columns, from.dims[2]});
    }

    /// Of what has enough channels: some of its own are repeated.
    void depthToSpace(const Tensor& from) {
        if (elements(from) > 700)
            return;
        Tensor wide = from;
        if (from.dims[2] % 4 != 0) {
            for (int k = 0; k < 2; ++k) {
                wide.dims[2] *= 2;
                let("concat(" + wide.name + ", " + wide.name + ", axis: 2)", wide.dims);
                wide = known_.back();
            }
        }
        let("depth_to_space(" + wide.name + ", block: 2, order: " + pick({"dcr", "crd"}) + ")",
            {wide.dims[0] * 2, wide.dims[1] * 2, wide.dims[2] / 4});
    }

    SplitMix64 rng_;
    std::string name_, text_, scalar_;
    std::vector<Tensor> known_;
    std::int64_t seeds_ = 0;
};

} // namespace

std::string randomLayoutsText(std::uint64_t seed) {
    return LayoutText(seed).write();
}

TestDesign randomLayouts(std::uint64_t seed) {
    SplitMix64 rng(seed + 2'000'000);
    const std::int64_t lanes = std::int64_t{8} << rng.range(0, 2);
    return designOf(randomLayoutsText(seed), lanes, anyParallel(rng));
}

} // namespace marquetry::test
