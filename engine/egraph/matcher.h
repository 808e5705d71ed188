// Runs a compiled pattern over a clean e-graph and hands every match to a sink.
//
// It finds all matches, or only those that touch an e-node changed since a mark. For the latter
// each changed e-node is tried at each atom, and a match counts at its first changed atom, so none
// is seen twice. An e-node has changed when its class or one of its children has become another
// class or got another fact. For a single atom whose variables are all different only the fact
// matters.
// Order: by the first atom's e-nodes as listed, then depth first. No recursion.
// Complexity: O(candidates tried). Thread rule: reads the e-graph only; it must be clean.
#pragma once

#include "engine/egraph/egraph.h"
#include "engine/egraph/match_program.h"

namespace marquetry::egraph {

/// One match as the matcher sees it; valid during the call.
struct RawMatch {
    ENodeId root;
    const EClassId* classes; ///< by VarId
    const Param* params;     ///< by ParamVarId
};

/// `Sink` answers a RawMatch, and `Poll` is asked now and then; false ends the search.
template <class Sink, class Poll>
class Matcher {
public:
    Matcher(const EGraph& egraph, const MatchProgram& program, Sink& sink, Poll& poll)
        : egraph_(egraph),
          store_(egraph.store()),
          program_(program),
          sink_(sink),
          poll_(poll),
          classes_(program.classRegisters()),
          params_(program.paramRegisters()),
          nodes_(program.atomCount()),
          cursors_(program.atomCount()) {}

    /// False when the sink or the poll ended the search.
    bool all() {
        plan_ = &program_.plan(0);
        return egraph_.forEachWithOp(plan_->steps[0].op, [&](ENodeId n) { return from(n); });
    }

    bool changedSince(Mark mark, bool factsCount) {
        mark_ = mark;
        const bool touchedCount = factsCount || !program_.linearAtom();
        if (program_.planCount() < program_.atomCount() || (touchedCount && mostlyNew()))
            return wholesale();
        for (oldBefore_ = 0; oldBefore_ < program_.atomCount(); ++oldBefore_) {
            plan_ = &program_.plan(oldBefore_);
            const OpId op = plan_->steps[0].op;
            const auto seed = [&](ENodeId n) { return from(n); };
            if (!egraph_.forEachNewWithOp(op, mark, seed) ||
                (touchedCount && !egraph_.forEachTouchedWithOp(op, mark, seed)))
                return false;
        }
        return true;
    }

private:
    static constexpr std::size_t kPollInterval = 256;

    /// Then looking at everything once is cheaper than looking around every change.
    bool mostlyNew() const { return mark_.enodes < egraph_.totalEnodes() / 2; }

    bool wholesale() {
        filter_ = true;
        return all();
    }

    bool anyChanged() const {
        for (ENodeId n : nodes_)
            if (egraph_.changedSince(n, mark_))
                return true;
        return false;
    }

    bool keepGoing() { return ++tried_ % kPollInterval != 0 || poll_(); }

    /// All matches whose first step takes `seed`.
    bool from(ENodeId seed) {
        if (!keepGoing())
            return false;
        const std::size_t last = plan_->steps.size();
        if (!bind(plan_->steps[0], seed))
            return true;
        if (last == 1)
            return emit();
        std::size_t depth = 1; // steps [0 … depth) are bound
        enter(depth);
        while (depth >= 1) {
            if (!advance(depth)) {
                --depth;
            } else if (depth + 1 < last) {
                enter(++depth);
            } else if (!emit()) {
                return false;
            }
            if (!keepGoing())
                return false;
        }
        return true;
    }

    bool emit() {
        if (filter_ && !anyChanged())
            return true;
        return sink_(RawMatch{nodes_[0], classes_.data(), params_.data()});
    }

