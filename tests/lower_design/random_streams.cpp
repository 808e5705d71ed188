#include "tests/lower_design/random_streams.h"

#include "engine/support/rng.h"

#include <bit>

namespace marquetry::test {

namespace {

using design::PoolKind;
using design::RequantStage;
using ir::Scalar;

class RandomStream {
public:
    explicit RandomStream(std::uint64_t seed) : rng_(seed), seed_(seed) {}

    TestDesign build(bool several) {
        const std::int64_t lanes = coin() ? 16 : 8;
        ScheduleBuilder b("stream_" + std::to_string(seed_), lanes);
        const Scalar scalar = coin() ? Scalar::I8 : Scalar::U8;
        const std::int64_t kernel = rng_.range(1, 3);
        const std::int64_t stride = rng_.range(1, 2);
        const std::int64_t pad = rng_.range(0, kernel - 1);
        const std::int64_t height = rng_.range(kernel, 9);
        const std::int64_t width = rng_.range(kernel, 9);
        const std::int64_t rows = rng_.range(1, 6);
        std::int64_t parallel =
            static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(rows)));
        while (parallel > 1 && coin())
            parallel /= 2;
        const std::int64_t blocks = (rows + parallel - 1) / parallel;
        const auto unit = b.streamUnit("stream", parallel, blocks + rng_.range(0, 1), scalar,
                                       coin() ? Scalar::I8 : Scalar::U8);
        const auto x = b.input("x", {scalar, {height, width, rng_.range(1, 2)}});
        const std::int64_t down = (height + 2 * pad - kernel) / stride + 1;
        const std::int64_t across = (width + 2 * pad - kernel) / stride + 1;
        const EpilogueSpec written = epilogue(down, across);
        design::TensorId y = b.conv(unit, x, {rows, kernel, stride, pad}, written);
        if (several)
            y = behind(b, y, written);
        b.output("y", y);
        return b.finish(seed_ + 1);
    }

private:
    /// Products of what it makes, where these are 8 bits wide; then perhaps more on their unit.
    design::TensorId behind(ScheduleBuilder& b, design::TensorId y, const EpilogueSpec& written) {
        const RequantStage& last =
            written.requantAfter.enabled ? written.requantAfter : written.requantBefore;
        const bool wide = written.pool == PoolKind::Sum && !written.requantAfter.enabled;
        if (wide || !last.enabled || (last.to != Scalar::I8 && last.to != Scalar::U8))
            return y;
        EpilogueSpec e;
        e.requantBefore = requant(rng_.range(4, 9));
        const auto product = b.unit("product", coin() ? 2 : 4, last.to);
        const design::TensorId z = b.conv(product, y, {rng_.range(1, 12)}, e);
        if (last.to != Scalar::I8 || coin())
            return z;
        return b.mv(product, z, 5, {});
    }

    bool coin() { return rng_.range(0, 1) == 1; }

    EpilogueSpec epilogue(std::int64_t down, std::int64_t across) {
        EpilogueSpec e;
        if (coin())
            e.requantBefore = requant(rng_.range(0, 9), coin() ? Scalar::I8 : Scalar::U8);
        e.reluBefore = coin();
        const std::int64_t size = rng_.range(2, 3);
        if (coin() && down >= size && across >= size) {
            e.pool = coin() ? PoolKind::Max : PoolKind::Sum;
            e.poolSize = size;
        }
        if (coin())
            e.requantAfter = requant(rng_.range(0, 9), Scalar::I8, rng_.range(-9, 9));
        return e;
    }

    SplitMix64 rng_;
    std::uint64_t seed_;
};

} // namespace

TestDesign randomStream(std::uint64_t seed) {
    return RandomStream(seed).build(false);
}

TestDesign randomStreamAndProducts(std::uint64_t seed) {
    return RandomStream(seed).build(true);
}

} // namespace marquetry::test
