// The wheel over fields of the window and its dialogs.
#include "window_fixture.h"

#include <QComboBox>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>
#include <QtTest/qtestspontaneevent.h>

namespace marquetry::test {

namespace {

void turnWheel(QWidget* over) {
    const QPointF at = QRectF(over->rect()).center();
    QWheelEvent event(at, over->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event); // others go to no widget around
    qApp->notify(over, &event);
}

/// What the field shows.
int valueOf(const QWidget* field) {
    if (const auto* const box = qobject_cast<const QComboBox*>(field))
        return box->currentIndex();
    if (const auto* const number = qobject_cast<const QSpinBox*>(field))
        return number->value();
    return qobject_cast<const QSlider*>(field)->value();
}

} // namespace

class Wheel : public WindowFixture {};

/// Three fields in an area that scrolls.
TEST_F(Wheel, ChangesAFieldThatHasTheFocusAndNoOther) {
    QScrollArea area(window.get());
    auto* const inside = new QWidget;
    auto* const column = new QVBoxLayout(inside);
    auto* const box = new QComboBox;
    box->addItems({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    auto* const number = new QSpinBox;
    number->setValue(50);
    auto* const slider = new QSlider(Qt::Horizontal);
    slider->setValue(50);
    for (QWidget* const field : std::initializer_list<QWidget*>{box, number, slider})
        column->addWidget(field);
    inside->setMinimumHeight(2000);
    area.setWidgetResizable(true);
    area.setWidget(inside);
    area.resize(300, 300);
    area.show();
    ASSERT_TRUE(waitForExposed(&area));
    ASSERT_GT(area.verticalScrollBar()->maximum(), 0);
    window->activateWindow();
    ASSERT_TRUE(waitForActive(window.get()));
    for (QWidget* const field : std::initializer_list<QWidget*>{box, number, slider}) {
        SCOPED_TRACE(field->metaObject()->className());
        EXPECT_NE(field->focusPolicy(), Qt::WheelFocus);
        area.setFocus();
        const int before = valueOf(field);
        const int scrolled = area.verticalScrollBar()->value();
        turnWheel(field);
        EXPECT_EQ(valueOf(field), before);
        EXPECT_GT(area.verticalScrollBar()->value(), scrolled) << "what is around it scrolls";
        field->setFocus();
        turnWheel(field);
        EXPECT_NE(valueOf(field), before);
    }
}

TEST_F(Wheel, OverTheToolbarChangesNoSetting) {
    openExample();
    const session::Settings before = snapshot()->settings;
    int fields = 0;
    for (QWidget* const field : window->findChildren<QWidget*>())
        if (field->isVisible() &&
            (qobject_cast<QComboBox*>(field) || qobject_cast<QAbstractSpinBox*>(field)) &&
            !field->hasFocus()) {
            turnWheel(field);
            ++fields;
        }
    EXPECT_GE(fields, 3);
    QCoreApplication::processEvents();
    EXPECT_EQ(snapshot()->settings, before);
    EXPECT_FALSE(window->isWindowModified());
}

} // namespace marquetry::test
