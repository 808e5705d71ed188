// The languages and rule sets of the e-graph tests: the published math-micro and acN workloads.
#pragma once

#include "engine/egraph/saturate.h"
#include "tests/oracles/invariants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include <sstream>

namespace marquetry::egraph {

/// One sort; "num" takes its value as a parameter.
inline std::shared_ptr<const Language> mathLanguage() {
    auto language = std::make_shared<Language>();
    const SortId e = language->addSort("expr");
    const auto op = [&](const char* name, std::size_t arity) {
        language->addOp({name, e, std::vector<SortId>(arity, e), 0, false, false});
    };
    language->addOp({"num", e, {}, 1, false, false});
    for (const char* name : {"x", "y", "five", "a", "b"})
        op(name, 0);
    for (const char* name : {"ln", "sin", "cos", "sqrt", "f", "g"})
        op(name, 1);
    for (const char* name : {"+", "*", "-", "/", "pow", "d", "i"})
        op(name, 2);
    return language;
}

/// "(op ?a 2)": integers that are no parameter of num are wrapped as (num 2).
inline std::string withNumbers(const std::string& text) {
    std::istringstream in(text);
    std::string word, out;
    while (in >> word) {
        std::size_t close = word.size();
        while (close > 0 && word[close - 1] == ')')
            --close;
        const std::string core = word.substr(0, close);
        const bool number = !core.empty() &&
                            core.find_first_not_of("-0123456789") == std::string::npos &&
                            core != "-";
        out +=
            (out.empty() ? "" : " ") + (number ? "(num " + core + ")" : core) + word.substr(close);
    }
    return out;
}

using RuleTexts = std::vector<std::array<const char*, 3>>; ///< name, left, right

inline std::vector<Rewrite> rulesOf(const Language& language, const RuleTexts& texts) {
    std::vector<Rewrite> rules;
    for (const auto& [name, lhs, rhs] : texts) {
        auto rule = makeRewrite(language, {name, "math", withNumbers(lhs), withNumbers(rhs)});
        EXPECT_TRUE(rule.has_value()) << name << (rule ? "" : format(rule.error()));
        if (rule)
            rules.push_back(*std::move(rule));
    }
    return rules;
}

inline EClassId addMath(EGraph& egraph, const std::string& text) {
    const auto id = addTerm(egraph, withNumbers(text));
    EXPECT_TRUE(id.has_value()) << text << (id ? "" : format(id.error()));
    return id ? *id : EClassId{0};
}

inline std::vector<Rewrite> acRules(const Language& language) {
    return rulesOf(language, {{"comm-add", "(+ ?a ?b)", "(+ ?b ?a)"},
                              {"assoc-add", "(+ ?a (+ ?b ?c))", "(+ (+ ?a ?b) ?c)"}});
}

inline EClassId addSum(EGraph& egraph, int terms) {
    std::string text = std::to_string(terms);
    for (int k = terms - 1; k >= 1; --k)
        text = "(+ " + std::to_string(k) + " " + text + ")";
    return addMath(egraph, text);
}

inline RuleTexts mathMicroTexts() {
    return {{"comm-add", "(+ ?a ?b)", "(+ ?b ?a)"},
            {"comm-mul", "(* ?a ?b)", "(* ?b ?a)"},
            {"assoc-add", "(+ ?a (+ ?b ?c))", "(+ (+ ?a ?b) ?c)"},
            {"assoc-mul", "(* ?a (* ?b ?c))", "(* (* ?a ?b) ?c)"},
            {"sub-canon", "(- ?a ?b)", "(+ ?a (* -1 ?b))"},
            {"zero-add", "(+ ?a 0)", "?a"},
            {"zero-mul", "(* ?a 0)", "0"},
            {"one-mul", "(* ?a 1)", "?a"},
            {"cancel-sub", "(- ?a ?a)", "0"},
            {"distribute", "(* ?a (+ ?b ?c))", "(+ (* ?a ?b) (* ?a ?c))"},
            {"factor", "(+ (* ?a ?b) (* ?a ?c))", "(* ?a (+ ?b ?c))"},
            {"pow-mul", "(* (pow ?a ?b) (pow ?a ?c))", "(pow ?a (+ ?b ?c))"},
            {"pow1", "(pow ?x 1)", "?x"},
            {"pow2", "(pow ?x 2)", "(* ?x ?x)"},
            {"d-add", "(d ?x (+ ?a ?b))", "(+ (d ?x ?a) (d ?x ?b))"},
            {"d-mul", "(d ?x (* ?a ?b))", "(+ (* ?a (d ?x ?b)) (* ?b (d ?x ?a)))"},
            {"d-sin", "(d ?x (sin ?x))", "(cos ?x)"},
            {"d-cos", "(d ?x (cos ?x))", "(* -1 (sin ?x))"},
            {"i-one", "(i 1 ?x)", "?x"},
            {"i-cos", "(i (cos ?x) ?x)", "(sin ?x)"},
            {"i-sin", "(i (sin ?x) ?x)", "(* -1 (cos ?x))"},
            {"i-sum", "(i (+ ?f ?g) ?x)", "(+ (i ?f ?x) (i ?g ?x))"},
            {"i-dif", "(i (- ?f ?g) ?x)", "(- (i ?f ?x) (i ?g ?x))"},
            {"i-parts", "(i (* ?a ?b) ?x)", "(- (* ?a (i ?b ?x)) (i (* (d ?x ?a) (i ?b ?x)) ?x))"}};
}

inline std::vector<Rewrite> mathMicroRules(const Language& language) {
    return rulesOf(language, mathMicroTexts());
}

inline void addMathMicroTerms(EGraph& egraph) {
    for (const char* text :
         {"(i (ln x) x)", "(i (+ x (cos x)) x)", "(i (* (cos x) x) x)", "(d x (+ 1 (* 2 x)))",
          "(d x (- (pow x 3) (* 7 (pow x 2))))", "(+ (* y (+ x y)) (- (+ x 2) (+ x x)))",
          "(/ 1 (- (/ (+ 1 (sqrt five)) 2) (/ (- 1 (sqrt five)) 2)))"})
        addMath(egraph, text);
    egraph.rebuild();
}

inline void expectSound(const EGraph& egraph) {
    EXPECT_THAT(checkInvariants(egraph), ::testing::IsEmpty());
}

} // namespace marquetry::egraph
