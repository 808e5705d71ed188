// Figures on time and their goals, a line each. A figure above its goal is marked and nothing else
// happens: what it says depends on the machine and on what else runs there.
#pragma once

#include "tests/support/effort.h"

#include <cstdio>
#include <string>

namespace marquetry::bench {

/// Seconds from and to what tests only compare.
struct Figures {
    template <class Kind>
    static double seconds(test::Measured<Kind> measured) {
        return measured.amount_;
    }
    static test::Effort effort(double seconds) { return test::Effort(seconds); }
    static test::Span span(double seconds) { return test::Span(seconds); }
};

template <class Kind>
void report(const std::string& what, test::Measured<Kind> figure, double goalSeconds) {
    const double seconds = Figures::seconds(figure);
    std::printf("%-62s %10.1f ms   goal %8.0f ms%s\n", what.c_str(), 1e3 * seconds,
                1e3 * goalSeconds, seconds > goalSeconds ? "   ABOVE" : "");
    std::fflush(stdout);
}

} // namespace marquetry::bench
