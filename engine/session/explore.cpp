#include "engine/session/explore.h"

#include <chrono>

namespace marquetry::session {

Result<Exploration> explore(std::shared_ptr<const ir::Program> program, const Settings& settings,
                            const std::vector<design::Pin>& pins, std::stop_token stop) {
    auto setup = makeSetup(settings, pins);
    if (!setup)
        return setup.error();
    auto lowered = rules::lower(program, setup->lowering);
    if (!lowered)
        return lowered.error();
    Exploration exploration;
    exploration.program = std::move(program);
    exploration.settings = settings;
    exploration.setup = *std::move(setup);
    exploration.lowered = std::make_unique<rules::Lowered>(*std::move(lowered));
    const auto begin = std::chrono::steady_clock::now();
    auto saturated = egraph::saturate(*exploration.lowered->egraph, exploration.lowered->rewrites,
                                      exploration.setup.saturation, stop);
    exploration.saturateMs =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
    exploration.outcome = saturated.outcome;
    exploration.iterations = std::move(saturated.iterations);
    auto extracted =
        extract::extract(*exploration.lowered, exploration.setup.extraction, std::move(stop));
    if (!extracted)
        return extracted.error();
    exploration.extraction = *std::move(extracted);
    noteOutcome(exploration.extraction, exploration.outcome);
    return exploration;
}

} // namespace marquetry::session
