#include "tests/support/unit_terms.h"

#include <gtest/gtest.h>

#include "tests/support/programs.h"

#include "engine/egraph/saturate.h"

#include <algorithm>
#include <map>

namespace marquetry::test {

namespace {

using egraph::EClassId;
using rules::UnitTerm;

class TermWalk {
public:
    TermWalk(const egraph::EGraph& egraph, const rules::TermLanguage& terms, std::size_t limit)
        : egraph_(egraph), terms_(terms), limit_(limit) {}

    std::vector<UnitTerm> run(EClassId root) {
        visit(egraph_.find(root));
        return std::move(found_);
    }

private:
    void visit(EClassId eclass) {
        if (std::ranges::find(onPath_, eclass) != onPath_.end() || found_.size() >= limit_)
            return;
        onPath_.push_back(eclass);
        for (egraph::ENodeId node : egraph_.enodes(eclass)) {
            const auto params = egraph_.params(node);
            chain_.push_back(
                {*terms_.skeletonOf(egraph_.op(node)), {params.begin(), params.end()}});
            if (egraph_.children(node).empty())
                found_.push_back(chain_);
            else
                visit(egraph_.find(egraph_.children(node)[0]));
            chain_.pop_back();
        }
        onPath_.pop_back();
    }

    const egraph::EGraph& egraph_;
    const rules::TermLanguage& terms_;
    std::size_t limit_;
    std::vector<EClassId> onPath_;
    UnitTerm chain_;
    std::vector<UnitTerm> found_;
};

ir::Tensor randomTensor(const ir::Type& type, SplitMix64& rng) {
    ir::Tensor tensor{type, {}};
    for (std::int64_t k = 0; k < type.elements(); ++k)
        tensor.data.push_back(rng.range(ir::info(type.scalar).min, ir::info(type.scalar).max));
    return tensor;
}

} // namespace

const rules::TermLanguage& unitTerms() {
    static const rules::Lowered lowered =
        *rules::lower(programOf("design d { input x : i8[8] = zeros; output y = relu(x); }"), {});
    return lowered.terms;
}

UnitSpace::UnitSpace(const rules::Menu& menu)
    : facts(std::make_shared<rules::Facts>(unitTerms())),
      egraph(unitTerms().language, facts.get()),
      rewrites(rules::makeRewrites(unitTerms(), menu, facts, {})) {}

bool UnitSpace::step(const std::string& rule) {
    std::vector<egraph::Rewrite> one = rewrites;
    std::erase_if(one, [&](const egraph::Rewrite& other) { return other.name != rule; });
    const std::size_t before = egraph.totalEnodes();
    if (!one.empty())
        egraph::Saturation(egraph, one, {}).step({});
    return egraph.totalEnodes() > before;
}

std::vector<UnitTerm> termsOf(const egraph::EGraph& egraph, const rules::TermLanguage& terms,
                              EClassId eclass, std::size_t limit) {
    return TermWalk(egraph, terms, limit).run(eclass);
}

UnitTerm randomTerm(const egraph::EGraph& egraph, const rules::TermLanguage& terms, EClassId eclass,
                    SplitMix64& rng) {
    UnitTerm chain;
    std::vector<EClassId> seen;
    for (EClassId at = egraph.find(eclass);;) {
        seen.push_back(at);
        std::vector<egraph::ENodeId> choices;
        for (egraph::ENodeId node : egraph.enodes(at)) {
            const auto children = egraph.children(node);
            if (children.empty() || std::ranges::find(seen, egraph.find(children[0])) == seen.end())
                choices.push_back(node);
        }
        ENGINE_ASSERT(!choices.empty(), "the canonical term leads to a leaf from anywhere");
        const egraph::ENodeId node = choices[static_cast<std::size_t>(
            rng.range(0, static_cast<std::int64_t>(choices.size()) - 1))];
        const auto params = egraph.params(node);
        chain.push_back({*terms.skeletonOf(egraph.op(node)), {params.begin(), params.end()}});
        if (egraph.children(node).empty())
            return chain;
        at = egraph.find(egraph.children(node)[0]);
    }
}

rules::UnitOperands randomOperands(const ir::UnitShape& shape, SplitMix64& rng) {
    const auto dims = rules::operandDims(shape);
    return {randomTensor({shape.operand, dims[0]}, rng),
            randomTensor({shape.weight, dims[1]}, rng)};
}

ir::Tensor plainResult(const ir::UnitShape& shape, const rules::UnitOperands& operands) {
    using ir::OpKind;
    using ir::UnitFunction;
    if (shape.function == UnitFunction::Map)
        return operands.data;
    const std::map<UnitFunction, OpKind> operators = {
        {UnitFunction::Mv, OpKind::Mv},           {UnitFunction::Conv, OpKind::Conv},
        {UnitFunction::Mm, OpKind::Mm},           {UnitFunction::Bmm, OpKind::Bmm},
        {UnitFunction::Conv1DW, OpKind::Conv1dW}, {UnitFunction::Conv1DH, OpKind::Conv1dH},
        {UnitFunction::DwConv, OpKind::DwConv}};
    ir::OpParams params;
    params.stride = shape.stride;
    const ir::Tensor* inOrder[] = {&operands.data, &operands.weight};
    const ir::Tensor* matrixFirst[] = {&operands.weight, &operands.data};
    const auto result =
        ir::apply(operators.at(shape.function),
                  shape.function == UnitFunction::Mv ? matrixFirst : inOrder, params);
    ENGINE_ASSERT(result.has_value(), "the operands fit");
    return *result;
}

void expectAllEqual(const std::vector<rules::UnitTerm>& terms, const ir::UnitShape& shape,
                    SplitMix64& rng) {
    const auto operands = randomOperands(shape, rng);
    const ir::Tensor expected = plainResult(shape, operands);
    for (const rules::UnitTerm& term : terms) {
        EXPECT_EQ(rules::shapeOf(term), shape) << print(term);
        EXPECT_EQ(rules::denote(term, operands).data, expected.data)
            << toString(shape) << " = " << print(term);
    }
}

} // namespace marquetry::test
