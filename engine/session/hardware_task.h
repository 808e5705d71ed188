// HardwareTask: the hardware of what the other tasks found — its HDL as text, exports, and
// verification.
//
// The hardware at hand is that of the design, before any search that of the DESIGN.json that was
// opened, or of a file without designs that of the stream or the memory at hand. Its text is due
// whenever it has become another one and nothing else is to be done; it is not made of what is
// still changing. Exports and verifications are jobs of the controller.
//
// Errors: memory-unknown, memory-unplanned, stream-unscheduled, no-design, export-folder, and those
// of hardware.h. Thread rule: belongs to one thread.
#pragma once

#include "engine/session/design_task.h"
#include "engine/session/hardware.h"
#include "engine/session/memory_task.h"
#include "engine/session/stream_task.h"

#include <deque>

namespace marquetry::session {

class HardwareTask : public Task {
public:
    HardwareTask(TaskState& taskState, const DesignTask& designs, const MemoryTask& memories,
                 const StreamTask& streams)
        : shared_(taskState), designs_(designs), memories_(memories), streams_(streams) {}

    /// Another file: what was known of the hardware is of the one before.
    void open() noexcept;
    /// The file is a DESIGN.json, and its program has been opened.
    void hold(DesignFile design);
    /// After a failure the text is not due before this.
    void retry() { failed_ = false; }
    void dropText() noexcept;

    Due due() const override;
    void work(std::stop_token stop) override;
    /// Nobody asked for the text, so nobody ends it.
    bool settle() override { return false; }
    std::optional<Status> apply(const Command& command) override;
    void fail(const Diagnostic& reason) override;
    void giveUp() noexcept override;
    void show(Snapshot& snapshot) override;

    /// Whether there is something to export, or will be when the job's turn comes.
    Status admit(const Export& command) const;
    Status admit(const Verify& command) const;
    Status run(const Export& command, std::stop_token stop);
    Status run(const Verify& command, std::stop_token stop);
    /// run() has thrown.
    void failJob(const Diagnostic& reason);

    /// The stream of the name, or without one that at hand of a file without designs; null while it
    /// is scheduled.
    const StreamItem* stream(const std::string& name) const;
    /// The memory of the name, or without one that at hand of a file of nothing else; null while it
    /// is planned.
    const MemoryItem* memory(const std::string& name) const;
    /// The DESIGN.json if it is what is named, or at hand; null when not.
    std::shared_ptr<const DesignFile> held(const std::string& name) const;
    const std::string& exportedTo() const { return exportedTo_; }

private:
    Status known(const std::string& item) const;
    Status knownMemory(const std::string& item) const;
    Status knownStream(const std::string& item) const;
    /// Another object when the hardware is another; null without any. `item`: as in Export.
    std::shared_ptr<const void> identity(const std::string& item) const;
    /// That it is priced on, at the clock of the settings.
    device::Device streamDevice(const StreamItem& item) const;
    ToBuild hardware(const std::string& item) const;
    bool textDue() const;
    bool listingDue() const;
    bool sweeping() const;
    void dropListing() noexcept;
    void writeText(std::stop_token stop);
    void makeListing(std::stop_token stop);
    std::string fingerprint(const std::string& item);
    VerifyState shownVerify();
    void remember();
    Result<std::string> folderToVerify(const Verify& command, std::stop_token stop);

    TaskState& shared_;
    const DesignTask& designs_;
    const MemoryTask& memories_;
    const StreamTask& streams_;

    Hardware hardware_;
    std::shared_ptr<const DesignFile> held_;
    std::shared_ptr<const HeldDesign> shownHeld_; ///< the same for snapshots
    std::shared_ptr<const design::Ledger> heldLedger_;
    std::shared_ptr<const design::Timetable> heldTimetable_;
    std::shared_ptr<const std::vector<HdlFile>> text_;
    std::shared_ptr<const void> textOf_;
    bool failed_ = false; ///< the text could not be made
    std::optional<ListExport> asked_;
    std::shared_ptr<const ExportListing> listing_; ///< the answer
    std::shared_ptr<const void> listingOf_;
    std::string exportedTo_;
    std::shared_ptr<const void> exported_;
    VerifyState verify_;
    /// A verdict, and what it is of. Without a fingerprint of a folder that somebody named.
    struct Verdict {
        std::string fingerprint;
        VerifyState state;
    };
    std::string verified_;                  ///< fingerprint of what verify_ is about
    std::deque<Verdict> verdicts_;          ///< the latest first
    std::shared_ptr<const void> printedOf_; ///< the design that print_ is of
    std::string print_;
    std::string exportedPrint_; ///< fingerprint of what was exported
};

} // namespace marquetry::session
