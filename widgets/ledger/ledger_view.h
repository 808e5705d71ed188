// LedgerView: where the clocks of the design at hand go, and what uses the device.
//
// Above what holds the design back, in words, and the best changes to try next; then a table of the
// layers (or of all steps of the schedule) with their clocks by what they are spent on, what each
// is bound by and where its weights are; the resources with their users; and the steps over time.
// It shows the ledger of the snapshot: that of the current design, or of the one that an opened
// DESIGN.json holds. The table sorts by any column and filters by text and bound; the sum stays
// last. Selecting a row or a step selects its layer everywhere. Exports: PNG and SVG (the steps
// over time), CSV, Markdown, text. Thread rule: window's thread.
#pragma once

#include "widgets/canvas/picture.h"
#include "widgets/ledger/ledger_model.h"
#include "widgets/ledger/resource_model.h"
#include "widgets/ledger/step_bars_widget.h"
#include "widgets/models/pin_choices.h"
#include "widgets/models/selection_model.h"

#include <QWidget>

#include <memory>
#include <string_view>

class QComboBox;
class QLabel;
class QLayout;
class QLineEdit;
class QMenu;
class QScrollArea;
class QTableView;

namespace marquetry::widgets {

class ChangesPanel;
class ElidedLabel;
class LedgerFilter;

class LedgerView : public QWidget {
    Q_OBJECT
public:
    explicit LedgerView(SelectionModel* selection, QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    void setRows(design::LedgerRows rows);
    LedgerModel* model() const { return model_; }
    ResourceModel* resources() const { return resources_; }
    ChangesPanel* changes() const { return changes_; }
    QTableView* table() const { return table_; }
    StepBarsWidget* bars() const { return bars_; }
    QMenu* createMenu(const Subject& subject);
    QString countText() const;
    QString summaryText() const;

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
    void focusRequested(const marquetry::widgets::Subject& subject);
    void changesWanted(bool wanted);
    void changesStopped(bool stopped);
    /// The design that is shown is to be compared with those that come.
    void compareRequested();
    void tryRequested(const marquetry::session::Settings& settings);
    void message(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void createTable();
    QLayout* createBar();
    void createFilters();
    QWidget* createResources();
    void createLayout();
    void showLedger();
    void showMenu(QWidget* over, QPoint place);
    void onCurrentRow(const QModelIndex& current);
    void onSelection();
    std::vector<QStringList> tableRows(int role) const;

    SelectionModel* selection_;
    std::shared_ptr<const design::Ledger> ledger_;
    design::LedgerRows rows_ = design::LedgerRows::Layers;
    LedgerModel* model_ = nullptr;
    LedgerFilter* filter_ = nullptr;
    ResourceModel* resources_ = nullptr;
    ChangesPanel* changes_ = nullptr;
    QTableView* table_ = nullptr;
    StepBarsWidget* bars_ = nullptr;
    QScrollArea* scroll_ = nullptr; ///< of the bars
    QLabel* summary_ = nullptr;
    QLineEdit* filterText_ = nullptr;
    QComboBox* filterBound_ = nullptr;
    QComboBox* whichRows_ = nullptr;
    ElidedLabel* count_ = nullptr;
    bool following_ = false; ///< the table is being moved to the selection
};

} // namespace marquetry::widgets
