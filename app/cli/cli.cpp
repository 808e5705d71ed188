#include "app/cli/cli.h"

#include "app/cli/commands.h"
#include "app/cli/printable_stream.h"
#include "engine/support/failure.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string_view>

namespace marquetry::cli {

namespace {

void addCommands(CLI::App& app, CliContext& context) {
    addOpenCommand(app);
    addCheckCommand(app, context);
    addRunCommand(app, context);
    addExploreCommand(app, context);
    addLedgerCommand(app, context);
    addCompareCommand(app, context);
    addConvertCommand(app, context);
    addCountCommand(app, context);
    addBankCommand(app, context);
    addScheduleCommand(app, context);
    addExportCommand(app, context);
    addVerifyCommand(app, context);
    addEgraphCommand(app, context);
    addBenchCommand(app, context);
    addExtractCommand(app, context);
    addSweepCommand(app, context);
    addDevicesCommand(app, context);
}

std::unique_ptr<CLI::App> makeApp(CliContext& context) {
    auto app = std::make_unique<CLI::App>(
        "Marquetry explores streaming accelerators for FPGAs. Without a sub-command, or with\n"
        "'open [FILE [--item NAME]]', it starts the window.",
        "marquetry");
    app->set_version_flag("--version", std::string("marquetry ") + MARQUETRY_VERSION);
    app->require_subcommand(1);
    addCommands(*app, context);
    return app;
}

/// An argument that is no sub-command and no file: CLI11 would only say that one is required.
bool isUnknownCommand(const CLI::App& app, int argc, const char* const* argv) {
    if (argc < 2 || argv[1][0] == '-')
        return false;
    const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* command : commands) {
        if (command->get_name() == argv[1])
            return false;
    }
    std::cerr << "error: there is no sub-command '" << argv[1] << "'\n  hint: one of";
    for (const CLI::App* command : commands)
        std::cerr << " " << command->get_name();
    std::cerr << "\n";
    return true;
}

int parseAndRun(int argc, char** argv, const ReportPainter& painter) {
    CliContext context;
    context.painter = painter;
    const auto app = makeApp(context);
    if (isUnknownCommand(*app, argc, argv))
        return kInputError;
    try {
        app->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        // 0 for --help and --version; every other parse error is a wrong argument.
        return app->exit(error) == 0 ? kDone : kInputError;
    }
    std::cout.flush();
    if (!std::cout) {
        std::cerr << "error: cannot write to standard output\n";
        return kInputError;
    }
    return context.exitStatus;
}

bool asksForHelp(int argc, const char* const* argv) {
    return std::any_of(argv + 2, argv + argc, [](std::string_view argument) {
        return argument == "--help" || argument == "-h";
    });
}

} // namespace

bool asksForWindow(int argc, const char* const* argv) {
    if (argc < 2)
        return true;
    const std::string_view first = argv[1];
    if (first == "open")
        return !asksForHelp(argc, argv);
    std::error_code ignored;
    return !first.starts_with("-") && (first.ends_with(".mq") || first.ends_with(".mqs") ||
                                       std::filesystem::is_regular_file(first, ignored));
}

int runCli(int argc, char** argv, const ReportPainter& painter) {
    const PrintableStream output(std::cout);
    const PrintableStream errors(std::cerr);
    try {
        return parseAndRun(argc, argv, painter);
    } catch (...) {
        const std::string command = argc > 1 ? argv[1] : "marquetry";
        std::cerr << format(failureOf("running '" + command + "'"));
        return kInternalError;
    }
}

} // namespace marquetry::cli
