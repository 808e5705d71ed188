#include "engine/session/difference_task.h"

#include "engine/session/hardware.h"
#include "engine/support/text_diff.h"

#include <algorithm>
#include <map>
#include <utility>

namespace marquetry::session {

namespace {

ToBuild toBuild(const DesignOfProgram& side) {
    return DesignToBuild{side.design, side.program, nullptr, {}, {}};
}

/// The modules of A in its order, then those of B alone.
std::vector<HdlFileDifference> differences(const std::vector<HdlFile>& a,
                                           const std::vector<HdlFile>& b) {
    std::map<std::string, const HdlFile*> ofB;
    for (const HdlFile& file : b)
        ofB.emplace(file.path, &file);
    std::vector<HdlFileDifference> all;
    const auto add = [&](const std::string& path, const HdlFile* one, const HdlFile* other) {
        UnifiedDiff diff = unifiedDiff(one ? std::string_view(one->text) : std::string_view(),
                                       other ? std::string_view(other->text) : std::string_view());
        all.push_back({path, one != nullptr, other != nullptr, diff.removed, diff.added,
                       std::move(diff.text)});
    };
    for (const HdlFile& file : a) {
        const auto same = ofB.find(file.path);
        add(file.path, &file, same == ofB.end() ? nullptr : same->second);
    }
    for (const HdlFile& file : b)
        if (std::ranges::find(a, file.path, &HdlFile::path) == a.end())
            add(file.path, nullptr, &file);
    return all;
}

} // namespace

Due DifferenceTask::due() const {
    if (!comparing())
        return {};
    return {Work::Write, true, false, "comparing the HDL", "the HDL was compared"};
}

void DifferenceTask::work(std::stop_token stop) {
    HdlDifference difference = *answer_;
    difference.running = false;
    std::vector<HdlFile> files[2];
    for (const auto& [name, side, to] :
         {std::tuple("A", &asked_->a, &files[0]), std::tuple("B", &asked_->b, &files[1])}) {
        const ToBuild hardware = toBuild(*side);
        if (const Status exportable = Hardware::exportable(hardware); !exportable) {
            difference.problem = exportable.error();
            difference.problem.front().message =
                std::string(name) + ": " + difference.problem.front().message;
            return answer(std::move(difference));
        }
        *to = Hardware::files(hardware, progress_, stop);
        if (stop.stop_requested())
            return;
    }
    difference.files = differences(files[0], files[1]);
    answer(std::move(difference));
}

void DifferenceTask::answer(HdlDifference difference) {
    answer_ = std::make_shared<const HdlDifference>(std::move(difference));
}

bool DifferenceTask::settle() {
    if (!comparing())
        return false;
    fail(makeError("stopped", "the comparison of the HDL was stopped", "open the page again"));
    return true;
}

std::optional<Status> DifferenceTask::apply(const Command& command) {
    const auto* ask = std::get_if<AskHdlDifference>(&command);
    if (!ask)
        return std::nullopt;
    asked_.reset();
    answer_.reset();
    if (!ask->a.design || !ask->b.design)
        return ok();
    if (!ask->a.program || !ask->b.program)
        return makeError("no-program", "a design without its program has no HDL",
                         "open the program first");
    asked_ = *ask;
    answer({ask->a.design, ask->b.design, true, {}, {}});
    return ok();
}

void DifferenceTask::fail(const Diagnostic& reason) {
    HdlDifference difference = *answer_;
    difference.running = false;
    difference.problem = {reason};
    answer(std::move(difference));
}

void DifferenceTask::giveUp() noexcept {
    if (comparing())
        answer_.reset();
}

void DifferenceTask::show(Snapshot& snapshot) {
    snapshot.hdlDifference = answer_;
}

} // namespace marquetry::session
