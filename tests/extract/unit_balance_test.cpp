// Units side by side against all ways to choose them, and the bound on what they reach.
#include "engine/design/cycle_model.h"
#include "engine/egraph/saturate.h"
#include "engine/extract/bounds.h"
#include "engine/extract/unit_balance.h"
#include "engine/lower_design/lower_design.h"
#include "tests/extract/params_within.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace marquetry {

using extract::CallChoice;
using extract::ExtractionProblem;
using extract::PoolSolution;

namespace {

constexpr std::int64_t kFrames = 8;

rules::Lowered balanceSpace(const std::string& text, bool streams = false) {
    rules::LoweringParams params;
    params.lanes = 8;
    params.overlap = true;
    params.streams = streams;
    auto lowered = rules::lower(test::programOf(text), params);
    EXPECT_TRUE(lowered.has_value());
    egraph::saturate(*lowered->egraph, lowered->rewrites, {});
    return *std::move(lowered);
}

extract::ExtractParams ofDsp(double dsp) {
    extract::ExtractParams params = test::paramsWithin(dsp, design::CostModel::Cycles, "xc7z020");
    params.frames = kFrames;
    return params;
}

std::unique_ptr<ExtractionProblem>
problemOf(const rules::Lowered& lowered, const extract::ExtractParams& params,
          std::vector<design::Pin> pins = {},
          std::shared_ptr<const extract::StreamedCalls> streams = nullptr) {
    extract::ProblemParams made;
    made.device = params.device;
    made.dspLimit = params.limits.dsp;
    made.logicLimit = params.limits;
    made.frames = kFrames;
    made.pins = std::move(pins);
    made.streams = std::move(streams);
    auto problem = extract::makeProblem(lowered, made, {});
    EXPECT_TRUE(problem.has_value());
    return *std::move(problem);
}

std::shared_ptr<const extract::StreamedCalls> streamedCalls(const rules::Lowered& lowered,
                                                            const device::Device& device) {
    extract::StreamCircuits circuits;
    return std::make_shared<const extract::StreamedCalls>(
        extract::applyStreamPins(lowered, extract::streamOptions(lowered, device, circuits, {}), {})
            .calls);
}

bool streams(const ExtractionProblem& problem, const PoolSolution& solution) {
    for (std::size_t c = 0; c < solution.calls.size(); ++c)
        if (problem.streamOf(solution, c) >= 0)
            return true;
    return false;
}

std::vector<std::size_t> productCalls(const ExtractionProblem& problem) {
    std::vector<std::size_t> calls;
    for (std::size_t c = 0; c < problem.calls.size(); ++c)
        if (!problem.calls[c].pass && !problem.calls[c].lanewise())
            calls.push_back(c);
    return calls;
}

/// Clocks of the unit that has most to do, of those calls.
double loadOf(const std::vector<std::size_t>& calls, const std::vector<CallChoice>& choices) {
    double most = 0;
    std::map<int, double> shared;
    for (std::size_t k = 0; k < calls.size(); ++k)
        most = std::max(most, choices[k].entry < 0 ? choices[k].time
                                                   : shared[choices[k].entry] += choices[k].time);
    return most;
}

/// The least load of all ways to choose a unit for each call.
class AllWays {
public:
    explicit AllWays(const ExtractionProblem& problem)
        : problem_(problem), calls_(productCalls(problem)) {}

    double least() {
        choose({}, 0);
        return least_;
    }

    static constexpr std::size_t kMost = 300'000;
    bool tooMany() const {
        std::size_t ways = 1;
        for (const std::size_t call : calls_) {
            ways *= choicesOf(call).size();
            if (ways > kMost || ways == 0)
                return true;
        }
        return false;
    }

private:
    std::vector<CallChoice> choicesOf(std::size_t call) const {
        std::vector<CallChoice> all;
        const auto& options = problem_.pool.demand(call).options;
        for (std::size_t o = 0; o < options.size(); ++o)
            all.push_back({-1, static_cast<int>(o), options[o].time});
        for (int e = 0; e < static_cast<int>(problem_.pool.entries.size()); ++e)
            for (std::size_t v = 0; v < problem_.pool.via(e, call).size(); ++v)
                all.push_back({e, static_cast<int>(v), problem_.pool.via(e, call)[v].time});
        return all;
    }

