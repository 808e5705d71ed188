// Controller: the session's state machine — what each command does, and what to work on next.
//
// Without threads: the worker hands it commands one by one and calls work() with what nextWork()
// says, until that is None. Commands are acknowledged through the hook, exactly once; Export,
// Verify and Measure when they have ended, the others at once. While one of them waits or runs
// (hasJob) no further command may be handled.
//
// Modes (phases without the passing ones):
//   Empty | Invalid ── open ──► Loaded ── run ──► Saturating ⇄ Paused, ── end or stop ──► Ready
// In Paused and Ready a change of pins, limits, device or objective makes an extraction due
// (phase Extracting); a change that needs another e-graph goes back to Loaded, or starts the
// saturation that was running anew. Switching rules and undo start it anew also when it had ended.
// Banks of the memory at hand are planned whatever the mode (phase Planning), after an extraction
// and before everything else; so are circuits of the stream at hand, but its other throughputs are
// tried when nothing else is to be done.
//
// Codes of refusals: no-program, no-design, already-running, already-done, not-running, running,
// point-unknown, point-over-limit, layer-unknown, interrupted, not-exportable, export-folder, and
// those of setup.h, choice_history.h, memories.h, streams.h and of hdl. Thread rule: belongs to one
// thread.
#pragma once

#include "engine/session/choice_history.h"
#include "engine/session/command_line.h"
#include "engine/session/explorer.h"
#include "engine/session/hardware.h"
#include "engine/session/memories.h"
#include "engine/session/streams.h"

#include <functional>

namespace marquetry::session {

enum class Work { None, Iterate, Extract, Plan, Export, Verify, Measure };

/// A command that is posted while the work is under way ends it.
bool interrupts(const Command& command, Work work);

class Controller {
public:
    struct Hooks {
        std::function<void(Ticket, const Status&)> acknowledge;
        std::function<void()> progress; ///< a good moment to publish, within long work
    };

    explicit Controller(Hooks hooks);

    void handle(Ticket ticket, const Command& command);
    bool hasJob() const { return job_.has_value(); }
    Work nextWork() const;
    /// What work() is going to do; what throws from here on is a failure of that.
    Work begin();
    void work(std::stop_token stop);
    /// Refuses what still waits.
    void close();

    /// What is under way, in words: "growing the e-graph".
    const char* doing() const { return doing_; }
    /// Any of the functions above has thrown: the session goes on without what it was doing. The
    /// command in hand, and a job, are not acknowledged: that is left to the caller.
    void recover(const Diagnostic& reason);
    /// recover() has thrown too.
    void giveUp() noexcept;
    /// snapshot() has thrown: those to come leave out what takes most memory, until the next
    /// command.
    void snapshotFailed(const Diagnostic& reason);
    /// Why the last command or work ended early; empty when none did.
    const Diagnostics& failure() const { return failure_; }

    Phase phase() const;
    /// `watched`: somebody asked, so intermediate designs are worth finding.
    Snapshot snapshot(bool watched);

private:
    enum class Mode { Empty, Invalid, Loaded, Saturating, Paused, Ready };
    struct Job {
        Ticket ticket = 0;
        std::variant<Export, Verify, Measure> command;
    };

    Status apply(const OpenFile& command);
    Status apply(const OpenText& command);
    Status apply(const ChangeSettings& command);
    Status apply(const Run& command);
    Status apply(const Pause& command);
    Status apply(const Step& command);
    Status apply(const Stop& command);
    Status apply(const AddPin& command);
    Status apply(const RemovePin& command);
    Status apply(const EnablePin& command);
    Status apply(const Undo& command);
    Status apply(const Redo& command);
    Status apply(const SwitchRules& command);
    Status apply(const ChoosePoint& command);
    Status apply(const AskWhatIf& command);
    Status apply(const AskProof& command);
    Status apply(const ShowMemory& command);
    Status apply(const ChooseBanks& command);
    Status apply(const PinBanks& command);
    Status apply(const TryBanks& command);
    Status apply(const ShowStream& command);
    Status apply(const SetThroughput& command);
    Status apply(const ChooseCircuit& command);
    Status apply(const PinOutputType& command);
    Status admit(const Export& command) const;
    Status admit(const Verify& command) const;
    Status admit(const Measure& command) const;

    CommandContext context() const;
    /// That the command exports or verifies, if it does.
    std::shared_ptr<const MemoryItem> memoryOf(const Command& command) const;
    /// Buffers of a design have no command line: they come from an exploration.
    bool onBuffer(const Command& command) const;
    Status opened(Explorer next, const Status& status);
    void forgetSearch();
    Status useSetup(Setup setup, const Settings& before);
    void refreshBuffers();
    void refreshArrays(const StreamItem& stream);
    void replanFor(const Settings& before);
    Status chooseBanks(const std::string& item, const BankChoice& choice);
    StreamChoice choiceOf(const std::string& stream) const;
    Status chooseStream(const std::string& item, const StreamChoice& choice);
    Status startOver(Setup setup);
    Status searchAgain(bool searched);
    Status saturateFrom(bool once);
    Status pinsChanged(const Status& status);
    Status travel(Status (ChoiceHistory::*there)(), Status (ChoiceHistory::*back)());
    void constraintsChanged();
    void forgetAnswers();
    void endExtraction();
    bool endQuestion();
    bool endPlan();
    extract::ExtractParams extraction();
    bool needsExtraction() const;
    Status designAtHand() const;
    Status memoryNamed(const std::string& item) const;
    /// Whether there is something to export, or will be when the job's turn comes.
    Status hardwareAtHand(const std::string& item) const;
    Status designAtRest() const;

