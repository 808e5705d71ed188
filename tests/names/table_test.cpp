// The table of reserved words, and the names that give way to it.
#include "engine/device/device_file.h"
#include "engine/rtl/names.h"
#include "engine/rtl/reserved_words.h"
#include "engine/rtl/scope.h"
#include "engine/support/process.h"
#include "tests/lower_memory/banked_fixture.h"
#include "tests/names/declared.h"
#include "tests/names/named_hardware.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace marquetry {
namespace {

using hdl::NameTable;
using rtl::isReserved;

TEST(ReservedWords, AreSortedOnceInLowerCaseWithTheirSources) {
    std::string_view last;
    for (const rtl::ReservedWord& word : rtl::reservedWords()) {
        EXPECT_LT(last, word.word);
        EXPECT_EQ(rtl::lowerCase(word.word), word.word);
        EXPECT_FALSE(word.sources.empty()) << word.word;
        EXPECT_EQ(word.sources.find_first_not_of("vsaitchlop"), std::string_view::npos)
            << word.word;
        last = word.word;
    }
}

TEST(ReservedWords, HoldTheWordsOfEverySource) {
    const std::pair<const char*, const char*> kSamples[] = {
        {"specify", "v"},     {"xnor", "v"},      {"uwire", "v"},    {"always_ff", "s"},
        {"unique0", "s"},     {"nettype", "s"},   {"wreal", "a"},    {"discipline", "a"},
        {"bool", "i"},        {"semaphore", "t"}, {"co_await", "c"}, {"thread_local", "c"},
        {"signal", "h"},      {"downto", "h"},    {"vunit", "h"},    {"lut6", "l"},
        {"sb_ram40_4k", "l"}, {"aclk", "o"},      {"done", "o"},     {"r17_data", "o"}};
    for (const auto& [word, source] : kSamples)
        EXPECT_TRUE(isReserved(word, source)) << word;
    EXPECT_TRUE(isReserved("SpeciFY", rtl::kNoModule));
    EXPECT_TRUE(isReserved("Q_0_12_3", rtl::kNoModule));
    EXPECT_FALSE(isReserved("q_0_12", rtl::kNoModule));
    EXPECT_FALSE(isReserved("aclk", rtl::kNoSignal));
    EXPECT_FALSE(isReserved("sobel", rtl::kNoModule));
    EXPECT_FALSE(isReserved("", rtl::kNoModule));
}

/// The top of a memory bears the item's plain name: its signals and instances give way to it.
TEST(ReservedWords, NeedNotHoldTheSignalsOfBankedMemories) {
    const std::vector<ir::MemoryProgram> items = {
        hdl::memoryItem("one", "array a : i8[9, 9] bank flat(3, 1, [1, 1]); for i in 0 .. 9, "
                               "j in 0 .. 7 { read a[i, j], a[i, j + 2]; }"),
        hdl::memoryItem("two", "array a : i8[8, 8] ports 2; for i in 0 .. 8 { read a[i, ?r(i)]; "
                               "write a[i, 1], a[?w(i), 2]; }")};
    const device::Device device = *device::findDevice("xc7k160t");
    for (const ir::MemoryProgram& item : items) {
        const hdl::BankedMemory planned = hdl::plannedMemory(item);
        hdl::BankedMemory memory = planned;
        std::set<std::string> all;
        for (const hdl::Module& module : hdl::lowerMemory(memory).modules)
            for (const auto& declared : test::declaredIn(module.verilog))
                for (const auto* names : {&declared.signals, &declared.instances})
                    all.insert(names->begin(), names->end());
        EXPECT_GT(all.size(), 20U);
        for (const std::string& name : all) {
            memory = hdl::describeMemory(name, planned.pattern, planned.scheme, device);
            for (const hdl::Module& module : hdl::lowerMemory(memory).modules)
                for (const auto& declared : test::declaredIn(module.verilog))
                    for (const auto* names : {&declared.signals, &declared.instances})
                        for (const std::string& other : *names)
                            EXPECT_NE(rtl::lowerCase(other), rtl::lowerCase(memory.name));
        }
    }
}

TEST(ReservedWords, HoldThePortsOfEveryTop) {
    for (const test::NamedHardware& item :
         {test::memoryNamed("m"), test::streamNamed("s", {"x"}, "y"),
          test::designNamed("d", {"x"}, {"y"})}) {
        static const std::regex port(R"((?:input|output) +(?:wire|reg) *(?:\[\S+\] *)?(\w+))");
        const std::string& top = item.modules.back();
        int ports = 0;
        for (std::sregex_iterator at(top.begin(), top.end(), port), end; at != end; ++at) {
            const std::string name = (*at)[1];
            ++ports;
            EXPECT_TRUE(name.find("_axis_") != std::string::npos || isReserved(name, "o")) << name;
        }
        EXPECT_GT(ports, 4) << item.label;
    }
}

/// Modules of these names exist in every synthesis for our devices.
TEST(ReservedWords, HoldTheCellsOfYosys) {
    std::string script = "read_verilog -lib";
    for (const char* library :
         {"xilinx/cells_sim", "xilinx/cells_xtra", "ecp5/cells_sim", "ecp5/cells_bb",
          "ice40/cells_sim", "intel_alm/common/megafunction_bb", "intel_alm/common/alm_sim",
          "intel_alm/common/dff_sim", "intel_alm/common/dsp_sim", "intel_alm/common/mem_sim",
          "intel_alm/common/misc_sim", "intel_alm/cyclonev/cells_sim"})
        script += std::string(" +/") + library + ".v";
    const auto read = runProcess({{"yosys", "-p", script}, "."});
    ASSERT_TRUE(read);
    ASSERT_EQ(read->exitCode, 0);
    static const std::regex cell(R"(representation for module `\\([A-Za-z]\w*)')");
    int cells = 0;
    for (std::sregex_iterator at(read->output.begin(), read->output.end(), cell), end; at != end;
         ++at, ++cells)
        EXPECT_TRUE(isReserved(at->str(1), "l")) << at->str(1);
    EXPECT_GT(cells, 500);
}

TEST(Scope, RenamesWhatIsReserved) {
    rtl::Scope modules(rtl::kNoModule);
    EXPECT_EQ(modules.give("specify"), "specify_x");
    EXPECT_EQ(modules.give("specify"), "specify_x_2");
    EXPECT_EQ(modules.give("aclk"), "aclk_x");
    EXPECT_EQ(modules.give("Lut6"), "Lut6_x");
    EXPECT_EQ(modules.give("g0_words"), "g0_words_x") << "a signal of ours";
    EXPECT_EQ(modules.give("bank_q_0_0"), "bank_q_0_0");
    EXPECT_EQ(modules.give("bank_q_0_0"), "bank_q_0_0_x") << "bank_q_0_0_2 is reserved";
    rtl::Scope signals(rtl::kNoSignal);
    EXPECT_EQ(signals.give("error"), "error") << "signals may have the names of others' ports";
    EXPECT_EQ(signals.give("signal"), "signal_x");
    EXPECT_EQ(signals.give("sobel"), "sobel");
}

TEST(Scope, TellsNamesApartByMoreThanTheirCase) {
    rtl::Scope names(rtl::kNoSignal);
    EXPECT_EQ(names.give("a__b"), "a_b");
    EXPECT_EQ(names.give("A_B"), "A_B_2");
    EXPECT_EQ(names.give("a_b"), "a_b_3");
    names.take("Word_Top");
    EXPECT_EQ(names.give("word_top"), "word_top_2");
}

/// Benches name a top's ports by what a module of those ports alone is given.
TEST(Scope, GivesTopsTheirNamesBeforeAnythingInThem) {
    rtl::Module inner("word_tb");
    inner.input("x");
    rtl::Module top("word_top");
    const rtl::Expr port = top.input("WORD_tb");
    const auto bench = top.beside("word_tb");
    rtl::Module alone = top;
    top.instance(finished(std::move(inner)), "x", {{"x", port}});
    const rtl::Names whole(finished(std::move(top)));
    const rtl::Names ports(finished(std::move(alone)));
    EXPECT_EQ(whole.of(*bench), "word_tb_2") << "a port has the name";
    EXPECT_EQ(whole.of(*whole.modules().front()), "word_tb_3");
    EXPECT_EQ(ports.of(*bench), whole.of(*bench));
    EXPECT_EQ(ports.of(*ports.modules().back()), whole.of(*whole.modules().back()));
}

TEST(NameTable, CutsLongNamesAndStillTellsThemApart) {
    NameTable names;
    const std::string longest(108, 'm');
    EXPECT_EQ(names.part(longest + "a"), longest);
    EXPECT_EQ(names.part(longest + "b"), longest + "_2");
    EXPECT_EQ(names.part(std::string(107, 'n') + "_n"), std::string(107, 'n'));
    EXPECT_EQ(names.part("in_" + longest).size(), longest.size());
}

TEST(NameTable, LeavesPartsOfNamesAsTheyAre) {
    NameTable names;
    EXPECT_EQ(names.part("signal"), "signal");
    EXPECT_EQ(names.part("specify"), "specify");
    EXPECT_EQ(names.part("table"), "table_x") << "as it has always been";
    EXPECT_EQ(names.part("Signal"), "Signal_2");
}

} // namespace
} // namespace marquetry
