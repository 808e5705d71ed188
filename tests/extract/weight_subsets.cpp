#include "tests/extract/weight_subsets.h"

#include "engine/design/cycle_model.h"
#include "engine/design/weight_traffic.h"
#include "engine/design/windows.h"
#include "engine/extract/build_design.h"
#include "engine/extract/memory_plan.h"
#include "engine/extract/overlap.h"
#include "engine/support/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace marquetry::test {

namespace {

constexpr std::int64_t kMostBeats = 8;

/// The units and calls of one solution, with all weights on the chip.
class Placed {
public:
    Placed(const extract::ExtractionProblem& problem, const extract::PoolSolution& solution,
           const extract::ExtractParams& params)
        : device_(params.device),
          memory_(extract::externalMemory(params.device)),
          request_(extract::scheduleRequest(problem, extract::planBlocks(problem, solution))),
          resident_(design::buildSchedule(request_)) {
        extract::ExtractParams roomy = params;
        roomy.limits.bram = 1e12;
        besides_ = extract::buildDesign(problem, solution, roomy).design.resources.bram;
        for (std::size_t u = 0; u < request_.units.size(); ++u)
            besides_ -= blocksOf(u, resident_.units[u].weightWords, 1, false);
        for (const design::Step& step : resident_.steps)
            if (const auto* compute = std::get_if<design::ComputeStep>(&step))
                if (compute->multiplies() && !compute->held)
                    weighted_.push_back(compute);
    }

    /// Of what is no memory of weights.
    double besides() const { return besides_; }
    double allResident() const { return blocks({}, {}, {}); }
    std::size_t choices() const { return memory_ ? std::size_t{1} << weighted_.size() : 1; }

    /// Cycles of a run, when the calls of the mask read their weights; infinity: no room.
    double cycles(std::size_t mask, double limit, int& replays) const {
        std::vector<std::int64_t> rings(request_.units.size(), 0);
        std::map<std::string, bool> reads;
        for (std::size_t k = 0; k < weighted_.size(); ++k)
            if ((mask >> k & 1U) != 0) {
                std::int64_t& ring = rings[weighted_[k]->unit.index()];
                ring = std::max(ring, design::reductionWords(resident_, *weighted_[k]));
                reads[weighted_[k]->layer] = true;
            }
        const std::vector<std::int64_t> beats = fewestBlocks(reads, rings);
        if (blocks(reads, rings, beats) > limit)
            return kInfinity;
        const double shortest = replay(reads, rings, beats, replays);
        if (mask == 0)
            return shortest;
        lengthen(reads, rings, beats, limit);
        return std::min(shortest, replay(reads, rings, beats, replays));
    }

private:
    using Reads = std::map<std::string, bool>; ///< by layer

    std::int64_t elementsOf(std::size_t unit) const {
        const design::ScheduleUnit& made = resident_.units[unit];
        return made.pass ? 0 : made.weightElements(resident_.lanes);
    }

    /// `loaded`: its words come in beats, so many of which are written at once.
    double blocksOf(std::size_t unit, std::int64_t words, std::int64_t beats, bool loaded) const {
        const design::ScheduleUnit& made = resident_.units[unit];
        const std::int64_t apart = made.holds ? made.weightRows() : 1;
        const std::int64_t bits = elementsOf(unit) * ir::info(made.weight).bytes * 8 / apart;
        if (!loaded || apart > 1)
            return static_cast<double>(apart) * device_.ramBlocks(words, bits);
        double sum = 0;
        const std::int64_t part = 8 * memory_->beatBytes * beats;
        for (std::int64_t from = 0; from < bits; from += part)
            sum += device_.ramBlocks(words, std::min(part, bits - from));
        return sum;
    }

