// The EXPLORE options that explore, export and sweep share (cli.md, "Options of EXPLORE").
//
// Errors: those of session/setup.h and design/pin.h. Thread rule: main thread.
#pragma once

#include "engine/frontend/parser.h"
#include "engine/session/design_file.h"
#include "engine/session/explore.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::cli {

struct ExploreOptions {
    std::string file;
    std::string item;
    std::string limits;
    std::string cost = "cycles";
    std::string objective = "latency";
    std::string method = "pool";
    std::optional<std::string> pinsGiven; ///< a file, or the text of one, which begins with "{"
    std::vector<std::string> without;
    std::vector<std::string> with; ///< groups that are on whatever `without` says
    int threads = 1;
    session::Settings settings;
    std::vector<design::Pin> pins; ///< where there is no file of pins
};

/// Unsigned options would wrap a negative number.
CLI::Validator notNegative();

/// For limits of time: a number above 0, not inf or nan.
CLI::Validator positiveSeconds();

/// Adds FILE and the options to a sub-command; `options` must outlive it.
void addExploreOptions(CLI::App& command, ExploreOptions& options);

struct ExploreInput {
    std::shared_ptr<const ir::Program> program;
    std::string text; ///< of the program's file, byte for byte
    session::Settings settings;
    std::vector<design::Pin> pins;
    std::vector<std::string> files; ///< all that the run reads
};

/// Reads the program; warnings go to standard error. A command reads its program once.
Result<frontend::ParseResult> readProgram(const std::string& file);

/// Reads the program and the pins. When FILE is a DESIGN.json, they are those that it names; the
/// options become those of its exploration, but for what the command was given. Another device
/// leaves clock, bandwidth and limits as they are usual there. A program that has changed since is
/// a warning on standard error.
Result<ExploreInput> readInput(ExploreOptions& options, const CLI::App& command);
/// Of a program that has been read.
Result<ExploreInput> readInput(const ExploreOptions& options, frontend::ParseResult parsed);

} // namespace marquetry::cli
