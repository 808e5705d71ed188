#include "engine/banking/cost_correction.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace marquetry::banking {

namespace {

/// Lanes, writers, banks seen, and lanes by kind of address.
std::array<double, 7> laneFeatures(const HardwarePlan& plan) {
    std::array<double, 7> features{};
    for (const GroupHardware& group : plan.groups)
        for (const LaneHardware& lane : group.lanes) {
            ++features[0];
            features[1] += lane.write ? 1 : 0;
            features[2] += static_cast<double>(lane.seen);
            ++features[group.tabulated ? 6 : 3 + static_cast<std::size_t>(lane.mode)];
        }
    return features;
}

/// Banks of a copy that some lane uses: others take nothing.
std::int64_t banksUsed(const HardwarePlan& plan) {
    std::vector<bool> used;
    for (const GroupHardware& group : plan.groups)
        for (const LaneHardware& lane : group.lanes) {
            used.resize(std::max(used.size(), lane.banks.size()));
            for (std::size_t b = 0; b < lane.banks.size(); ++b)
                used[b] = used[b] || lane.banks[b];
        }
    return std::ranges::count(used, true);
}

} // namespace

CostFeatures costFeatures(const AccessPattern& pattern, const Scheme& scheme,
                          const HardwarePlan& plan, const CountedAmounts& counted) {
    const double all = std::max(1.0, std::accumulate(counted.begin(), counted.end(), 0.0));
    const std::int64_t banks = banksUsed(plan);
    const auto depth = static_cast<double>(scheme.depth);
    const std::array<double, 11> memory{static_cast<double>(pattern.bits),
                                        static_cast<double>(pattern.ports),
                                        static_cast<double>(banks),
                                        static_cast<double>(scheme.copies),
                                        depth,
                                        plan.blockRam ? 1.0 : 0.0,
                                        static_cast<double>(pattern.dims.size()),
                                        static_cast<double>(stateBits(scheme)),
                                        (banks & (banks - 1)) != 0 ? 1.0 : 0.0,
                                        plan.blockRam ? 0 : depth / 64,
                                        all};
    const std::array<double, 7> lanes = laneFeatures(plan);
    CostFeatures features;
    auto next = std::ranges::transform(counted, features.begin(), [all](double amount) {
                    return amount / all;
                }).out;
    next = std::ranges::copy(memory, next).out;
    std::ranges::copy(lanes, next);
    return features;
}

double correction(double base, std::span<const CostStep> steps, const CostFeatures& features) {
    double logarithm = base;
    for (const CostStep& step : steps)
        logarithm += features[step.feature] > step.threshold ? step.rise : 0;
    return std::clamp(std::exp(logarithm), 0.5, 2.0);
}

} // namespace marquetry::banking
