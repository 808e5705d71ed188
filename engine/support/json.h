// The JSON library, with a reserve of memory for its destructors.
//
// The destructor of a JSON value moves the tree into a vector first, so it needs memory. Without
// any, an exception would leave a destructor and end the program. Also, a null that becomes an
// array or an object changes its kind before it has the memory for it; if that fails, its
// destructor meets a null pointer. For both reasons values and the heads of arrays and objects get
// their memory here, and when there is no other memory they get it from a reserve. The two steps
// then succeed, and the next request for memory fails in the ordinary way.
//
// Sources include this header and never the library's own, because all of them have to agree on the
// allocator. Thread rule: any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

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

template <class Json>
using Array = std::vector<Json, std::allocator<Json>>;
template <class Json>
using Members = std::allocator<std::pair<const std::string, Json>>;
using Object = std::map<std::string, nlohmann::json, std::less<>, Members<nlohmann::json>>;
using OrderedObject = nlohmann::ordered_map<std::string, nlohmann::ordered_json, std::less<>,
                                            Members<nlohmann::ordered_json>>;

} // namespace marquetry::json_memory

#define MARQUETRY_FROM_RESERVE(Type)                                                               \
    template <>                                                                                    \
    class std::allocator<Type> : public marquetry::json_memory::Allocator<Type> {                  \
    public:                                                                                        \
        allocator() = default;                                                                     \
        template <class Other>                                                                     \
        allocator(const std::allocator<Other>&) noexcept {}                                        \
    }

MARQUETRY_FROM_RESERVE(nlohmann::json);
MARQUETRY_FROM_RESERVE(nlohmann::ordered_json);
MARQUETRY_FROM_RESERVE(marquetry::json_memory::Array<nlohmann::json>);
MARQUETRY_FROM_RESERVE(marquetry::json_memory::Array<nlohmann::ordered_json>);
MARQUETRY_FROM_RESERVE(marquetry::json_memory::Object);
MARQUETRY_FROM_RESERVE(marquetry::json_memory::OrderedObject);

#undef MARQUETRY_FROM_RESERVE

#include <nlohmann/json.hpp>

namespace marquetry::json_memory {

static_assert(std::is_same_v<Array<nlohmann::json>, nlohmann::json::array_t>);
static_assert(std::is_same_v<Array<nlohmann::ordered_json>, nlohmann::ordered_json::array_t>);
static_assert(std::is_same_v<Object, nlohmann::json::object_t>);
static_assert(std::is_same_v<OrderedObject, nlohmann::ordered_json::object_t>);

} // namespace marquetry::json_memory
