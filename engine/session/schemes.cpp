#include "engine/session/schemes.h"

#include "engine/banking/access.h"
#include "engine/banking/conflict.h"
#include "engine/banking/cost.h"
#include "engine/banking/derive.h"
#include "engine/banking/find_witness.h"
#include "engine/banking/occupancy.h"
#include "engine/banking/search.h"
#include "engine/support/limits.h"

#include <algorithm>

namespace marquetry::session {

namespace {

using banking::AccessPattern;

std::vector<std::int64_t> banksIn(const std::vector<bool>& seen) {
    std::vector<std::int64_t> banks;
    for (std::size_t b = 0; b < seen.size(); ++b)
        if (seen[b])
            banks.push_back(static_cast<std::int64_t>(b));
    return banks;
}

std::string refusal(const AccessPattern& pattern, const SchemeAttempt& attempt) {
    if (!attempt.witness)
        return "no cycle was found in which it fails, but not all that may fail could be ruled out";
    const std::string moment = text(*attempt.witness, pattern);
    return attempt.name.copies == 1 ? moment
                                    : moment + ", and " + std::to_string(attempt.name.copies) +
                                          " copies do not keep all such readers apart";
}

} // namespace

Diagnostic wrongShape(const std::string& what) {
    return makeError("scheme-shape", what,
                     "N and B are at least 1, alpha has one number per "
                     "dimension");
}

Status checkMaps(const std::vector<ir::FlatMap>& maps, std::size_t rank) {
    constexpr std::int64_t kMost = std::int64_t{1} << 31;
    std::int64_t banks = 1;
    for (const ir::FlatMap& map : maps) {
        if (map.form != maps[0].form)
            return wrongShape("a scheme of masks has no other maps");
        if (map.alpha.size() != rank)
            return wrongShape("alpha has " + std::to_string(map.alpha.size()) +
                              " numbers, the array " + std::to_string(rank) + " dimensions");
        const bool small =
            std::ranges::all_of(map.alpha, [](std::int64_t a) { return a >= 0 && a <= kMost; });
        if (map.banks < 1 || map.block < 1 || !small)
            return wrongShape("N and B are at least 1, alpha at least 0 and at most 2^31");
        banks = map.banks > kMaxBanks ? kMaxBanks + 1 : banks * map.banks;
        if (banks > kMaxBanks)
            return wrongShape("more than " + std::to_string(kMaxBanks) + " banks");
        if (map.block > kMost / map.banks)
            return wrongShape("N times B is more than 2^31");
    }
    return ok();
}

Status checkCopies(std::int64_t copies) {
    if (copies < 0 || copies > kMaxArrayCopies)
        return wrongShape("at most " + std::to_string(kMaxArrayCopies) + " copies");
    return ok();
}

std::shared_ptr<const SchemeDetail> detailOf(const AccessPattern& pattern,
                                             const banking::PricedScheme& priced) {
    auto detail = std::make_shared<SchemeDetail>();
    detail->priced = priced;
    detail->wordsPerBank =
        banking::wordsPerBank(priced.scheme, pattern.dims).value_or(std::vector<std::int64_t>());
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        detail->banksOf.emplace_back();
        for (std::size_t k = 0; k < pattern.groups[g].lanes.size(); ++k)
            detail->banksOf[g].push_back(
                banksIn(banking::banksSeen(priced.scheme.maps, banking::visitedBy(pattern, g, k))));
    }
    return detail;
}

void decide(SchemeAttempt& attempt, const MemoryItem& item, const device::Device& device) {
    const AccessPattern& pattern = *item.pattern;
    ir::BankDirective directive;
    directive.maps = attempt.name.maps;
    directive.copies = attempt.name.copies;
    attempt.scheme = banking::derive(directive.maps, pattern.dims);
    attempt.wordsPerBank =
        banking::wordsPerBank(attempt.scheme, pattern.dims).value_or(std::vector<std::int64_t>());
    attempt.running = false;
    const auto fixed = banking::fixedScheme(pattern, directive, directive.copies);
    if (fixed) {
        attempt.scheme = *fixed;
        attempt.detail = detailOf(pattern, {*fixed, banking::costOf(pattern, *fixed, device)});
        attempt.text = "serves every cycle";
        return;
    }
    attempt.witness = banking::findWitness(pattern, directive.maps);
    attempt.belowBound =
        item.plan && directive.copies == 1 && attempt.scheme.banks() < item.plan->found.bound.banks;
    attempt.text = refusal(pattern, attempt);
}

} // namespace marquetry::session
