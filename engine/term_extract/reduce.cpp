#include "engine/term_extract/reduce.h"

#include "engine/term_extract/bound.h"
#include "engine/term_extract/mandatory.h"

#include <algorithm>
#include <optional>

namespace marquetry::term_extract {

namespace {

constexpr double kNoCutoff = std::numeric_limits<double>::infinity();

/// Larger classes are not searched for dominated nodes: pairs of nodes would be too many.
constexpr std::size_t kMaxCompared = 1'500;

} // namespace

class Reducer {
public:
    Reducer(const SelectionProblem& problem, const ReduceParams& params, const Limits& limits)
        : params_(params), limits_(limits), graph_(problem), number_(problem.classCount()) {}

    Reduction run() && {
        bool changed = true;
        while (changed && !hopeless_ && !limits_.reached()) {
            changed = graph_.inlineClasses();
            graph_.dropUnreachable();
            negative_ = graph_.reachNegative();
            changed |= useFacts();
            graph_.dropUnreachable();
        }
        Reduction result;
        for (const ClassIndex c : graph_.alive())
            for (const WorkNode& node : graph_.nodes(c))
                result.originOf_.push_back(node.origin);
        result.problem = graph_.pack();
        result.fixedCost = graph_.paid();
        result.hopeless =
            hopeless_ || (graph_.alive().empty() && result.fixedCost >= params_.cutoff);
        result.origins_ = graph_.takeOrigins();
        result.always_ = graph_.takeAlways();
        return result;
    }

private:
    /// What is known of the live classes between two changes.
    struct Facts {
        SelectionProblem problem;
        Components components;
        std::optional<ClassSets> sets; ///< nothing on large problems
        std::vector<std::uint64_t> forced;
    };

    bool useFacts() {
        const auto alive = graph_.alive();
        if (alive.empty())
            return false;
        for (ClassIndex c = 0; c < alive.size(); ++c)
            number_[alive[c]] = c;
        Facts facts{graph_.pack(), {}, {}, std::vector<std::uint64_t>((alive.size() + 63) / 64)};
        facts.components = strongComponents(facts.problem);
        if (alive.size() <= kMaxMandatory)
            facts.sets = mandatoryClasses(facts.problem, facts.components);
        bool changed = forceClasses(facts);
        if (params_.cutoff < kNoCutoff && dropCostly(facts))
            return true; // what is mandatory has changed
        for (ClassIndex c = 0; c < alive.size() && !limits_.reached(); ++c) {
            changed |= facts.sets && thinChildren(c, facts);
            changed |= dropNodes(c, facts);
        }
        return changed;
    }

    bool forceClasses(Facts& facts) {
        bool changed = false;
        for (const ClassIndex root : facts.problem.roots) {
            ClassSets::add(facts.forced, root);
            if (facts.sets)
                ClassSets::unite(facts.forced, facts.sets->row(root));
        }
        forEach(facts.forced, [&](ClassIndex c) {
            changed |= !graph_.isRoot(graph_.alive()[c]);
            graph_.makeRoot(graph_.alive()[c]);
        });
        return changed;
    }

    /// What the node brings along: its children, and all they contain where that is known.
    std::vector<std::uint64_t> closureOf(const WorkNode& node, const Facts& facts) const {
        std::vector<std::uint64_t> closure(facts.forced.size());
        for (const ClassIndex child : node.children) {
            ClassSets::add(closure, number_[child]);
            if (facts.sets)
                ClassSets::unite(closure, facts.sets->row(number_[child]));
        }
        return closure;
    }

    /// True for a class that is there anyway and cannot need `c`.
    static bool given(ClassIndex d, ClassIndex c, const Facts& facts) {
        return ClassSets::has(facts.forced, d) && facts.components.of[d] != facts.components.of[c];
    }

    /// Nodes whose class and mandatory company cost too much beside what is forced anyway.
    bool dropCostly(const Facts& facts) {
        const auto alive = graph_.alive();
        const double budget = params_.cutoff - graph_.paid();
        const SplitBound bound = splitBound(facts.problem, facts.components);
        std::vector<double> least(alive.size(), kNoCutoff);
        double base = 0; // forced classes and everything that could pay off
        for (ClassIndex c = 0; c < alive.size(); ++c) {
            for (const WorkNode& node : graph_.nodes(alive[c]))
                least[c] = std::min(least[c], node.cost);
            base += ClassSets::has(facts.forced, c) ? least[c] : std::min(least[c], 0.0);
        }
        bool changed = false;
        for (ClassIndex c = 0; c < alive.size(); ++c) {
            const bool isForced = ClassSets::has(facts.forced, c);
            const double others = base - (isForced ? least[c] : std::min(least[c], 0.0));
            NodeIndex n = facts.problem.nodeBegin[c];
            changed |= std::erase_if(graph_.nodes(alive[c]), [&](const WorkNode& node) {
                           double sum = others + node.cost;
                           if (facts.sets)
                               forEach(closureOf(node, facts), [&](ClassIndex d) {
                                   sum += ClassSets::has(facts.forced, d) || d == c
                                              ? 0
                                              : std::max(least[d], 0.0);
                               });
                           const double split =
                               bound.total + (isForced ? bound.value[n] - bound.share[c] : 0);
                           ++n;
                           return std::max(sum, split) >= budget;
                       }) > 0;
        }
        if (changed)
            dropUngrounded();
        return changed;
    }

