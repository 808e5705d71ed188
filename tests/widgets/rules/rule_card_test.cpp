// Cards of rewrite rules: what a rule says, drawn; where it matched; what it made; what it is
// worth.
#include "tests/support/waits.h"
#include "tests/widgets/snapshot_fixture.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/rules/rule_facts.h"
#include "widgets/rules/rule_scene.h"
#include "widgets/rules/rule_terms.h"
#include "widgets/rules/rules_view.h"

#include "engine/rules/rule_texts.h"
#include "engine/session/next_change.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>
#include <QTreeView>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::widgets {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// "Mv[M](a)": as it was read, with one space after each comma.
QString printed(const RuleTerm& term) {
    QStringList arguments;
    for (const RuleTerm& argument : term.arguments)
        arguments << printed(argument);
    return term.label() + (arguments.isEmpty()
                               ? QString()
                               : QStringLiteral("(%1)").arg(arguments.join(QStringLiteral(", "))));
}

TEST(RuleTerms, AreThoseOfTheEquation) {
    const auto sides = readEquation(QStringLiteral("call(U, buf[a, b](w1)) = Mm of C sums [H]"));
    ASSERT_TRUE(sides);
    EXPECT_EQ(sides->before,
              (RuleTerm{"call", "", {{"U", "", {}}, {"buf", "a, b", {{"w1", "", {}}}}}}));
    EXPECT_EQ(sides->after, (RuleTerm{"Mm of C sums", "H", {}}));
    EXPECT_TRUE(sides->before.arguments[0].isVariable());
    EXPECT_TRUE(sides->before.arguments[1].arguments[0].isVariable());
    EXPECT_FALSE(sides->before.arguments[1].isVariable());
    EXPECT_FALSE(readEquation(QStringLiteral("Mv = Mv")).value().before.isVariable());
}

TEST(RuleTerms, TextOfAnotherFormIsNoTerm) {
    for (const char* const text : {"", "Mv", "Mv = ", " = Mv", "Mv[M = Mv", "Mv(a = Mv", "Mv(a) b",
                                   "Mv() = Mv", "Mv = Mv = Mv", "Mv) = Mv", "Mv(a, ) = Mv"})
        EXPECT_FALSE(readEquation(QString::fromUtf8(text))) << text;
}

TEST(RuleTerms, EveryRuleOfTheCatalogueIsRead) {
    for (const rules::RuleText& rule : rules::ruleTexts()) {
        const QString equation = QString::fromStdString(rule.equation);
        const auto sides = readEquation(equation);
        ASSERT_TRUE(sides) << rule.name;
        QString without = printed(sides->before) + QStringLiteral(" = ") + printed(sides->after);
        QString wanted = equation;
        EXPECT_EQ(without.remove(u' ').toStdString(), wanted.remove(u' ').toStdString());
    }
}

TEST(RulePicture, BoxesLieApartInsideTheirSides) {
    for (const rules::RuleText& rule : rules::ruleTexts())
        for (const double width : {160.0, 320.0, 900.0}) {
            const Scene scene = ruleScene(QString::fromStdString(rule.equation), width);
            ASSERT_EQ(scene.frames.size(), 2U);
            EXPECT_FALSE(scene.frames[0].rect.intersects(scene.frames[1].rect));
            for (std::size_t k = 0; k < scene.boxes.size(); ++k) {
                const QRectF rect = scene.boxes[k].rect;
                EXPECT_TRUE(scene.frames[0].rect.contains(rect) ||
                            scene.frames[1].rect.contains(rect))
                    << rule.name;
                for (std::size_t other = 0; other < k; ++other)
                    EXPECT_FALSE(rect.intersects(scene.boxes[other].rect)) << rule.name;
            }
        }
}

