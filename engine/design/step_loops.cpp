#include "engine/design/step_loops.h"

#include "engine/cost/call_timing.h"
#include "engine/design/row_step.h"
#include "engine/design/windows.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::design {

namespace {

std::string inWords(std::int64_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string inChannels(std::int64_t count) {
    return inWords(count, "channel", "channels");
}

class LoopList {
public:
    void add(std::int64_t count, std::string over) {
        if (count != 1)
            loops_.push_back({count, std::move(over)});
    }
    void addPixels(const StoredTensor& tensor) {
        add(tensor.height, "rows of " + tensor.name);
        add(tensor.width, "pixels of a row");
    }
    std::vector<TimedLoop> take() { return std::move(loops_); }

private:
    std::vector<TimedLoop> loops_;
};

void addFrames(const Schedule& schedule, LoopList& loops) {
    loops.add(schedule.framesAtOnce(),
              schedule.groups > 1 ? "frames of a group" : "frames of a run");
}

std::vector<TimedLoop> loopsIn(const Schedule& schedule, const StoredTensor& tensor,
                               std::int64_t atOnce) {
    LoopList loops;
    addFrames(schedule, loops);
    loops.addPixels(tensor);
    loops.add(ceilDiv(tensor.channels, atOnce), "parts of " + inChannels(tensor.channels) + ", " +
                                                    inWords(atOnce, "element", "elements") +
                                                    " in a clock");
    return loops.take();
}

std::vector<TimedLoop> loopsIn(const Schedule& schedule, const LoadStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    return loopsIn(schedule, tensor,
                   cost::loadElements(tensor.channels, 8 * ir::info(tensor.scalar).bytes));
}

std::vector<TimedLoop> loopsIn(const Schedule& schedule, const StoreStep& step) {
    const StoredTensor& tensor = schedule.tensor(step.tensor);
    return loopsIn(schedule, tensor,
                   cost::storeElements(tensor.channels, 8 * ir::info(tensor.scalar).bytes));
}

std::vector<TimedLoop> loopsIn(const Schedule& schedule, const MoveStep& step) {
    LoopList loops;
    addFrames(schedule, loops);
    const std::string run = inWords(step.move.run, "lane", "lanes");
    for (const WalkLoop& loop : step.move.source.loops)
        loops.add(loop.count, "places of " + schedule.tensor(step.source).name + ", " +
                                  inWords(loop.stride, "lane", "lanes") + " apart; " + run +
                                  " are copied at once");
    return loops.take();
}

/// A row is read once for each pass.
std::vector<TimedLoop> loopsIn(const Schedule& schedule, const RowStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    const cost::RowShape shape = rowShape(schedule, step);
    LoopList loops;
    addFrames(schedule, loops);
    loops.addPixels(input);
    loops.add(static_cast<std::int64_t>(cost::rowWaits(shape).size()),
              "passes over the " + inChannels(input.channels) + " of a pixel");
    loops.add(shape.runs(),
              "parts of them, " + inWords(shape.run, "element", "elements") + " in a clock");
    return loops.take();
}

/// Pixels of the padded input, one after another.
std::vector<TimedLoop> streamLoops(const Schedule& schedule, const ComputeStep& step) {
    const StoredTensor& input = schedule.tensor(step.input);
    LoopList loops;
    loops.add(input.height + 2 * step.pad.vertical, "rows of " + input.name + ", with padding");
    loops.add(input.width + 2 * step.pad.horizontal, "pixels of a row, with padding");
    loops.add(schedule.unit(step.unit).stream->interval, "clocks for each pixel");
    return loops.take();
}

std::string blocksOver(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    if (!unit.reduces())
        return "words of a pixel, " + inChannels(schedule.lanes) + " each";
    return "blocks of " + inChannels(step.rows) + ", " + std::to_string(unit.parallel) +
           " computed at once";
}

/// A reduction: the words of a window.
void addWindow(const Schedule& schedule, const ComputeStep& step, LoopList& loops) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    if (!unit.reduces())
        return;
    const auto& window = schedule.slot(schedule.tensor(step.input).slot).window;
    if (window) {
        loops.add(reductionWords(schedule, step),
                  "parts of the kernel, " + inWords(window->rows, "row", "rows") + " each");
        return;
    }
    const std::string lanes = inChannels(schedule.lanes);
    const bool kernel = step.kernel.area() > 1;
    loops.add(step.kernel.vertical, "rows of the kernel");
    loops.add(runWords(schedule, step),
              unit.lanewise()
                  ? std::string("pixels of a row of the kernel")
                  : std::string(kernel ? "words of a row of the kernel, " : "words of a pixel, ") +
                        (unit.span > 1 ? std::to_string(unit.span) + " at once, " + lanes + " each"
                                       : lanes + " each"));
}

std::vector<TimedLoop> loopsIn(const Schedule& schedule, const ComputeStep& step) {
    if (schedule.unit(step.unit).stream)
        return streamLoops(schedule, step);
    const std::string& result = schedule.tensor(step.output).name;
    const std::int64_t pool = step.epilogue.poolSize;
    LoopList loops;
    if (step.external)
        loops.add(step.rowBlocks, blocksOver(schedule, step));
    addFrames(schedule, loops);
    loops.add(step.height / pool, "rows of " + result);
    loops.add(step.width / pool, "pixels of a row");
    if (!step.external)
        loops.add(step.rowBlocks, blocksOver(schedule, step));
    loops.add(pool, "rows of the pool's window");
    loops.add(pool, "pixels of its row");
    addWindow(schedule, step, loops);
    return loops.take();
}

StepPlace slotPlace(const Schedule& schedule, TensorId id) {
    const StoredTensor& tensor = schedule.tensor(id);
    const Slot& slot = schedule.slot(tensor.slot);
    StepPlace place;
    place.memory = slot.name;
    place.holds = tensor.name;
    place.firstWord = schedule.addressOf(tensor, 0);
    place.words = schedule.storedWords(id);
    place.ring = slot.ring ? slot.depth : 0;
    place.firstRow = tensor.firstRow;
    place.rows = tensor.height;
    return place;
}

/// Rows of a tensor at a port, or in external memory.
StepPlace outsidePlace(const Schedule& schedule, TensorId id, const std::string& port,
                       bool external) {
    StepPlace place = slotPlace(schedule, id);
    place.kind = external ? PlaceKind::External : PlaceKind::Stream;
    place.memory = port;
    place.holds = port;
    place.firstWord = place.words = place.ring = 0;
    return place;
}

std::optional<StepPlace> weightsPlace(const Schedule& schedule, const ComputeStep& step) {
    const ScheduleUnit& unit = schedule.unit(step.unit);
    if (!step.multiplies())
        return std::nullopt;
    StepPlace place;
    place.kind = step.external ? PlaceKind::External : PlaceKind::Weights;
    place.memory = unit.name;
    place.holds = step.held ? schedule.tensor(*step.held).name : std::string("weights");
    if (!unit.stream) {
        place.words = step.rowBlocks * reductionWords(schedule, step);
        place.firstWord = step.external ? 0 : step.weightBase;
    }
    return place;
}

} // namespace