    std::int64_t wordsOf(std::size_t unit, const Reads& reads, bool external) const {
        std::int64_t words = external ? 0 : resident_.units[unit].weightWords;
        for (const design::ComputeStep* step : weighted_)
            if (step->unit.index() == unit && reads.contains(step->layer))
                words += (external ? 1 : -1) * step->rowBlocks *
                         design::reductionWords(resident_, *step);
        return words;
    }

    double blocks(const Reads& reads, const std::vector<std::int64_t>& rings,
                  const std::vector<std::int64_t>& beats) const {
        double sum = besides_;
        if (!reads.empty())
            sum += device_.ramBlocks(design::queueBeats(*memory_), 8 * memory_->beatBytes);
        for (std::size_t u = 0; u < request_.units.size(); ++u)
            sum += blocksOf(u, wordsOf(u, reads, false) + (rings.empty() ? 0 : rings[u]),
                            beats.empty() ? 1 : beats[u], !reads.empty());
        return sum;
    }

    std::vector<std::int64_t> fewestBlocks(const Reads& reads,
                                           const std::vector<std::int64_t>& rings) const {
        std::vector<std::int64_t> beats(request_.units.size(), 1);
        for (std::size_t u = 0; u < beats.size() && !reads.empty(); ++u) {
            const std::int64_t words = wordsOf(u, reads, false) + rings[u];
            for (std::int64_t more = 2; more <= kMostBeats; ++more)
                if (blocksOf(u, words, more, true) < blocksOf(u, words, beats[u], true))
                    beats[u] = more;
        }
        return beats;
    }

    /// Word by word, one unit after another.
    void lengthen(const Reads& reads, std::vector<std::int64_t>& rings,
                  const std::vector<std::int64_t>& beats, double limit) const {
        for (std::size_t u = 0; u < rings.size(); ++u) {
            const std::int64_t most = rings[u] == 0 ? 0 : wordsOf(u, reads, true);
            while (rings[u] < most) {
                ++rings[u];
                if (blocks(reads, rings, beats) <= limit)
                    continue;
                --rings[u];
                break;
            }
        }
    }

    double replay(const Reads& reads, const std::vector<std::int64_t>& rings,
                  const std::vector<std::int64_t>& beats, int& replays) const {
        ++replays;
        design::ScheduleRequest request = request_;
        if (!reads.empty()) {
            request.memory = *memory_;
            for (const ir::Layer& layer : request.plan->layers)
                request.external.push_back(reads.contains(layer.name));
            for (std::size_t u = 0; u < rings.size(); ++u) {
                request.units[u].ringWords = rings[u];
                request.units[u].loadBeats = beats[u];
            }
        }
        return static_cast<double>(design::predictCycles(design::buildSchedule(request)).total);
    }

