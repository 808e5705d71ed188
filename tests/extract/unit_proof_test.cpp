// The proof of every call of an extracted design: from the unit as lowered to the chosen term,
// checked by the rules alone.
#include "engine/extract/unit_proof.h"
#include "tests/extract/params_within.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry {

using design::CostModel;
using ::testing::HasSubstr;

namespace {

std::shared_ptr<const design::Design> bestOf(const rules::Lowered& lowered, CostModel model,
                                             double dsp) {
    const auto result = extract::extract(lowered, test::paramsWithin(dsp, model));
    EXPECT_TRUE(result.has_value());
    return result ? result->design : nullptr;
}

/// "TiledMv[4, 8](Mv(…" — the operators of a chain of e-nodes, outermost first.
std::string spelled(const egraph::EGraph& g, const std::vector<egraph::ENodeId>& chain) {
    std::string text, closing;
    for (const egraph::ENodeId n : chain) {
        text +=
            (text.empty() ? "" : "(") + rules::printNode(g.language().name(g.op(n)), g.params(n));
        closing += n == chain.back() ? "" : ")";
    }
    return text + closing;
}

} // namespace

TEST(UnitProof, EveryCallOfADesignIsProved) {
    std::size_t calls = 0, steps = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed)
        for (const CostModel model : {CostModel::Cycles, CostModel::Published}) {
            const auto lowered = test::spaceOf(test::meetingProgramText(seed), model, {});
            const auto design = bestOf(lowered, model, model == CostModel::Cycles ? 64 : 1518);
            if (!design)
                continue;
            const extract::UnitProver prover(lowered);
            for (const design::DesignCall& call : design->calls) {
                const auto proof = prover.prove(*design, call.id);
                ASSERT_TRUE(proof.has_value()) << seed << format(proof.error());
                const auto checked =
                    egraph::checkProof(*proof, lowered.rewrites, {lowered.facts.get(), false});
                ASSERT_TRUE(checked.has_value()) << seed << format(checked.error());
                std::vector<egraph::ENodeId> chain = call.chosen;
                const auto& unit = design->unit(call.unit).chosen;
                chain.insert(chain.end(), unit.begin(), unit.end());
                EXPECT_EQ(egraph::formatTerm(*proof, proof->end,
                                             {egraph::ProofText::Notation::Function, 10'000}),
                          spelled(*lowered.egraph, chain));
                ++calls;
                steps += proof->steps.size();
            }
        }
    EXPECT_GE(calls, 60u);
    EXPECT_GE(steps, calls / 2);
}

TEST(UnitProof, LinesNameTheLayerAndTheRules) {
    const auto lowered = test::spaceOf("design d { input x : i8[16] = zeros;"
                                       " weight a : i8[32, 16] = zeros; output y = mv(a, x); }",
                                       CostModel::Cycles, {});
    const auto design = bestOf(lowered, CostModel::Cycles, 8);
    ASSERT_NE(design, nullptr);
    const auto lines = extract::UnitProver(lowered).lines(*design, design->calls[0].unit);
    ASSERT_GE(lines.size(), 2u);
    EXPECT_THAT(lines[0], HasSubstr(design->calls[0].layer + ": "));
    EXPECT_THAT(lines[1], HasSubstr("R-"));
}

} // namespace marquetry
