// MemoriesView: the banks of an array — which word lies where, which words the loops touch in an
// iteration, what the scheme costs and what else there is.
//
// The picture has the colour, number and offset of every word and outlines the accesses of one
// iteration; the crossbar beside it joins lanes and banks. Below: the front of schemes (Enter or a
// double click chooses one, Space pins it), the cost of the scheme shown term by term, and fields
// to try another, whose conflict is drawn and said. "Why so many?" marks the addresses that prove
// the bound. The pin menu fixes kind, N, B, α or copies. "Verilog…" and "Verify" are about the
// scheme chosen, as a memory of its own. Exports: PNG, SVG, CSV, Markdown, text.
//
// The view asks (signals); the session decides and the next snapshot shows it.
// Thread rule: window's thread.
#pragma once

#include "widgets/memories/bank_grid.h"
#include "widgets/memories/bank_tables.h"
#include "widgets/memories/crossbar.h"
#include "widgets/memories/iteration_bar.h"
#include "widgets/memories/try_panel.h"
#include "widgets/text/item_box.h"

#include <QWidget>

#include <memory>

class QLabel;
class QLayout;
class QMenu;
class QSortFilterProxyModel;
class QTabWidget;
class QTableView;
class QToolButton;

namespace marquetry::widgets {

class ElidedLabel;

class MemoriesView : public QWidget {
    Q_OBJECT
public:
    explicit MemoriesView(QWidget* parent = nullptr);

    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    void showIteration(qint64 iteration);

    ItemBox* items() const { return items_; }
    BankGrid* grid() const { return grid_; }
    IterationBar* iterations() const { return iterations_; }
    CrossbarWidget* crossbar() const { return crossbar_; }
    QTableView* front() const { return front_; }
    QTabWidget* pages() const { return pages_; }
    TryPanel* tryPanel() const { return try_; }
    QToolButton* boundButton() const { return bound_; }
    QMenu* pinMenu() const { return pinMenu_; }
    QToolButton* hardwareButton() const { return hardware_; }
    QToolButton* verifyButton() const { return verify_; }
    QString summary() const;
    QString verdict() const;

    Picture exported() const;
    QString toText() const;
    QString toCsv() const;
    QString toMarkdown() const;
    /// By the ending of the name: png, svg, csv, md, txt.
    Status exportTo(const QString& path, double scale = 1) const;

Q_SIGNALS:
    void showRequested(const QString& item);
    void chooseRequested(const QString& item, const marquetry::session::SchemeName& scheme);
    void pinRequested(const QString& item, const marquetry::banking::SchemePins& pins);
    void tryRequested(const QString& item, const marquetry::session::SchemeName& scheme);
    void hardwareRequested(const QString& item);
    void verifyRequested(const QString& item);
    void message(const QString& text);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // memories_view_parts.cpp
    QLayout* createBar();
    QWidget* createPicture();
    QWidget* createPages();
    QTableView* createTable(QAbstractItemModel* model, const QString& name);
    void connectParts();

    const session::MemoryItem* item() const;
    QString itemName() const;
    bool sameAsBefore(const session::MemoryItem& now) const;
    void showItems();
    void askForPlan();
    void showItem();
    void showPicture();
    void showWindow();
    void showTables();
    void showTexts();
    void goToWitness();
    void fillPinMenu();
    void chooseRow(const QModelIndex& row);
    void pinRow(const QModelIndex& row);
    void requestPins(const banking::SchemePins& pins);
    void ask(const session::SchemeName& scheme);
    const banking::Scheme* shownScheme() const;
    const session::SchemeDetail* shownDetail() const;

    std::shared_ptr<const session::Snapshot> snapshot_;
    session::MemoryItem shown_;
    std::size_t nest_ = 0;
    std::vector<std::int64_t> point_;
    std::shared_ptr<const ir::MemoryProgram> asked_;     ///< whose plan was asked for
    std::optional<std::vector<std::int64_t>> witnessed_; ///< the point of the witness last gone to
    bool filled_ = false; ///< the fields to try hold a scheme of this item

    ItemBox* items_ = nullptr;
    ElidedLabel* summary_ = nullptr;
    QLabel* verdict_ = nullptr;
    ElidedLabel* detail_ = nullptr;
    QToolButton* bound_ = nullptr;
    QToolButton* pin_ = nullptr;
    QMenu* pinMenu_ = nullptr;
    QToolButton* hardware_ = nullptr;
    QToolButton* verify_ = nullptr;
    BankGrid* grid_ = nullptr;
    IterationBar* iterations_ = nullptr;
    CrossbarWidget* crossbar_ = nullptr;
    QTabWidget* pages_ = nullptr;
    BankTableModel* frontModel_ = nullptr;
    QSortFilterProxyModel* frontOrder_ = nullptr;
    QTableView* front_ = nullptr;
    BankTableModel* costModel_ = nullptr;
    QTableView* cost_ = nullptr;
    TryPanel* try_ = nullptr;
};

} // namespace marquetry::widgets
