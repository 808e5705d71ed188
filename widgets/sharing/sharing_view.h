// SharingView: the candidates for sharing and what became of them, above the calls over time.
//
// The table sorts by any column and filters by text and state. Its check boxes (or W) ask "what
// if?": the engine answers with the design that has the opposite, shown beside the current one.
// Space pins the row at hand, the menu (Shift+F10) offers share, never share and unpin. Selecting a
// row, a unit or a call selects it everywhere. Exports: PNG and SVG (the time line), CSV, Markdown.
// Thread rule: window's thread.
#pragma once

#include "widgets/canvas/picture.h"
#include "widgets/models/pin_choices.h"
#include "widgets/models/selection_model.h"
#include "widgets/sharing/gantt_widget.h"
#include "widgets/sharing/sharing_model.h"
#include "widgets/sharing/what_if_panel.h"

#include <QWidget>

#include <memory>
#include <string_view>

class QComboBox;
class QLayout;
class QLineEdit;
class QMenu;
class QTableView;

namespace marquetry::widgets {

class ElidedLabel;
class SharingFilter;

class SharingView : public QWidget {
    Q_OBJECT
public:
    explicit SharingView(SelectionModel* selection, QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    SharingModel* model() const { return model_; }
    QTableView* table() const { return table_; }
    GanttWidget* gantt() const { return gantt_; }
    WhatIfPanel* whatIf() const { return whatIf_; }
    QMenu* createMenu(const Subject& subject);
    QString countText() const;

    Picture exported() const;
    QString toText() const;
    QString toCsv() const;
    QString toMarkdown() const;
    /// Whether the bytes are one of these texts.
    static bool isText(std::string_view bytes);
    /// By the ending of the name: png, svg, csv, md, txt.
    Status exportTo(const QString& path, double scale = 1) const;
    static QStringList exportFormats() { return {"png", "svg", "csv", "md", "txt"}; }

Q_SIGNALS:
    void pinRequested(const marquetry::design::Pin& pin);
    void unpinRequested(int id);
    void whatIfRequested(const marquetry::design::Pin& pin);
    void whatIfDropped();
    void focusRequested(const marquetry::widgets::Subject& subject);
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void createTable();
    void createLayout();
    QLayout* createBar();
    void askWhatIf(int row);
    void showWhatIf(const std::shared_ptr<const session::Snapshot>& snapshot);
    int currentRow() const;
    void onCurrentRow(const QModelIndex& current);
    void onSelection();
    void pinCurrent();
    void updateCount();
    std::vector<QStringList> tableRows() const;

    SelectionModel* selection_;
    std::shared_ptr<const SnapshotIndex> shown_;
    SharingModel* model_ = nullptr;
    SharingFilter* filter_ = nullptr;
    QTableView* table_ = nullptr;
    GanttWidget* gantt_ = nullptr;
    WhatIfPanel* whatIf_ = nullptr;
    QLineEdit* filterText_ = nullptr;
    QComboBox* filterState_ = nullptr;
    ElidedLabel* count_ = nullptr;
    bool following_ = false; ///< the table is being moved to the selection
};

} // namespace marquetry::widgets
