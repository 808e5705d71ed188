// The EXPLORE options that explore, export and sweep share (cli.md).
//
// Errors: those of session/setup.h and design/pin.h. Thread rule: main thread.
#pragma once

#include "engine/session/explore.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <vector>

namespace marquetry::cli {

struct ExploreOptions {
    std::string file;
    std::string item;
    std::string limits;
    std::string cost = "cycles";
    std::string pinsFile;
    std::vector<std::string> without;
    int threads = 1;
    session::Settings settings;
};

/// Unsigned options would wrap a negative number.
CLI::Validator notNegative();

/// For limits of time: a number above 0, not inf or nan.
CLI::Validator positiveSeconds();

/// Errors: file-missing.
Result<std::string> readTextFile(const std::string& path);

/// Adds FILE and the options to a sub-command; `options` must outlive it.
void addExploreOptions(CLI::App& command, ExploreOptions& options);

struct ExploreInput {
    std::shared_ptr<const ir::Program> program;
    session::Settings settings;
    std::vector<design::Pin> pins;
};

/// Reads the program and the pins; warnings go to standard error.
Result<ExploreInput> readInput(const ExploreOptions& options);

} // namespace marquetry::cli
