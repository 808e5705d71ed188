// Operators against definitions written here from the language reference, one element at a time,
// on random shapes; and every value against the range the analysis gives.
#include "tests/ir/tensor_maker.h"

#include <functional>

namespace marquetry::ir {
namespace {

constexpr int kCases = 300;

using Index = std::vector<std::int64_t>;

/// Element at an index; zero outside (the meaning of zero padding).
std::int64_t at(const Tensor& t, const Index& index) {
    std::int64_t k = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
        if (index[axis] < 0 || index[axis] >= t.type.dims[axis])
            return 0;
        k = k * t.type.dims[axis] + index[axis];
    }
    return t.data[static_cast<std::size_t>(k)];
}

void forEachIndex(const Shape& dims, const std::function<void(const Index&)>& visit) {
    Index index(dims.size(), 0);
    while (true) {
        visit(index);
        std::size_t axis = dims.size();
        while (axis > 0 && ++index[axis - 1] == dims[axis - 1])
            index[--axis] = 0;
        if (axis == 0)
            return;
    }
}

std::int64_t mod32(std::int64_t value) {
    const std::int64_t low = value & 0xffffffffLL;
    return low >= 0x80000000LL ? low - 0x100000000LL : low;
}

Scalar narrow(SplitMix64& random) {
    return static_cast<Scalar>(random.range(0, 3));
}

Tensor draw(SplitMix64& random, Shape dims) {
    return randomTensor({narrow(random), std::move(dims)}, random);
}

/// Ranges of random tensors are those of their scalars.
void expectInRange(OpKind kind, const std::vector<Tensor>& operands, const OpParams& params,
                   const Tensor& result) {
    std::vector<Type> types;
    std::vector<Range> ranges;
    for (const Tensor& operand : operands) {
        types.push_back(operand.type);
        const auto [lo, hi] = std::minmax_element(operand.data.begin(), operand.data.end());
        ranges.push_back({*lo, *hi});
    }
    const Range exact = info(kind).range(types, ranges, params);
    const Range full = fullRange(result.type.scalar);
    if (exact.lo < full.lo || exact.hi > full.hi)
        return;
    for (const std::int64_t value : result.data) {
        ASSERT_GE(value, exact.lo) << info(kind).name;
        ASSERT_LE(value, exact.hi) << info(kind).name;
    }
}

using Element = std::function<std::int64_t(const Index&)>;

void expectElements(OpKind kind, const std::vector<Tensor>& operands, const OpParams& params,
                    const Element& element) {
    const Tensor result = evaluate(kind, operands, params);
    ASSERT_EQ(std::ssize(result.data), result.type.elements());
    std::size_t k = 0;
    forEachIndex(result.type.dims, [&](const Index& index) {
        EXPECT_EQ(result.data[k++], element(index)) << info(kind).name;
    });
    expectInRange(kind, operands, params, result);
}

TEST(OpProperty, ConvAndDepthwiseConv) {
    SplitMix64 random(1);
    for (int n = 0; n < kCases; ++n) {
        const std::int64_t k = random.range(1, 4);
        const std::int64_t c = random.range(1, 4);
        const OpParams p{.pad = random.range(0, 3), .stride = random.range(1, 3)};
        const Tensor x = draw(random, {random.range(k, 7), random.range(k, 7), c});
        const Tensor w = draw(random, {random.range(1, 4), k, k, c});
        expectElements(OpKind::Conv, {x, w}, p, [&](const Index& i) {
            std::int64_t sum = 0;
            forEachIndex({k, k, c}, [&](const Index& j) {
                sum +=
                    at(x, {i[0] * p.stride + j[0] - p.pad, i[1] * p.stride + j[1] - p.pad, j[2]}) *
                    at(w, {i[2], j[0], j[1], j[2]});
            });
            return mod32(sum);
        });
        const Tensor d = draw(random, {c, k, k});
        expectElements(OpKind::DwConv, {x, d}, p, [&](const Index& i) {
            std::int64_t sum = 0;
            forEachIndex({k, k}, [&](const Index& j) {
                sum +=
                    at(x, {i[0] * p.stride + j[0] - p.pad, i[1] * p.stride + j[1] - p.pad, i[2]}) *
                    at(d, {i[2], j[0], j[1]});
            });
            return mod32(sum);
        });
    }
}

TEST(OpProperty, OneDimensionalStencils) {
    SplitMix64 random(2);
    for (int n = 0; n < kCases; ++n) {
        const std::int64_t k = random.range(1, 4);
        const OpParams p{.pad = random.range(0, 5)};
        const Tensor x = draw(random, {random.range(k, 7), random.range(k, 7)});
        const Tensor w = draw(random, {k});
        for (const bool along : {false, true}) {
            expectElements(along ? OpKind::Conv1dW : OpKind::Conv1dH, {x, w}, p,
                           [&](const Index& i) {
                               std::int64_t sum = 0;
                               for (std::int64_t j = 0; j < k; ++j)
                                   sum += at(w, {j}) * (along ? at(x, {i[0], i[1] + j - p.pad})
                                                              : at(x, {i[0] + j - p.pad, i[1]}));
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

TEST(OpProperty, Pools) {
    SplitMix64 random(4);
    for (int n = 0; n < kCases; ++n) {
        OpParams p{.stride = random.range(1, 3), .size = random.range(1, 3)};
        const Tensor x =
            draw(random, {random.range(p.size, 7), random.range(p.size, 7), random.range(1, 3)});
        expectElements(OpKind::SumPool, {x}, p, [&](const Index& i) {
            std::int64_t sum = 0;
            forEachIndex({p.size, p.size}, [&](const Index& j) {
                sum += at(x, {i[0] * p.stride + j[0], i[1] * p.stride + j[1], i[2]});
            });
            return mod32(sum);
        });
        p.padAfter = random.range(0, p.size - 1);
        expectElements(OpKind::MaxPool, {x}, p, [&](const Index& i) {
            std::int64_t best = info(x.type.scalar).min;
            forEachIndex({p.size, p.size}, [&](const Index& j) {
                const Index from = {i[0] * p.stride + j[0], i[1] * p.stride + j[1], i[2]};
                if (from[0] < x.type.dims[0] && from[1] < x.type.dims[1])
                    best = std::max(best, at(x, from));
            });
            return best;
        });
    }
}

TEST(OpProperty, RequantAgainstWideDivision) {
    __extension__ using Wide = __int128;
    SplitMix64 random(5);
    for (int n = 0; n < kCases; ++n) {
        const OpParams p{.mul = random.range(-2147483648LL, 2147483647LL),
                         .shift = random.range(0, 62),
                         .zero = random.range(-200, 200),
                         .to = static_cast<Scalar>(random.range(0, 6))};
        const Tensor x = randomTensor({Scalar::I32, {8}}, random);
        expectElements(OpKind::Requant, {x}, p, [&](const Index& i) {
            // round half up = ⌊(2·v + d) / (2·d)⌋ with d = 2^s, written as a floor division
            const Wide v = static_cast<Wide>(at(x, i)) * p.mul;
            const Wide d = static_cast<Wide>(1) << p.shift;
            const Wide numerator = 2 * v + d;
            Wide quotient = numerator / (2 * d);
            if (numerator % (2 * d) < 0)
                --quotient;
            quotient += p.zero;
            const ScalarInfo& to = info(p.to);
            return static_cast<std::int64_t>(quotient < to.min   ? static_cast<Wide>(to.min)
                                             : quotient > to.max ? static_cast<Wide>(to.max)
                                                                 : quotient);
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
