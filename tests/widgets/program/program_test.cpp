#include "engine/frontend/parser.h"
#include "tests/support/waits.h"
#include "widgets/program/layer_table_model.h"
#include "widgets/program/mq_highlighter.h"
#include "widgets/program/program_view.h"
#include "widgets/text/code_view.h"

#include <QAbstractItemModelTester>
#include <QListWidget>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextCursor>
#include <QTreeView>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::MqToken;
using widgets::ProgramView;

namespace {

const std::string kGood = "design two {\n"
                          "  input  x : i8[8, 8, 8] = random(seed: 1);\n"
                          "  weight w : i8[16, 3, 3, 8] = random(seed: 2);\n"
                          "  weight f : i8[10, 1024] = random(seed: 3);\n"
                          "  let c = relu(requant(conv(x, w, pad: 1), shift: 8));\n"
                          "  output y = mv(f, flatten(c));\n"
                          "}\n";

std::shared_ptr<session::Snapshot> snapshotOf(const std::string& text) {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->file = "two.mq";
    snapshot->source = std::make_shared<const std::string>(text);
    auto parsed = frontend::parse(text, "two.mq");
    if (parsed) {
        snapshot->phase = session::Phase::Loaded;
        snapshot->program = std::make_shared<const ir::Program>(parsed->programs.front());
        snapshot->diagnostics = parsed->warnings;
    } else {
        snapshot->phase = session::Phase::Invalid;
        snapshot->diagnostics = parsed.error();
    }
    return snapshot;
}

std::unique_ptr<ProgramView>
shownProgram(const std::shared_ptr<const session::Snapshot>& snapshot) {
    auto view = std::make_unique<ProgramView>();
    view->resize(500, 700);
    view->show();
    EXPECT_TRUE(waitForExposed(view.get()));
    view->setSnapshot(snapshot);
    return view;
}

/// kGood as an importer gives it: c is what a node of the file gives.
std::shared_ptr<session::Snapshot> importedSnapshot() {
    const auto snapshot = snapshotOf(kGood);
    ir::Program program = *snapshot->program;
    const auto named = [&](const std::string& name) {
        return std::ranges::find(program.values, name, &ir::Value::name)->id;
    };
    program.imported = {{named("x"), "", "", "image", "real value = 0.5 × integer", "", ""},
                        {named("c"), "conv_1", "Conv", "act_1", "real value = 0.25 × integer",
                         "× 3, >> 8, rounded even, zero point 0", "exact for -9 … 9"}};
    snapshot->program = std::make_shared<const ir::Program>(std::move(program));
    return snapshot;
}

} // namespace

TEST(ProgramView, SaysWhatTheLayersOfAnImportedNetworkAre) {
    const auto view = shownProgram(importedSnapshot());
    EXPECT_EQ(view->toText().toStdString(),
              "c | conv → requant → relu | 8×8×16 i8 | 73728 | conv_1\n"
              "act_1 (Conv): real value = 0.25 × integer\n"
              "× 3, >> 8, rounded even, zero point 0\n"
              "exact for -9 … 9\n"
              "y | mv | 10 i32 | 10240\n");
    using widgets::LayerTableModel;
    EXPECT_FALSE(view->layerTable()->isColumnHidden(LayerTableModel::Node));
    const QModelIndex node = view->layers()->index(0, LayerTableModel::Node);
    EXPECT_EQ(node.data().toString().toStdString(), "conv_1");
    EXPECT_THAT(node.data(Qt::ToolTipRole).toString().toStdString(),
                ::testing::HasSubstr("exact for -9 … 9"));
    view->setSnapshot(snapshotOf(kGood));
    EXPECT_TRUE(view->layerTable()->isColumnHidden(LayerTableModel::Node));
}

TEST(ProgramView, ListsLayersWithShapesAndWork) {
    const auto view = shownProgram(snapshotOf(kGood));
    EXPECT_EQ(view->toText().toStdString(), "c | conv → requant → relu | 8×8×16 i8 | 73728\n"
                                            "y | mv | 10 i32 | 10240\n");
    EXPECT_FALSE(view->diagnosticList()->isVisible());
}

TEST(ProgramView, ListsLayersNoUnitCovers) {
    const auto view = shownProgram(snapshotOf("design two {\n"
                                              "  input  x : i8[4, 8] = random(seed: 1);\n"
                                              "  weight w : i8[6, 8] = random(seed: 2);\n"
                                              "  let p = requant(mm(x, w), shift: 6);\n"
                                              "  output y = softmax(p);\n"
                                              "}\n"));
    EXPECT_EQ(view->toText().toStdString(), "p | mm → requant | 4×6 i8 | 192\n"
                                            "y | softmax | 4×6 u8 | 0\n");
}

