#include "engine/vendor/targets.h"

#include "engine/rtl/scope.h"
#include "engine/support/assert.h"
#include "engine/support/quote.h"
#include "engine/support/text_stream.h"
#include "engine/vendor/boards.h"
#include "engine/vendor/filelist.h"
#include "engine/vendor/open_tools.h"
#include "engine/vendor/quartus.h"
#include "engine/vendor/software.h"
#include "engine/vendor/vivado.h"

#include <algorithm>
#include <cmath>

namespace marquetry::vendor {

namespace {

/// What constraints can still say in fractions of a nanosecond, and more than any device reaches.
constexpr double kLeastClockMhz = 0.001, kMostClockMhz = 1000;

bool builds(const ExportTarget& target, const device::Device& device) {
    return target.families.empty() ||
           std::ranges::find(target.families, device.family) != target.families.end();
}

/// "'a', 'b' and 'c'" of the ids for which `wanted` holds.
template <class List, class Wanted>
std::string idsOf(const List& list, Wanted wanted) {
    std::vector<std::string> ids;
    for (const auto& element : list)
        if (wanted(element))
            ids.push_back(inQuotes(element.id));
    std::string text;
    for (std::size_t k = 0; k < ids.size(); ++k)
        text += (k == 0 ? "" : k + 1 == ids.size() ? " and " : ", ") + ids[k];
    return text;
}

Status checkDevice(const ExportTarget& target, const device::Device& device) {
    if (builds(target, device))
        return ok();
    return makeError("target-device",
                     "target " + inQuotes(target.id) + " does not build " + printable(device.name) +
                         " (" + inQuotes(device.id) + ")",
                     "targets that do: " + idsOf(targets(), [&](const ExportTarget& t) {
                         return builds(t, device);
                     }));
}

Status checkClock(double clockMhz) {
    if (std::isfinite(clockMhz) && clockMhz >= kLeastClockMhz && clockMhz <= kMostClockMhz)
        return ok();
    TextOut text;
    text << "a clock of " << clockMhz << " MHz; expected " << kLeastClockMhz << " to "
         << kMostClockMhz;
    return makeError("clock-range", text.str(), "give the clock in MHz");
}

bool noBoard(const std::string& board) {
    return board.empty() || board == "none";
}

Status checkBoard(const ExportTarget& target, const std::string& id, const device::Device& device) {
    if (noBoard(id))
        return ok();
    const Board* board = findBoard(id);
    if (board == nullptr)
        return makeError("unknown-board", "no board is named " + inQuotes(id),
                         "boards: " + idsOf(boards(), [](const Board&) { return true; }) +
                             ", or 'none'");
    if (!target.hasBoards)
        return makeError("board-device",
                         "target " + inQuotes(target.id) + " has no projects for boards",
                         "targets that have: " + idsOf(targets(), [](const ExportTarget& t) {
                             return t.hasBoards;
                         }) + "; or board 'none'");
    if (board->device != device.id)
        return makeError("board-device",
                         board->title + " has the device " + inQuotes(board->device) +
                             ", and this was made for " + inQuotes(device.id),
                         "make it for --device " + board->device + ", or choose board 'none'");
    return ok();
}

} // namespace

const std::vector<ExportTarget>& targets() {
    static const std::vector<ExportTarget> kTargets = {
        {"verilog", "Verilog", {}, false, verilogFiles},
        {"vivado", "AMD Vivado", {"xc7", "xcup"}, true, vivadoFiles},
        {"quartus", "Intel Quartus Prime", {"arria10"}, false, quartusFiles},
        {"open", "Yosys and nextpnr", {"ecp5", "ice40"}, false, openFiles},
    };
    return kTargets;
}

const ExportTarget* findTarget(const std::string& id) {
    const auto found = std::ranges::find(targets(), id, &ExportTarget::id);
    return found == targets().end() ? nullptr : &*found;
}

Status checkChoice(const Choice& choice) {
    const ExportTarget* target = findTarget(choice.target);
    if (target == nullptr)
        return makeError("unknown-target", "no export target is named " + inQuotes(choice.target),
                         "targets: " + idsOf(targets(), [](const ExportTarget&) { return true; }));
    if (const Status device = checkDevice(*target, choice.device); !device)
        return device;
    if (const Status clock = checkClock(choice.clockMhz); !clock)
        return clock;
    return checkBoard(*target, choice.board, choice.device);
}

Status checkProject(const std::string& target, const Project& project) {
    const Status choice = checkChoice({target, project.device, project.clockMhz, project.board});
    if (!choice || noBoard(project.board))
        return choice;
    return checkSystem(project);
}

files::FolderFiles projectFiles(const std::string& target, const Project& given) {
    const ExportTarget* found = findTarget(target);
    ENGINE_ASSERT(found != nullptr, "the target has passed the check");
    Project project = given;
    project.name = rtl::identifier(given.name);
    files::FolderFiles files = found->files(project);
    files.merge(softwareFiles(project));
    return files;
}

} // namespace marquetry::vendor
