#include "tests/extract/objective_comparison.h"

#include "engine/design/cycle_model.h"
#include "engine/extract/milp.h"
#include "engine/extract/throughput.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace marquetry::test {

namespace {

using extract::ExtractResult;
using extract::ExtractStatus;
using milp::kInfinity;

constexpr double kCbcSeconds = 20;

/// One program's questions to CBC.
class Cbc {
public:
    Cbc(const SmallProgram& program, ObjectiveTally& tally) : program_(program), tally_(tally) {}
    ~Cbc() {
        ++tally_.compared;
        tally_.undecided += undecided_;
    }

    /// The least cycles of all calls within so many DSP blocks; infinity: there is no design. Those
    /// above `most` do not count.
    void expectLeast(double dsp, double least, double most, const std::string& what,
                     std::int64_t frames = 1) {
        const auto solved = ask(dsp, most, frames);
        ASSERT_TRUE(solved.has_value()) << what;
        if (solved->outcome == milp::SolveStatus::Limit ||
            solved->outcome == milp::SolveStatus::Feasible) {
            undecided_ = true;
            EXPECT_LE(solved->bound, least + slack(least)) << what;
            EXPECT_GE(solved->time, least - slack(least)) << what;
            return;
        }
        const bool none = solved->outcome == milp::SolveStatus::Infeasible;
        EXPECT_EQ(none, least == kInfinity)
            << what << ": CBC " << solved->time << ", not " << least;
        if (none || least == kInfinity)
            return;
        EXPECT_NEAR(solved->time, least, slack(least)) << what;
        EXPECT_LE(solved->dsp, dsp + 1e-3) << what;
    }

    void expectNone(double dsp, double most, const std::string& what) {
        expectLeast(dsp, kInfinity, most, what);
    }

private:
    static double slack(double cycles) { return cycles == kInfinity ? 0 : 1e-4 * cycles + 1e-3; }

    std::optional<extract::MilpResult> ask(double dsp, double most, std::int64_t frames) {
        ++tally_.asked;
        extract::ProblemParams params{design::CostModel::Cycles, program_.device, dsp,
                                      program_.sharing, program_.pins};
        params.frames = frames;
        auto problem = extract::makeProblem(program_.lowered, params, {});
        if (!problem)
            return std::nullopt;
        auto solved = extract::solveMilp(**problem, params, {kCbcSeconds, most}, {});
        return solved ? std::optional(*std::move(solved)) : std::nullopt;
    }

    const SmallProgram& program_;
    ObjectiveTally& tally_;
    bool undecided_ = false;
};

ExtractResult answerTo(const SmallProgram& program, extract::ExtractParams params,
                       design::Objective objective) {
    params.objective = objective;
    auto answer = extract::extract(program.lowered, params);
    EXPECT_TRUE(answer.has_value()) << program.what << format(answer.error());
    return answer ? *std::move(answer) : ExtractResult();
}

/// Of all calls.
double callCycles(const design::Design& design) {
    return static_cast<double>(design.cycles - design.transferCycles);
}

/// The bound holds for every objective, and the schedule's replay takes what the design says.
void expectSound(const ExtractResult& answer, const std::string& what) {
    EXPECT_LE(answer.lowerBound, static_cast<double>(answer.design->cycles)) << what;
    ASSERT_TRUE(answer.design->schedule.has_value()) << what;
    EXPECT_EQ(design::predictCycles(*answer.design->schedule).total, answer.design->cycles) << what;
}

/// Call cycles of the fastest point within so many blocks; infinity: there is none.
double leastCallsWithin(const ExtractResult& answer, double dsp) {
    double least = kInfinity;
    for (const design::DesignPoint& point : answer.points)
        if (point.feasible && point.resources.dsp <= dsp)
            least =
                std::min(least, static_cast<double>(point.cycles - answer.design->transferCycles));
    return least;
}

/// Of every number of frames that was tried, the fastest point.
std::map<std::int64_t, std::int64_t> fastestRuns(const ExtractResult& answer) {
    std::map<std::int64_t, std::int64_t> fastest;
    for (const design::DesignPoint& point : answer.points) {
        if (!point.feasible)
            continue;
        const auto [it, first] = fastest.emplace(point.frames, point.cycles);
        it->second = std::min(it->second, point.cycles);
    }
    return fastest;
}

} // namespace

