// StrongId<Tag>: an index that cannot be mixed up with another kind of index. Ids are dense and
// assigned in insertion order, so ordering by id is deterministic.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace marquetry {

template <class Tag>
class StrongId {
public:
    constexpr StrongId() = default;
    constexpr explicit StrongId(std::uint32_t value) : value_(value) {}
    constexpr explicit StrongId(std::size_t value) : value_(static_cast<std::uint32_t>(value)) {}
    constexpr explicit StrongId(int value) : value_(static_cast<std::uint32_t>(value)) {}

    constexpr std::uint32_t value() const { return value_; }
    constexpr std::size_t index() const { return value_; }
    constexpr bool valid() const { return value_ != kInvalid; }

    constexpr auto operator<=>(const StrongId&) const = default;

private:
    static constexpr std::uint32_t kInvalid = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t value_ = kInvalid;
};

} // namespace marquetry

template <class Tag>
struct std::hash<marquetry::StrongId<Tag>> {
    std::size_t operator()(marquetry::StrongId<Tag> id) const noexcept { return id.value(); }
};
