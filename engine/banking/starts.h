// The addresses of which a pattern says where they start and how far counters move them: how many
// there are, and one after the other, the last counter fastest. Internal to the module. Thread
// rule: pure.
#pragma once

#include "engine/banking/pattern.h"

namespace marquetry::banking {

/// A double, as counters may have more values than fit into 64 bits.
inline double pointsOf(const Starts& starts) {
    double points = 1;
    for (const Span& span : starts.spans)
        points *= static_cast<double>(span.trips);
    return points;
}

/// Calls visit for every address until it yields true; whether it did.
template <class Visitor>
bool anyAddress(const Starts& starts, const Visitor& visit) {
    std::vector<std::int64_t> t(starts.spans.size());
    Address x = starts.base;
    while (!visit(x)) {
        std::size_t s = t.size();
        for (; s > 0; --s) {
            const Span& span = starts.spans[s - 1];
            const bool more = ++t[s - 1] < span.trips;
            const std::int64_t by = more ? 1 : 1 - t[s - 1];
            for (std::size_t d = 0; d < x.size(); ++d)
                x[d] += by * span.step[d];
            if (more)
                break;
            t[s - 1] = 0;
        }
        if (s == 0)
            return false;
    }
    return true;
}

} // namespace marquetry::banking
