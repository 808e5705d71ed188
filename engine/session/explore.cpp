#include "engine/session/explore.h"

#include "engine/session/exploring.h"

namespace marquetry::session {

namespace {

Result<std::unique_ptr<Exploring>> explored(std::shared_ptr<const ir::Program> program,
                                            const Settings& settings,
                                            const std::vector<design::Pin>& pins,
                                            const std::stop_token& stop) {
    auto made = Exploring::begin(std::move(program), settings, pins);
    if (!made)
        return made.error();
    (*made)->workToTheEnd(stop);
    if (!(*made)->task().mistakes().empty())
        return (*made)->task().mistakes();
    return made;
}

/// Takes the e-graph.
Exploration explorationOf(Exploring& made, const Settings& settings,
                          const std::vector<design::Pin>& pins) {
    DesignTask& task = made.task();
    Exploration exploration;
    exploration.program = task.explorer().program();
    exploration.choices = {settings, pins};
    exploration.setup = made.setup();
    exploration.saturateMs = made.saturateMs();
    exploration.outcome = *task.explorer().outcome();
    exploration.iterations = task.explorer().iterations();
    exploration.extraction = task.explorer().found();
    exploration.outOfTime = task.outOfTime();
    exploration.circuits = task.explorer().streamCircuits();
    exploration.lowered = task.takeLowered();
    return exploration;
}

Snapshot snapshotOf(Exploring& made, const Settings& settings,
                    const std::vector<design::Pin>& pins) {
    Snapshot snapshot;
    snapshot.settings = settings;
    snapshot.device = made.setup().device;
    snapshot.limits = made.setup().limits;
    snapshot.pins = pins;
    made.task().show(snapshot);
    snapshot.phase = made.task().phase();
    return snapshot;
}

} // namespace

Result<Exploration> explore(std::shared_ptr<const ir::Program> program, const Settings& settings,
                            const std::vector<design::Pin>& pins, std::stop_token stop) {
    const auto made = explored(std::move(program), settings, pins, stop);
    if (!made)
        return made.error();
    return explorationOf(**made, settings, pins);
}

Result<Snapshot> exploreToShow(std::shared_ptr<const ir::Program> program, const Settings& settings,
                               const std::vector<design::Pin>& pins, std::stop_token stop) {
    const auto made = explored(std::move(program), settings, pins, stop);
    if (!made)
        return made.error();
    return snapshotOf(**made, settings, pins);
}

Result<ShownExploration> exploreAndShow(std::shared_ptr<const ir::Program> program,
                                        const Settings& settings,
                                        const std::vector<design::Pin>& pins,
                                        std::stop_token stop) {
    const auto made = explored(std::move(program), settings, pins, stop);
    if (!made)
        return made.error();
    auto snapshot = std::make_shared<const Snapshot>(snapshotOf(**made, settings, pins));
    return ShownExploration{explorationOf(**made, settings, pins), std::move(snapshot)};
}

} // namespace marquetry::session
