// WheelGuard: the wheel changes no field that has no focus.
//
// Whoever scrolls past a combo box, a number or a slider means what is around it: the event goes on
// to that. Nor does the wheel give the focus to such a field, which would make it change with the
// next step. Thread rule: window's thread.
#pragma once

#include <QObject>

namespace marquetry::app {

class WheelGuard : public QObject {
    Q_OBJECT
public:
    /// Watches over all fields of the application for as long as it lives.
    explicit WheelGuard(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace marquetry::app
