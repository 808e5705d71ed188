// Controller: the session's state machine — what each command does, and what to work on next.
//
// Without threads: the worker hands it commands one by one and calls work() with what nextWork()
// says, until that is None. Commands are acknowledged through the hook, exactly once; Export and
// Verify when they have ended, the others at once. While one of them waits or runs (hasJob) no
// further command may be handled.
//
// Modes (phases without the passing ones):
//   Empty | Invalid ── open ──► Loaded ── run ──► Saturating ⇄ Paused, ── end or stop ──► Ready
// In Paused and Ready a change of pins, limits, device or objective makes an extraction due
// (phase Extracting); a change that needs another e-graph goes back to Loaded, or starts the
// saturation that was running anew.
//
// Codes of refusals: no-program, no-design, already-running, already-done, not-running,
// interrupted, not-exportable, export-folder, and those of setup.h, pin_history.h and of hdl.
// Thread rule: belongs to one thread.
#pragma once

#include "engine/session/command_line.h"
#include "engine/session/explorer.h"
#include "engine/session/hardware.h"
#include "engine/session/pin_history.h"

#include <functional>

namespace marquetry::session {

enum class Work { None, Iterate, Extract, Export, Verify };

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
    void work(std::stop_token stop);
    /// Refuses what still waits.
    void close();

    Phase phase() const;
    /// `watched`: somebody asked, so intermediate designs are worth finding.
    Snapshot snapshot(bool watched);

private:
    enum class Mode { Empty, Invalid, Loaded, Saturating, Paused, Ready };
    struct Job {
        Ticket ticket = 0;
        std::variant<Export, Verify> command;
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
    Status admit(const Export& command) const;
    Status admit(const Verify& command) const;

    CommandContext context() const;
    Status opened(const Status& status, const std::string& previousFile);
    void forgetSearch();
    Status startOver();
    Status saturateFrom(bool once);
    Status pinsChanged(const Status& status);
    void constraintsChanged();
    void endExtraction();
    extract::ExtractParams extraction() const;
    bool needsExtraction() const;
    Status designAtHand() const;

    void workIterate(std::stop_token stop);
    void workExtract(std::stop_token stop);
    void workJob(std::stop_token stop);
    void extractProvisionally(std::stop_token stop);
    void extractionEnded(extract::ExtractResult result);
    void saturationEnded();
    void logDesign();
    Status run(const Export& command, std::stop_token stop);
    Status run(const Verify& command, std::stop_token stop);
    Result<std::string> folderToVerify(const Verify& command, std::stop_token stop);
    HardwareParams hardwareParams() const;
    void refuseJob(const Diagnostic& reason);
    void log(std::string text);
    void refreshHdl();

    Hooks hooks_;
    Settings settings_;
    Setup setup_;
    Explorer explorer_;
    PinHistory pins_;
    Mode mode_ = Mode::Empty;
    bool once_ = false;           ///< pause after this iteration
    bool extractDue_ = false;     ///< in Paused and Ready
    bool quickDue_ = false;       ///< in Saturating: a design of the e-graph so far
    bool constraintsNew_ = false; ///< pins or settings changed since found()
    bool partial_ = false;        ///< found() comes from an extraction that was stopped
    bool watched_ = false;
    double quickMilliseconds_ = 0;
    std::optional<extract::ExtractResult> interrupted_;
    std::optional<Job> job_;
    bool jobStopped_ = false; ///< the command that comes next stopped a job

    Hardware hardware_;
    std::shared_ptr<const std::vector<HdlFile>> hdl_;
    std::shared_ptr<const design::Design> hdlOf_;
    std::string exportedTo_;
    std::shared_ptr<const design::Design> exported_;
    VerifyState verify_;
    std::shared_ptr<const egraph::EGraphView> view_;
    std::uint64_t viewOf_ = 0;
    std::vector<LogLine> log_;
    std::uint64_t logged_ = 0;
    std::string note_; ///< what the command just applied has to say
};

} // namespace marquetry::session
