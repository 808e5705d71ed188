// Runs a published workload and gives its counts after every iteration.
#pragma once

#include "engine/egraph/saturate.h"
#include "engine/egraph/workload.h"

#include <gtest/gtest.h>

namespace marquetry::egraph {

using Count = std::pair<std::size_t, std::size_t>; ///< e-nodes, e-classes
using Counts = std::vector<Count>;

inline Counts countsOf(std::string_view name, std::size_t iterations, Scheduler scheduler) {
    const auto workload = makeWorkload(name);
    EXPECT_TRUE(workload.has_value()) << name;
    EGraph egraph(workload->language);
    addTerms(egraph, *workload);
    SaturationParams params;
    params.maxIterations = iterations;
    params.maxEnodes = 100'000'000;
    params.maxSeconds = 3600;
    params.scheduler = scheduler;
    Counts counts;
    for (const Iteration& it : saturate(egraph, workload->rules, params).iterations)
        counts.emplace_back(it.enodes, it.eclasses);
    return counts;
}

/// Classes 2^N − 1, e-nodes 3^N − 2^(N+1) + 1 + N at saturation.
inline void expectClosedForm(int n) {
    std::size_t power2 = 1, power3 = 1;
    for (int k = 0; k < n; ++k) {
        power2 *= 2;
        power3 *= 3;
    }
    const auto counts = countsOf("ac" + std::to_string(n), 100, Scheduler::Simple);
    ASSERT_LT(counts.size(), 100u);
    EXPECT_EQ(counts.back(),
              (Count{power3 - 2 * power2 + 1 + static_cast<std::size_t>(n), power2 - 1}))
        << "N = " << n;
}

} // namespace marquetry::egraph