TEST(RulePicture, SidesAreOneAboveTheOtherWhereThereIsNoRoom) {
    const QString equation = QStringLiteral("Mv[M, N] = TiledMv[TN, N](Mv[M, TN])");
    const Scene wide = ruleScene(equation, 600);
    EXPECT_LT(wide.frames[0].rect.right(), wide.frames[1].rect.left());
    EXPECT_LE(wide.bounds().width(), 600);
    const Scene narrow = ruleScene(equation, 200);
    EXPECT_LT(narrow.frames[0].rect.bottom(), narrow.frames[1].rect.top());
    std::vector<std::string> texts;
    for (const SceneBox& box : narrow.boxes)
        texts.push_back(box.text.toStdString());
    EXPECT_THAT(texts, ElementsAre("Mv[M, N]", "TiledMv[TN, N]", "Mv[M, TN]"));
    EXPECT_LE(rulePicture(equation, 120, lightTheme()).size.width(), 120.5);
    const Scene unread = ruleScene(QStringLiteral("a ( = b"), 200);
    EXPECT_EQ(unread.boxes.size(), 2U) << "both sides as they are written";
}

// ---- what it did ----

class RuleCard : public ::testing::Test {
protected:
    void SetUp() override {
        auto& texts = parts.snapshot->ruleTexts.edit();
        for (const std::string& name : parts.snapshot->ruleNames)
            texts.push_back(*rules::ruleText(name));
        show();
        view.resize(340, 700);
        view.show();
    }
    /// As whoever has the view does when something has changed.
    void show() {
        parts.snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
        ++parts.snapshot->epoch;
        view.setSnapshot(parts.snapshot);
    }
    void answer(const session::WithoutRule& known) {
        parts.snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
        parts.snapshot->withoutRule = std::make_shared<session::WithoutRule>(known);
        show();
    }
    RuleFacts facts(const char* rule) {
        const SnapshotIndex index(parts.snapshot);
        return ruleFacts(index, index.ruleId(rule));
    }
    std::string text() const { return view.toText().replace(QChar(0x202F), u' ').toStdString(); }
    QImage picture() const {
        return view.browser()
            ->document()
            ->resource(QTextDocument::ImageResource, QUrl(kRulePicture))
            .value<QImage>();
    }

    test::SnapshotParts parts = test::makeSnapshot();
    SelectionModel selection;
    InspectorView view{&selection};
};

TEST_F(RuleCard, CountsWhatTheRecordHoldsOfEveryRule) {
    const SnapshotIndex index(parts.snapshot);
    const egraph::FrozenEGraph& view_ = *index.egraph();
    std::size_t known = 0;
    for (std::size_t id = 0; id < parts.snapshot->ruleNames.size(); ++id) {
        const egraph::RuleId rule{static_cast<int>(id)};
        const RuleFacts found = ruleFacts(index, rule);
        std::size_t made = 0;
        std::map<egraph::EClassId, std::pair<std::size_t, std::size_t>> byClass;
        for (std::size_t k = 0; k < view_.totalEnodes(); ++k)
            if (const auto origin = view_.origin(egraph::ENodeId{k}); origin.rule == rule) {
                ++made;
                ++byClass[view_.eclassOf(origin.root)].first;
            }
        for (const egraph::UnionEntry entry : view_.unionLog())
            if (entry.origin.rule == rule)
                ++byClass[view_.eclassOf(entry.origin.root)].second;
        EXPECT_EQ(found.made, made);
        ASSERT_EQ(found.matches.size(), byClass.size());
        for (const RuleMatch& match : found.matches) {
            EXPECT_EQ(std::pair(match.made, match.unions), byClass.at(match.eclass));
            std::vector<std::string> layers = match.layers;
            std::ranges::sort(layers);
            EXPECT_EQ(layers, index.layersReaching(match.eclass)) << "found from the other end";
        }
        known += made;
    }
    EXPECT_GT(known, 20U);
}