    Status done(Ticket ticket, const Command& command);
    void restore() noexcept;
    const char* named(Work work) const;
    void loseEgraph();
    void endFailedExtraction(const Diagnostic& reason);

    void workIterate(std::stop_token stop);
    void workExtract(std::stop_token stop);
    void workPlan(std::stop_token stop);
    void logBanks();
    void workStream(std::stop_token stop);
    void logStream();
    /// That is exported and verified; null when there is none, or a design.
    std::shared_ptr<const StreamItem> streamAtHand() const;
    bool questionOpen() const;
    /// Nothing but a proof is asked for, which changes nothing anyone waits for.
    bool onlyProofOpen() const;
    void workQuestion(std::stop_token stop);
    void workChosenPoint(std::stop_token stop);
    void workWhatIf(std::stop_token stop);
    void workProof(std::stop_token stop);
    void workJob(std::stop_token stop);
    void extractProvisionally(std::stop_token stop);
    void extractionEnded(extract::ExtractResult result);
    void saturationEnded();
    void logDesign();
    Status run(const Export& command, std::stop_token stop);
    Status run(const Verify& command, std::stop_token stop);
    Status run(const Measure& command, std::stop_token stop);
    /// What metrics are made from: they are outdated when it is another.
    std::pair<std::uint64_t, std::shared_ptr<const design::Design>> measuredState() const;
    Result<std::string> folderToVerify(const Verify& command, std::stop_token stop);
    std::shared_ptr<const MemoryItem> exportedMemory(const std::string& name) const;
    /// `item`: a memory, or empty.
    HardwareParams hardwareParams(const std::string& item = {}) const;
    void refuseJob(const Diagnostic& reason);
    void log(std::string text);
    void refreshHdl();

    Hooks hooks_;
    Setup setup_;
    Explorer explorer_;
    Memories memories_;
    Streams streams_;
    ChoiceHistory choices_;
    Mode mode_ = Mode::Empty;
    bool once_ = false;           ///< pause after this iteration
    bool extractDue_ = false;     ///< in Paused and Ready
    bool quickDue_ = false;       ///< in Saturating: a design of the e-graph so far
    bool constraintsNew_ = false; ///< pins or settings changed since found()
    bool partial_ = false;        ///< found() comes from an extraction that was stopped
    bool watched_ = false;
    double quickMilliseconds_ = 0;
    std::optional<extract::ExtractResult> interrupted_;
    std::optional<design::DesignPoint> chosen_; ///< wanted as the current design
    std::optional<WhatIf> whatIf_;
    std::optional<Extracting> extracting_; ///< while work() is at it
    std::optional<std::string> proofOf_;   ///< the layer a proof is wanted of
    std::map<std::string, std::shared_ptr<const LayerProof>> proofs_;
    std::shared_ptr<const design::Design> provedDesign_; ///< that proofs_ speak of
    std::optional<Job> job_;
    bool jobStopped_ = false; ///< the command that comes next stopped a job

    Hardware hardware_;
    std::shared_ptr<const std::vector<HdlFile>> hdl_;
    std::shared_ptr<const void> hdlOf_; ///< HardwareParams::identity, as the next but one
    std::shared_ptr<const design::Design> buffersOf_;
    std::pair<std::shared_ptr<const spacetime::StreamSchedule>, std::size_t> arraysOf_;
    std::string exportedTo_;
    std::shared_ptr<const void> exported_;
    VerifyState verify_;
    std::shared_ptr<const egraph::EGraphView> view_;
    std::uint64_t viewOf_ = 0;
    std::shared_ptr<const extract::Metrics> metrics_;
    std::pair<std::uint64_t, std::shared_ptr<const design::Design>> metricsOf_;
    std::vector<LogLine> log_;
    std::uint64_t logged_ = 0;
    std::string note_; ///< what the command just applied has to say

    /// What commands change step by step, as it was before the one in hand.
    struct Before {
        ChoiceHistory choices;
        Memories memories;
        Streams streams;
        Setup setup;
    };
    std::optional<Before> before_; ///< while a command may still end as if it had not come

    const char* doing_ = "starting";
    Work working_ = Work::None;
    Diagnostics failure_;
    bool unspoken_ = false; ///< a failure that there was no memory to describe
    bool lean_ = false;     ///< snapshots without e-graph and HDL
};

} // namespace marquetry::session
