// ScheduleView: the steps of the design at hand, as they begin and run.
//
// Above, a sentence: how long each queue runs and how long the list waits. Then the queues over
// time, a table of the steps that sorts and filters, and beside it the step at hand in words: its
// loop nest, its unit, the memories it reads and writes, and what it waits for. It shows the
// timetable of the snapshot, which is of the current design or of the one that an opened
// DESIGN.json holds. Picking a step selects its layer everywhere; selecting a layer elsewhere
// lights its steps and picks the first. Enter or a double click asks for the line of the source.
// Exports: PNG and SVG (the queues over time), CSV, Markdown, text, JSON. Thread rule: window's
// thread.
#pragma once

#include "engine/session/snapshot.h"
#include "widgets/canvas/picture.h"
#include "widgets/models/pin_choices.h"
#include "widgets/models/selection_model.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QMenu;
class QTableView;
class QTextBrowser;
class QUrl;

namespace marquetry::widgets {

class ElidedLabel;
class QueueLanesWidget;
class TimetableFilter;
class TimetableModel;

class ScheduleView : public QWidget {
    Q_OBJECT
public:
    explicit ScheduleView(SelectionModel* selection, QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    TimetableModel* model() const { return model_; }
    QTableView* table() const { return table_; }
    QueueLanesWidget* lanes() const { return lanes_; }
    QTextBrowser* details() const { return details_; }
    /// The step at hand.
    std::optional<std::size_t> step() const { return step_; }
    QMenu* createMenu();
    QString countText() const;
    QString summaryText() const;

    Picture exported() const;
    QString toText() const;
    QString toCsv() const;
    QString toMarkdown() const;
    /// Whether the bytes are one of these texts, or the JSON.
    static bool isText(std::string_view bytes);
    /// By the ending of the name: png, svg, csv, md, txt, json.
    Status exportTo(const QString& path, double scale = 1) const;
    static QStringList exportFormats() { return {"png", "svg", "csv", "md", "txt", "json"}; }

Q_SIGNALS:
    void pinRequested(const marquetry::design::Pin& pin);
    void unpinRequested(int id);
    void focusRequested(const marquetry::widgets::Subject& subject);
    /// A transfer is picked, which has no layer: the value that it moves.
    void valuePicked(const QString& value);
    /// The line of the source of a layer or value.
    void sourceRequested(const QString& value);
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void createTable();
    QLayout* createBar();
    void createFilters();
    void createLayout();
    void createDetails();
    void showTimetable();
    void showMenu(QWidget* over, QPoint place);
    void onCurrentRow(const QModelIndex& current);
    void onSelection();
    void onLink(const QUrl& link);
    /// Everywhere; the table follows.
    void pick(std::size_t step);
    void showStep();
    void askForSource();
    std::vector<QStringList> tableRows(int role) const;

    SelectionModel* selection_;
    std::shared_ptr<const design::Timetable> timetable_;
    std::optional<std::size_t> step_;
    /// Of the layers that were selected last; none: nothing was shown since the timetable came.
    std::optional<std::vector<std::size_t>> selected_;
    TimetableModel* model_ = nullptr;
    TimetableFilter* filter_ = nullptr;
    QTableView* table_ = nullptr;
    QueueLanesWidget* lanes_ = nullptr;
    QTextBrowser* details_ = nullptr;
    QLabel* summary_ = nullptr;
    QLineEdit* filterText_ = nullptr;
    QComboBox* filterShown_ = nullptr;
    ElidedLabel* count_ = nullptr;
    bool following_ = false; ///< table or selection is being moved to the step at hand
};

} // namespace marquetry::widgets
