#include "engine/extract/bounds.h"

#include "engine/cost/call_timing.h"
#include "engine/extract/joins.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace marquetry::extract {

std::int64_t transferCycles(const rules::Lowered& lowered) {
    const ir::Program& program = *lowered.program;
    std::int64_t cycles = 0;
    for (ir::ValueId input : program.inputs) {
        const ir::Type& type = program.value(input).type;
        const rules::StoredExtent stored = rules::storedExtent(type);
        cycles +=
            cost::loadCycles(stored.pixels(), stored.channels, ir::info(type.scalar).bytes * 8);
    }
    for (const ir::Output& output : program.outputs) {
        const ir::ValueId value = lowered.plan.storage[output.value.index()];
        const ir::Type& type = program.value(value).type;
        const rules::StoredExtent stored = rules::storedExtent(type);
        cycles +=
            cost::storeCycles(stored.pixels(), stored.channels, ir::info(type.scalar).bytes * 8);
    }
    return cycles;
}

namespace {

/// Two joined calls take at least as long as the longer one. The greatest sum of what that saves.
double overlapOf(const std::vector<bool>& joinable, const std::vector<double>& cycles) {
    std::vector<std::int64_t> savings(cycles.size(), 0);
    for (std::size_t k = 1; k < cycles.size(); ++k)
        if (joinable[k])
            savings[k] = static_cast<std::int64_t>(std::ceil(std::min(cycles[k - 1], cycles[k])));
    const std::vector<bool> joined = bestJoins(savings);
    double saved = 0;
    for (std::size_t k = 0; k < cycles.size(); ++k)
        saved += joined[k] ? static_cast<double>(savings[k]) : 0;
    return saved;
}

double leastCycles(const ExtractionProblem& problem, std::size_t call) {
    double least = std::numeric_limits<double>::infinity();
    for (const PrivateOption& option : problem.pool.demand(call).options)
        if (option.dsp <= problem.pool.dspLimit)
            least = std::min(least, option.time);
    for (int e = 0; e < static_cast<int>(problem.pool.entries.size()); ++e)
        for (const ViaOption& option : problem.pool.via(e, call))
            least = std::min(least, option.time);
    return least;
}

} // namespace

std::vector<double> leastCallCycles(const ExtractionProblem& problem) {
    std::vector<double> cycles;
    for (std::size_t c = 0; c < problem.calls.size(); ++c)
        cycles.push_back(leastCycles(problem, c));
    return cycles;
}

double mostOverlap(const ExtractionProblem& problem) {
    std::vector<double> cycles = leastCallCycles(problem);
    for (double& call : cycles)
        call = std::isinf(call) ? 0 : call;
    return overlapOf(problem.joinable, cycles);
}

double cyclesLowerBound(const ExtractionProblem& problem, const PoolResult& result,
                        const ExtractParams& params) {
    if (params.model != design::CostModel::Cycles)
        return result.lowerBound;
    const double transfer = static_cast<double>(transferCycles(*problem.lowered));
    double bound = transfer;
    double capacity = 0; // bytes of weights that block RAM could hold
    for (const device::RamShape& shape : params.device.ramShapes)
        capacity = std::max(capacity, static_cast<double>(shape.width) *
                                          static_cast<double>(shape.depth) / 8.0);
    capacity *= params.limits.bram;
    struct Gain {
        double cycles;
        double bytes;
    };
    std::vector<Gain> gains;
    std::vector<double> slowest; // by call, of those the bound counts
    for (std::size_t c = 0; c < problem.calls.size(); ++c) {
        const double least = leastCycles(problem, c);
        const double bytes = static_cast<double>(problem.calls[c].weightElements) *
                             (problem.calls[c].weightBits / 8.0);
        double external = least;
        if (params.device.memoryBytesPerCycle > 0 && bytes > 0)
            external = std::max(least, std::ceil(bytes / params.device.memoryBytesPerCycle)) +
                       static_cast<double>(params.device.memoryLatencyCycles);
        bound += external;
        slowest.push_back(external);
        if (bytes > 0)
            gains.push_back({external - least, bytes});
    }
    std::ranges::sort(gains, [](const Gain& a, const Gain& b) {
        return a.cycles * b.bytes > b.cycles * a.bytes;
    });
    for (const Gain& gain : gains) {
        const double share = std::min(1.0, capacity / gain.bytes);
        bound -= share * gain.cycles;
        capacity -= share * gain.bytes;
    }
    bound = std::max(transfer, bound - overlapOf(problem.joinable, slowest));
    return std::min(bound, std::numeric_limits<double>::max());
}

} // namespace marquetry::extract
