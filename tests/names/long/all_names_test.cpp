// Every name in every place, before every tool.
#include "tests/names/tools.h"

#include <gtest/gtest.h>

namespace marquetry::test {
namespace {

void expectTaken(const std::vector<NamedHardware>& items) {
    const ToolsSaid said = askTools(items);
    EXPECT_EQ(said.icarus, "");
    EXPECT_EQ(said.verilator, "");
    EXPECT_EQ(said.yosys, "");
}

TEST(AllNames, OfItemsAreTakenByEveryTool) {
    expectTaken(itemsNamed(troublesomeNames()));
}

TEST(AllNames, OfOutputsOfStreamsAreTakenByEveryTool) {
    expectTaken(outputsNamed(troublesomeNames()));
}

TEST(AllNames, OfPortsAreTakenByEveryTool) {
    expectTaken(portsNamed(troublesomeNames()));
}

} // namespace
} // namespace marquetry::test
