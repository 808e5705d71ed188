#include "tests/lower_design/random_design.h"

#include "engine/support/rng.h"

#include <algorithm>

namespace marquetry::test {

using design::TensorId;
using design::UnitId;
using ir::Scalar;

namespace {

class RandomChain {
public:
    explicit RandomChain(std::uint64_t seed)
        : rng_(seed),
          lanes_(rng_.range(0, 2) == 0 ? 16 : 8),
          builder_("random_" + std::to_string(seed), lanes_) {}

    TestDesign build() {
        const Scalar scalar = coin() ? Scalar::I8 : Scalar::U8;
        height_ = rng_.range(1, 9);
        width_ = rng_.range(1, 9);
        channels_ = rng_.range(1, 20);
        current_ = builder_.input("x", {scalar, {height_, width_, channels_}});
        scalar_ = scalar;
        const std::int64_t layers = rng_.range(1, 4);
        for (std::int64_t layer = 0; layer < layers && !flat_; ++layer)
            appendLayer(layer + 1 == layers);
        builder_.output("y", current_);
        TestDesign design = builder_.finish(rng_.next());
        for (design::Slot& slot : design.schedule.slots) {
            constexpr std::int64_t kWidths[] = {7, 18, 32, 36, 40, 64};
            slot.memoryBits = kWidths[rng_.range(0, 5)];
            slot.lutRam = coin();
        }
        return design;
    }

private:
    bool coin() { return rng_.range(0, 1) == 1; }

    UnitId unitFor(bool pass) {
        if (pass)
            return builder_.passUnit("pass" + std::to_string(units_++), scalar_);
        // Signed and unsigned operands have their own shared unit.
        std::optional<UnitId>& shared = shared_[scalar_ == Scalar::U8 ? 1 : 0];
        if (shared && coin())
            return *shared;
        shared = builder_.unit("u" + std::to_string(units_++), anyParallel(rng_), scalar_,
                               coin() ? Scalar::I8 : Scalar::U8);
        builder_.widen(*shared, anySpan(rng_));
        return *shared;
    }

    void appendLayer(bool last) {
        const std::int64_t kind = rng_.range(0, 4);
        if (kind == 0)
            return appendMv(last);
        if (kind == 1)
            return appendPass(last);
        appendConv(last);
    }

    /// Ends in eight bits unless the layer is the last, which may keep 32.
    EpilogueSpec drawEpilogue(bool last, bool pass) {
        EpilogueSpec e;
        const Scalar to = coin() ? Scalar::I8 : Scalar::U8;
        const std::int64_t shift = pass ? rng_.range(0, 3) : rng_.range(0, 11);
        const std::int64_t zero = rng_.range(0, 2) == 0 ? rng_.range(-20, 20) : 0;
        if (coin())
            e.requantBefore = requant(shift, to, zero);
        else if (!last || coin())
            e.requantAfter = requant(shift, to, zero);
        e.reluBefore = coin();
        e.reluAfter = e.requantAfter.enabled && coin();
        return e;
    }

    void drawPool(EpilogueSpec& e, std::int64_t height, std::int64_t width) {
        const std::int64_t size = rng_.range(2, 3);
        if (coin() || height < size || width < size)
            return;
        e.pool = coin() ? design::PoolKind::Max : design::PoolKind::Sum;
        e.poolSize = size;
    }

    void settle(EpilogueSpec& e, bool last) {
        const bool wide = e.pool == design::PoolKind::Sum || e.addend || (!e.requantBefore.enabled);
        if (wide && !last && !e.requantAfter.enabled)
            e.requantAfter = requant(rng_.range(0, 4), coin() ? Scalar::I8 : Scalar::U8);
        if (e.requantAfter.enabled)
            scalar_ = e.requantAfter.to;
        else if (e.requantBefore.enabled && !wide)
            scalar_ = e.requantBefore.to;
    }

    void appendMv(bool last) {
        const UnitId unit = unitFor(false);
        EpilogueSpec e = drawEpilogue(last, false);
        settle(e, last);
        current_ = builder_.mv(unit, current_, rng_.range(1, 40), e);
        flat_ = true;
    }

    void appendConv(bool last) {
        ConvSpec spec;
        spec.kernel = std::min({rng_.range(1, 3), height_, width_});
        spec.pad = rng_.range(0, spec.kernel - 1);
        spec.stride = rng_.range(1, 2);
        spec.rows = rng_.range(1, 20);
        const bool residual = spec.kernel == 2 * spec.pad + 1 && coin();
        if (residual) {
            spec.rows = channels_;
            spec.stride = 1;
        }
        const UnitId unit = unitFor(false);
        EpilogueSpec e = drawEpilogue(last, false);
        const auto extent = [&](std::int64_t n) {
            return (n + 2 * spec.pad - spec.kernel) / spec.stride + 1;
        };
        drawPool(e, extent(height_), extent(width_));
        const TensorId in = current_;
        if (residual && previous_)
            e.addend = previous_;
        settle(e, last);
        current_ = builder_.conv(unit, in, spec, e);
        height_ = extent(height_) / e.poolSize;
        width_ = extent(width_) / e.poolSize;
        const bool shapeKept = e.poolSize == 1 && residual;
        channels_ = spec.rows;
        previous_ = shapeKept ? std::optional(in) : std::nullopt;
    }

    void appendPass(bool last) {
        const UnitId unit = unitFor(true);
        EpilogueSpec e = drawEpilogue(last, true);
        drawPool(e, height_, width_);
        settle(e, last);
        if (previous_)
            e.addend = previous_;
        if (e.addend && !e.requantAfter.enabled) {
            e.requantAfter = requant(1);
            scalar_ = Scalar::I8;
        }
        current_ = builder_.pass(unit, current_, e);
        height_ /= e.poolSize;
        width_ /= e.poolSize;
        previous_.reset();
    }

    SplitMix64 rng_;
    std::int64_t lanes_;
    ScheduleBuilder builder_;
    TensorId current_;
    std::optional<TensorId> previous_; ///< another tensor of the current one's extents
    std::optional<UnitId> shared_[2];
    Scalar scalar_ = Scalar::I8;
    std::int64_t height_ = 1, width_ = 1, channels_ = 1;
    int units_ = 0;
    bool flat_ = false;
};

} // namespace

std::int64_t anyParallel(SplitMix64& rng) {
    constexpr std::int64_t kRows[] = {1, 2, 4, 8, 16, 3, 5, 6, 7, 12, 20, 24};
    return kRows[rng.range(0, std::ssize(kRows) - 1)];
}

std::int64_t anySpan(SplitMix64& rng) {
    constexpr std::int64_t kWords[] = {1, 1, 1, 1, 2, 3, 4, 7};
    return kWords[rng.range(0, std::ssize(kWords) - 1)];
}

TestDesign randomDesign(std::uint64_t seed) {
    return RandomChain(seed).build();
}

} // namespace marquetry::test
