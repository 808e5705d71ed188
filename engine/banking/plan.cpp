#include "engine/banking/plan.h"

#include "engine/banking/derive.h"
#include "engine/banking/find_witness.h"
#include "engine/banking/flat_maps.h"

#include <algorithm>

namespace marquetry::banking {

namespace {

using MapList = std::vector<ir::FlatMap>;

Diagnostic conflictOf(const AccessPattern& pattern, const ir::BankDirective& directive) {
    const std::string scheme = derive(directive.maps, pattern.dims).text();
    const auto witness = findWitness(pattern, directive.maps);
    if (!witness && !pattern.unresolved.empty())
        return undecided(pattern, "it is not known whether " + scheme + " serves every cycle");
    const bool written = directive.place.known();
    Diagnostic error = makeAnswer("bank-conflict",
                                  std::string(written ? "the directive's" : "the pinned") +
                                      " scheme " + scheme + " does not serve every cycle",
                                  std::string("drop the ") + (written ? "directive" : "pin") +
                                      " to see schemes that do, or allow more copies");
    error.range = directive.place;
    if (witness)
        error.notes.push_back(text(*witness, pattern));
    return error;
}

/// The schemes that the user's number of copies leaves.
std::vector<Scheme> withinCopies(const std::vector<Scheme>& schemes, std::int64_t copies) {
    std::vector<Scheme> kept;
    for (const Scheme& scheme : schemes) {
        if (scheme.copies <= copies)
            kept.push_back(withCopies(scheme, copies));
    }
    return kept;
}

Diagnostic noScheme(const AccessPattern& pattern, const SearchParams& params) {
    const std::string within = " within " + std::to_string(params.maxBanks) + " banks and " +
                               std::to_string(params.maxCopies) + " copies";
    Diagnostic error = pattern.unresolved.empty()
                           ? makeAnswer("no-scheme", "no bank scheme" + within)
                           : undecided(pattern, "no bank scheme is known" + within);
    for (std::size_t g = 0; g < pattern.groups.size(); ++g) {
        if (pattern.groups[g].lanes.size() > 1)
            error.notes.push_back(pattern.laneText(g, 0) + " and " +
                                  std::to_string(pattern.groups[g].lanes.size() - 1) +
                                  " more: " + pattern.groups[g].why);
    }
    return error;
}

Status checkDirective(const AccessPattern& pattern, const ir::BankDirective& directive,
                      const SearchParams& params) {
    if (directive.maps.empty())
        return ok();
    Scheme scheme;
    scheme.maps = directive.maps;
    std::optional<Diagnostic> error;
    if (scheme.banks() > params.maxBanks)
        error = makeError("too-many-banks", scheme.text() + " has more than " +
                                                std::to_string(params.maxBanks) + " banks");
    else if (derive(directive.maps, pattern.dims).words > kMostSchemeWords)
        error = makeError("too-many-words", scheme.text() + " has more than 2^40 words",
                          "blocks are at most as long as the array");
    if (!error)
        return ok();
    error->range = directive.place;
    return *std::move(error);
}

/// All banks along one dimension.
void addCyclic(const MapList& maps, std::vector<MapList>& neighbours) {
    std::int64_t banks = 1;
    for (const ir::FlatMap& map : maps)
        banks *= map.banks;
    const std::size_t rank = maps[0].alpha.size();
    for (std::size_t d = 0; d < rank; ++d) {
        ir::FlatMap cyclic{std::vector<std::int64_t>(rank), 1, banks};
        cyclic.alpha[d] = 1;
        neighbours.push_back({cyclic});
    }
}

/// Without one of the parities, and the banks cyclically.
std::vector<MapList> neighboursOfParity(const MapList& maps) {
    std::vector<MapList> neighbours;
    for (std::size_t m = 0; m < maps.size() && maps.size() > 1; ++m) {
        neighbours.push_back(maps);
        neighbours.back().erase(neighbours.back().begin() + static_cast<std::ptrdiff_t>(m));
    }
    addCyclic(maps, neighbours);
    return neighbours;
}

/// Maps that differ from the chosen ones in one respect.
std::vector<MapList> neighboursOf(const MapList& maps) {
    if (isParity(maps))
        return neighboursOfParity(maps);
    std::vector<MapList> neighbours;
    const auto change = [&](std::size_t m, std::int64_t banks, std::int64_t block) {
        if (banks < 1 || block < 1)
            return;
        neighbours.push_back(maps);
        neighbours.back()[m].banks = banks;
        neighbours.back()[m].block = block;
    };
    for (std::size_t m = 0; m < maps.size(); ++m) {
        if (maps[m].banks > 1)
            change(m, maps[m].banks - 1, maps[m].block);
    }
    for (std::size_t m = 0; m < maps.size(); ++m) {
        if (maps[m].banks > 1) {
            change(m, maps[m].banks, maps[m].block == 1 ? 2 : 1);
            change(m, maps[m].banks, maps[m].block + 2);
        }
    }
    if (maps[0].alpha.size() > 1)
        addCyclic(maps, neighbours);
    return neighbours;
}

} // namespace

Diagnostic undecided(const AccessPattern& pattern, const std::string& what) {
    const std::string sets = std::to_string(pattern.unresolved.size()) + " set(s) of accesses";
    return pattern.late
               ? makeError("undecided", what + ": the limit of time ended the look at " + sets,
                           "allow more time")
               : makeError("undecided",
                           what + ": " + sets +
                               " that move by different amounts have too many "
                               "iterations to look at, and are taken to meet",
                           "shorten the loops, or keep the accesses at constant distances");
}

Status check(const AccessPattern& pattern, const PlanParams& params) {
    if (params.search.maxCopies < 1)
        return makeError("bad-parameter", "the number of copies is at least 1, not " +
                                              std::to_string(params.search.maxCopies));
    if (params.search.maxBanks < 1 || params.search.steps < 1)
        return makeError("bad-parameter", "the limits on banks and steps are at least 1");
    if (pattern.groups.empty())
        return makeError("no-access", "nothing accesses the array");
    return ok();
}

std::vector<Rejected> rejectedNeighbours(const AccessPattern& pattern, const Scheme& scheme,
                                         int most) {
    std::vector<Rejected> rejected;
    for (const MapList& maps : neighboursOf(scheme.maps)) {
        if (static_cast<int>(rejected.size()) == most)
            break;
        const auto witness = findWitness(pattern, maps, scheme.copyOf);
        if (!witness)
            continue;
        rejected.push_back({derive(maps, pattern.dims), *witness});
        rejected.back().scheme.copies = scheme.copies;
    }
    return rejected;
}

Result<Plan> plan(const AccessPattern& pattern, const ir::BankDirective& directive,
                  const device::Device& device, const PlanParams& params, std::stop_token stop) {
    const Status right = check(pattern, params);
    if (!right)
        return right.error();
    const Status allowed = checkDirective(pattern, directive, params.search);
    if (!allowed)
        return allowed.error();
    Plan result;
    SearchParams limits = params.search;
    if (directive.copies > 0)
        limits.maxCopies = directive.copies;
    result.found = search(pattern, limits, std::move(stop));
    std::vector<Scheme> schemes = result.found.schemes;
    if (!directive.maps.empty()) {
        const auto fixed = fixedScheme(pattern, directive, limits.maxCopies);
        if (!fixed)
            return conflictOf(pattern, directive);
        schemes = {*fixed};
    } else if (directive.copies > 0) {
        schemes = withinCopies(schemes, directive.copies);
    }
    if (schemes.empty())
        return noScheme(pattern, limits);
    result.front = paretoFront(pattern, schemes, device);
    result.rejected = rejectedNeighbours(pattern, result.chosen().scheme, params.neighbours);
    return result;
}

} // namespace marquetry::banking
