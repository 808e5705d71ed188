#include "widgets/log/log_view.h"

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
    snapshot->log.push_back({2, "two"});
    view.setSnapshot(snapshot);
    EXPECT_EQ(view.toText().toStdString(), "  zero\n  one\n  two");
}

TEST(LogView, MarksCommandsAndErrors) {
    LogView view;
    view.append(LogKind::Command, QStringLiteral("marquetry open a.mq"));
    view.append(LogKind::Error, QStringLiteral("no"));
    EXPECT_EQ(view.toText().toStdString(), "$ marquetry open a.mq\n! no");
}

} // namespace marquetry::test
