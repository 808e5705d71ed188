// ExplorationBar: the three settings one changes all the time — device, DSP budget, objective — as
// controls of the toolbar.
//
// A budget of 0 is shown as "device" and means the device's own number of DSP blocks. The bar shows
// the session's settings and asks for changed ones; it never keeps its own. Thread rule: window's
// thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QWidget>

class QComboBox;
class QSpinBox;

namespace marquetry::app {

class ExplorationBar : public QWidget {
    Q_OBJECT
public:
    explicit ExplorationBar(QWidget* parent = nullptr);

    void setSettings(const session::Settings& settings);
    QComboBox* device() const { return device_; }
    QSpinBox* budget() const { return budget_; }
    QComboBox* objective() const { return objective_; }

Q_SIGNALS:
    void settingsRequested(marquetry::session::Settings settings);

private:
    void request();

    session::Settings settings_;
    QComboBox* device_ = nullptr;
    QSpinBox* budget_ = nullptr;
    QComboBox* objective_ = nullptr;
};

} // namespace marquetry::app
