#include "widgets/ledger/ledger_view.h"

#include "engine/design/ledger_table.h"
#include "widgets/canvas/export_menu.h"
#include "widgets/ledger/changes_panel.h"
#include "widgets/ledger/ledger_filter.h"
#include "widgets/models/pin_menu.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"
#include "widgets/text/table_set_up.h"
#include "widgets/text/table_text.h"
#include "widgets/text/view_menu.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <ranges>

namespace marquetry::widgets {

namespace {

constexpr const char* kLedgerStart = "ledger\n";
constexpr int kRowHeight = 24;
constexpr int kLeastRows = 2; ///< of each table, in a low window

int widthOf(design::LedgerField field) {
    switch (field) {
    case design::LedgerField::Name:
    case design::LedgerField::Unit:
        return 150;
    case design::LedgerField::What:
        return 60;
    case design::LedgerField::Why:
        return 320;
    case design::LedgerField::Multiplications:
        return 112;
    default:
        return 84;
    }
}

} // namespace

LedgerView::LedgerView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new LedgerModel(this)),
      filter_(new LedgerFilter(this)),
      resources_(new ResourceModel(this)),
      changes_(new ChangesPanel(this)),
      table_(new QTableView(this)),
      bars_(new StepBarsWidget(selection)) {
    setAccessibleName(tr("Ledger"));
    filter_->setSourceModel(model_);
    createTable();
    createLayout();
    connect(selection_, &SelectionModel::changed, this, &LedgerView::onSelection);
    showLedger();
}

void LedgerView::createTable() {
    setUpTable(*table_, filter_, tr("Layers and their clocks"), kRowHeight);
    table_->setSortingEnabled(true);
    table_->setMinimumHeight((kLeastRows + 2) * kRowHeight); // with the bar that scrolls it
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    for (const design::LedgerColumn& column : design::ledgerColumns())
        table_->setColumnWidth(static_cast<int>(column.field), widthOf(column.field));
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &LedgerView::onCurrentRow);
    connect(table_, &QTableView::customContextMenuRequested, this,
            [this](QPoint place) { showMenu(table_->viewport(), place); });
}

void LedgerView::createFilters() {
    filterText_ = new QLineEdit(this);
    filterText_->setPlaceholderText(tr("Filter (Ctrl+F)"));
    filterText_->setAccessibleName(tr("Filter the rows"));
    filterText_->setClearButtonEnabled(true);
    filterBound_ = new QComboBox(this);
    filterBound_->setAccessibleName(tr("What the rows shown are bound by"));
    filterBound_->addItem(tr("any bound"));
    for (std::size_t k = 0; k < design::kClockParts; ++k)
        filterBound_->addItem(QString::fromStdString(boundName(static_cast<design::ClockPart>(k))));
    whichRows_ = new QComboBox(this);
    whichRows_->setAccessibleName(tr("Rows of the table"));
    whichRows_->addItems({tr("layers"), tr("steps")});
    connect(filterText_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setText(text);
        count_->showText(countText());
    });
    connect(filterBound_, &QComboBox::currentIndexChanged, this, [this](int index) {
        filter_->setBound(index == 0 ? std::nullopt
                                     : std::optional(static_cast<design::ClockPart>(index - 1)));
        count_->showText(countText());
    });
    connect(whichRows_, &QComboBox::currentIndexChanged, this,
            [this](int index) { setRows(static_cast<design::LedgerRows>(index)); });
    auto* find = new QAction(tr("Filter the rows"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] { filterText_->setFocus(); });
    addAction(find);
}

QLayout* LedgerView::createBar() {
    createFilters();
    auto* save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setAccessibleName(tr("Export"));
    save->setAutoRaise(true);
    save->setFocusPolicy(Qt::TabFocus);
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(makeExportMenu(this, tr("Export the ledger"), QStringLiteral("ledger")));
    count_ = new ElidedLabel(this);
    count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    count_->setAccessibleName(tr("How many rows are shown"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 8, 2);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{filterText_, filterBound_, whichRows_, save})
        bar->addWidget(widget);
    bar->addWidget(count_, 1);
    return bar;
}

