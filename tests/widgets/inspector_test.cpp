#include "snapshot_fixture.h"

#include "engine/frontend/parser.h"
#include "widgets/inspector/inspector_view.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextBrowser>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::widgets {
namespace {

using design::BufferId;
using design::CallId;
using design::UnitId;
using test::makeSnapshot;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Inspector : public ::testing::Test {
protected:
    void SetUp() override {
        QObject::connect(&view, &InspectorView::pinRequested,
                         [this](const design::Pin& pin) { pins.push_back(toString(pin)); });
        view.resize(340, 600);
        view.setSnapshot(parts.snapshot);
        view.show();
    }
    std::string text() const { return view.toText().replace(QChar(0x202F), u' ').toStdString(); }

    test::SnapshotParts parts = makeSnapshot();
    SelectionModel selection;
    InspectorView view{&selection};
    std::vector<std::string> pins;
};

TEST_F(Inspector, ExplainsACall) {
    selection.select(CallId{2});
    EXPECT_EQ(text(), R"(call of fc
[What]
  Layer  fc  → layer:fc
  Unit  Mv 64×576  → unit:0  (shared)
  Cycles  2 304  (bound by memory)
  Starts at  21 632
  Multiply–accumulates  230 400
  Per cycle  100  (of 128 multipliers)
  E-class  c10  → class:10
[Schedule]
  For  PaddedMv[576, 512]  (× 1)
[Cost]
  call fc  2 304 cycles  (576 · 4)
  unit Mv 64×576  64 DSP  (128 products / 2 per DSP)
  buffer fcWgt  2 BRAM  (4608 × 64)
[Why]
  ● shared  built once for 2 call sites; one copy each would take DSP 64 → 128 of 100, over the limit
  Saves  64 DSP  (for 0 more cycles)
  If not shared  one private copy per call site takes DSP 64 → 128 of 100
[Origin]
  n23  PaddedMv[576, 512]  → node:23  (R-PAD-MV, iteration 1)
  from  Mv  → node:10  (as written)
[Alternatives]
  share Mv 64×576 with P=8: +20 736 compute cycles (+86 %), 32 DSP
[Buffers]
  external  fcWgt  → buffer:1  (4 608 × 64 bits)
)");
}

TEST_F(Inspector, SaysWhatALayerIsInTheImportedFile) {
    const auto parsed = frontend::parse("design d { input x : i8[8]; weight w : i8[4, 8] = zeros;"
                                        "let fc = requant(mv(w, x), shift: 4); output y = fc; }",
                                        "d.mq");
    ASSERT_TRUE(parsed);
    ir::Program program = parsed->programs.at(0);
    const auto fc = std::ranges::find(program.values, "fc", &ir::Value::name);
    ASSERT_NE(fc, program.values.end());
    program.imported = {{fc->id, "gemm_3", "Gemm", "logits", "real value = 0.25 × integer",
                         "× 3, >> 8", "exact for -9 … 9"}};
    auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    snapshot->program = std::make_shared<const ir::Program>(std::move(program));
    view.setSnapshot(snapshot);
    selection.select(CallId{2});
    EXPECT_THAT(text(), HasSubstr("[In the imported file]\n"
                                  "  Gemm  gemm_3  (logits)\n"
                                  "  Reads as  real value = 0.25 × integer\n"
                                  "  Multiplier  × 3, >> 8  (exact for -9 … 9)\n"));
}

TEST_F(Inspector, ShowsTheProofOnceItIsThere) {
    auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    auto proof = std::make_shared<session::LayerProof>();
    proof->from = "Mv[](ParallelDot[64](x))";
    proof->to = "PaddedMv[576, 512](Mv)";
    proof->lines = {{"R-PAD-MV", true, "0.1", "Mv", "PaddedMv[576, 512](Mv)"}};
    snapshot->proofs.edit()["fc"] = proof;
    view.setSnapshot(snapshot);
    selection.select(CallId{2});
    EXPECT_THAT(text(), HasSubstr("[Proof for layer fc]\n"
                                  "  As written  Mv[](ParallelDot[64](x))\n"
                                  "  1 R-PAD-MV  Mv = PaddedMv[576, 512](Mv)  → rule:R-PAD-MV"
                                  "  (at 0.1)\n"
                                  "  Chosen  PaddedMv[576, 512](Mv)\n"));
    EXPECT_THAT(text(), Not(HasSubstr("[Origin]")));
    view.follow("rule:R-PAD-MV");
    EXPECT_THAT(text(), HasSubstr("rule R-PAD-MV\n[What]\n"));
    EXPECT_THAT(text(), HasSubstr("E-nodes it made  1"));
}

TEST_F(Inspector, AsksWhatIfTheUnitWereNotShared) {
    QSignalSpy asked(&view, &InspectorView::whatIfRequested);
    EXPECT_FALSE(view.whatIfButton()->isEnabled());
    selection.select(UnitId{0});
    EXPECT_EQ(view.whatIfButton()->text(), "What if unshared");
    QTest::mouseClick(view.whatIfButton(), Qt::LeftButton);
    ASSERT_EQ(asked.size(), 1);
    EXPECT_EQ(toString(asked[0][0].value<design::Pin>()), "never-share Mv 64×576");
    selection.select(parts.convClass);
    EXPECT_EQ(view.whatIfButton()->text(), "What if shared");
    EXPECT_TRUE(pins.empty()) << "a question is no pin";
}

TEST_F(Inspector, ShowsTheOriginOfAnENode) {
    selection.select(parts.tiledMv);
    EXPECT_THAT(text(), HasSubstr("Term  TiledMv[288, 576]"));
    EXPECT_THAT(text(), HasSubstr("(R-TILE-MV, iteration 1)"));
    EXPECT_THAT(text(), HasSubstr("(as written)"));
    EXPECT_THAT(text(), HasSubstr("Reached by  conv"));
}

TEST_F(Inspector, ShowsUnitsClassesAndBuffers) {
    selection.select(UnitId{0});
    EXPECT_THAT(text(), HasSubstr("State  ● shared"));
    EXPECT_THAT(text(), HasSubstr("2  fc  → call:2"));
    selection.select(parts.convClass);
    EXPECT_THAT(text(), HasSubstr("○ not shared  no design that shares it fits the limits"));
    selection.select(BufferId{1});
    EXPECT_THAT(text(), HasSubstr("Kind  external"));
}

TEST_F(Inspector, ShowsTheDesignWhenNothingIsSelected) {
    EXPECT_THAT(text(), HasSubstr("Design of running_example"));
    EXPECT_THAT(text(), HasSubstr("● shared  Mv 64×576  → unit:0"));
}

TEST_F(Inspector, SaysWhyThereIsNoDesign) {
    auto snapshot = std::make_shared<session::Snapshot>(*parts.snapshot);
    snapshot->design = nullptr;
    snapshot->infeasible = {makeError("limit-dsp", "needs 128 DSP of 64", "raise the limit")};
    view.setSnapshot(snapshot);
    EXPECT_THAT(text(), HasSubstr("No design"));
}

TEST_F(Inspector, LinksMoveTheSelection) {
    selection.select(CallId{2});
    QSignalSpy changes(&selection, &SelectionModel::changed);
    view.follow("unit:0");
    EXPECT_EQ(selection.subject(), Subject(UnitId{0}));
    QSignalSpy messages(&view, &InspectorView::message);
    view.follow("unit:77");
    view.follow("nonsense");
    EXPECT_EQ(messages.size(), 2);
    EXPECT_EQ(changes.size(), 1);
}

TEST_F(Inspector, EveryLinkOfEveryPageWorks) {
    std::vector<Subject> subjects{UnitId{0}, UnitId{1},   CallId{0},
                                  CallId{1}, BufferId{0}, LayerName{"conv"}};
    for (const egraph::EClassId id : parts.snapshot->egraph->eclasses())
        subjects.push_back(id);
    for (std::uint32_t k = 0; k < parts.snapshot->egraph->totalEnodes(); ++k)
        subjects.push_back(egraph::ENodeId{k});
    const SnapshotIndex& index = *selection.index();
    for (const Subject& subject : subjects)
        for (const ReportSection& section : makeReport(index, subject).sections)
            for (const ReportRow& row : section.rows)
                if (!isEmpty(row.link)) {
                    EXPECT_TRUE(index.exists(row.link)) << toLink(row.link).toStdString();
                }
}

TEST_F(Inspector, ButtonsPin) {
    selection.select(UnitId{0});
    QTest::mouseClick(view.pinButton(), Qt::LeftButton);
    QTest::mouseClick(view.neverShareButton(), Qt::LeftButton);
    EXPECT_THAT(pins, ElementsAre("share Mv 64×576", "never-share Mv 64×576"));
    selection.select(BufferId{0});
    EXPECT_FALSE(view.pinButton()->isEnabled());
    EXPECT_FALSE(view.neverShareButton()->isEnabled());
}

TEST_F(Inspector, NeverShareIsTakenBack) {
    selection.select(parts.sharedClass);
    view.setSnapshot(test::unshared(parts));
    QSignalSpy unpins(&view, &InspectorView::unpinRequested);
    EXPECT_EQ(view.neverShareButton()->text(), "Allow sharing");
    QTest::mouseClick(view.neverShareButton(), Qt::LeftButton);
    ASSERT_EQ(unpins.size(), 1);
    EXPECT_EQ(unpins[0][0].toInt(), 3);
}

TEST_F(Inspector, CopiesMarkdown) {
    selection.select(CallId{0});
    QTest::mouseClick(view.copyButton(), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    EXPECT_TRUE(copied.startsWith("## call of conv\n"));
    EXPECT_TRUE(copied.contains("| Unit | Mv 64×576 (`unit:0`) | shared |"));
}

TEST_F(Inspector, PageIsHtmlWithLinks) {
    selection.select(CallId{0});
    EXPECT_TRUE(view.browser()->toHtml().contains("href=\"unit:0\""));
    EXPECT_FALSE(view.grab().toImage().isNull());
}

TEST_F(Inspector, NamesInTheProgramAreNotMarkup) {
    Report report;
    report.title = "<b>x</b>";
    report.sections = {{"a", {{"n", "<i>v</i>", LayerName{"\"><x"}, "&"}}}};
    EXPECT_THAT(toHtml(report).toStdString(), Not(HasSubstr("<i>v")));
    EXPECT_THAT(toHtml(report).toStdString(), Not(HasSubstr("\"><x")));
}

} // namespace
} // namespace marquetry::widgets
