#include "engine/ir/type.h"

#include <array>
#include <limits>

namespace marquetry::ir {

namespace {

template <class T>
constexpr ScalarInfo integerScalar(std::string_view name) {
    using Limits = std::numeric_limits<T>;
    return {name,
            static_cast<int>(8 * sizeof(T)),
            Limits::is_signed,
            static_cast<int>(sizeof(T)),
            Limits::min(),
            Limits::max()};
}

constexpr ScalarInfo oddScalar(std::string_view name, int bits, bool isSigned) {
    const std::int64_t values = std::int64_t{1} << bits;
    return {name,
            bits,
            isSigned,
            1,
            isSigned ? -values / 2 : 0,
            isSigned ? values / 2 - 1 : values - 1};
}

constexpr std::array<ScalarInfo, 19> kScalars = {{
    integerScalar<std::int8_t>("i8"),   integerScalar<std::uint8_t>("u8"),
    integerScalar<std::int16_t>("i16"), integerScalar<std::uint16_t>("u16"),
    integerScalar<std::int32_t>("i32"), integerScalar<std::uint32_t>("u32"),
    {"bit", 1, false, 1, 0, 1},         oddScalar("i2", 2, true),
    oddScalar("i3", 3, true),           oddScalar("i4", 4, true),
    oddScalar("i5", 5, true),           oddScalar("i6", 6, true),
    oddScalar("i7", 7, true),           oddScalar("u2", 2, false),
    oddScalar("u3", 3, false),          oddScalar("u4", 4, false),
    oddScalar("u5", 5, false),          oddScalar("u6", 6, false),
    oddScalar("u7", 7, false),
}};

} // namespace

const ScalarInfo& info(Scalar scalar) {
    return kScalars[static_cast<std::size_t>(scalar)];
}

std::optional<Scalar> scalarNamed(std::string_view name) {
    for (std::size_t k = 0; k < kScalars.size(); ++k) {
        if (kScalars[k].name == name)
            return static_cast<Scalar>(k);
    }
    return std::nullopt;
}

int storedBits(Scalar scalar) {
    return 8 * info(scalar).bytes;
}

bool isStoredAs(Scalar narrow, Scalar wide) {
    const ScalarInfo& from = info(narrow);
    const ScalarInfo& to = info(wide);
    return from.bytes == to.bytes && from.min >= to.min && from.max <= to.max;
}

bool isOddWidth(Scalar scalar) {
    return scalar > Scalar::Bit;
}

std::optional<Scalar> narrowestScalar(std::int64_t lo, std::int64_t hi) {
    std::optional<Scalar> best;
    for (std::size_t k = 0; k < kScalars.size(); ++k) {
        const ScalarInfo& each = kScalars[k];
        const bool holds = static_cast<Scalar>(k) != Scalar::Bit && each.isSigned == (lo < 0) &&
                           lo >= each.min && hi <= each.max;
        if (holds && (!best || each.bits < info(*best).bits))
            best = static_cast<Scalar>(k);
    }
    return best;
}

std::int64_t Type::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t dim : dims)
        product *= dim;
    return product;
}

std::string toString(const Type& type) {
    std::string text(info(type.scalar).name);
    if (type.dims.empty())
        return text;
    text += "[";
    for (std::size_t k = 0; k < type.dims.size(); ++k)
        text += (k == 0 ? "" : ", ") + std::to_string(type.dims[k]);
    return text + "]";
}

} // namespace marquetry::ir
