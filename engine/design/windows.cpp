#include "engine/design/windows.h"

#include "engine/cost/call_words.h"

namespace marquetry::design {

namespace {

/// Windows at `results` positions of an axis reach out of its `extent` elements.
bool reachOut(std::int64_t extent, std::int64_t results, std::int64_t kernel, std::int64_t stride,
              std::int64_t pad) {
    return pad > 0 || (results - 1) * stride + kernel - pad > extent;
}

} // namespace

std::int64_t runWords(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    const cost::WindowWords window{1, step.kernel.horizontal, step.channelWords};
    return window.ofRow(unit.lanewise() ? 1 : unit.span);
}

std::int64_t reductionWords(const Schedule& schedule, const ComputeStep& step) {
    return step.kernel.vertical * runWords(schedule, step);
}

bool readsOutside(const Schedule& schedule, const ComputeStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    return reachOut(input.height, step.height, step.kernel.vertical, step.stride.vertical,
                    step.pad.vertical) ||
           reachOut(input.width, step.width, step.kernel.horizontal, step.stride.horizontal,
                    step.pad.horizontal);
}

} // namespace marquetry::design
