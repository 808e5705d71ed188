// The table in docs/control.md is the one that the hardware is made of.
#include "engine/control/register_table.h"
#include "tests/support/places.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

#include <sstream>

namespace marquetry::hdl {
namespace {

TEST(RegisterTable, OfThePageIsThatOfTheHardware) {
    const std::string table = registerTable(registerMap({"x"}, {"y"}, {}));
    const auto page = test::readText(test::sourceFolder() + "/docs/control.md");
    ASSERT_TRUE(page);
    EXPECT_NE(page->find("\n\n" + table + "\n"), std::string::npos) << table;
}

TEST(RegisterTable, OfThePageHasWhatExternalWeightsAdd) {
    const std::string without = registerTable(registerMap({"x"}, {"y"}, {}, {true, false}));
    const std::string with = registerTable(registerMap({"x"}, {"y"}, {}, {true, true}));
    const auto page = test::readText(test::sourceFolder() + "/docs/control.md");
    ASSERT_TRUE(page);
    std::istringstream lines(with);
    int added = 0;
    for (std::string line; std::getline(lines, line);) {
        if (without.find(line) != std::string::npos)
            continue;
        EXPECT_NE(page->find("\n" + line + "\n"), std::string::npos) << line;
        ++added;
    }
    EXPECT_EQ(added, 5);
}

} // namespace
} // namespace marquetry::hdl
