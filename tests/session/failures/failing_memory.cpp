#include "tests/session/failures/failing_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <execinfo.h>
#include <limits>
#include <malloc.h>
#include <new>
#include <string_view>

namespace marquetry::failing_memory {

namespace {

std::atomic<bool> armed = false;
std::atomic<std::uint64_t> counted = 0;
std::atomic<std::uint64_t> failing = 0; ///< the number of the one that fails; 0: none
std::atomic<std::int64_t> inUse = 0;    ///< bytes, since armed
std::atomic<std::int64_t> most = std::numeric_limits<std::int64_t>::max();
std::atomic<bool> hasFailed = false;
thread_local bool ofTest = false; ///< of the thread that arms
thread_local int spared = 0;

void arm(std::uint64_t n, std::int64_t bytes) {
    ofTest = true;
    counted = 0;
    inUse = 0;
    hasFailed = false;
    failing = n;
    most = bytes;
    armed = true;
}

bool isCoin(const char* path) {
    const std::string_view file(path);
    const std::string_view name = file.substr(file.find_last_of('/') + 1);
    for (const std::string_view coin : {"libClp", "libCbc", "libCgl", "libOsi", "libCoin"})
        if (name.starts_with(coin))
            return true;
    return false;
}

bool insideCoin() {
    std::array<void*, 256> frames{};
    const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
    return std::any_of(frames.begin(), frames.begin() + count, [](void* frame) {
        Dl_info info{};
        return dladdr(frame, &info) != 0 && info.dli_fname && isCoin(info.dli_fname);
    });
}

bool fails(std::size_t size) {
    const std::uint64_t number = ++counted;
    const bool last = failing != 0 && number >= failing && !hasFailed;
    const bool over = inUse + static_cast<std::int64_t>(size) > most;
    if ((!last && !over) || insideCoin())
        return false;
    hasFailed = true;
    return true;
}

void* taken(std::size_t size) {
    if (armed && !ofTest && spared == 0 && fails(size))
        return nullptr;
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (armed && memory)
        inUse += static_cast<std::int64_t>(malloc_usable_size(memory));
    return memory;
}

void given(void* memory) {
    if (armed && memory)
        inUse -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

void* takenOrThrown(std::size_t size) {
    if (void* memory = taken(size))
        return memory;
    throw std::bad_alloc();
}

} // namespace

void failAt(std::uint64_t n) {
    arm(n, std::numeric_limits<std::int64_t>::max());
}

void limitTo(std::int64_t bytes) {
    arm(0, bytes);
}

void disarm() {
    armed = false;
}

Spared::Spared() {
    ++spared;
}

Spared::~Spared() {
    --spared;
}

std::uint64_t allocations() {
    return counted;
}

bool failed() {
    return hasFailed;
}

} // namespace marquetry::failing_memory

using namespace marquetry::failing_memory;

void* operator new(std::size_t size) {
    return takenOrThrown(size);
}
void* operator new[](std::size_t size) {
    return takenOrThrown(size);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return taken(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    return taken(size);
}
void operator delete(void* memory) noexcept {
    given(memory);
}
void operator delete[](void* memory) noexcept {
    given(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    given(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    given(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    given(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
    given(memory);
}
