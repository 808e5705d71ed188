// Snapshot: an immutable picture of a session, made by the engine thread when asked, read by
// anyone.
//
// Everything is shared and const: making a snapshot copies pointers and a few small values, and
// holding an old one keeps it valid and costs the engine nothing. What it shows was made by work
// before it. Thread rule: immutable after publication.
#pragma once

#include "engine/design/design.h"
#include "engine/design/goal.h"
#include "engine/design/ledger.h"
#include "engine/design/pin.h"
#include "engine/device/device.h"
#include "engine/egraph/frozen_egraph.h"
#include "engine/egraph/iteration.h"
#include "engine/extract/metric_values.h"
#include "engine/ir/program.h"
#include "engine/rules/rule_text.h"
#include "engine/session/memory_state.h"
#include "engine/session/stream_state.h"
#include "engine/support/shared.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::design {
struct Timetable;
} // namespace marquetry::design

namespace marquetry::session {

enum class Phase : std::uint8_t {
    Empty,   ///< no program
    Invalid, ///< the program has errors; diagnostics say which
    Loaded,  ///< lowered, nothing searched yet; or the file has no design
    Saturating,
    Paused,
    Extracting,
    Ready, ///< saturation ended and a design (or the reason there is none) is current
    Exporting,
    Verifying,
    Measuring,
    Planning, ///< banks of the memory at hand, or circuits of the stream at hand
    Opening,  ///< a network, which is imported; what was open before is still there
    Writing,  ///< the HDL of the hardware at hand, which is what it was before
};
std::string toString(Phase phase);

/// What the user asked for: everything an exploration depends on but the program.
struct Settings {
    std::string device = "arria10";
    std::optional<double> clockMhz;
    std::optional<double> bandwidth;      ///< bytes per cycle
    std::map<std::string, double> limits; ///< "dsp", "bram", "lut", "cycles"; absent: the device's
    design::CostModel cost = design::CostModel::Cycles;
    design::Objective objective = design::Objective::Latency;
    /// Frames of a run. Absent: one, or under the objective throughput as many as serve it best.
    std::optional<std::int64_t> batch;
    design::SearchMethod method = design::SearchMethod::Pool;
    std::vector<std::string> without; ///< rule groups switched off, and "sharing"
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

/// A file of an export that nobody has written.
struct ListedFile {
    static constexpr std::size_t kHeadBytes = std::size_t{1} << 16;

