#include "engine/egraph/ematch.h"

#include <algorithm>

namespace marquetry::egraph {

void MatchList::push(const Match& match) {
    eclasses_.push_back(match.eclass);
    roots_.push_back(match.root);
    classes_.insert(classes_.end(), match.classes.begin(), match.classes.end());
    params_.insert(params_.end(), match.params.begin(), match.params.end());
}

void MatchList::clear() {
    eclasses_.clear();
    roots_.clear();
    classes_.clear();
    params_.clear();
}

std::size_t MatchList::bytes() const {
    return (eclasses_.capacity() + classes_.capacity()) * sizeof(EClassId) +
           roots_.capacity() * sizeof(ENodeId) + params_.capacity() * sizeof(Param);
}

namespace {

constexpr std::size_t kPollInterval = 256;

enum class ChildAction : std::uint8_t { BindVar, CompareVar, Descend };
struct ChildStep {
    ChildAction action;
    std::uint32_t slot; ///< a class variable, or the step that matches the child
};

enum class ParamAction : std::uint8_t { Literal, BindVar, CompareVar };
struct ParamStep {
    ParamAction action;
    std::uint32_t slot;
    Param literal;
};

/// Match one operator of the pattern against the e-nodes of a class.
struct BindStep {
    OpId op;
    std::vector<ParamStep> params;
    std::vector<ChildStep> children;
};

/// Turns a pattern into steps in depth-first order: a step's class is known before it runs, and
/// the first place a variable is met binds it.
class Compiler {
public:
    explicit Compiler(const Pattern& pattern)
        : pattern_(pattern),
          classBound_(pattern.classVars.size()),
          paramBound_(pattern.paramVars.size()) {}

    std::vector<BindStep> run() {
        todo_.push_back({static_cast<std::uint32_t>(pattern_.nodes.size() - 1), 0, 0});
        while (!todo_.empty()) {
            const Todo next = todo_.back();
            todo_.pop_back();
            const auto self = static_cast<std::uint32_t>(steps_.size());
            if (self != 0)
                steps_[next.step].children[next.child].slot = self;
            const PatternNode& node = pattern_.nodes[next.node];
            steps_.push_back({node.op, {}, {}});
            if (node.isVar)
                break; // a bare variable: the matcher lists classes instead
            for (const ParamPattern& param : node.params)
                steps_.back().params.push_back(paramStep(param));
            addChildren(node, self);
        }
        return std::move(steps_);
    }

private:
    struct Todo {
        std::uint32_t node;
        std::uint32_t step, child; ///< who descends to it
    };

    ParamStep paramStep(const ParamPattern& param) {
        if (!param.isVar)
            return {ParamAction::Literal, 0, param.literal};
        const bool bound = paramBound_[param.var.index()];
        paramBound_[param.var.index()] = true;
        return {bound ? ParamAction::CompareVar : ParamAction::BindVar, param.var.value(), 0};
    }

    void addChildren(const PatternNode& node, std::uint32_t self) {
        const std::size_t before = todo_.size();
        for (std::uint32_t i = 0; i < node.children.size(); ++i) {
            const PatternNode& child = pattern_.nodes[node.children[i]];
            if (!child.isVar) {
                steps_.back().children.push_back({ChildAction::Descend, 0});
                todo_.push_back({node.children[i], self, i});
                continue;
            }
            const bool bound = classBound_[child.var.index()];
            classBound_[child.var.index()] = true;
            steps_.back().children.push_back(
                {bound ? ChildAction::CompareVar : ChildAction::BindVar, child.var.value()});
        }
        std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(before), todo_.end());
    }

