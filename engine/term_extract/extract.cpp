#include "engine/term_extract/extract.h"

#include "engine/milp/solve.h"
#include "engine/term_extract/bound.h"
#include "engine/term_extract/branch_and_bound.h"
#include "engine/term_extract/greedy.h"
#include "engine/term_extract/local_search.h"
#include "engine/term_extract/reduce.h"
#include "engine/term_extract/selection_milp.h"
#include "engine/term_extract/split.h"
#include "engine/term_extract/tree.h"

#include <algorithm>
#include <cmath>

namespace marquetry::term_extract {

namespace {

/// A larger programme takes CBC longer to load than a user waits.
constexpr std::size_t kMaxMilpNodes = 60'000;

/// One independent part of the reduced problem: the best term known and the best bound known.
class PartSearch {
public:
    PartSearch(const SelectionProblem& problem, const TermExtractParams& params,
               const Limits& limits, ExtractStats& stats)
        : problem_(problem),
          params_(params),
          limits_(limits),
          stats_(stats),
          best_(extractGreedy(problem)),
          cost_(dagCost(problem, best_)),
          bound_(splitBound(problem, strongComponents(problem)).total) {}

    void run() {
        constexpr std::uint64_t kFirstSteps = 50;
        if (params_.useBranchAndBound)
            branch(kFirstSteps);
        if (!closed()) {
            LocalSearchParams local{params_.seed, params_.localSteps, 8};
            offer(searchLocally(problem_, best_, local, limits_.within(limits_.secondsLeft() / 3)));
        }
        if (!closed() && params_.useBranchAndBound)
            branch(params_.branchSteps);
        if (!closed() && params_.useMilp)
            solveMilp();
    }

    const Selection& best() const { return best_; }
    double bound() const { return proven() ? cost_ : bound_; }

private:
    bool proven() const { return bound_ >= cutoffBelow(problem_, cost_); }
    bool closed() const { return proven() || limits_.reached(); }

    void offer(const Selection& selection) {
        if (selection.empty())
            return;
        const double cost = dagCost(problem_, selection);
        if (cost < cost_) {
            best_ = selection;
            cost_ = cost;
        }
    }

    void branch(std::uint64_t steps) {
        const BranchResult result = branchAndBound(problem_, {cutoffBelow(problem_, cost_), steps},
                                                   limits_.within(limits_.secondsLeft() / 3));
        stats_.branchSteps += result.steps;
        offer(result.best);
        if (result.complete)
            bound_ = cost_;
    }

    void solveMilp() {
        const double cutoff = cutoffBelow(problem_, cost_);
        const Reduction reduction = reduce(problem_, {cutoff}, limits_);
        if (reduction.hopeless) {
            bound_ = cost_;
            return;
        }
        if (reduction.problem.nodeCount() > kMaxMilpNodes || limits_.reached())
            return;
        const milp::Model model = selectionMilp(reduction.problem);
        milp::SolveParams params;
        params.seconds = limits_.secondsLeft();
        params.cutoff = cutoff - reduction.fixedCost;
        const auto result = milp::solve(model, params, limits_.stop);
        ENGINE_ASSERT(result.has_value(), "a selection problem is a sound programme");
        stats_.milpNodes += result->stats.nodes;
        if (result->outcome == milp::SolveStatus::Infeasible) {
            bound_ = cost_;
            return;
        }
        if (!result->values.empty()) {
            const Selection found = selectionOf(reduction.problem, result->values);
            if (!found.empty())
                offer(reduction.expand(problem_, found));
        }
        bound_ = std::max(bound_, std::min(cost_, result->bound + reduction.fixedCost));
    }

