// The folder of a sweep: keys, results and the table.
#include "engine/sweep/sweep.h"

#include "engine/support/file_system.h"
#include "engine/support/files.h"
#include "tests/support/places.h"
#include "tests/support/temporary_folder.h"
#include "tests/sweep/small_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <set>

namespace marquetry::sweep {
namespace {

using ::testing::HasSubstr;

Outcome some(std::int64_t cycles) {
    Outcome outcome{"optimal", "", true, cycles, cycles - 1, {}, 150, 1.25, 0.5};
    outcome.resources.dsp = 12;
    outcome.resources.bram = 2.5;
    outcome.resources.lut = 300;
    outcome.resources.ff = 400;
    return outcome;
}

class SweepFolder : public ::testing::Test {
protected:
    ~SweepFolder() override { file_system::setFault({}); }

    std::string folder() const { return folder_ / "sweep"; }
    void put(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
    }

    test::TemporaryFolder folder_;
};

TEST(SweepKeys, DifferWithAllThatResultsDependOn) {
    std::set<std::string> keys;
    const Sweep sweep = sweepOf(R"({"overlap": [false, true], "limit": ["", "dsp=4"]})");
    for (const Point& point : sweep.points)
        keys.insert(point.key);
    EXPECT_EQ(keys.size(), 4U);
    std::string other = kSmallProgram;
    other.replace(other.find("seed: 2"), 7, "seed: 3");
    EXPECT_TRUE(keys.insert(sweepOf("{}", other).points[0].key).second);
    EXPECT_EQ(sweepOf("{}").points[0].key, sweep.points[1].key);
}

TEST_F(SweepFolder, KeysDifferWithTheFileOfTheDevice) {
    const auto devices = files::read(test::sourceFolder() + "/resources/devices/devices.json");
    ASSERT_TRUE(devices.has_value());
    const std::string path = folder_ / "mine.json";
    const auto key = [&](const std::string& text) {
        put("mine.json", text);
        Grid grid;
        grid.points.emplace_back().settings.device = path;
        const auto sweep = makeSweep(grid, "d.mq", itemFrom(kSmallProgram));
        EXPECT_TRUE(sweep.has_value());
        return sweep->points[0].key;
    };
    EXPECT_NE(key("{}"), key("{ }"));
}

TEST_F(SweepFolder, HoldsWhatItIsTold) {
    const Sweep sweep = sweepOf(R"({"without": ["", "sharing,padding"], "limit": "dsp=4"})");
    ASSERT_TRUE(begin(folder(), sweep).has_value());
    const auto read = readSweep(folder());
    ASSERT_TRUE(read.has_value()) << format(read.error());
    EXPECT_EQ(read->file, "d.mq");
    EXPECT_EQ(read->item, "d");
    EXPECT_EQ(read->programHash, sweep.programHash);
    ASSERT_EQ(read->points.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_EQ(read->points[k].settings, sweep.points[k].settings);
        EXPECT_EQ(read->points[k].key, sweep.points[k].key);
        EXPECT_EQ(outcomeOf(folder(), sweep.points[k]), std::nullopt);
        ASSERT_TRUE(writeOutcome(folder(), sweep.points[k], some(7 + k)).has_value());
        EXPECT_EQ(outcomeOf(folder(), sweep.points[k]), some(7 + k));
    }
    ASSERT_TRUE(begin(folder(), sweepOf("{}")).has_value()) << "another grid of the same folder";
    EXPECT_EQ(outcomeOf(folder(), sweep.points[1]), some(8));
}

TEST_F(SweepFolder, TakesNoResultForThatOfSomethingElse) {
    const Sweep sweep = sweepOf(R"({"overlap": [false, true]})");
    ASSERT_TRUE(begin(folder(), sweep).has_value());
    ASSERT_TRUE(writeOutcome(folder(), sweep.points[0], some(7)).has_value());
    const std::string points = folder() + "/points/";
    const std::string one = points + sweep.points[0].key + ".json";
    const std::string other = points + sweep.points[1].key + ".json";
    std::filesystem::copy_file(one, other);
    EXPECT_EQ(outcomeOf(folder(), sweep.points[1]), std::nullopt);
    for (const char* const text : {"", "{", "[]", "{\"key\": 3}", "null"}) {
        std::ofstream(one, std::ios::binary) << text;
        EXPECT_EQ(outcomeOf(folder(), sweep.points[0]), std::nullopt) << text;
    }
    std::ofstream(one, std::ios::binary)
        << R"({"key": ")" << sweep.points[0].key
        << R"(", "outcome": {"status": "optimal", "cycles": 1e300, "dsp": "many"}})";
    const auto odd = outcomeOf(folder(), sweep.points[0]);
    EXPECT_TRUE(odd && !odd->hasDesign());
    ASSERT_TRUE(writeOutcome(folder(), sweep.points[0], some(9)).has_value());
    EXPECT_EQ(outcomeOf(folder(), sweep.points[0]), some(9));
}

