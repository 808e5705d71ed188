#include "engine/session/hardware_task.h"

#include "engine/design/make_timetable.h"
#include "engine/session/hardware_fingerprint.h"
#include "engine/session/held_design.h"
#include "engine/session/held_ledger.h"

namespace marquetry::session {

void HardwareTask::open() noexcept {
    dropText();
    asked_.reset();
    dropListing();
    exportedTo_.clear();
    exported_.reset();
    verify_ = {};
    verified_.clear();
    verdicts_.clear();
    printedOf_.reset();
    exportedPrint_.clear();
    held_.reset();
    shownHeld_.reset();
    heldLedger_.reset();
    heldTimetable_.reset();
}

void HardwareTask::hold(DesignFile design) {
    auto held = std::make_shared<const DesignFile>(std::move(design));
    auto shown =
        std::make_shared<const HeldDesign>(heldDesign(*held, *designs_.explorer().program()));
    auto timetable =
        std::make_shared<const design::Timetable>(design::makeTimetable(*shown->design));
    heldLedger_ = std::make_shared<const design::Ledger>(ledgerOf(*held, *shown));
    heldTimetable_ = std::move(timetable);
    shownHeld_ = std::move(shown);
    held_ = std::move(held);
}

void HardwareTask::dropText() noexcept {
    text_.reset();
    textOf_.reset();
}

void HardwareTask::dropListing() noexcept {
    listing_.reset();
    listingOf_.reset();
}

// ---- what there is ----

const StreamItem* HardwareTask::stream(const std::string& name) const {
    const Streams& all = streams_.streams();
    const StreamItem* item = nullptr;
    if (!name.empty())
        item = all.find(name);
    else if (all.any() && !designs_.loaded())
        item = &all.items()[all.current()];
    return item && item->operators ? item : nullptr;
}

std::shared_ptr<const DesignFile> HardwareTask::held(const std::string& name) const {
    const bool meant = held_ && (name.empty() ? !designs_.searched() : name == held_->path);
    return meant && designs_.loaded() ? held_ : nullptr;
}

const MemoryItem* HardwareTask::memory(const std::string& name) const {
    const Memories& all = memories_.memories();
    const MemoryItem* item = nullptr;
    if (!name.empty())
        item = all.find(name);
    else if (all.any() && !designs_.loaded() && !streams_.streams().any())
        item = &all.items()[all.current()];
    return item && item->ready() ? item : nullptr;
}

std::shared_ptr<const void> HardwareTask::identity(const std::string& item) const {
    if (const MemoryItem* found = memory(item))
        return found->detail;
    if (const StreamItem* found = stream(item))
        return found->operators;
    if (auto found = held(item))
        return found;
    return item.empty() ? designs_.explorer().found().design : nullptr;
}

device::Device HardwareTask::streamDevice(const StreamItem& item) const {
    device::Device chosen = shared_.setup.device;
    if (item.device == chosen.id)
        return chosen;
    const std::optional<double> clockMhz = shared_.choices.settings().clockMhz;
    chosen = deviceNamed(item.device);
    chosen.clockMhz = clockMhz.value_or(chosen.clockMhz);
    return chosen;
}

ToBuild HardwareTask::hardware(const std::string& item) const {
    const Explorer& explorer = designs_.explorer();
    const std::uint64_t seed = shared_.choices.settings().seed;
    if (const MemoryItem* found = memory(item))
        return MemoryToBuild{std::make_shared<const MemoryItem>(*found), explorer.source(),
                             shared_.setup.device};
    if (const StreamItem* found = stream(item))
        return StreamToBuild{std::make_shared<const StreamItem>(*found), explorer.source(),
                             streamDevice(*found), seed};
    if (const auto found = held(item))
        return HeldToBuild{found, explorer.program(), explorer.source(),
                           found->choices.settings.seed};
    return designs_.hardware();
}

Status HardwareTask::knownMemory(const std::string& item) const {
    const Memories& all = memories_.memories();
    const bool coming = all.due() && all.items()[all.current()].program->name == item;
    if (memory(item) || coming)
        return ok();
    return makeError("memory-unplanned", "the banks of \"" + item + "\" are not known yet",
                     "show the item and wait for its plan");
}

Status HardwareTask::knownStream(const std::string& item) const {
    const Streams& all = streams_.streams();
    const bool coming = all.scheduling() && all.items()[all.current()].program->name == item;
    if (stream(item) || coming)
        return ok();
    return makeError("stream-unscheduled", "the circuit of \"" + item + "\" is not known yet",
                     "show the item and wait for its schedule");
}

Status HardwareTask::known(const std::string& item) const {
    if (held(item))
        return ok();
    if (memories_.memories().find(item))
        return knownMemory(item);
    if (streams_.streams().find(item))
        return knownStream(item);
    if (!item.empty())
        return makeError("memory-unknown",
                         "the file has no stream, memory or buffer \"" + item + "\"");
    if (memory({}) || (!designs_.loaded() && memories_.memories().due()))
        return ok();
    if (stream({}) || (!designs_.loaded() && streams_.streams().scheduling()))
        return ok();
    return designs_.hasDesign();
}

// ---- text and lists ----

bool HardwareTask::textDue() const {
    const std::shared_ptr<const void> hardware = identity({});
    return hardware && hardware != textOf_ && !sweeping();
}

bool HardwareTask::listingDue() const {
    if (!asked_)
        return false;
    const std::shared_ptr<const void> hardware = identity(asked_->item);
    const bool mayChange = asked_->item.empty() && sweeping();
    return hardware && hardware != listingOf_ && !mayChange;
}

/// Text is of what does not change while its stream is looked at.
bool HardwareTask::sweeping() const {
    return !designs_.loaded() && streams_.streams().due();
}

Due HardwareTask::due() const {
    if (failed_ || designs_.changing() || shared_.lean)
        return {};
    if (listingDue())
        return {Work::Write, false, false, "listing the files", "the files were listed"};
    if (textDue())
        return {Work::Write, false, false, "writing the HDL", "the HDL was written"};
    return {};
}

void HardwareTask::work(std::stop_token stop) {
    if (listingDue())
        makeListing(std::move(stop));
    else
        writeText(std::move(stop));
}

void HardwareTask::writeText(std::stop_token stop) {
    const std::shared_ptr<const void> written = identity({});
    const ToBuild now = hardware({});
    std::vector<HdlFile> files;
    if (Hardware::exportable(now))
        files = Hardware::files(now, shared_.progress, stop);
    if (stop.stop_requested())
        return;
    dropText();
    if (!files.empty())
        text_ = std::make_shared<const std::vector<HdlFile>>(std::move(files));
    textOf_ = written;
}

void HardwareTask::makeListing(std::stop_token stop) {
    const std::shared_ptr<const void> listed = identity(asked_->item);
    const ToBuild now = hardware(asked_->item);
    auto listing = std::make_shared<ExportListing>();
    listing->options = hdl::optionsOf(*asked_->form);
    listing->item = asked_->item;
    if (const Status exportable = Hardware::exportable(now); !exportable) {
        listing->problem = exportable.error();
    } else {
        auto files = Hardware::list(now, {{std::string()}, *asked_->form}, stop);
        if (stop.stop_requested())
            return;
        if (files)
            listing->files = *std::move(files);
        else
            listing->problem = files.error();
    }
    listing_ = std::move(listing);
    listingOf_ = listed;
}

std::optional<Status> HardwareTask::apply(const Command& command) {
    const auto* const list = std::get_if<ListExport>(&command);
    if (!list)
        return std::nullopt;
    const Status there = list->form ? known(list->item) : ok();
    asked_ = there && list->form ? std::optional(*list) : std::nullopt;
    dropListing();
    return there;
}

void HardwareTask::fail(const Diagnostic&) {
    giveUp();
}

void HardwareTask::giveUp() noexcept {
    dropText();
    asked_.reset();
    dropListing();
    failed_ = true;
    verify_.running = false;
}

void HardwareTask::show(Snapshot& snapshot) {
    if (textOf_ == identity({}))
        snapshot.hdl = text_;
    if (asked_ && listingOf_ == identity(asked_->item))
        snapshot.listing = listing_;
    snapshot.held = shownHeld_;
    snapshot.heldAtHand = held({}) != nullptr;
    if (snapshot.heldAtHand) {
        snapshot.ledger = heldLedger_;
        snapshot.timetable = heldTimetable_;
    }
    snapshot.exportedTo = exportedTo_;
    snapshot.verify = shownVerify();
}

// ---- export and verify ----

Status HardwareTask::admit(const Export& command) const {
    if (command.folder.empty())
        return makeError("export-folder", "the export has no folder to go to");
    return known(command.item);
}

Status HardwareTask::admit(const Verify& command) const {
    return command.folder.empty() ? known(command.item) : ok();
}

Status HardwareTask::run(const Export& command, std::stop_token stop) {
    if (const Status there = known(command.item); !there)
        return there;
    const ToBuild now = hardware(command.item);
    if (const Status exportable = Hardware::exportable(now); !exportable)
        return exportable;
    ExportOrder order{{command.folder, Hardware::inputsOf(now), false}, command.form};
    if (command.pictures)
        order.pictures = *command.pictures;
    const auto written = Hardware::exportTo(now, order, std::move(stop));
    if (!written)
        return written.error();
    exportedTo_ = command.folder;
    exported_ = identity(command.item);
    exportedPrint_ = fingerprint(command.item);
    shared_.log.add("exported to " + command.folder);
    if (written->placed)
        shared_.log.add(hdl::placedLine(*written->placed));
    return ok();
}

/// The folder asked for, the last export of this very hardware, or a temporary one.
Result<std::string> HardwareTask::folderToVerify(const Verify& command, std::stop_token stop) {
    if (!command.folder.empty())
        return command.folder;
    if (const Status there = known(command.item); !there)
        return there.error();
    if (exported_ && exported_ == identity(command.item) &&
        exportedPrint_ == fingerprint(command.item))
        return exportedTo_;
    const ToBuild now = hardware(command.item);
    if (const Status exportable = Hardware::exportable(now); !exportable)
        return exportable.error();
    return hardware_.exportTemporarily(now, std::move(stop));
}

/// Of designs, which are large, made once for each.
std::string HardwareTask::fingerprint(const std::string& item) {
    const std::shared_ptr<const void> object = identity(item);
    if (!object)
        return "";
    const ToBuild now = hardware(item);
    if (!std::holds_alternative<DesignToBuild>(now))
        return fingerprintOf(now);
    if (printedOf_ != object) {
        print_ = fingerprintOf(now);
        printedOf_ = object;
    }
    return print_;
}

/// The verdict on the hardware that is there now, where there is one; else the latest, said to be
/// of another.
VerifyState HardwareTask::shownVerify() {
    const bool broken = !verify_.done && !verify_.message.empty();
    if (verify_.running || verdicts_.empty() || (broken && verified_ == fingerprint(verify_.item)))
        return verify_;
    const Verdict& latest = verdicts_.front();
    const std::string now = fingerprint(latest.state.item);
    for (const Verdict& verdict : verdicts_)
        if (!now.empty() && verdict.state.item == latest.state.item && verdict.fingerprint == now)
            return verdict.state;
    VerifyState state = latest.state;
    state.ofAnother = true;
    return state;
}

void HardwareTask::remember() {
    constexpr std::size_t kMostVerdicts = 64;
    std::erase_if(verdicts_, [this](const Verdict& verdict) {
        return verdict.fingerprint == verified_ && verdict.state.item == verify_.item;
    });
    verdicts_.push_front({verified_, verify_});
    if (verdicts_.size() > kMostVerdicts)
        verdicts_.pop_back();
}

Status HardwareTask::run(const Verify& command, std::stop_token stop) {
    verify_ = {};
    verified_ = command.folder.empty() ? fingerprint(command.item) : "";
    if (!command.folder.empty() && command.folder == exportedTo_)
        verified_ = exportedPrint_;
    verify_.running = true;
    verify_.item = command.item;
    verify_.simulator = command.simulator;
    verify_.message = "writing the hardware";
    shared_.progress();
    const auto folder = folderToVerify(command, stop);
    if (!folder) {
        verify_.running = false;
        verify_.message = folder.error().front().message;
        return folder.error();
    }
    const Status done = hardware_.verify({*folder, command}, verify_, shared_.progress, stop);
    if (verify_.done)
        remember();
    shared_.log.add(done ? "verify: " + verify_.message : "verify: not done");
    return done;
}

void HardwareTask::failJob(const Diagnostic& reason) {
    verify_.running = false;
    verify_.message = reason.message;
}

} // namespace marquetry::session
