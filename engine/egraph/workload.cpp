#include "engine/egraph/workload.h"

#include <array>
#include <charconv>

namespace marquetry::egraph {

namespace {

using RuleText = std::array<const char*, 3>; // name, left, right

constexpr std::array<RuleText, 24> kMathMicro{{
    {"comm-add", "(+ ?a ?b)", "(+ ?b ?a)"},
    {"comm-mul", "(* ?a ?b)", "(* ?b ?a)"},
    {"assoc-add", "(+ ?a (+ ?b ?c))", "(+ (+ ?a ?b) ?c)"},
    {"assoc-mul", "(* ?a (* ?b ?c))", "(* (* ?a ?b) ?c)"},
    {"sub-canon", "(- ?a ?b)", "(+ ?a (* (num -1) ?b))"},
    {"zero-add", "(+ ?a (num 0))", "?a"},
    {"zero-mul", "(* ?a (num 0))", "(num 0)"},
    {"one-mul", "(* ?a (num 1))", "?a"},
    {"cancel-sub", "(- ?a ?a)", "(num 0)"},
    {"distribute", "(* ?a (+ ?b ?c))", "(+ (* ?a ?b) (* ?a ?c))"},
    {"factor", "(+ (* ?a ?b) (* ?a ?c))", "(* ?a (+ ?b ?c))"},
    {"pow-mul", "(* (pow ?a ?b) (pow ?a ?c))", "(pow ?a (+ ?b ?c))"},
    {"pow1", "(pow ?x (num 1))", "?x"},
    {"pow2", "(pow ?x (num 2))", "(* ?x ?x)"},
    {"d-add", "(d ?x (+ ?a ?b))", "(+ (d ?x ?a) (d ?x ?b))"},
    {"d-mul", "(d ?x (* ?a ?b))", "(+ (* ?a (d ?x ?b)) (* ?b (d ?x ?a)))"},
    {"d-sin", "(d ?x (sin ?x))", "(cos ?x)"},
    {"d-cos", "(d ?x (cos ?x))", "(* (num -1) (sin ?x))"},
    {"i-one", "(i (num 1) ?x)", "?x"},
    {"i-cos", "(i (cos ?x) ?x)", "(sin ?x)"},
    {"i-sin", "(i (sin ?x) ?x)", "(* (num -1) (cos ?x))"},
    {"i-sum", "(i (+ ?f ?g) ?x)", "(+ (i ?f ?x) (i ?g ?x))"},
    {"i-dif", "(i (- ?f ?g) ?x)", "(- (i ?f ?x) (i ?g ?x))"},
    {"i-parts", "(i (* ?a ?b) ?x)", "(- (* ?a (i ?b ?x)) (i (* (d ?x ?a) (i ?b ?x)) ?x))"},
}};

constexpr std::array kMathMicroTerms{
    "(i (ln x) x)",
    "(i (+ x (cos x)) x)",
    "(i (* (cos x) x) x)",
    "(d x (+ (num 1) (* (num 2) x)))",
    "(d x (- (pow x (num 3)) (* (num 7) (pow x (num 2)))))",
    "(+ (* y (+ x y)) (- (+ x (num 2)) (+ x x)))",
    "(/ (num 1) (- (/ (+ (num 1) (sqrt five)) (num 2)) (/ (- (num 1) (sqrt five)) (num 2))))",
};

std::shared_ptr<const Language> mathLanguage() {
    auto language = std::make_shared<Language>();
    const SortId sort = language->addSort("expr");
    const auto addOps = [&](std::size_t arity, std::initializer_list<const char*> names) {
        for (const char* name : names)
            language->addOp({name, sort, std::vector<SortId>(arity, sort), 0, false, false});
    };
    language->addOp({"num", sort, {}, 1, false, false});
    addOps(0, {"x", "y", "five"});
    addOps(1, {"ln", "sin", "cos", "sqrt"});
    addOps(2, {"+", "*", "-", "/", "pow", "d", "i"});
    return language;
}

std::vector<Rewrite> rulesOf(const Language& language, std::span<const RuleText> texts) {
    std::vector<Rewrite> rules;
    for (const auto& [name, lhs, rhs] : texts) {
        auto rule = makeRewrite(language, {name, "math", lhs, rhs});
        ENGINE_ASSERT(rule.has_value(), "a published rule is well formed");
        rules.push_back(*std::move(rule));
    }
    return rules;
}

/// (+ 1 (+ 2 (+ … N)))
std::string sumTo(int count) {
    std::string text, close;
    for (int k = 1; k < count; ++k) {
        text += "(+ (num " + std::to_string(k) + ") ";
        close += ")";
    }
    return text + "(num " + std::to_string(count) + ")" + close;
}

} // namespace

Result<Workload> makeWorkload(std::string_view name) {
    Workload workload{mathLanguage(), {}, {}};
    if (name == "math-micro") {
        workload.rules = rulesOf(*workload.language, kMathMicro);
        workload.terms.assign(kMathMicroTerms.begin(), kMathMicroTerms.end());
        return workload;
    }
    int count = 0;
    const auto [end, error] = std::from_chars(name.data() + std::min<std::size_t>(2, name.size()),
                                              name.data() + name.size(), count);
    if (!name.starts_with("ac") || error != std::errc{} || end != name.data() + name.size() ||
        count < 2 || count > 16)
        return makeError("unknown-workload", "there is no workload '" + std::string(name) + "'",
                         "math-micro, or ac2 to ac16");
    const RuleText ac[] = {kMathMicro[0], kMathMicro[2]};
    workload.rules = rulesOf(*workload.language, ac);
    workload.terms.push_back(sumTo(count));
    return workload;
}

std::vector<EClassId> addTerms(EGraph& egraph, const Workload& workload) {
    std::vector<EClassId> roots;
    for (const std::string& text : workload.terms) {
        const auto root = addTerm(egraph, text);
        ENGINE_ASSERT(root.has_value(), "a published term is well formed");
        roots.push_back(*root);
    }
    egraph.rebuild();
    return roots;
}

} // namespace marquetry::egraph
