#include "engine/algebra/retiming.h"

#include "engine/milp/solve.h"

#include <cmath>

namespace marquetry::algebra {

using ir::StreamOp;

namespace {

using Lags = std::vector<std::int64_t>;

/// The linear programme: a lag and a chain's length for each term that is an operator or a source.
class Programme {
public:
    explicit Programme(const DataflowGraph& dataflow)
        : terms_(dataflow.terms),
          needed_(neededBy(dataflow)),
          lag_(dataflow.terms.size()),
          chain_(dataflow.terms.size()) {
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            if (isValue(TermId(k)))
                addVariables(TermId(k));
        }
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            if (!isValue(TermId(k)))
                continue;
            for (const TermId operand : terms_[TermId(k)].operands)
                addUse(operand, lag_[k]);
        }
        for (const TermId root : dataflow.roots)
            addUse(root, std::nullopt);
    }

    std::optional<Lags> solve() const {
        const auto solved = milp::solve(model_, {}, {});
        if (!solved || solved->outcome != milp::SolveStatus::Optimal)
            return std::nullopt;
        Lags lags(terms_.size(), 0);
        for (std::size_t k = 0; k < terms_.size(); ++k) {
            if (lag_[k].valid())
                lags[k] = std::llround(solved->values[lag_[k].index()]);
        }
        return lags;
    }

private:
    bool isValue(TermId id) const {
        return needed_[id.index()] && terms_[id].length > 0 && terms_[id].op != StreamOp::Shift;
    }

    void addVariables(TermId id) {
        const bool source = terms_[id].op == StreamOp::Input;
        // A tiny price for the lag: among equal chains, the terms as they are.
        lag_[id.index()] = model_.addContinuous(0, source ? 0 : milp::kInfinity, 1e-6);
        chain_[id.index()] = model_.addContinuous(0, milp::kInfinity, bitsOf(terms_[id].type));
    }

    /// The user takes the operand, `shift` elements before its own, lags and all.
    void addUse(TermId operand, std::optional<milp::VariableId> user) {
        const TermId base = terms_.unshifted(operand);
        if (terms_[base].length == 0)
            return;
        const auto shift = static_cast<double>(terms_.shiftOf(operand));
        if (shift < 0) {
            model_.addAtMost({{lag_[base.index()], 1}}, 0);
            return;
        }
        std::vector<milp::LinearTerm> wait = {{lag_[base.index()], -1}};
        if (user)
            wait.push_back({*user, 1});
        model_.addAtLeast(wait, -shift);
        for (milp::LinearTerm& term : wait)
            term.coefficient = -term.coefficient;
        wait.push_back({chain_[base.index()], 1});
        model_.addAtLeast(wait, shift);
    }

    const Terms& terms_;
    const std::vector<bool> needed_;
    milp::Model model_;
    std::vector<milp::VariableId> lag_;
    std::vector<milp::VariableId> chain_;
};

} // namespace

DataflowGraph retimed(const DataflowGraph& dataflow) {
    const auto lags = Programme(dataflow).solve();
    if (!lags)
        return dataflow;
    // With `shifts` the constructors would move the shifts back.
    const Terms& old = dataflow.terms;
    DataflowGraph result{Terms(old.rewrites().without(KernelRewrite::Shifts)), {}};
    const std::vector<bool> needed = neededBy(dataflow);
    std::vector<TermId> renamed(old.size());
    const auto taken = [&](TermId id, std::int64_t userLag) {
        const TermId base = old.unshifted(id);
        if (old[base].length == 0)
            return renamed[base.index()];
        return result.terms.shifted(renamed[base.index()],
                                    old.shiftOf(id) + userLag - (*lags)[base.index()]);
    };
    for (std::size_t k = 0; k < old.size(); ++k) {
        const Term& term = old[TermId(k)];
        if (!needed[k] || term.op == StreamOp::Shift)
            continue;
        if (term.operands.empty()) {
            renamed[k] = copied(result.terms, old, TermId(k), renamed);
            continue;
        }
        std::vector<TermId> operands;
        for (const TermId operand : term.operands)
            operands.push_back(taken(operand, (*lags)[k]));
        renamed[k] = result.terms.apply(term.op, term.type, std::move(operands), term.table);
    }
    for (const TermId root : dataflow.roots)
        result.roots.push_back(taken(root, 0));
    return result;
}

} // namespace marquetry::algebra
