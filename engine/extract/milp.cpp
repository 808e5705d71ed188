#include "engine/extract/milp.h"

#include "engine/extract/milp_paths.h"
#include "engine/extract/milp_pins.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace marquetry::extract {

namespace {

using milp::LinearTerm;
using milp::VariableId;

/// A unit under the Cycles model: rows computed at once, stored words taken at once, and lanes that
/// write its results.
struct RowForm {
    std::int64_t parallel = 1;
    std::int64_t span = 1;
    std::int64_t writeLanes = 1;
    bool lanewise = false; ///< the path's rows are those of one of the words

    std::int64_t rows() const { return lanewise ? parallel * span : parallel; }
};

/// By prime, how often it divides: rows of a path multiply, and so these add.
using Powers = std::map<std::int64_t, double>;

Powers powersOf(std::int64_t number) {
    Powers powers;
    for (std::int64_t prime = 2; prime * prime <= number; ++prime)
        for (; number % prime == 0; number /= prime)
            ++powers[prime];
    if (number > 1)
        ++powers[number];
    return powers;
}

struct Rows {
    std::vector<VariableId> form; ///< binary, by RowForm
};

class Formulation {
public:
    Formulation(const ExtractionProblem& problem, const ProblemParams& params, double known)
        : problem_(problem),
          params_(params),
          known_(known),
          dspLeft_(params.dspLimit - problem.fixedDsp),
          published_(params.model != design::CostModel::Cycles) {
        if (published_)
            return;
        const std::int64_t lanes = problem.lowered->menu.lanes;
        std::set<std::int64_t> parallel = problem.lowered->menu.parallel;
        parallel.insert(lanes); // of a lane unit
        for (std::int64_t rows : parallel)
            for (std::int64_t span : problem.spans.products)
                for (std::int64_t out : problem.writeBacks.choices(rows, span))
                    if (span == 1 || rows * span * lanes <= rules::kMostProducts)
                        forms_.push_back({rows, span, out});
        for (std::int64_t span : problem.spans.lanes)
            for (std::int64_t out : problem.writeBacks.choices(lanes * span, 1))
                forms_.push_back({lanes, span, out, true});
        reach(parallel);
    }

    milp::Model build() {
        addOutlined();
        for (std::size_t q = 0; q < problem_.calls.size(); ++q)
            addCall(q);
        if (published_ && std::isfinite(known_))
            addPublishedTime();
        if (!published_)
            addCyclesTime();
        limitDsp();
        limitConvs();
        forceSharing();
        pinTerms(model_, problem_, {calls_, bodies_},
                 [this](int eclass, int index) { return buildable(eclass, index); });
        return std::move(model_);
    }

    double dspOf(std::span<const double> values) const {
        double sum = problem_.fixedDsp;
        for (const LinearTerm& term : dsp_)
            sum += term.coefficient * values[term.variable.index()];
        return sum;
    }

private:
    using Outlined = std::map<int, MilpCopy>;

    bool mayOutline(int eclass) const {
        const UnitClass& unit = problem_.eclass(eclass);
        return params_.sharing && unit.callSites >= 2 &&
               unit.shape.function != ir::UnitFunction::Map &&
               !problem_.neverShare.contains(eclass);
    }

    MilpCopyParams copyParams() const {
        MilpCopyParams params;
        params.gainCap = std::isfinite(known_) ? std::max(1.0, known_) : 1.0;
        params.ordered = !problem_.pinBits.empty();
        params.allows = [this](int eclass, int node) { return buildable(eclass, node); };
        return params;
    }

    const UnitNode& node(int eclass, int index) const {
        return problem_.eclass(eclass).nodes[static_cast<std::size_t>(index)];
    }

    /// How many rows there are at once is limited by the forms; those of a pass are the lanes.
    bool buildable(int eclass, int index) const {
        const UnitNode& term = node(eclass, index);
        if (!problem_.cost->exists(term))
            return false;
        if (published_ || !rules::isParallel(rules::info(term.skeleton).role))
            return true;
        const rules::SkeletonInfo& entry = rules::info(term.skeleton);
        return entry.role == rules::SkeletonRole::Par && entry.axis == ir::LoopAxis::Rows &&
               problem_.eclass(eclass).shape.function != ir::UnitFunction::Map;
    }

