// Snapshot: an immutable picture of a session, made by the engine thread when asked, read by
// anyone.
//
// Everything is shared and const: holding an old snapshot keeps it valid and costs the engine
// nothing. Thread rule: immutable after publication.
#pragma once

#include "engine/design/design.h"
#include "engine/design/pin.h"
#include "engine/device/device.h"
#include "engine/egraph/egraph_view.h"
#include "engine/egraph/saturate.h"
#include "engine/ir/program.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::session {

enum class Phase : std::uint8_t {
    Empty,   ///< no program
    Invalid, ///< the program has errors; diagnostics say which
    Loaded,  ///< lowered, nothing searched yet
    Saturating,
    Paused,
    Extracting,
    Ready, ///< saturation ended and a design (or the reason there is none) is current
    Exporting,
    Verifying,
};
std::string toString(Phase phase);

/// What the user asked for: everything an exploration depends on but the program.
struct Settings {
    std::string device = "arria10";
    std::optional<double> clockMhz;
    std::optional<double> bandwidth;      ///< bytes per cycle
    std::map<std::string, double> limits; ///< "dsp", "bram", "lut", "cycles"; absent: the device's
    design::CostModel cost = design::CostModel::Cycles;
    std::string objective = "latency"; ///< latency | area | front
    std::vector<std::string> without;  ///< rule groups switched off, and "sharing"
    std::uint64_t seed = 1;
    double seconds = 60;
    int maxIterations = 200;
    std::size_t maxEnodes = 1'000'000;
    bool operator==(const Settings&) const = default;
};

struct HdlFile {
    std::string path; ///< within the export
    std::string text;
    std::string unit; ///< the design unit it implements, or empty
};

struct VerifyState {
    bool running = false;
    bool done = false;
    bool pass = false;
    std::string simulator;
    std::int64_t cycles = 0;
    std::int64_t predictedCycles = 0;
    std::string message; ///< progress while running, the verdict or first mismatches when done
};

struct LogLine {
    std::uint64_t number = 0;
    std::string text;
};

struct Snapshot {
    std::uint64_t epoch = 0; ///< grows with every publication
    Phase phase = Phase::Empty;
    std::string file;
    std::shared_ptr<const std::string> source;
    std::shared_ptr<const ir::Program> program;
    Diagnostics diagnostics; ///< of the source: errors and warnings
    Settings settings;
    device::Device device;
    device::Resources limits; ///< in force

    std::shared_ptr<const egraph::EGraphView> egraph; ///< null before lowering
    std::vector<egraph::Iteration> iterations;
    std::vector<std::string> ruleNames;
    std::vector<std::string> ruleGroups;
    std::optional<egraph::Outcome> outcome; ///< how saturation ended

    std::shared_ptr<const design::Design> design; ///< verified, or null
    std::vector<design::DesignPoint> points;      ///< front and others, for the plot
    std::int64_t lowerBound = 0;
    double gap = 0;
    Diagnostics infeasible; ///< why there is no design: limit or pin
    /// For the choice at hand, text per subject (unit name or layer): alternatives with deltas.
    std::map<std::string, std::vector<std::string>> alternatives;

    std::vector<design::Pin> pins;
    bool canUndo = false;
    bool canRedo = false;

    std::shared_ptr<const std::vector<HdlFile>> hdl; ///< of the current design; null if none
    std::string exportedTo;
    VerifyState verify;
    std::vector<LogLine> log;
};

} // namespace marquetry::session
