// Sweeps of streams: points are schedules, each the one that `schedule` finds.
#include "engine/session/stream_rates.h"
#include "engine/support/json_depth.h"
#include "engine/support/process.h"
#include "engine/sweep/sweep.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/sweep/small_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace marquetry::sweep {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::ordered_json;

/// A reduce, so that circuits differ in more than their lanes.
constexpr const char* kSums =
    "stream sums { input a : Seq 16 u8; let four = fn q -> reduce(add, q);\n"
    "  output y = unpartition(map(four, partition(4, 4, map(fn v -> mul(v, v), a)))); }";

Sweep streamSweep(const std::string& grid, const std::string& text = kSmallStream) {
    return sweepOf(grid, text, "s.mq");
}

Outcome computedAt(const std::string& grid, const std::string& text = kSmallStream) {
    const auto outcome = computed(itemFrom(text), streamSweep(grid, text).points.front());
    EXPECT_TRUE(outcome.has_value()) << grid;
    return outcome ? *outcome : Outcome{};
}

class StreamSweep : public ::testing::Test {
protected:
    std::string folder() const { return folder_ / "sweep"; }

    /// What the command line prints of its schedule; without one, what it says of it.
    std::string schedule(const std::string& options) const {
        std::vector<std::string> arguments = {"sh", "-c",
                                              test::program() + " schedule " + (folder_ / "s.mq") +
                                                  " " + options + " --json 2>/dev/null"};
        const auto ended = runProcess({.arguments = arguments});
        EXPECT_TRUE(ended.has_value());
        return ended ? ended->output : "";
    }

    test::TemporaryFolder folder_;
};

TEST_F(StreamSweep, FindsWhatScheduleFinds) {
    std::ofstream(folder_ / "s.mq") << kSmallStream;
    const SweptItem item = itemFrom(kSmallStream);
    const Sweep sweep =
        streamSweep(R"({"device": ["xc7k160t", "zu3eg"], "throughput": [8, 2, 1, "1/2"]})");
    ASSERT_EQ(sweep.points.size(), 8U);
    const std::vector<std::string> rates = {"8", "2", "1", "1/2"};
    for (std::size_t k = 0; k < 8; ++k) {
        const auto found = computed(item, sweep.points[k]);
        ASSERT_TRUE(found.has_value());
        const std::string device = k < 4 ? "xc7k160t" : "zu3eg";
        const Json said =
            parsedJson<Json>(schedule("--device " + device + " --throughput " + rates[k % 4]));
        ASSERT_TRUE(said.contains("hardware")) << k;
        const Json& hardware = said["hardware"];
        EXPECT_EQ(found->status, "optimal");
        EXPECT_EQ(found->message, "");
        EXPECT_EQ(found->exportable, true);
        EXPECT_EQ(found->cycles, said["clocks"]);
        EXPECT_EQ(found->frames, 1);
        EXPECT_EQ(found->resources.lut, hardware["lut"]) << k;
        EXPECT_EQ(found->resources.ff, hardware["ff"]) << k;
        EXPECT_EQ(found->resources.bram, hardware["bram"]) << k;
        EXPECT_EQ(found->resources.dsp, hardware["dsp"]) << k;
        EXPECT_EQ(found->pathPs, hardware["path_ps"]) << k;
        EXPECT_EQ(found->latency, hardware["latency"].get<std::int64_t>() *
                                      hardware["step_clocks"].get<std::int64_t>());
        EXPECT_EQ(session::toText(*sweep.points[k].throughput), said["throughput"]);
    }
}

TEST_F(StreamSweep, TakesTheOptionsOfSchedule) {
    const std::string program = std::string(kSmallProgram) + "\n" + kSums;
    std::ofstream(folder_ / "s.mq") << program;
    const auto item = itemOf(*frontend::parse(program, "s.mq"), "sums");
    ASSERT_TRUE(item.has_value());
    const auto grid = parseGrid(R"({"item": "sums", "throughput": "1/4", "without":
        "windows,sums,common", "time": 25, "device": "xc7z020", "clock": 250})",
                                "grid.json", item->kind());
    ASSERT_TRUE(grid.has_value()) << format(grid.error());
    const auto found = computed(*item, grid->points.front());
    ASSERT_TRUE(found.has_value());
    const Json said = parsedJson<Json>(
        schedule("--item sums --throughput 1/4 --without windows,sums,common --time 25 "
                 "--device xc7z020"));
    EXPECT_EQ(found->resources.lut, said["hardware"]["lut"]);
    EXPECT_EQ(found->resources.ff, said["hardware"]["ff"]);
    EXPECT_EQ(found->cycles, said["clocks"]);
    EXPECT_EQ(found->clockMhz, 250);
}

