#include "tests/egraph/math_language.h"

namespace marquetry::egraph {
namespace {

/// Integer constants: fact 0 = unknown, fact k+1 = the k-th interned value.
class ConstantAnalysis : public Analysis {
public:
    FactId make(const EGraph& egraph, OpId op, ParamSpan params,
                std::span<const FactId> children) override {
        const std::string& name = egraph.language().name(op);
        if (name == "num")
            return intern(params[0]);
        if (name != "+" && name != "*")
            return FactId{0};
        if (children[0] == FactId{0} || children[1] == FactId{0})
            return FactId{0};
        const Param a = value(children[0]), b = value(children[1]);
        return intern(name == "+" ? a + b : a * b);
    }
    std::optional<FactId> merge(FactId older, FactId newer) override {
        if (older == FactId{0} || newer == FactId{0})
            return std::max(older, newer);
        return older == newer ? std::optional{older} : std::nullopt;
    }
    std::string describe(FactId fact) const override {
        return fact == FactId{0} ? "unknown" : "the constant " + std::to_string(value(fact));
    }
    Param value(FactId fact) const { return values_[fact.index() - 1]; }

private:
    FactId intern(Param v) {
        const auto it = std::ranges::find(values_, v);
        if (it == values_.end())
            values_.push_back(v);
        return FactId{static_cast<std::size_t>(std::ranges::find(values_, v) - values_.begin()) +
                      1};
    }
    std::vector<Param> values_;
};

TEST(AnalysisFacts, AreMadeBottomUp) {
    ConstantAnalysis constants;
    EGraph g(mathLanguage(), &constants);
    EXPECT_EQ(constants.value(g.fact(addMath(g, "(+ 2 (* 3 4))"))), 14);
    EXPECT_EQ(g.fact(addMath(g, "(+ 2 x)")), FactId{0});
    expectSound(g);
}

TEST(AnalysisFacts, PropagateThroughAUnion) {
    ConstantAnalysis constants;
    EGraph g(mathLanguage(), &constants);
    const EClassId top = addMath(g, "(+ 1 (* 2 (+ x 3)))");
    EXPECT_EQ(g.fact(top), FactId{0});
    g.merge(addMath(g, "x"), addMath(g, "7"));
    g.rebuild();
    EXPECT_EQ(constants.value(g.fact(top)), 21);
    EXPECT_TRUE(g.conflicts().empty());
    EXPECT_EQ(g.view()->fact(top), g.fact(top));
    expectSound(g);
}

TEST(AnalysisFacts, AConflictIsReportedAndTheOlderFactKept) {
    ConstantAnalysis constants;
    EGraph g(mathLanguage(), &constants);
    const EClassId two = addMath(g, "2"), three = addMath(g, "3");
    const EClassId sum = addMath(g, "(+ 2 10)");
    g.merge(three, two);
    g.rebuild();
    ASSERT_EQ(g.conflicts().size(), 1u);
    EXPECT_EQ(g.conflicts()[0].code, "analysis-conflict");
    EXPECT_THAT(g.conflicts()[0].message, ::testing::HasSubstr("the constant 2"));
    EXPECT_THAT(g.conflicts()[0].message, ::testing::HasSubstr("the constant 3"));
    EXPECT_TRUE(g.hasConflict(three));
    EXPECT_FALSE(g.hasConflict(sum));
    EXPECT_EQ(constants.value(g.fact(three)), 2);
    EXPECT_EQ(constants.value(g.fact(sum)), 12);
    expectSound(g);
}

TEST(AnalysisFacts, AConflictFoundByCongruenceIsReported) {
    ConstantAnalysis constants;
    EGraph g(mathLanguage(), &constants);
    const EClassId sum = addMath(g, "(+ x 1)");
    g.merge(sum, addMath(g, "5"));
    g.rebuild();
    EXPECT_TRUE(g.conflicts().empty());
    g.merge(addMath(g, "x"), addMath(g, "9")); // x + 1 = 5 and x + 1 = 10
    g.rebuild();
    EXPECT_EQ(g.conflicts().size(), 1u);
    EXPECT_TRUE(g.hasConflict(sum));
    EXPECT_EQ(constants.value(g.fact(sum)), 5);
    expectSound(g);
}

TEST(AnalysisFacts, HoldDuringSaturation) {
    ConstantAnalysis constants;
    EGraph g(mathLanguage(), &constants);
    const EClassId root = addMath(g, "(* (+ 1 2) (+ (+ 3 x) 4))");
    g.merge(addMath(g, "x"), addMath(g, "0"));
    g.rebuild();
    const auto rules = mathMicroRules(g.language());
    SaturationParams params;
    params.maxIterations = 4;
    saturate(g, rules, params);
    EXPECT_EQ(constants.value(g.fact(root)), 21);
    EXPECT_TRUE(g.conflicts().empty()) << format(g.conflicts());
    expectSound(g);
}

} // namespace
} // namespace marquetry::egraph
