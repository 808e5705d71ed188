#include "engine/session/schedule_stream.h"

#include "engine/algebra/join_outputs.h"
#include "engine/lower_stream/schedule_as_built.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

namespace marquetry::session {

namespace {

Result<std::int64_t> clocksAt(const ir::StreamProgram& program, const StreamPace& pace) {
    if (const auto* const throughput = std::get_if<spacetime::Throughput>(&pace))
        return spacetime::clocksFor(program, *throughput);
    return std::get<std::int64_t>(pace);
}

} // namespace

Result<ScheduledStream> scheduleStream(ir::StreamProgram program, const StreamPace& pace,
                                       const device::Device& device,
                                       const spacetime::ScheduleParams& params,
                                       std::stop_token stop, datapath::Deadline deadline) {
    auto joined = algebra::withJoinedOutputs(program);
    if (!joined)
        return joined.error();
    const auto clocks = clocksAt(*joined, pace);
    if (!clocks)
        return clocks.error();
    auto built = hdl::scheduleAsBuilt(*joined, *clocks, device, params, std::move(stop), deadline);
    if (!built)
        return built.error();
    auto types = spacetime::check(built->schedule.front[0].circuit);
    ENGINE_ASSERT(types.has_value(), "a schedule is well-typed");
    return ScheduledStream{std::move(program),         *std::move(joined),
                           std::move(built->schedule), std::move(built->hardware),
                           *std::move(types),          device};
}

datapath::Deadline hardwareDeadline(bool timeGiven, double seconds) {
    constexpr double kLongest = 1e9;
    if (!timeGiven || seconds > kLongest)
        return datapath::kNoDeadline;
    return datapath::Deadline::clock::now() +
           std::chrono::duration_cast<datapath::Deadline::duration>(
               std::chrono::duration<double>(seconds));
}

} // namespace marquetry::session
