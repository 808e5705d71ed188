#include "tests/support/programs.h"

#include "engine/frontend/parser.h"

#include <iostream>

namespace marquetry::test {

namespace {

/// A tensor that exists in the text under construction.
struct Known {
    std::string name;
    std::string scalar;
    std::vector<std::int64_t> dims;
    bool wide() const { return scalar == "i32"; }
};

std::string listText(const std::vector<std::int64_t>& numbers) {
    std::string text = "[";
    for (std::size_t k = 0; k < numbers.size(); ++k)
        text += (k == 0 ? "" : ", ") + std::to_string(numbers[k]);
    return text + "]";
}

std::string typeText(const std::string& scalar, const std::vector<std::int64_t>& dims) {
    return scalar + listText(dims);
}

class TextBuilder {
public:
    TextBuilder(std::uint64_t seed, const GraphDraw& draw) : rng_(seed), draw_(draw) {}

    std::string run() {
        const std::int64_t inputs = rng_.range(1, 2);
        for (std::int64_t k = 0; k < inputs; ++k)
            addInput();
        for (int k = 0; k < draw_.layers; ++k)
            addLayer();
        std::string outputs = "  output out = " + known_.back().name + ";\n";
        if (flip())
            outputs += "  output other = " + pick(known_).name + ";\n";
        return "design drawn {\n" + text_ + outputs + "}\n";
    }

private:
    bool flip(std::int64_t oneIn = 2) { return rng_.range(1, oneIn) == 1; }
    template <class T>
    const T& pick(const std::vector<T>& from) {
        return from[static_cast<std::size_t>(
            rng_.range(0, static_cast<std::int64_t>(from.size()) - 1))];
    }
    std::string fresh(const std::string& stem) { return stem + std::to_string(next_++); }
    std::string source() {
        return " = random(seed: " + std::to_string(rng_.range(1, 999)) + ");\n";
    }

    void addInput() {
        const std::string scalar = flip(3) ? "u8" : "i8";
        std::vector<std::int64_t> dims = {rng_.range(1, draw_.maxChannels)};
        if (!flip(4))
            dims = {rng_.range(1, draw_.maxExtent), rng_.range(1, draw_.maxExtent), dims[0]};
        known_.push_back({fresh("in"), scalar, dims});
        text_ += "  input " + known_.back().name + " : " + typeText(scalar, dims) + source();
    }

    std::string weight(const std::vector<std::int64_t>& dims) {
        const std::string name = fresh("w");
        text_ += "  weight " + name + " : " + typeText(flip(4) ? "u8" : "i8", dims) + source();
        return name;
    }

    void let(Known value, const std::string& expression) {
        text_ += "  let " + value.name + " = " + expression + ";\n";
        known_.push_back(std::move(value));
    }

    /// An anchor or a pass on some tensor, then some of the write-back operators.
    void addLayer() {
        Known from = pick(known_);
        if (from.wide()) {
            requant(from);
            from = known_.back();
        }
        if (from.dims.size() == 3 && !flip(4))
            conv(from);
        else if (!flip(5))
            mv(from);
        const std::int64_t extras = rng_.range(0, 4);
        for (std::int64_t k = 0; k < extras; ++k)
            writeBack();
    }

    void conv(const Known& from) {
        const std::int64_t pad = rng_.range(0, 1);
        const std::int64_t least = std::min(from.dims[0], from.dims[1]) + 2 * pad;
        const std::int64_t kernel = rng_.range(1, std::min<std::int64_t>(3, least));
        const std::int64_t stride = rng_.range(1, 2);
        const std::int64_t rows = rng_.range(1, draw_.maxChannels);
        const std::string w = weight({rows, kernel, kernel, from.dims[2]});
        const auto out = [&](std::int64_t extent) {
            return (extent + 2 * pad - kernel) / stride + 1;
        };
        let({fresh("c"), "i32", {out(from.dims[0]), out(from.dims[1]), rows}},
            "conv(" + from.name + ", " + w + ", pad: " + std::to_string(pad) +
                ", stride: " + std::to_string(stride) + ")");
    }

    void mv(Known from) {
        std::int64_t cols = 1;
        for (std::int64_t dim : from.dims)
            cols *= dim;
        const std::int64_t rows = rng_.range(1, draw_.maxChannels);
        const std::string w = weight({rows, cols});
        const std::string vector = from.dims.size() == 1 ? from.name : "flatten(" + from.name + ")";
        let({fresh("m"), "i32", {rows}}, "mv(" + w + ", " + vector + ")");
    }

