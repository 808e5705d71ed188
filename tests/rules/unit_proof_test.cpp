// Proofs about unit terms: from the program as written to a term as extraction chooses it, checked
// by the rules again and, where the operands are small, by what every step computes.
#include "tests/support/programs.h"
#include "tests/support/unit_terms.h"

#include "engine/egraph/proof.h"
#include "engine/egraph/saturate.h"
#include "engine/rules/lowering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace marquetry {

using egraph::ChosenTerm;
using egraph::EClassId;
using egraph::ENodeId;
using egraph::Proof;
using egraph::ProofTermId;

namespace {

constexpr std::int64_t kMostWork = 20'000;

rules::Lowered provenGraph(std::shared_ptr<const ir::Program> program, rules::Policy policy,
                           std::size_t maxEnodes) {
    rules::LoweringParams params;
    params.policy = policy;
    auto lowered = rules::lower(std::move(program), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::SaturationParams limits;
    limits.maxEnodes = maxEnodes;
    saturate(*lowered->egraph, lowered->rewrites, limits);
    return *std::move(lowered);
}

/// A random walk from the class to a leaf that passes no class twice; empty at a dead end.
std::vector<ENodeId> randomWalk(const egraph::EGraph& g, EClassId eclass, SplitMix64& rng) {
    std::vector<ENodeId> chain;
    std::set<EClassId> passed;
    for (eclass = g.find(eclass); passed.insert(eclass).second;) {
        const auto members = g.enodes(eclass);
        const auto draw = rng.range(0, static_cast<std::int64_t>(members.size()) - 1);
        chain.push_back(members[static_cast<std::size_t>(draw)]);
        if (g.children(chain.back()).empty())
            return chain;
        eclass = g.find(g.children(chain.back())[0]);
    }
    return {};
}

std::vector<ENodeId> randomChain(const egraph::EGraph& g, EClassId eclass, SplitMix64& rng) {
    while (true)
        if (auto chain = randomWalk(g, eclass, rng); !chain.empty())
            return chain;
}

rules::UnitTerm unitTerm(const rules::TermLanguage& terms, const Proof& proof, ProofTermId id) {
    rules::UnitTerm term;
    while (true) {
        const egraph::ProofTerm& node = proof.term(id);
        term.push_back({*terms.skeletonOf(node.op), node.params});
        if (node.children.empty())
            return term;
        id = node.children[0];
    }
}

/// Products of the largest unit inside a term; pads may make an inner one far larger than the
/// whole.
std::int64_t work(const rules::UnitTerm& term) {
    std::int64_t most = 0;
    std::optional<ir::UnitShape> shape;
    for (std::size_t k = term.size(); k-- > 0;) {
        shape = rules::shapeOf(term[k].skeleton, term[k].params, shape ? &*shape : nullptr);
        most = std::max(most, shape->rows * shape->cols * shape->height * shape->width);
    }
    return most;
}

/// Every term of the proof that is small enough computes what the first one does; how many were.
int sameResults(const rules::TermLanguage& terms, const Proof& proof, SplitMix64& rng) {
    const rules::UnitTerm first = unitTerm(terms, proof, proof.start);
    if (work(first) > kMostWork)
        return 0;
    const auto operands = test::randomOperands(*rules::shapeOf(first), rng);
    const auto result = rules::denote(first, operands);
    int computed = 0;
    for (const egraph::ProofStep& step : proof.steps) {
        const rules::UnitTerm next = unitTerm(terms, proof, step.after);
        if (work(next) > kMostWork)
            continue;
        EXPECT_EQ(rules::denote(next, operands).data, result.data)
            << print(next) << " is not " << print(first);
        ++computed;
    }
    return computed;
}

struct Tally {
    int proofs = 0;
    int computed = 0; ///< terms evaluated
    std::size_t steps = 0;
    std::set<egraph::RuleId> rules;
};

/// Proves random terms of every unit of the program equal to the unit as lowered.
void proveUnits(const rules::Lowered& lowered, int perUnit, SplitMix64& rng, Tally& tally) {
    const egraph::EGraph& g = *lowered.egraph;
    const egraph::Prover prover(g, lowered.rewrites);
    for (const rules::CallSite& site : lowered.calls)
        for (int k = 0; k < perUnit; ++k) {
            const auto chain = randomChain(g, site.unit, rng);
            const auto proof =
                prover.prove(ChosenTerm::of(ENodeId{site.unit.value()}), ChosenTerm::chain(chain));
            ASSERT_TRUE(proof.has_value()) << format(proof.error());
            const auto checked =
                egraph::checkProof(*proof, lowered.rewrites, {lowered.facts.get(), false});
            ASSERT_TRUE(checked.has_value())
                << format(checked.error()) << format(*proof, lowered.rewrites);
            const auto end = unitTerm(lowered.terms, *proof, proof->end);
            ASSERT_EQ(end.size(), chain.size());
            for (std::size_t at = 0; at < chain.size(); ++at)
                ASSERT_EQ(lowered.terms.op(end[at].skeleton), g.op(chain[at]));
            ++tally.proofs;
            tally.steps += proof->steps.size();
            for (const egraph::ProofStep& step : proof->steps)
                tally.rules.insert(step.rule);
            tally.computed += sameResults(lowered.terms, *proof, rng);
        }
}

TEST(UnitProofs, LeadFromVggAsWrittenToAnyUnit) {
    for (const rules::Policy policy : {rules::Policy::Published, rules::Policy::Cycles}) {
        const auto lowered = provenGraph(test::programOf(test::vggText()), policy, 30'000);
        SplitMix64 rng(1);
        Tally tally;
        proveUnits(lowered, 12, rng, tally);
        RecordProperty("steps", static_cast<int>(tally.steps));
        EXPECT_GE(tally.proofs, 100);
        EXPECT_GE(tally.computed, 10); // of the classifier
        EXPECT_GE(tally.steps, static_cast<std::size_t>(tally.proofs));
        EXPECT_GE(tally.rules.size(), policy == rules::Policy::Published ? 4u : 8u);
    }
}

TEST(UnitProofs, OfSmallProgramsComputeTheSameAtEveryStep) {
    Tally tally;
    SplitMix64 rng(2);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto program = test::programOf(test::meetingProgramText(seed));
        for (const rules::Policy policy : {rules::Policy::Published, rules::Policy::Cycles})
            ASSERT_NO_FATAL_FAILURE(proveUnits(provenGraph(program, policy, 4000), 4, rng, tally));
    }
    RecordProperty("proofs", tally.proofs);
    EXPECT_GE(tally.computed, 200);
    EXPECT_GE(tally.steps, 2 * static_cast<std::size_t>(tally.proofs));
}

TEST(UnitProofs, OfCallsReachThroughTheWholeProgram) {
    const auto lowered =
        provenGraph(test::programOf(test::vggText()), rules::Policy::Cycles, 30'000);
    const egraph::EGraph& g = *lowered.egraph;
    const egraph::Prover prover(g, lowered.rewrites);
    // A weight may live in external memory: the storage rule asks what its operand is.
    int found = 0;
    for (ENodeId n : g.nodesWithOp(lowered.terms.bufferExternal)) {
        const auto proof = prover.prove(ENodeId{g.eclassOf(n).value()}, n);
        ASSERT_TRUE(proof.has_value()) << format(proof.error());
        ASSERT_EQ(proof->steps.size(), 1u);
        EXPECT_TRUE(egraph::checkProof(*proof, lowered.rewrites, {lowered.facts.get(), false}));
        ++found;
    }
    EXPECT_EQ(found, 14);
}

} // namespace
} // namespace marquetry