TEST_F(StreamSweep, AThroughputThatTheStreamHasNotIsAnOutcome) {
    const Outcome three = computedAt(R"({"throughput": 3})");
    EXPECT_EQ(three.status, "infeasible");
    EXPECT_FALSE(three.hasDesign());
    EXPECT_THAT(three.message, StartsWith("no type of Seq 8 u8 has 3 elements per clock: the "
                                          "nearest are "));
    EXPECT_EQ(computedAt(R"({"throughput": 16})").status, "infeasible");
    const Outcome slow = computedAt(R"({"throughput": "1/9223372036854775807"})");
    EXPECT_EQ(slow.status, "infeasible");
    EXPECT_THAT(slow.message, HasSubstr("clocks"));
}

TEST_F(StreamSweep, HardwareThatIsTooLargeToEstimateHasTheAreaOfTheSearch) {
    const Outcome wide =
        computedAt(R"({"throughput": 8192})",
                   "stream s { input a : Seq 8192 u8; output y = map(fn v -> add(v, 3), a); }");
    EXPECT_EQ(wide.status, "optimal");
    EXPECT_EQ(wide.exportable, std::nullopt);
    EXPECT_EQ(wide.latency, std::nullopt);
    EXPECT_THAT(wide.message, HasSubstr("to be estimated"));
    EXPECT_EQ(wide.resources.lut, 8192 * 8);
}

TEST_F(StreamSweep, AnItemThatIsOfAnotherKindIsRefused) {
    GridPoint design;
    EXPECT_EQ(computed(itemFrom(kSmallStream), design).error().front().code, "sweep-form");
    GridPoint stream;
    stream.throughput = {1, 1};
    EXPECT_EQ(computed(itemFrom(kSmallProgram), stream).error().front().code, "sweep-form");
    auto none = frontend::parse("stream s { input a : Seq 8 u8; input b : Seq 4 u8; output x = a; "
                                "output y = b; }",
                                "s.mq");
    ASSERT_TRUE(none.has_value());
    const auto item = itemOf(*std::move(none), "");
    ASSERT_FALSE(item.has_value()) << "no throughput gives it a circuit";
    EXPECT_EQ(item.error().front().code, "several-outputs");
}

TEST(StreamItems, AreTheOneThatIsNamedOrTheFirst) {
    const std::string both = std::string(kSmallStream) + "\n" + kSmallProgram;
    const auto named = [&](const std::string& text, const std::string& name) {
        const auto item = itemOf(*frontend::parse(text, "d.mq"), name);
        EXPECT_TRUE(item.has_value());
        return item ? item->name() : "";
    };
    EXPECT_EQ(named(both, ""), "s");
    EXPECT_EQ(named(both, "d"), "d");
    EXPECT_EQ(named(std::string(kSmallProgram) + kSmallStream, ""), "d");
    EXPECT_EQ(named(std::string(kSmallProgram) + kSmallStream, "s"), "s");
    EXPECT_EQ(itemOf(*frontend::parse(both, "d.mq"), "e").error().front().code, "no-item");
}

TEST(StreamKeys, DifferWithAllThatResultsDependOn) {
    std::set<std::string> keys;
    const auto add = [&](const std::string& grid, const std::string& text = kSmallStream) {
        bool fresh = true;
        for (const Point& point : streamSweep(grid, text).points)
            fresh = keys.insert(point.key).second && fresh;
        return fresh;
    };
    EXPECT_TRUE(add(R"({"throughput": [1, 2, "1/2"], "device": ["zu3eg", "xc7z020"]})"));
    EXPECT_TRUE(add(R"({"clock": 200})"));
    EXPECT_TRUE(add(R"({"time": 30})")) << "which is for the hardware too";
    EXPECT_TRUE(add(R"({"without": "sums"})"));
    EXPECT_TRUE(add("{}"));
    EXPECT_FALSE(add(R"({"throughput": ["2/2"], "device": "xc7k160t"})")) << "as usual";
    EXPECT_FALSE(add("{}", std::string("// the same\n") + kSmallStream));
    const auto changed = [](const std::string& from, const std::string& to) {
        std::string text = kSmallStream;
        return text.replace(text.find(from), from.size(), to);
    };
    EXPECT_TRUE(add("{}", changed("mul", "add")));
    EXPECT_TRUE(add("{}", changed("map2(mul, a, b)", "map2(mul, b, a)")));
    EXPECT_TRUE(add("{}", changed("map2(mul, a, b)", "shift(1, map2(mul, a, b))")));
    EXPECT_TRUE(add("{}", changed("map2(mul, a, b)", "shift(2, map2(mul, a, b))")));
    EXPECT_TRUE(add("{}", changed("map2(mul, a, b)", "map2(fn p q -> add(mul(p, q), 1), a, b)")));
    EXPECT_TRUE(add("{}", changed("map2(mul, a, b)", "map2(fn p q -> add(mul(p, q), 2), a, b)")));
}

