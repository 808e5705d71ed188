#include "tests/support/waits.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/hdl/module_tree.h"
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

namespace {

const char* const kTopText = R"(// module comment (no module)
/* module other; */
module top (
    input clk
);
  (* keep = "mv none (" *) wire [3:0] mv_out;
  initial $display("mv in_a_string (");
  mv #(.P(4), .Q((1 + 2) * 3)) first (
    .clk(clk), .mv(mv_out)
  );
  genvar k;
  generate
    for (k = 0; k < 4; k = k + 1) begin : lane
      if (k > 0) begin
        mv more (
          .clk(clk)
        );
      end
    end
  endgenerate
  unknown_block u (
    .clk(clk)
  );
  always @(*) begin
    mv_out = 4'd2;
  end
  core last (
    .clk(clk)
  );
endmodule
)";

std::shared_ptr<session::Snapshot> nestedModules() {
    auto snapshot = snapshotWithFiles();
    snapshot->hdl =
        std::make_shared<const std::vector<session::HdlFile>>(std::vector<session::HdlFile>{
            {"rtl/mv.v", "\nmodule mv;\nendmodule\n", "Mv 64×576"},
            {"rtl/top.v", kTopText, ""},
            {"rtl/core.v", "module core;\n  mv inner (\n  );\nendmodule\n", ""},
            {"rtl/w.mem", "module mem;", ""}});
    return snapshot;
}

} // namespace

TEST(ModuleTree, IsReadOffTheText) {
    const widgets::HdlModules modules = widgets::modulesOf(*nestedModules()->hdl);
    ASSERT_EQ(modules.size(), 3U);
    EXPECT_EQ(modules[0].name, "mv");
    EXPECT_EQ(modules[0].line, 2);
    EXPECT_EQ(modules[0].unit, "Mv 64×576");
    EXPECT_EQ(modules[1].name, "top");
    EXPECT_EQ(modules[1].line, 3);
    ASSERT_EQ(modules[1].instances.size(), 3U);
    EXPECT_EQ(modules[1].instances[0].name, "first");
    EXPECT_EQ(modules[1].instances[0].module, 0U);
    EXPECT_EQ(modules[1].instances[0].line, 8);
    EXPECT_EQ(modules[1].instances[1].name, "lane[…].more");
    EXPECT_EQ(modules[1].instances[2].name, "last");
    ASSERT_EQ(modules[2].instances.size(), 1U);
    EXPECT_EQ(modules[2].instances[0].line, 2);
    EXPECT_EQ(widgets::topModules(modules), std::vector<std::size_t>{1});
}

TEST(ModuleTree, SurvivesAnyEnding) {
    const std::string text = kTopText;
    for (std::size_t length = 0; length < text.size(); ++length) {
        const widgets::HdlModules modules =
            widgets::modulesOf({{"a.v", text.substr(0, length), ""}, {"b.v", "module mv;", ""}});
        EXPECT_GE(modules.size(), 1U);
        EXPECT_LE(modules.size(), 2U);
    }
}

TEST(ModuleTree, JumpsToModulesAndToWhereTheyAreMade) {
    HdlView view;
    view.setSnapshot(nestedModules());
    QSignalSpy picked(&view, &HdlView::unitPicked);
    QTreeWidgetItem* const top = view.moduleTree()->topLevelItem(0);
    ASSERT_EQ(view.moduleTree()->topLevelItemCount(), 1);
    EXPECT_EQ(view.currentFile(), "rtl/mv.v");
    EXPECT_EQ(view.moduleTree()->currentItem(), top->child(0)) << "follows the file that is shown";
    view.moduleTree()->setCurrentItem(top->child(2));
    EXPECT_EQ(view.currentFile(), "rtl/core.v");
    EXPECT_EQ(picked.size(), 0);
    view.moduleTree()->setCurrentItem(top->child(2)->child(0));
    EXPECT_EQ(view.currentFile(), "rtl/mv.v");
    EXPECT_EQ(view.code()->currentLine(), 2);
    ASSERT_EQ(picked.size(), 1);
    EXPECT_EQ(picked[0][0].toString(), "Mv 64×576");
    Q_EMIT view.moduleTree()->itemActivated(top->child(1), 0);
    EXPECT_EQ(view.currentFile(), "rtl/top.v");
    EXPECT_EQ(view.code()->currentLine(), 15);
    EXPECT_TRUE(view.toText().contains("  lane[…].more: mv Mv 64×576\n"))
        << view.toText().toStdString();
    view.showUnit(QStringLiteral("Mv 64×576"));
    EXPECT_EQ(view.moduleTree()->currentItem()->text(1), "mv");
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