QWidget* LedgerView::createResources() {
    auto* table = new QTableView(this);
    setUpTable(*table, resources_, tr("Resources of the device"), kRowHeight);
    table->horizontalHeader()->setSectionResizeMode(ResourceModel::Users, QHeaderView::Stretch);
    for (int column = 0; column < ResourceModel::Users; ++column)
        table->setColumnWidth(column, column == ResourceModel::Resource ? 120 : 90);
    table->setMinimumHeight((kLeastRows + 1) * kRowHeight + 6);
    return table;
}

void LedgerView::createLayout() {
    summary_ = new QLabel(this);
    summary_->setWordWrap(true);
    summary_->setContentsMargins(8, 4, 8, 4);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setAccessibleName(tr("What holds the design back"));
    scroll_ = new QScrollArea(this);
    scroll_->setWidget(bars_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus);
    connect(changes_, &ChangesPanel::changesWanted, this, &LedgerView::changesWanted);
    connect(changes_, &ChangesPanel::changesStopped, this, &LedgerView::changesStopped);
    connect(changes_, &ChangesPanel::tryRequested, this, &LedgerView::tryRequested);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(changes_);
    split->addWidget(table_);
    split->addWidget(createResources());
    split->addWidget(scroll_);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 3);
    split->setStretchFactor(3, 2);
    split->setSizes({150, 300, 126, 260});
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(createBar());
    column->addWidget(summary_);
    column->addWidget(split, 1);
    setFocusProxy(table_);
}

void LedgerView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    selection_->setSnapshot(snapshot);
    changes_->setSnapshot(snapshot);
    if (ledger_ == snapshot->ledger)
        return;
    ledger_ = snapshot->ledger;
    showLedger();
}

void LedgerView::setRows(design::LedgerRows rows) {
    if (rows == rows_)
        return;
    rows_ = rows;
    whichRows_->setCurrentIndex(static_cast<int>(rows));
    showLedger();
}

void LedgerView::showLedger() {
    following_ = true; // rows that come and go are no choice of the user's
    model_->setLedger(ledger_, rows_);
    following_ = false;
    resources_->setLedger(ledger_);
    bars_->setSteps(stepBarsOf(ledger_.get()));
    for (int column = 0; column < model_->columnCount(); ++column)
        table_->setColumnHidden(column, column > 0 && !model_->isUsed(column));
    summary_->setText(summaryText());
    count_->showText(countText());
    onSelection();
}

QString LedgerView::countText() const {
    const int all = std::max(0, model_->rowCount() - 1);
    return (rows_ == design::LedgerRows::Layers ? tr("showing %1 of %2 layers and transfers")
                                                : tr("showing %1 of %2 steps"))
        .arg(filter_->shownRows())
        .arg(all);
}

QString LedgerView::summaryText() const {
    if (!ledger_)
        return tr("No design yet. Where its clocks go is said here when extraction has found one.");
    if (!ledger_->missing.empty())
        return tr("There is no ledger of this design: %1")
            .arg(QString::fromStdString(ledger_->missing));
    return tr("%1: %2. %3")
        .arg(QString::fromStdString(ledger_->program),
             frameCyclesText(ledger_->cycles, ledger_->frames),
             QString::fromStdString(ledger_->binding.text));
}

void LedgerView::onCurrentRow(const QModelIndex& current) {
    const QModelIndex source = filter_->mapToSource(current);
    if (following_ || !source.isValid() || model_->isTotal(source.row()))
        return;
    const design::LedgerRow& row = model_->row(source.row());
    if (row.isTransfer())
        return;
    following_ = true; // of several steps of a layer the one at hand stays
    selection_->select(LayerName{row.name});
    following_ = false;
}

