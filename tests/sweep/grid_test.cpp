// Grids: the product of their values, and what is said of wrong ones.
#include "engine/session/setup.h"
#include "engine/sweep/grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::sweep {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using frontend::ItemKind;

Diagnostic errorOf(const std::string& text, ItemKind kind = ItemKind::Design) {
    const auto grid = parseGrid(text, "grid.json", kind);
    EXPECT_FALSE(grid.has_value()) << text;
    return grid ? Diagnostic{} : grid.error().front();
}

TEST(Grid, WithoutKeysIsWhatIsUsual) {
    const auto grid = parseGrid("{}", "grid.json");
    ASSERT_TRUE(grid.has_value());
    EXPECT_TRUE(grid->item.empty());
    EXPECT_THAT(grid->points, ElementsAre(GridPoint{}));
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
        EXPECT_EQ(grid->points[k].settings.device, "xc7z020");
        EXPECT_EQ(grid->points[k].settings.limits, limits[k / 2]);
        EXPECT_EQ(session::isOn(grid->points[k].settings, "overlap"), k % 2 == 1);
    }
}

TEST(Grid, TakesEveryOption) {
    const auto grid = parseGrid(
        R"({"device": "zu3eg", "clock": 200, "bandwidth": 4.5, "limit": "cycles=9",
            "objective": "area", "batch": 4, "cost": "published", "method": "milp", "without":
            "sharing,padding", "overlap": true, "streams": false, "time": 2.5, "steps": 7,
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
    expected.without = {"padding", "sharing", "streams"};
    expected.seconds = 2.5;
    expected.maxIterations = 7;
    expected.seed = 3;
    EXPECT_THAT(grid->points, ElementsAre(GridPoint{expected, std::nullopt, true}));
}

TEST(Grid, OfAStreamTakesThroughputs) {
    const std::string text = R"({"throughput": [2, "1/4", "6/4", "3"], "device": ["zu3eg",
        "xc7z020"], "item": "s", "clock": 150, "without": "windows,sums", "time": 4.5})";
    const auto name = gridItem(text, "grid.json");
    ASSERT_TRUE(name.has_value());
    EXPECT_EQ(*name, "s");
    const auto grid = parseGrid(text, "grid.json", ItemKind::Stream);
    ASSERT_TRUE(grid.has_value()) << format(grid.error());
    EXPECT_EQ(grid->item, "s");
    ASSERT_EQ(grid->points.size(), 8U);
    const std::vector<spacetime::Throughput> throughputs = {{2, 1}, {1, 4}, {3, 2}, {3, 1}};
    for (std::size_t k = 0; k < 8; ++k) {
        GridPoint expected;
        expected.settings.device = k < 4 ? "zu3eg" : "xc7z020";
        expected.settings.clockMhz = 150;
        expected.settings.without = {"windows", "sums"};
        expected.settings.seconds = 4.5;
        expected.throughput = throughputs[k % 4];
        expected.timeGiven = true;
        EXPECT_EQ(grid->points[k], expected) << k;
    }
}

TEST(Grid, OfAStreamWithoutKeysIsWhatIsUsual) {
    const auto grid = parseGrid("{}", "grid.json", ItemKind::Stream);
    ASSERT_TRUE(grid.has_value()) << format(grid.error());
    ASSERT_EQ(grid->points.size(), 1U);
    EXPECT_EQ(grid->points[0].settings.device, "xc7k160t");
    EXPECT_EQ(grid->points[0].throughput, (spacetime::Throughput{1, 1}));
    EXPECT_FALSE(grid->points[0].timeGiven);
}

struct WrongGrid {
    std::string text, code, message;
    int line, column;
};

void expectErrors(const std::vector<WrongGrid>& cases, ItemKind kind) {
    for (const WrongGrid& one : cases) {
        const Diagnostic error = errorOf(one.text, kind);
        EXPECT_EQ(error.code, one.code) << one.text;
        EXPECT_THAT(error.message, HasSubstr(one.message)) << one.text;
        EXPECT_EQ(error.file, "grid.json");
        EXPECT_EQ(error.range.line, one.line) << one.text;
        EXPECT_EQ(error.range.column, one.column) << one.text;
    }
}

