#include "engine/session/stream_rates.h"

#include "engine/spacetime/output_types.h"
#include "engine/spacetime/schedule.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace marquetry::session {

namespace {

/// Elements a clock on offer, unless there are few elements at all.
constexpr std::int64_t kMostLanes = 16;
constexpr std::int64_t kFewElements = 4096;
constexpr std::array<std::int64_t, 4> kSlower{2, 3, 4, 8};

const ir::StreamType& outputType(const ir::StreamProgram& program) {
    return program.graph.node(program.graph.outputs.back().node).type;
}

std::int64_t elementsOf(const ir::StreamType& type) {
    return spacetime::throughputFor(type, 1).atoms;
}

std::optional<std::int64_t> integerNamed(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::int64_t outputElements(const ir::StreamProgram& program) {
    return elementsOf(outputType(program));
}

StreamRate rateOf(const ir::StreamProgram& program, std::int64_t clocks) {
    StreamRate rate;
    rate.clocks = clocks;
    rate.throughput = spacetime::throughputFor(outputType(program), clocks);
    return rate;
}

std::vector<StreamRate> ratesOf(const ir::StreamProgram& program) {
    const ir::StreamType& type = outputType(program);
    std::int64_t longest = elementsOf(type);
    for (const ir::StreamNodeId input : program.graph.inputs)
        longest = std::max(longest, elementsOf(program.graph.node(input).type));
    std::set<std::int64_t> clocks;
    const std::int64_t lanes = longest <= kFewElements ? longest : kMostLanes;
    for (std::int64_t l = 1; l <= lanes; ++l)
        if (longest % l == 0)
            clocks.insert(longest / l);
    for (const std::int64_t k : kSlower)
        if (const auto slower = checkedMul(longest, k); slower && *slower <= kMaxStreamClocks)
            clocks.insert(*slower);
    std::vector<StreamRate> rates;
    for (const std::int64_t time : clocks)
        if (spacetime::countOutputTypes(type, time, 1) > 0)
            rates.push_back(rateOf(program, time));
    return rates;
}

Status checkThroughput(const StreamItem& item, std::int64_t clocks) {
    const ir::StreamType& type = outputType(*item.program);
    if (clocks >= 1 && clocks <= kMaxStreamClocks &&
        spacetime::countOutputTypes(type, clocks, 1) > 0)
        return ok();
    std::string near;
    for (const StreamRate& rate : item.rates)
        near += (near.empty() ? "" : ", ") + toText(rate.throughput);
    return makeAnswer("infeasible-throughput",
                      "no type of " + ir::toString(type) + " takes " + std::to_string(clocks) +
                          " clocks",
                      "some that there are: " + near + " elements per clock");
}

Status checkType(const StreamItem& item, std::int64_t clocks, const std::string& wanted) {
    const ir::StreamType& type = outputType(*item.program);
    if (wanted.empty() ||
        spacetime::countOutputTypes(type, clocks, kMaxOutputTypes + 1) > kMaxOutputTypes)
        return ok(); // the scheduler says what is wrong
    for (const spacetime::SeqType& each : spacetime::outputTypes(type, clocks))
        if (toString(each) == wanted)
            return ok();
    return makeError("type-unknown",
                     "the output has no type \"" + wanted + "\" in " + std::to_string(clocks) +
                         " clocks",
                     "choose one of the list");
}

std::string toText(spacetime::Throughput throughput) {
    return std::to_string(throughput.atoms) +
           (throughput.clocks == 1 ? "" : "/" + std::to_string(throughput.clocks));
}

std::optional<spacetime::Throughput> throughputNamed(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto atoms = integerNamed(text.substr(0, slash));
    const auto clocks = slash == std::string_view::npos ? std::optional<std::int64_t>(1)
                                                        : integerNamed(text.substr(slash + 1));
    if (!atoms || !clocks)
        return std::nullopt;
    return spacetime::Throughput{*atoms, *clocks};
}

} // namespace marquetry::session