    void requant(const Known& from) {
        const std::string to = flip(3) ? "u8" : flip(4) ? "i16" : "i8";
        let({fresh("q"), to, from.dims},
            "requant(" + from.name + ", mul: " + std::to_string(rng_.range(1, 3)) +
                ", shift: " + std::to_string(rng_.range(0, 9)) +
                ", zero: " + std::to_string(rng_.range(-3, 3)) + ", to: " + to + ")");
    }

    void writeBack() {
        const Known from = known_.back();
        switch (rng_.range(0, 5)) {
        case 5:
            return flatten(from);
        case 0:
            return requant(from);
        case 1:
            return let({fresh("r"), from.scalar, from.dims}, "relu(" + from.name + ")");
        case 2:
            return let({fresh("l"), from.scalar, from.dims},
                       "leaky(" + from.name + ", num: 3, shift: 4)");
        case 3:
            return add(from);
        default:
            return pool(from);
        }
    }

    void flatten(const Known& from) {
        if (from.dims.size() == 3 && flip(4))
            let({fresh("f"), from.scalar, {from.dims[0] * from.dims[1] * from.dims[2]}},
                "flatten(" + from.name + ")");
    }

    void add(const Known& from) {
        std::vector<Known> same;
        for (const Known& other : known_)
            if (other.dims == from.dims && other.name != from.name)
                same.push_back(other);
        if (same.empty())
            return;
        const Known& other = pick(same);
        const bool swap = flip();
        let({fresh("a"), "i32", from.dims},
            "add(" + (swap ? other : from).name + ", " + (swap ? from : other).name + ")");
    }

    void pool(const Known& from) {
        if (from.dims.size() != 3 || from.wide())
            return;
        const std::int64_t least = std::min(from.dims[0], from.dims[1]);
        const std::int64_t size = rng_.range(1, std::min<std::int64_t>(3, least));
        const bool sum = flip();
        let({fresh("p"),
             sum ? "i32" : from.scalar,
             {from.dims[0] / size, from.dims[1] / size, from.dims[2]}},
            std::string(sum ? "sumpool(" : "maxpool(") + from.name +
                ", size: " + std::to_string(size) + ")");
    }