TEST_F(RuleCard, MatchesAreInTheOrderOfTheProgram) {
    const RuleFacts tiled = facts("R-TILE-MV");
    ASSERT_EQ(tiled.matches.size(), 1U);
    EXPECT_THAT(tiled.matches[0].layers, ElementsAre("conv", "fc"));
    EXPECT_EQ(tiled.unions, 5U);
    ASSERT_TRUE(tiled.example);
    EXPECT_EQ(tiled.example->second, parts.sharedMv);
    const RuleFacts padded = facts("R-PAD-MV");
    EXPECT_THAT(padded.matches.at(0).layers, ElementsAre("fc"));
    EXPECT_EQ(padded.chosen, 1U);
    EXPECT_EQ(padded.derived, 1U);
    EXPECT_TRUE(ruleFacts(SnapshotIndex(parts.snapshot), egraph::RuleId()).matches.empty());
}

TEST_F(RuleCard, SaysWhatTheRuleIsAndDid) {
    selection.select(RuleName{"R-PAD-MV"});
    EXPECT_THAT(text(), HasSubstr("rule R-PAD-MV\n[What]\n"
                                  "  Equality  Mv[M, N] = PaddedMv[PN, N](Mv[M, PN])\n"));
    EXPECT_THAT(
        text(),
        HasSubstr("[What it did]\n"
                  "  E-nodes it made  1  (1 of them still apart, in 1 e-classes)\n"
                  "  Unions  1\n"
                  "  Matched in  1 e-classes\n"
                  "  First  PaddedMv[576, 512]  → node:23  (from n10 Mv)\n"
                  "  In the design  1 e-nodes  (1 were made by it, or from what it made)\n"));
    EXPECT_THAT(text(), HasSubstr("[Where it matched]\n"
                                  "  fc  c10 Mv  → class:10  (1 e-nodes, 1 unions, "
                                  "iteration 1, 1 in the design)\n"));
    EXPECT_THAT(text(), HasSubstr("[Without it]\n  Not known:"));
}

TEST_F(RuleCard, IsDrawnAsWideAsThePageInItsColours) {
    view.resize(230, 700);
    selection.select(RuleName{"R-PAD-MV"});
    const QImage light = picture();
    ASSERT_FALSE(light.isNull());
    EXPECT_LE(light.deviceIndependentSize().width(), view.width());
    EXPECT_THAT(view.browser()->toHtml().toStdString(), HasSubstr("picture:rule"));
    view.resize(700, 700);
    ASSERT_TRUE(test::waitFor([&] { return picture().width() > light.width(); })) << "side by side";
    view.setPalette(darkTheme().palette);
    EXPECT_LT(qGray(picture().pixel(picture().width() / 4, picture().height() - 6)), 128);
    EXPECT_GT(qGray(light.pixel(light.width() / 2, light.height() - 6)), 128);
    selection.select(egraph::ENodeId{10});
    EXPECT_THAT(view.browser()->toHtml().toStdString(), Not(HasSubstr("picture:rule")));
}

TEST_F(RuleCard, AClickOnAMatchShowsItInTheEGraph) {
    QObject::connect(&view, &InspectorView::focusRequested,
                     [this](const Subject& subject) { selection.select(subject); });
    QSignalSpy focused(&view, &InspectorView::focusRequested);
    selection.select(RuleName{"R-PAD-MV"});
    ASSERT_TRUE(test::waitForExposed(&view));
    QTextBrowser& browser = *view.browser();
    ASSERT_TRUE(browser.find(QStringLiteral("c10 Mv")));
    browser.ensureCursorVisible();
    QTest::mouseClick(browser.viewport(), Qt::LeftButton, {},
                      browser.cursorRect().center() - QPoint(6, 0));
    ASSERT_EQ(focused.size(), 1);
    EXPECT_EQ(selection.subject(), Subject(egraph::EClassId{10}));
}

TEST_F(RuleCard, ANodeNamesTheRuleThatMadeIt) {
    selection.select(egraph::ENodeId{23});
    EXPECT_THAT(text(), HasSubstr("Made by  R-PAD-MV  → rule:R-PAD-MV  (iteration 1)"));
    selection.select(egraph::ENodeId{10});
    EXPECT_THAT(text(), Not(HasSubstr("Made by")));
}