TEST(LayerTable, GivesFiveHundredLayersTheirCalls) {
    constexpr int kLayers = 500;
    std::string text = "design chain {\n  input x0 : i8[8] = random(seed: 1);\n"
                       "  weight w : i8[8, 8] = random(seed: 2);\n";
    auto design = std::make_shared<design::Design>();
    for (int k = 0; k < 2; ++k) {
        design->units.emplace_back().id = design::UnitId{k};
        design->units.back().name = "unit " + std::to_string(k);
    }
    for (int k = 1; k <= kLayers; ++k) {
        const std::string name = "x" + std::to_string(k);
        text += "  let " + name + " = requant(mv(w, x" + std::to_string(k - 1) + "), shift: 6);\n";
        design::DesignCall& call = design->calls.emplace_back();
        call.layer = name;
        call.unit = design::UnitId{k % 2};
        call.cycles = k;
    }
    const auto loaded = snapshotOf(text + "  output y = x" + std::to_string(kLayers) + ";\n}\n");
    ASSERT_NE(loaded->program, nullptr);
    loaded->design = design;
    widgets::LayerTableModel model;
    model.setSnapshot(*loaded);
    ASSERT_EQ(model.rows().size(), static_cast<std::size_t>(kLayers));
    for (int k = 1; k <= kLayers; ++k) {
        const auto& row = model.rows()[static_cast<std::size_t>(k - 1)];
        EXPECT_EQ(row.name.toStdString(), "x" + std::to_string(k));
        EXPECT_EQ(row.unit.toStdString(), "unit " + std::to_string(k % 2));
        EXPECT_EQ(row.cycles, k);
    }
}

TEST(ProgramView, UnderlinesAndListsEveryMistake) {
    const std::string bad = "design bad {\n"
                            "  input x : i8[8, 8, 8];\n"
                            "  let c = conv(x, missing);\n"
                            "  output y = nothere(c);\n"
                            "}\n";
    const auto snapshot = snapshotOf(bad);
    ASSERT_EQ(snapshot->phase, session::Phase::Invalid);
    const auto view = shownProgram(snapshot);
    EXPECT_TRUE(view->diagnosticList()->isVisible());
    EXPECT_EQ(view->diagnosticList()->count(), static_cast<int>(snapshot->diagnostics.size()));
    QStringList underlined;
    for (const auto& selection : view->code()->extraSelections())
        if (selection.format.underlineStyle() == QTextCharFormat::WaveUnderline)
            underlined << selection.cursor.selectedText();
    EXPECT_TRUE(underlined.contains(QStringLiteral("missing")))
        << underlined.join(u'|').toStdString();
    const int y = view->code()->fontMetrics().height() * 2 + 8;
    EXPECT_TRUE(view->code()->markTip(y).contains(QStringLiteral("missing")));
}

TEST(ProgramView, AClickOnADiagnosticJumpsToItsPlace) {
    auto snapshot = snapshotOf(kGood);
    Diagnostic diagnostic = makeError("unknown-name", "there is no x");
    diagnostic.range = {5, 29, 5, 30};
    snapshot->diagnostics = {makeWarning("general", "without a place"), diagnostic};
    const auto view = shownProgram(snapshot);
    QListWidget* list = view->diagnosticList();
    const QRect place = list->visualItemRect(list->item(1));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, place.center());
    EXPECT_EQ(view->code()->currentLine(), 5);
    EXPECT_EQ(view->code()->textCursor().positionInBlock(), 28);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(list->item(0)).center());
    EXPECT_EQ(view->code()->currentLine(), 5);
}

TEST(ProgramView, ColumnsCountCodePointsNotUtf16) {
    auto snapshot = snapshotOf("// 𝄞𝄞 x\n");
    Diagnostic diagnostic = makeError("test", "here");
    diagnostic.range = {1, 7, 1, 8};
    snapshot->diagnostics = {diagnostic};
    const auto view = shownProgram(snapshot);
    ASSERT_EQ(view->code()->extraSelections().size(), 1);
    EXPECT_EQ(view->code()->extraSelections()[0].cursor.selectedText().toStdString(), "x");
}

