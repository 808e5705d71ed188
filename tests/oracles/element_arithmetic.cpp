#include "tests/oracles/element_arithmetic.h"

#include <algorithm>
#include <cmath>

namespace marquetry::design {

std::int32_t wrapTo(int bits, bool isSigned, std::int64_t value) {
    const auto low = static_cast<std::uint64_t>(value) << (64 - bits);
    return isSigned ? static_cast<std::int32_t>(static_cast<std::int64_t>(low) >> (64 - bits))
                    : static_cast<std::int32_t>(low >> (64 - bits));
}

std::int32_t wrapTo(ir::Scalar scalar, std::int64_t value) {
    return wrapTo(ir::info(scalar).bits, ir::info(scalar).isSigned, value);
}

std::int32_t wrap32(std::int64_t value) {
    return wrapTo(32, true, value);
}

namespace {

/// `value` / 2^shift, of what lies between two integers as the stage says.
Wide divided(const RequantStage& stage, Wide value, std::int64_t shift) {
    const Wide whole = static_cast<Wide>(1) << shift;
    Wide down = value / whole;
    if (down * whole > value)
        --down;
    const Wide twice = 2 * (value - down * whole); // to be compared with a whole
    const Wide nearly = 2 * stage.tie;
    switch (stage.round) {
    case ir::Rounding::Up:
        return down + (twice >= whole ? 1 : 0);
    case ir::Rounding::Down:
        return down;
    case ir::Rounding::Away:
        return down + (twice > whole || (twice == whole && value > 0) ? 1 : 0);
    case ir::Rounding::Even:
        break;
    }
    if (shift > 0 && twice >= whole - nearly && twice <= whole + nearly)
        return down + (down % 2 != 0 ? 1 : 0);
    return down + (twice > whole ? 1 : 0);
}

} // namespace

std::int32_t limited(const RequantStage& stage, Wide product, std::int64_t shift) {
    const ir::ScalarInfo& to = ir::info(stage.to);
    const Wide result =
        std::clamp<Wide>(divided(stage, product, shift) + stage.zero, to.min, to.max);
    return wrap32(static_cast<std::int64_t>(result));
}

std::int32_t apply(const RequantStage& stage, std::int32_t value) {
    if (!stage.enabled)
        return value;
    return limited(stage, static_cast<Wide>(value) * stage.mul + stage.add, stage.shift);
}

std::int32_t apply(const RequantStage& stage, std::int32_t value, const ScaleFields& numbers) {
    if (!stage.enabled)
        return value;
    return limited(stage, static_cast<Wide>(value) * numbers.mul + numbers.add, numbers.shift);
}

std::int32_t apply(const ActivationStage& stage, std::int32_t value) {
    if (stage.kind == ActivationStage::Kind::Clip)
        return wrap32(std::clamp<std::int64_t>(value, stage.lo, stage.hi));
    if (stage.kind == ActivationStage::Kind::None || value >= 0)
        return value;
    if (stage.kind == ActivationStage::Kind::Relu)
        return 0;
    const Wide scaled = static_cast<Wide>(value) * stage.num >> stage.shift;
    return wrap32(static_cast<std::int64_t>(scaled));
}

std::vector<Wide> softmaxOf(const std::vector<Wide>& row) {
    const Wide greatest = *std::ranges::max_element(row);
    std::vector<Wide> shares;
    Wide sum = 0;
    for (const Wide x : row) {
        const auto distance = static_cast<double>(std::min<Wide>(255, greatest - x));
        shares.push_back(static_cast<Wide>(std::lround(255 * std::pow(2.0, -distance / 16))));
        sum += shares.back();
    }
    for (Wide& share : shares)
        share = (255 * share + sum / 2) / sum;
    return shares;
}

std::vector<Wide> normalised(const std::vector<Wide>& row, std::int64_t shift,
                             const ir::ScalarInfo& to) {
    const auto count = static_cast<Wide>(row.size());
    Wide sum = 0, squares = 0;
    for (const Wide x : row)
        sum += x;
    for (const Wide x : row)
        squares += (count * x - sum) * (count * x - sum);
    const Wide radicand = squares * 65536 / count;
    Wide low = 0, high = Wide{1} << 60;
    while (high - low > 1)
        (((low + high) / 2) * ((low + high) / 2) <= radicand ? low : high) = (low + high) / 2;
    const Wide root = std::max<Wide>(1, low);
    std::vector<Wide> results;
    for (const Wide x : row) {
        const Wide num = (count * x - sum) * (Wide{1} << (shift + 8)) + root / 2;
        const Wide down = num >= 0 ? num / root : -((-num + root - 1) / root);
        results.push_back(std::clamp<Wide>(down, to.min, to.max));
    }
    return results;
}

} // namespace marquetry::design
