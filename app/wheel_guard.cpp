#include "app/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

namespace marquetry::app {

namespace {

/// Null: not one that the wheel changes.
QWidget* fieldOf(QObject* watched) {
    if (qobject_cast<QScrollBar*>(watched))
        return nullptr;
    if (qobject_cast<QComboBox*>(watched) || qobject_cast<QAbstractSpinBox*>(watched) ||
        qobject_cast<QAbstractSlider*>(watched))
        return static_cast<QWidget*>(watched);
    return nullptr;
}

} // namespace

WheelGuard::WheelGuard(QObject* parent) : QObject(parent) {
    qApp->installEventFilter(this);
}

bool WheelGuard::eventFilter(QObject* watched, QEvent* event) {
    const bool wheel = event->type() == QEvent::Wheel;
    if (!wheel && event->type() != QEvent::Polish)
        return false;
    QWidget* const field = fieldOf(watched);
    if (!field)
        return false;
    if (!wheel) {
        if (field->focusPolicy() == Qt::WheelFocus)
            field->setFocusPolicy(Qt::StrongFocus);
        return false;
    }
    if (field->hasFocus())
        return false;
    event->ignore();
    return true;
}

} // namespace marquetry::app
