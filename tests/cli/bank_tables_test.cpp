// The tables that `bank --table` writes for the published patterns, against every cycle of their
// loops: all addresses once, in places of their own, and no two of a cycle in one bank.
#include "engine/frontend/parser.h"
#include "tests/banking/oracle.h"
#include "tests/cli/cli_fixture.h"
#include "tests/support/places.h"

namespace marquetry::cli_test {
namespace {

using banking::oracle::Address;

struct Table {
    std::map<Address, std::int64_t> bankOf;
    std::set<std::pair<std::int64_t, std::int64_t>> places;
};

Table readTable(const std::string& text, std::size_t rank) {
    Table table;
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::vector<std::int64_t> numbers;
        for (std::string field; std::getline(fields, field, ',');)
            numbers.push_back(std::stoll(field));
        EXPECT_EQ(numbers.size(), rank + 2) << line;
        const Address x(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(rank));
        EXPECT_TRUE(table.bankOf.emplace(x, numbers[rank]).second) << line;
        EXPECT_TRUE(table.places.emplace(numbers[rank], numbers[rank + 1]).second) << line;
    }
    return table;
}

TEST_F(Cli, BankTablesOfAllPublishedPatternsServeEveryCycle) {
    const std::string file = test::sourceFolder() + "/examples/memories/memories.mq";
    const auto parsed = frontend::parseFile(file);
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(parsed->memories.size(), 23U);
    for (const ir::MemoryProgram& memory : parsed->memories) {
        SCOPED_TRACE(memory.name);
        const Outcome done = run("bank " + file + " --item " + memory.name +
                                 " --max-copies 1 --json --table " + path("table.csv"));
        ASSERT_EQ(done.status, 0) << done.err;
        const Json report = Json::parse(done.out);
        EXPECT_EQ(report["proved_minimal"], true);
        const Table table = readTable(contents(path("table.csv")), memory.type.dims.size());
        EXPECT_EQ(static_cast<std::int64_t>(table.bankOf.size()), memory.type.elements());
        for (const auto& [bank, offset] : table.places) {
            EXPECT_TRUE(bank >= 0 && bank < report["banks"]) << bank;
            EXPECT_TRUE(offset >= 0 && offset < report["depth"]) << offset;
        }
        for (const auto& set : banking::oracle::addressSets(banking::oracle::cyclesOf(memory, 0))) {
            std::set<std::int64_t> banks;
            for (const Address& x : set)
                EXPECT_TRUE(banks.insert(table.bankOf.at(x)).second);
        }
    }
}

} // namespace
} // namespace marquetry::cli_test
