// Grids: the product of their values, and what is said of wrong ones.
#include "engine/sweep/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::sweep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Diagnostic errorOf(const std::string& text) {
    const auto grid = parseGrid(text, "grid.json");
    EXPECT_FALSE(grid.has_value()) << text;
    return grid ? Diagnostic{} : grid.error().front();
}

TEST(Grid, WithoutKeysIsWhatIsUsual) {
    const auto grid = parseGrid("{}", "grid.json");
    ASSERT_TRUE(grid.has_value());
    EXPECT_TRUE(grid->item.empty());
    EXPECT_THAT(grid->points, ElementsAre(session::Settings{}));
}

TEST(Grid, IsTheProductInTheOrderOfTheOptions) {
    const auto grid = parseGrid(R"({"overlap": [false, true], "item": "net",
        "limit": ["dsp=20", "dsp=60,bram=12.5", ""], "device": "xc7z020"})",
                                "grid.json");
    ASSERT_TRUE(grid.has_value()) << format(grid.error());
    EXPECT_EQ(grid->item, "net");
    ASSERT_EQ(grid->points.size(), 6U);
    const std::vector<std::map<std::string, double>> limits = {
        {{"dsp", 20}}, {{"dsp", 60}, {"bram", 12.5}}, {}};
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(grid->points[k].device, "xc7z020");
        EXPECT_EQ(grid->points[k].limits, limits[k / 2]);
        EXPECT_EQ(grid->points[k].overlap, k % 2 == 1);
    }
}

TEST(Grid, TakesEveryOption) {
    const auto grid = parseGrid(
        R"({"device": "zu3eg", "clock": 200, "bandwidth": 4.5, "limit": "cycles=9",
            "objective": "area", "batch": 4, "cost": "published", "method": "milp", "without":
            "sharing,padding", "overlap": true, "streams": true, "time": 2.5, "steps": 7,
            "seed": 3})",
        "grid.json");
    ASSERT_TRUE(grid.has_value()) << format(grid.error());
    session::Settings expected;
    expected.device = "zu3eg";
    expected.clockMhz = 200;
    expected.bandwidth = 4.5;
    expected.limits = {{"cycles", 9}};
    expected.objective = design::Objective::Area;
    expected.batch = 4;
    expected.cost = design::CostModel::Published;
    expected.method = design::SearchMethod::Milp;
    expected.without = {"sharing", "padding"};
    expected.overlap = expected.streams = true;
    expected.seconds = 2.5;
    expected.maxIterations = 7;
    expected.seed = 3;
    EXPECT_THAT(grid->points, ElementsAre(expected));
}

TEST(Grid, SaysWhatIsWrongAndWhere) {
    struct Case {
        std::string text, code, message;
        int line, column;
    };
    const std::vector<Case> cases = {
        {"{\n  \"divice\": \"arria10\"\n}", "grid-unknown", "'divice'", 2, 3},
        {"{\"seed\": 1,\n \"clock\": [100, \"fast\"]}", "grid-form",
         "value 2 of \"clock\" is not a number", 2, 2},
        {"{\"clock\": -3}", "option-value", "value 1 of \"clock\"", 1, 2},
        {"{\"device\": [\"arria10\", \"arria11\"]}", "device-unknown", "value 2 of \"device\"", 1,
         2},
        {"{\"limit\": \"dps=3\"}", "grid-form", "value 1 of \"limit\" is not", 1, 2},
        {"{\"limit\": {\"dsp\": 3}}", "grid-form", "is not a text such as", 1, 2},
        {"{\"without\": \"fusoin\"}", "group-unknown", "fusoin", 1, 2},
        {"{\"objective\": \"speed\"}", "grid-form", "latency, throughput, area or front", 1, 2},
        {"{\"seed\": -1}", "grid-form", "whole number", 1, 2},
        {"{\"overlap\": 1}", "grid-form", "true or false", 1, 2},
        {"{\"device\": []}", "grid-form", "has no value", 1, 2},
        {"{\"item\": [\"a\"]}", "grid-form", "one name", 1, 2},
        {"[]", "grid-form", "one JSON object", 1, 1},
        {"{\"seed\": 1,}", "json-syntax", "parse error", 1, 12},
        {"", "json-syntax", "parse error", 1, 1},
    };
    for (const Case& one : cases) {
        const Diagnostic error = errorOf(one.text);
        EXPECT_EQ(error.code, one.code) << one.text;
        EXPECT_THAT(error.message, HasSubstr(one.message)) << one.text;
        EXPECT_EQ(error.file, "grid.json");
        EXPECT_EQ(error.range.line, one.line) << one.text;
        EXPECT_EQ(error.range.column, one.column) << one.text;
    }
}

TEST(Grid, RefusesMorePointsThanItTakes) {
    std::string seeds = "1";
    for (int k = 2; k <= 400; ++k)
        seeds += "," + std::to_string(k);
    EXPECT_EQ(errorOf("{\"seed\": [" + seeds + "], \"steps\": [" + seeds + "]}").code, "grid-form");
    EXPECT_EQ(errorOf(std::string(100, '[')).code, "grid-form") << "nests too deep";
}

} // namespace
} // namespace marquetry::sweep
