// The targets of exports: which devices each can build, and the files it adds to an export.
//
// Errors of checkProject, before anything is written: unknown-target, target-device (naming the
// targets that can build the device), clock-range, unknown-board, board-device (the board has
// another device, or the target has no boards), those of checkSystem (boards.h) when a board is
// chosen. Complexity: linear in the text. Thread rule: pure.
#pragma once

#include "engine/support/folders.h"
#include "engine/vendor/project.h"

#include <string>
#include <vector>

namespace marquetry::vendor {

struct ExportTarget {
    std::string id;
    std::string title;
    std::vector<std::string> families; ///< of devices; empty: all
    bool hasBoards = false;
    files::FolderFiles (*files)(const Project& project) = nullptr;
};

/// In the order of menus.
const std::vector<ExportTarget>& targets();
/// Null when there is none of this id.
const ExportTarget* findTarget(const std::string& id);

/// What a user chooses; all that can be said before anything is built.
struct Choice {
    std::string target;
    device::Device device;
    double clockMhz = 100;
    std::string board; ///< empty or "none": none
};
Status checkChoice(const Choice& choice);

Status checkProject(const std::string& target, const Project& project);

/// Path → text, beside rtl/ and what else every export has. The project has passed the check. Names
/// of files and cores are made of rtl::identifier(project.name): tools want a letter first.
files::FolderFiles projectFiles(const std::string& target, const Project& project);

} // namespace marquetry::vendor
