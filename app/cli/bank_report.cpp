#include "app/cli/bank_report.h"

#include <iostream>

namespace marquetry::cli {

namespace {

std::string proofText(const banking::SearchResult& found) {
    if (!found.proved()) {
        const bool all = found.outcome == banking::SearchOutcome::Complete;
        return "not proven: at least " + std::to_string(found.bound.banks) + " (" +
               toString(found.bound.by) + "), " +
               (all ? "some accesses that may never meet were kept apart"
                    : "search stopped by " + toString(found.outcome));
    }
    if (found.proof == banking::BoundProof::Exhausted)
        return "proven among " + provedAmong(found) + ": every smaller number was searched";
    return "proven for any scheme by " + toString(found.proof) + ": " +
           std::to_string(found.bound.addresses.size()) +
           (found.proof == banking::BoundProof::Lanes ? " addresses in one cycle"
                                                      : " addresses of the array");
}

std::string list(const std::vector<std::int64_t>& numbers) {
    std::string joined;
    for (const std::int64_t n : numbers)
        joined += (joined.empty() ? "" : ", ") + std::to_string(n);
    return "(" + joined + ")";
}

} // namespace

void printBank(const ir::MemoryProgram& memory, const banking::AccessPattern& pattern,
               const banking::Plan& plan, const device::Device& device) {
    const banking::PricedScheme& chosen = plan.chosen();
    const banking::Scheme& scheme = chosen.scheme;
    std::cout << "memory " << memory.name << ": " << memory.array << " : "
              << ir::toString(memory.type) << "\n";
    for (const banking::Group& group : pattern.groups)
        std::cout << "  loop " << group.nest << ", " << group.lanes.size()
                  << (group.write ? " writes" : " reads") << " per cycle: " << group.why << "\n";
    if (plan.found.minBanks > 0)
        std::cout << "fewest banks: " << plan.found.minBanks << " (" << plan.found.minimal->text()
                  << "), " << proofText(plan.found) << "\n";
    else
        std::cout << "no scheme with one copy was found; at least " << plan.found.bound.banks
                  << " banks\n";
    std::cout << "chosen: " << scheme.text() << "\n"
              << "  box " << list(scheme.box) << ", " << scheme.depth << " words per bank, "
              << scheme.words << " words in all, padding " << scheme.padding << ", dark "
              << scheme.dark << "\n";
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        for (std::size_t k = 0; k < pattern.groups[g].lanes.size(); ++k)
            std::cout << "  " << (pattern.groups[g].write ? "write " : "read  ")
                      << pattern.laneText(g, k) << " sees " << chosen.cost.banksSeen[g][k]
                      << (chosen.cost.banksSeen[g][k] == 1 ? " bank\n" : " banks\n");
    }
    std::cout.precision(9);
    std::cout << "cost on " << device.id << ": " << chosen.cost.total.lut << " LUT, "
              << chosen.cost.total.ff << " FF, " << chosen.cost.total.bram << " " << device.ramKind
              << ", " << chosen.cost.total.dsp << " DSP\n";
    for (const banking::SchemeCostTerm& term : chosen.cost.terms)
        std::cout << "  " << term.name << ": " << term.formula << "\n";
    std::cout << "others worth their cost:" << (plan.front.size() == 1 ? " none" : "") << "\n";
    for (std::size_t k = 1; k < plan.front.size(); ++k) {
        const device::Resources& r = plan.front[k].cost.total;
        std::cout << "  " << plan.front[k].scheme.text() << ": " << r.lut << " LUT, " << r.ff
                  << " FF, " << r.bram << " " << device.ramKind << ", " << r.dsp << " DSP, "
                  << plan.front[k].scheme.words << " words\n";
    }
    for (const banking::Rejected& rejected : plan.rejected)
        std::cout << "not " << rejected.scheme.text() << ": " << text(rejected.witness, pattern)
                  << "\n";
}

} // namespace marquetry::cli
