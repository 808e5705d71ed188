// `compare`: two designs of one program side by side.
#include "app/cli/commands.h"
#include "app/cli/report.h"

#include "engine/design/compare.h"
#include "engine/design/comparison_text.h"
#include "engine/session/file_design.h"

#include <iostream>
#include <map>

namespace marquetry::cli {

namespace {

using design::ComparisonRows;

struct CompareOptions {
    std::string a;
    std::string b;
    ComparisonRows table = ComparisonRows::Figures;
    bool csv = false;
    bool json = false;
};

ExitStatus showComparison(const CompareOptions& options) {
    const auto a = session::readFileDesign(options.a);
    if (!a)
        return fail(a.error(), options.json);
    const auto b = session::readFileDesign(options.b);
    if (!b)
        return fail(b.error(), options.json);
    std::cerr << format(a->warnings) << format(b->warnings);
    const auto comparison = design::compareDesigns({options.a, *a->design, *a->ledger, a->bound},
                                                   {options.b, *b->design, *b->ledger, b->bound});
    if (!comparison)
        return fail(comparison.error(), options.json);
    if (options.json) {
        Json report = makeReport();
        report.update(Json::parse(design::comparisonJson(*comparison)));
        printJson(report);
    } else {
        std::cout << (options.csv ? design::comparisonCsv(*comparison, options.table)
                                  : design::comparisonText(*comparison));
    }
    return kDone;
}

} // namespace

void addCompareCommand(CLI::App& app, CliContext& context) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* command =
        app.add_subcommand("compare", "Compare two designs of one program, side by side");
    command
        ->add_option("A", options->a,
                     "a DESIGN.json, the folder of an export, or a session file (.mqs)")
        ->required();
    command->add_option("B", options->b, "the other one; differences are B - A")->required();
    std::map<std::string, ComparisonRows> tables;
    for (const ComparisonRows rows : design::kComparisonRows)
        tables[toString(rows)] = rows;
    auto* csv = command->add_flag("--csv", options->csv, "one table as comma-separated values");
    command->add_option("--table", options->table, "of --csv: figures, layers, units or buffers")
        ->transform(CLI::CheckedTransformer(tables))
        ->needs(csv);
    command->add_flag("--json", options->json, "one JSON object with all of them")->excludes(csv);
    command->callback([options, &context] { context.exitStatus = showComparison(*options); });
}

} // namespace marquetry::cli
