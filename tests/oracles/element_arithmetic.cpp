#include "tests/oracles/element_arithmetic.h"

#include "engine/support/hash.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace marquetry::design {

std::vector<std::int32_t> noise(const Slot& slot) {
    std::vector<std::int32_t> words(static_cast<std::size_t>(slot.depth * slot.storedLanes));
    std::uint64_t state = mix(slot.id.value() + 1);
    for (std::int32_t& word : words) {
        state = combine(state, 1);
        word = wrapTo(slot.elementBits, true, static_cast<std::int64_t>(state));
    }
    return words;
}

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

std::int32_t withAddend(const Epilogue& epilogue, std::int32_t value, std::int32_t addend) {
    const RequantStage& stage = epilogue.weightedAdd;
    if (!stage.enabled)
        return wrap32(std::int64_t{value} + addend);
    const Wide sum = static_cast<Wide>(value) * stage.mul +
                     static_cast<Wide>(addend) * epilogue.addendMul + stage.add;
    return limited(stage, sum, stage.shift);
}

std::int32_t pooledWith(PoolKind kind, std::int32_t before, std::int32_t value) {
    return kind == PoolKind::Max ? std::max(before, value) : wrap32(std::int64_t{before} + value);
}

std::int32_t elementOf(cost::RowFunction function, std::int64_t first, std::int64_t second) {
    switch (function) {
    case cost::RowFunction::Add:
        return wrap32(first + second);
    case cost::RowFunction::SubtractFrom:
        return wrap32(second - first);
    case cost::RowFunction::Multiply:
        return wrap32(first * second);
    case cost::RowFunction::Second:
    case cost::RowFunction::LookUp:
        return wrap32(second);
    default:
        return wrap32(first - second);
    }
}

std::int64_t averageFactor(const ir::Program& program, const ir::Value& average,
                           std::int64_t pixel) {
    const ir::Shape& in = program.value(average.operands[0]).type.dims;
    const ir::Shape& out = average.type.dims;
    const ir::OpParams& p = average.params;
    const auto holds = [&](std::int64_t at) {
        std::int64_t count = 0;
        for (std::int64_t y = 0; y < p.size.vertical; ++y)
            for (std::int64_t x = 0; x < p.size.horizontal; ++x) {
                const std::int64_t row = at / out[1] * p.stride.vertical + y - p.pad.top;
                const std::int64_t column = at % out[1] * p.stride.horizontal + x - p.pad.left;
                count += row >= 0 && row < in[0] && column >= 0 && column < in[1] ? 1 : 0;
            }
        return count;
    };
    std::int64_t multiple = 1;
    for (std::int64_t k = 0; k < out[0] * out[1]; ++k)
        multiple = std::lcm(multiple, holds(k));
    return multiple / holds(pixel);
}

std::vector<Wide> rowOf(cost::RowFunction function, const std::vector<Wide>& row,
                        std::int64_t shift, ir::Scalar to) {
    return function == cost::RowFunction::Softmax ? softmaxOf(row)
                                                  : normalised(row, shift, ir::info(to));
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
