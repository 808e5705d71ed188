#include "engine/support/json.h"

#include <algorithm>
#include <array>
#include <functional>
#include <mutex>

namespace marquetry::json_memory {

namespace {

/// Blocks one behind the other. What was given back is taken again when all of it was: a tree is
/// given up in a moment.
struct Reserve {
    std::mutex mutex;
    std::size_t used = 0;
    std::size_t blocks = 0;
};

constinit Reserve reserve;
// Zeros that the program's image does not hold, and no memory until it is touched.
alignas(std::max_align_t) std::array<std::byte, kReserve> space;

bool isReserved(const void* memory) {
    const std::less<const void*> before;
    return !before(memory, space.data()) && before(memory, space.data() + space.size());
}

void* reserved(std::size_t bytes) {
    constexpr std::size_t kAlign = alignof(std::max_align_t);
    const std::lock_guard lock(reserve.mutex);
    if (bytes > kReserve - reserve.used)
        throw std::bad_alloc();
    void* const block = space.data() + reserve.used;
    reserve.used = std::min(kReserve, (reserve.used + bytes + kAlign - 1) / kAlign * kAlign);
    ++reserve.blocks;
    return block;
}

} // namespace

void* taken(std::size_t bytes) {
    void* const memory = ::operator new(bytes, std::nothrow);
    return memory ? memory : reserved(bytes);
}

void given(void* memory) noexcept {
    if (!isReserved(memory))
        return ::operator delete(memory);
    const std::lock_guard lock(reserve.mutex);
    if (--reserve.blocks == 0)
        reserve.used = 0;
}

} // namespace marquetry::json_memory
