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
            (void)task.apply(Stop{});
    }
    return saturating;
}

} // namespace

Result<Exploration> explore(std::shared_ptr<const ir::Program> program, const Settings& settings,
                            const std::vector<design::Pin>& pins, std::stop_token stop) {
    auto setup = makeSetup(settings, pins);
    if (!setup)
        return setup.error();
    TaskState taskState{ChoiceHistory(settings, pins), *std::move(setup), {}, {}, [] {}};
    DesignTask task(taskState, DesignTask::Audience::None);
    Explorer explorer;
    if (const Status opened = explorer.openProgram(program, taskState.setup); !opened)
        return opened.error();
    task.open(std::move(explorer), true);
    (void)task.apply(Run{});
    Exploration exploration;
    exploration.saturateMs = workToTheEnd(task, std::move(stop));
    if (!task.mistakes().empty())
        return task.mistakes();
    exploration.program = std::move(program);
    exploration.settings = settings;
    exploration.setup = taskState.setup;
    exploration.outcome = *task.explorer().outcome();
    exploration.iterations = task.explorer().iterations();
    exploration.extraction = task.explorer().found();
    exploration.lowered = task.takeLowered();
    return exploration;
}

} // namespace marquetry::session
