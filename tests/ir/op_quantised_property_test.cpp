// Operators of quantised networks against definitions in wide integers, or in real numbers.
#include "tests/ir/op_properties.h"

#include <cmath>

namespace marquetry::ir {
namespace {

__extension__ using Wide = __int128;

Wide floorQuotient(Wide a, Wide b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

/// v / d, d > 0, rounded as said, by comparing the distances to both neighbours.
Wide roundedQuotient(Wide v, Wide d, const OpParams& p) {
    const Wide below = floorQuotient(v, d);
    const Wide toBelow = v - below * d, toAbove = d - toBelow;
    if (p.round == Rounding::Down || toBelow == 0)
        return below;
    const Wide apart = toBelow > toAbove ? toBelow - toAbove : toAbove - toBelow;
    const bool tie = apart <= 2 * Wide{p.tie};
    if (!tie)
        return toBelow < toAbove ? below : below + 1;
    if (p.round == Rounding::Even)
        return below % 2 == 0 ? below : below + 1;
    return p.round == Rounding::Up || v > 0 ? below + 1 : below;
}

std::int64_t saturatedTo(Scalar scalar, Wide value) {
    const ScalarInfo& to = info(scalar);
    return static_cast<std::int64_t>(value < to.min   ? Wide{to.min}
                                     : value > to.max ? Wide{to.max}
                                                      : value);
}

OpParams drawRounding(SplitMix64& random) {
    OpParams p;
    // Short shifts meet ties, long ones the ends of the widths.
    p.shift = random.range(0, random.range(0, 1) ? 3 : 62);
    p.zero = random.range(-200, 200);
    p.to = static_cast<Scalar>(random.range(0, 18));
    p.round = static_cast<Rounding>(random.range(0, 3));
    if (p.round == Rounding::Even && p.shift >= 2)
        p.tie =
            random.range(0, std::min<std::int64_t>(1000, (std::int64_t{1} << (p.shift - 1)) - 1));
    return p;
}

TEST(OpProperty, RequantAgainstWideDivision) {
    SplitMix64 random(5);
    for (int n = 0; n < 3 * kCases; ++n) {
        OpParams p = drawRounding(random);
        const std::int64_t most = random.range(0, 1) ? 2147483647LL : 9;
        p.mul = random.range(-most - 1, most);
        p.add = random.range(-most - 1, most);
        p.vectors = static_cast<unsigned>(random.range(0, 7));
        const Tensor x = randomTensor({Scalar::I32, {4, 3}}, random);
        std::vector<Tensor> operands = {x};
        const auto vector = [&](unsigned bit, Scalar scalar) -> const Tensor* {
            if (!(p.vectors & bit))
                return nullptr;
            operands.push_back(randomTensor({scalar, {3}}, random));
            return &operands.back();
        };
        operands.reserve(4);
        const Tensor* muls = vector(kVectorMul, Scalar::I32);
        const Tensor* adds = vector(kVectorAdd, Scalar::I32);
        const Tensor* shifts = vector(kVectorShift, Scalar::U8);
        for (std::int64_t k = 0; shifts && k < 3; ++k)
            operands.back().data[static_cast<std::size_t>(k)] %= 63;
        if (shifts)
            p.tie = 0;
        expectElements(OpKind::Requant, operands, p, [&](const Index& i) {
            const Wide v = Wide{at(x, i)} * (muls ? at(*muls, {i[1]}) : p.mul) +
                           (adds ? at(*adds, {i[1]}) : p.add);
            const Wide d = Wide{1} << (shifts ? at(*shifts, {i[1]}) : p.shift);
            return saturatedTo(p.to, roundedQuotient(v, d, p) + p.zero);
        });
    }
}

TEST(OpProperty, QuantisedSums) {
    SplitMix64 random(8);
    for (int n = 0; n < kCases; ++n) {
        OpParams p = drawRounding(random);
        const std::int64_t most = random.range(0, 1) ? 2147483647LL : 9;
        p.muls = {random.range(-most - 1, most), random.range(-most - 1, most)};
        p.add = random.range(-most - 1, most);
        const Tensor a = draw(random, {2, 3}), b = draw(random, {2, 3});
        expectElements(OpKind::QAdd, {a, b}, p, [&](const Index& i) {
            const Wide v = Wide{at(a, i)} * p.muls[0] + Wide{at(b, i)} * p.muls[1] + p.add;
            return saturatedTo(p.to, roundedQuotient(v, Wide{1} << p.shift, p) + p.zero);
        });
    }
}

TEST(OpProperty, ClipsAndTables) {
    SplitMix64 random(9);
    for (int n = 0; n < kCases; ++n) {
        const auto scalar = static_cast<Scalar>(random.range(7, 18));
        const ScalarInfo& s = info(random.range(0, 1) ? scalar : Scalar::I8);
        const Tensor x = randomTensor({*scalarNamed(s.name), {5}}, random);
        OpParams p;
        p.lo = random.range(s.min, s.max);
        p.hi = random.range(p.lo, s.max);
        expectElements(OpKind::Clip, {x}, p, [&](const Index& i) {
            const std::int64_t v = at(x, i);
            return v < p.lo ? p.lo : v > p.hi ? p.hi : v;
        });
        const Tensor table = draw(random, {std::int64_t{1} << s.bits});
        expectElements(OpKind::Table, {x, table}, {},
                       [&](const Index& i) { return at(table, {at(x, i) - s.min}); });
    }
}

TEST(OpProperty, LayerNorm) {
    SplitMix64 random(10);
    for (int n = 0; n < kCases; ++n) {
        OpParams p;
        p.shift = random.range(0, 8);
        p.to = random.range(0, 1) ? Scalar::I8 : Scalar::I16;
        const std::int64_t length = random.range(1, 9);
        const Tensor x = draw(random, {random.range(1, 3), length});
        expectElements(OpKind::LayerNorm, {x}, p, [&](const Index& i) {
            Wide sum = 0, squares = 0;
            for (std::int64_t k = 0; k < length; ++k)
                sum += at(x, {i[0], k});
            for (std::int64_t k = 0; k < length; ++k) {
                const Wide d = Wide{length} * at(x, {i[0], k}) - sum;
                squares += d * d;
            }
            const Wide square = squares * 65536 / length;
            Wide root = static_cast<Wide>(std::sqrt(static_cast<long double>(square)));
            while (root * root > square)
                --root;
            while ((root + 1) * (root + 1) <= square)
                ++root;
            root = root < 1 ? 1 : root;
            const Wide d = Wide{length} * at(x, i) - sum;
            return saturatedTo(p.to, floorQuotient(d * (Wide{256} << p.shift) + root / 2, root));
        });
    }
}

/// What layernorm says it is near to.
TEST(OpProperty, LayerNormIsNearTheRealOne) {
    SplitMix64 random(11);
    for (int n = 0; n < kCases; ++n) {
        const OpParams p{.shift = 6, .to = Scalar::I16};
        const std::int64_t length = random.range(2, 40);
        const Tensor x = randomTensor({Scalar::I8, {1, length}}, random);
        double mean = 0, variance = 0;
        for (const std::int64_t v : x.data)
            mean += static_cast<double>(v) / static_cast<double>(length);
        for (const std::int64_t v : x.data)
            variance += (static_cast<double>(v) - mean) * (static_cast<double>(v) - mean) /
                        static_cast<double>(length);
        if (variance < 1)
            continue;
        const Tensor y = evaluate(OpKind::LayerNorm, {x}, p);
        for (std::size_t k = 0; k < y.data.size(); ++k)
            EXPECT_NEAR(static_cast<double>(y.data[k]),
                        64 * (static_cast<double>(x.data[k]) - mean) / std::sqrt(variance), 1.0);
    }
}

TEST(OpProperty, UpsampleAndDepthToSpace) {
    SplitMix64 random(12);
    for (int n = 0; n < kCases; ++n) {
        OpParams p;
        p.factor = {random.range(1, 3), random.range(1, 3)};
        p.block = random.range(1, 3);
        const std::int64_t c = random.range(1, 3);
        const Tensor x = draw(random, {random.range(1, 3), random.range(1, 3), c});
        expectElements(OpKind::Upsample, {x}, p, [&](const Index& i) {
            return at(x, {i[0] / p.factor.vertical, i[1] / p.factor.horizontal, i[2]});
        });
        const std::int64_t b = p.block;
        const Tensor deep = draw(random, {2, 2, b * b * c});
        // ONNX: the channels are a tensor [b, b, c] or [c, b, b] of which rows and columns are
        // moved to the pixels.
        for (const DepthOrder order : {DepthOrder::Dcr, DepthOrder::Crd}) {
            p.order = order;
            expectElements(OpKind::DepthToSpace, {deep}, p, [&](const Index& i) {
                const Tensor channels{
                    {Scalar::I16, order == DepthOrder::Dcr ? Shape{b, b, c} : Shape{c, b, b}}, {}};
                std::int64_t number = 0, found = -1;
                forEachIndex(channels.type.dims, [&](const Index& j) {
                    const bool dcr = order == DepthOrder::Dcr;
                    const bool here = dcr ? j == Index{i[0] % b, i[1] % b, i[2]}
                                          : j == Index{i[2], i[0] % b, i[1] % b};
                    found = here ? number : found;
                    ++number;
                });
                return at(deep, {i[0] / b, i[1] / b, found});
            });
        }
    }
}

} // namespace
} // namespace marquetry::ir
