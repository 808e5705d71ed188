#include "engine/frontend/memory_accesses.h"

#include "engine/ir/memory_lanes.h"
#include "engine/support/limits.h"

namespace marquetry::frontend {

namespace {

std::string join(const std::vector<std::int64_t>& numbers) {
    std::string text;
    for (const std::int64_t n : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(n);
    return text;
}

/// "i = 3, ?row = 0": the values of iterators and unknowns in lane `lane`.
std::string moment(const ir::MemoryNest& nest, const ir::UnrolledNest& unrolled,
                   const ir::MemoryLane& lane, const std::vector<std::int64_t>& at) {
    std::string text;
    for (std::size_t g = 0; g < at.size(); ++g) {
        const ir::Generator& generator = unrolled.generators[g];
        if (generator.split)
            continue;
        const std::int64_t inLane = g < nest.loops.size() ? nest.loops[g].step * lane.ids[g] : 0;
        text += (text.empty() ? "" : ", ") + generator.name + " = " +
                std::to_string(generator.valueAt(at[g]) + inLane);
    }
    return text;
}

void checkPresence(const ir::MemoryProgram& memory, const ir::MemoryNest& nest,
                   const ir::UnrolledNest& unrolled, Reporter& reporter) {
    for (std::size_t r = 0; r < nest.references.size(); ++r) {
        const ir::MemoryReference& reference = nest.references[r];
        const ir::Presence counted = presence(unrolled, r, memory.type.dims);
        if (counted.inside == 0) {
            reporter.report(makeError("never-inside",
                                      "'" + reference.text + "' is never inside '" + memory.array +
                                          "[" + join(memory.type.dims) + "]'",
                                      "check the index and the ranges of the loops"),
                            reference.place);
        } else if (counted.exact && counted.inside < counted.total) {
            reporter.report(makeWarning("sometimes-outside",
                                        "'" + reference.text + "' is outside the array in " +
                                            std::to_string(counted.total - counted.inside) +
                                            " of " + std::to_string(counted.total) +
                                            " cases and does not happen there"),
                            reference.place);
        }
    }
}

void checkWrites(const ir::MemoryProgram& memory, const ir::MemoryNest& nest,
                 const ir::UnrolledNest& unrolled, Reporter& reporter) {
    const auto [clash, complete] = findDoubleWrite(nest, unrolled, memory.type.dims);
    if (!complete && !clash)
        reporter.report(makeWarning("unchecked-writes",
                                    "two of the loop's writes could meet in cases that were not "
                                    "looked at: more than " +
                                        std::to_string(ir::kEnumerationLimit) +
                                        ", or of unknown values that nothing bounds"),
                        nest.place);
    if (!clash)
        return;
    const ir::MemoryLane& first = unrolled.lanes[clash->first];
    const ir::MemoryLane& second = unrolled.lanes[clash->second];
    const ir::MemoryReference& reference = nest.references[second.reference];
    Diagnostic error =
        makeError("double-write",
                  "two writes of one cycle to '" + memory.array + "[" + join(clash->address) + "]'",
                  "write an address once per cycle, or lower 'par'");
    error.notes = {"'" + nest.references[first.reference].text + "' at " +
                       moment(nest, unrolled, first, clash->at),
                   "'" + reference.text + "' at " + moment(nest, unrolled, second, clash->at)};
    reporter.report(std::move(error), reference.place);
}

/// Unknown values of a cycle, as many as there can be: each lane keeps a factor for each of them.
std::int64_t unknownValues(const ir::MemoryNest& nest) {
    std::int64_t count = 0;
    const auto add = [&](const std::vector<std::size_t>& loops) {
        std::int64_t copies = 1;
        for (const std::size_t loop : loops)
            copies *= nest.loops[loop].parallel; // all together are at most the lanes
        count += copies;
    };
    for (const ir::MemorySymbol& symbol : nest.symbols)
        add(symbol.loops);
    for (const std::vector<std::size_t>& apart : driftOf(nest))
        if (!apart.empty())
            add(apart);
    return count;
}

} // namespace

void checkAccesses(const ir::MemoryProgram& memory, Reporter& reporter) {
    for (const ir::MemoryNest& nest : memory.nests) {
        if (ir::laneCount(nest) > kMaxMemoryLanes) {
            reporter.report(
                makeError("too-many-lanes",
                          "the loop makes more than " + std::to_string(kMaxMemoryLanes) +
                              " accesses in one cycle",
                          "lower 'par': every access of a cycle needs a port of a bank"),
                nest.place);
            continue;
        }
        constexpr std::int64_t kMostFactors = std::int64_t{1} << 25;
        const std::int64_t factors = ir::laneCount(nest) * unknownValues(nest);
        if (factors > kMostFactors) {
            reporter.report(makeError("too-many-lanes",
                                      "the accesses of one cycle depend on " +
                                          std::to_string(unknownValues(nest)) +
                                          " values that nobody knows",
                                      "lower 'par', or let fewer lanes drift apart"),
                            nest.place);
            continue;
        }
        const ir::UnrolledNest unrolled = unroll(nest);
        checkPresence(memory, nest, unrolled, reporter);
        checkWrites(memory, nest, unrolled, reporter);
    }
}

} // namespace marquetry::frontend
