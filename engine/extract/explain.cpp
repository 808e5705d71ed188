#include "engine/extract/explain.h"

#include "engine/extract/build_design.h"
#include "engine/extract/infeasible.h"
#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace marquetry::extract {

namespace {

using design::Alternative;
using design::Design;
using design::DesignUnit;

/// A person reads three; a few more for the Inspector.
constexpr std::size_t kAlternatives = 5;
/// Units whose opposite is searched; the largest come first.
constexpr std::size_t kOpposites = 4;
/// A counterfactual is not worth waiting for longer.
constexpr double kSeconds = 5;

std::string signedNumber(double value) {
    return (value >= 0 ? "+" : "−") + roundedText(std::abs(value));
}

class Explainer {
public:
    Explainer(const rules::Lowered& lowered, const ExtractionProblem& problem,
              const PoolSolution& chosen, const ExtractParams& params, PoolQuestions& questions,
              Design& design, std::stop_token stop)
        : lowered_(lowered),
          problem_(problem),
          chosen_(chosen),
          params_(params),
          questions_(questions),
          design_(design),
          stop_(std::move(stop)) {}

    void run() {
        findOthers();
        std::vector<DesignUnit*> units;
        for (DesignUnit& unit : design_.units)
            if (unit.multipliers > 0)
                units.push_back(&unit);
        std::ranges::stable_sort(units, std::greater<>(), &DesignUnit::multipliers);
        for (std::size_t k = 0; k < units.size(); ++k) {
            DesignUnit& unit = *units[k];
            addTerms(unit);
            if (k < kOpposites && unit.shared && !stop_.stop_requested())
                addOpposite(unit);
            addAlternatives(unit);
        }
    }

private:
    struct Other {
        Alternative figures;
        std::set<std::pair<egraph::EClassId, std::int64_t>> units; ///< class and parallelism
    };

    Alternative against(const Design& other, bool exact) const {
        Alternative alternative;
        alternative.what = labelOf(other);
        alternative.cycles = other.cycles;
        alternative.dsp = other.resources.dsp;
        alternative.cyclesMore = other.cycles - design_.cycles;
        alternative.dspMore = other.resources.dsp - design_.resources.dsp;
        alternative.exact = exact;
        return alternative;
    }

    static Other otherOf(const Design& design, Alternative figures) {
        Other other{std::move(figures), {}};
        for (const DesignUnit& unit : design.units)
            if (unit.multipliers > 0)
                other.units.emplace(unit.eclass, unit.parallelism);
        return other;
    }

    /// Designs that share something else, or the same with another body.
    void findOthers() {
        std::vector<const PoolAnswer*> answers;
        for (int e : chosen_.pool)
            addNextBest(e, answers);
        std::set<int> classes;
        for (const PoolEntry& entry : problem_.pool.entries)
            if (classes.insert(entry.eclass).second)
                answers.push_back(&questions_.sharing(entry.eclass));
        std::set<std::string> seen = {labelOf(design_)};
        for (const PoolAnswer* answer : answers) {
            if (!answer->solution || stop_.stop_requested())
                continue;
            const BuiltDesign built = buildDesign(problem_, *answer->solution, params_);
            Alternative figures = against(built.design, answer->exact);
            figures.broken = built.blockedBy;
            figures.needs = built.needs;
            if (seen.insert(figures.what).second)
                others_.push_back(otherOf(built.design, std::move(figures)));
        }
    }

    /// The best without the entry, the best without what took its place as well, and so on.
    void addNextBest(int entry, std::vector<const PoolAnswer*>& answers) {
        std::vector<int> without = {entry};
        for (std::size_t k = 0; k < kAlternatives; ++k) {
            const PoolAnswer& answer = questions_.without(without);
            answers.push_back(&answer);
            if (!answer.solution)
                return;
            const std::size_t before = without.size();
            for (int e : answer.solution->pool)
                if (std::ranges::find(chosen_.pool, e) == chosen_.pool.end())
                    without.push_back(e);
            if (without.size() == before)
                return;
        }
    }

