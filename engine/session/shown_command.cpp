#include "engine/session/shown_command.h"

#include "engine/session/setup.h"

#include <algorithm>

namespace marquetry::session {

namespace {

/// As the search would have been said to have found its own best: what is chosen hides that.
FoundBy foundPoint(const Snapshot& snapshot) {
    if (snapshot.foundBy != FoundBy::Choice)
        return snapshot.foundBy;
    if (!snapshot.outcome)
        return FoundBy::Steps;
    const bool whole = *snapshot.outcome == egraph::StopReason::Saturated ||
                       *snapshot.outcome == egraph::StopReason::NodeLimit ||
                       *snapshot.outcome == egraph::StopReason::IterationLimit;
    return whole ? FoundBy::Search : FoundBy::Part;
}

/// A search within its resources finds no faster design than that of the point.
bool isFastest(const Snapshot& snapshot, const PickedDesign& point) {
    return std::ranges::none_of(snapshot.points, [&](const design::DesignPoint& other) {
        return other.feasible && other.frames == point.frames && other.cycles < point.cycles &&
               other.resources.fits(point.resources);
    });
}

} // namespace

CommandContext contextOf(const Snapshot& snapshot) {
    CommandContext context{snapshot.file,
                           snapshot.item,
                           snapshot.settings,
                           snapshot.pins,
                           snapshot.iterations.size(),
                           snapshot.exportedTo};
    if (snapshot.stream < snapshot.streams.size())
        context.streamDevice = snapshot.streams[snapshot.stream].device;
    for (const MemoryItem& memory : snapshot.memories)
        if (!memory.options.empty())
            context.arrays[memory.program->name] = memory.options;
    context.foundBy = snapshot.foundBy;
    return context;
}

std::string designCommand(const Snapshot& snapshot, const std::string& verb) {
    if (snapshot.foundBy == FoundBy::Choice)
        return snapshot.picked ? pointCommand(snapshot, *snapshot.picked, verb) : std::string();
    return snapshot.design ? searchLine(contextOf(snapshot), verb) : std::string();
}

std::string pointCommand(const Snapshot& snapshot, const PickedDesign& point,
                         const std::string& verb) {
    if (!isFastest(snapshot, point))
        return {};
    CommandContext context = contextOf(snapshot);
    context.settings = fastestOf(context.settings, point.resources, point.frames);
    context.foundBy = foundPoint(snapshot);
    return searchLine(context, verb);
}

std::string circuitCommand(const Snapshot& snapshot) {
    if (snapshot.stream >= snapshot.streams.size())
        return {};
    const StreamItem& stream = snapshot.streams[snapshot.stream];
    if (!stream.schedule || stream.chosen != 0) // those that are not the least are the window's
        return {};
    const PinOutputType again{stream.program->name, stream.schedule->clocks, stream.scheduledType};
    return commandLine(again, contextOf(snapshot));
}

std::string banksCommand(const Snapshot& snapshot) {
    if (snapshot.memory >= snapshot.memories.size())
        return {};
    const MemoryItem& memory = snapshot.memories[snapshot.memory];
    if (!memory.ready() || (memory.buffer && memory.options.empty()))
        return {};
    const banking::Scheme& scheme = memory.detail->priced.scheme;
    return commandLine(ChooseBanks{memory.program->name, {scheme.maps, scheme.copies}},
                       contextOf(snapshot));
}

} // namespace marquetry::session