    /// Nodes that need a class which has lost all its terms.
    void dropUngrounded() {
        const std::vector<std::uint8_t> grounded = groundedClasses(graph_.pack());
        for (const ClassIndex c : graph_.alive()) {
            std::erase_if(graph_.nodes(c), [&](const WorkNode& node) {
                return std::any_of(node.children.begin(), node.children.end(),
                                   [&](ClassIndex child) { return !grounded[number_[child]]; });
            });
            hopeless_ |= graph_.isRoot(c) && graph_.nodes(c).empty();
        }
    }

    /// Removes children that another child contains, and roots that cannot need the class.
    bool thinChildren(ClassIndex c, const Facts& facts) {
        bool changed = false;
        for (WorkNode& node : graph_.nodes(graph_.alive()[c])) {
            const std::vector<ClassIndex> before = node.children;
            changed |= std::erase_if(node.children, [&](ClassIndex child) {
                           const ClassIndex d = number_[child];
                           if (given(d, c, facts))
                               return true;
                           return std::any_of(before.begin(), before.end(), [&](ClassIndex other) {
                               const ClassIndex e = number_[other];
                               return e != d && ClassSets::has(facts.sets->row(e), d) &&
                                      !given(e, c, facts);
                           });
                       }) > 0;
        }
        return changed;
    }

    /// Nodes that need their own class, and dominated ones.
    bool dropNodes(ClassIndex c, const Facts& facts) {
        std::vector<WorkNode>& nodes = graph_.nodes(graph_.alive()[c]);
        if (nodes.size() > kMaxCompared || (!facts.sets && nodes.size() < 2))
            return false;
        std::vector<std::uint8_t> dropped(nodes.size());
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const std::vector<std::uint64_t> closure =
                facts.sets ? closureOf(nodes[n], facts) : std::vector<std::uint64_t>{};
            dropped[n] = facts.sets && ClassSets::has(closure, c);
            for (std::size_t m = 0; m < nodes.size() && !dropped[n]; ++m)
                dropped[n] = m != n && !dropped[m] && nodes[m].cost <= nodes[n].cost &&
                             needsNoMore(c, nodes[m], nodes[n], closure, facts);
        }
        std::size_t kept = 0;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            if (!dropped[n] && kept != n)
                nodes[kept] = std::move(nodes[n]);
            kept += !dropped[n];
        }
        const bool changed = kept < nodes.size();
        nodes.resize(kept);
        return changed;
    }

    /// True when a term with `other` has all that `node` needs and loses nothing that pays off.
    bool needsNoMore(ClassIndex c, const WorkNode& node, const WorkNode& other,
                     std::span<const std::uint64_t> closure, const Facts& facts) const {
        const bool there =
            std::all_of(node.children.begin(), node.children.end(), [&](ClassIndex child) {
                const ClassIndex d = number_[child];
                return (closure.empty() ? containsClass(other.children, child)
                                        : ClassSets::has(closure, d)) ||
                       given(d, c, facts);
            });
        return there &&
               std::all_of(other.children.begin(), other.children.end(), [&](ClassIndex child) {
                   return !negative_[child] || containsClass(node.children, child);
               });
    }

    const ReduceParams params_;
    const Limits& limits_;
    WorkGraph graph_;
    std::vector<ClassIndex> number_; ///< original class to its place in alive()
    std::vector<std::uint8_t> negative_;
    bool hopeless_ = false;
};

Selection Reduction::expand(const SelectionProblem& original, const Selection& reduced) const {
    const std::vector<ClassIndex> owner = classOfNode(original);
    Selection selection(original.classCount(), kNone);
    std::vector<std::uint32_t> work = always_;
    const auto settle = [&] {
        while (!work.empty()) {
            const WorkOrigin& origin = origins_[work.back()];
            work.pop_back();
            if (origin.node != kNone) {
                selection[owner[origin.node]] = origin.node;
            } else {
                work.push_back(origin.first);
                work.push_back(origin.second);
            }
        }
    };
    settle();
    for (const NodeIndex n : reduced)
        if (n != kNone)
            work.push_back(originOf_[n]);
    settle();
    prune(original, selection);
    return selection;
}

Reduction reduce(const SelectionProblem& problem, const ReduceParams& params,
                 const Limits& limits) {
    return Reducer(problem, params, limits).run();
}

} // namespace marquetry::term_extract
