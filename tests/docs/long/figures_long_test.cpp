// Figures in tables of pages, a run of the program for each row.
#include "tests/docs/pages.h"

#include <gtest/gtest.h>

namespace marquetry::docs_test {
namespace {

TEST(LongFigures, AreWhatTheProgramPrints) {
    std::size_t marked = 0;
    for (const auto& [path, page] : pages()) {
        marked += figuresOf(page, true).figures.size();
        for (const std::string& wrong : wrongFigures(page, true, printed))
            ADD_FAILURE() << path << ":" << wrong;
    }
    EXPECT_GE(marked, 300U);
}

} // namespace
} // namespace marquetry::docs_test
