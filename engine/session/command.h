// Commands to a session: values, put in a queue by any thread, done by the engine thread in order.
//
// Every command is acknowledged with its ticket, so that a caller (or a test) waits for facts and
// never for time. Thread rule: value types.
#pragma once

#include "engine/artefact/export_form.h"
#include "engine/artefact/report_page.h"
#include "engine/design/pin.h"
#include "engine/session/session_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace marquetry::session {

struct OpenFile {
    std::string path; ///< of a program, or a DESIGN.json: then with the settings and pins in it
    std::string item; ///< empty: the first
};
struct OpenText {
    std::string text;
    std::string file;
    std::string item{}; ///< empty: the first
};
/// The program of a session file: what its file holds now, or the text in the session file.
enum class SessionProgram : std::uint8_t {
    Same, ///< they are one, or the command is refused (program-changed); without the file, the text
    File,
    Held,
};
/// The settings, pins and choices of a session file, with its program; what had been searched is
/// searched again. Pins on what is gone stay out, and are told as warnings of the program.
struct OpenSession {
    std::string path; ///< of the session file, for messages
    std::shared_ptr<const SessionFile> session;
    SessionProgram program = SessionProgram::Same;
};
struct ChangeSettings {
    Settings settings;
};
/// A rule group, or a rule by its name, on or off; what had been searched is searched anew.
struct SwitchRules {
    std::string group;
    bool on = true;
};
struct Run {};
struct Pause {};
struct StepOnce {}; ///< one iteration of saturation, then pause
struct StopRun {};  ///< end saturation (or extraction) here; what is found so far stays
struct AddPin {
    design::Pin pin; ///< its id is given by the session
};
struct RemovePin {
    int id = 0;
};
struct EnablePin {
    int id = 0;
    bool enabled = true;
};
struct Undo {}; ///< of the last change of pins, settings, banks or streams, or choice of a point
struct Redo {};
/// Makes the design at a point of the plot the current one, until something else changes. The same
/// search finds it again.
struct ChoosePoint {
    design::DesignPoint point;
};
/// The design there would be with this pin too (instead of pins that contradict it), beside the
/// current one; without a pin: that question is dropped.
struct AskWhatIf {
    std::optional<design::Pin> pin;
};
/// The design at a point of the plot beside the current one, to be looked at; without a point: that
/// question is dropped.
struct AskBeside {
    std::optional<design::DesignPoint> point;
};
/// The design of a file (file_design.h) beside the current one, to be looked at; without a path:
/// that question is dropped.
struct AskFile {
    std::string path;
};
struct DesignOfProgram {
    std::shared_ptr<const design::Design> design;
    std::shared_ptr<const ir::Program> program;
};
/// How the HDL of two designs differs, in Snapshot::hdlDifference; without one of them: that
/// question is dropped.
struct AskHdlDifference {
    DesignOfProgram a;
    DesignOfProgram b;
};
/// The proof that the term a layer runs on equals the one it was written with.
struct AskProof {
    std::string layer;
};
/// The memory item at hand: the one whose banks are planned and shown.
struct ShowMemory {
    std::string item;
};
/// A scheme of the item's front instead of the cheapest.
struct ChooseBanks {
    std::string item;
    SchemeName scheme;
};
/// All pins of an item anew; without any: whatever the file leaves free is free again. A scheme
/// that was chosen from the front is chosen no more.
struct PinBanks {
    std::string item;
    banking::SchemePins pins;
};
/// A scheme against the item's accesses, beside the chosen one; without maps: drops that question.
struct TryBanks {
    std::string item;
    SchemeName scheme;
};
/// The stream item at hand: the one that is scheduled and shown.
struct ShowStream {
    std::string item;
};
/// Elements of the output per clock.
struct SetThroughput {
    std::string item;
    spacetime::Throughput throughput;
};
/// A circuit of the front instead of the least.
struct ChooseCircuit {
    std::string item;
    std::int64_t clocks = 0; ///< of the output, at which the circuit is on the front
    CircuitName circuit;
};
/// The type of the output at one throughput; empty: any.
struct PinOutputType {
    std::string item;
    std::int64_t clocks = 0;
    std::string type; ///< as toString writes it
};
/// What is exported and verified is the hardware at hand, that of Snapshot::hdl, unless `item`
/// names something else: a stream or a memory of the file, a buffer of the design as a memory of
/// its own, or the DESIGN.json that was opened, by its path.
struct Export {
    std::string folder;
    hdl::ExportForm form{};
    std::string item{};
    /// Of the report, drawn by whoever has views; null: it says that there are none.
    std::shared_ptr<const std::vector<hdl::ReportPicture>> pictures{};
};
/// What an export would write, in Snapshot::listing, until the hardware is another or something
/// else is asked for; without a form: that question is dropped.
struct ListExport {
    std::optional<hdl::ExportForm> form;
    std::string item{};
};
struct Verify {
    /// Empty: the last export if it holds that hardware as it is now, else a temporary one.
    std::string folder;
    std::string simulator = "verilator";
    int vectors = 1;
    std::uint64_t seed = 1;
    std::string item{};
};
/// Which changes of the settings would be worth it, in Snapshot::changes; found in the background
/// whenever a search has ended, while they are wanted. Wanted again, they go on where they were.
struct AskChanges {
    bool wanted = true;
};
/// No more changes are tried of the design that the last search has found, or they go on; those of
/// the next search are.
struct StopChanges {
    bool stopped = true;
};
/// What the best design would be without a rule, in Snapshot::withoutRule, found in the background;
/// without a name: that question is dropped.
struct AskWithoutRule {
    std::string rule;
};
struct Measure {}; ///< all metrics of the e-graph and the designs at hand

using Command =
    std::variant<OpenFile, OpenText, OpenSession, ChangeSettings, SwitchRules, Run, Pause, StepOnce,
                 StopRun, AddPin, RemovePin, EnablePin, Undo, Redo, ChoosePoint, AskWhatIf,
                 AskBeside, AskFile, AskHdlDifference, AskProof, ShowMemory, ChooseBanks, PinBanks,
                 TryBanks, ShowStream, SetThroughput, ChooseCircuit, PinOutputType, Export,
                 ListExport, Verify, AskChanges, StopChanges, AskWithoutRule, Measure>;

using Ticket = std::uint64_t;

/// What became of a command. `accepted` is false when it made no sense now (Export without a
/// design) or failed; the diagnostics say why.
struct Acknowledgement {
    Ticket ticket = 0;
    bool accepted = true;
    Diagnostics diagnostics;
    std::uint64_t epoch = 0; ///< the snapshot that shows its effect has at least this epoch
};

} // namespace marquetry::session
