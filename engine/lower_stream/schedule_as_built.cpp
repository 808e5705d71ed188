#include "engine/lower_stream/schedule_as_built.h"

#include "engine/lower_stream/estimate_kernel.h"
#include "engine/spacetime/area.h"

#include <algorithm>
#include <cmath>

namespace marquetry::hdl {

namespace {

using cost::SharedEstimate;
using spacetime::StreamDesign;

/// Circuits behind the front that are priced too.
constexpr std::size_t kPricedBehind = 4;

struct Priced {
    StreamDesign design;
    SharedEstimate hardware;
    bool behind = false; ///< the front

    bool built() const { return hardware->has_value(); }
    std::int64_t latency() const { return (*hardware)->latency * (*hardware)->unit; }
};

/// LUTs and registers are whole.
device::Resources rounded(device::Resources area) {
    area.lut = std::round(area.lut);
    area.ff = std::round(area.ff);
    return area;
}

/// No larger and no later, both by the same count. What is behind the front is there to be smaller.
bool replaces(const Priced& a, const Priced& b) {
    if (!a.design.area.fits(b.design.area) || a.built() != b.built())
        return false;
    return b.behind ||
           (a.design.delay <= b.design.delay && (!a.built() || a.latency() <= b.latency()));
}

/// The lesser is the better circuit.
auto priceOf(const Priced& each, const device::Device& device) {
    return std::tuple(!each.built(), spacetime::sumOfFractions(each.design.area, device),
                      spacetime::largestFraction(each.design.area, device));
}

std::vector<Priced> frontOf(std::vector<Priced> all, const device::Device& device) {
    std::ranges::stable_sort(all, [&](const Priced& a, const Priced& b) {
        return priceOf(a, device) < priceOf(b, device);
    });
    std::vector<Priced> front;
    for (Priced& each : all) {
        if (std::ranges::none_of(front, [&](const Priced& b) { return replaces(b, each); }))
            front.push_back(std::move(each));
    }
    return front;
}

bool isPast(datapath::Deadline deadline) {
    return deadline != datapath::kNoDeadline && datapath::Deadline::clock::now() >= deadline;
}

} // namespace

Result<BuiltSchedule> asBuilt(spacetime::StreamSchedule schedule, const device::Device& device,
                              std::stop_token stop, datapath::Deadline deadline) {
    std::vector<Priced> all;
    const auto price = [&](StreamDesign design, bool behind) {
        auto hardware = estimateKernel(design.circuit, device, stop, deadline);
        if (hardware)
            design.area = rounded(hardware->area);
        all.push_back({std::move(design),
                       std::make_shared<const Result<cost::KernelEstimate>>(std::move(hardware)),
                       behind});
    };
    for (StreamDesign& design : schedule.front)
        price(std::move(design), false);
    for (StreamDesign& design : schedule.behind) {
        if (isPast(deadline) || stop.stop_requested())
            break;
        price(std::move(design), true);
        if (!all.back().built())
            all.pop_back();
    }
    if (stop.stop_requested())
        return makeError("cancelled", "the scheduler was stopped");
    BuiltSchedule result{std::move(schedule), {}};
    result.schedule.front.clear();
    result.schedule.behind.clear();
    for (Priced& each : frontOf(std::move(all), device)) {
        result.schedule.front.push_back(std::move(each.design));
        result.hardware.push_back(std::move(each.hardware));
    }
    return result;
}

Result<BuiltSchedule> scheduleAsBuilt(const ir::StreamProgram& program, std::int64_t clocks,
                                      const device::Device& device,
                                      spacetime::ScheduleParams params, std::stop_token stop,
                                      datapath::Deadline deadline) {
    params.behind = kPricedBehind;
    auto schedule = spacetime::schedule(program, clocks, device, params, stop);
    if (!schedule)
        return schedule.error();
    return asBuilt(*std::move(schedule), device, std::move(stop), deadline);
}

} // namespace marquetry::hdl
