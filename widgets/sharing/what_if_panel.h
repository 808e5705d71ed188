// WhatIfPanel: the answer to "what if?" beside the current design — the figures before and after,
// and the other design's units on the time scale of both.
//
// Hidden while nothing is asked. "Pin it" makes the question a constraint, "Dismiss" (Escape) drops
// it. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/sharing/gantt.h"

#include <QFrame>

#include <memory>

class QLabel;
class QPushButton;

namespace marquetry::widgets {

class WhatIfPanel : public QFrame {
    Q_OBJECT
public:
    explicit WhatIfPanel(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// Cycles of the longer of the two designs; 0 while there is nothing to compare.
    double scale() const { return scale_; }
    QPushButton* pinButton() const { return pin_; }
    QPushButton* dismissButton() const { return dismiss_; }
    QString toText() const;

Q_SIGNALS:
    void pinRequested(const marquetry::design::Pin& pin);
    void dismissed();

protected:
    void changeEvent(QEvent* event) override;

private:
    class Picture;

    void refresh();
    QString question() const;
    QString answerHtml() const;

    std::shared_ptr<const session::Snapshot> snapshot_;
    std::shared_ptr<const design::Design> pictured_;
    QLabel* question_ = nullptr;
    QLabel* answer_ = nullptr;
    QPushButton* pin_ = nullptr;
    QPushButton* dismiss_ = nullptr;
    Picture* picture_ = nullptr;
    double scale_ = 0;
};

} // namespace marquetry::widgets