    std::string path; ///< within the export
    std::size_t bytes = 0;
    std::string head; ///< its beginning, at most kHeadBytes
};

/// What an export would write; pictures of views are in no report of it.
struct ExportListing {
    std::string options; ///< the form, as hdl::optionsOf says it
    std::string item;    ///< that it is of, as in Export
    std::vector<ListedFile> files;
    Diagnostics problem; ///< why there are none
};

struct VerifyState {
    bool running = false;
    bool done = false;
    bool pass = false;
    std::string item; ///< that it is about, as in Verify
    std::string simulator;
    std::int64_t cycles = 0;
    std::int64_t predictedCycles = 0;
    std::string message; ///< progress while running, the verdict or first mismatches when done
    /// The verdict is of other hardware than that at hand: done and pass are about that.
    bool ofAnother = false;
};

/// A design of the plot, by what makes it that one.
struct PickedDesign {
    std::int64_t cycles = 0;
    std::int64_t frames = 1; ///< of a run
    device::Resources resources;
    std::string label;
    std::int64_t lanes = 0;           ///< as in design::DesignPoint
    std::int64_t groupedChannels = 0; ///< the same
    bool operator==(const PickedDesign&) const = default;
};

/// Whether the settings and the pins find the current design again.
enum class FoundBy : std::uint8_t {
    Search, ///< they do
    Steps,  ///< they do, in the e-graph after as many iterations as there were
    Part,   ///< they may find another: a search was ended within
    Choice, ///< they may find another: it was chosen from the plot
};

/// The design of a DESIGN.json that was opened.
struct HeldDesign {
    std::string path;        ///< of the file, as it was opened
    std::string program;     ///< the item's name
    device::Device device;   ///< that it was made for, at its clock
    std::int64_t cycles = 0; ///< of a run
    std::int64_t frames = 1; ///< of a run
    device::Resources resources;
    Diagnostics problem; ///< why it cannot be exported
    /// As far as the file says it (held_design.h); without a schedule if it cannot be exported.
    std::shared_ptr<const design::Design> design{};
};

/// What the design would be under one more pin.
struct WhatIf {
    design::Pin pin;
    bool running = true;
    std::shared_ptr<const design::Design> design; ///< null while running, or when there is none
    Diagnostics infeasible;                       ///< why there is none
};

/// A design of the plot beside the current one.
struct BesideDesign {
    PickedDesign point;
    bool running = true;
    std::shared_ptr<const design::Design> design{}; ///< null while running, or when there is none
    std::shared_ptr<const design::Ledger> ledger{}; ///< of that design
    Diagnostics problem{};                          ///< why there is none
    std::int64_t lowerBound = 0; ///< as that of the snapshot, for runs of this design's frames
};

/// The design of a file beside the current one.
struct BesideFile {
    std::uint64_t number = 0; ///< of the question; later ones have greater numbers
    std::string path;
    bool running = true;
    std::shared_ptr<const design::Design> design{}; ///< null while running, or when there is none
    std::shared_ptr<const design::Ledger> ledger{}; ///< of that design
    std::shared_ptr<const ir::Program> program{};   ///< that it is of
    std::optional<double> bound{};                  ///< of the file's search, if there was one
    Diagnostics warnings{};
    Diagnostics problem{}; ///< why there is none
};

/// A module of two designs, or what one of them has alone.
struct HdlFileDifference {
    std::string path; ///< within an export
    bool inA = true;
    bool inB = true;
    std::size_t removed = 0; ///< lines of A alone
    std::size_t added = 0;   ///< lines of B alone
    std::string text;        ///< as `diff -u` writes it; empty: equal
};

struct HdlDifference {
    std::shared_ptr<const design::Design> a;
    std::shared_ptr<const design::Design> b;
    bool running = true;
    std::vector<HdlFileDifference> files{}; ///< those of A in its order, then those of B alone
    Diagnostics problem{};                  ///< why there are none
};

struct ProofLine {
    std::string rule;
    bool forward = true; ///< left to right
    std::string place;   ///< "0.1": child positions from the root; empty: the root
    std::string before;  ///< the part at the place
    std::string after;
};

/// Why the term a layer runs on equals the one it was written with.
struct LayerProof {
    std::string from;
    std::string to;
    std::vector<ProofLine> lines; ///< empty: the terms are one
    Diagnostics failure;          ///< why there is no proof
};

/// How far a long extraction has come.
struct Extracting {
    double seconds = 0;
    std::size_t poolsTried = 0;
    std::optional<double> cycles; ///< of the best solution so far
    double lowerBound = 0;
};

enum class LineKind : std::uint8_t {
    Message,
    Command, ///< "$ " and what the command line would do the same with
    Refusal, ///< why something was not done
};

struct LogLine {
    std::uint64_t number = 0;
    std::string text;
    LineKind kind = LineKind::Message;
};

struct NextChanges;
struct WithoutRule;

template <class T>
using SharedList = Shared<std::vector<T>>;

struct Snapshot {
    std::uint64_t epoch = 0; ///< grows with every publication
    Phase phase = Phase::Empty;
    std::string file;
    std::string item; ///< asked for; empty: the first
    std::shared_ptr<const std::string> source;
    std::shared_ptr<const ir::Program> program;
    Diagnostics diagnostics; ///< of the source: errors and warnings
    /// Why the last command or work ended early: out-of-memory, internal-error. What was there
    /// before still is; until the next command.
    Diagnostics failure;
    Settings settings;
    device::Device device;
    device::Resources limits; ///< in force