TEST_F(SweepFolder, OfOtherThingsIsLeftAlone) {
    put("mine", "mine");
    const Status begun = begin(folder_ / "", sweepOf("{}"));
    ASSERT_FALSE(begun.has_value());
    EXPECT_EQ(begun.error().front().code, "output-exists");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "points"));
    put("sweep.json", "{\"mine\": 1}");
    EXPECT_EQ(begin(folder_ / "", sweepOf("{}")).error().front().code, "output-exists");
    const auto read = readSweep(folder_ / "");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().front().code, "sweep-form");
}

TEST_F(SweepFolder, OnAFullDiskKeepsWhatItHas) {
    const Sweep sweep = sweepOf(R"({"overlap": [false, true]})");
    ASSERT_TRUE(begin(folder(), sweep).has_value());
    ASSERT_TRUE(writeOutcome(folder(), sweep.points[0], some(7)).has_value());
    int failures = 0;
    for (int failing = 0; failing < 100; ++failing) {
        int calls = 0;
        file_system::setFault([&](std::string_view) { return calls++ >= failing ? ENOSPC : 0; });
        const Status written = writeOutcome(folder(), sweep.points[1], some(8));
        file_system::setFault({});
        EXPECT_EQ(outcomeOf(folder(), sweep.points[0]), some(7));
        if (written)
            break;
        ++failures;
        EXPECT_THAT(written.error().front().message, HasSubstr("No space left on device"));
        // The last call only makes sure that the result is there for ever.
        const auto there = outcomeOf(folder(), sweep.points[1]);
        EXPECT_TRUE(!there || there == some(8));
    }
    EXPECT_GE(failures, 3);
    EXPECT_EQ(outcomeOf(folder(), sweep.points[1]), some(8));
}

TEST_F(SweepFolder, TheTableHasThePointsThatHaveAResult) {
    const Sweep sweep =
        sweepOf(R"({"device": "zu3eg", "limit": ["dsp=4,bram=2", "dsp=3"], "clock": 200})");
    Outcome none;
    none.status = "infeasible";
    none.message = "no \"design\" fits";
    const std::string head =
        "point,device,clock,bandwidth,limit,objective,batch,throughput,cost,method,without,overlap,"
        "streams,time,steps,seed,status,exportable,cycles,frames,cycles_per_frame,lower_bound,dsp,"
        "bram,lut,ff,clock_mhz,gops,utilisation,message\r\n";
    const std::string first = "0,zu3eg,200,,\"bram=2,dsp=4\",latency,,,cycles,pool,,true,true,60,"
                              "200,1,optimal,true,7,1,7,6,12,2.5,300,400,150,1.25,0.5,\r\n";
    const std::string second = "1,zu3eg,200,,dsp=3,latency,,,cycles,pool,,true,true,60,200,1,"
                               "infeasible,,,,,,,,,,,,,\"no \"\"design\"\" fits\"\r\n";
    EXPECT_EQ(table(sweep, {some(7), none}), head + first + second);
    EXPECT_EQ(table(sweep, {std::nullopt, none}), head + second);
    ASSERT_TRUE(begin(folder(), sweep).has_value());
    ASSERT_TRUE(writeTable(folder(), head).has_value());
    ASSERT_TRUE(writeTable(folder(), head + first).has_value());
    EXPECT_EQ(*files::read(folder() + "/sweep.csv"), head + first);
}

} // namespace
} // namespace marquetry::sweep
