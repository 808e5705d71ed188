#include "engine/session/file_design.h"

#include "engine/design/make_ledger.h"
#include "engine/frontend/onnx/program_file.h"
#include "engine/session/explore.h"
#include "engine/session/held_design.h"
#include "engine/session/held_ledger.h"
#include "engine/session/session_file.h"
#include "engine/session/setup.h"
#include "engine/support/quote.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace marquetry::session {

namespace {

struct NamedProgram {
    std::shared_ptr<const ir::Program> program;
    std::string text; ///< of its file
    Diagnostics warnings;
};

Result<NamedProgram> readItem(const std::string& file, const std::string& item) {
    auto read = frontend::onnx::readProgramFile(file);
    if (!read)
        return read.error();
    NamedProgram named;
    named.text = read->parsed.text;
    named.warnings = std::move(read->parsed.warnings);
    auto program = frontend::selectItem(std::move(read->parsed), item);
    if (!program)
        return program.error();
    named.program = std::make_shared<const ir::Program>(*std::move(program));
    return named;
}

Result<FileDesign> designOfFile(const std::string& path) {
    const auto file = readDesignFile(path);
    if (!file)
        return file.error();
    auto named = readItem(file->programFile, file->item);
    if (!named)
        return named.error();
    const HeldDesign held = heldDesign(*file, *named->program);
    FileDesign found{held.design, std::make_shared<const design::Ledger>(ledgerOf(*file, held)),
                     named->program, std::nullopt, std::move(named->warnings)};
    std::ranges::move(staleWarning(*file, *named->program), std::back_inserter(found.warnings));
    return found;
}

/// Exports of streams and memories have no design, as their DESIGN.json says.
Result<FileDesign> designOfExport(const std::string& folder) {
    const std::filesystem::path file = std::filesystem::path(folder) / "DESIGN.json";
    if (std::error_code error; std::filesystem::exists(file, error))
        return designOfFile(file.string());
    return makeError("design-form",
                     inQuotes(folder) + " is no folder of an export: it has no " + "DESIGN.json",
                     "name a folder that `marquetry export FILE --out FOLDER` wrote");
}

/// The search that finds again what was at hand.
Settings searchOf(const SessionFile& session) {
    return session.picked
               ? fastestOf(session.settings, session.picked->resources, session.picked->frames)
               : session.settings;
}

/// The search that finds a choice again has limits that are not those of the session.
std::optional<double> boundOf(const SessionFile& session, const extract::ExtractResult& found) {
    return !session.picked && found.lowerBound > 0 ? std::optional(found.lowerBound) : std::nullopt;
}

Result<NamedProgram> sessionProgram(const SessionFile& session, const std::string& path) {
    if (!session.searched)
        return makeError("no-design",
                         inQuotes(path) + " has no design: nothing was searched when it was saved",
                         "open it, run it, and save it again");
    auto named = readItem(programFileOf(session, path), session.item);
    if (!named || asHeld(named->text) == *session.text)
        return named;
    return makeError("program-changed",
                     inQuotes(session.program) + " has changed since " + inQuotes(path) +
                         " was saved",
                     "open the session file with the program that is meant, and save it again");
}

Result<FileDesign> designOfSession(const std::string& path, std::stop_token stop) {
    const auto session = readSession(path);
    if (!session)
        return session.error();
    auto named = sessionProgram(*session, path);
    if (!named)
        return named.error();
    const auto exploration =
        explore(named->program, searchOf(*session), session->pins, std::move(stop));
    if (!exploration)
        return exploration.error();
    const auto& design = exploration->extraction.design;
    if (!design && exploration->extraction.infeasible.empty())
        return makeAnswer("no-design", inQuotes(path) + " has no design");
    if (!design)
        return exploration->extraction.infeasible;
    // The limits are those of the session, not of the search that finds the choice again.
    const auto setup = makeSetup(session->settings, {});
    if (!setup)
        return setup.error();
    FileDesign found{design,
                     std::make_shared<const design::Ledger>(
                         design::makeLedger(*design, setup->device, setup->limits)),
                     named->program, boundOf(*session, exploration->extraction),
                     std::move(named->warnings)};
    if (session->picked && session->picked->cycles != design->cycles)
        found.warnings.push_back(makeWarning(
            "choice-gone", "the design that was chosen in " + inQuotes(path) +
                               " was not found again: the fastest within its resources is here"));
    return found;
}

} // namespace

Result<FileDesign> readFileDesign(const std::string& path, std::stop_token stop) {
    if (isSessionFile(path))
        return designOfSession(path, std::move(stop));
    if (isDesignFile(path))
        return designOfFile(path);
    if (std::error_code error; std::filesystem::is_directory(path, error))
        return designOfExport(path);
    return makeError("design-form", inQuotes(path) + " is no file of a design",
                     "name a DESIGN.json, which `marquetry explore FILE --out DESIGN.json` writes, "
                     "the folder of an export, or a session file (.mqs)");
}

} // namespace marquetry::session