    double dspOf(const std::vector<CallChoice>& choices) const {
        double dsp = 0;
        std::map<int, double> entries;
        for (std::size_t k = 0; k < choices.size(); ++k) {
            const CallChoice& choice = choices[k];
            if (choice.entry >= 0)
                entries[choice.entry] = problem_.entry(choice.entry).dsp;
            else
                dsp += problem_.pool.demand(calls_[k])
                           .options[static_cast<std::size_t>(choice.option)]
                           .dsp;
        }
        for (const auto& [entry, own] : entries)
            dsp += own;
        return dsp;
    }

    void choose(std::vector<CallChoice> choices, std::size_t k) {
        if (dspOf(choices) > problem_.pool.dspLimit)
            return;
        if (k == calls_.size()) {
            least_ = std::min(least_, loadOf(calls_, choices));
            return;
        }
        for (const CallChoice& choice : choicesOf(calls_[k])) {
            choices.push_back(choice);
            choose(choices, k + 1);
            choices.pop_back();
        }
    }

    const ExtractionProblem& problem_;
    std::vector<std::size_t> calls_;
    double least_ = std::numeric_limits<double>::infinity();
};

double loadOf(const ExtractionProblem& problem, const PoolSolution& solution) {
    const std::vector<std::size_t> calls = productCalls(problem);
    std::vector<CallChoice> choices;
    for (const std::size_t call : calls)
        choices.push_back(solution.calls[call]);
    return loadOf(calls, choices);
}

/// Of few channels and of many: no unit suits all layers.
constexpr const char* kThreeLayers = R"(design d {
  input  x  : i8[16, 16, 1] = random(seed: 1);
  weight w0 : i8[16, 5, 5, 1] = random(seed: 2);
  weight w1 : i8[64, 1, 1, 16] = random(seed: 3);
  weight w2 : i8[64, 1, 1, 64] = random(seed: 4);
  let    a  = relu(requant(conv(x, w0, pad: 2), shift: 8));
  let    b  = relu(requant(conv(a, w1), shift: 8));
  output y  = maxpool(relu(requant(conv(b, w2), shift: 8)), size: 4);
})";

} // namespace

TEST(UnitBalance, IsSoundAndNearTheBestOfAllWays) {
    int compared = 0, best = 0;
    double worst = 1;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const rules::Lowered lowered = balanceSpace(test::randomProgramText(seed, {2, 4, 6}));
        const extract::ExtractParams params = ofDsp(static_cast<double>(8 << (seed % 3)));
        const auto problem = problemOf(lowered, params);
        AllWays ways(*problem);
        if (productCalls(*problem).size() < 2 || ways.tooMany())
            continue;
        const std::vector<PoolSolution> balanced = extract::balancedSolutions(*problem, {});
        const double least = ways.least();
        ASSERT_EQ(balanced.empty(), least == std::numeric_limits<double>::infinity()) << seed;
        if (balanced.empty())
            continue;
        for (const PoolSolution& solution : balanced)
            EXPECT_TRUE(extract::verify(problem->pool, solution)) << seed;
        const double load = loadOf(*problem, balanced.front());
        EXPECT_GE(load, least - 1e-6) << seed;
        ++compared;
        best += load <= least * (1 + 1e-9) ? 1 : 0;
        worst = std::max(worst, load / least);
    }
    EXPECT_GE(compared, 15);
    EXPECT_GE(10 * best, 8 * compared) << "of " << compared;
    EXPECT_LE(worst, 1.25);
}

// With circuits among them: sets, and the bound.
TEST(UnitBalance, HoldsOfStreamUnitsToo) {
    int compared = 0, streamed = 0, best = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const rules::Lowered lowered = balanceSpace(test::randomProgramText(seed, {2, 4, 6}), true);
        const extract::ExtractParams params = ofDsp(static_cast<double>(8 << (seed % 3)));
        const auto problem = problemOf(lowered, params, {}, streamedCalls(lowered, params.device));
        AllWays ways(*problem);
        if (problem->streams->options.empty() || ways.tooMany())
            continue;
        const double least = ways.least();
        double found = std::numeric_limits<double>::infinity();
        for (const PoolSolution& solution : extract::balancedSolutions(*problem, {})) {
            ASSERT_TRUE(extract::verify(problem->pool, solution)) << seed;
            const double load = loadOf(*problem, solution);
            streamed += streams(*problem, solution) && load < found ? 1 : 0;
            found = std::min(found, load);
        }
        EXPECT_GE(found, least - 1e-6) << seed;
        const auto transfers = static_cast<double>(extract::transferCycles(lowered, kFrames));
        EXPECT_LE(extract::queuesLowerBound(*problem, params), std::max(least, transfers) + 1e-6)
            << seed;
        ++compared;
        best += found <= least * (1 + 1e-9) ? 1 : 0;
    }
    EXPECT_GE(compared, 15);
    EXPECT_GE(streamed, 5);
    EXPECT_GE(10 * best, 8 * compared) << "of " << compared;
}

