// The results of a sweep's folder reach the window as they come.
#include "app/sweep_watch.h"
#include "engine/sweep/sweep.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/waits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::test {
namespace {

using Points = std::vector<widgets::SweepPoint>;

class Sweeps : public ::testing::Test {
protected:
    Sweeps() {
        const auto grid = sweep::parseGrid(
            R"({"device": "zu3eg", "limit": "dsp=60", "overlap": [false, true],
                "without": ["", "sharing"], "objective": ["latency", "area"]})",
            "grid.json");
        sweep_ = {"d.mq", "net", "hash", {}};
        for (const sweep::GridPoint& point : grid->points)
            sweep_.points.push_back({point, "key" + std::to_string(sweep_.points.size())});
        EXPECT_TRUE(sweep::begin(folder(), sweep_).has_value());
        QObject::connect(&watch_, &app::SweepWatch::changed,
                         [this](const QString& name, const Points& points) {
                             name_ = name;
                             points_ = points;
                             ++changes_;
                         });
        QObject::connect(&watch_, &app::SweepWatch::failed,
                         [this](const Diagnostics& errors) { errors_ = errors; });
    }

    std::string folder() const { return folder_ / "sweep"; }
    void finishPoint(std::size_t point, std::int64_t cycles) const {
        sweep::Outcome outcome;
        outcome.status = cycles > 0 ? "optimal" : "infeasible";
        outcome.cycles = cycles;
        outcome.resources.dsp = 12;
        ASSERT_TRUE(sweep::writeOutcome(folder(), sweep_.points[point], outcome).has_value());
        ASSERT_TRUE(
            sweep::writeTable(folder(), sweep::table(sweep_, sweep::outcomesOf(folder(), sweep_)))
                .has_value());
    }

    TemporaryFolder folder_;
    sweep::Sweep sweep_;
    QString name_;
    Points points_;
    Diagnostics errors_;
    int changes_ = 0;
    app::SweepWatch watch_;
};

TEST_F(Sweeps, ShowResultsAsTheyCome) {
    finishPoint(0, 70);
    finishPoint(1, 0);
    watch_.watch(QString::fromStdString(folder()));
    ASSERT_TRUE(waitFor([&] { return changes_ > 0; }));
    EXPECT_EQ(name_, "net");
    ASSERT_EQ(points_.size(), 1U) << "one of them has no design";
    EXPECT_EQ(points_[0].settings, "zu3eg, dsp=60, without overlap");
    EXPECT_EQ(points_[0].cycles, 70);
    EXPECT_EQ(points_[0].resources.dsp, 12);
    finishPoint(7, 80);
    ASSERT_TRUE(waitFor([&] { return points_.size() == 2; }));
    EXPECT_EQ(points_[1].settings, "zu3eg, dsp=60, area, without sharing");
    watch_.watch({});
    EXPECT_TRUE(points_.empty());
    EXPECT_TRUE(name_.isEmpty());
    EXPECT_TRUE(errors_.empty());
}

TEST_F(Sweeps, OfStreamsSayTheThroughput) {
    sweep_ = {"s.mq", "s", "hash", {}};
    const auto grid = sweep::parseGrid(R"({"device": "zu3eg", "throughput": ["2/8", 2]})",
                                       "grid.json", frontend::ItemKind::Stream);
    for (const sweep::GridPoint& point : grid->points)
        sweep_.points.push_back({point, "key" + std::to_string(sweep_.points.size())});
    ASSERT_TRUE(sweep::begin(folder(), sweep_).has_value());
    finishPoint(0, 64);
    finishPoint(1, 8);
    watch_.watch(QString::fromStdString(folder()));
    ASSERT_TRUE(waitFor([&] { return points_.size() == 2; }));
    EXPECT_EQ(name_, "s");
    EXPECT_EQ(points_[0].settings, "zu3eg, 1/4 elements per clock");
    EXPECT_EQ(points_[0].cycles, 64);
    EXPECT_EQ(points_[1].settings, "zu3eg, 2 elements per clock");
}

TEST_F(Sweeps, OfFoldersThatHoldNoneAreRefused) {
    watch_.watch(QString::fromStdString(folder_ / ""));
    ASSERT_TRUE(waitFor([&] { return !errors_.empty(); }));
    EXPECT_EQ(errors_.front().code, "file-missing");
    EXPECT_TRUE(points_.empty());
}

TEST_F(Sweeps, OfAnotherFolderTakeThePlaceOfThoseThatAreRead) {
    finishPoint(0, 70);
    watch_.watch(QString::fromStdString(folder_ / "none"));
    watch_.watch(QString::fromStdString(folder()));
    ASSERT_TRUE(waitFor([&] { return points_.size() == 1; }));
    EXPECT_TRUE(errors_.empty());
}

} // namespace
} // namespace marquetry::test
