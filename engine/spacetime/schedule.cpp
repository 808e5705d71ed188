#include "engine/spacetime/schedule.h"

#include "engine/algebra/algebra.h"
#include "engine/device/lut6.h"
#include "engine/spacetime/area.h"
#include "engine/spacetime/least_area.h"
#include "engine/spacetime/match_delays.h"
#include "engine/spacetime/output_types.h"
#include "engine/spacetime/search.h"
#include "engine/spacetime/table_rom.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <iomanip>
#include <numeric>
#include <set>

namespace marquetry::spacetime {

namespace {

using Clock = std::chrono::steady_clock;

/// The search starts with at least this fraction of the device and doubles it.
constexpr double kFirstBound = 1.0 / (1 << 16);
/// No device holds what exceeds this.
constexpr double kLastBound = 1 << 16;
/// What has more than all of each resource is not worth looking for when a loop is too long: it has
/// so many lanes that no state comes back.
constexpr double kFullDevice = 4;
/// Layouts may be this much wider than the output.
constexpr std::int64_t kWidening = 16;
constexpr std::size_t kNamedThroughputs = 2; ///< on either side
/// Sums of fractions in another order differ by less.

std::int64_t elementsOf(const ir::StreamType& type) {
    if (ir::isAtom(type))
        return 1;
    const std::int64_t own = type.is(ir::StreamType::Kind::STuple) ? 1 : type.length;
    return own * elementsOf(type.element());
}

const ir::StreamType& outputType(const ir::StreamProgram& program) {
    return program.graph.node(program.graph.outputs.back().node).type;
}

/// Elements of the output per clock, at least one.
std::int64_t lanesOf(const ir::StreamType& type, std::int64_t clocks) {
    return std::max<std::int64_t>(1, elementsOf(type) / clocks);
}

Diagnostic atPlaceOf(Diagnostic error, const ir::StreamProgram& program) {
    error.file = program.file;
    if (!program.graph.outputs.empty())
        error.range = program.graph.node(program.graph.outputs.back().node).place;
    return error;
}

std::string throughputText(Throughput t) {
    return std::to_string(t.atoms) + (t.clocks == 1 ? "" : "/" + std::to_string(t.clocks));
}

bool isFeasible(const ir::StreamType& type, std::int64_t time) {
    return time >= 1 && countOutputTypes(type, time, 1) > 0;
}

/// "the nearest are …": times around the one asked for that some type takes. A sequence takes any
/// time, an atom only one clock.
std::string nearest(const ir::StreamType& type, std::int64_t time) {
    constexpr std::int64_t kTried = 64;
    std::vector<std::int64_t> times;
    const std::int64_t most = std::min(time, elementsOf(type) * kTried);
    const std::int64_t least = std::max<std::int64_t>(1, most - kTried);
    for (std::int64_t t = most; t >= least && times.size() < kNamedThroughputs; --t) {
        if (isFeasible(type, t))
            times.push_back(t);
    }
    std::ranges::reverse(times);
    const std::size_t until = times.size() + kNamedThroughputs;
    for (std::int64_t t = time + 1; t <= time + kTried && times.size() < until; ++t) {
        if (isFeasible(type, t))
            times.push_back(t);
    }
    std::string text;
    for (const std::int64_t t : times)
        text += (text.empty() ? "" : ", ") + throughputText(throughputFor(type, t));
    return text;
}

Diagnostic infeasible(const ir::StreamProgram& program, const std::string& asked,
                      std::int64_t near) {
    const ir::StreamType& type = outputType(program);
    return atPlaceOf(makeAnswer("infeasible-throughput",
                                "no type of " + ir::toString(type) + " has " + asked,
                                "the nearest are " + nearest(type, near) + " elements per clock"),
                     program);
}

Status checkClocks(std::int64_t clocks) {
    if (clocks < 1)
        return makeError("bad-throughput",
                         "an output takes at least 1 clock, not " + std::to_string(clocks),
                         "more clocks make a smaller circuit");
    if (clocks > kMaxStreamClocks)
        return makeError("bad-throughput", "an output takes at most " +
                                               std::to_string(kMaxStreamClocks) + " clocks, not " +
                                               std::to_string(clocks));
    return ok();
}

/// With more, the first circuit that reaches the lower bound ends the search.
constexpr std::size_t kManyTypes = 256;

Status checkTypes(const ir::StreamProgram& program, std::int64_t clocks) {
    const ir::StreamType& type = outputType(program);
    if (countOutputTypes(type, clocks, kMaxOutputTypes + 1) <= kMaxOutputTypes)
        return ok();
    return atPlaceOf(makeError("too-many-types",
                               "the output of " + ir::toString(type) + " has more than " +
                                   std::to_string(kMaxOutputTypes) + " types in " +
                                   std::to_string(clocks) + " clocks",
                               "unpartition makes one sequence of nested ones"),
                     program);
}

/// Leaves those that a circuit may have; at least one is there.
Status dropTooWide(std::vector<SeqType>& types, const ir::StreamProgram& program) {
    std::int64_t narrowest = std::numeric_limits<std::int64_t>::max();
    for (const SeqType& type : types)
        narrowest = std::min(narrowest, bitsPerClock(type));
    if (narrowest > kMaxBitsPerClock)
        return atPlaceOf(tooLarge("the output of " + ir::toString(outputType(program)) + " in " +
                                      std::to_string(clocks(types[0])) + " clocks has",
                                  narrowest, kMaxBitsPerClock, "bits side by side",
                                  "more clocks make a narrower circuit"),
                         program);
    std::erase_if(types, [](const SeqType& t) { return bitsPerClock(t) > kMaxBitsPerClock; });
    return ok();
}

/// Leaves only the type that is written so; all when `wanted` is empty.
Status keepType(std::vector<SeqType>& types, const std::string& wanted) {
    if (wanted.empty())
        return ok();
    const auto found =
        std::ranges::find(types, wanted, [](const SeqType& t) { return toString(t); });
    if (found == types.end())
        return makeError("type-unknown", "the output has no type \"" + wanted + "\" in this time",
                         "one that it has is " + toString(types.front()));
    types = {SeqType(*found)};
    return ok();
}

Status checkOutputs(const ir::StreamProgram& program) {
    const std::size_t outputs = program.graph.outputs.size();
    if (outputs == 1)
        return ok();
    if (outputs == 0)
        return makeError("no-output", "stream '" + program.name + "' has no output");
    return atPlaceOf(makeError("several-outputs",
                               "stream '" + program.name + "' has " + std::to_string(outputs) +
                                   " outputs; one is scheduled at a time",
                               "map2(tuple, a, b) makes one of two"),
                     program);
}

/// Implementations that no other is at most as large as, and the others; the best first.
struct Ranked {
    Search::Implementations front;
    Search::Implementations behind;
};
Ranked ranked(Search::Implementations all, const device::Device& device) {
    std::ranges::stable_sort(all, [&](const auto& a, const auto& b) {
        return std::pair(sumOfFractions(a->area, device), largestFraction(a->area, device)) <
               std::pair(sumOfFractions(b->area, device), largestFraction(b->area, device));
    });
    Ranked result;
    for (const auto& candidate : all) {
        const bool needless = std::ranges::any_of(
            result.front, [&](const auto& better) { return better->area.fits(candidate->area); });
        (needless ? result.behind : result.front).push_back(candidate);
    }
    return result;
}

/// Loops keep sequences inside sequences, whose layouts are many.
bool scans(const ir::StreamGraph& graph) {
    return std::ranges::any_of(graph.nodes, [](const ir::StreamNode& node) {
        return node.op == ir::StreamOp::Scan || (node.function && scans(*node.function));
    });
}

std::string nanoseconds(double ps) {
    TextOut text;
    text << std::fixed << std::setprecision(1) << ps / 1000;
    return text.str();
}

std::string counted(std::int64_t n, const std::string& what) {
    return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

/// Why no circuit of a scan is fast enough.
Diagnostic tooLong(const LongLoop& loop, const ir::StreamProgram& program, double limit) {
    const std::string beside =
        loop.lanes == 1 ? std::string()
                        : " through " + std::to_string(loop.lanes) + " elements side by side";
    Diagnostic error = makeAnswer(
        "loop-too-long",
        "the loop of the scan is " + nanoseconds(loop.length.ps) + " ns long" + beside +
            ": it takes at least " + counted(loop.length.clocks, "clock") + " of " +
            nanoseconds(limit) + " ns, but the next state is needed after " +
            std::to_string(loop.clocks),
        loop.lanes == 1 ? "a lower throughput leaves it more clocks, and narrower words or fewer "
                          "operators between two states make it shorter"
                        : "at a lower throughput fewer elements come side by side");
    error.file = program.file;
    error.range = loop.place;
    return error;
}

class Scheduling {
public:
    Scheduling(const ir::StreamProgram& program, const device::Device& device, SearchLimits limits,
               algebra::Rewrites rewrites, std::int64_t clocks)
        : program_(program),
          graph_(algebra::rewritten(program.graph, rewrites, lanesOf(outputType(program), clocks))),
          device_(device),
          limits_(std::move(limits)),
          layouts_(device, limits_.until()),
          clocks_(clocks) {}

    Result<StreamSchedule> run(const ScheduleParams& params) && {
        const std::int64_t clocks = clocks_;
        StreamSchedule result;
        const ir::StreamType& type = outputType(program_);
        result.clocks = clocks;
        result.throughput = throughputFor(type, clocks);
        result.outputTypes = outputTypes(type, clocks);
        if (result.outputTypes.empty())
            return infeasible(program_, std::to_string(clocks) + " clocks", clocks);
        if (const Status narrow = dropTooWide(result.outputTypes, program_); !narrow)
            return narrow.error();
        if (const Status known = keepType(result.outputTypes, params.outputType); !known)
            return known.error();
        const auto found = searchAll(result);
        if (!found)
            return found.error();
        const Implementation& least = *found->front[0];
        result.leastFraction = result.complete ? sumOfFractions(least.area, device_)
                                               : least_->fraction(graph_, clocks_);
        if (params.statesWithin)
            result.stateGraph = statesOf(least, *params.statesWithin);
        if (const Status written = write(*found, params.behind, result); !written)
            return written.error();
        return result;
    }

private:
    /// Those on the front that are no smaller than one before them, and no earlier, are behind it.
    Status write(const Ranked& found, std::size_t behind, StreamSchedule& result) {
        for (const auto& implementation : found.front) {
            auto design = designOf(*implementation);
            if (!design)
                return design.error();
            const bool needless = std::ranges::any_of(result.front, [&](const auto& better) {
                return better.area.fits(design->area) && better.delay <= design->delay;
            });
            if (!needless)
                result.front.push_back(*std::move(design));
            else if (result.behind.size() < behind)
                result.behind.push_back(*std::move(design));
        }
        for (const auto& implementation : found.behind) {
            if (result.behind.size() >= behind)
                break;
            auto design = designOf(*implementation);
            if (!design)
                return design.error();
            result.behind.push_back(*std::move(design));
        }
        return ok();
    }

    Result<Ranked> searchAll(StreamSchedule& result) {
        for (const SeqType& type : result.outputTypes) {
            outputs_.insert(layouts_.intern(type));
            limits_.maxBits = std::max(limits_.maxBits,
                                       std::min(kWidening * bitsPerClock(type), kMaxBitsPerClock));
        }
        limits_.program = &graph_;
        limits_.waysOfWires = scans(graph_);
        least_.emplace(device_, limits_.maxBits, limits_.until());
        Search::Implementations all;
        for (const bool changes : {false, true}) {
            if (isProved(all))
                break;
            limits_.changes = changes;
            const double first =
                all.empty() ? leastBound() : bestOf(all); // known: nothing above it
            const Found found = withinDoublingBounds(first, bestOf(all));
            result.states += found.states;
            all.insert(all.end(), found.all.begin(), found.all.end());
            if (limits_.stop.stop_requested())
                return makeError("cancelled", "the scheduler was stopped");
            if (found.stopped && all.empty())
                return makeAnswer("time-limit", "the time ended before a schedule was found",
                                  "allow more time, or ask for another throughput");
            result.complete = !found.stopped;
            if (found.stopped)
                break;
            for (const auto& implementation : found.all)
                limits_.designs.push_back(implementation->area);
        }
        if (all.empty())
            return nothingFound(result.clocks);
        return ranked(std::move(all), device_);
    }

    Diagnostic nothingFound(std::int64_t clocks) const {
        if (longLoop_)
            return tooLong(*longLoop_, program_, loopLimit(device_));
        return atPlaceOf(
            makeAnswer(
                "no-schedule",
                "no circuit of stream '" + program_.name + "' takes " + std::to_string(clocks) +
                    " clocks",
                "more clocks: a reduce with a product takes the next value when the product is "
                "there"),
            program_);
    }

    double bestOf(const Search::Implementations& all) const {
        double least = kLastBound;
        for (const auto& implementation : all)
            least = std::min(least, sumOfFractions(implementation->area, device_));
        return least;
    }

    /// Searches once more, for everything that is not much larger than the chosen circuit.
    StateGraph statesOf(const Implementation& chosen, double within) {
        StateRecord record(graph_, layouts_);
        SearchLimits limits = limits_;
        limits.changes = true;
        limits.designs.clear();
        limits.record = &record;
        Search search(layouts_, *least_, device_, std::move(limits));
        const double bound = sumOfFractions(chosen.area, device_) * (1 + within);
        const ir::StreamNodeId value = withoutRegrouping(graph_, graph_.outputs[0].node);
        for (const LayoutId output : outputs_) {
            record.root(value, output);
            search.implementations(graph_, output, {}, bound);
        }
        record.choose(chosen);
        return record.finish(!search.stopped());
    }

    /// No program is below it.
    double leastBound() {
        return std::clamp(least_->fraction(graph_, clocks_), kFirstBound, kLastBound);
    }

    /// With many types of the output, a circuit that is as small as any can be is enough.
    bool isProved(const Search::Implementations& all) {
        return outputs_.size() > kManyTypes &&
               bestOf(all) <= least_->fraction(graph_, clocks_) + kRounding;
    }

    struct Found {
        Search::Implementations all;
        std::int64_t states = 0;
        bool stopped = false;
    };

    /// What the first bound that admits something admits; the last bound is `last`.
    Found withinDoublingBounds(double first, double last) {
        Found result;
        for (double bound = first;; bound *= 2) {
            Search search(layouts_, *least_, device_, limits_);
            for (const LayoutId output : outputs_) {
                const auto& found =
                    search.implementations(graph_, output, {}, std::min(bound, last));
                result.all.insert(result.all.end(), found.begin(), found.end());
                if (search.stopped() || isProved(result.all))
                    break;
            }
            result.states += search.states();
            result.stopped = search.stopped();
            longLoop_ = search.longLoop() ? search.longLoop() : longLoop_;
            const bool isEnd = bound >= last || (longLoop_ && bound >= kFullDevice);
            if (result.stopped || !result.all.empty() || isEnd)
                return result;
        }
    }

    Result<StreamDesign> designOf(const Implementation& implementation) {
        const Graph plain = circuitOf(implementation, layouts_);
        auto matched = matchDelays(plain, limits_.stop);
        if (!matched)
            return matched.error();
        StreamDesign design;
        design.circuit = *std::move(matched);
        design.area = design.counted = area(design.circuit, device_);
        design.matching = design.counted + -1.0 * implementation.area;
        const auto clocks = delay(design.circuit, DelayModel::Ours);
        if (!clocks)
            return clocks.error();
        design.delay = *clocks;
        return design;
    }

    const ir::StreamProgram& program_;
    const ir::StreamGraph graph_;
    const device::Device& device_;
    SearchLimits limits_;
    LayoutTable layouts_;
    const std::int64_t clocks_;
    std::optional<LeastAreaTable> least_;
    std::set<LayoutId> outputs_;
    std::optional<LongLoop> longLoop_;
};

} // namespace

Status checkDevice(const device::Device& device) {
    if (device::hasLut6(device))
        return ok();
    return makeError("unsupported-device",
                     "streams are priced in 6-input LUTs with shift registers, which " + device.id +
                         " (" + device.family + ", " + device.lutUnit + ") has not",
                     "devices of the families xc7 and xcup have them, as xc7k160t");
}

Throughput throughputFor(const ir::StreamType& output, std::int64_t clocks) {
    const std::int64_t n = elementsOf(output);
    const std::int64_t divisor = std::gcd(n, clocks);
    return {n / divisor, clocks / divisor};
}

Result<std::int64_t> clocksFor(const ir::StreamProgram& program, Throughput throughput) {
    if (const Status outputs = checkOutputs(program); !outputs)
        return outputs.error();
    if (throughput.atoms <= 0 || throughput.clocks <= 0)
        return makeError("bad-throughput",
                         "a throughput is more than 0 elements per clock, not " +
                             throughputText(throughput),
                         "1/3 is one element in three clocks, 2 are two in one");
    const ir::StreamType& type = outputType(program);
    const auto total = checkedMul(elementsOf(type), throughput.clocks);
    if (!total)
        return makeError("bad-throughput", "a throughput of " + throughputText(throughput) +
                                               " takes more clocks than can be counted");
    // Less than a clock is infeasible: the nearest say more.
    const std::int64_t clocks = *total / throughput.atoms;
    if (const Status countable = checkClocks(std::max<std::int64_t>(clocks, 1)); !countable)
        return countable.error();
    if (*total % throughput.atoms != 0)
        return infeasible(program, throughputText(throughput) + " elements per clock", clocks);
    return clocks;
}

Result<StreamSchedule> schedule(const ir::StreamProgram& program, std::int64_t clocks,
                                const device::Device& device, const ScheduleParams& params,
                                std::stop_token stop) {
    if (const Status outputs = checkOutputs(program); !outputs)
        return outputs.error();
    if (const Status countable = checkClocks(clocks); !countable)
        return countable.error();
    if (const Status priced = checkDevice(device); !priced)
        return priced.error();
    if (const Status types = checkTypes(program, clocks); !types)
        return types.error();
    if (const Status tables = checkTables(program, device); !tables)
        return tables.error();
    SearchLimits limits;
    const auto start = Clock::now();
    if (params.seconds < 1e9)
        limits.deadline = start + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(params.seconds));
    limits.stop = std::move(stop);
    auto result =
        Scheduling(program, device, std::move(limits), params.rewrites, clocks).run(params);
    if (result)
        result->seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

} // namespace marquetry::spacetime