// ---- what it is worth ----

session::WithoutRule answered(std::int64_t cycles) {
    session::WithoutRule answer;
    answer.rule = "R-PAD-MV";
    answer.running = false;
    answer.now.cycles = 1000;
    answer.now.resources.dsp = 64;
    answer.then = answer.now;
    answer.then->cycles = cycles;
    return answer;
}

TEST_F(RuleCard, AsksWhatTheDesignWouldBeWithoutItAndSaysSo) {
    QSignalSpy asked(&view, &InspectorView::withoutRuleRequested);
    QSignalSpy pins(&view, &InspectorView::whatIfRequested);
    selection.select(RuleName{"R-PAD-MV"});
    EXPECT_EQ(view.whatIfButton()->text(), "What if without it");
    QTest::mouseClick(view.whatIfButton(), Qt::LeftButton);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].toString(), "R-PAD-MV");
    EXPECT_TRUE(pins.isEmpty());
    session::WithoutRule running = answered(1000);
    running.running = true;
    running.then.reset();
    answer(running);
    EXPECT_FALSE(view.whatIfButton()->isEnabled());
    EXPECT_THAT(text(), HasSubstr("Without it  is being searched for …"));
    answer(answered(1250));
    EXPECT_THAT(text(), HasSubstr("With it  1 000 cycles · 64 DSP"));
    EXPECT_THAT(text(), HasSubstr("It is worth  25.0 % more cycles"));
    answer(answered(1000));
    EXPECT_THAT(text(), HasSubstr("this design does not need the rule"));
    selection.select(RuleName{"R-TILE-MV"});
    EXPECT_THAT(text(), HasSubstr("Not known:")) << "it was asked of another";
    EXPECT_TRUE(view.whatIfButton()->isEnabled());
}

TEST_F(RuleCard, SaysWhyThereIsNoDesignWithoutIt) {
    session::WithoutRule none = answered(0);
    none.then.reset();
    none.problem = {makeError("limit", "it takes 128 DSP of 100")};
    answer(none);
    selection.select(RuleName{"R-PAD-MV"});
    EXPECT_THAT(text(), HasSubstr("Without it  no design: it takes 128 DSP of 100"));
}

// ---- rules that are off, and the ways to a card ----

class RuleList : public RuleCard {
protected:
    void SetUp() override {
        auto& snapshot = *parts.snapshot;
        snapshot.ruleGroups = {"parallelism", "tiling", "tiling", "tiling", "padding", "storage"};
        snapshot.ruleSwitches = {"parallelism", "tiling", "padding", "storage", "sharing"};
        RuleCard::SetUp();
        list.resize(600, 500);
        list.show();
    }
    void switchOff(const std::string& rule) {
        parts.snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
        parts.snapshot->settings.without = {rule};
        const auto& names = parts.snapshot->ruleNames;
        const auto at = std::ranges::find(names, rule) - names.begin();
        for (auto* words : {&parts.snapshot->ruleNames, &parts.snapshot->ruleGroups}) {
            std::vector<std::string>& all = words->edit();
            all.erase(all.begin() + at);
        }
        auto& texts = parts.snapshot->ruleTexts.edit();
        std::rotate(texts.begin() + at, texts.begin() + at + 1, texts.end());
    }
    QModelIndex row(const std::string& rule) {
        const QModelIndex group = list.model()->indexOf(rule).parent();
        const auto& shown = *list.tree()->model();
        for (int g = 0; g < shown.rowCount(); ++g)
            for (int r = 0; r < shown.rowCount(shown.index(g, 0)); ++r)
                if (shown.index(r, 0, shown.index(g, 0)).data().toString().toStdString() == rule)
                    return shown.index(r, 0, shown.index(g, 0));
        EXPECT_TRUE(group.isValid()) << rule;
        return {};
    }

    RulesView list{&selection};
};

