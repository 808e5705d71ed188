// One exploration from start to end on the calling thread: the task of a session (design_task.h)
// with nobody watching. Thread rule: pure.
//
// Errors: those of makeSetup(), lower() and extract(). Cancel: through the stop_token, within 50
// ms; what was found so far is the answer.
#pragma once

#include "engine/lower_design/lower_design.h"
#include "engine/session/design_choices.h"
#include "engine/session/setup.h"

#include <memory>

namespace marquetry::session {

struct Exploration {
    std::shared_ptr<const ir::Program> program;
    DesignChoices choices;
    Setup setup;
    std::unique_ptr<rules::Lowered> lowered;
    egraph::StopReason outcome = egraph::StopReason::Saturated;
    std::vector<egraph::Iteration> iterations;
    double saturateMs = 0;
    extract::ExtractResult extraction;
    bool outOfTime = false;      ///< a limit on time has ended it, or the growth of an e-graph
    hdl::LayerCircuits circuits; ///< of the calls that may be streamed
};

Result<Exploration> explore(std::shared_ptr<const ir::Program> program, const Settings& settings,
                            const std::vector<design::Pin>& pins, std::stop_token stop = {});

/// The same to look at: as a session shows it when it has come to its end.
Result<Snapshot> exploreToShow(std::shared_ptr<const ir::Program> program, const Settings& settings,
                               const std::vector<design::Pin>& pins, std::stop_token stop = {});

struct ShownExploration {
    Exploration exploration;
    std::shared_ptr<const Snapshot> snapshot;
};
/// Both.
Result<ShownExploration> exploreAndShow(std::shared_ptr<const ir::Program> program,
                                        const Settings& settings,
                                        const std::vector<design::Pin>& pins,
                                        std::stop_token stop = {});

/// The `explore` JSON object (cli.md, "JSON"), indented, without the fields "marquetry" and
/// "schema". Times are wall-clock milliseconds; everything else is deterministic.
std::string exploreJson(const Exploration& exploration);

/// A design with its schedule, its source and what it was searched with: what DESIGN.json of an
/// export holds, and design_file.h reads.
std::string designJson(const design::Design& design, const ir::Program& program,
                       const std::optional<DesignChoices>& choices = {});

} // namespace marquetry::session
