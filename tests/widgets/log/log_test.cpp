#include "widgets/log/log_view.h"

#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>

#include <gtest/gtest.h>

namespace marquetry::test {

using widgets::LogKind;
using widgets::LogView;

TEST(LogView, AddsEachSessionLineOnce) {
    LogView view;
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->log = {{0, "zero"}, {1, "one"}};
    view.setSnapshot(snapshot);
    view.setSnapshot(snapshot);
    snapshot->log.edit().push_back({2, "two"});
    view.setSnapshot(snapshot);
    EXPECT_EQ(view.toText().toStdString(), "  zero\n  one\n  two");
}

TEST(LogView, MarksCommandsAndRefusals) {
    LogView view;
    auto snapshot = std::make_shared<session::Snapshot>();
    snapshot->log = {{0, "$ marquetry open a.mq", session::LineKind::Command},
                     {1, "not done: no [x]", session::LineKind::Refusal},
                     {2, "not done: said by a file"}};
    view.setSnapshot(snapshot);
    view.append(LogKind::Message, QStringLiteral("wrote a.png"));
    EXPECT_EQ(view.toText().toStdString(),
              "$ marquetry open a.mq\n! not done: no [x]\n  not done: said by a file\n"
              "  wrote a.png");
}

TEST(LogView, ADoubleClickTellsTheWholeName) {
    LogView view;
    view.resize(600, 200);
    view.show();
    view.append(LogKind::Command, QStringLiteral("marquetry explore --without R-TILE-MV,padding"));
    QSignalSpy named(&view, &LogView::nameDoubleClicked);
    auto* text = view.findChild<QPlainTextEdit*>();
    QTextCursor inside(text->document());
    inside.setPosition(static_cast<int>(text->toPlainText().indexOf(QStringLiteral("LE-MV"))));
    const QPoint place = text->cursorRect(inside).center();
    QTest::mouseDClick(text->viewport(), Qt::LeftButton, {}, place);
    ASSERT_EQ(named.size(), 1);
    EXPECT_EQ(named[0][0].toString(), "R-TILE-MV");
    text->moveCursor(QTextCursor::End);
    EXPECT_EQ(view.nameAtCursor(), "padding");
}

} // namespace marquetry::test
