// Names of items and ports that are words of languages and tools, or names of ours, in every
// export.
#include "engine/rtl/reserved_words.h"
#include "tests/lower_design/schedule_builder.h"
#include "tests/names/declared.h"
#include "tests/names/tools.h"

#include <gtest/gtest.h>

#include <set>

namespace marquetry::test {
namespace {

using Names = std::set<std::string>;

std::vector<Declared> declaredBy(const NamedHardware& item) {
    std::string text;
    for (const std::string& module : item.modules)
        text += module;
    return declaredIn(text);
}

/// Signals that exports have whatever their items and ports are named, like "next".
Names ownSignals() {
    std::vector<std::string> plain;
    for (int k = 0; k < 48; ++k)
        plain.push_back("qq" + std::to_string(k));
    std::vector<NamedHardware> items = portsNamed(plain);
    for (const NamedHardware& item : itemsNamed({"qq"}))
        items.push_back(item);
    Names own;
    for (const NamedHardware& item : items)
        for (const Declared& module : declaredBy(item))
            own.insert(module.signals.begin(), module.signals.end());
    return own;
}

/// Nothing the same in any case of letters, no reserved word but among our own signals.
void expectApart(const NamedHardware& item, const Names& own) {
    SCOPED_TRACE(item.label);
    Names modules;
    const std::vector<Declared> all = declaredBy(item);
    for (const Declared& module : all) {
        EXPECT_TRUE(modules.insert(rtl::lowerCase(module.module)).second) << module.module;
        EXPECT_FALSE(rtl::isReserved(module.module, rtl::kNoModule)) << module.module;
    }
    EXPECT_TRUE(modules.insert(rtl::lowerCase(item.bench)).second) << item.bench;
    for (const Declared& module : all) {
        Names here;
        for (const std::string& name : module.signals) {
            EXPECT_TRUE(here.insert(rtl::lowerCase(name)).second) << name;
            EXPECT_FALSE(modules.contains(rtl::lowerCase(name))) << name;
            EXPECT_TRUE(own.contains(name) || !rtl::isReserved(name, rtl::kNoSignal)) << name;
        }
        for (const std::string& name : module.instances)
            EXPECT_TRUE(here.insert(rtl::lowerCase(name)).second) << name;
    }
}

TEST(NamesInExports, AreApartWhateverItemsAndPortsAreNamed) {
    const Names own = ownSignals();
    ASSERT_GT(own.size(), 150U);
    const std::vector<std::string> names = troublesomeNames();
    for (const auto& items : {itemsNamed(names), outputsNamed(names), portsNamed(names)})
        for (const NamedHardware& item : items)
            expectApart(item, own);
}

/// Some of them; all others go before the tools in long/.
TEST(NamesInExports, AreTakenByEveryTool) {
    const std::vector<std::string> names = troublesomeNames();
    std::vector<std::string> few;
    for (std::size_t k = 0; k < names.size(); k += 32)
        few.push_back(names[k]);
    std::vector<NamedHardware> items = portsNamed(few);
    for (std::size_t k = 0; k < names.size(); ++k) {
        if (k % 8 == 0)
            items.push_back(memoryNamed(names[k]));
        if (k % 16 == 1)
            items.push_back(streamNamed(names[k], {"x"}, names[k]));
        if (k % 64 == 2)
            items.push_back(designNamed(names[k], {names[k]}, {"y"}));
    }
    const ToolsSaid said = askTools(items);
    EXPECT_EQ(said.icarus, "");
    EXPECT_EQ(said.verilator, "");
    EXPECT_EQ(said.yosys, "");
}

TEST(NamesInExports, OfModulesAreNotThoseOfSignalsMadeOfPorts) {
    const std::vector<NamedHardware> items = {
        streamNamed("word", {"top", "Kernel"}, "y"), streamNamed("IN", {"x", "TOP"}, "y"),
        streamNamed("out", {"x"}, "kernel"), designNamed("load", {"load", "WE"}, {"y"}),
        designNamed("store", {"x"}, {"Store", "active"})};
    for (const NamedHardware& item : items)
        expectApart(item, ownSignals());
    const ToolsSaid said = askTools(items);
    EXPECT_EQ(said.icarus, "");
    EXPECT_EQ(said.verilator, "");
    EXPECT_EQ(said.yosys, "");
}

/// A DESIGN.json may name units and slots like what is derived from the names of others.
TEST(NamesInExports, OfUnitsAndSlotsAreApart) {
    ScheduleBuilder builder("unit");
    design::TensorId tensor = builder.input("slot", {ir::Scalar::I8, {1, 1, 8}});
    for (const char* unit : {"u", "U", "u_epilogue", "u_result", "u_valid", "u_adds", "top", "u__"})
        tensor = builder.pass(builder.passUnit(unit, ir::Scalar::I8), tensor, {});
    builder.output("we", tensor);
    design::Schedule schedule = builder.finish().schedule;
    const char* kSlots[] = {"a", "A", "a_q", "a_we", "a_raddr"};
    for (std::size_t s = 0; s < schedule.slots.size(); ++s)
        schedule.slots[s].name = kSlots[s % std::size(kSlots)];
    ASSERT_GE(schedule.slots.size(), 3U);
    for (const char* name : {"unit", "load", "slot", "store"}) {
        schedule.name = name;
        const NamedHardware item = scheduleNamed(schedule);
        expectApart(item, ownSignals());
        const ToolsSaid said = askTools({item});
        EXPECT_EQ(said.icarus, "");
        EXPECT_EQ(said.verilator, "");
        EXPECT_EQ(said.yosys, "");
    }
}

/// A DESIGN.json may hold any; comments name steps, slots and streams.
TEST(NamesInExports, StayInTheirCommentsWithControlCharacters) {
    const NamedHardware item =
        designNamed("d\nendmodule", {"x\nwire wire;", "\r\n", ""}, {"y\x7f\x01", "\t"});
    const ToolsSaid said = askTools({item});
    EXPECT_EQ(said.icarus, "");
    EXPECT_EQ(said.verilator, "");
    EXPECT_EQ(said.yosys, "");
}

} // namespace
} // namespace marquetry::test
