#include "tests/session/ledger/expected_ledger.h"

#include "engine/design/cycle_model.h"
#include "engine/design/make_ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>

namespace marquetry::test {

namespace {

using design::ClockPart;
using design::LedgerClocks;
using design::LedgerRow;

/// Clocks of a call between its set-up and its drain, walked reduction by reduction.
struct Walked {
    std::int64_t taking = 0;
    std::int64_t idle = 0; ///< no word is taken, as results still leave
};

/// Words of a reduction, as the nest in schedule.h takes them.
std::int64_t wordsOfReduction(const design::Schedule& schedule, const design::ComputeStep& step) {
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    if (!unit.reduces())
        return 1;
    const auto& window = schedule.slot(schedule.tensor(step.input).slot).window;
    std::int64_t words = 0;
    for (std::int64_t ky = 0; ky < step.kernel.vertical; ky += window ? window->rows : 1) {
        const std::int64_t ofRow = step.kernel.horizontal * step.channelWords;
        const std::int64_t atOnce = unit.lanewise() ? 1 : unit.span;
        for (std::int64_t word = 0; word < (window ? 1 : ofRow); word += atOnce)
            ++words;
    }
    return words;
}

/// Results of a reduction leave one group a clock, and the next reduction ends no sooner than the
/// last of them has left.
Walked walk(const design::Schedule& schedule, const design::ComputeStep& step) {
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    const std::int64_t words = wordsOfReduction(schedule, step);
    const std::int64_t groups = unit.groups(schedule.lanes);
    Walked walked;
    std::int64_t clock = 0;
    std::int64_t left = 0;
    for (std::int64_t frame = 0; frame < schedule.framesAtOnce(); ++frame)
        for (std::int64_t pixel = 0; pixel < step.height * step.width; ++pixel)
            for (std::int64_t block = 0; block < step.rowBlocks; ++block) {
                while (clock + words < left) {
                    ++clock;
                    ++walked.idle;
                }
                clock += words;
                walked.taking += words;
                left = clock + groups;
            }
    return walked;
}

/// Every weight is one.
std::vector<ir::Tensor> onesOf(const ir::Program& program) {
    std::vector<ir::Tensor> values;
    for (const ir::Value& value : program.values) {
        values.push_back({value.type, {}});
        values.back().data.assign(static_cast<std::size_t>(value.type.elements()), 1);
    }
    return values;
}

/// Of a unit's packed weights those of a call that are not zero; each meets every pixel once.
std::int64_t productsOf(const design::Schedule& schedule, const design::ComputeStep& step,
                        const std::vector<std::int64_t>& packed) {
    const std::int64_t words = step.rowBlocks * wordsOfReduction(schedule, step);
    const std::int64_t elements = schedule.unit(step.unit).weightElements(schedule.lanes);
    std::int64_t weights = 0;
    for (std::int64_t k = step.weightBase * elements; k < (step.weightBase + words) * elements; ++k)
        weights += packed[static_cast<std::size_t>(k)] != 0 ? 1 : 0;
    return weights * schedule.framesAtOnce() * step.height * step.width;
}

void expectCall(const design::Schedule& schedule, const design::ComputeStep& step,
                const LedgerRow& row, const std::vector<std::int64_t>& packed) {
    const design::ScheduleUnit& unit = schedule.unit(step.unit);
    if (unit.stream) {
        EXPECT_EQ(row.clocks.taking, 0);
        EXPECT_GT(row.clocks.elements, 0);
        return;
    }
    const Walked walked = walk(schedule, step);
    EXPECT_EQ(row.clocks.taking + row.clocks.elements, walked.taking);
    EXPECT_EQ(row.clocks.writeBack, walked.idle);
    EXPECT_EQ(row.clocks.taking > 0, !unit.pass);
    if (unit.pass)
        return;
    // A kernel of one dimension is spread over a matrix, of which nothing lies outside the image.
    if (step.weight && step.stencilPad) {
        EXPECT_LE(productsOf(schedule, step, packed), row.clocks.multiplications);
    } else if (step.weight) {
        EXPECT_EQ(productsOf(schedule, step, packed), row.clocks.multiplications);
    }
    EXPECT_LE(row.clocks.multiplications, row.clocks.taking * unit.weightElements(schedule.lanes));
}

bool isJoined(const design::Step& step) {
    const auto* call = std::get_if<design::ComputeStep>(&step);
    return call != nullptr && call->joinedAfter.has_value();
}

/// Clocks in which a step is handed to another queue, and in which the sequencer sees that the last
/// one has ended there.
std::int64_t givenTo(const design::Schedule& schedule, std::size_t step) {
    if (schedule.orderOf(step).queue == design::Queue::Calls)
        return 0;
    return step + 1 == schedule.steps.size() ? 2 : 1;
}

/// Of steps that run one after another all clocks are theirs; of joined ones those in which both
/// run are of the longer one.
std::vector<std::int64_t> expectedCycles(const design::Schedule& schedule,
                                         const std::vector<std::int64_t>& waits) {
    std::vector<std::int64_t> cycles;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s)
        cycles.push_back(cyclesAlone(schedule, schedule.steps[s]) + waits[s]);
    for (std::size_t s = 1; s < schedule.steps.size(); ++s)
        if (isJoined(schedule.steps[s])) {
            const auto after = *std::get<design::ComputeStep>(schedule.steps[s]).joinedAfter;
            const std::int64_t both = cycles[s - 1] - after;
            cycles[cycles[s] > cycles[s - 1] ? s - 1 : s] -= both;
        }
    return cycles;
}

void expectSteps(const design::Design& design, const ir::Program& program,
                 const design::Ledger& ledger) {
    const design::Schedule& schedule = *design.schedule;
    const design::CyclePrediction prediction = design::predictCycles(schedule);
    const std::vector<ir::Tensor> ones = onesOf(program);
    std::vector<std::vector<std::int64_t>> packed;
    for (const design::ScheduleUnit& unit : schedule.units)
        packed.push_back(packWeights(schedule, unit.id, program, ones));
    ASSERT_EQ(ledger.steps.size(), schedule.steps.size());
    const std::vector<std::int64_t> cycles = expectedCycles(schedule, prediction.waits);
    std::int64_t end = 0;
    for (std::size_t s = 0; s < schedule.steps.size(); ++s) {
        const LedgerRow& row = ledger.steps[s];
        SCOPED_TRACE("step " + std::to_string(s) + " " + row.name);
        const design::Step& step = schedule.steps[s];
        if (schedule.order.empty()) {
            EXPECT_EQ(row.clocks.cycles(), cycles[s]);
        }
        EXPECT_EQ(row.clocks.waiting, prediction.waits[s]);
        EXPECT_EQ(row.clocks.alone(),
                  cyclesAlone(schedule, step) + prediction.waits[s] + givenTo(schedule, s));
        EXPECT_GT(row.clocks.drain, 0);
        EXPECT_GE(row.clocks.overlap, 0);
        EXPECT_GE(row.clocks.padding(), -1e-6);
        EXPECT_GE(row.begin, 0);
        end += prediction.steps[s];
        if (schedule.order.empty()) {
            EXPECT_EQ(row.begin + row.clocks.alone(), end);
        }
        if (const auto* compute = std::get_if<design::ComputeStep>(&step))
            expectCall(schedule, *compute, row, packed[compute->unit.index()]);
    }
}

/// Whether a pool of the layer leaves some of its pixels out.
bool dropsPixels(const design::Schedule& schedule, const std::string& layer) {
    for (const design::Step& step : schedule.steps)
        if (const auto* call = std::get_if<design::ComputeStep>(&step);
            call && call->layer == layer && call->epilogue.poolSize > 1)
            return true;
    return false;
}

void expectLayers(const design::Design& design, const design::Ledger& ledger) {
    std::map<std::string, const LedgerRow*> layers;
    for (const LedgerRow& row : ledger.layers)
        if (!row.isTransfer()) {
            EXPECT_TRUE(layers.emplace(row.name, &row).second) << row.name << " is there twice";
        }
    EXPECT_EQ(layers.size(), design.calls.size());
    const bool oneByOne =
        design.schedule->order.empty() && std::ranges::none_of(design.schedule->steps, isJoined);
    std::int64_t transfers = design.cycles;
    for (const design::DesignCall& call : design.calls) {
        SCOPED_TRACE("layer " + call.layer);
        ASSERT_TRUE(layers.contains(call.layer));
        const LedgerRow& row = *layers[call.layer];
        EXPECT_EQ(row.clocks.alone(), call.cycles);
        if (oneByOne) {
            EXPECT_EQ(row.clocks.overlap, 0);
        }
        EXPECT_EQ(row.unitName, design.unit(call.unit).name);
        EXPECT_EQ(row.bound == ClockPart::Waiting, call.memoryBound);
        const bool multiplies = design.unit(call.unit).multipliers > 0;
        // Pixels that no pool takes are not computed.
        EXPECT_LE(row.clocks.multiplications, multiplies ? design.frames * call.macs : 0);
        EXPECT_EQ(row.clocks.multiplications > 0, multiplies && call.macs > 0);
        if (!dropsPixels(*design.schedule, call.layer)) {
            EXPECT_EQ(row.clocks.multiplications, multiplies ? design.frames * call.macs : 0);
        }
        transfers -= row.clocks.cycles();
    }
    if (oneByOne) {
        EXPECT_EQ(transfers, design.transferCycles);
    }
}

/// The clocks of the run by parts: of a step that it does not always wait for, a share of each.
void expectBinding(const design::Ledger& ledger) {
    EXPECT_FALSE(ledger.binding.text.empty());
    std::array<double, design::kClockParts> parts{};
    double all = 0;
    for (const LedgerRow& step : ledger.steps)
        for (std::size_t k = 0; k < design::kClockParts; ++k) {
            const double share = static_cast<double>(step.clocks.cycles()) /
                                 static_cast<double>(step.clocks.alone());
            parts[k] += share * step.clocks.of(static_cast<ClockPart>(k));
            all += share * step.clocks.of(static_cast<ClockPart>(k));
        }
    EXPECT_NEAR(all, static_cast<double>(ledger.cycles), 1e-3);
    for (const double part : parts)
        EXPECT_LE(part, parts[static_cast<std::size_t>(ledger.binding.part)] + 1e-6);
}

void expectUnits(const design::Design& design, const design::Ledger& ledger) {
    ASSERT_EQ(ledger.units.size(), design.units.size());
    std::int64_t multipliers = 0;
    for (std::size_t u = 0; u < design.units.size(); ++u) {
        SCOPED_TRACE("unit " + design.units[u].name);
        EXPECT_EQ(ledger.units[u].name, design.units[u].name);
        EXPECT_EQ(ledger.units[u].multipliers, design.units[u].multipliers);
        multipliers += design.units[u].multipliers;
        EXPECT_NEAR(static_cast<double>(ledger.units[u].clocks.alone()),
                    design.units[u].busy * static_cast<double>(design.cycles), 0.5);
    }
    if (design.utilisation) {
        EXPECT_GE(*design.utilisation * static_cast<double>(multipliers * design.cycles),
                  static_cast<double>(ledger.total.multiplications) - 0.5);
    }
}

void expectResources(const design::Design& design, const design::Ledger& ledger,
                     const device::Resources& limits) {
    const double used[] = {design.resources.dsp, design.resources.bram, design.resources.lut,
                           design.resources.ff};
    const double most[] = {limits.dsp, limits.bram, limits.lut, limits.ff};
    ASSERT_EQ(ledger.resources.size(), 4U);
    for (std::size_t k = 0; k < 4; ++k) {
        const design::LedgerResource& resource = ledger.resources[k];
        SCOPED_TRACE(resource.name);
        EXPECT_EQ(resource.used, used[k]);
        EXPECT_EQ(resource.limit, most[k]);
        double sum = 0;
        for (const design::ResourceUser& user : resource.users) {
            EXPECT_GT(user.amount, 0) << user.name;
            sum += user.amount;
        }
        EXPECT_NEAR(sum, resource.used, 1e-5);
        EXPECT_TRUE(std::ranges::is_sorted(resource.users, std::ranges::greater(),
                                           &design::ResourceUser::amount));
    }
}

} // namespace

