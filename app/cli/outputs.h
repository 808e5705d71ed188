// The files and folders that sub-commands write.
//
// Each output has a kind, by which an earlier output of the same kind is recognised and replaced.
// Something of another kind is replaced with --force only. What the run has read is never replaced.
// Outputs are checked before the work that makes them, and again when they are written, which
// happens as a whole or not at all (engine/support/files.h, folders.h).
//
// Errors: those of files::write and files::replaceFolder. Thread rule: main thread; warnings go to
// standard error.
#pragma once

#include "engine/support/folders.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace marquetry::cli {

enum class FileKind : std::uint8_t { Design, EGraph, BankTable, HlsHeader, Program, Waveforms };
/// Folders of `run`, `schedule` and `convert`; exports have a rule of their own
/// (artefact/manifest.h).
enum class FolderKind : std::uint8_t { Run, Schedule, Weights };

/// The first line of a program that `convert` wrote begins so.
inline constexpr const char* kConvertedHead = "// Imported by Marquetry from ";

/// The file in a folder of a kind by which the folder is recognised; it names the others.
const char* markerOf(FolderKind kind);

/// Where one output of a sub-command goes.
struct OutputPlace {
    std::string path; ///< empty: not asked for
    bool force = false;
    std::vector<std::string> inputs; ///< files of the run
};

/// Adds --force.
void addForceOption(CLI::App& command, bool& force);

/// A folder as the next command is given it: quoted for a shell, and never like an option.
std::string folderWord(const std::string& folder);

/// What writing would refuse, as far as it can be known before; ok when no output is asked for.
Status checkFile(const OutputPlace& output, FileKind kind);
Status checkFolder(const OutputPlace& output, FolderKind kind);

Status writeFile(const OutputPlace& output, FileKind kind, std::string_view bytes);
Status writeFolder(const OutputPlace& output, FolderKind kind, const files::FolderFiles& files);

} // namespace marquetry::cli
