#include "engine/egraph/proof.h"

#include "engine/egraph/proof_shorten.h"

namespace marquetry::egraph {

namespace {

/// Copies terms of a bank, children first, each once.
class TermTable {
public:
    TermTable(const TermBank& bank, std::vector<ProofTerm>& terms) : bank_(bank), terms_(terms) {}

    ProofTermId take(ProofTermId wanted) {
        std::vector<ProofTermId> todo{wanted};
        while (!todo.empty()) {
            const ProofTermId next = todo.back();
            const std::size_t before = todo.size();
            ProofTerm term{bank_.op(next), {}, {}};
            for (std::size_t k = 0; k < bank_.arity(next); ++k) {
                const auto known = taken_.find(bank_.child(next, k));
                if (known == taken_.end())
                    todo.push_back(bank_.child(next, k));
                else
                    term.children.push_back(known->second);
            }
            if (todo.size() > before)
                continue;
            todo.pop_back();
            if (!taken_.emplace(next, ProofTermId{terms_.size()}).second)
                continue;
            term.params.assign(bank_.params(next).begin(), bank_.params(next).end());
            terms_.push_back(std::move(term));
        }
        return taken_.at(wanted);
    }

private:
    const TermBank& bank_;
    std::vector<ProofTerm>& terms_;
    std::unordered_map<ProofTermId, ProofTermId> taken_;
};

ProofStep takeStep(TermTable& table, const RawProof& raw, const RawStep& step) {
    const RuleApplication& use = raw.applications[step.application];
    ProofStep taken{use.rule,
                    step.forward,
                    step.place,
                    {},
                    use.params,
                    table.take(step.before),
                    table.take(step.after)};
    for (ProofTermId t : use.classes)
        taken.classes.push_back(t.valid() ? table.take(t) : ProofTermId{});
    return taken;
}

Diagnostic notEqual(ENodeId a, ENodeId b) {
    return makeError("not-equal",
                     "the e-nodes " + std::to_string(a.value()) + " and " +
                         std::to_string(b.value()) + " are in different e-classes",
                     "a proof needs two terms of one e-class");
}

} // namespace

ChosenTerm ChosenTerm::chain(std::span<const ENodeId> outermostFirst) {
    ChosenTerm term;
    for (std::size_t k = outermostFirst.size(); k-- > 0;) {
        term.nodes.push_back({outermostFirst[k], {}});
        if (term.nodes.size() > 1)
            term.nodes.back().children = {static_cast<std::uint32_t>(term.nodes.size() - 2)};
    }
    return term;
}

ProofTermId Proof::at(ProofTermId whole, std::span<const std::uint32_t> place) const {
    for (std::uint32_t k : place)
        whole = term(whole).children[k];
    return whole;
}

Prover::Prover(const EGraph& egraph, std::span<const Rewrite> rules)
    : egraph_(egraph), rules_(rules), history_(std::make_unique<const UnionHistory>(egraph)) {}

Prover::~Prover() = default;

Result<Proof> Prover::prove(const ChosenTerm& from, const ChosenTerm& to, const ProveParams& params,
                            std::stop_token stop) const {
    for (const ChosenTerm* term : {&from, &to})
        if (auto checked = checkTerm(*term); !checked)
            return checked.error();
    if (!equal(from.root(), to.root()))
        return notEqual(from.root(), to.root());
    TermBank bank(egraph_.languagePtr(), egraph_.analysis());
    SearchBudget budget{params.maxCandidates, 0, stop};
    auto raw = ExplanationBuilder(egraph_, rules_, *history_, bank, budget, params.maxSteps)
                   .explain(from, to);
    if (!raw)
        return raw.error();
    Proof proof;
    proof.language = egraph_.languagePtr();
    proof.stats = {raw->steps.size(), raw->lemmas, budget.used};
    shorten(*raw, bank, rules_, params.shortenBudget, stop);
    TermTable table(bank, proof.terms);
    proof.start = table.take(raw->start);
    for (const RawStep& step : raw->steps)
        proof.steps.push_back(takeStep(table, *raw, step));
    proof.end = table.take(raw->end);
    return proof;
}

bool Prover::equal(ENodeId a, ENodeId b) const {
    return a == b || history_->joinTime(a, b) != UnionHistory::kNever;
}

Status Prover::checkTerm(const ChosenTerm& term) const {
    ENGINE_ASSERT(!term.nodes.empty(), "a term has a root");
    for (std::size_t i = 0; i < term.nodes.size(); ++i) {
        const auto& [enode, children] = term.nodes[i];
        ENGINE_ASSERT(enode.index() < history_->size(), "the e-node exists");
        const ChildSpan made = egraph_.originalChildren(enode);
        ENGINE_ASSERT(children.empty() || children.size() == made.size(),
                      "a chosen node has all its children or none");
        for (std::size_t k = 0; k < children.size(); ++k) {
            ENGINE_ASSERT(children[k] < i, "children come first");
            const ENodeId child = term.nodes[children[k]].enode;
            if (!equal(ENodeId{made[k].value()}, child))
                return notEqual(ENodeId{made[k].value()}, child);
        }
    }
    return ok();
}

Result<Proof> prove(const EGraph& egraph, std::span<const Rewrite> rules, ENodeId from, ENodeId to,
                    const ProveParams& params, std::stop_token stop) {
    return Prover(egraph, rules).prove(from, to, params, std::move(stop));
}

} // namespace marquetry::egraph
