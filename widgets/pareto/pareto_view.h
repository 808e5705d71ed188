// ParetoView: every design found, one resource against cycles, the front, the limits, the current
// design and the one picked; the fronts of earlier searches; and a list of the designs.
//
// A drag with Shift marks a range of both axes: the list then has the designs in it, and Escape or
// a click with Shift takes it away. A row of the list is picked as a point is. Points of the front
// are labelled as far as no label hides another.
//
// Hover shows the nearest design; the arrow keys pick one along the front and tell `pointPicked`;
// a click, Return or the context menu asks to make it the current design (`designRequested`),
// Shift+Return or the menu to take its resources as limits (`limitsRequested`). Exports what it
// shows: PNG, SVG, PDF, CSV, clipboard. The points of a sweep are drawn beside the designs and can
// be read; whoever has the view reads the folder that the user chose (`sweepChosen`). Thread rule:
// window's thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/pareto/pareto_data.h"
#include "widgets/pareto/pareto_history.h"
#include "widgets/plot/plot.h"

#include <QWidget>

#include <memory>
#include <optional>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QMenu;
class QSortFilterProxyModel;
class QTableView;
class QToolButton;

namespace marquetry::widgets {

class ElidedLabel;
class ParetoListModel;

class ParetoView : public QWidget {
    Q_OBJECT
public:
    explicit ParetoView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    /// `name`: of the program. Without points the sweep is gone.
    void setSweep(const QString& name, std::vector<SweepPoint> points);
    void setAxis(ParetoAxis axis);
    ParetoAxis axis() const;
    void setLogarithmic(bool x, bool y);

    /// What a place of the plot says when the pointer rests there; empty: nothing is near.
    QString textAt(QPointF pixel) const;
    /// Index of the design nearest to a place of the plot (pixels), within reach of the pointer.
    std::optional<std::size_t> pointAt(QPointF pixel) const;
    std::optional<std::size_t> picked() const { return picked_; }
    /// x in blocks of the resource, y in cycles (a frame); nothing: everywhere.
    void setRange(const std::optional<QRectF>& range);
    const std::optional<QRectF>& range() const { return range_; }
    QTableView* list() const { return list_; }
    const ParetoHistory& history() const { return history_; }
    void pick(std::size_t index);

    /// By the ending of the name: png, svg, pdf, csv.
    Status exportTo(const QString& path, double scale = 1) const;
    QString toText() const;
    Plot* plot() const { return plot_; }

Q_SIGNALS:
    void pointPicked(std::size_t index);
    /// The picked design is to be the current one.
    void designRequested(marquetry::design::DesignPoint point);
    void limitsRequested(marquetry::device::Resources resources);
    /// The settings of an earlier front are to be those at hand again.
    void settingsRequested(const marquetry::session::Settings& settings);
    /// The current design is to be compared with the picked one.
    void compareRequested(marquetry::design::DesignPoint point);
    /// The folder of the sweep to be shown; empty: none.
    void sweepChosen(QString folder);
    void message(QString text);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createActions();
    void createControls();
    void createEarlier();
    void connectAxes();
    void createList();
    QMenu* createExportMenu();
    QMenu* createSweepMenu();
    QToolButton* menuButton(const QString& text, const QString& name, QMenu* menu);
    void chooseSweep();
    void refresh();
    void applyColours();
    QVector<PlotSeries> series() const;
    QVector<PlotLimit> limits() const;
    bool ofSeveralFrames() const;
    void showSummary();
    void walkFront(int step);
    QVector<PlotLabel> labels() const;
    std::vector<ParetoPoint> byImportance() const;
    void addEarlier(QVector<PlotSeries>& all) const;
    /// A point of an earlier front within reach, with the number of its front.
    std::optional<std::pair<std::size_t, design::DesignPoint>> earlierAt(QPointF pixel) const;
    void addEarlierEntries(QMenu* menu, QPointF pixel);
    void showList();
    void showPickedRow();
    void onHovered(QPointF pixel);
    void onClicked(QPointF pixel);
    void requestDesign();
    void requestLimits();

    std::shared_ptr<const session::Snapshot> snapshot_;
    ParetoData data_;
    std::optional<std::size_t> picked_;
    std::optional<QRectF> range_;
    ParetoHistory history_;
    QString sweepName_;
    std::vector<SweepPoint> sweep_;
    QAction* hideSweep_ = nullptr;
    Plot* plot_ = nullptr;
    QComboBox* axisBox_ = nullptr;
    QCheckBox* logX_ = nullptr;
    QCheckBox* logY_ = nullptr;
    QCheckBox* earlier_ = nullptr;
    QToolButton* listButton_ = nullptr;
    QTableView* list_ = nullptr;
    ParetoListModel* listModel_ = nullptr;
    QSortFilterProxyModel* sorted_ = nullptr;
    session::SharedList<design::DesignPoint> listed_; ///< the points of the list's rows
    bool following_ = false;                          ///< the list is being moved to the pick
    ElidedLabel* summary_ = nullptr;
    QAction* makeCurrent_ = nullptr;
    QAction* useLimits_ = nullptr;
    QAction* compare_ = nullptr;
    QAction* clearRange_ = nullptr;
    QAction* copyFigures_ = nullptr;
};

} // namespace marquetry::widgets