    const Pattern& pattern_;
    std::vector<BindStep> steps_;
    std::vector<bool> classBound_;
    std::vector<bool> paramBound_;
    std::vector<Todo> todo_;
};

class Matcher {
public:
    Matcher(const EGraph& egraph, const Pattern& pattern, const SearchStop& stop)
        : egraph_(egraph),
          pattern_(pattern),
          stop_(stop),
          steps_(Compiler(pattern).run()),
          found_(pattern),
          classes_(pattern.classVars.size()),
          params_(pattern.paramVars.size()),
          cursors_(steps_.size()),
          target_(steps_.size()) {}

    MatchList run() {
        if (pattern_.root().isVar)
            matchEveryClass();
        else
            for (ENodeId root : egraph_.nodesWithOp(steps_[0].op))
                if (!matchRoot(root))
                    break;
        return std::move(found_);
    }

private:
    bool poll() { return ++tried_ % kPollInterval == 0 && stop_ && stop_(found_); }

    void matchEveryClass() {
        const SortId wanted = pattern_.classVarSorts[0];
        for (EClassId id : egraph_.eclasses()) {
            if (poll())
                return;
            if (wanted.valid() && egraph_.sort(id) != wanted)
                continue;
            classes_[0] = id;
            found_.push({id, egraph_.enodes(id).front(), classes_, params_});
        }
    }

    /// False when the search is to end.
    bool matchRoot(ENodeId root) {
        if (poll())
            return false;
        if (!bind(steps_[0], root))
            return true;
        std::size_t depth = 1; // steps_[0 … depth) are matched
        const auto enter = [&] {
            if (depth < steps_.size())
                cursors_[depth] = 0;
        };
        enter();
        while (depth >= 1) {
            if (depth == steps_.size()) {
                found_.push({egraph_.eclassOf(root), root, classes_, params_});
                --depth;
            } else if (advance(depth)) {
                ++depth;
                enter();
            } else {
                --depth;
            }
            if (depth >= 1 && poll())
                return false;
        }
        return true;
    }

    /// The next e-node of step `depth`'s class that fits; false when there is none.
    bool advance(std::size_t depth) {
        const auto candidates = egraph_.enodes(target_[depth]);
        std::size_t& cursor = cursors_[depth];
        while (cursor < candidates.size()) {
            const ENodeId n = candidates[cursor++];
            if (egraph_.op(n) == steps_[depth].op && bind(steps_[depth], n))
                return true;
        }
        return false;
    }

    bool bind(const BindStep& step, ENodeId n) {
        const ParamSpan params = egraph_.params(n);
        const ChildSpan children = egraph_.children(n);
        if (params.size() != step.params.size() || children.size() != step.children.size())
            return false;
        for (std::size_t i = 0; i < params.size(); ++i) {
            const ParamStep& p = step.params[i];
            if (p.action == ParamAction::BindVar)
                params_[p.slot] = params[i];
            else if (params[i] != (p.action == ParamAction::Literal ? p.literal : params_[p.slot]))
                return false;
        }
        for (std::size_t i = 0; i < children.size(); ++i) {
            const ChildStep& c = step.children[i];
            if (c.action == ChildAction::BindVar)
                classes_[c.slot] = children[i];
            else if (c.action == ChildAction::Descend)
                target_[c.slot] = children[i];
            else if (children[i] != classes_[c.slot])
                return false;
        }
        return true;
    }

    const EGraph& egraph_;
    const Pattern& pattern_;
    const SearchStop& stop_;
    std::vector<BindStep> steps_;
    MatchList found_;
    std::vector<EClassId> classes_;
    std::vector<Param> params_;
    std::vector<std::size_t> cursors_; ///< by step: position in the class's list
    std::vector<EClassId> target_;     ///< by step: the class to match in
    std::size_t tried_ = 0;
};

} // namespace

MatchList ematch(const EGraph& egraph, const Pattern& pattern, const SearchStop& stop) {
    ENGINE_ASSERT(egraph.clean(), "a search needs a rebuilt e-graph");
    ENGINE_ASSERT(!pattern.nodes.empty(), "a pattern has a root");
    return Matcher(egraph, pattern, stop).run();
}

} // namespace marquetry::egraph
