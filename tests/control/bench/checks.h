// What every part of the bench has: random numbers that a seed decides, and a list of what went
// wrong. The first complaints are printed; the bench ends where it can no longer go on.
// Thread rule: one thread.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace bench {

inline std::uint64_t randomState = 1;
inline std::uint64_t clocks = 0;
inline long complaints = 0;
inline constexpr long kShown = 12;

inline std::uint64_t draw() {
    randomState += 0x9e3779b97f4a7c15U;
    std::uint64_t x = randomState;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

inline std::uint64_t below(std::uint64_t end) {
    return draw() % end;
}

/// True in so many of 100.
inline bool chance(unsigned percent) {
    return below(100) < percent;
}

__attribute__((format(printf, 2, 3))) inline bool expect(bool holds, const char* text, ...) {
    if (holds)
        return true;
    if (complaints++ < kShown) {
        std::printf("FAIL clock %llu: ", static_cast<unsigned long long>(clocks));
        std::va_list rest;
        va_start(rest, text);
        std::vprintf(text, rest);
        va_end(rest);
        std::printf("\n");
    }
    return false;
}

[[noreturn]] inline void giveUp(const char* text) {
    expect(false, "%s", text);
    std::fflush(stdout);
    std::_Exit(1);
}

} // namespace bench
