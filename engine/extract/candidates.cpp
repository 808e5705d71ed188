#include "engine/extract/candidates.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace marquetry::extract {

namespace {

using design::SharingCandidate;

std::string number(double value) {
    std::ostringstream text;
    text.precision(12);
    text << std::round(value * 100) / 100;
    return text.str();
}

std::string percent(double part, double whole) {
    if (whole <= 0)
        return "";
    std::ostringstream text;
    text.precision(3);
    text << std::showpos << 100 * part / whole << " %";
    return text.str();
}

class Candidates {
public:
    Candidates(const ExtractionProblem& problem, const PoolResult& pools,
               const design::Design& design, const ExtractParams& params)
        : problem_(problem), pools_(pools), design_(design), params_(params) {}

    std::vector<SharingCandidate> list() {
        for (const design::DesignUnit& unit : design_.units)
            if (unit.shared && unit.multipliers > 0)
                addShared(unit);
        for (std::size_t e = 0; e < problem_.pool.entries.size(); ++e)
            addUnshared(e);
        for (const CoveredCandidate& covered : problem_.covered)
            addCovered(covered);
        for (const design::Pin& pin : params_.pins)
            if (pin.enabled && pin.kind == design::PinKind::NeverShare)
                addForbidden(pin);
        std::ranges::stable_sort(candidates_, [](const auto& a, const auto& b) {
            return std::tuple(!a.shared, -a.savedDsp) < std::tuple(!b.shared, -b.savedDsp);
        });
        return std::move(candidates_);
    }

private:
    const Entry& entry(std::size_t index) const { return problem_.pool.entries[index]; }

    void addShared(const design::DesignUnit& unit) {
        SharingCandidate candidate;
        candidate.eclass = unit.eclass;
        candidate.name = unit.name;
        candidate.shared = true;
        candidate.utilisation = unit.utilisation;
        for (design::CallId call : unit.callSites)
            candidate.callSites.push_back(design_.call(call).layer);
        const auto copies = static_cast<double>(unit.callSites.size());
        const double one = unit.resources.dsp;
        candidate.savedDsp = (copies - 1) * one;
        const double unshared = design_.resources.dsp + candidate.savedDsp;
        const double limit = params_.limits.dsp;
        candidate.extraCycles =
            params_.model == design::CostModel::Cycles ? 0 : static_cast<std::int64_t>(5 * copies);
        candidate.reason = "built once for " + number(copies) +
                           " call sites; one copy each would "
                           "take DSP " +
                           number(design_.resources.dsp) + " → " + number(unshared) + " of " +
                           number(limit) + (unshared > limit ? ", over the limit" : "");
        names_.insert(unit.name);
        candidates_.push_back(std::move(candidate));
    }

    void addUnshared(std::size_t index) {
        const Entry& e = entry(index);
        const std::string name =
            toString(problem_.graph.classes[static_cast<std::size_t>(e.eclass)].shape);
        if (!names_.insert(name).second)
            return;
        SharingCandidate candidate;
        candidate.eclass = problem_.graph.classes[static_cast<std::size_t>(e.eclass)].id;
        candidate.name = name;
        for (std::size_t c = 0; c < e.via.size(); ++c)
            if (!e.via[c].empty())
                candidate.callSites.push_back(
                    problem_.lowered->plan.layers[problem_.calls[c].layer].name);
        candidate.savedDsp = static_cast<double>(candidate.callSites.size() - 1) * e.dsp;
        candidate.reason = unsharedReason(bestOf(e.eclass));
        candidates_.push_back(std::move(candidate));
    }

    void addCovered(const CoveredCandidate& covered) {
        const auto nameOf = [&](int eclass) {
            return toString(problem_.graph.classes[static_cast<std::size_t>(eclass)].shape);
        };
        SharingCandidate candidate;
        candidate.name = nameOf(covered.eclass);
        if (!names_.insert(candidate.name).second)
            return;
        candidate.eclass = problem_.graph.classes[static_cast<std::size_t>(covered.eclass)].id;
        for (std::size_t call : covered.calls)
            candidate.callSites.push_back(
                problem_.lowered->plan.layers[problem_.calls[call].layer].name);
        candidate.savedDsp = static_cast<double>(covered.calls.size() - 1) * covered.dsp;
        candidate.reason = nameOf(covered.by) + " serves the same calls at no more cost";
        candidates_.push_back(std::move(candidate));
    }

    /// Least time of a design that outlines the class, with any body.
    double bestOf(int eclass) const {
        double best = std::numeric_limits<double>::infinity();
        for (std::size_t e = 0; e < problem_.pool.entries.size(); ++e)
            if (entry(e).eclass == eclass)
                best = std::min(best, pools_.bestWithEntry[e]);
        return best;
    }

    std::string unsharedReason(double time) const {
        if (!std::isfinite(time))
            return "no design that shares it fits the limits";
        const double least = pools_.front.empty() ? time : pools_.front.front().time;
        const double delta = time - least;
        return "the best design that shares it takes " + number(delta) + " compute cycles more (" +
               percent(delta, least) + ")";
    }

    void addForbidden(const design::Pin& pin) {
        SharingCandidate candidate;
        candidate.name = pin.target;
        for (const UnitClass& eclass : problem_.graph.classes)
            if (toString(eclass.shape) == pin.target)
                candidate.eclass = eclass.id;
        candidate.forbidden = true;
        candidate.reason = "forbidden by a pin";
        if (names_.insert(pin.target).second)
            candidates_.push_back(std::move(candidate));
    }

    const ExtractionProblem& problem_;
    const PoolResult& pools_;
    const design::Design& design_;
    const ExtractParams& params_;
    std::set<std::string> names_;
    std::vector<SharingCandidate> candidates_;
};

struct Alternative {
    double time = 0;
    std::string text;
};

} // namespace

std::vector<SharingCandidate> sharingCandidates(const ExtractionProblem& problem,
                                                const PoolResult& pools, const PoolSolution& chosen,
                                                const design::Design& design,
                                                const ExtractParams& params) {
    (void)chosen;
    return Candidates(problem, pools, design, params).list();
}

std::map<std::string, std::vector<std::string>> alternativesOf(const ExtractionProblem& problem,
                                                               const PoolResult& pools,
                                                               const design::Design& design,
                                                               const ExtractParams& params) {
    (void)params;
    std::vector<Alternative> all;
    const double least = pools.front.empty() ? 0 : pools.front.front().time;
    for (std::size_t e = 0; e < problem.pool.entries.size(); ++e) {
        const double time = pools.bestWithEntry[e];
        if (!std::isfinite(time))
            continue;
        const Entry& entry = problem.pool.entries[e];
        const std::string name =
            toString(problem.graph.classes[static_cast<std::size_t>(entry.eclass)].shape);
        all.push_back(
            {time, "share " + name + " with P=" + std::to_string(entry.bodyCost.parallel) + ": " +
                       number(time - least) + " compute cycles more (" +
                       percent(time - least, least) + "), " + number(entry.dsp) + " DSP"});
    }
    std::ranges::stable_sort(all, {}, &Alternative::time);
    std::map<std::string, std::vector<std::string>> alternatives;
    for (const design::DesignUnit& unit : design.units) {
        const std::string chosen =
            "share " + unit.name + " with P=" + std::to_string(unit.parallelism) + ":";
        for (const Alternative& other : all)
            if (!other.text.starts_with(chosen) && alternatives[unit.name].size() < 5)
                alternatives[unit.name].push_back(other.text);
    }
    return alternatives;
}

} // namespace marquetry::extract
