// The parts of a CompareView, and where they are.
#include "widgets/canvas/export_menu.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_filter.h"
#include "widgets/compare/gantt_pair.h"
#include "widgets/compare/hdl_difference_panel.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/table_set_up.h"
#include "widgets/text/view_menu.h"
#include "widgets/theme/theme.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QFileSystemWatcher>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace marquetry::widgets {

namespace {

using design::ComparisonRows;

constexpr int kRowHeight = 24;
constexpr int kMostShown = 16; ///< designs in the list at once

/// The columns of figures stand side by side in the smallest window.
int widthOf(ComparisonRows rows, int column) {
    const auto& about = design::comparisonColumns(rows)[static_cast<std::size_t>(column)];
    const std::string_view key = about.key;
    if (column == 0)
        return rows == ComparisonRows::Units ? 150 : 136;
    if (key.ends_with("_unit"))
        return 120;
    if (key == "measure" || key == "multipliers" || key.ends_with("_place") ||
        key.ends_with("_weights"))
        return 84;
    if (key == "ratio" || key == "better" || key == "what")
        return 52;
    if (about.form == design::CellForm::Difference)
        return 76;
    return rows == ComparisonRows::Figures ? 66 : 74;
}

} // namespace

CompareView::CompareView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent), selection_(selection) {
    setAccessibleName(tr("Compare"));
    pages_ = new QTabWidget(this);
    pages_->setAccessibleName(tr("What is compared"));
    pages_->setDocumentMode(true);
    const QString titles[] = {tr("Figures"), tr("Layers"), tr("Units"), tr("Buffers")};
    for (const ComparisonRows rows : design::kComparisonRows) {
        const auto at = static_cast<std::size_t>(rows);
        table_[at] = createPage(rows);
        pages_->addTab(table_[at].table, titles[at]);
    }
    gantt_ = new GanttPair(selection_, this);
    connect(gantt_, &GanttPair::menuRequested, this,
            [this](QPoint place) { ViewMenu::show(createMenu(), gantt_, place); });
    pages_->addTab(gantt_, tr("Over time"));
    createVerilog();
    notes_ = new QLabel(this);
    notes_->setWordWrap(true);
    notes_->setContentsMargins(8, 0, 8, 4);
    notes_->setTextFormat(Qt::PlainText);
    notes_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    notes_->setAccessibleName(tr("What to know of the two designs"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(createBar());
    column->addLayout(createWords());
    column->addWidget(notes_);
    column->addWidget(pages_, 1);
    connect(table_[1].table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CompareView::onLayer);
    fillChoices();
    showWords();
}

void CompareView::createVerilog() {
    verilog_ = new HdlDifferencePanel(this);
    verilog_->showMessage(tr("Nothing is compared yet."));
    connect(verilog_, &HdlDifferencePanel::menuRequested, this,
            [this](QPoint place) { ViewMenu::show(createMenu(), verilog_->modules(), place); });
    pages_->addTab(verilog_, tr("Verilog"));
    connect(pages_, &QTabWidget::currentChanged, this, [this] {
        if (!due_)
            askHdl();
    });
}

CompareView::Page CompareView::createPage(ComparisonRows rows) {
    Page page;
    page.model = new ComparisonModel(rows, this);
    page.filter = new ComparisonFilter(page.model, this);
    page.table = new QTableView(this);
    const QString names[] = {tr("Figures of both designs"), tr("Layers of both designs"),
                             tr("Units of both designs"), tr("Buffers of both designs")};
    setUpTable(*page.table, page.filter, names[static_cast<std::size_t>(rows)], kRowHeight);
    page.table->setSortingEnabled(true);
    page.table->sortByColumn(-1, Qt::AscendingOrder);
    page.table->setContextMenuPolicy(Qt::CustomContextMenu);
    for (int column = 0; column < page.model->columnCount(); ++column)
        page.table->setColumnWidth(column, widthOf(rows, column));
    page.model->setTheme(themeOf(palette()));
    connect(page.table, &QTableView::customContextMenuRequested, this,
            [this, table = page.table](QPoint place) {
                ViewMenu::show(createMenu(), table, table->viewport()->mapToGlobal(place));
            });
    return page;
}

void CompareView::createActions() {
    keep_ = new QAction(tr("Keep A as B"), this);
    keep_->setIconText(tr("Keep A"));
    keep_->setToolTip(tr("Compare the designs that come with the one that is shown now"));
    connect(keep_, &QAction::triggered, this, &CompareView::keepShown);
    fromFile_ = new QAction(tr("Compare with the Design of a File…"), this);
    fromFile_->setIconText(tr("From File…"));
    fromFile_->setToolTip(
        tr("Compare with the design of a DESIGN.json, which exports hold, too, or "
           "of a session file"));
    connect(fromFile_, &QAction::triggered, this, &CompareView::chooseFile);
}

/// The action with its short name, as the bar is narrow.
QToolButton* CompareView::createButton(QAction* action) {
    auto* button = new QToolButton(this);
    button->setText(action->iconText());
    button->setToolTip(action->toolTip());
    button->setAccessibleName(action->text());
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, action, &QAction::trigger);
    connect(action, &QAction::enabledChanged, button, &QWidget::setEnabled);
    return button;
}

void CompareView::createChoices() {
    choices_ = new QComboBox(this);
    choices_->setAccessibleName(tr("Design B, the one to compare with"));
    choices_->setToolTip(tr("Design B: shown before, kept, of a file, or of the front"));
    choices_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choices_->setMinimumContentsLength(14);
    choices_->setMaxVisibleItems(kMostShown);
    choices_->setStyleSheet(QStringLiteral("combobox-popup: 0")); // else it fills the screen
    connect(choices_, &QComboBox::activated, this, &CompareView::choose);
    watcher_ = new QFileSystemWatcher(this);
    connect(watcher_, &QFileSystemWatcher::fileChanged, this, [this] {
        watchFile(); // a file that is replaced is watched no more
        showWords();
    });
}

void CompareView::createFilters() {
    filterText_ = new QLineEdit(this);
    filterText_->setPlaceholderText(tr("Filter (Ctrl+F)"));
    filterText_->setAccessibleName(tr("Filter the rows"));
    filterText_->setClearButtonEnabled(true);
    filterText_->setMinimumWidth(90);
    onlyDifferent_ = new QCheckBox(tr("Differences only"), this);
    onlyDifferent_->setToolTip(tr("Rows that are equal in both designs are left out"));
    for (const Page& page : table_) {
        connect(filterText_, &QLineEdit::textChanged, page.filter, &ComparisonFilter::setText);
        connect(onlyDifferent_, &QCheckBox::toggled, page.filter,
                &ComparisonFilter::setOnlyDifferent);
    }
    connect(filterText_, &QLineEdit::textChanged, this,
            [this](const QString& text) { verilog_->setText(text); });
    connect(onlyDifferent_, &QCheckBox::toggled, this,
            [this](bool only) { verilog_->setOnlyDifferent(only); });
    auto* find = new QAction(tr("Filter the rows"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] { filterText_->setFocus(); });
    addAction(find);
}

QLayout* CompareView::createBar() {
    createActions();
    createChoices();
    createFilters();
    auto* save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setAccessibleName(tr("Export"));
    save->setAutoRaise(true);
    save->setFocusPolicy(Qt::TabFocus);
    save->setPopupMode(QToolButton::InstantPopup);
    QMenu* const menu =
        makeExportMenu(this, tr("Export the comparison"), QStringLiteral("compare"));
    connect(menu->addAction(tr("Copy as text")), &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(toText()); });
    save->setMenu(menu);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 8, 2);
    bar->addWidget(choices_, 3);
    for (QWidget* widget : std::initializer_list<QWidget*>{
             createButton(keep_), createButton(fromFile_), filterText_, onlyDifferent_, save})
        bar->addWidget(widget, widget == filterText_ ? 2 : 0);
    return bar;
}

QLayout* CompareView::createWords() {
    ofA_ = new ElidedLabel(this);
    ofA_->setAccessibleName(tr("Design A"));
    ofB_ = new ElidedLabel(this);
    ofB_->setAccessibleName(tr("Design B"));
    auto* words = new QVBoxLayout;
    words->setContentsMargins(8, 2, 8, 4);
    words->setSpacing(2);
    words->addWidget(ofA_);
    words->addWidget(ofB_);
    return words;
}

} // namespace marquetry::widgets
