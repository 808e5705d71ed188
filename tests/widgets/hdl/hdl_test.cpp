#include "tests/support/waits.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/hdl/verify_panel.h"
#include "widgets/hdl/verilog_highlighter.h"
#include "widgets/text/code_view.h"

#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeWidget>

#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::HdlView;
using widgets::scanVerilog;
using widgets::VerilogToken;

namespace {

using Tokens = std::vector<std::pair<VerilogToken, std::string>>;

Tokens tokens(const QString& line, bool& inComment) {
    Tokens found;
    for (const auto& span : scanVerilog(line, inComment))
        found.emplace_back(span.token, line.mid(span.start, span.length).toStdString());
    return found;
}

Tokens tokens(const QString& line) {
    bool inComment = false;
    return tokens(line, inComment);
}

std::shared_ptr<session::Snapshot> snapshotWithFiles() {
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->hdl = std::make_shared<const std::vector<session::HdlFile>>(
        std::vector<session::HdlFile>{{"rtl/top.v", "module top;\n wire a;\nendmodule\n", ""},
                                      {"rtl/mv.v", "module mv;\nendmodule\n", "Mv 64×576"},
                                      {"README.txt", "how to\n", ""}});
    auto design = std::make_shared<design::Design>();
    design->schedule = design::Schedule{};
    snapshot->design = design;
    return snapshot;
}

} // namespace

TEST(VerilogHighlighter, ScansEveryKindOfToken) {
    EXPECT_EQ(tokens(QStringLiteral("always @(posedge clk) q <= 8'hF_F; // x")),
              (Tokens{{VerilogToken::Keyword, "always"},
                      {VerilogToken::Keyword, "posedge"},
                      {VerilogToken::Number, "8'hF_F"},
                      {VerilogToken::Comment, "// x"}}));
    EXPECT_EQ(tokens(QStringLiteral("`define W 12")),
              (Tokens{{VerilogToken::Directive, "`define"}, {VerilogToken::Number, "12"}}));
    EXPECT_EQ(
        tokens(QStringLiteral("$display(\"a \\\" b\", x);")),
        (Tokens{{VerilogToken::SystemTask, "$display"}, {VerilogToken::String, "\"a \\\" b\""}}));
    EXPECT_EQ(tokens(QStringLiteral("mv #(.P(4)) u0 (.clk(clk)); wire [3:0] wired;")),
              (Tokens{{VerilogToken::Port, ".P"},
                      {VerilogToken::Number, "4"},
                      {VerilogToken::Port, ".clk"},
                      {VerilogToken::Type, "wire"},
                      {VerilogToken::Number, "3"},
                      {VerilogToken::Number, "0"}}));
}

TEST(VerilogHighlighter, BlockCommentsRunAcrossLines) {
    bool inComment = false;
    EXPECT_EQ(tokens(QStringLiteral("a /* one"), inComment),
              (Tokens{{VerilogToken::Comment, "/* one"}}));
    EXPECT_TRUE(inComment);
    EXPECT_EQ(tokens(QStringLiteral("module"), inComment),
              (Tokens{{VerilogToken::Comment, "module"}}));
    EXPECT_EQ(tokens(QStringLiteral("two */ endmodule"), inComment),
              (Tokens{{VerilogToken::Comment, "two */"}, {VerilogToken::Keyword, "endmodule"}}));
    EXPECT_FALSE(inComment);
}

TEST(VerilogHighlighter, SurvivesAnyEnding) {
    for (const char* line : {"", "\"", "\"\\", "/*", "/*/", "'", "8'", "`", "$", ".", "\\"}) {
        bool inComment = false;
        for (const auto& span : scanVerilog(QString::fromLatin1(line), inComment)) {
            EXPECT_GE(span.start, 0);
            EXPECT_LE(span.start + span.length, static_cast<int>(strlen(line))) << line;
        }
    }
}

TEST(HdlView, ShowsTheFirstFileAndKeepsTheOneChosen) {
    HdlView view;
    view.setSnapshot(snapshotWithFiles());
    EXPECT_EQ(view.currentFile().toStdString(), "rtl/top.v");
    view.showFile(QStringLiteral("rtl/mv.v"));
    view.setSnapshot(snapshotWithFiles());
    EXPECT_EQ(view.currentFile().toStdString(), "rtl/mv.v");
    EXPECT_TRUE(view.code()->toPlainText().startsWith(QStringLiteral("module mv;")));
    view.setSnapshot(std::make_shared<session::Snapshot>());
    EXPECT_TRUE(view.code()->toPlainText().isEmpty());
}

TEST(HdlView, LinksUnitsBothWays) {
    HdlView view;
    view.setSnapshot(snapshotWithFiles());
    QSignalSpy picked(&view, &HdlView::unitPicked);
    view.showUnit(QStringLiteral("Mv 64×576"));
    EXPECT_EQ(view.currentFile().toStdString(), "rtl/mv.v");
    EXPECT_EQ(picked.size(), 0);
    view.showFile(QStringLiteral("rtl/top.v"));
    view.tree()->setCurrentItem(view.tree()->topLevelItem(0)->child(1));
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString().toStdString(), "Mv 64×576");
}

TEST(HdlView, FindWrapsRound) {
    HdlView view;
    view.setSnapshot(snapshotWithFiles());
    view.show();
    ASSERT_TRUE(waitForExposed(&view));
    auto* find = view.findChild<QLineEdit*>();
    ASSERT_NE(find, nullptr);
    QTest::keyClicks(find, QStringLiteral("module"));
    QTest::keyClick(find, Qt::Key_Return);
    EXPECT_EQ(view.code()->currentLine(), 1);
    QTest::keyClick(find, Qt::Key_Return);
    EXPECT_EQ(view.code()->currentLine(), 3);
    QTest::keyClick(find, Qt::Key_Return);
    EXPECT_EQ(view.code()->currentLine(), 1);
}

TEST(VerifyPanel, TellsTheVerdictInWords) {
    widgets::VerifyPanel panel;
    auto snapshot = snapshotWithFiles();
    panel.setSnapshot(*snapshot);
    EXPECT_EQ(panel.verdict().toStdString(), "Not verified yet");
    snapshot->verify.simulator = "verilator";
    snapshot->verify.running = true;
    snapshot->verify.message = "building";
    panel.setSnapshot(*snapshot);
    EXPECT_EQ(panel.toText().toStdString(), "Verifying with verilator…\n\nbuilding");
    snapshot->verify.running = false;
    snapshot->verify.done = true;
    snapshot->verify.pass = true;
    snapshot->verify.cycles = 1010;
    snapshot->verify.predictedCycles = 1000;
    snapshot->verify.message.clear();
    panel.setSnapshot(*snapshot);
    EXPECT_EQ(panel.toText().toStdString(),
              "✓ Verified with verilator\n1\u202F010 cycles simulated, 1\u202F000 predicted "
              "(+1.00 %)\n");
    snapshot->verify.ofAnother = true;
    panel.setSnapshot(*snapshot);
    EXPECT_EQ(panel.verdict().toStdString(),
              "Not verified: what was verified with verilator is another design");
    snapshot->verify.ofAnother = false;
    snapshot->verify.pass = false;
    panel.setSnapshot(*snapshot);
    EXPECT_TRUE(panel.verdict().startsWith(QStringLiteral("✕")));
}

} // namespace marquetry::test
