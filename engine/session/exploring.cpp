#include "engine/session/exploring.h"

#include <chrono>

namespace marquetry::session {

using Clock = std::chrono::steady_clock;

Result<std::unique_ptr<Exploring>> Exploring::begin(std::shared_ptr<const ir::Program> program,
                                                    const Settings& settings,
                                                    const std::vector<design::Pin>& pins,
                                                    std::function<void()> progress) {
    auto setup = makeSetup(settings, pins);
    if (!setup)
        return setup.error();
    std::unique_ptr<Exploring> made(
        new Exploring(ChoiceHistory(settings, pins), *std::move(setup), std::move(progress)));
    Explorer explorer;
    if (const Status opened = explorer.openProgram(std::move(program), made->setup()); !opened)
        return opened.error();
    made->task_.open(std::move(explorer), true);
    (void)made->task_.apply(Run{});
    return made;
}

void Exploring::workToTheEnd(const std::stop_token& stop) {
    for (Work now = task_.due().work; now != Work::None; now = task_.due().work) {
        const Clock::time_point begin = Clock::now();
        task_.work(stop);
        if (now == Work::Iterate)
            saturateMs_ += std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
        if (stop.stop_requested())
            (void)task_.apply(StopRun{});
    }
}

} // namespace marquetry::session
