#include "app/cli/stream_schedule.h"

#include "app/cli/commands.h"
#include "app/cli/report.h"
#include "engine/algebra/join_outputs.h"
#include "engine/device/device_file.h"
#include "engine/frontend/parser.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <charconv>
#include <iostream>

namespace marquetry::cli {

using spacetime::Throughput;

namespace {

std::optional<std::int64_t> integer(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

/// "2", "1/3".
Result<Throughput> throughputOf(const std::string& text) {
    const std::size_t slash = text.find('/');
    const auto atoms = integer(std::string_view(text).substr(0, slash));
    const auto clocks = slash == std::string::npos
                            ? std::optional<std::int64_t>(1)
                            : integer(std::string_view(text).substr(slash + 1));
    if (!atoms || !clocks)
        return makeError("bad-throughput", "--throughput '" + text + "' is not N or N/M",
                         "1/3 is one element in three clocks, 2 are two in one");
    return Throughput{*atoms, *clocks};
}

Result<std::int64_t> clocksOf(const ScheduleOptions& options, const ir::StreamProgram& program) {
    if (options.throughput.empty())
        return options.clocks;
    const auto throughput = throughputOf(options.throughput);
    if (!throughput)
        return throughput.error();
    return clocksFor(program, *throughput);
}

} // namespace

Result<Scheduled> findSchedule(const ScheduleOptions& options, frontend::ParseResult parsed) {
    std::string text = std::move(parsed.text);
    auto stream = frontend::selectStream(std::move(parsed), options.item);
    if (!stream)
        return stream.error();
    const auto device = device::findDevice(options.device);
    if (!device)
        return device.error();
    auto program = algebra::withJoinedOutputs(*stream);
    if (!program)
        return program.error();
    const auto clocks = clocksOf(options, *program);
    if (!clocks)
        return clocks.error();
    const auto rewrites = algebra::allWithout(options.without);
    if (!rewrites)
        return rewrites.error();
    const bool states = !options.egraph.empty();
    auto schedule = spacetime::schedule(
        *program, *clocks, *device,
        {options.seconds, *rewrites, states ? std::optional(options.within / 100) : std::nullopt,
         options.outputType});
    if (!schedule)
        return schedule.error();
    auto types = spacetime::check(schedule->front[0].circuit);
    ENGINE_ASSERT(types.has_value(), "a schedule is well-typed");
    return Scheduled{
        *std::move(stream), *std::move(program), *std::move(schedule), *std::move(types), *device,
        std::move(text)};
}

datapath::Deadline hardwareDeadline(bool timeGiven, double seconds) {
    constexpr double kLongest = 1e9;
    if (!timeGiven || seconds > kLongest)
        return datapath::kNoDeadline;
    return datapath::Deadline::clock::now() +
           std::chrono::duration_cast<datapath::Deadline::duration>(
               std::chrono::duration<double>(seconds));
}

} // namespace marquetry::cli