    void enter(std::size_t depth) {
        const MatchStep& step = plan_->steps[depth];
        if (step.source == CandidateSource::Scan) {
            cursors_[depth] = 0;
            return;
        }
        const EClassId from = classes_[step.from];
        if (step.source == CandidateSource::Users)
            cursors_[depth] = store_.firstUse(from).value();
        else
            cursors_[depth] =
                (store_.mayHold(from, step.op) ? ENodeId{from.value()} : ENodeId{}).value();
    }

    /// The next e-node that fits the step; false when there is none.
    bool advance(std::size_t depth) {
        const MatchStep& step = plan_->steps[depth];
        std::uint32_t& cursor = cursors_[depth];
        if (step.source == CandidateSource::Members) {
            for (ENodeId n{cursor}; n.valid();) {
                const ENodeId here = n;
                n = store_.nextMember(n);
                if (bind(step, here)) {
                    cursor = n.value();
                    return true;
                }
            }
            return false;
        }
        if (step.source == CandidateSource::Scan) {
            for (const auto listed = egraph_.listedWithOp(step.op); cursor < listed.size();)
                if (bind(step, listed[cursor++]))
                    return true;
            return false;
        }
        for (UseId use{cursor}; use.valid();) {
            const UseId here = use;
            use = store_.nextUse(use);
            if (store_.position(here) == step.position && bind(step, store_.user(here))) {
                cursor = use.value();
                return true;
            }
        }
        return false;
    }

    bool bind(const MatchStep& step, ENodeId n) {
        if (!store_.live(n) || !bindLabel(step, n) ||
            (step.atom < oldBefore_ && egraph_.changedSince(n, mark_)))
            return false;
        const EClassId* child = store_.children(n).data();
        for (const MatchStep::ChildStep& c : step.children) {
            if (c.bind)
                classes_[c.slot] = *child;
            else if (classes_[c.slot] != *child)
                return false;
            ++child;
        }
        if (step.atom != 0 && step.source != CandidateSource::Members) {
            const EClassId home = store_.find(EClassId{n.value()});
            if (step.homeKnown && classes_[step.home] != home)
                return false;
            classes_[step.home] = home;
        }
        nodes_[step.atom] = n;
        return true;
    }

    bool bindLabel(const MatchStep& step, ENodeId n) {
        const LabelId label = store_.label(n);
        if (step.label.valid())
            return label == step.label; // no parameters to bind, so no condition to ask
        const LabelTable& labels = store_.labels();
        if (labels.op(label) != step.op || labels.arity(label) != step.children.size())
            return false;
        const ParamSpan params = labels.params(label);
        if (params.size() != step.params.size())
            return false;
        for (std::size_t i = 0; i < params.size(); ++i) {
            const MatchStep::ParamStep& p = step.params[i];
            if (p.action == MatchStep::ParamAction::Bind)
                params_[p.var.index()] = params[i];
            else if (params[i] != (p.action == MatchStep::ParamAction::Literal
                                       ? p.literal
                                       : params_[p.var.index()]))
                return false;
        }
        return std::ranges::all_of(step.conditions, [this](std::uint32_t i) { return holds(i); });
    }

    bool holds(std::uint32_t index) {
        const ParamCondition& condition = program_.condition(index);
        asked_.clear();
        for (ParamVarId var : condition.reads)
            asked_.push_back(params_[var.index()]);
        return condition.holds(asked_);
    }

    const EGraph& egraph_;
    const ENodeStore& store_;
    const MatchProgram& program_;
    Sink& sink_;
    Poll& poll_;
    const MatchPlan* plan_ = nullptr;
    Mark mark_;
    std::size_t oldBefore_ = 0; ///< atoms before this one must not have changed
    bool filter_ = false;       ///< drop matches without a changed e-node
    std::vector<EClassId> classes_;
    std::vector<Param> params_;
    std::vector<Param> asked_;           ///< values for one condition
    std::vector<ENodeId> nodes_;         ///< by atom
    std::vector<std::uint32_t> cursors_; ///< by step: the next candidate's list link
    std::size_t tried_ = 0;
};

} // namespace marquetry::egraph
