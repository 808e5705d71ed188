// StreamsView: the circuit of a stream at the throughput the user asks for.
//
// The slider goes over the throughputs on offer, slow on the left, and any other can be typed; the
// plot has the least area at each of them, and the circuits of the front at the one at hand. The
// tree lists the operators with types and delays, and the drawing has them as boxes and lines; the
// picture shows what the selected one takes and gives, lane by lane, clock by clock. A row of the
// front is chosen with Enter or a double click, Space pins its output type; the pin menu has all
// types. Exports: PNG, SVG, CSV, Markdown, text. The view asks (signals); the session decides and
// the next snapshot shows it. Thread rule: window's thread.
#pragma once

#include "widgets/plot/plot.h"
#include "widgets/streams/circuit_rows.h"
#include "widgets/text/item_box.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QMenu;
class QSlider;
class QTabWidget;
class QToolButton;
class QTreeView;

namespace marquetry::widgets {

class CanvasView;
class ElidedLabel;

class StreamsView : public QWidget {
    Q_OBJECT
public:
    explicit StreamsView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);

    ItemBox* items() const { return items_; }
    QSlider* slider() const { return slider_; }
    QLineEdit* other() const { return other_; }
    QTreeView* circuit() const { return circuit_; }
    CanvasView* drawing() const { return drawing_; }
    /// The operators as a tree, and as a drawing.
    QTabWidget* forms() const { return forms_; }
    QTreeView* front() const { return front_; }
    QMenu* pinMenu() const { return pinMenu_; }
    Plot* plot() const { return plot_; }
    SpaceTimeWidget* picture() const { return picture_; }
    QString summary() const;
    /// Least areas drawn; the x axis is elements per clock.
    const QVector<PlotSeries>& series() const { return series_; }

    /// Of the drawing while that is in front, else of what the operator takes and gives.
    Picture exported() const;
    QString toText() const;
    QString toCsv() const;
    QString toMarkdown() const;
    /// By the ending of the name: png, svg, csv, md, txt.
    Status exportTo(const QString& path, double scale = 1) const;

Q_SIGNALS:
    void showRequested(const QString& item);
    void throughputRequested(const QString& item, qint64 atoms, qint64 clocks);
    void chooseRequested(const QString& item, qint64 clocks,
                         const marquetry::session::CircuitName& circuit);
    void pinRequested(const QString& item, qint64 clocks, const QString& type);
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    // streams_view_parts.cpp
    QLayout* createBar();
    QLayout* createRates();
    QWidget* createBody();
    QWidget* createForms();
    QTreeView* createTree(QAbstractItemModel* model, const QString& name);
    void connectParts();

    const session::StreamItem* item() const;
    QString itemName() const;
    void showItems();
    void showRates();
    void showCircuit();
    void showOperator();
    void showDrawing();
    void pickOperator(quint32 place);
    void showFront();
    void showPlot();
    void showTexts();
    void askForSchedule();
    void askRate(std::size_t rate);
    void askTyped();
    void fillPinMenu();
    void chooseRow(const QModelIndex& row);
    void pinType(const QString& type);
    void onPlotClicked(QPointF pixel);
    double resource(const device::Resources& area) const;
    std::vector<QStringList> rows() const;

    std::shared_ptr<const session::Snapshot> snapshot_;
    session::StreamItem shown_;
    bool pickedInDrawing_ = false;                   ///< the operator at hand is in sight there
    std::shared_ptr<const ir::StreamProgram> asked_; ///< whose schedule was asked for
    QVector<PlotSeries> series_;

    ItemBox* items_ = nullptr;
    ElidedLabel* summary_ = nullptr;
    QLabel* verdict_ = nullptr;
    QSlider* slider_ = nullptr;
    QLabel* rate_ = nullptr;
    QLineEdit* other_ = nullptr;
    QToolButton* pin_ = nullptr;
    QMenu* pinMenu_ = nullptr;
    QStandardItemModel* circuitModel_ = nullptr;
    QTreeView* circuit_ = nullptr;
    CanvasView* drawing_ = nullptr;
    QTabWidget* forms_ = nullptr;
    SpaceTimeWidget* picture_ = nullptr;
    QStandardItemModel* frontModel_ = nullptr;
    QTreeView* front_ = nullptr;
    QComboBox* axis_ = nullptr;
    Plot* plot_ = nullptr;
};

} // namespace marquetry::widgets
