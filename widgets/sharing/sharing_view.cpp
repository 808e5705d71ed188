#include "widgets/sharing/sharing_view.h"

#include "widgets/canvas/export_menu.h"
#include "widgets/models/pin_menu.h"
#include "widgets/sharing/sharing_filter.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/table_set_up.h"
#include "widgets/text/table_text.h"
#include "widgets/text/view_menu.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <ranges>

namespace marquetry::widgets {

namespace {

constexpr const char* kTextStart = "sharing\n";

/// The style's check box has next to no outline on dark backgrounds.
class StateDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        QStyleOptionViewItem cell = option;
        initStyleOption(&cell, index);
        const QRect box = cell.widget->style()->subElementRect(
            QStyle::SE_ItemViewItemCheckIndicator, &cell, cell.widget);
        const bool lit = cell.state.testFlag(QStyle::State_Selected);
        painter->setPen(
            cell.palette.color(lit ? QPalette::HighlightedText : QPalette::PlaceholderText));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(box.adjusted(0, 0, -1, -1));
    }
};

/// The pin that asks for what the candidate is not.
design::Pin oppositePin(const design::SharingCandidate& candidate) {
    design::Pin pin;
    pin.kind = candidate.shared ? design::PinKind::NeverShare : design::PinKind::Share;
    pin.target = pinTarget(candidate);
    return pin;
}

} // namespace

SharingView::SharingView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new SharingModel(this)),
      filter_(new SharingFilter(this)),
      table_(new QTableView(this)),
      gantt_(new GanttWidget(selection)),
      whatIf_(new WhatIfPanel(this)) {
    setAccessibleName(tr("Sharing"));
    filter_->setSourceModel(model_);
    createTable();
    createLayout();
    connect(model_, &SharingModel::toggled, this, [this](int row) { askWhatIf(row); });
    connect(whatIf_, &WhatIfPanel::pinRequested, this, &SharingView::pinRequested);
    connect(whatIf_, &WhatIfPanel::dismissed, this, &SharingView::whatIfDropped);
    connect(selection_, &SelectionModel::changed, this, &SharingView::onSelection);
    connect(gantt_, &GanttWidget::menuRequested, this, [this](QPoint place) {
        ViewMenu::show(createMenu(selection_->subject()), gantt_, place);
    });
    gantt_->setGantt(ganttOf(*selection_->index()));
    updateCount();
}

void SharingView::createTable() {
    setUpTable(*table_, filter_, tr("Sharing candidates"), 24);
    table_->setItemDelegateForColumn(SharingModel::State, new StateDelegate(table_));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    constexpr std::array<int, SharingModel::ColumnCount> kWidths{170, 170, 120, 88, 92, 60, 200};
    for (int column = 0; column < SharingModel::ColumnCount; ++column)
        table_->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    table_->installEventFilter(this);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &SharingView::onCurrentRow);
    connect(table_, &QTableView::customContextMenuRequested, this, [this](QPoint place) {
        ViewMenu::show(createMenu(selection_->subject()), table_,
                       table_->viewport()->mapToGlobal(place));
    });
}

namespace {

/// Gives way where the bar is narrow.
ElidedLabel* makeCount(QWidget* parent) {
    auto* count = new ElidedLabel(parent);
    count->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    count->setAccessibleName(SharingView::tr("How many candidates are shown"));
    return count;
}

} // namespace

QLayout* SharingView::createBar() {
    filterText_ = new QLineEdit(this);
    filterText_->setPlaceholderText(tr("Filter (Ctrl+F)"));
    filterText_->setAccessibleName(tr("Filter the candidates"));
    filterText_->setClearButtonEnabled(true);
    filterState_ = new QComboBox(this);
    filterState_->setAccessibleName(tr("State of the candidates shown"));
    filterState_->addItems(
        {tr("all states"), tr("● shared"), tr("○ not shared"), tr("⊘ forbidden")});
    auto* save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setAccessibleName(tr("Export"));
    save->setAutoRaise(true);
    save->setFocusPolicy(Qt::TabFocus);
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(makeExportMenu(this, tr("Export sharing"), QStringLiteral("sharing")));
    count_ = makeCount(this);
    connect(filterText_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setText(text);
        updateCount();
    });
    connect(filterState_, &QComboBox::currentIndexChanged, this, [this](int state) {
        filter_->setState(static_cast<SharingFilter::State>(state));
        updateCount();
    });
    auto* find = new QAction(tr("Filter the candidates"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] { filterText_->setFocus(); });
    addAction(find);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 8, 2);
    bar->addWidget(filterText_);
    bar->addWidget(filterState_);
    bar->addWidget(save);
    bar->addStretch(1);
    bar->addWidget(count_);
    return bar;
}

void SharingView::createLayout() {
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(gantt_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(table_);
    split->addWidget(whatIf_);
    split->addWidget(scroll);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(2, 3);
    split->setSizes({190, 150, 400});
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(createBar());
    column->addWidget(split, 1);
    setFocusProxy(table_);
}

void SharingView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    selection_->setSnapshot(snapshot);
    showWhatIf(snapshot);
    if (shown_ == selection_->index())
        return;
    const session::Snapshot* before = shown_ ? &shown_->snapshot() : nullptr;
    const bool otherDesign = before == nullptr || before->design != snapshot->design ||
                             before->timetable != snapshot->timetable;
    shown_ = selection_->index();
    model_->setIndex(shown_);
    if (otherDesign)
        gantt_->setGantt(ganttOf(*shown_));
    onSelection();
    updateCount();
}

