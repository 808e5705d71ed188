#include "engine/support/assert.h"

#include <cstdio>
#include <cstdlib>

namespace marquetry {

void assertionFailed(const char* condition, const char* message, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: internal error: %s (%s)\n", file, line, message, condition);
    std::abort();
}

} // namespace marquetry