    SplitMix64 rng_;
    GraphDraw draw_;
    std::string text_;
    std::vector<Known> known_;
    int next_ = 0;
};

} // namespace

std::shared_ptr<const ir::Program> tryProgramOf(const std::string& text) {
    auto parsed = frontend::parse(text, "test.mq");
    if (!parsed)
        return nullptr;
    return std::make_shared<const ir::Program>(std::move(parsed->programs.front()));
}

std::shared_ptr<const ir::Program> programOf(const std::string& text) {
    auto program = tryProgramOf(text);
    if (!program)
        std::cerr << text << format(frontend::parse(text, "test.mq").error());
    ENGINE_ASSERT(program != nullptr, "the program of a test is well formed");
    return program;
}

std::string vggText(int layers) {
    struct Stage {
        std::int64_t channels;
        int convolutions;
    };
    const Stage stages[] = {{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}};
    const int copies = layers > 14 ? layers / 14 : 1;
    std::string text = "design vgg {\n  input image : i8[32, 32, 3] = zeros;\n";
    std::string last = "image";
    std::int64_t depth = 3;
    int index = 0;
    int left = layers;
    for (const Stage& stage : stages) {
        for (int k = 0; k < stage.convolutions * copies && left > 0; ++k, --left) {
            const std::string id = std::to_string(index++);
            text += "  weight w" + id + " : " + typeText("i8", {stage.channels, 3, 3, depth}) +
                    " = zeros;\n  let c" + id + " = relu(requant(conv(" + last + ", w" + id +
                    ", pad: 1), shift: 9));\n";
            last = "c" + id;
            depth = stage.channels;
        }
        if (left == 0)
            return text + "  output y = " + last + ";\n}\n";
        const std::string pool = "p" + std::to_string(index++);
        text += "  let " + pool + " = maxpool(" + last + ", size: 2);\n";
        last = pool;
    }
    return text + "  weight fc : i8[10, 512] = zeros;\n  output y = mv(fc, flatten(" + last +
           "));\n}\n";
}

std::string randomProgramText(std::uint64_t seed, const GraphDraw& draw) {
    return TextBuilder(seed, draw).run();
}

std::string meetingProgramText(std::uint64_t seed) {
    SplitMix64 rng(seed);
    const std::int64_t channels[] = {4, 8, 12, 16};
    const std::int64_t extents[] = {1, 2, 3, 6};
    const auto channel = [&] { return channels[rng.range(0, 3)]; };
    std::vector<std::int64_t> dims = {extents[rng.range(0, 3)], extents[rng.range(0, 3)],
                                      channel()};
    std::string text = "design meet {\n  input x : " + typeText("i8", dims) + " = zeros;\n";
    std::string last = "x";
    const std::int64_t layers = rng.range(2, 4);
    const std::int64_t convolutions = rng.range(0, layers);
    for (std::int64_t k = 0; k < layers; ++k) {
        const std::string id = std::to_string(k);
        const std::int64_t rows = channel();
        if (k < convolutions) {
            const std::int64_t kernel = 1 + 2 * rng.range(0, 1);
            text += "  weight w" + id + " : " + typeText("i8", {rows, kernel, kernel, dims[2]}) +
                    " = zeros;\n  let y" + id + " = requant(conv(" + last + ", w" + id +
                    ", pad: " + std::to_string(kernel / 2) + "), shift: 5);\n";
            dims[2] = rows;
        } else {
            const bool tensor = dims.size() == 3;
            const std::int64_t cols = tensor ? dims[0] * dims[1] * dims[2] : dims[0];
            text += "  weight w" + id + " : " + typeText("i8", {rows, cols}) + " = zeros;\n" +
                    "  let y" + id + " = requant(mv(w" + id + ", " +
                    (tensor ? "flatten(" + last + ")" : last) + "), shift: 5);\n";
            dims = {rows};
        }
        last = "y" + id;
    }
    return text + "  output out = " + last + ";\n}\n";
}

std::string scaledProgramText(std::uint64_t seed) {
    std::string text = meetingProgramText(seed);
    const std::string shift = "shift: 5";
    const std::string scaled = "mul: 3, shift: 7";
    for (std::size_t at = text.find(shift); at != std::string::npos;
         at = text.find(shift, at + scaled.size()))
        text.replace(at, shift.size(), scaled);
    return text;
}

std::string otherSkeletonsText(std::uint64_t seed) {
    SplitMix64 rng(seed);
    const std::int64_t extents[] = {4, 6, 12};
    const auto extent = [&] { return extents[rng.range(0, 2)]; };
    const auto zeros = [](const char* kind, const std::string& name,
                          const std::vector<std::int64_t>& dims) {
        return std::string("  ") + kind + " " + name + " : " + typeText("i8", dims) + " = zeros;\n";
    };
    std::vector<std::int64_t> dims = {extent(), extent()};
    if (rng.range(0, 2) == 0)
        dims = {dims[0], dims[0], 8 * rng.range(1, 2)};
    std::string text = "design other {\n" + zeros("input", "x", dims);
    std::string last = "x";
    const std::int64_t layers = rng.range(2, 3);
    for (std::int64_t k = 0; k < layers; ++k) {
        const std::string id = std::to_string(k);
        const std::string held = "w" + id;
        std::string call;
        const std::int64_t onImage = dims.size() == 3 ? rng.range(0, 2) : -1;
        if (onImage == 0) {
            text += zeros("weight", held, {dims[2], 3, 3});
            call = "dwconv(" + last + ", " + held + ", pad: 1)";
        } else if (onImage == 1) {
            const std::int64_t rows = 8 * rng.range(1, 2);
            const std::int64_t kernel = 1 + 2 * rng.range(0, 1);
            text += zeros("weight", held, {rows, kernel, kernel, dims[2]});
            call = "conv(" + last + ", " + held + ", pad: " + std::to_string(kernel / 2) + ")";
            dims[2] = rows;
        } else if (onImage == 2) {
            // The pixels as rows of a matrix: what im2col makes of a convolution meets this.
            const std::int64_t pixels = dims[0] * dims[1];
            const std::int64_t rows = 8 * rng.range(1, 2);
            text += zeros("weight", held, {rows, dims[2]});
            call = "mm(reshape(" + last + ", dims: " + listText({pixels, dims[2]}) + "), " + held +
                   ")";
            dims = {pixels, rows};
        } else if (const std::int64_t kind = rng.range(0, 3); kind < 2) {
            const std::int64_t rows = extent();
            text += zeros(kind == 0 ? "weight" : "input", held, {rows, dims[1]});
            call = "mm(" + last + ", " + held + ")";
            dims[1] = rows;
        } else {
            text += zeros("weight", held, {3});
            call = std::string(kind == 2 ? "conv1d_w(" : "conv1d_h(") + last + ", " + held +
                   ", pad: 1)";
        }
        last = "y" + id;
        text += "  let " + last + " = requant(" + call + ", shift: 5);\n";
    }
    return text + "  output out = " + last + ";\n}\n";
}

} // namespace marquetry::test
