// The JSON library, with a reserve of memory for its destructors.
//
// The destructor of a JSON value flattens the tree into a vector first, so it asks for memory; when
// there is none an exception leaves a destructor, and the program ends. Vectors of JSON values get
// their memory here, so from a reserve when there is no other: giving a tree up succeeds, and what
// asks next fails as it should. Sources include this header and never the library's, for all have
// to agree on the allocator. Thread rule: any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace marquetry::json_memory {

/// Bytes of the reserve: 65 536 values, of all threads together.
inline constexpr std::size_t kReserve = std::size_t{1} << 20;

/// Throws std::bad_alloc when not even the reserve has as much left.
void* taken(std::size_t bytes);
void given(void* memory) noexcept;

/// All that std::allocator promises.
template <class Json>
class Allocator {
public:
    using value_type = Json;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using propagate_on_container_move_assignment = std::true_type;
    using is_always_equal = std::true_type;

    [[nodiscard]] Json* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(Json))
            throw std::bad_array_new_length();
        return static_cast<Json*>(taken(count * sizeof(Json)));
    }
    void deallocate(Json* memory, std::size_t) noexcept { given(memory); }

    friend bool operator==(const Allocator&, const Allocator&) noexcept { return true; }
};

} // namespace marquetry::json_memory

template <>
class std::allocator<nlohmann::json> : public marquetry::json_memory::Allocator<nlohmann::json> {
public:
    allocator() = default;
    template <class Other>
    allocator(const std::allocator<Other>&) noexcept {}
};

template <>
class std::allocator<nlohmann::ordered_json>
    : public marquetry::json_memory::Allocator<nlohmann::ordered_json> {
public:
    allocator() = default;
    template <class Other>
    allocator(const std::allocator<Other>&) noexcept {}
};

#include <nlohmann/json.hpp>