QString SharingView::countText() const {
    return tr("showing %1 of %2 candidates").arg(filter_->rowCount()).arg(model_->rowCount());
}

void SharingView::updateCount() {
    count_->showText(countText());
}

void SharingView::showWhatIf(const std::shared_ptr<const session::Snapshot>& snapshot) {
    whatIf_->setSnapshot(snapshot);
    model_->setQuestion(snapshot->whatIf ? snapshot->whatIf->pin.target : std::string());
    gantt_->setScale(whatIf_->scale());
}

/// Asks for the opposite of what the row says, or takes the question back.
void SharingView::askWhatIf(int row) {
    const design::Pin pin = oppositePin(model_->candidate(row));
    if (model_->question() == pin.target)
        Q_EMIT whatIfDropped();
    else
        Q_EMIT whatIfRequested(pin);
}

int SharingView::currentRow() const {
    const QModelIndex source = filter_->mapToSource(table_->currentIndex());
    return source.isValid() ? source.row() : -1;
}

void SharingView::onCurrentRow(const QModelIndex& current) {
    if (following_ || !current.isValid())
        return;
    const QString link = current.siblingAtColumn(0).data(SharingModel::CandidateRole).toString();
    if (const auto subject = parseLink(link))
        selection_->select(*subject);
}

void SharingView::onSelection() {
    int row = -1;
    if (const auto* eclass = std::get_if<egraph::EClassId>(&selection_->subject()))
        row = model_->rowOf(*eclass);
    for (const design::UnitId unit : selection_->linked().units)
        if (row < 0)
            row = model_->rowOf(unitClassOf(*selection_->index(), unit));
    following_ = true;
    const QModelIndex wanted =
        row < 0 ? QModelIndex() : filter_->mapFromSource(model_->index(row, 0));
    if (wanted.row() != table_->currentIndex().row() || !wanted.isValid()) {
        if (wanted.isValid())
            table_->selectRow(wanted.row());
        else
            table_->clearSelection();
    }
    following_ = false;
}

void SharingView::pinCurrent() {
    const int row = currentRow();
    if (row < 0)
        return;
    if (const design::Pin* existing = model_->pin(row))
        Q_EMIT unpinRequested(existing->id);
    else
        Q_EMIT pinRequested(oppositePin(model_->candidate(row)));
}

bool SharingView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != table_ || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Space:
        pinCurrent();
        return true;
    case Qt::Key_W:
        if (currentRow() >= 0)
            askWhatIf(currentRow());
        return true;
    case Qt::Key_Escape:
        Q_EMIT whatIfDropped();
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

QMenu* SharingView::createMenu(const Subject& subject) {
    auto* menu = new QMenu(this);
    if (const int row = currentRow(); row >= 0)
        connect(menu->addAction(tr("What if it were the opposite? (W)")), &QAction::triggered, this,
                [this, row] { askWhatIf(row); });
    addPinActions(menu, this, *selection_->index(), subject);
    if (!isEmpty(subject)) {
        connect(menu->addAction(tr("Show in the e-graph")), &QAction::triggered, this,
                [this, subject] { Q_EMIT focusRequested(subject); });
        addCopyId(menu, subject);
    }
    return menu;
}

Picture SharingView::exported() const {
    const Gantt& gantt = gantt_->gantt();
    GanttView view = gantt_->view();
    view.size = QSizeF(std::max(gantt_->width(), 480), ganttHeight(gantt));
    const Theme theme = themeOf(palette());
    return {view.size, tr("Units over time"),
            [gantt, view, theme](QPainter& painter) { paintGantt(painter, gantt, view, theme); }};
}

/// The header and what the filter lets through, in the order shown.
std::vector<QStringList> SharingView::tableRows() const {
    std::vector<QStringList> rows(static_cast<std::size_t>(filter_->rowCount()) + 1);
    rows[0] = SharingModel::titles();
    for (int column = 0; column < SharingModel::ColumnCount; ++column)
        for (int row = 0; row < filter_->rowCount(); ++row)
            rows[static_cast<std::size_t>(row) + 1]
                << filter_->index(row, column).data().toString();
    return rows;
}

bool SharingView::isText(std::string_view bytes) {
    const std::vector<QStringList> header{SharingModel::titles()};
    return bytes.starts_with(kTextStart) || bytes.starts_with(csvText(header).toStdString()) ||
           bytes.starts_with(markdownText(header).toStdString());
}

QString SharingView::toText() const {
    QString text = QString::fromLatin1(kTextStart) + countText() + QLatin1Char('\n');
    const std::vector<QStringList> rows = tableRows();
    for (const QStringList& row : rows | std::views::drop(1))
        text += row.join(QStringLiteral(" | ")) + QLatin1Char('\n');
    return text + ganttText(gantt_->gantt()) + whatIf_->toText();
}

QString SharingView::toCsv() const {
    return csvText(tableRows());
}

QString SharingView::toMarkdown() const {
    return markdownText(tableRows());
}

Status SharingView::exportTo(const QString& path, double scale) const {
    return saveShown(*this, path, scale);
}

} // namespace marquetry::widgets
