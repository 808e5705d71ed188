// The modules that lowerings share, against small models.
#include "engine/rtl/library.h"
#include "engine/rtl/write.h"
#include "tests/rtl/rtl_bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace marquetry::rtl {
namespace {

using test::lintOf;
using test::PortValues;
using test::simulateRows;
using test::synthesisOf;

/// A top of the same ports, with values for the parameters.
ModulePtr sized(const ModulePtr& module, const Module::Arguments& arguments) {
    Module top("top");
    Size::Values values;
    for (const VariablePtr& parameter : module->parameters())
        for (const auto& [name, value] : arguments)
            if (parameter->wanted == name)
                values.insert_or_assign(parameter.get(), value);
    Module::Connections ports;
    for (const NetPtr& port : module->ports()) {
        const SignalType type = bits(port->type.width.with(values));
        ports.emplace_back(port->wanted, port->kind == Net::Kind::Input
                                             ? top.input(port->wanted, type)
                                             : top.output(port->wanted, type));
    }
    top.instance(module, "instance", ports, arguments);
    return finished(std::move(top));
}

TEST(Library, MemoryReadsTheOldWord) {
    for (const RamStyle style : {RamStyle::Block, RamStyle::Distributed}) {
        const ModulePtr top =
            sized(dualPortMemory("words", style), {{"WIDTH", 12}, {"DEPTH", 20}, {"ADDRESS", 5}});
        std::mt19937_64 random(2);
        std::vector<PortValues> rows;
        std::vector<std::uint64_t> expected;
        std::map<std::uint64_t, std::uint64_t> words;
        std::uint64_t q = 0;
        for (int k = 0; k < 300; ++k) {
            const PortValues row = {{"re", random() % 4 != 0},
                                    {"raddr", random() % 20},
                                    {"we", random() % 2},
                                    {"waddr", random() % 20},
                                    {"wdata", random() & 0xfff}};
            q = row.at("re") != 0 ? words[row.at("raddr")] : q;
            if (row.at("we") != 0)
                words[row.at("waddr")] = row.at("wdata");
            rows.push_back(row);
            expected.push_back(q);
        }
        const auto seen = simulateRows(top, rows);
        ASSERT_EQ(seen.size(), rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k)
            EXPECT_EQ(seen[k].at("q"), expected[k]) << k;
        EXPECT_EQ(lintOf(top), "");
    }
}

TEST(Library, BanksAreMemoriesSideBySide) {
    for (const bool hasRest : {false, true}) {
        const ModulePtr memory = dualPortMemory("words", RamStyle::Block);
        Module::Arguments sizes = {{"BANKS", 3}, {"MEMORIES", 2}, {"WIDTH", 5}, {"DEPTH", 20}};
        sizes.emplace_back("ADDRESS", 5);
        if (hasRest)
            sizes.emplace_back("REST", 3);
        const ModulePtr top = sized(memoryBanks("banks", memory, hasRest), sizes);
        const std::uint64_t bank = hasRest ? 13 : 10;
        const std::uint64_t mask = (std::uint64_t{1} << bank) - 1;
        std::mt19937_64 random(4);
        std::vector<PortValues> rows;
        std::vector<std::uint64_t> expected;
        std::map<std::uint64_t, std::uint64_t> words;
        std::uint64_t q = 0;
        for (int k = 0; k < 300; ++k) {
            const PortValues row = {{"re", random() % 4 != 0},
                                    {"raddr", random() % 20},
                                    {"we", random() % 8},
                                    {"waddr", random() % 20},
                                    {"wdata", random() & ((std::uint64_t{1} << (3 * bank)) - 1)}};
            q = row.at("re") != 0 ? words[row.at("raddr")] : q;
            for (std::uint64_t b = 0; b < 3; ++b)
                if ((row.at("we") >> b & 1) != 0) {
                    std::uint64_t& word = words[row.at("waddr")];
                    word ^= (word ^ row.at("wdata")) & (mask << (b * bank));
                }
            rows.push_back(row);
            expected.push_back(q);
        }
        const auto seen = simulateRows(top, rows);
        ASSERT_EQ(seen.size(), rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k)
            EXPECT_EQ(seen[k].at("q"), expected[k]) << k;
        EXPECT_EQ(lintOf(top), "");
    }
}

/// The attribute is understood: the memory is made of what it asks for.
TEST(Library, MemoryIsMadeOfWhatIsAskedFor) {
    struct Case {
        const char* target;
        Vendor vendor;
        RamStyle style;
        const char* cell;
    };
    for (const Case& c :
         {Case{"xilinx -family xc7", Vendor::Xilinx, RamStyle::Block, "RAMB18E1"},
          {"xilinx -family xc7", Vendor::Xilinx, RamStyle::Distributed, "RAM32M"},
          {"ecp5", Vendor::Lattice, RamStyle::Block, "DP16KD"},
          {"ecp5", Vendor::Lattice, RamStyle::Distributed, "TRELLIS_DPR16X4"},
          {"ice40", Vendor::Lattice, RamStyle::Block, "SB_RAM40_4K"},
          {"intel_alm -family cyclonev", Vendor::Intel, RamStyle::Distributed, "MISTRAL_MLAB"}}) {
        const ModulePtr top =
            sized(dualPortMemory("words", c.style), {{"WIDTH", 16}, {"DEPTH", 32}, {"ADDRESS", 5}});
        std::string log;
        EXPECT_EQ(synthesisOf(top, c.target, c.vendor, &log), "") << c.target;
        EXPECT_NE(log.rfind(c.cell), std::string::npos) << c.target << " " << c.cell;
    }
}

TEST(Library, LastWriterIsTheOneThatWroteLast) {
    const ModulePtr top = sized(lastWriter("writers"), {{"DEPTH", 6}, {"ADDRESS", 3}});
    std::mt19937_64 random(3);
    std::vector<PortValues> rows = {{{"aresetn", 0}, {"re", 1}}};
    std::vector<std::uint64_t> expected = {0};
    std::map<std::uint64_t, std::uint64_t> last;
    for (int k = 0; k < 300; ++k) {
        PortValues row = {{"aresetn", 1},           {"re", random() % 3 != 0},
                          {"raddr", random() % 6},  {"we0", random() % 2},
                          {"waddr0", random() % 6}, {"we1", random() % 2},
                          {"waddr1", random() % 6}};
        if (row["waddr0"] == row["waddr1"])
            row["we0"] = 0;
        expected.push_back(row["re"] != 0 ? last[row["raddr"]] : expected.back());
        for (const std::uint64_t writer : {0, 1})
            if (row[writer == 0 ? "we0" : "we1"] != 0)
                last[row[writer == 0 ? "waddr0" : "waddr1"]] = writer;
        rows.push_back(row);
    }
    const auto seen = simulateRows(top, rows);
    ASSERT_EQ(seen.size(), rows.size());
    for (std::size_t k = 1; k < rows.size(); ++k)
        EXPECT_EQ(seen[k].at("second"), expected[k]) << k;
    EXPECT_EQ(lintOf(top), "");
    EXPECT_EQ(synthesisOf(top, "ecp5", Vendor::Lattice), "");
}

TEST(Library, ADelayLineGivesTheWordOfClocksBefore) {
    for (const std::size_t clocks : {1, 2, 7}) {
        const ModulePtr top =
            sized(delayLine("line"), {{"WIDTH", 5}, {"CLOCKS", static_cast<std::int64_t>(clocks)}});
        std::mt19937_64 random(5);
        std::vector<PortValues> rows;
        for (int k = 0; k < 40; ++k)
            rows.push_back({{"d", random() & 31}});
        const auto seen = simulateRows(top, rows);
        ASSERT_EQ(seen.size(), rows.size());
        for (std::size_t k = clocks; k < rows.size(); ++k)
            EXPECT_EQ(seen[k].at("q"), rows[k - clocks + 1].at("d")) << clocks << " " << k;
        EXPECT_EQ(lintOf(top), "");
        std::string log;
        EXPECT_EQ(synthesisOf(top, "xilinx -family xc7", Vendor::Xilinx, &log), "");
        const std::string cells = log.substr(std::min(log.rfind("Number of cells"), log.size()));
        EXPECT_EQ(clocks > 2, cells.find("SRL16E") != std::string::npos) << clocks << cells;
    }
}

/// Whatever went in before a reset, however short that was, never comes out.
TEST(Library, NothingIsValidBehindAReset) {
    for (const int clocks : {1, 4, 9}) {
        const ModulePtr top = sized(validLine("line"), {{"CLOCKS", clocks}, {"BITS", 4}});
        std::mt19937_64 random(6);
        std::vector<PortValues> rows;
        std::vector<std::uint64_t> expected;
        std::vector<std::uint64_t> line(static_cast<std::size_t>(clocks)); // youngest first
        for (int k = 0; k < 300; ++k) {
            const bool reset = k == 0 || random() % 25 == 0;
            rows.push_back({{"aresetn", reset ? 0 : 1}, {"d", random() % 2}});
            line.insert(line.begin(), rows.back().at("d"));
            line.pop_back();
            if (reset)
                std::ranges::fill(line, 0);
            expected.push_back(line.back());
        }
        const auto seen = simulateRows(top, rows);
        ASSERT_EQ(seen.size(), rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k)
            EXPECT_EQ(seen[k].at("q"), expected[k]) << clocks << " " << k;
        EXPECT_EQ(lintOf(top), "");
        EXPECT_EQ(synthesisOf(top, "ecp5", Vendor::Lattice), "");
    }
}

TEST(Library, ConflictIsMoreWordsThanPorts) {
    for (const std::int64_t ports : {1, 2}) {
        const ModulePtr top =
            sized(bankConflict("conflict"), {{"LANES", 4}, {"WIDTH", 3}, {"PORTS", ports}});
        std::mt19937_64 random(4);
        std::vector<PortValues> rows;
        std::vector<std::uint64_t> expected;
        int conflicts = 0;
        for (int k = 0; k < 400; ++k) {
            PortValues row = {{"asks", random() & 15}, {"banks", 0}, {"words", 0}};
            std::map<std::uint64_t, std::set<std::uint64_t>> asked;
            for (int lane = 0; lane < 4; ++lane) {
                const std::uint64_t bank = random() % 3;
                const std::uint64_t word = random() % 3;
                row["banks"] |= bank << (3 * lane);
                row["words"] |= word << (3 * lane);
                if ((row["asks"] >> lane & 1) != 0)
                    asked[bank].insert(word);
            }
            std::uint64_t conflict = 0;
            for (const auto& [bank, words] : asked)
                conflict |= std::ssize(words) > ports ? 1 : 0;
            conflicts += static_cast<int>(conflict);
            rows.push_back(row);
            expected.push_back(conflict);
        }
        EXPECT_GT(conflicts, 5);
        const auto seen = simulateRows(top, rows);
        ASSERT_EQ(seen.size(), rows.size());
        for (std::size_t k = 0; k < rows.size(); ++k)
            EXPECT_EQ(seen[k].at("conflict"), expected[k]) << k;
        EXPECT_EQ(lintOf(top), "");
    }
}

TEST(RamStyle, SpeaksTheVendorsWords) {
    EXPECT_EQ(attribute(RamStyle::Block, vendorOf("xc7")), "ram_style = \"block\"");
    EXPECT_EQ(attribute(RamStyle::BlockRom, vendorOf("xcup")), "rom_style = \"block\"");
    EXPECT_EQ(attribute(RamStyle::Block, vendorOf("arria10")), "ramstyle = \"M20K\"");
    EXPECT_EQ(attribute(RamStyle::Distributed, vendorOf("arria10")), "ramstyle = \"MLAB\"");
    EXPECT_EQ(attribute(RamStyle::Block, vendorOf("ecp5")), "syn_ramstyle = \"block_ram\"");
    EXPECT_EQ(attribute(RamStyle::BlockRom, vendorOf("ice40")), "syn_romstyle = \"EBR\"");
    EXPECT_EQ(attribute(RamStyle::Distributed, vendorOf("ice40")), "syn_ramstyle = \"registers\"");
    EXPECT_EQ(attribute(RamStyle::Registers, Vendor::Intel), "mem2reg, ramstyle = \"logic\"");
    EXPECT_EQ(vendorOf("something else"), Vendor::Xilinx);
}

} // namespace
} // namespace marquetry::rtl
