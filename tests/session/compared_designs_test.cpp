// Designs that are looked at beside the one at hand: of the plot, and of files.
#include "engine/session/file_design.h"
#include "engine/session/session_file.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <filesystem>
#include <fstream>

namespace marquetry::session {
namespace {

std::optional<design::DesignPoint> otherPoint(const Snapshot& snapshot) {
    for (const design::DesignPoint& point : snapshot.points)
        if (point.onFront && point.feasible && point.cycles != snapshot.design->cycles)
            return point;
    return std::nullopt;
}

TEST(DesignsBeside, AreThoseOfThePlotAndLeaveTheCurrentOne) {
    Harness harness;
    const auto best = harness.explored(512);
    const auto point = otherPoint(*best);
    ASSERT_TRUE(point);
    const auto asked = harness.settle(AskBeside{point});
    EXPECT_EQ(asked->design, best->design);
    EXPECT_EQ(asked->picked, std::nullopt);
    EXPECT_EQ(asked->canUndo, best->canUndo) << "looking is not doing";
    ASSERT_TRUE(asked->beside && asked->beside->design && asked->beside->ledger);
    EXPECT_FALSE(asked->beside->running);
    EXPECT_EQ(asked->beside->point.cycles, point->cycles);
    EXPECT_EQ(asked->beside->design->cycles, point->cycles);
    EXPECT_EQ(asked->beside->design->resources, point->resources);
    const auto chosen = harness.settle(ChoosePoint{*point});
    EXPECT_EQ(chosen->design->cycles, asked->beside->design->cycles);
    EXPECT_EQ(*chosen->ledger, *asked->beside->ledger);
    EXPECT_EQ(harness.settle(AskBeside{})->beside, std::nullopt);
}

TEST(DesignsBeside, EndWithTheSettingsAndAreAmongThoseFound) {
    Harness harness;
    EXPECT_FALSE(harness.run(AskBeside{design::DesignPoint{}}).accepted);
    const auto best = harness.explored(512);
    const auto point = otherPoint(*best);
    ASSERT_TRUE(point);
    design::DesignPoint unknown = *point;
    ++unknown.cycles;
    const Acknowledgement refused = harness.run(AskBeside{unknown});
    ASSERT_FALSE(refused.accepted);
    EXPECT_EQ(refused.diagnostics.front().code, "point-unknown");
    ASSERT_TRUE(harness.settle(AskBeside{point})->beside);
    EXPECT_FALSE(harness.settle(ChangeSettings{Harness::withDsp(256)})->beside);
}

class FileDesigns : public ::testing::Test {
protected:
    FileDesigns() {
        std::ofstream(folder_ / "two_layers.mq") << kTwoLayers;
        EXPECT_TRUE(harness_.run(OpenFile{folder_ / "two_layers.mq", ""}).accepted);
        EXPECT_TRUE(harness_.run(ChangeSettings{Harness::withDsp(512)}).accepted);
    }

    std::string save(const SessionFile& session) const {
        std::ofstream(folder_ / "saved.mqs") << printSession(session);
        return folder_ / "saved.mqs";
    }

    static void expectError(const Result<FileDesign>& result, const std::string& code) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().front().code, code);
        EXPECT_FALSE(result.error().front().hint.empty());
    }

    test::TemporaryFolder folder_;
    Harness harness_;
};

TEST_F(FileDesigns, OfASessionAreFoundAgain) {
    const auto found = harness_.settle(session::Run{});
    ASSERT_TRUE(found->design);
    SessionFile session = sessionOf(*found);
    const auto best = readFileDesign(save(session));
    ASSERT_TRUE(best) << format(best.error());
    EXPECT_EQ(best->design->cycles, found->design->cycles);
    EXPECT_EQ(*best->ledger, *found->ledger);
    ASSERT_TRUE(best->bound);
    EXPECT_EQ(std::llround(*best->bound), found->lowerBound);
    const auto chosen = harness_.settle(ChoosePoint{*otherPoint(*found)});
    const auto picked = readFileDesign(save(sessionOf(*chosen)));
    ASSERT_TRUE(picked) << format(picked.error());
    EXPECT_EQ(picked->design->cycles, chosen->design->cycles);
    EXPECT_EQ(*picked->ledger, *chosen->ledger) << "with the limits of the session";
    EXPECT_TRUE(picked->warnings.empty());
    EXPECT_EQ(picked->bound, std::nullopt) << "that of its search is not the session's";
}

TEST_F(FileDesigns, OfASessionThatIsNotItsProgramsAreNone) {
    expectError(readFileDesign(save(sessionOf(*harness_.fresh()))), "no-design");
    const SessionFile session = sessionOf(*harness_.settle(session::Run{}));
    std::ofstream(folder_ / "two_layers.mq") << kTwoLayers << "// changed\n";
    expectError(readFileDesign(save(session)), "program-changed");
    EXPECT_FALSE(readFileDesign(folder_ / "none.mqs"));
    expectError(readFileDesign(folder_ / "two_layers.mq"), "design-form");
}

TEST_F(FileDesigns, OfADesignFileAreWhatItSays) {
    const auto found = harness_.settle(session::Run{});
    const DesignChoices choices{found->settings, found->pins};
    std::ofstream(folder_ / "DESIGN.json") << designJson(*found->design, *found->program, choices);
    const auto read = readFileDesign(folder_ / "DESIGN.json");
    ASSERT_TRUE(read) << format(read.error());
    const design::Design& design = *found->design;
    ASSERT_EQ(read->design->units.size(), design.units.size());
    ASSERT_EQ(read->design->calls.size(), design.calls.size());
    for (std::size_t k = 0; k < design.units.size(); ++k) {
        EXPECT_EQ(read->design->units[k].multipliers, design.units[k].multipliers);
        EXPECT_EQ(read->design->units[k].callSites, design.units[k].callSites);
    }
    for (std::size_t k = 0; k < design.calls.size(); ++k) {
        EXPECT_EQ(read->design->calls[k].unit, design.calls[k].unit);
        EXPECT_EQ(read->design->calls[k].start, design.calls[k].start);
    }
    EXPECT_EQ(read->design->macs, design.macs);
    EXPECT_EQ(read->design->utilisation, design.utilisation);
    EXPECT_EQ(*read->ledger, *found->ledger);
}

} // namespace
} // namespace marquetry::session