    device::Device device_;
    std::optional<design::ExternalMemory> memory_;
    design::ScheduleRequest request_;
    design::Schedule resident_;
    double besides_ = 0;
    std::vector<const design::ComputeStep*> weighted_;
};

device::Device drawMemories(device::Device device, SplitMix64& rng) {
    device.ramShapes = {
        {8 << static_cast<int>(rng.range(0, 2)), std::int64_t{2} << rng.range(0, 3)}};
    device.halfRam = false;
    const double rates[] = {0, 0.5, 1, 4, 16};
    device.memoryBytesPerCycle = rates[rng.range(0, 4)];
    device.memoryLatencyCycles = rng.range(0, 60);
    return device;
}

/// The least cycles of all choices of all designs.
double fastestOf(const std::vector<Placed>& designs, double limit, int& replays) {
    double least = kInfinity;
    for (const Placed& placed : designs)
        for (std::size_t mask = 0; mask < placed.choices(); ++mask)
            least = std::min(least, placed.cycles(mask, limit, replays));
    return least;
}

/// No choice tried here has bands or rings of LUTs: of a design with them, its own replay says the
/// cycles.
void judgeOther(const design::Design& design, double limit, const std::string& what,
                WeightTally& tally) {
    ++tally.other;
    ASSERT_TRUE(design.schedule) << what;
    EXPECT_EQ(design::predictCycles(*design.schedule).total, design.cycles) << what;
    EXPECT_LE(design.resources.bram, limit) << what;
}

bool hasLutWeights(const extract::ExtractResult& answer) {
    const auto& schedule = answer.design->schedule;
    return schedule && std::ranges::any_of(schedule->units, &design::ScheduleUnit::lutWeights);
}

void judge(const extract::ExtractResult& answer, double least, double limit,
           const std::string& what, WeightTally& tally) {
    const bool other = answer.design && (!answer.design->bands.empty() || hasLutWeights(answer));
    if (other)
        judgeOther(*answer.design, limit, what, tally);
    if (least == kInfinity) {
        EXPECT_TRUE(!answer.design || other) << what;
        return;
    }
    ASSERT_TRUE(answer.design) << what;
    ++tally.feasible;
    const auto cycles = static_cast<double>(answer.design->cycles);
    EXPECT_LE(answer.lowerBound, least) << what;
    EXPECT_TRUE(other || cycles >= least) << what;
    if (answer.status == extract::ExtractStatus::Optimal) {
        EXPECT_TRUE(cycles == least || (other && cycles < least)) << what;
    }
    tally.reading += answer.design->schedule && answer.design->schedule->memory.has_value();
    tally.fastest += cycles == least;
    tally.worst = std::max(tally.worst, cycles / least);
}

} // namespace

namespace {

/// Designs of what the search finds, of those prices, that have no more DSP blocks than they may.
void addDesigns(const SmallProgram& program, extract::ProblemParams asked, extract::Price price,
                const extract::ExtractParams& params, std::vector<Placed>& designs) {
    asked.price = price;
    const auto problem = extract::makeProblem(program.lowered, asked, {});
    ASSERT_TRUE(problem.has_value()) << program.what;
    (*problem)->buffers = std::make_unique<extract::BufferPlans>(params.device, params.limits);
    extract::ExtractParams roomy = params;
    roomy.limits.bram = 1e12;
    for (const auto& solution : extract::searchPools((*problem)->pool, {}).front)
        if (extract::buildDesign(**problem, solution, roomy).design.resources.dsp <= program.dsp)
            designs.emplace_back(**problem, solution, params);
}

} // namespace

void compareWeights(const SmallProgram& program, std::uint64_t seed, WeightTally& tally) {
    SplitMix64 rng(97'000 + seed);
    extract::ExtractParams params = program.within(program.dsp);
    params.device = drawMemories(program.device, rng);
    const extract::ProblemParams asked{params.model, params.device, program.dsp, program.sharing,
                                       program.pins};
    const auto problem = extract::makeProblem(program.lowered, asked, {});
    ASSERT_TRUE(problem.has_value()) << program.what;
    const extract::PoolResult pools = extract::searchPools((*problem)->pool, {});
    if (pools.front.empty())
        return;
    ++tally.compared;
    (*problem)->buffers = std::make_unique<extract::BufferPlans>(params.device, params.limits);
    const Placed fastest(**problem, pools.front.front(), params);
    const double weights = fastest.allResident() - fastest.besides();
    params.limits.bram =
        fastest.besides() + std::floor(weights * static_cast<double>(rng.range(1, 21)) / 20);
    std::vector<Placed> designs;
    for (const auto price : {extract::Price::Usual, extract::Price::Least})
        addDesigns(program, asked, price, params, designs);
    const auto answer = extract::extract(program.lowered, params);
    ASSERT_TRUE(answer.has_value()) << program.what;
    judge(*answer, fastestOf(designs, params.limits.bram, tally.replays), params.limits.bram,
          program.what + " bram " + std::to_string(params.limits.bram) + " of " +
              std::to_string(fastest.allResident()) + " at " +
              std::to_string(params.device.memoryBytesPerCycle),
          tally);
}

} // namespace marquetry::test