void LedgerView::onSelection() {
    const std::string layer = bars_->litLayer();
    if (const auto height = heightOf(bars_->steps(), layer))
        scroll_->ensureVisible(0, static_cast<int>(*height), 0, 2 * kRowHeight);
    if (following_)
        return;
    const int row = layer.empty() ? -1 : model_->rowOf(layer);
    following_ = true;
    const QModelIndex wanted =
        row < 0 ? QModelIndex() : filter_->mapFromSource(model_->index(row, 0));
    if (wanted.isValid()) {
        table_->selectRow(wanted.row());
        table_->scrollTo(wanted.siblingAtColumn(0));
    } else {
        table_->clearSelection();
    }
    following_ = false;
}

/// What was selected meanwhile may be out of sight.
void LedgerView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    QMetaObject::invokeMethod(this, &LedgerView::onSelection, Qt::QueuedConnection);
}

void LedgerView::showMenu(QWidget* over, QPoint place) {
    ViewMenu::show(createMenu(selection_->subject()), over, over->mapToGlobal(place));
}

QMenu* LedgerView::createMenu(const Subject& subject) {
    auto* menu = new QMenu(this);
    QAction* const compare = menu->addAction(tr("Compare with This Design"));
    compare->setEnabled(ledger_ != nullptr);
    connect(compare, &QAction::triggered, this, &LedgerView::compareRequested);
    addPinActions(menu, this, *selection_->index(), subject);
    if (!isEmpty(subject)) {
        connect(menu->addAction(tr("Show in the e-graph")), &QAction::triggered, this,
                [this, subject] { Q_EMIT focusRequested(subject); });
        addCopyId(menu, subject);
    }
    return menu;
}

Picture LedgerView::exported() const {
    const StepBars& steps = bars_->steps();
    StepsView view = bars_->view();
    view.size = QSizeF(std::max(bars_->width(), 480), stepsHeight(steps));
    const Theme theme = themeOf(palette());
    return {view.size, tr("Steps over time"),
            [steps, view, theme](QPainter& painter) { paintSteps(painter, steps, view, theme); }};
}

/// The header and what the filter lets through, in the order shown; all columns.
std::vector<QStringList> LedgerView::tableRows(int role) const {
    std::vector<QStringList> rows(static_cast<std::size_t>(filter_->rowCount()) + 1);
    rows[0] = LedgerModel::titles();
    for (int column = 0; column < model_->columnCount(); ++column)
        for (int row = 0; row < filter_->rowCount(); ++row)
            rows[static_cast<std::size_t>(row) + 1]
                << filter_->index(row, column).data(role).toString();
    return rows;
}

bool LedgerView::isText(std::string_view bytes) {
    const std::vector<QStringList> header{LedgerModel::titles()};
    return bytes.starts_with(kLedgerStart) || bytes.starts_with(csvText(header).toStdString()) ||
           bytes.starts_with(markdownText(header).toStdString());
}

QString LedgerView::toText() const {
    QString text = QString::fromLatin1(kLedgerStart) + summaryText() + QLatin1Char('\n') +
                   countText() + QLatin1Char('\n');
    for (const QStringList& row : tableRows(Qt::DisplayRole) | std::views::drop(1))
        text += row.join(QStringLiteral(" | ")) + QLatin1Char('\n');
    for (int row = 0; row < resources_->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < ResourceModel::ColumnCount; ++column)
            cells << resources_->index(row, column).data().toString();
        text += cells.join(QStringLiteral(" | ")) + QLatin1Char('\n');
    }
    return text + stepsText(bars_->steps()) + changes_->toText();
}

/// Numbers as they are, not as they are read.
QString LedgerView::toCsv() const {
    return csvText(tableRows(LedgerModel::PlainRole));
}

QString LedgerView::toMarkdown() const {
    return markdownText(tableRows(Qt::DisplayRole));
}

Status LedgerView::exportTo(const QString& path, double scale) const {
    return saveShown(*this, path, scale);
}

} // namespace marquetry::widgets