    /// Of the program, or without one of the scheduler's states of the stream at hand; null before.
    std::shared_ptr<const egraph::FrozenEGraph> egraph;
    SharedList<egraph::Iteration> iterations;
    SharedList<extract::TermCount> terms; ///< by iteration; ends where counting became too slow
    SharedList<std::string> ruleNames;
    SharedList<std::string> ruleGroups;        ///< by rule
    SharedList<rules::RuleText> ruleTexts;     ///< by rule, then those switched off one by one
    SharedList<std::string> ruleSwitches;      ///< every group that can be switched, and "sharing"
    std::optional<egraph::StopReason> outcome; ///< how saturation ended

    std::shared_ptr<const design::Design> design; ///< verified, or null
    FoundBy foundBy = FoundBy::Search;            ///< the design
    /// Chosen from the plot; after a search it is at hand again, if it is among what was found.
    std::optional<PickedDesign> picked;
    std::shared_ptr<const HeldDesign> held;             ///< of the file that was opened, or null
    bool heldAtHand = false;                            ///< nothing has been searched since
    std::shared_ptr<const design::Ledger> ledger;       ///< of the design or, at hand, the held one
    std::shared_ptr<const design::Timetable> timetable; ///< of the same
    SharedList<design::DesignPoint> points;             ///< front and others, for the plot
    std::int64_t lowerBound = 0;
    double gap = 0;
    Diagnostics infeasible; ///< why there is no design: limit or pin
    /// For the choice at hand, text per subject (unit name or layer): alternatives with deltas.
    Shared<std::map<std::string, std::vector<std::string>>> alternatives;

    std::shared_ptr<const extract::Metrics> metrics; ///< when asked for (Measure), else null
    bool metricsOutdated = false;         ///< the e-graph or the designs have changed since
    std::optional<Extracting> extracting; ///< while one runs
    std::optional<WhatIf> whatIf;         ///< asked for; ends with the next change
    std::optional<BesideDesign> beside;   ///< the same
    std::optional<BesideFile> besideFile; ///< asked for; ends when another file is
    /// Asked for; ends when another pair of designs is.
    std::shared_ptr<const HdlDifference> hdlDifference;

    /// Of the current design, by layer, those asked for.
    Shared<std::map<std::string, std::shared_ptr<const LayerProof>>> proofs;

    /// Of the program, settings and pins (next_change.h); null: nobody has asked for them, or there
    /// is nothing to change yet. The design may have been chosen since.
    std::shared_ptr<const NextChanges> changes;

    /// What the best design would be without one rule (next_change.h), asked for; ends with the
    /// program, settings, pins and search that it is of, and with the next such question.
    std::shared_ptr<const WithoutRule> withoutRule;

    std::vector<design::Pin> pins;
    bool canUndo = false;
    bool canRedo = false;

    /// The `memory` items of the file, in its order, then the buffers of the current design.
    SharedList<MemoryItem> memories; ///< buffers last
    std::size_t memory = 0;          ///< the one at hand

    /// Whether the file has `memory` items.
    bool hasMemoryItems() const { return !memories.empty() && !memories.front().buffer; }

    SharedList<StreamItem> streams; ///< the `stream` items of the file, in its order
    std::size_t stream = 0;         ///< the one at hand

    /// The stream whose circuit is exported and verified: that of the name, or that at hand of a
    /// file without a design.
    const StreamItem* exportedStream(const std::string& name = {}) const {
        if (name.empty() && program)
            return nullptr;
        for (std::size_t k = 0; k < streams.size(); ++k)
            if (name.empty() ? k == stream : streams[k].program->name == name)
                return streams[k].operators ? &streams[k] : nullptr;
        return nullptr;
    }
    /// The memory that is: that of the name, or that at hand of a file of memories alone.
    const MemoryItem* exportedMemory(const std::string& name = {}) const;

    /// Of the current design, or the held one, or of the stream or memory at hand; null if none.
    std::shared_ptr<const std::vector<HdlFile>> hdl;
    std::shared_ptr<const ExportListing> listing; ///< asked for, or null
    std::string exportedTo;
    VerifyState verify;
    SharedList<LogLine> log;
};

} // namespace marquetry::session
