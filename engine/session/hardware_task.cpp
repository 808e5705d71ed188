#include "engine/session/hardware_task.h"

namespace marquetry::session {

void HardwareTask::open() noexcept {
    dropText();
    asked_.reset();
    dropListing();
    exportedTo_.clear();
    exported_.reset();
    verify_ = {};
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

const StreamItem* HardwareTask::stream() const {
    const Streams& all = streams_.streams();
    if (designs_.loaded() || !all.any() || !all.items()[all.current()].operators)
        return nullptr;
    return &all.items()[all.current()];
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
    if (const StreamItem* found = stream())
        return found->operators;
    return designs_.explorer().found().design;
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
    if (const StreamItem* found = stream())
        return StreamToBuild{std::make_shared<const StreamItem>(*found), explorer.source(),
                             streamDevice(*found), seed};
    return designs_.hardware();
}

Status HardwareTask::knownMemory(const std::string& item) const {
    const Memories& all = memories_.memories();
    if (!all.find(item))
        return makeError("memory-unknown", "there is no memory \"" + item + "\"");
    const bool coming = all.due() && all.items()[all.current()].program->name == item;
    if (memory(item) || coming)
        return ok();
    return makeError("memory-unplanned", "the banks of \"" + item + "\" are not known yet",
                     "show the item and wait for its plan");
}

Status HardwareTask::known(const std::string& item) const {
    if (!item.empty())
        return knownMemory(item);
    if (memory({}) || (!designs_.loaded() && memories_.memories().due()))
        return ok();
    if (stream() || (!designs_.loaded() && streams_.streams().scheduling()))
        return ok();
    return designs_.hasDesign();
}

// ---- text and lists ----

bool HardwareTask::textDue() const {
    const std::shared_ptr<const void> hardware = identity({});
    return hardware && hardware != textOf_;
}

bool HardwareTask::listingDue() const {
    if (!asked_)
        return false;
    const std::shared_ptr<const void> hardware = identity(asked_->item);
    return hardware && hardware != listingOf_;
}

Due HardwareTask::due() const {
    const bool changing = designs_.changing() || (!designs_.loaded() && streams_.streams().due());
    if (failed_ || changing || shared_.lean)
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
    snapshot.exportedTo = exportedTo_;
    snapshot.verify = verify_;
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
    shared_.log.add("exported to " + command.folder);
    return ok();
}

/// The folder asked for, the last export of this very hardware, or a temporary one.
Result<std::string> HardwareTask::folderToVerify(const Verify& command, std::stop_token stop) {
    if (!command.folder.empty())
        return command.folder;
    if (const Status there = known(command.item); !there)
        return there.error();
    if (exported_ && exported_ == identity(command.item))
        return exportedTo_;
    const ToBuild now = hardware(command.item);
    if (const Status exportable = Hardware::exportable(now); !exportable)
        return exportable.error();
    return hardware_.exportTemporarily(now, std::move(stop));
}

Status HardwareTask::run(const Verify& command, std::stop_token stop) {
    verify_ = {};
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
    shared_.log.add(done ? "verify: " + verify_.message : "verify: not done");
    return done;
}

void HardwareTask::failJob(const Diagnostic& reason) {
    verify_.running = false;
    verify_.message = reason.message;
}

} // namespace marquetry::session
