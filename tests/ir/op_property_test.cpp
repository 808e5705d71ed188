// Operators against definitions written here from the language reference, one element at a time,
// on random shapes; and every value against the range the analysis gives.
#include "tests/ir/op_properties.h"

#include <algorithm>
#include <numeric>

namespace marquetry::ir {
namespace {

/// Element of a padded tensor: `fill` around it.
std::int64_t filled(const Tensor& x, const Index& index, std::int64_t fill) {
    const bool inside =
        index[0] >= 0 && index[0] < x.type.dims[0] && index[1] >= 0 && index[1] < x.type.dims[1];
    return inside ? at(x, index) : fill;
}

/// Where pixel j of window i begins.
Index windowPixel(const OpParams& p, const Index& i, const Index& j, std::int64_t channel) {
    return {i[0] * p.stride.vertical + j[0] - p.pad.top,
            i[1] * p.stride.horizontal + j[1] - p.pad.left, channel};
}

OpParams drawWindows(SplitMix64& random) {
    OpParams p;
    p.pad = {random.range(0, 3), random.range(0, 3), random.range(0, 3), random.range(0, 3)};
    p.stride = {random.range(1, 3), random.range(1, 3)};
    return p;
}

TEST(OpProperty, ConvAndDepthwiseConv) {
    SplitMix64 random(1);
    for (int n = 0; n < kCases; ++n) {
        const std::int64_t kh = random.range(1, 4), kw = random.range(1, 4);
        const std::int64_t groups = random.range(1, 3), c = random.range(1, 3);
        OpParams p = drawWindows(random);
        const Tensor x = draw(random, {random.range(kh, 7), random.range(kw, 7), c * groups});
        const Range scalar = fullRange(x.type.scalar);
        p.fill = random.range(0, 1) ? random.range(scalar.lo, scalar.hi) : 0;
        const std::int64_t results = random.range(1, 2);
        const Tensor d = draw(random, {c * groups * results, kh, kw});
        expectElements(OpKind::DwConv, {x, d}, p, [&](const Index& i) {
            std::int64_t sum = 0;
            forEachIndex({kh, kw}, [&](const Index& j) {
                sum += filled(x, windowPixel(p, i, j, i[2] / results), p.fill) *
                       at(d, {i[2], j[0], j[1]});
            });
            return mod32(sum);
        });
        p.groups = groups;
        const Tensor w = draw(random, {groups * results, kh, kw, c});
        expectElements(OpKind::Conv, {x, w}, p, [&](const Index& i) {
            std::int64_t sum = 0;
            forEachIndex({kh, kw, c}, [&](const Index& j) {
                const std::int64_t channel = i[2] / results * c + j[2];
                sum += filled(x, windowPixel(p, i, j, channel), p.fill) *
                       at(w, {i[2], j[0], j[1], j[2]});
            });
            return mod32(sum);
        });
    }
}

TEST(OpProperty, OneDimensionalStencils) {
    SplitMix64 random(2);
    for (int n = 0; n < kCases; ++n) {
        const std::int64_t k = random.range(1, 4);
        const std::int64_t pad = random.range(0, 5);
        const OpParams p{.pad = pad};
        const Tensor x = draw(random, {random.range(k, 7), random.range(k, 7)});
        const Tensor w = draw(random, {k});
        for (const bool along : {false, true}) {
            expectElements(along ? OpKind::Conv1dW : OpKind::Conv1dH, {x, w}, p,
                           [&](const Index& i) {
                               std::int64_t sum = 0;
                               for (std::int64_t j = 0; j < k; ++j)
                                   sum += at(w, {j}) * (along ? at(x, {i[0], i[1] + j - pad})
                                                              : at(x, {i[0] + j - pad, i[1]}));
                               return mod32(sum);
                           });
        }
    }
}

TEST(OpProperty, MatrixProducts) {
    SplitMix64 random(3);
    for (int n = 0; n < kCases; ++n) {
        const std::int64_t k = random.range(1, 6);
        const std::int64_t b = random.range(1, 3);
        const Tensor a = draw(random, {b, random.range(1, 4), k});
        const Tensor c = draw(random, {b, random.range(1, 4), k});
        expectElements(OpKind::Bmm, {a, c}, {}, [&](const Index& i) {
            std::int64_t sum = 0;
            for (std::int64_t j = 0; j < k; ++j)
                sum += at(a, {i[0], i[1], j}) * at(c, {i[0], i[2], j});
            return mod32(sum);
        });
        const Tensor m = draw(random, {random.range(1, 4), k});
        const Tensor w = draw(random, {random.range(1, 4), k});
        const Tensor v = draw(random, {k});
        const auto product = [&](std::int64_t r,
                                 const std::function<std::int64_t(std::int64_t)>& f) {
            std::int64_t sum = 0;
            for (std::int64_t j = 0; j < k; ++j)
                sum += at(m, {r, j}) * f(j);
            return mod32(sum);
        };
        expectElements(OpKind::Mm, {m, w}, {}, [&](const Index& i) {
            return product(i[0], [&](std::int64_t j) { return at(w, {i[1], j}); });
        });
        expectElements(OpKind::Mv, {m, v}, {}, [&](const Index& i) {
            return product(i[0], [&](std::int64_t j) { return at(v, {j}); });
        });
    }
}

Tensor drawPooled(SplitMix64& random, OpParams& p) {
    p = drawWindows(random);
    p.size = {random.range(1, 4), random.range(1, 4)};
    return draw(random, {random.range(p.size.vertical, 7), random.range(p.size.horizontal, 7),
                         random.range(1, 3)});
}

TEST(OpProperty, SumPool) {
    SplitMix64 random(4);
    for (int n = 0; n < kCases; ++n) {
        OpParams p;
        const Tensor x = drawPooled(random, p);
        const Range scalar = fullRange(x.type.scalar);
        p.fill = random.range(scalar.lo, scalar.hi);
        expectElements(OpKind::SumPool, {x}, p, [&](const Index& i) {
            std::int64_t sum = 0;
            forEachIndex({p.size.vertical, p.size.horizontal}, [&](const Index& j) {
                sum += filled(x, windowPixel(p, i, j, i[2]), p.fill);
            });
            return mod32(sum);
        });
    }
}

/// Every window has an element inside.
Pads drawNarrowPads(SplitMix64& random, const PerAxis& size) {
    return {random.range(0, size.vertical - 1), random.range(0, size.horizontal - 1),
            random.range(0, size.vertical - 1), random.range(0, size.horizontal - 1)};
}

std::vector<std::int64_t> inside(const Tensor& x, const OpParams& p, const Index& i) {
    std::vector<std::int64_t> elements;
    forEachIndex({p.size.vertical, p.size.horizontal}, [&](const Index& j) {
        const Index from = windowPixel(p, i, j, i[2]);
        if (from[0] >= 0 && from[1] >= 0 && from[0] < x.type.dims[0] && from[1] < x.type.dims[1])
            elements.push_back(at(x, from));
    });
    return elements;
}

TEST(OpProperty, AvgPool) {
    SplitMix64 random(13);
    for (int n = 0; n < kCases; ++n) {
        OpParams p;
        const Tensor x = drawPooled(random, p);
        p.pad = drawNarrowPads(random, p.size);
        std::vector<std::int64_t> counts;
        forEachIndex(evaluate(OpKind::AvgPool, {x}, p).type.dims,
                     [&](const Index& i) { counts.push_back(std::ssize(inside(x, p, i))); });
        const auto divides = [&](std::int64_t scale) {
            return std::all_of(counts.begin(), counts.end(),
                               [&](std::int64_t count) { return scale % count == 0; });
        };
        std::int64_t scale = 1;
        while (!divides(scale))
            ++scale;
        expectElements(OpKind::AvgPool, {x}, p, [&](const Index& i) {
            const auto elements = inside(x, p, i);
            const std::int64_t sum =
                std::accumulate(elements.begin(), elements.end(), std::int64_t{0});
            return mod32(sum * scale / std::ssize(elements));
        });
    }
}

TEST(OpProperty, MaxPool) {
    SplitMix64 random(14);
    for (int n = 0; n < kCases; ++n) {
        OpParams p;
        const Tensor x = drawPooled(random, p);
        p.pad = drawNarrowPads(random, p.size);
        const std::int64_t least = std::min(p.size.vertical, p.size.horizontal) - 1;
        p.padAfter =
            random.range(0, std::max<std::int64_t>(0, least - std::max(p.pad.bottom, p.pad.right)));
        expectElements(OpKind::MaxPool, {x}, p, [&](const Index& i) {
            const auto elements = inside(x, p, i);
            return *std::max_element(elements.begin(), elements.end());
        });
    }
}

TEST(OpProperty, ElementwiseAndActivations) {
    SplitMix64 random(6);
    for (int n = 0; n < kCases; ++n) {
        const Shape dims = {random.range(1, 4), random.range(1, 4)};
        const Scalar s = random.range(0, 1) == 0 ? Scalar::I32 : narrow(random);
        const Tensor a = randomTensor({s, dims}, random);
        const bool broadcast = random.range(0, 1) == 1;
        const Tensor b = broadcast ? draw(random, {dims[1]}) : draw(random, dims);
        const auto other = [&](const Index& i) { return broadcast ? at(b, {i[1]}) : at(b, i); };
        expectElements(OpKind::Add, {a, b}, {},
                       [&](const Index& i) { return mod32(at(a, i) + other(i)); });
        expectElements(OpKind::Sub, {a, b}, {},
                       [&](const Index& i) { return mod32(at(a, i) - other(i)); });
        expectElements(OpKind::Mul, {a, b}, {},
                       [&](const Index& i) { return mod32(at(a, i) * other(i)); });
        expectElements(OpKind::Relu, {a}, {},
                       [&](const Index& i) { return at(a, i) < 0 ? 0 : at(a, i); });
        const OpParams p{.shift = 4, .num = random.range(0, 15)};
        expectElements(OpKind::Leaky, {a}, p, [&](const Index& i) {
            const std::int64_t x = at(a, i);
            return x >= 0 ? x : -((-x * p.num + 15) / 16);
        });
    }
}

TEST(OpProperty, Views) {
    SplitMix64 random(7);
    for (int n = 0; n < kCases; ++n) {
        const Shape dims = {random.range(1, 4), random.range(1, 4), random.range(1, 4)};
        const Tensor x = draw(random, dims);
        OpParams p{.axis = random.range(0, 2)};
        const auto axis = static_cast<std::size_t>(p.axis);
        p.from = random.range(0, dims[axis] - 1);
        p.until = random.range(p.from + 1, dims[axis]);
        expectElements(OpKind::Slice, {x}, p, [&](Index i) {
            i[axis] += p.from;
            return at(x, i);
        });
        Shape otherDims = dims;
        otherDims[axis] = random.range(1, 4);
        const Tensor y = randomTensor({x.type.scalar, otherDims}, random);
        expectElements(OpKind::Concat, {x, y}, p, [&](Index i) {
            if (i[axis] < dims[axis])
                return at(x, i);
            i[axis] -= dims[axis];
            return at(y, i);
        });
        p.list = {0, 1, 2};
        for (std::size_t k = 2; k > 0; --k)
            std::swap(p.list[k],
                      p.list[static_cast<std::size_t>(random.range(0, static_cast<int>(k)))]);
        expectElements(OpKind::Permute, {x}, p, [&](const Index& i) {
            Index from(3);
            for (std::size_t k = 0; k < 3; ++k)
                from[static_cast<std::size_t>(p.list[k])] = i[k];
            return at(x, from);
        });
        const Tensor m = draw(random, {dims[0], dims[1]});
        expectElements(OpKind::Transpose, {m}, {}, [&](const Index& i) {
            return at(m, {i[1], i[0]});
        });
    }
}

TEST(OpProperty, ExactRangesAreReached) {
    // Operands that sit at the corner of their range must give the end of the result's range.
    const Tensor x = tensor(Scalar::I8, {1, 1, 2}, {-128, -128});
    const Tensor w = tensor(Scalar::I8, {1, 1, 1, 2}, {-128, -128});
    const std::vector<Type> types = {x.type, w.type};
    const std::vector<Range> full = {{-128, 127}, {-128, 127}};
    EXPECT_EQ(info(OpKind::Conv).range(types, full, {}), (Range{-2 * 128 * 127, 2 * 128 * 128}));
    EXPECT_EQ(evaluate(OpKind::Conv, {x, w}).data[0], 2 * 128 * 128);
    const std::vector<Range> positive = {{1, 3}, {2, 5}};
    EXPECT_EQ(info(OpKind::Conv).range(types, positive, {}), (Range{4, 30}));
    EXPECT_EQ(info(OpKind::Conv).range(types, positive, {.pad = 1}), (Range{0, 30}));
}

} // namespace
} // namespace marquetry::ir
