// The sub-commands: each function adds one to the application. Its callback does the work and
// leaves the exit status in the context. Thread rule: main thread.
#pragma once

#include "app/cli/cli.h"

#include <CLI/CLI.hpp>

namespace marquetry::cli {

struct CliContext {
    int exitStatus = kDone;
    ReportPainter painter{};
};

void addOpenCommand(CLI::App& app);
void addCheckCommand(CLI::App& app, CliContext& context);
void addRunCommand(CLI::App& app, CliContext& context);
void addExploreCommand(CLI::App& app, CliContext& context);
void addConvertCommand(CLI::App& app, CliContext& context);
void addCountCommand(CLI::App& app, CliContext& context);
void addBankCommand(CLI::App& app, CliContext& context);
void addExportCommand(CLI::App& app, CliContext& context);
void addVerifyCommand(CLI::App& app, CliContext& context);
void addEgraphCommand(CLI::App& app, CliContext& context);
void addBenchCommand(CLI::App& app, CliContext& context);
void addExtractCommand(CLI::App& app, CliContext& context);
void addLedgerCommand(CLI::App& app, CliContext& context);
void addCompareCommand(CLI::App& app, CliContext& context);
void addDevicesCommand(CLI::App& app, CliContext& context);
void addScheduleCommand(CLI::App& app, CliContext& context);
void addSweepCommand(CLI::App& app, CliContext& context);

} // namespace marquetry::cli