    const SelectionProblem& problem_;
    const TermExtractParams& params_;
    const Limits limits_;
    ExtractStats& stats_;
    Selection best_;
    double cost_ = 0;
    double bound_ = 0;
};

void extractExact(const SelectionProblem& problem, const TermExtractParams& params,
                  const Limits& limits, TermExtractResult& result) {
    const Reduction reduction = reduce(problem, {}, limits);
    const std::vector<Part> parts = split(reduction.problem);
    result.stats.reducedClasses = reduction.problem.classCount();
    result.stats.reducedNodes = reduction.problem.nodeCount();
    result.stats.parts = parts.size();
    Selection whole(reduction.problem.classCount(), kNone);
    result.lowerBound = reduction.fixedCost;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const auto share = static_cast<double>(parts.size() - k); // small parts come first
        PartSearch search(parts[k].problem, params, limits.within(limits.secondsLeft() / share),
                          result.stats);
        search.run();
        merge(parts[k], search.best(), whole);
        result.lowerBound += search.bound();
    }
    result.selection = reduction.expand(problem, whole);
}

/// On the reduced problem, where what every term shares no longer counts against a node.
void extractDag(const SelectionProblem& problem, const TermExtractParams& params,
                const Limits& limits, TermExtractResult& result) {
    constexpr std::uint64_t kStepsPerNode = 16;
    const Reduction reduction = reduce(problem, {}, limits);
    const SelectionProblem& left = reduction.problem;
    result.stats.reducedClasses = left.classCount();
    result.stats.reducedNodes = left.nodeCount();
    const std::uint64_t steps = std::min(params.localSteps, kStepsPerNode * left.nodeCount());
    const Selection found =
        searchLocally(left, extractGreedy(left), {params.seed, steps, 1}, limits);
    result.selection = reduction.expand(problem, found);
    result.lowerBound = reduction.fixedCost + splitBound(left, strongComponents(left)).total;
    Selection direct = extractGreedy(problem); // now and then the better start
    if (costsLess(dagCost(problem, direct), dagCost(problem, result.selection)))
        result.selection = std::move(direct);
}

} // namespace

const char* toString(TermMethod method) {
    switch (method) {
    case TermMethod::Tree:
        return "tree";
    case TermMethod::Greedy:
        return "greedy";
    case TermMethod::Exact:
        return "exact";
    }
    return "?";
}

const char* toString(TermOutcome outcome) {
    switch (outcome) {
    case TermOutcome::Finished:
        return "finished";
    case TermOutcome::TimeLimit:
        return "time";
    case TermOutcome::Cancelled:
        return "cancelled";
    }
    return "?";
}

Result<TermExtractResult> extract(const SelectionProblem& problem, const TermExtractParams& params,
                                  std::stop_token stop) {
    if (const Status sound = check(problem); !sound)
        return sound.error();
    const auto began = Limits::Clock::now();
    const Limits limits = Limits{stop}.within(params.seconds);
    TermExtractResult result;
    if (params.method == TermMethod::Exact) {
        extractExact(problem, params, limits, result);
    } else if (params.method == TermMethod::Greedy) {
        extractDag(problem, params, limits, result);
    } else {
        result.selection = extractTree(problem);
        result.lowerBound = splitBound(problem, strongComponents(problem)).total;
    }
    result.dagCost = dagCost(problem, result.selection);
    result.treeCost = treeCost(problem, result.selection);
    result.lowerBound = std::min(result.lowerBound, result.dagCost);
    result.optimal = !costsLess(result.lowerBound, result.dagCost);
    if (!result.optimal && limits.reached())
        result.outcome = stop.stop_requested() ? TermOutcome::Cancelled : TermOutcome::TimeLimit;
    result.stats.seconds = std::chrono::duration<double>(Limits::Clock::now() - began).count();
    return result;
}

bool verify(const SelectionProblem& problem, const TermExtractResult& result) {
    const auto same = [](double a, double b) { return !costsLess(a, b) && !costsLess(b, a); };
    return verify(problem, result.selection) &&
           same(dagCost(problem, result.selection), result.dagCost) &&
           !costsLess(result.dagCost, result.lowerBound);
}

} // namespace marquetry::term_extract