TEST(ProgramView, PickingALayerShowsItsStatementAndTellsOnce) {
    const auto view = shownProgram(snapshotOf(kGood));
    QSignalSpy picked(view.get(), &ProgramView::layerPicked);
    const QModelIndex row = view->layers()->index(1, 0);
    QTest::mouseClick(view->layerTable()->viewport(), Qt::LeftButton, {},
                      view->layerTable()->visualRect(row).center());
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString().toStdString(), "y");
    EXPECT_EQ(view->code()->currentLine(), 6);
    view->showLayers({QStringLiteral("c")});
    EXPECT_EQ(picked.size(), 1) << "what comes from outside is not told back";
    EXPECT_EQ(view->layerTable()->currentIndex().row(), 0);
    view->showLayers({QStringLiteral("c"), QStringLiteral("y")});
    EXPECT_EQ(view->layerTable()->selectionModel()->selectedRows().size(), 2);
    EXPECT_EQ(picked.size(), 1);
}

TEST(LayerTableModel, KeepsTheModelContractThroughChanges) {
    widgets::LayerTableModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setSnapshot(*snapshotOf(kGood));
    EXPECT_EQ(model.rowCount(), 2);
    auto designed = snapshotOf(kGood);
    model.setSnapshot(*designed);
    auto design = std::make_shared<design::Design>();
    design::DesignUnit unit;
    unit.id = design::UnitId(0);
    unit.name = "Mv 16×72";
    unit.shared = true;
    design->units = {unit};
    design::DesignCall call;
    call.layer = "c";
    call.unit = unit.id;
    call.cycles = 4608;
    design->calls = {call};
    designed->design = design;
    model.setSnapshot(*designed);
    const auto shownText = [&](int row, int column) {
        return model.index(row, column).data().toString().toStdString();
    };
    EXPECT_EQ(shownText(0, widgets::LayerTableModel::Unit), "Mv 16×72 (shared)");
    EXPECT_EQ(shownText(0, widgets::LayerTableModel::Cycles), "4\u202F608");
    EXPECT_EQ(shownText(1, widgets::LayerTableModel::Cycles), "");
    model.setSnapshot(session::Snapshot{});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(MqHighlighter, ScansEveryKindOfToken) {
    const QString line = QStringLiteral("let c = conv(x, pad: -1); // \"no\"");
    const auto spans = widgets::scanMq(line);
    std::vector<std::pair<MqToken, std::string>> found;
    for (const auto& span : spans)
        found.emplace_back(span.token, line.mid(span.start, span.length).toStdString());
    const std::vector<std::pair<MqToken, std::string>> expected{{MqToken::Keyword, "let"},
                                                                {MqToken::Call, "conv"},
                                                                {MqToken::Label, "pad"},
                                                                {MqToken::Number, "-1"},
                                                                {MqToken::Comment, "// \"no\""}};
    EXPECT_EQ(found, expected);
}

TEST(ProgramView, LinesOfAStatementPickTheirLayer) {
    const auto view = shownProgram(snapshotOf(kGood));
    QSignalSpy picked(view.get(), &ProgramView::layerPicked);
    const auto click = [&](int line) {
        const QTextCursor cursor(view->code()->document()->findBlockByNumber(line - 1));
        QTest::mouseClick(view->code()->viewport(), Qt::LeftButton, {},
                          view->code()->cursorRect(cursor).center());
    };
    click(5);
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString(), "c");
    click(2);
    EXPECT_EQ(picked.size(), 1) << "an input is of no layer";
    click(6);
    ASSERT_EQ(picked.size(), 2);
    EXPECT_EQ(picked[1][0].toString(), "y");
    QTest::keyClick(view->code(), Qt::Key_Up);
    EXPECT_EQ(picked.size(), 2) << "moving through the text picks nothing";
    QTest::keyClick(view->code(), Qt::Key_Return);
    ASSERT_EQ(picked.size(), 3);
    EXPECT_EQ(picked[2][0].toString(), "c");
}

TEST(ProgramView, ShowsTheLineOfAValue) {
    const auto view = shownProgram(snapshotOf(std::string(200, '\n') + kGood));
    QSignalSpy picked(view.get(), &ProgramView::layerPicked);
    view->showValue(QStringLiteral("x"));
    EXPECT_EQ(view->code()->currentLine(), 202);
    view->showValue(QStringLiteral("nothing of this name"));
    EXPECT_EQ(view->code()->currentLine(), 202);
    view->code()->goTo(1);
    view->showLayers({QStringLiteral("y")});
    EXPECT_EQ(view->code()->currentLine(), 206) << "a statement out of sight is brought into it";
    EXPECT_TRUE(picked.isEmpty());
}

} // namespace marquetry::test
