// VerifyPanel: what became of the simulation — running with its progress, passed, failed, or not
// done yet — and the cycles simulated beside the cycles predicted.
//
// The verdict is a word and a sign, never colour alone. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace marquetry::widgets {

class VerifyPanel : public QWidget {
    Q_OBJECT
public:
    explicit VerifyPanel(QWidget* parent = nullptr);

    void setSnapshot(const session::Snapshot& snapshot);
    QString verdict() const;
    QString toText() const;

Q_SIGNALS:
    void verifyRequested();
    void exportRequested();

private:
    void showCycles(const session::VerifyState& state);

    QLabel* verdict_ = nullptr;
    QLabel* cycles_ = nullptr;
    QLabel* message_ = nullptr;
    QProgressBar* busy_ = nullptr;
    QPushButton* verify_ = nullptr;
    QPushButton* export_ = nullptr;
};

} // namespace marquetry::widgets