TEST_F(StreamSweep, TheFolderHoldsWhatItIsTold) {
    const Sweep sweep = streamSweep(R"({"throughput": [1, "1/2", 3], "clock": 200, "time": 3,
                                    "without": ["", "sums"]})");
    ASSERT_TRUE(begin(folder(), sweep).has_value());
    const auto read = readSweep(folder());
    ASSERT_TRUE(read.has_value()) << format(read.error());
    ASSERT_EQ(read->points.size(), 6U);
    for (std::size_t k = 0; k < 6; ++k) {
        EXPECT_EQ(static_cast<const GridPoint&>(read->points[k]), sweep.points[k]);
        EXPECT_EQ(read->points[k].key, sweep.points[k].key);
        const auto outcome = computed(itemFrom(kSmallStream), sweep.points[k]);
        ASSERT_TRUE(outcome.has_value());
        ASSERT_TRUE(writeOutcome(folder(), sweep.points[k], *outcome).has_value());
        EXPECT_EQ(outcomeOf(folder(), read->points[k]), *outcome);
    }
}

TEST_F(StreamSweep, ASweepWhoseThroughputIsNoneIsRefused) {
    const Sweep sweep = streamSweep("{}");
    ASSERT_TRUE(begin(folder(), sweep).has_value());
    std::ifstream in(folder() + "/sweep.json");
    std::string text(std::istreambuf_iterator<char>(in), {});
    const std::size_t at = text.find("\"throughput\": \"1\"");
    ASSERT_NE(at, std::string::npos);
    for (const char* const wrong : {"\"throughput\": 1", "\"throughput\": \"fast\""}) {
        std::string changed = text;
        changed.replace(at, 17, wrong);
        std::ofstream(folder() + "/sweep.json") << changed;
        const auto read = readSweep(folder());
        ASSERT_FALSE(read.has_value()) << wrong;
        EXPECT_EQ(read.error().front().code, "sweep-form");
    }
}

TEST_F(StreamSweep, TheTableSaysWhatTheHardwareTakes) {
    const Sweep sweep =
        streamSweep(R"({"device": "zu3eg", "throughput": ["1/2", 3], "without": "sums,ranges"})");
    Outcome found;
    found.status = "optimal";
    found.exportable = true;
    found.cycles = 16;
    found.resources.lut = 300;
    found.resources.dsp = 1;
    found.clockMhz = 150;
    found.latency = 4;
    found.pathPs = 1234;
    Outcome none;
    none.status = "infeasible";
    none.message = "there is none: ask for 2, 4";
    const std::string head =
        "point,device,clock,bandwidth,limit,objective,batch,throughput,cost,method,without,overlap,"
        "streams,time,steps,seed,status,exportable,cycles,frames,cycles_per_frame,lower_bound,dsp,"
        "bram,lut,ff,clock_mhz,gops,utilisation,latency,path_ps,message\r\n";
    const std::string first = "0,zu3eg,,,,,,1/2,,,\"sums,ranges\",,,,,,optimal,true,16,1,16,,1,0,"
                              "300,0,150,,,4,1234,\r\n";
    const std::string second = "1,zu3eg,,,,,,3,,,\"sums,ranges\",,,,,,infeasible,,,,,,,,,,,,,,,"
                               "\"there is none: ask for 2, 4\"\r\n";
    EXPECT_EQ(table(sweep, {found, none}), head + first + second);
    EXPECT_THAT(table(sweep, {std::nullopt, none}), EndsWith("message\r\n" + second));
}

} // namespace
} // namespace marquetry::sweep