TEST(Grid, SaysWhatIsWrongAndWhere) {
    const std::vector<WrongGrid> cases = {
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
    expectErrors(cases, ItemKind::Design);
}

TEST(Grid, OfAStreamSaysWhatIsWrongAndWhere) {
    const std::string rate = "is not elements per clock: a whole number above 0, or a text such as";
    const std::vector<WrongGrid> cases = {
        {"{\"throughput\": [1,\n \"fast\"]}", "grid-form", "value 2 of \"throughput\" " + rate, 1,
         2},
        {"{\"device\": \"zu3eg\",\n \"throughput\": 0}", "grid-form", rate, 2, 2},
        {"{\"throughput\": -1}", "grid-form", rate, 1, 2},
        {"{\"throughput\": 0.25}", "grid-form", rate, 1, 2},
        {"{\"throughput\": true}", "grid-form", rate, 1, 2},
        {"{\"throughput\": \"1/0\"}", "grid-form", rate, 1, 2},
        {"{\"throughput\": \"-1/4\"}", "grid-form", rate, 1, 2},
        {"{\"throughput\": \"1/-4\"}", "grid-form", rate, 1, 2},
        {"{\"throughput\": \"1/\"}", "grid-form", rate, 1, 2},
        {"{\"throughput\": \"\"}", "grid-form", rate, 1, 2},
        {"{\"throughput\": \"99999999999999999999\"}", "grid-form", rate, 1, 2},
        {"{\"throughput\": 99999999999999999999}", "grid-form", rate, 1, 2},
        {"{\"throughput\": []}", "grid-form", "has no value", 1, 2},
        {"{\"throughput\": 1,\n\n  \"objective\": \"area\"}", "grid-unknown",
         "the item is a stream, and 'objective' is of designs", 3, 3},
        {"{\"limit\": \"dsp=3\"}", "grid-unknown", "'limit' is of designs", 1, 2},
        {"{\"batch\": 2}", "grid-unknown", "'batch' is of designs", 1, 2},
        {"{\"seed\": 2}", "grid-unknown", "'seed' is of designs", 1, 2},
        {"{\"rate\": 2}", "grid-unknown", "no key 'rate'", 1, 2},
        {"{\"device\": [\"zu3eg\", \"arria10\"]}", "unsupported-device",
         "value 2 of \"device\": streams are priced in 6-input LUTs", 1, 2},
        {"{\"device\": \"zu4\"}", "device-unknown", "value 1 of \"device\"", 1, 2},
        {"{\"clock\": 0}", "option-value", "value 1 of \"clock\"", 1, 2},
        {"{\"time\": 0}", "option-value", "above 0 seconds", 1, 2},
        {"{\"without\": \"sharing\"}", "unknown-name", "sharing", 1, 2},
        {"{\"without\": 3}", "grid-form", "\"windows,sums\"", 1, 2},
    };
    expectErrors(cases, ItemKind::Stream);
}

TEST(Grid, NamesTheKeysOfTheItem) {
    const Diagnostic ofStream = errorOf("{\"objective\": \"area\"}", ItemKind::Stream);
    EXPECT_EQ(ofStream.hint, "keys for streams: item, device, clock, throughput, without, time");
    const Diagnostic ofDesign = errorOf("{\"seed\": 1,\n\"throughput\": 1}", ItemKind::Design);
    EXPECT_EQ(ofDesign.code, "grid-unknown");
    EXPECT_EQ(ofDesign.message, "the item is a design, and 'throughput' is of streams");
    EXPECT_THAT(ofDesign.hint, HasSubstr("keys for designs: item, device, clock, bandwidth, limit, "
                                         "objective, batch, cost,"));
    EXPECT_THAT(ofDesign.hint, HasSubstr("\"objective\" throughput, with a \"batch\""));
    EXPECT_EQ(ofDesign.range.line, 2);
    EXPECT_THAT(errorOf("{\"rate\": 1}").hint, Not(HasSubstr("throughput")));
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
