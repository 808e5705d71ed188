#include "engine/milp/solve.h"

#include "engine/support/text_stream.h"

// CBC's C++ interface: its C interface has no call that ends a running solve.
#include <CbcEventHandler.hpp>
#include <CbcModel.hpp>
#include <CbcSolver.hpp>
#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <OsiClpSolverInterface.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <mutex>
#include <string>

namespace marquetry::milp {

namespace {

using Clock = std::chrono::steady_clock;

/// CBC looks at the clock between nodes only; the simplex gets this much longer.
constexpr double kGraceSeconds = 0.25;

/// What the event handlers poll. They are cloned with the solvers they sit in, hence the pointer.
struct Watch {
    std::stop_token stop;
    Clock::time_point limit = Clock::time_point::max();    ///< from then on CBC may give up
    Clock::time_point deadline = Clock::time_point::max(); ///< the simplex as well
    bool interrupted = false; ///< a simplex was cut short: CBC's verdict is worth nothing

    bool ended() const { return stop.stop_requested() || Clock::now() > deadline; }
    /// CBC calls a problem infeasible that its preprocessing had no time for.
    bool believes() const { return !interrupted && Clock::now() < limit; }
};

class NodeWatcher : public CbcEventHandler {
public:
    explicit NodeWatcher(Watch* watch) : watch_(watch) {}
    CbcEventHandler* clone() const override { return new NodeWatcher(*this); }
    CbcAction event(CbcEvent) override {
        if (!watch_->stop.stop_requested())
            return noAction;
        watch_->interrupted = true;
        return stop;
    }
    CbcAction event(CbcEvent which, void*) override { return event(which); }

private:
    Watch* watch_;
};

class SimplexWatcher : public ClpEventHandler {
public:
    explicit SimplexWatcher(Watch* watch) : watch_(watch) {}
    ClpEventHandler* clone() const override { return new SimplexWatcher(*this); }
    int event(Event which) override {
        constexpr int kCarryOn = -1;
        constexpr int kStop = 0;
        if (which != endOfIteration && which != endOfFactorization)
            return kCarryOn;
        if (which == endOfIteration && ++count_ % 16 != 0)
            return kCarryOn;
        if (!watch_->ended())
            return kCarryOn;
        watch_->interrupted = true;
        return kStop;
    }

private:
    Watch* watch_;
    unsigned count_ = 0;
};

/// CBC puts its own handler on SIGINT.
class KeepInterruptHandler {
public:
    KeepInterruptHandler() { sigaction(SIGINT, nullptr, &saved_); }
    ~KeepInterruptHandler() { sigaction(SIGINT, &saved_, nullptr); }
    KeepInterruptHandler(const KeepInterruptHandler&) = delete;
    KeepInterruptHandler& operator=(const KeepInterruptHandler&) = delete;

private:
    struct sigaction saved_ = {};
};

double coinBound(double bound) {
    return std::clamp(bound, -COIN_DBL_MAX, COIN_DBL_MAX);
}

CoinPackedMatrix matrixOf(const Model& model) {
    std::vector<int> rows;
    std::vector<int> columns;
    std::vector<double> elements;
    std::map<std::uint32_t, double> merged;
    for (std::size_t r = 0; r < model.rows().size(); ++r) {
        merged.clear();
        for (const LinearTerm& term : model.rows()[r].terms)
            merged[term.variable.value()] += term.coefficient;
        for (const auto& [column, value] : merged) {
            rows.push_back(static_cast<int>(r));
            columns.push_back(static_cast<int>(column));
            elements.push_back(value);
        }
    }
    CoinPackedMatrix matrix(true, rows.data(), columns.data(), elements.data(),
                            static_cast<CoinBigIndex>(elements.size()));
    matrix.setDimensions(static_cast<int>(model.rows().size()),
                         static_cast<int>(model.variables().size()));
    return matrix;
}

void load(OsiClpSolverInterface& solver, const Model& model) {
    std::vector<double> lower;
    std::vector<double> upper;
    std::vector<double> cost;
    std::vector<double> rowLower;
    std::vector<double> rowUpper;
    std::vector<int> integers;
    for (const Variable& v : model.variables()) {
        if (v.kind != VariableKind::Continuous)
            integers.push_back(static_cast<int>(lower.size()));
        lower.push_back(coinBound(v.lower));
        upper.push_back(coinBound(v.upper));
        cost.push_back(v.cost);
    }
    for (const Row& row : model.rows()) {
        rowLower.push_back(coinBound(row.lower));
        rowUpper.push_back(coinBound(row.upper));
    }
    solver.messageHandler()->setLogLevel(0);
    solver.loadProblem(matrixOf(model), lower.data(), upper.data(), cost.data(), rowLower.data(),
                       rowUpper.data());
    solver.setInteger(integers.data(), static_cast<int>(integers.size()));
}

/// The assignment with its integers rounded; empty when it does not hold then.
std::vector<double> cleaned(const Model& model, const double* raw) {
    std::vector<double> values(raw, raw + model.variables().size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Variable& v = model.variables()[i];
        if (v.kind != VariableKind::Continuous)
            values[i] = std::round(values[i]);
        values[i] = std::clamp(values[i], v.lower, v.upper) + 0.0; // no negative zero
    }
    return verify(model, values) ? values : std::vector<double>{};
}

void offer(const Model& model, const SolveParams& params, std::vector<double> values,
           SolveResult& result) {
    if (values.empty() && !model.variables().empty())
        return;
    const double objective = objectiveOf(model, values);
    if (objective < std::min(result.objective, params.cutoff)) {
        result.objective = objective;
        result.values = std::move(values);
    }
}

bool hasIntegers(const Model& model) {
    for (const Variable& v : model.variables())
        if (v.kind != VariableKind::Continuous)
            return true;
    return false;
}

/// The relaxation: a bound whatever comes later, and the answer where there are no integers.
void relax(const Model& model, OsiClpSolverInterface& solver, const SolveParams& params,
           const Watch& watch, SolveResult& result) {
    solver.initialSolve();
    result.stats.simplexIterations = solver.getIterationCount();
    if (watch.interrupted)
        return;
    if (solver.isProvenOptimal()) {
        result.bound = solver.getObjValue();
        if (!hasIntegers(model)) {
            offer(model, params, cleaned(model, solver.getColSolution()), result);
            result.outcome = SolveStatus::Optimal;
        }
    } else if (solver.isProvenPrimalInfeasible()) {
        result.outcome = SolveStatus::Infeasible;
    } else if (solver.isProvenDualInfeasible()) {
        result.outcome = SolveStatus::Unbounded;
    }
}

void giveStart(CbcModel& cbc, const Model& model, const std::vector<double>& start) {
    std::vector<std::pair<std::string, double>> named;
    for (std::size_t i = 0; i < start.size(); ++i) {
        if (model.variables()[i].kind != VariableKind::Continuous)
            named.emplace_back(cbc.solver()->getColName(static_cast<int>(i)), start[i]);
    }
    cbc.setMIPStart(named);
}

int carryOn(CbcModel*, int) {
    return 0;
}

void branchAndCut(const Model& model, CbcModel& cbc, const SolveParams& params, const Watch& watch,
                  SolveResult& result) {
    CbcSolverUsefulData data;
    data.noPrinting_ = true;
    CbcMain0(cbc, data);
    cbc.setLogLevel(0);
    cbc.setMaximumNodes(params.maxNodes);
    cbc.setAllowableGap(params.absoluteGap);
    if (params.cutoff < kInfinity)
        cbc.setCutoff(params.cutoff);
    if (!params.start.empty())
        giveStart(cbc, model, params.start);
    constexpr int kFinished = 0;
    constexpr int kUnbounded = 7; // of the secondary status
    const std::string seconds = std::to_string(std::min(params.seconds, 1e9));
    const std::string nodes = std::to_string(params.maxNodes);
    TextOut gapText; // to_string would round small gaps to nothing
    gapText << params.absoluteGap;
    const std::string gap = gapText.str();
    const char* arguments[] = {
        "marquetry", "-log",          "0",         "-timeMode",   "elapsed",
        "-sec",      seconds.c_str(), "-maxNodes", nodes.c_str(), "-allowableGap",
        gap.c_str(), "-ratioGap",     "0",         "-solve",      "-quit"};
    CbcMain1(std::size(arguments), arguments, cbc, carryOn, data);
    result.stats.nodes = cbc.getNodeCount();
    result.stats.simplexIterations += cbc.getIterationCount();
    if (cbc.bestSolution())
        offer(model, params, cleaned(model, cbc.bestSolution()), result);
    const bool trusted = watch.believes();
    if (trusted && cbc.isProvenOptimal() && cbc.bestSolution()) {
        result.outcome = SolveStatus::Optimal;
        result.bound = cbc.getObjValue();
    } else if (trusted && (cbc.isContinuousUnbounded() || cbc.secondaryStatus() == kUnbounded)) {
        result.outcome = SolveStatus::Unbounded;
    } else if (trusted && cbc.status() == kFinished && !cbc.bestSolution()) {
        result.outcome = SolveStatus::Infeasible; // or all that is feasible is above the cutoff
    } else if (!watch.interrupted && cbc.status() != kFinished) {
        result.bound = std::max(result.bound, cbc.getBestPossibleObjValue());
    }
}

/// An outcome that the values contradict, or that has none, is only a limit.
void settle(const SolveParams& params, SolveResult& result) {
    const bool any = result.objective < kInfinity;
    if (result.outcome == SolveStatus::Optimal && result.bound >= params.cutoff)
        result.outcome = SolveStatus::Infeasible;
    if (any ? result.outcome != SolveStatus::Optimal : result.outcome == SolveStatus::Optimal)
        result.outcome = any ? SolveStatus::Feasible : SolveStatus::Limit;
    if (result.outcome == SolveStatus::Infeasible)
        result.bound = kInfinity;
    if (any)
        result.bound = std::min(result.bound, result.objective);
}

} // namespace

Result<SolveResult> solve(const Model& model, const SolveParams& params, std::stop_token stop) {
    if (const Status sound = check(model); !sound)
        return sound.error();
    SolveResult result;
    if (!params.start.empty()) {
        if (!verify(model, params.start))
            return makeError("milp-bad-start", "the start breaks a bound, a kind or a row");
        offer(model, params, params.start, result);
    }
    static std::mutex turns;
    const std::lock_guard turn(turns);
    const KeepInterruptHandler keep;
    const auto began = Clock::now();
    Watch watch{std::move(stop)};
    if (params.seconds < 1e9) {
        using Seconds = std::chrono::duration<double>;
        watch.limit = began + std::chrono::duration_cast<Clock::duration>(Seconds(params.seconds));
        watch.deadline =
            watch.limit + std::chrono::duration_cast<Clock::duration>(Seconds(kGraceSeconds));
    }
    if (!watch.ended()) {
        OsiClpSolverInterface solver;
        load(solver, model);
        SimplexWatcher simplexWatcher(&watch);
        solver.getModelPtr()->passInEventHandler(&simplexWatcher);
        relax(model, solver, params, watch, result);
        if (hasIntegers(model) && result.outcome == SolveStatus::Limit && !watch.ended()) {
            CbcModel cbc(solver);
            NodeWatcher nodeWatcher(&watch);
            cbc.passInEventHandler(&nodeWatcher);
            branchAndCut(model, cbc, params, watch, result);
        }
    }
    settle(params, result);
    result.stats.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    return result;
}

} // namespace marquetry::milp
