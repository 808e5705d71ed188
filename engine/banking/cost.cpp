#include "engine/banking/cost.h"

#include "engine/banking/cost_calibration.h"
#include "engine/banking/cost_correction.h"
#include "engine/banking/cost_steps.h"
#include "engine/banking/lut_counts.h"

#include <algorithm>
#include <cmath>

namespace marquetry::banking {

namespace {

bool noWorse(const PricedScheme& a, const PricedScheme& b) {
    const device::Resources& x = a.cost.total;
    const device::Resources& y = b.cost.total;
    return x.lut <= y.lut && x.ff <= y.ff && x.bram <= y.bram && x.dsp <= y.dsp &&
           a.scheme.words <= b.scheme.words;
}

/// What mapping makes of the terms together.
SchemeCostTerm mappingTerm(double counted, double factor) {
    const double more = std::round(counted * (factor - 1));
    const std::int64_t percent = std::llround(100 * (factor - 1));
    return {"mapping",
            std::to_string(std::llround(counted)) + " LUT x " + (percent < 0 ? "" : "+") +
                std::to_string(percent) + " %, by " + std::to_string(kLutSteps.size()) +
                " steps learnt from synthesised memories",
            {0, more, 0, 0}};
}

} // namespace

SchemeCost costOf(const AccessPattern& pattern, const Scheme& scheme,
                  const device::Device& device) {
    return costOf(pattern, scheme, planHardware(pattern, scheme, device), device);
}

SchemeCost costOf(const AccessPattern& pattern, const Scheme& scheme, const HardwarePlan& plan,
                  const device::Device& device) {
    SchemeCost cost;
    cost.terms = countTerms(pattern, scheme, plan, device);
    CountedAmounts lut{};
    for (SchemeCostTerm& term : cost.terms) {
        const auto found = std::ranges::find(kCostTerms, term.name) - kCostTerms.begin();
        const auto place = static_cast<std::size_t>(found);
        const CostFactor& factor = kCostFactors[place];
        lut[place] = term.resources.lut = std::round(term.resources.lut * factor.lut);
        term.resources.ff = std::round(term.resources.ff * factor.ff);
        cost.total += term.resources;
    }
    const CostFeatures features = costFeatures(pattern, scheme, plan, lut);
    const SchemeCostTerm mapping =
        mappingTerm(cost.total.lut, correction(kLutBase, kLutSteps, features));
    if (mapping.resources != device::Resources{}) {
        cost.terms.push_back(mapping);
        cost.total += mapping.resources;
    }
    for (const GroupHardware& group : plan.groups) {
        cost.banksSeen.emplace_back();
        for (const LaneHardware& lane : group.lanes)
            cost.banksSeen.back().push_back(lane.seen);
    }
    return cost;
}

bool usesBlockRam(std::int64_t depth, std::int64_t bits, const device::Device& device) {
    const device::Resources block{0, 0, 0, device.ramBlocks(depth, bits)};
    return areaOf(block, device.limits) <
           areaOf(lutBank(depth, depth, bits, device), device.limits);
}

std::pair<double, double> areaOf(const device::Resources& used, const device::Resources& limits) {
    double largest = 0;
    double sum = 0;
    const auto part = [&](double amount, double limit) {
        const double fraction = amount == 0 ? 0 : limit > 0 ? amount / limit : 1e9;
        largest = std::max(largest, fraction);
        sum += fraction;
    };
    part(used.dsp, limits.dsp);
    part(used.lut, limits.lut);
    part(used.ff, limits.ff);
    part(used.bram, limits.bram);
    return {largest, sum};
}

std::vector<PricedScheme> paretoFront(const AccessPattern& pattern,
                                      const std::vector<Scheme>& schemes,
                                      const device::Device& device) {
    std::vector<PricedScheme> priced;
    for (const Scheme& scheme : schemes)
        priced.push_back({scheme, costOf(pattern, scheme, device)});
    std::ranges::stable_sort(priced, {}, [&](const PricedScheme& p) {
        return std::tuple(areaOf(p.cost.total, device.limits), p.scheme.words);
    });
    std::vector<PricedScheme> front;
    for (PricedScheme& candidate : priced) {
        const bool beaten =
            std::ranges::any_of(front, [&](const auto& f) { return noWorse(f, candidate); });
        if (!beaten)
            front.push_back(std::move(candidate));
    }
    return front;
}

} // namespace marquetry::banking
