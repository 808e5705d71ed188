// The table in docs/control.md is the one that the hardware is made of.
#include "engine/control/register_table.h"
#include "tests/support/places.h"
#include "tests/support/text_files.h"

#include <gtest/gtest.h>

namespace marquetry::hdl {
namespace {

TEST(RegisterTable, OfThePageIsThatOfTheHardware) {
    const std::string table = registerTable(registerMap({"x"}, {"y"}, {}));
    const auto page = test::readText(test::sourceFolder() + "/docs/control.md");
    ASSERT_TRUE(page);
    EXPECT_NE(page->find("\n\n" + table + "\n"), std::string::npos) << table;
}

} // namespace
} // namespace marquetry::hdl
