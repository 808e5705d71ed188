#include "engine/egraph/match_program.h"

#include "engine/support/assert.h"

#include <algorithm>

namespace marquetry::egraph {

namespace {

/// One operator of the pattern; children and class are registers.
struct Atom {
    const PatternNode* node = nullptr;
    Register home = 0;
    std::vector<Register> children;
};

/// The atoms in text order: each root first, each atom before those below it.
std::vector<Atom> atomsOf(const MatchProgram::Query& query) {
    auto nextHome = static_cast<Register>(query.pattern.classVars.size());
    std::vector<Atom> atoms;
    struct Todo {
        const Pattern* pattern;
        std::uint32_t node;
        Register home;
    };
    std::vector<Todo> todo, below;
    const auto rootOf = [&](const Pattern& pattern) {
        ENGINE_ASSERT(!pattern.root().isVar, "a bare variable needs no program");
        return Todo{&pattern, static_cast<std::uint32_t>(pattern.nodes.size() - 1), nextHome++};
    };
    todo.push_back(rootOf(query.pattern));
    for (const Pattern& pattern : query.also)
        todo.insert(todo.begin(), rootOf(pattern)); // the stack ends with the first pattern
    while (!todo.empty()) {
        const auto [pattern, index, home] = todo.back();
        todo.pop_back();
        const PatternNode& node = pattern->nodes[index];
        Atom atom{&node, home, {}};
        below.clear();
        for (std::uint32_t child : node.children) {
            const PatternNode& c = pattern->nodes[child];
            atom.children.push_back(c.isVar ? c.var.value() : nextHome);
            if (!c.isVar)
                below.push_back({pattern, child, nextHome++});
        }
        todo.insert(todo.end(), below.rbegin(), below.rend());
        atoms.push_back(std::move(atom));
    }
    return atoms;
}

class Planner {
public:
    Planner(const LabelTable& labels, const MatchProgram::Query& query,
            const std::vector<Atom>& atoms)
        : labels_(labels),
          atoms_(atoms),
          conditions_(query.conditions),
          classBound_(query.pattern.classVars.size() + atoms.size()),
          paramBound_(query.pattern.paramVars.size()),
          placed_(atoms.size()),
          asked_(query.conditions.size()) {}

    MatchPlan run(std::size_t first) {
        place(first, CandidateSource::Scan, 0, 0);
        while (plan_.steps.size() < atoms_.size())
            placeNext();
        return std::move(plan_);
    }

private:
    /// Goes down where it can, else up, else to a pattern that shares no class.
    void placeNext() {
        for (std::size_t a = 0; a < atoms_.size(); ++a)
            if (!placed_[a] && classBound_[atoms_[a].home])
                return place(a, CandidateSource::Members, atoms_[a].home, 0);
        for (std::size_t a = 0; a < atoms_.size(); ++a)
            for (std::uint32_t i = 0; !placed_[a] && i < atoms_[a].children.size(); ++i)
                if (classBound_[atoms_[a].children[i]])
                    return place(a, CandidateSource::Users, atoms_[a].children[i], i);
        const auto open = std::ranges::find(placed_, false) - placed_.begin();
        place(static_cast<std::size_t>(open), CandidateSource::Scan, 0, 0);
    }

    void place(std::size_t a, CandidateSource source, Register from, std::uint32_t position) {
        const Atom& atom = atoms_[a];
        MatchStep step;
        step.source = source;
        step.atom = static_cast<std::uint32_t>(a);
        step.from = from;
        step.position = position;
        step.home = atom.home;
        step.homeKnown = classBound_[atom.home];
        step.op = atom.node->op;
        step.label = labelOf(*atom.node);
        for (const ParamPattern& param : atom.node->params)
            step.params.push_back(paramStep(param));
        askConditions(step);
        for (const Register child : atom.children) {
            step.children.push_back({!classBound_[child], child});
            classBound_[child] = true;
        }
        classBound_[atom.home] = true;
        placed_[a] = true;
        plan_.steps.push_back(std::move(step));
    }

    void askConditions(MatchStep& step) {
        for (std::size_t i = 0; i < conditions_.size(); ++i) {
            if (asked_[i] || !std::ranges::all_of(conditions_[i].reads, [&](ParamVarId v) {
                    return paramBound_[v.index()];
                }))
                continue;
            step.conditions.push_back(static_cast<std::uint32_t>(i));
            asked_[i] = true;
        }
    }

    LabelId labelOf(const PatternNode& node) const {
        std::vector<Param> literals;
        for (const ParamPattern& param : node.params) {
            if (param.isVar)
                return {};
            literals.push_back(param.literal);
        }
        return labels_.find(node.op, literals, node.children.size());
    }

    MatchStep::ParamStep paramStep(const ParamPattern& param) {
        if (!param.isVar)
            return {MatchStep::ParamAction::Literal, {}, param.literal};
        const bool bound = paramBound_[param.var.index()];
        paramBound_[param.var.index()] = true;
        return {bound ? MatchStep::ParamAction::Compare : MatchStep::ParamAction::Bind, param.var,
                0};
    }

    const LabelTable& labels_;
    const std::vector<Atom>& atoms_;
    std::span<const ParamCondition> conditions_;
    MatchPlan plan_;
    std::vector<bool> classBound_;
    std::vector<bool> paramBound_;
    std::vector<bool> placed_;
    std::vector<bool> asked_;
};

} // namespace

MatchProgram::MatchProgram(const LabelTable& labels, const Query& query, std::size_t maxPlans)
    : conditions_(query.conditions.begin(), query.conditions.end()),
      classRegisters_(query.pattern.classVars.size()),
      paramRegisters_(query.pattern.paramVars.size()) {
    const std::vector<Atom> atoms = atomsOf(query);
    classRegisters_ += atoms.size();
    const std::size_t plans = atoms.size() <= maxPlans ? atoms.size() : 1;
    for (std::size_t a = 0; a < plans; ++a)
        plans_.push_back(Planner(labels, query, atoms).run(a));
    const auto& first = plans_[0].steps[0];
    linearAtom_ = atoms.size() == 1 &&
                  std::ranges::all_of(first.children, [](const auto& c) { return c.bind; });
}

} // namespace marquetry::egraph