void compareLatency(const SmallProgram& program, ObjectiveTally& tally) {
    Cbc cbc(program, tally);
    const ExtractResult answer =
        answerTo(program, program.within(program.dsp), design::Objective::Latency);
    if (!answer.design) {
        EXPECT_EQ(answer.openBound, kInfinity) << program.what;
        return cbc.expectNone(program.dsp, kInfinity, program.what);
    }
    ++tally.feasible;
    expectSound(answer, program.what);
    EXPECT_EQ(answer.status, ExtractStatus::Optimal) << program.what;
    EXPECT_EQ(answer.lowerBound, static_cast<double>(answer.design->cycles)) << program.what;
    EXPECT_LE(answer.design->resources.dsp, program.dsp) << program.what;
    const double cycles = callCycles(*answer.design);
    cbc.expectLeast(program.dsp, cycles, cycles, program.what);
}

void compareArea(const SmallProgram& program, std::uint64_t seed, ObjectiveTally& tally) {
    Cbc cbc(program, tally);
    extract::ExtractParams params = program.within(program.dsp);
    const ExtractResult smallest = answerTo(program, params, design::Objective::Area);
    if (!smallest.design)
        return cbc.expectNone(program.dsp, kInfinity, program.what);
    const ExtractResult fastest = answerTo(program, params, design::Objective::Latency);
    SplitMix64 rng(95'000 + seed);
    const std::int64_t transfer = fastest.design->transferCycles;
    const std::int64_t limit =
        rng.range(fastest.design->cycles - rng.range(0, 1), smallest.design->cycles);
    const std::string what = program.what + " cycles " + std::to_string(limit);
    params.cyclesLimit = static_cast<double>(limit);
    const ExtractResult answer = answerTo(program, params, design::Objective::Area);
    const auto most = static_cast<double>(limit - transfer);
    if (!answer.design)
        return cbc.expectNone(program.dsp, most, what);
    ++tally.feasible;
    expectSound(answer, what);
    EXPECT_LE(answer.design->cycles, limit) << what;
    const double dsp = answer.design->resources.dsp;
    cbc.expectLeast(dsp, callCycles(*answer.design), most, what);
    cbc.expectNone(dsp - 1, most, what + ", a block less");
}

void compareFront(const SmallProgram& program, ObjectiveTally& tally) {
    Cbc cbc(program, tally);
    const ExtractResult answer =
        answerTo(program, program.within(program.dsp), design::Objective::Front);
    if (!answer.design)
        return cbc.expectNone(program.dsp, kInfinity, program.what);
    ++tally.feasible;
    expectSound(answer, program.what);
    std::set<double> budgets = {program.dsp};
    for (const design::DesignPoint& point : answer.points) {
        ASSERT_EQ(point.resources.dsp, std::floor(point.resources.dsp)) << program.what;
        tally.points += point.onFront;
        budgets.insert(point.resources.dsp);
        budgets.insert(point.resources.dsp - 1);
    }
    for (const double dsp : budgets) {
        const double least = leastCallsWithin(answer, dsp);
        cbc.expectLeast(dsp, least, least, program.what + " within " + std::to_string(dsp));
    }
}

void compareThroughput(const SmallProgram& program, ObjectiveTally& tally) {
    Cbc cbc(program, tally);
    const ExtractResult answer =
        answerTo(program, program.within(program.dsp), design::Objective::Throughput);
    if (!answer.design)
        return cbc.expectNone(program.dsp, kInfinity, program.what);
    ++tally.feasible;
    expectSound(answer, program.what);
    const design::Design& best = *answer.design;
    for (const auto& [frames, cycles] : fastestRuns(answer)) {
        ++tally.points;
        const std::string what = program.what + ", frames " + std::to_string(frames);
        EXPECT_LE((1 - extract::kLeastGain) * best.cyclesPerFrame(),
                  static_cast<double>(cycles) / static_cast<double>(frames))
            << what;
        extract::ExtractParams runs = program.within(program.dsp);
        runs.frames = frames;
        const ExtractResult fastest = answerTo(program, runs, design::Objective::Latency);
        ASSERT_TRUE(fastest.design) << what;
        EXPECT_EQ(fastest.design->cycles, cycles) << what;
        const double calls = callCycles(*fastest.design);
        cbc.expectLeast(program.dsp, calls, calls, what, frames);
    }
}

} // namespace marquetry::test