    void addTerms(DesignUnit& unit) const {
        std::int64_t cycles = 0;
        for (design::CallId call : unit.callSites)
            cycles += design_.call(call).cycles;
        auto& terms = unit.why.terms;
        terms.push_back({"time", static_cast<double>(cycles), "cycles",
                         "Σ of its " + std::to_string(unit.callSites.size()) + " calls, " +
                             roundedText(100 * unit.busy) + " % of all"});
        const std::string product = "P=" + std::to_string(unit.parallelism) + " × " +
                                    std::to_string(unit.lanes) + " = " +
                                    std::to_string(unit.multipliers) + " multipliers";
        terms.push_back({"DSP", unit.resources.dsp, "DSP", product});
        if (design_.model != design::CostModel::Cycles)
            return;
        terms.push_back({"block RAM", unit.resources.bram, "blocks", "weights kept on chip"});
        terms.push_back({"LUT", unit.resources.lut, "LUT", "adder tree and row logic, estimate"});
    }

    void addOpposite(DesignUnit& unit) const {
        ExtractParams params = params_;
        params.explain = false;
        params.seconds = std::min(params.seconds, kSeconds);
        params.pins.push_back(
            {0, design::PinKind::NeverShare, toString(unit.shape), std::string(), true});
        const auto result = extract(lowered_, params, stop_);
        const double copies = static_cast<double>(unit.callSites.size() - 1) * unit.resources.dsp;
        std::string& text = unit.why.counterfactual;
        text = "one private copy per call site takes DSP " + roundedText(design_.resources.dsp) +
               " → " + roundedText(design_.resources.dsp + copies) + " of " +
               roundedText(params_.limits.dsp);
        if (!result)
            return;
        if (!result->design) {
            if (result->status != ExtractStatus::Infeasible)
                return;
            // Stream units would lower the DSP that the others need.
            const auto dsp =
                lowered_.menu.streams.empty() ? shortOfDsp(lowered_, params, stop_) : std::nullopt;
            text += "; without sharing it " +
                    (dsp ? dsp->message : std::string("no design meets the limits and pins"));
            return;
        }
        const bool exact = result->status == ExtractStatus::Optimal;
        unit.why.opposite = against(*result->design, exact);
        text += std::string("; the best design ") + (exact ? "" : "found ") +
                "without sharing it takes " +
                roundedText(static_cast<double>(result->design->cycles)) + " cycles (" +
                signedNumber(static_cast<double>(unit.why.opposite->cyclesMore)) +
                "): " + unit.why.opposite->what;
    }

    void addAlternatives(DesignUnit& unit) const {
        auto& list = unit.why.alternatives;
        for (const Other& other : others_)
            if (!other.units.contains({unit.eclass, unit.parallelism}))
                list.push_back(other.figures);
        const auto& opposite = unit.why.opposite;
        const auto same = [&](const Alternative& known) { return known.what == opposite->what; };
        if (opposite && std::ranges::none_of(list, same))
            list.push_back(*opposite);
        std::ranges::stable_sort(list, [](const Alternative& a, const Alternative& b) {
            return std::tuple(a.broken.has_value(), a.cycles, a.dsp) <
                   std::tuple(b.broken.has_value(), b.cycles, b.dsp);
        });
        list.resize(std::min(list.size(), kAlternatives));
    }

    const rules::Lowered& lowered_;
    const ExtractionProblem& problem_;
    const PoolSolution& chosen_;
    const ExtractParams& params_;
    PoolQuestions& questions_;
    Design& design_;
    std::stop_token stop_;
    std::vector<Other> others_;
};

} // namespace

namespace {

/// Lanes of a write-back, where results leave in groups.
std::string lanesText(const DesignUnit& unit) {
    const bool groups = unit.writeLanes > 0 && unit.writeLanes < unit.parallelism;
    return groups ? " E=" + std::to_string(unit.writeLanes) : "";
}

} // namespace

std::string labelOf(const Design& design) {
    std::string label;
    for (const DesignUnit& unit : design.units)
        if (unit.streams)
            label += (label.empty() ? "" : " + ") + unit.name;
        else if (unit.multipliers > 0)
            label += (label.empty() ? "" : " + ") + unit.name +
                     " P=" + std::to_string(unit.parallelism) + lanesText(unit) + " ×" +
                     std::to_string(unit.callSites.size());
    return label;
}

void explainUnits(const rules::Lowered& lowered, const ExtractionProblem& problem,
                  const PoolSolution& chosen, const ExtractParams& params, PoolQuestions& questions,
                  Design& design, std::stop_token stop) {
    Explainer(lowered, problem, chosen, params, questions, design, std::move(stop)).run();
}

} // namespace marquetry::extract
