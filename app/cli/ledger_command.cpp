// `ledger`: where the clocks of the best design go, and what uses the device.
#include "app/cli/commands.h"
#include "app/cli/explore_options.h"
#include "app/cli/report.h"

#include "engine/design/ledger_text.h"
#include "engine/design/make_ledger.h"
#include "engine/session/next_changes.h"
#include "engine/session/next_changes_text.h"

#include <iostream>

namespace marquetry::cli {

namespace {

struct LedgerOptions {
    ExploreOptions explore;
    bool steps = false;
    bool changes = false;
    bool csv = false;
    bool json = false;
};

/// Where no changes were asked for there are none.
void printLedger(const design::Ledger& ledger, const LedgerOptions& options,
                 const std::optional<session::NextChanges>& changes,
                 const std::vector<design::Pin>& pins) {
    const auto rows = options.steps ? design::LedgerRows::Steps : design::LedgerRows::Layers;
    if (options.json) {
        Json report = makeReport();
        report.update(Json::parse(design::ledgerJson(ledger)));
        if (changes)
            report["changes"] = Json::parse(session::changesJson(*changes, pins));
        printJson(report);
    } else if (options.csv) {
        std::cout << (changes ? session::changesCsv(*changes, pins)
                              : design::ledgerCsv(ledger, rows));
    } else {
        std::cout << design::ledgerText(ledger, rows);
        if (changes)
            std::cout << session::changesText(*changes);
    }
}

ExitStatus showLedger(LedgerOptions options, const CLI::App& command) {
    const auto input = readInput(options.explore, command);
    if (!input)
        return fail(input.error(), options.json);
    const auto exploration = session::explore(input->program, input->settings, input->pins);
    if (!exploration)
        return fail(exploration.error(), options.json);
    const extract::ExtractResult& found = exploration->extraction;
    if (!found.design) {
        fail(found.infeasible, options.json);
        return kAnswerIsNo;
    }
    const session::Setup& setup = exploration->setup;
    const design::Ledger ledger = design::makeLedger(*found.design, setup.device, setup.limits);
    if (!ledger.missing.empty())
        return fail({makeAnswer("no-ledger", "there is no ledger: " + ledger.missing)},
                    options.json);
    std::optional<session::NextChanges> changes;
    if (options.changes)
        changes = session::nextChanges(*exploration);
    printLedger(ledger, options, changes, input->pins);
    return kDone;
}

} // namespace

void addLedgerCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<LedgerOptions>();
    CLI::App* command =
        app.add_subcommand("ledger", "Say where the clocks of the best design go, and what uses "
                                     "the device");
    addExploreOptions(*command, options->explore);
    command->add_flag("--by-step", options->steps, "a row for each step, not for each layer");
    command->add_flag("--changes", options->changes,
                      "try changes of the settings, the best first (as CSV: these alone)");
    auto* csv = command->add_flag("--csv", options->csv, "comma-separated values");
    command
        ->add_flag("--json", options->json,
                   "one JSON object with layers, steps, units and "
                   "resources")
        ->excludes(csv);
    command->callback(
        [options, command, &context] { context.exitStatus = showLedger(*options, *command); });
}

} // namespace marquetry::cli
