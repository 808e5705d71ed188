#include "engine/session/explore.h"

#include "engine/session/design_task.h"

#include <chrono>

namespace marquetry::session {

namespace {

using Clock = std::chrono::steady_clock;

/// Does what is due; milliseconds of saturation. A stop ends first the growth of the e-graph, then
/// the extraction, as it does in a session.
double workToTheEnd(DesignTask& task, std::stop_token stop) {
    double saturating = 0;
    for (Work now = task.due().work; now != Work::None; now = task.due().work) {
        const Clock::time_point begin = Clock::now();
        task.work(stop);
        if (now == Work::Iterate)
            saturating += std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        if (stop.stop_requested())
            (void)task.apply(StopRun{});
    }
    return saturating;
}

/// A task that has come to its end.
struct Explored {
    Explored(const Settings& settings, const std::vector<design::Pin>& pins, Setup setup)
        : state{ChoiceHistory(settings, pins), std::move(setup), {}, {}, [] {}},
          task(state, DesignTask::Audience::None) {}

    TaskState state;
    DesignTask task;
    double saturateMs = 0;
};

Result<std::unique_ptr<Explored>> explored(std::shared_ptr<const ir::Program> program,
                                           const Settings& settings,
                                           const std::vector<design::Pin>& pins,
                                           std::stop_token stop) {
    auto setup = makeSetup(settings, pins);
    if (!setup)
        return setup.error();
    auto made = std::make_unique<Explored>(settings, pins, *std::move(setup));
    Explorer explorer;
    if (const Status opened = explorer.openProgram(std::move(program), made->state.setup); !opened)
        return opened.error();
    made->task.open(std::move(explorer), true);
    (void)made->task.apply(Run{});
    made->saturateMs = workToTheEnd(made->task, std::move(stop));
    if (!made->task.mistakes().empty())
        return made->task.mistakes();
    return made;
}

/// Takes the e-graph.
Exploration explorationOf(Explored& made, const Settings& settings,
                          const std::vector<design::Pin>& pins) {
    DesignTask& task = made.task;
    Exploration exploration;
    exploration.program = task.explorer().program();
    exploration.choices = {settings, pins};
    exploration.setup = made.state.setup;
    exploration.saturateMs = made.saturateMs;
    exploration.outcome = *task.explorer().outcome();
    exploration.iterations = task.explorer().iterations();
    exploration.extraction = task.explorer().found();
    exploration.circuits = task.explorer().streamCircuits();
    exploration.lowered = task.takeLowered();
    return exploration;
}

Snapshot snapshotOf(Explored& made, const Settings& settings,
                    const std::vector<design::Pin>& pins) {
    Snapshot snapshot;
    snapshot.settings = settings;
    snapshot.device = made.state.setup.device;
    snapshot.limits = made.state.setup.limits;
    snapshot.pins = pins;
    made.task.show(snapshot);
    snapshot.phase = made.task.phase();
    return snapshot;
}

} // namespace

Result<Exploration> explore(std::shared_ptr<const ir::Program> program, const Settings& settings,
                            const std::vector<design::Pin>& pins, std::stop_token stop) {
    const auto made = explored(std::move(program), settings, pins, std::move(stop));
    if (!made)
        return made.error();
    return explorationOf(**made, settings, pins);
}

Result<Snapshot> exploreToShow(std::shared_ptr<const ir::Program> program, const Settings& settings,
                               const std::vector<design::Pin>& pins, std::stop_token stop) {
    const auto made = explored(std::move(program), settings, pins, std::move(stop));
    if (!made)
        return made.error();
    return snapshotOf(**made, settings, pins);
}

Result<ShownExploration> exploreAndShow(std::shared_ptr<const ir::Program> program,
                                        const Settings& settings,
                                        const std::vector<design::Pin>& pins,
                                        std::stop_token stop) {
    const auto made = explored(std::move(program), settings, pins, std::move(stop));
    if (!made)
        return made.error();
    auto snapshot = std::make_shared<const Snapshot>(snapshotOf(**made, settings, pins));
    return ShownExploration{explorationOf(**made, settings, pins), std::move(snapshot)};
}

} // namespace marquetry::session