    void addOutlined() {
        for (int c = 0; c < static_cast<int>(problem_.graph.classes.size()); ++c)
            if (mayOutline(c))
                built_.emplace(c, model_.addBinary());
        for (const auto& [c, built] : built_) {
            MilpCopyParams params = copyParams();
            params.active = built;
            if (problem_.mayNest(c)) {
                params.outlined = built_;
                params.outlined.erase(c);
            }
            bodies_.emplace(c, addCopy(model_, problem_, c, params));
        }
        nestOnce();
    }

    /// A unit that another unit calls calls none itself.
    void nestOnce() {
        for (const auto& [c, body] : bodies_)
            for (const auto& [inner, use] : body.uses) {
                std::vector<LinearTerm> row = {{use, 1}};
                for (const auto& [below, innerUse] : bodies_.at(inner).uses)
                    row.push_back({innerUse, 1});
                if (row.size() > 1)
                    model_.addAtMost(std::move(row), 1);
            }
    }

    void addCall(std::size_t call) {
        MilpCopyParams params = copyParams();
        params.outlined = built_;
        MilpCopy copy = addCopy(model_, problem_, problem_.graph.roots[call], params);
        // Calls of one outlined unit never overlap.
        for (int c : copy.classes)
            for (std::size_t n = 0; n < copy.nodes.at(c).size(); ++n)
                if (rules::isParallel(rules::info(node(c, static_cast<int>(n)).skeleton).role)) {
                    std::vector<LinearTerm> row = {{copy.nodes.at(c)[n], 1}};
                    for (const auto& [target, use] : copy.uses)
                        row.push_back({use, 1});
                    model_.addAtMost(std::move(row), 1);
                }
        calls_.push_back(std::move(copy));
    }

    // ---- published: invocations times T ----

    void addPublishedTime() {
        for (const MilpCopy& call : calls_) {
            const MilpFlow own = addFlow(model_, problem_, call, 1, 1);
            conserveFlow(model_, problem_, call, own, 1, {});
            std::map<int, MilpFlow> below;
            std::map<int, std::vector<VariableId>> entering;
            for (const auto& [c, use] : own.uses) {
                entering[c].push_back(use);
                const MilpCopy& body = bodies_.at(c);
                below.emplace(c, addFlow(model_, problem_, body, 0, call.gain.at(c).second));
                for (const auto& [inner, nested] : below.at(c).uses)
                    entering[inner].push_back(nested);
            }
            for (const auto& [c, flow] : below)
                conserveFlow(model_, problem_, bodies_.at(c), flow, 0, entering[c]);
        }
    }

    // ---- cycles: rows at once ----

    /// The rows of the form that is chosen are those that the path computes at once, unless it ends
    /// in a use. Said of each prime, as all numbers are whole then.
    Rows addRows(const MilpCopy& copy) {
        Rows rows;
        std::vector<LinearTerm> one;
        std::map<std::int64_t, std::vector<LinearTerm>> sums;
        const std::set<std::int64_t> ends = rowsAtOnce(copy);
        for (const RowForm& form : forms_) {
            rows.form.push_back(model_.addBinary());
            one.push_back({rows.form.back(), 1});
            if (!ends.contains(form.parallel))
                model_.setBounds(rows.form.back(), 0, 0);
            for (const auto& [prime, power] : powersOf(form.parallel))
                sums[prime].push_back({rows.form.back(), power});
        }
        if (copy.active)
            one.push_back({*copy.active, -1});
        model_.addEqual(std::move(one), copy.active ? 0 : 1);
        for (int c : copy.classes)
            for (std::size_t n = 0; n < copy.nodes.at(c).size(); ++n)
                for (const auto& [prime, power] : powersOf(rowsOf(c, static_cast<int>(n))))
                    sums[prime].push_back({copy.nodes.at(c)[n], -power});
        for (auto& [prime, sum] : sums)
            addNothing(copy, std::move(sum));
        limitForms(copy, rows);
        return rows;
    }

    /// A unit takes at most the words of its columns at once; an outlined one may have more.
    void limitForms(const MilpCopy& copy, const Rows& rows) {
        const bool lanewise = endsInLanes(copy);
        const std::int64_t most =
            mostSpan(problem_.eclass(copy.start).shape, problem_.lowered->menu.lanes);
        std::vector<LinearTerm> more;
        for (std::size_t f = 0; f < forms_.size(); ++f) {
            if (forms_[f].lanewise != lanewise)
                model_.setBounds(rows.form[f], 0, 0);
            if (!lanewise && forms_[f].span > most)
                more.push_back({rows.form[f], 1});
        }
        for (const auto& [c, use] : copy.uses)
            more.push_back({use, -1});
        model_.addAtMost(std::move(more), 0);
    }

