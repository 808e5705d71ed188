#include "window_fixture.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QHeaderView>
#include <QScrollBar>
#include <QTabBar>

namespace marquetry::test {

namespace {

/// Parts that Qt makes inside its own widgets and names through their owner.
bool isInner(const QWidget& widget) {
    return widget.objectName().startsWith(QStringLiteral("qt_")) ||
           qobject_cast<const QScrollBar*>(&widget) || qobject_cast<const QHeaderView*>(&widget) ||
           qobject_cast<const QTabBar*>(&widget) || widget.inherits("QComboBoxListView") ||
           (widget.parentWidget() && widget.parentWidget()->inherits("QAbstractSpinBox")) ||
           (widget.parentWidget() && widget.parentWidget()->inherits("QLineEdit"));
}

QStringList unnamed(const QWidget& window) {
    QStringList list;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || isInner(*widget))
            continue;
        QAccessibleInterface* face =
            QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
        if (!face || face->text(QAccessible::Name).isEmpty())
            list << QString::fromLatin1(widget->metaObject()->className()) + u' ' +
                        widget->objectName() + QStringLiteral(" in ") +
                        (widget->parentWidget()
                             ? QString::fromLatin1(
                                   widget->parentWidget()->metaObject()->className())
                             : QString());
    }
    return list;
}

} // namespace

class Accessibility : public WindowFixture {};

TEST_F(Accessibility, EveryWidgetThatTakesFocusHasAName) {
    runToEnd();
    EXPECT_EQ(unnamed(*window).join(u'\n').toStdString(), "");
}

TEST_F(Accessibility, EveryFieldOfTheDialogsHasAName) {
    runToEnd();
    trigger(app::Act::Settings);
    trigger(app::Act::Export);
    EXPECT_EQ(unnamed(*window).join(u'\n').toStdString(), "");
}

TEST_F(Accessibility, TabReachesMoreThanOneView) {
    runToEnd();
    QSet<QWidget*> visited;
    for (int k = 0; k < 200; ++k) {
        QTest::keyClick(window->focusWidget() ? window->focusWidget() : window.get(), Qt::Key_Tab);
        if (window->focusWidget())
            visited.insert(window->focusWidget());
    }
    EXPECT_GT(visited.size(), 10);
}

} // namespace marquetry::test