// Whatever the units, a run takes no less.
TEST(UnitBalance, IsNotBelowTheBoundOfQueues) {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const rules::Lowered lowered = balanceSpace(test::randomProgramText(seed, {2, 4, 6}));
        const extract::ExtractParams params = ofDsp(static_cast<double>(8 << (seed % 3)));
        const auto problem = problemOf(lowered, params);
        AllWays ways(*problem);
        if (productCalls(*problem).empty() || ways.tooMany())
            continue;
        const double least = ways.least();
        if (least == std::numeric_limits<double>::infinity())
            continue;
        ++compared;
        const auto transfers = static_cast<double>(extract::transferCycles(lowered, kFrames));
        EXPECT_LE(extract::queuesLowerBound(*problem, params), std::max(least, transfers) + 1e-6)
            << seed;
    }
    EXPECT_GE(compared, 20);
}

TEST(UnitBalance, FindsUnitsThatHaveLessToDo) {
    const rules::Lowered lowered = balanceSpace(kThreeLayers);
    int several = 0;
    for (const double dsp : {8., 12., 16., 24., 32., 48., 64., 96.}) {
        const auto problem = problemOf(lowered, ofDsp(dsp));
        const std::vector<PoolSolution> balanced = extract::balancedSolutions(*problem, {});
        several += balanced.size() > 1 ? 1 : 0;
        for (std::size_t k = 1; k < balanced.size(); ++k)
            EXPECT_LT(loadOf(*problem, balanced[k - 1]), loadOf(*problem, balanced[k]));
    }
    EXPECT_GE(several, 2);
}

// Units of products in several queues, where one of them would take longer.
TEST(UnitBalance, IsChosenForThroughput) {
    const rules::Lowered lowered = balanceSpace(kThreeLayers);
    int pipelines = 0;
    for (const double dsp : {8., 12., 16., 24., 32., 48., 64., 96.}) {
        extract::ExtractParams params = ofDsp(dsp);
        params.frames = 32;
        params.explain = false;
        const auto result = extract::extract(lowered, params);
        ASSERT_TRUE(result && result->design && result->design->schedule);
        const design::Schedule& schedule = *result->design->schedule;
        EXPECT_TRUE(hdl::check(schedule));
        EXPECT_EQ(design::predictCycles(schedule).total, result->design->cycles);
        EXPECT_LE(result->lowerBound, static_cast<double>(result->design->cycles));
        std::set<design::Queue> queues; // of units of products
        for (std::size_t s = 0; s < schedule.steps.size(); ++s)
            if (const auto* call = std::get_if<design::ComputeStep>(&schedule.steps[s]);
                call != nullptr && !schedule.unit(call->unit).pass)
                queues.insert(schedule.orderOf(s).queue);
        pipelines += queues.size() > 1 ? 1 : 0;
    }
    EXPECT_GE(pipelines, 1);
}

// A unit that a pin wants shared is shared in each, and one that it forbids is in none.
TEST(UnitBalance, MeetsPins) {
    const rules::Lowered lowered = balanceSpace(kThreeLayers);
    const auto free = problemOf(lowered, ofDsp(64));
    int shared = 0, forbidden = 0;
    for (const extract::PoolEntry& entry : free->pool.entries) {
        const std::string name = toString(free->eclass(entry.eclass).shape);
        for (const auto kind : {design::PinKind::Share, design::PinKind::NeverShare}) {
            design::Pin pin;
            pin.kind = kind;
            pin.target = name;
            const auto problem = problemOf(lowered, ofDsp(64), {pin});
            for (const PoolSolution& solution : extract::balancedSolutions(*problem, {})) {
                ASSERT_TRUE(extract::verify(problem->pool, solution));
                const auto uses = std::ranges::count_if(solution.calls, [&](const CallChoice& c) {
                    return c.entry >= 0 &&
                           toString(problem->eclass(problem->entry(c.entry).eclass).shape) == name;
                });
                const bool wants = kind == design::PinKind::Share;
                EXPECT_TRUE(wants ? uses >= 2 : uses == 0) << name;
                ++(wants ? shared : forbidden);
            }
        }
    }
    EXPECT_GE(shared + forbidden, 4);
    EXPECT_GE(forbidden, 2);
}

} // namespace marquetry