void expectLedger(const design::Design& design, const ir::Program& program,
                  const device::Device& device, const device::Resources& limits) {
    const design::Ledger ledger = design::makeLedger(design, device, limits);
    ASSERT_TRUE(design.schedule);
    EXPECT_EQ(ledger.missing, "");
    EXPECT_EQ(ledger.cycles, design.cycles);
    EXPECT_EQ(ledger.total.cycles(), design::predictCycles(*design.schedule).total);
    EXPECT_EQ(ledger.frames, design.frames);
    for (const auto* rows : {&ledger.layers, &ledger.steps}) {
        LedgerClocks sum;
        double shares = 0;
        for (const LedgerRow& row : *rows) {
            sum += row.clocks;
            shares += ledger.share(row);
        }
        EXPECT_EQ(sum.cycles(), design.cycles);
        EXPECT_EQ(sum.overlap, ledger.total.overlap);
        EXPECT_EQ(sum.multiplications, ledger.total.multiplications);
        EXPECT_NEAR(shares, 1, 1e-9);
    }
    expectSteps(design, program, ledger);
    expectLayers(design, ledger);
    expectUnits(design, ledger);
    expectResources(design, ledger, limits);
    expectBinding(ledger);
}

void SeenParts::add(const design::Ledger& ledger) {
    for (std::size_t k = 0; k < design::kClockParts; ++k)
        parts[k] += ledger.total.of(static_cast<ClockPart>(k)) > 0 ? 1 : 0;
    overlaps += ledger.total.overlap > 0 ? 1 : 0;
    for (const LedgerRow& row : ledger.layers) {
        bounds += row.bound != ClockPart::Multiplying ? 1 : 0;
        external += row.weights && row.weights->external ? 1 : 0;
    }
}

} // namespace marquetry::test