    bool endsInLanes(const MilpCopy& copy) const {
        return std::ranges::any_of(copy.classes, [this](int c) {
            return std::ranges::any_of(problem_.eclass(c).nodes, [](const UnitNode& term) {
                return term.skeleton == rules::Skeleton::LaneProducts;
            });
        });
    }

    /// Rows that some path of each class computes at once: those of `parallel` at most.
    void reach(const std::set<std::int64_t>& parallel) {
        reachable_.resize(problem_.graph.classes.size());
        for (bool grows = true; grows;) {
            grows = false;
            for (std::size_t c = 0; c < reachable_.size(); ++c)
                for (std::size_t n = 0; n < problem_.graph.classes[c].nodes.size(); ++n)
                    for (std::int64_t rows : rowsBelow(static_cast<int>(c), static_cast<int>(n)))
                        grows |= parallel.contains(rows) && reachable_[c].insert(rows).second;
        }
    }

    std::set<std::int64_t> rowsBelow(int eclass, int index) const {
        if (!buildable(eclass, index))
            return {};
        const std::int64_t own = rowsOf(eclass, index);
        const int child = node(eclass, index).child;
        if (child < 0)
            return {own};
        std::set<std::int64_t> below;
        for (std::int64_t rows : reachable_[static_cast<std::size_t>(child)])
            below.insert(rows * own);
        return below;
    }

    /// Of a copy's paths, those that end in a use included.
    std::set<std::int64_t> rowsAtOnce(const MilpCopy& copy) const {
        std::set<std::int64_t> rows = reachable_[static_cast<std::size_t>(copy.start)];
        for (const auto& [c, use] : copy.uses) {
            const std::set<std::int64_t>& used = reachable_[static_cast<std::size_t>(c)];
            rows.insert(used.begin(), used.end());
            for (const auto& [inner, nested] : bodies_.at(c).uses) {
                const std::set<std::int64_t>& below = reachable_[static_cast<std::size_t>(inner)];
                rows.insert(below.begin(), below.end());
            }
        }
        return rows;
    }

    /// The sum is nothing, unless the path ends in a use.
    void addNothing(const MilpCopy& copy, std::vector<LinearTerm> sum) {
        if (copy.uses.empty())
            return static_cast<void>(model_.addEqual(std::move(sum), 0));
        double most = 0;
        for (const LinearTerm& term : sum)
            most = std::max(most, 2 * std::abs(term.coefficient) + 1);
        std::vector<LinearTerm> above = sum;
        for (const auto& [c, use] : copy.uses) {
            sum.push_back({use, most});
            above.push_back({use, -most});
        }
        model_.addAtLeast(std::move(sum), 0);
        model_.addAtMost(std::move(above), 0);
    }

    /// That a node multiplies the rows of a path by.
    std::int64_t rowsOf(int eclass, int index) const {
        const UnitNode& term = node(eclass, index);
        if (term.child < 0)
            return problem_.cost->leaf(term, problem_.eclass(eclass).shape).parallel;
        return rules::isParallel(rules::info(term.skeleton).role)
                   ? rules::loopCount(term.skeleton, term.params)
                   : 1;
    }

    /// DSP of a form: passes have no products.
    double dspOf(const MilpCopy& copy, const RowForm& form) const {
        const ir::UnitShape& shape = problem_.eclass(copy.start).shape;
        if (shape.function == ir::UnitFunction::Map)
            return 0;
        PathCost products;
        products.comparesRows = true;
        products.parallel = form.rows();
        products.span = form.span;
        products.lanewise = form.lanewise;
        return problem_.cost->productsDsp(products, shape) +
               problem_.writeBacks.dsp(form.writeLanes);
    }

    void addCyclesTime() {
        for (const auto& [c, body] : bodies_)
            bodyRows_.emplace(c, addRows(body));
        for (const auto& [c, body] : bodies_)
            addUnit(body, bodyRows_.at(c));
        for (std::size_t q = 0; q < calls_.size(); ++q)
            addCallRows(q);
    }

    void addCallRows(std::size_t call) {
        const MilpCopy& copy = calls_[call];
        const Rows rows = addRows(copy);
        for (std::size_t f = 0; f < forms_.size(); ++f) {
            PathCost cost;
            cost.parallel = forms_[f].rows();
            cost.writeLanes = forms_[f].writeLanes;
            cost.span = forms_[f].span;
            const PathCost whole = problem_.cost->use(problem_.eclass(copy.start).shape, {}, cost);
            if (!problem_.cost->serves(problem_.calls[call], cost))
                model_.setBounds(rows.form[f], 0, 0);
            model_.setCost(rows.form[f], problem_.cost->callTime(problem_.calls[call], whole));
        }
        addUnit(copy, rows);
    }