std::vector<TimedLoop> loopsOf(const Schedule& schedule, const Step& step) {
    return std::visit([&](const auto& each) { return loopsIn(schedule, each); }, step);
}

std::vector<StepPlace> placesRead(const Schedule& schedule, const Step& step) {
    std::vector<StepPlace> places;
    if (const auto* load = std::get_if<LoadStep>(&step))
        places.push_back(outsidePlace(schedule, load->tensor, load->port, load->external));
    for (const TensorId source : sourcesOf(step))
        places.push_back(slotPlace(schedule, source));
    if (const auto* compute = std::get_if<ComputeStep>(&step))
        if (auto weights = weightsPlace(schedule, *compute))
            places.push_back(*std::move(weights));
    if (const auto* rows = std::get_if<RowStep>(&step); rows != nullptr && rows->constants)
        places.push_back({PlaceKind::Weights, schedule.unit(rows->unit).name, "constants"});
    return places;
}

std::vector<StepPlace> placesWritten(const Schedule& schedule, const Step& step) {
    std::vector<StepPlace> places;
    if (const auto target = targetOf(step))
        places.push_back(slotPlace(schedule, *target));
    if (const auto* store = std::get_if<StoreStep>(&step))
        places.push_back(outsidePlace(schedule, store->tensor, store->port, store->external));
    if (const auto* move = std::get_if<MoveStep>(&step); move != nullptr && !move->target)
        places.push_back({PlaceKind::Weights, schedule.unit(move->unit).name,
                          schedule.tensor(move->source).name});
    return places;
}

} // namespace marquetry::design
