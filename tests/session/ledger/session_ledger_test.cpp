// The ledger of a snapshot is that of the design which the snapshot shows.
#include "engine/design/make_ledger.h"
#include "tests/session/session_harness.h"
#include "tests/support/temporary_folder.h"

#include <fstream>

namespace marquetry::session {
namespace {

/// That of the design at hand, made anew.
design::Ledger madeAgain(const Snapshot& snapshot) {
    return design::makeLedger(*snapshot.design, snapshot.device, snapshot.limits);
}

TEST(LedgerOfASession, FollowsTheDesign) {
    Harness harness;
    EXPECT_EQ(harness.fresh()->ledger, nullptr);
    const auto first = harness.explored(64);
    ASSERT_TRUE(first->design && first->ledger);
    EXPECT_EQ(*first->ledger, madeAgain(*first));
    EXPECT_EQ(first->ledger->cycles, first->design->cycles);
    const auto point = std::ranges::find_if(first->points, [&](const design::DesignPoint& each) {
        return each.onFront && each.cycles != first->design->cycles;
    });
    ASSERT_NE(point, first->points.end());
    const auto chosen = harness.settle(ChoosePoint{*point});
    ASSERT_TRUE(chosen->ledger);
    EXPECT_EQ(chosen->ledger->cycles, point->cycles);
    EXPECT_EQ(*chosen->ledger, madeAgain(*chosen));
    const auto none = harness.settle(ChangeSettings{Harness::withDsp(0)});
    EXPECT_EQ(none->design, nullptr);
    EXPECT_EQ(none->ledger, nullptr);
}

TEST(LedgerOfASession, OfAHeldDesignIsThatOfItsFile) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "two_layers.mq") << kTwoLayers;
    Harness first;
    ASSERT_TRUE(first.run(OpenFile{folder / "two_layers.mq", ""}).accepted);
    ASSERT_TRUE(first.run(ChangeSettings{Harness::withDsp(32)}).accepted);
    const auto found = first.settle(session::Run{});
    ASSERT_TRUE(found->design && found->ledger);
    std::ofstream(folder / "DESIGN.json")
        << designJson(*found->design, *found->program, DesignChoices{found->settings, found->pins});
    Harness harness;
    ASSERT_TRUE(harness.run(OpenFile{folder / "DESIGN.json", ""}).accepted);
    const auto held = harness.settled();
    ASSERT_TRUE(held->heldAtHand && held->ledger);
    EXPECT_EQ(held->design, nullptr);
    EXPECT_EQ(*held->ledger, *found->ledger);
    const auto searched = harness.settle(session::Run{});
    ASSERT_TRUE(searched->design && searched->ledger);
    EXPECT_FALSE(searched->heldAtHand);
    EXPECT_EQ(*searched->ledger, madeAgain(*searched));
}

TEST(LedgerOfASession, OfWhatCannotBeExportedSaysWhy) {
    const test::TemporaryFolder folder;
    std::ofstream(folder / "two_layers.mq") << kTwoLayers;
    Harness first;
    ASSERT_TRUE(first.run(OpenFile{folder / "two_layers.mq", ""}).accepted);
    const auto found = first.settle(session::Run{});
    ASSERT_TRUE(found->design);
    std::ofstream(folder / "DESIGN.json")
        << designJson(*found->design, *found->program, DesignChoices{found->settings, found->pins});
    std::string text = kTwoLayers;
    text.replace(text.find("seed: 2"), 7, "seed: 9");
    std::ofstream(folder / "two_layers.mq") << text;
    Harness harness;
    ASSERT_TRUE(harness.run(OpenFile{folder / "DESIGN.json", ""}).accepted);
    const auto held = harness.settled();
    ASSERT_TRUE(held->heldAtHand && held->ledger);
    EXPECT_NE(held->ledger->missing.find("it has changed since"), std::string::npos)
        << held->ledger->missing;
    EXPECT_TRUE(held->ledger->layers.empty());
}

} // namespace
} // namespace marquetry::session
