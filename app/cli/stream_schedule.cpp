#include "app/cli/stream_schedule.h"

#include "engine/device/device_file.h"
#include "engine/session/stream_rates.h"

namespace marquetry::cli {

Result<session::StreamPace> paceOf(const ScheduleOptions& options) {
    if (options.throughput.empty())
        return session::StreamPace(options.clocks);
    const auto throughput = session::throughputNamed(options.throughput);
    if (!throughput)
        return makeError("bad-throughput",
                         "--throughput '" + options.throughput + "' is not N or N/M",
                         "1/3 is one element in three clocks, 2 are two in one");
    return session::StreamPace(*throughput);
}

Result<Scheduled> findSchedule(const ScheduleOptions& options, frontend::ParseResult parsed,
                               datapath::Deadline deadline) {
    std::string text = std::move(parsed.text);
    auto stream = frontend::selectStream(std::move(parsed), options.item);
    if (!stream)
        return stream.error();
    const auto device = device::findDevice(options.device);
    if (!device)
        return device.error();
    const auto pace = paceOf(options);
    if (!pace)
        return pace.error();
    const auto rewrites = algebra::allWithout(options.without);
    if (!rewrites)
        return rewrites.error();
    const bool states = !options.egraph.empty();
    auto scheduled = session::scheduleStream(
        *std::move(stream), *pace, *device,
        {options.seconds, *rewrites, states ? std::optional(options.within / 100) : std::nullopt,
         options.outputType},
        {}, deadline);
    if (!scheduled)
        return scheduled.error();
    return Scheduled{*std::move(scheduled), std::move(text)};
}

} // namespace marquetry::cli