    /// A path that ends in a use is of the form that is used; any other one takes blocks itself.
    void addUnit(const MilpCopy& copy, const Rows& rows) {
        double most = 0;
        std::vector<LinearTerm> own;
        for (std::size_t f = 0; f < forms_.size(); ++f) {
            const double dsp = dspOf(copy, forms_[f]);
            if (dsp > dspLeft_)
                model_.setBounds(rows.form[f], 0, 0);
            most = std::max(most, dsp);
            own.push_back({rows.form[f], -dsp});
            for (const auto& [c, use] : copy.uses)
                model_.addAtMost({{rows.form[f], 1}, {bodyRows_.at(c).form[f], -1}, {use, 1}}, 1);
        }
        const VariableId dsp = model_.addContinuous(0, milp::kInfinity);
        own.push_back({dsp, 1});
        for (const auto& [c, use] : copy.uses)
            own.push_back({use, most});
        model_.addAtLeast(std::move(own), 0);
        dsp_.push_back({dsp, 1});
    }

    // ---- limits ----

    void limitDsp() {
        const auto add = [&](const MilpCopy& copy) {
            for (int c : copy.classes)
                for (std::size_t n = 0; n < copy.nodes.at(c).size(); ++n) {
                    const UnitNode& term = node(c, static_cast<int>(n));
                    if (term.child < 0)
                        dsp_.push_back({copy.nodes.at(c)[n],
                                        problem_.cost->leaf(term, problem_.eclass(c).shape).dsp});
                }
        };
        if (published_) {
            std::ranges::for_each(calls_, add);
            for (const auto& [c, body] : bodies_)
                add(body);
        }
        model_.addAtMost(dsp_, dspLeft_);
    }

    void limitConvs() {
        if (problem_.pool.maxConvs < 0)
            return;
        std::vector<LinearTerm> convs;
        const auto add = [&](const MilpCopy& copy) {
            for (int c : copy.classes)
                for (std::size_t n = 0; n < copy.nodes.at(c).size(); ++n)
                    if (const int count = problem_.cost->convsOf(node(c, static_cast<int>(n))))
                        convs.push_back({copy.nodes.at(c)[n], static_cast<double>(count)});
        };
        std::ranges::for_each(calls_, add);
        for (const auto& [c, body] : bodies_)
            add(body);
        model_.addAtMost(std::move(convs), problem_.pool.maxConvs);
    }

    void forceSharing() {
        for (int c : problem_.pool.mustShare) {
            std::vector<LinearTerm> users;
            for (const MilpCopy& call : calls_)
                if (const auto use = call.uses.find(c); use != call.uses.end())
                    users.push_back({use->second, 1});
            model_.addAtLeast(std::move(users), 2);
        }
    }

    const ExtractionProblem& problem_;
    const ProblemParams& params_;
    double known_;
    double dspLeft_; ///< of the limit, for what is chosen
    bool published_;
    std::vector<RowForm> forms_;                    ///< under Cycles
    std::vector<std::set<std::int64_t>> reachable_; ///< rows at once, by class
    milp::Model model_;
    std::map<int, VariableId> built_; ///< by class that may be outlined
    Outlined bodies_;
    std::vector<MilpCopy> calls_;
    std::map<int, Rows> bodyRows_;
    std::vector<LinearTerm> dsp_;
};

} // namespace

Result<MilpResult> solveMilp(const ExtractionProblem& problem, const ProblemParams& params,
                             const MilpParams& milpParams, std::stop_token stop) {
    Formulation formulation(problem, params, milpParams.known);
    const milp::Model model = formulation.build();
    milp::SolveParams solveParams;
    solveParams.seconds = milpParams.seconds;
    solveParams.absoluteGap = 1e-4;
    if (std::isfinite(milpParams.known))
        solveParams.cutoff = milpParams.known * (1 + 1e-6) + 1e-3;
    auto solved = milp::solve(model, solveParams, std::move(stop));
    if (!solved)
        return solved.error();
    MilpResult result;
    result.outcome = solved->outcome;
    result.bound = solved->bound;
    result.stats = {model.variables().size(), model.rows().size(), solved->stats};
    if (!solved->values.empty()) {
        result.time = solved->objective;
        result.dsp = formulation.dspOf(solved->values);
    }
    return result;
}

} // namespace marquetry::extract
