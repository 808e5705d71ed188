// Optimality of the VGG answers, pins on VGG, and the explanation of a unit.
#include "tests/extract/params_within.h"
#include "tests/support/cases.h"
#include "tests/support/effort.h"
#include "tests/support/programs.h"
#include "tests/support/spaces.h"

#include "engine/device/device_file.h"
#include "engine/extract/extract.h"
#include "engine/extract/why_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

namespace marquetry {

using design::CostModel;
using extract::ExtractParams;
using extract::ExtractResult;
using extract::ExtractStatus;

namespace {

const rules::Lowered& vgg(CostModel model) {
    static const rules::Lowered published =
        test::spaceOf(test::vggText(), CostModel::Published, {});
    static const rules::Lowered cycles = test::spaceOf(test::vggText(), CostModel::Cycles, {}, 0);
    return model == CostModel::Cycles ? cycles : published;
}

/// The design's largest shared unit.
const design::DesignUnit& sharedUnit(const design::Design& design) {
    return *std::ranges::max_element(design.units, {}, [](const design::DesignUnit& unit) {
        return unit.shared ? unit.callSites.size() : 0;
    });
}

} // namespace

TEST(Vgg, PublishedModelsAreSettledAtEveryBudget) {
    for (CostModel model : {CostModel::Published, CostModel::PublishedOpen})
        for (double dsp : {576.0, 1152.0, 1518.0, 3036.0, 6072.0}) {
            ExtractParams params = test::paramsWithin(dsp, model);
            params.explain = false;
            const auto result = extract::extract(vgg(model), params);
            ASSERT_TRUE(result.has_value());
            EXPECT_EQ(result->status, ExtractStatus::Optimal) << toString(model) << " " << dsp;
            EXPECT_LT(result->poolsTried, 5'000U) << toString(model) << " " << dsp;
            ASSERT_NE(result->design, nullptr);
            if (dsp == 1518) {
                EXPECT_EQ(result->design->cycles,
                          model == CostModel::Published ? 1'034'448 : 349'008);
            }
        }
}

TEST(Vgg, AnyPinIsAnsweredInAboutTheTimeOfNoPin) {
    for (CostModel model : {CostModel::Cycles, CostModel::Published, CostModel::PublishedOpen}) {
        const auto extracted = [&](const ExtractParams& params) {
            const auto result = extract::extract(vgg(model), params);
            ASSERT_TRUE(result.has_value()) << format(result.error());
            EXPECT_LT(result->poolsTried, 20'000U) << toString(model);
        };
        ExtractParams params = test::paramsWithin(1518, model);
        const auto unpinned = test::leastEffortOf(test::cases(1, 2), [&] { extracted(params); });
        SplitMix64 rng(77);
        for (int k = 0; k < test::cases(2, 10); ++k) {
            params.pins = {test::drawPin(vgg(model), rng)};
            const auto pinned = test::effortOf([&] { extracted(params); });
            EXPECT_LT(pinned, 25 * unpinned) << toString(model) << " " << toString(params.pins[0]);
        }
    }
}

TEST(Explain, SaysWhyTheSharedUnitOfVggIsShared) {
    const auto result = extract::extract(vgg(CostModel::PublishedOpen),
                                         test::paramsWithin(1518, CostModel::PublishedOpen));
    ASSERT_TRUE(result.has_value() && result->design);
    const design::Design& design = *result->design;
    const design::DesignUnit& unit = sharedUnit(design);
    ASSERT_TRUE(unit.shared);
    EXPECT_GE(unit.why.alternatives.size(), 3u);
    EXPECT_FALSE(unit.why.counterfactual.empty());
    for (const design::Alternative& other : unit.why.alternatives) {
        EXPECT_EQ(other.cyclesMore, other.cycles - design.cycles);
        EXPECT_EQ(other.dspMore, other.dsp - design.resources.dsp);
        // The chosen design is optimal: what fits the limits is no faster.
        if (!other.broken) {
            EXPECT_GE(other.cyclesMore, 0) << other.what;
        }
    }
    const auto text = extract::whyText(vgg(CostModel::PublishedOpen), design, unit.name);
    ASSERT_TRUE(text.has_value());
    std::cout << *text;
    for (design::CallId call : unit.callSites)
        EXPECT_NE(text->find("    " + design.call(call).layer + ","), std::string::npos);
    for (const char* part : {"proof from the program as written", "R-",
                             "cost:", "alternative:", "if it were not shared"})
        EXPECT_NE(text->find(part), std::string::npos) << part;
}

/// The numbers of a text, in order.
std::vector<double> numbersOf(const std::string& text) {
    static const std::regex number(R"(\d+(\.\d+)?)");
    std::vector<double> found;
    for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it)
        found.push_back(std::stod(it->str()));
    return found;
}

/// The value of "set-up + blocks · pixels · words + drain", where words may have a wait, which the
/// last reduction has not, and behind it clocks for weights may be waited for.
double valueOf(const std::vector<double>& n, bool external) {
    constexpr std::size_t kOfWaits = 4; // clocks, words, bytes of a word, bytes per cycle
    const std::size_t own = n.size() - (external ? kOfWaits : 0);
    const double waits = external ? n[own] : 0;
    if (own == 5)
        return n[0] + n[1] * n[2] * n[3] + n[4] + waits;
    return own == 7 ? n[0] + n[1] * n[2] * (n[3] + n[4]) - n[5] + n[6] + waits : -1;
}

TEST(Explain, TheFormulaOfEveryCallGivesItsCycles) {
    const auto result =
        extract::extract(vgg(CostModel::Cycles), test::paramsWithin(1518, CostModel::Cycles));
    ASSERT_TRUE(result.has_value() && result->design);
    int onChip = 0;
    int waiting = 0;
    for (const design::CostTerm& term : result->design->terms) {
        if (!term.name.starts_with("call "))
            continue;
        const auto n = numbersOf(term.formula);
        const bool external = term.formula.find(" bytes of weights at ") != std::string::npos;
        onChip += external ? 0 : 1;
        ASSERT_GE(n.size(), external ? 9U : 5U) << term.formula;
        waiting += external && n[n.size() - 4] > 0 ? 1 : 0;
        EXPECT_EQ(term.value, valueOf(n, external)) << term.formula;
    }
    EXPECT_GT(onChip, 0);
    EXPECT_GT(waiting, 0);
}

TEST(Explain, SaysWhyACandidateIsNotShared) {
    const auto result = extract::extract(vgg(CostModel::PublishedOpen),
                                         test::paramsWithin(1518, CostModel::PublishedOpen));
    ASSERT_TRUE(result.has_value() && result->design);
    int unshared = 0;
    for (const design::SharingCandidate& candidate : result->design->candidates) {
        EXPECT_FALSE(candidate.reason.empty()) << candidate.name;
        unshared += candidate.shared ? 0 : 1;
    }
    EXPECT_GT(unshared, 3);
    const auto text = extract::whyText(vgg(CostModel::PublishedOpen), *result->design, "Mv 9×9");
    ASSERT_FALSE(text.has_value());
    EXPECT_EQ(text.error().front().code, "unit-unknown");
}

TEST(Explain, TheOppositeIsTheAnswerUnderThePin) {
    ExtractParams params = test::paramsWithin(1518, CostModel::PublishedOpen);
    const auto result = extract::extract(vgg(CostModel::PublishedOpen), params);
    ASSERT_TRUE(result.has_value() && result->design);
    const design::DesignUnit& unit = sharedUnit(*result->design);
    ASSERT_TRUE(unit.why.opposite.has_value());
    EXPECT_GE(unit.why.opposite->cycles, result->design->cycles);
    params.explain = false;
    params.pins.push_back({1, design::PinKind::NeverShare, toString(unit.shape), "", true});
    const auto pinned = extract::extract(vgg(CostModel::PublishedOpen), params);
    ASSERT_TRUE(pinned.has_value() && pinned->design);
    EXPECT_EQ(unit.why.opposite->cycles, pinned->design->cycles);
}

TEST(Extract, ADesignIsNotLostToTheClock) {
    ExtractParams params = test::paramsWithin(6072, CostModel::PublishedOpen);
    params.seconds = 0;
    const auto result = extract::extract(vgg(CostModel::PublishedOpen), params);
    ASSERT_TRUE(result.has_value());
    ASSERT_NE(result->design, nullptr);
    EXPECT_LE(result->lowerBound, static_cast<double>(result->design->cycles));
}

TEST(Extract, ABudgetOfZeroNamesTheLeastThatFits) {
    for (CostModel model : {CostModel::Cycles, CostModel::PublishedOpen}) {
        const auto result = extract::extract(vgg(model), test::paramsWithin(0, model));
        ASSERT_TRUE(result.has_value());
        EXPECT_EQ(result->status, ExtractStatus::Infeasible);
        ASSERT_FALSE(result->infeasible.empty());
        EXPECT_EQ(result->infeasible.front().code, "limit-dsp");
    }
}

TEST(Extract, OppositePinsAreAMinimalConflict) {
    ExtractParams params = test::paramsWithin(1518, CostModel::PublishedOpen);
    params.pins = {{1, design::PinKind::Share, "Mv 64×576", "", true},
                   {2, design::PinKind::NeverShare, "Mv 10×512", "", true},
                   {3, design::PinKind::NeverShare, "Mv 64×576", "", true}};
    const auto result = extract::extract(vgg(CostModel::PublishedOpen), params);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->status, ExtractStatus::Infeasible);
    ASSERT_FALSE(result->infeasible.empty());
    EXPECT_EQ(result->infeasible.front().code, "pin-conflict");
    EXPECT_EQ(result->infeasible.front().notes.size(), 2u);
}

} // namespace marquetry
