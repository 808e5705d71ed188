#include "engine/extract/milp_pins.h"

#include <utility>

namespace marquetry::extract {

namespace {

using milp::LinearTerm;
using milp::VariableId;

class TermPins {
public:
    TermPins(milp::Model& model, const ExtractionProblem& problem, const MilpUnits& units,
             const Allows& buildable)
        : model_(model), problem_(problem), units_(units), buildable_(buildable) {}

    void apply() {
        for (std::size_t q = 0; q < units_.calls.size(); ++q) {
            const CallDemand& demand = problem_.pool.demand(q);
            if ((demand.requiredPins | demand.rejectedPins) == 0)
                continue;
            const std::map<int, VariableId> runs = runsOn(units_.calls[q]);
            for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
                if ((demand.rejectedPins & bit) != 0)
                    reject(units_.calls[q], runs, bit);
                if ((demand.requiredPins & bit) != 0)
                    require(units_.calls[q], runs, bit);
            }
        }
    }

private:
    /// By outlined class: whether the call runs on it, also through another unit.
    std::map<int, VariableId> runsOn(const MilpCopy& call) {
        std::map<int, VariableId> runs;
        std::map<int, std::vector<LinearTerm>> ways;
        for (const auto& [c, use] : call.uses) {
            runs.emplace(c, model_.addBinary());
            ways[c].push_back({use, 1});
        }
        for (const auto& [c, use] : call.uses)
            for (const auto& [inner, nested] : units_.bodies.at(c).uses) {
                const VariableId both = model_.addBinary();
                model_.addAtMost({{both, 1}, {use, -1}}, 0);
                model_.addAtMost({{both, 1}, {nested, -1}}, 0);
                model_.addAtLeast({{both, 1}, {use, -1}, {nested, -1}}, -1);
                ways[inner].push_back({both, 1});
            }
        for (const auto& [c, run] : runs) {
            for (const LinearTerm& way : ways[c])
                model_.addAtLeast({{run, 1}, {way.variable, -1}}, 0);
            ways[c].push_back({run, -1});
            model_.addAtLeast(ways[c], 0);
        }
        return runs;
    }

    std::vector<VariableId> pinned(const MilpCopy& copy, std::uint32_t bit) const {
        std::vector<VariableId> nodes;
        for (int c : copy.classes)
            for (std::size_t n = 0; n < copy.nodes.at(c).size(); ++n)
                if ((problem_.pinBits[static_cast<std::size_t>(c)][n] & bit) != 0)
                    nodes.push_back(copy.nodes.at(c)[n]);
        return nodes;
    }

    void reject(const MilpCopy& call, const std::map<int, VariableId>& runs, std::uint32_t bit) {
        for (VariableId node : pinned(call, bit))
            model_.setBounds(node, 0, 0);
        const auto allows = [&](int eclass, int index) {
            const auto& bits = problem_.pinBits[static_cast<std::size_t>(eclass)];
            return buildable_(eclass, index) && (bits[static_cast<std::size_t>(index)] & bit) == 0;
        };
        for (const auto& [c, run] : runs) {
            // Implied by the rows, but CBC would have to find it out for every outlined class.
            if (!canEnd(problem_, units_.bodies.at(c), allows))
                model_.setBounds(run, 0, 0);
            for (VariableId node : pinned(units_.bodies.at(c), bit))
                model_.addAtMost({{node, 1}, {run, 1}}, 1);
        }
    }

    void require(const MilpCopy& call, const std::map<int, VariableId>& runs, std::uint32_t bit) {
        std::vector<LinearTerm> some;
        for (VariableId node : pinned(call, bit))
            some.push_back({node, 1});
        for (const auto& [c, run] : runs) {
            const VariableId passes = model_.addBinary();
            std::vector<LinearTerm> inside = {{passes, 1}};
            for (VariableId node : pinned(units_.bodies.at(c), bit))
                inside.push_back({node, -1});
            model_.addAtMost(std::move(inside), 0);
            model_.addAtMost({{passes, 1}, {run, -1}}, 0);
            some.push_back({passes, 1});
        }
        model_.addAtLeast(std::move(some), 1);
    }

    milp::Model& model_;
    const ExtractionProblem& problem_;
    const MilpUnits& units_;
    const Allows& buildable_;
};

} // namespace

void pinTerms(milp::Model& model, const ExtractionProblem& problem, const MilpUnits& units,
              const Allows& buildable) {
    TermPins(model, problem, units, buildable).apply();
}

} // namespace marquetry::extract
