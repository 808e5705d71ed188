// Makes the table of synthesised examples, tests/data/designs/synthesis.csv, and the part of
// docs/calibration.md that shows it:
//
//   design_table MARQUETRY fill            the rows that are missing, each written when it is done
//   design_table MARQUETRY again EXAMPLE…  the rows of these examples anew; then as `fill`
//   design_table MARQUETRY predict         what is predicted of all rows; where cycles or blocks
//                                          are others than those that were made, the row goes
//   design_table MARQUETRY page            the page alone
//
// Exit code 1 where a row could not be made: its example stays missing.
#include "tests/calibration/design_table.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace marquetry::bench {
namespace {

using test::DesignExample;
using test::DesignRow;

class Table {
public:
    explicit Table(std::string program)
        : program_(std::move(program)), rows_(test::readDesignTable(kPath)) {}

    void forget(const std::vector<std::string>& names) {
        std::erase_if(rows_, [&](const DesignRow& row) {
            return std::ranges::any_of(test::designExamples(), [&](const DesignExample& example) {
                return row.is(example) && std::ranges::find(names, example.name()) != names.end();
            });
        });
    }

    bool fill() {
        bool all = true;
        for (const DesignExample& example : test::designExamples())
            if (std::ranges::none_of(rows_, [&](const DesignRow& r) { return r.is(example); }))
                all = make(example) && all;
        return all;
    }

    bool predict() {
        bool all = true;
        for (const DesignExample& example : test::designExamples())
            std::erase_if(rows_, [&](DesignRow& row) {
                if (!row.is(example))
                    return false;
                const auto figures = test::predictedFigures(commandOf(example));
                const bool same = figures && isOf(*figures, row.design.predicted);
                if (same)
                    row.design.predicted = *figures;
                else
                    std::printf("%s %s is another design now\n", row.file.c_str(),
                                row.options.c_str());
                all = all && same;
                return !same;
            });
        return write() && all;
    }

    bool write() const {
        const std::string page = test::withDesignTable(test::readText(kPage).value_or(""), rows_);
        return test::writeText(kPath, test::designTableText(rows_)) && !page.empty() &&
               test::writeText(kPage, page);
    }

private:
    static bool isOf(const test::DesignFigures& now, const test::DesignFigures& before) {
        return now.cycles == before.cycles && now.area.dsp == before.area.dsp &&
               now.area.bram == before.area.bram;
    }

    test::DesignCommand commandOf(const DesignExample& example) const {
        return test::commandOf(example, program_, test::sourceFolder());
    }

    bool make(const DesignExample& example) {
        std::printf("%s %s\n", example.file.c_str(), example.options.c_str());
        std::fflush(stdout);
        const test::TemporaryFolder folder;
        const auto design = test::synthesiseDesign(commandOf(example), folder.string());
        if (!design) {
            std::fprintf(stderr, "%s", format(design.error()).c_str());
            return false;
        }
        rows_.push_back({example.file, example.options, *design});
        return write();
    }

    const std::string kPath = test::sourceFolder() + "/tests/data/designs/synthesis.csv";
    const std::string kPage = test::sourceFolder() + "/docs/calibration.md";
    std::string program_;
    std::vector<DesignRow> rows_;
};

int run(const std::vector<std::string>& arguments) {
    Table table(std::filesystem::absolute(arguments[0]));
    const std::string& what = arguments[1];
    if (what == "again")
        table.forget({arguments.begin() + 2, arguments.end()});
    if (what == "fill" || what == "again")
        return table.fill() ? 0 : 1;
    if (what == "predict")
        return table.predict() ? 0 : 1;
    if (what == "page")
        return table.write() ? 0 : 1;
    std::fprintf(stderr, "no such command: %s\n", what.c_str());
    return 2;
}

} // namespace
} // namespace marquetry::bench

int main(int argc, char** argv) {
    if (argc < 3) {
        std::fprintf(stderr,
                     "usage: design_table MARQUETRY fill | again EXAMPLE… | predict | page\n");
        return 2;
    }
    return marquetry::bench::run({argv + 1, argv + argc});
}
