#include "engine/egraph/proof.h"

#include "engine/egraph/term_bank.h"

#include <algorithm>

namespace marquetry::egraph {

namespace {

/// Knows terms and rules only. Every term of the proof is taken into a bank of its own, so that
/// equal terms have equal ids whatever the proof's table says.
class ProofChecker {
public:
    ProofChecker(const Proof& proof, std::span<const Rewrite> rules, const ProofCheckParams& params)
        : proof_(proof),
          rules_(rules),
          acceptGiven_(params.acceptGiven),
          bank_(proof.language, params.analysis) {}

    Status run() {
        if (auto taken = takeTerms(); !taken)
            return taken;
        if (!known(proof_.start) || !known(proof_.end))
            return wrong("the first or the last term is missing");
        ProofTermId now = mine(proof_.start);
        for (number_ = 1; number_ <= proof_.steps.size(); ++number_) {
            const ProofStep& step = proof_.steps[number_ - 1];
            if (auto checked = checkStep(step, now); !checked)
                return checked;
            now = mine(step.after);
        }
        if (now != mine(proof_.end))
            return wrong("the steps do not end at the last term");
        return ok();
    }

private:
    Diagnostic wrong(const std::string& what) const {
        const bool inStep = number_ >= 1 && number_ <= proof_.steps.size();
        return makeError("proof-step",
                         inStep ? "step " + std::to_string(number_) + ": " + what : what);
    }

    bool known(ProofTermId t) const { return t.index() < mine_.size(); }
    ProofTermId mine(ProofTermId t) const { return mine_[t.index()]; }

    Status takeTerms() {
        const Language& language = *proof_.language;
        std::vector<ProofTermId> children;
        for (const ProofTerm& term : proof_.terms) {
            if (term.op.index() >= language.opCount() ||
                !language.acceptsParamCount(term.op, term.params.size()) ||
                !language.acceptsChildCount(term.op, term.children.size()))
                return wrong("a term does not belong to the language");
            children.clear();
            for (std::size_t k = 0; k < term.children.size(); ++k) {
                if (!known(term.children[k]))
                    return wrong("a term comes before its parts");
                children.push_back(mine(term.children[k]));
                if (bank_.sort(children.back()) != language.childSort(term.op, k))
                    return wrong("a part of a term has the wrong sort");
            }
            mine_.push_back(bank_.add(term.op, term.params, children));
        }
        return ok();
    }

    Status checkStep(const ProofStep& step, ProofTermId now) {
        if (!known(step.before) || !known(step.after))
            return wrong("a term is missing");
        if (mine(step.before) != now)
            return wrong("it does not start where the step before ends");
        const auto before = partAt(mine(step.before), step.place);
        const auto after = partAt(mine(step.after), step.place);
        if (!before || !after)
            return wrong("there is no such place");
        if (bank_.replace(now, step.place, *after) != mine(step.after))
            return wrong("the term changes outside the place");
        const ProofTermId left = step.forward ? *before : *after;
        const ProofTermId right = step.forward ? *after : *before;
        if (step.rule == kGiven)
            return acceptGiven_ ? ok() : Status(wrong("a given equality is not accepted"));
        return checkRule(step, left, right);
    }

    Status checkRule(const ProofStep& step, ProofTermId left, ProofTermId right) {
        if (step.rule.index() >= rules_.size())
            return wrong("there is no such rule");
        const Rewrite& rule = rules_[step.rule.index()];
        const auto match = bank_.match(step.rule, rule, left, right);
        if (!match)
            return wrong("the left-hand side of '" + rule.name + "' does not match");
        bool same = match->params == step.params && match->classes.size() == step.classes.size();
        for (std::size_t v = 0; same && v < step.classes.size(); ++v)
            same = known(step.classes[v]) ? mine(step.classes[v]) == match->classes[v]
                                          : !step.classes[v].valid() && !match->classes[v].valid();
        if (!same)
            return wrong("the substitution is not the one '" + rule.name + "' matches with");
        const auto results = bank_.apply(rule, *match);
        if (results.empty())
            return wrong("the side condition of '" + rule.name + "' does not hold");
        if (std::ranges::none_of(results,
                                 [&](const RuleApplication& use) { return use.right == right; }))
            return wrong("'" + rule.name + "' gives another term");
        return ok();
    }

    std::optional<ProofTermId> partAt(ProofTermId whole,
                                      std::span<const std::uint32_t> place) const {
        for (std::uint32_t k : place) {
            if (k >= bank_.arity(whole))
                return std::nullopt;
            whole = bank_.child(whole, k);
        }
        return whole;
    }

    const Proof& proof_;
    std::span<const Rewrite> rules_;
    bool acceptGiven_;
    TermBank bank_;
    std::vector<ProofTermId> mine_; ///< by the proof's TermId
    std::size_t number_ = 0;        ///< of the step being checked, from 1
};

} // namespace

Status checkProof(const Proof& proof, std::span<const Rewrite> rules,
                  const ProofCheckParams& params) {
    return ProofChecker(proof, rules, params).run();
}

} // namespace marquetry::egraph
