#include "engine/extract/candidates.h"

#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace marquetry::extract {

namespace {

using design::SharingCandidate;

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
               const design::Design& design, const ExtractParams& params, PoolQuestions& questions)
        : problem_(problem),
          pools_(pools),
          design_(design),
          params_(params),
          questions_(questions) {}

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
    const PoolEntry& entry(std::size_t index) const { return problem_.pool.entries[index]; }

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
        candidate.reason = "built once for " + roundedText(copies) +
                           " call sites; one copy each would "
                           "take DSP " +
                           roundedText(design_.resources.dsp) + " → " + roundedText(unshared) +
                           " of " + roundedText(limit) +
                           (unshared > limit ? ", over the limit" : "");
        names_.insert(unit.name);
        candidates_.push_back(std::move(candidate));
    }

    void addUnshared(std::size_t index) {
        const PoolEntry& e = entry(index);
        const std::string name =
            toString(problem_.graph.classes[static_cast<std::size_t>(e.eclass)].shape);
        if (!names_.insert(name).second)
            return;
        SharingCandidate candidate;
        candidate.eclass = problem_.graph.classes[static_cast<std::size_t>(e.eclass)].id;
        candidate.name = name;
        for (std::size_t c = 0; c < problem_.calls.size(); ++c)
            if (!problem_.pool.via(static_cast<int>(index), c).empty())
                candidate.callSites.push_back(
                    problem_.lowered->plan.layers[problem_.calls[c].layer].name);
        candidate.savedDsp = static_cast<double>(candidate.callSites.size() - 1) * e.dsp;
        candidate.reason = unsharedReason(questions_.sharing(e.eclass));
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

    std::string unsharedReason(const PoolAnswer& answer) const {
        if (!answer.asked)
            return "not examined: so many candidates serve the program";
        if (!answer.solution)
            return answer.exact ? "no design that shares it fits the limits"
                                : "no design that shares it was found within the limits";
        const double least = pools_.front.empty() ? 0 : pools_.front.front().time;
        const double delta = answer.solution->time - least;
        return std::string("the best design ") + (answer.exact ? "" : "found ") +
               "that shares it takes " + roundedText(delta) + " compute cycles more (" +
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
    PoolQuestions& questions_;
    std::set<std::string> names_;
    std::vector<SharingCandidate> candidates_;
};

} // namespace

std::vector<SharingCandidate> sharingCandidates(const ExtractionProblem& problem,
                                                const PoolResult& pools,
                                                const design::Design& design,
                                                const ExtractParams& params,
                                                PoolQuestions& questions) {
    return Candidates(problem, pools, design, params, questions).list();
}

} // namespace marquetry::extract
