// DesignTask: the program at hand on its way to a design — saturation, extraction, the questions
// beside the design, and the measures of the e-graph.
//
// Modes:
//   Empty | Invalid ── open ──► Loaded ── run ──► Saturating ⇄ Paused, ── end or stop ──► Ready
// Stepping is Saturating for one iteration. A change of pins, limits, device or objective makes an
// extraction due in Paused and Ready, and while the e-graph grows if there is a design by then. A
// change that needs another e-graph starts the saturation that was running anew, or else goes back
// to Loaded, from where searchAgain() leads on. While the e-graph grows, designs are looked for on
// the way when somebody watches and it does not take long.
//
// Errors (of the commands): no-program, no-design, already-running, already-done, not-running,
// running, interrupted, and those of choice_history.h and questions.h. That there is no design is
// an answer. Failures: the e-graph alone is lost when its growth fails, for nobody knows in which
// of its steps; it starts over from the program. Thread rule: belongs to one thread.
#pragma once

#include "engine/egraph/saturate.h"
#include "engine/session/hardware.h"
#include "engine/session/questions.h"
#include "engine/session/shown_rules.h"
#include "engine/session/task.h"
#include "engine/session/task_state.h"

namespace marquetry::session {

class DesignTask : public Task {
public:
    /// Whether somebody may look while it works: what only that person sees is left out else.
    enum class Audience { None, Watching };

    explicit DesignTask(TaskState& taskState, Audience audience = Audience::Watching)
        : shared_(taskState), audience_(audience) {}

    /// Another file; `valid`: it was opened without errors.
    void open(Explorer next, bool valid);
    /// The settings have changed; the setup of those before is still in the shared state.
    Status use(Setup setup, const Settings& before);
    void pinsChanged();
    /// Another design of the plot is wanted at hand, or the best again.
    void pickChanged();
    /// Some of the search has been done.
    bool searched() const { return mode_ > Mode::Loaded; }
    /// Goes on to where the search had been before a change led back to the beginning.
    Status searchAgain();
    /// A snapshot is asked for, so designs on the way are worth finding.
    void watch() { watched_ = true; }

    Due due() const override;
    void work(std::stop_token stop) override;
    bool settle() override;
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override;
    void giveUp() noexcept override;
    void show(Snapshot& snapshot) override;
    /// Pictures are made anew, when next asked for.
    void dropPictures() noexcept;

    const Explorer& explorer() const { return explorer_; }
    /// The design at hand, with what finds it again, or one as good.
    DesignToBuild hardware() const;
    /// What finds that design again.
    FoundBy foundBy() const;
    /// A search has come to its end by itself, and best() has its best design.
    bool ended() const;
    /// What the search has found, whatever was chosen of it.
    const extract::ExtractResult& best() const { return best_ ? *best_ : explorer_.found(); }
    /// A limit on time has ended that search, or the growth of its e-graph.
    bool outOfTime() const { return explorer_.outOfTime() || best().outOfTime; }
    /// What was wrong with the last extraction, so that it was none; an answer to whoever watches.
    const Diagnostics& mistakes() const { return mistakes_; }
    /// The e-graph for somebody else; the task is over.
    std::unique_ptr<rules::Lowered> takeLowered() { return explorer_.takeLowered(); }
    bool loaded() const { return explorer_.loaded(); }
    /// The design is about to be another one.
    bool changing() const { return saturating() || extractDue_; }
    /// The phase when nothing is worked on but the e-graph.
    Phase phase() const;
    Status hasProgram() const;
    /// There is a design, or the one that is due comes before whoever asks.
    Status hasDesign() const;
    /// All metrics of the e-graph and the designs at hand.
    Status measure(std::stop_token stop);

private:
    enum class Mode { Empty, Invalid, Loaded, Stepping, Saturating, Paused, Ready };
    /// What was found, beside the pins and settings as they are now.
    enum class Found {
        Current,
        OfOneWidth, ///< on the way, only designs of the e-graph at hand were looked at
        Partial,    ///< comes from an extraction that was stopped
        Outdated
    };

    bool saturating() const { return mode_ == Mode::Saturating || mode_ == Mode::Stepping; }
    Status hasDesignAtRest() const;
    bool needsExtraction() const;

    Status run();
    Status saturate(Mode mode);
    Status choosePoint(const design::DesignPoint& point);
    bool pickAtHand() const { return chosen_ && explorer_.found().design == chosen_; }
    bool searchOver() const;
    void pickAgain();
    void leavePick();
    void dropPick();
    void takeBest();
    Status pause();
    Status stop();
    Status changePins(const Status& changed);
    Status startOver(Setup setup);
    void forgetSearch() noexcept;
    void forgetAnswers() noexcept;
    void settleExtraction();

    void iterate(std::stop_token stop);
    void saturated();
    void searchOnTheWay(std::stop_token stop);
    void search(std::stop_token stop);
    extract::ExtractResult extracted(std::stop_token stop);
    void answer(std::stop_token stop);
    void adopt(extract::ExtractResult result);
    extract::ExtractParams extraction();
    void logDesign();
    void loseEgraph();
    void failExtraction(const Diagnostic& reason);
    void failQuestion(const Diagnostic& reason);
    std::pair<std::uint64_t, std::shared_ptr<const design::Design>> measuredState() const;
    void showEgraph(Snapshot& snapshot);
    void showFound(Snapshot& snapshot) const;

    TaskState& shared_;
    Audience audience_;
    Explorer explorer_;
    Diagnostics mistakes_;
    Questions questions_;
    Mode mode_ = Mode::Empty;
    Work working_ = Work::None;
    /// Of the design that it is kept with; shown while that is at hand.
    std::shared_ptr<const design::Ledger> ledger_;
    std::shared_ptr<const design::Timetable> timetable_;
    std::shared_ptr<const design::Design> ledgerOf_;
    /// The design that was chosen from the plot, if it is still at hand, and what names it.
    std::shared_ptr<const design::Design> chosen_;
    std::optional<PickedDesign> chosenName_;
    bool pickAwaited_ = false; ///< it was chosen before the search that is to find it has ended
    /// What the search had found before that was chosen.
    std::shared_ptr<const extract::ExtractResult> best_;
    bool extractDue_ = false; ///< while the e-graph grows: a design of it so far
    Found found_ = Found::Current;
    bool watched_ = false;
    double onTheWayMilliseconds_ = 0;                   ///< the longest search so far
    std::optional<extract::ExtractResult> interrupted_; ///< extraction's best so far
    std::optional<Extracting> extracting_;              ///< while work() is at it
    std::shared_ptr<const extract::Metrics> metrics_;
    /// What metrics_ were made from: they are outdated when it is another.
    std::pair<std::uint64_t, std::shared_ptr<const design::Design>> metricsOf_;

    std::shared_ptr<const egraph::FrozenEGraph> view_;
    std::uint64_t viewOf_ = 0;
    SharedList<egraph::Iteration> iterations_;
    SharedList<extract::TermCount> terms_;
    ShownRules rules_;
};

} // namespace marquetry::session
