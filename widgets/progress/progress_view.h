// ProgressView: how saturation goes — phase and outcome, e-nodes and e-classes per iteration, and
// where the time of each iteration went.
//
// E-nodes are on the left axis, e-classes on the right one; times are milliseconds of searching,
// applying and rebuilding. Metrics of the design space stand beside them, as far as they are known.
// What is not known yet is said so ("how long: unknown"), never guessed. Thread rule: window's
// thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/plot/plot.h"

#include <QWidget>

#include <memory>

class QLabel;

namespace marquetry::widgets {

class ElidedLabel;
/// "saturating", "paused", … in the words of the window.
QString phaseText(session::Phase phase);
/// "saturated", "stopped by the limit on e-nodes", …
QString outcomeText(egraph::StopReason outcome);

class ProgressView : public QWidget {
    Q_OBJECT
public:
    explicit ProgressView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    QString summary() const;
    QString toText() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* createMetrics();
    Plot* createPlot(const QString& name);
    void showGrowth();
    void showTimes();
    void showMetrics();
    void draw(Plot* plot, const QVector<PlotSeries>& series);
    void applyColours();

    std::shared_ptr<const session::Snapshot> snapshot_;
    Plot* growth_ = nullptr;
    Plot* times_ = nullptr;
    ElidedLabel* summary_ = nullptr;
    QLabel* metrics_ = nullptr;
    std::size_t shownIterations_ = 0;
};

} // namespace marquetry::widgets
