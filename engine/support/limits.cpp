#include "engine/support/limits.h"

#include <limits>

namespace marquetry {

Diagnostic tooLarge(const std::string& subject, std::int64_t asked, std::int64_t limit,
                    const std::string& unit, std::string hint) {
    const bool overflowed = asked == std::numeric_limits<std::int64_t>::max();
    const std::string number = (overflowed ? "more than " : "") + std::to_string(asked);
    return makeError("too-large",
                     subject + " " + number + " " + unit + "; the limit is " +
                         std::to_string(limit),
                     std::move(hint));
}

} // namespace marquetry