TEST_F(RuleList, KeepsARuleThatIsOffWithItsSwitch) {
    const QAbstractItemModelTester tester(list.model(),
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    list.setSnapshot(parts.snapshot);
    EXPECT_EQ(row("R-PAD-MV").data(Qt::CheckStateRole).toInt(), Qt::Checked);
    switchOff("R-PAD-MV");
    list.setSnapshot(parts.snapshot);
    EXPECT_EQ(row("R-PAD-MV").data(Qt::CheckStateRole).toInt(), Qt::Unchecked);
    EXPECT_EQ(row("R-PAD-MV").siblingAtColumn(RuleModel::State).data().toString(), "off");
    EXPECT_THAT(list.summary().toStdString(), HasSubstr("1 rules off"));
    parts.snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    parts.snapshot->iterations.edit().push_back({});
    list.setSnapshot(parts.snapshot);
    EXPECT_EQ(list.tree()->model()->rowCount(row("R-PAD-MV")), 0);
    EXPECT_EQ(list.tree()->model()->rowCount(row("R-TILE-MV")), 1);
    view.setSnapshot(parts.snapshot);
    selection.select(RuleName{"R-PAD-MV"});
    EXPECT_THAT(text(), HasSubstr("State  switched off"));
    EXPECT_FALSE(view.whatIfButton()->isEnabled());
}

TEST_F(RuleList, AClickOnTheBoxOfARuleAsksToSwitchIt) {
    list.setSnapshot(parts.snapshot);
    ASSERT_TRUE(test::waitForExposed(&list));
    QSignalSpy switched(&list, &RulesView::groupSwitched);
    const QRect place = list.tree()->visualRect(row("R-TILE-MV"));
    QTest::mouseClick(list.tree()->viewport(), Qt::LeftButton, {},
                      QPoint(place.left() + 9, place.center().y()));
    ASSERT_EQ(switched.size(), 1);
    EXPECT_EQ(switched[0], (QVariantList{"R-TILE-MV", false}));
}

TEST_F(RuleList, EnterTheMenuAndACommandAskForTheCard) {
    list.setSnapshot(parts.snapshot);
    ASSERT_TRUE(test::waitForExposed(&list));
    QSignalSpy cards(&list, &RulesView::cardRequested);
    list.tree()->setCurrentIndex(row("R-TILE-MV"));
    QTest::keyClick(list.tree(), Qt::Key_Return);
    ASSERT_EQ(cards.size(), 1);
    const std::unique_ptr<QMenu> menu(list.createMenu(row("R-PAD-MV")));
    for (QAction* action : menu->actions())
        if (action->text() == QLatin1String("Show the card of R-PAD-MV"))
            action->trigger();
    ASSERT_EQ(cards.size(), 2);
    QStringList commands;
    for (QAction* action : list.findChildren<QAction*>())
        if (action->text() == QLatin1String("Rule R-STORE-EXTERNAL")) {
            commands << action->statusTip();
            action->trigger();
        }
    EXPECT_EQ(commands, QStringList{"buf[bram](v) = buf[external](v)"});
    ASSERT_EQ(cards.size(), 3);
    EXPECT_EQ(cards[0][0].toString(), "R-TILE-MV");
    EXPECT_EQ(cards[1][0].toString(), "R-PAD-MV");
    EXPECT_EQ(cards[2][0].toString(), "R-STORE-EXTERNAL");
}

TEST_F(RuleList, TheMenuAsksForTheDesignWithoutARule) {
    list.setSnapshot(parts.snapshot);
    QSignalSpy asked(&list, &RulesView::withoutRuleRequested);
    const std::unique_ptr<QMenu> menu(list.createMenu(row("R-PAD-MV")));
    for (QAction* action : menu->actions())
        if (action->text() == QLatin1String("What if without it")) {
            EXPECT_TRUE(action->isEnabled());
            action->trigger();
        }
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(asked[0][0].toString(), "R-PAD-MV");
}

} // namespace
} // namespace marquetry::widgets
