#include "widgets/sharing/sharing_view.h"

#include "widgets/sharing/sharing_filter.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace marquetry::widgets {

namespace {

QString csvField(const QString& text) {
    QString quoted = text;
    quoted.replace(u'"', QStringLiteral("\"\""));
    return u'"' + quoted + u'"';
}

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

QString markdownField(const QString& text) {
    QString escaped = text;
    escaped.replace(u'|', QStringLiteral("\\|"));
    return escaped;
}

} // namespace

SharingView::SharingView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new SharingModel(this)),
      filter_(new SharingFilter(this)),
      table_(new QTableView(this)),
      gantt_(new GanttWidget(selection)) {
    setAccessibleName(tr("Sharing"));
    filter_->setSourceModel(model_);
    createTable();
    createLayout();
    connect(model_, &SharingModel::toggled, this, &SharingView::onToggled);
    connect(selection_, &SelectionModel::changed, this, &SharingView::onSelection);
    connect(gantt_, &GanttWidget::menuRequested, this, [this](QPoint place) {
        QMenu* menu = createMenu(selection_->subject());
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(place);
    });
    gantt_->setGantt(ganttOf(*selection_->index()));
    updateCount();
}

void SharingView::createTable() {
    table_->setModel(filter_);
    table_->setItemDelegateForColumn(SharingModel::State, new StateDelegate(table_));
    table_->setAccessibleName(tr("Sharing candidates"));
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setAlternatingRowColors(true);
    table_->setShowGrid(false);
    table_->setWordWrap(false);
    table_->setTabKeyNavigation(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(24);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
    constexpr std::array<int, SharingModel::ColumnCount> kWidths{170, 170, 120, 88, 92, 60, 200};
    for (int column = 0; column < SharingModel::ColumnCount; ++column)
        table_->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    table_->installEventFilter(this);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &SharingView::onCurrentRow);
    connect(table_, &QTableView::customContextMenuRequested, this, [this](QPoint place) {
        QMenu* menu = createMenu(selection_->subject());
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->popup(table_->viewport()->mapToGlobal(place));
    });
}

void SharingView::createLayout() {
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
    save->setMenu(createExportMenu());
    count_ = new QLabel(this);
    count_->setAccessibleName(tr("How many candidates are shown"));
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
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(gantt_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(table_);
    split->addWidget(scroll);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 3);
    split->setSizes({190, 400});
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(split, 1);
    setFocusProxy(table_);
}

void SharingView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    selection_->setSnapshot(snapshot);
    if (shown_ == selection_->index())
        return;
    const bool otherDesign = !shown_ || shown_->design() != selection_->index()->design();
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
    count_->setText(countText());
}

void SharingView::onToggled(int row, bool share) {
    const design::Pin* existing = model_->pin(row);
    if (existing != nullptr) {
        Q_EMIT unpinRequested(existing->id);
        return;
    }
    design::Pin pin;
    pin.kind = share ? design::PinKind::Share : design::PinKind::NeverShare;
    pin.target = pinTarget(model_->candidate(row));
    Q_EMIT pinRequested(pin);
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

void SharingView::choosePin(const PinChoice& choice) {
    if (choice.pinned())
        Q_EMIT unpinRequested(choice.pin.id);
    else
        Q_EMIT pinRequested(choice.pin);
}

void SharingView::pinCurrent() {
    const QModelIndex source = filter_->mapToSource(table_->currentIndex());
    if (source.isValid())
        onToggled(source.row(), !model_->candidate(source.row()).shared);
}

bool SharingView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space) {
        pinCurrent();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

QMenu* SharingView::createMenu(const Subject& subject) {
    auto* menu = new QMenu(this);
    for (const PinChoice& choice : pinChoices(*selection_->index(), subject))
        connect(menu->addAction(choice.text), &QAction::triggered, this,
                [this, choice] { choosePin(choice); });
    if (!isEmpty(subject)) {
        menu->addSeparator();
        connect(menu->addAction(tr("Show in the e-graph")), &QAction::triggered, this,
                [this, subject] { Q_EMIT focusRequested(subject); });
        connect(menu->addAction(tr("Copy id")), &QAction::triggered, this,
                [subject] { QGuiApplication::clipboard()->setText(toLink(subject)); });
    }
    return menu;
}

QMenu* SharingView::createExportMenu() {
    auto* menu = new QMenu(tr("Export"), this);
    const auto add = [&](const QString& text, const char* suffix, double scale) {
        connect(menu->addAction(text), &QAction::triggered, this,
                [this, suffix, scale] { askExport(QLatin1String(suffix), scale); });
    };
    add(tr("PNG…"), "png", 1);
    add(tr("PNG, 2×…"), "png", 2);
    add(tr("SVG…"), "svg", 1);
    add(tr("CSV…"), "csv", 1);
    add(tr("Markdown…"), "md", 1);
    connect(menu->addAction(tr("Copy picture")), &QAction::triggered, this,
            [this] { copyImage(picture(), 2); });
    connect(menu->addAction(tr("Copy as Markdown")), &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(toMarkdown()); });
    return menu;
}

void SharingView::askExport(const QString& suffix, double scale) {
    const QString path = QFileDialog::getSaveFileName(this, tr("Export sharing"),
                                                      QStringLiteral("sharing.") + suffix,
                                                      QStringLiteral("*.") + suffix);
    if (path.isEmpty())
        return;
    const Status saved = exportTo(path, scale);
    Q_EMIT message(saved ? tr("saved %1").arg(path)
                         : QString::fromStdString(format(saved.error())));
}

Picture SharingView::picture() const {
    const Gantt& gantt = gantt_->gantt();
    GanttView view = gantt_->view();
    view.size = QSizeF(std::max(gantt_->width(), 480), ganttHeight(gantt));
    const Theme theme = themeOf(palette());
    return {view.size, tr("Units over time"),
            [gantt, view, theme](QPainter& painter) { paintGantt(painter, gantt, view, theme); }};
}

std::vector<QStringList> SharingView::visibleRows() const {
    std::vector<QStringList> rows;
    for (int row = 0; row < filter_->rowCount(); ++row) {
        QStringList fields;
        for (int column = 0; column < SharingModel::ColumnCount; ++column)
            fields << filter_->index(row, column).data().toString();
        rows.push_back(fields);
    }
    return rows;
}

QString SharingView::toText() const {
    QString text = QStringLiteral("sharing\n%1\n").arg(countText());
    for (const QStringList& row : visibleRows())
        text += row.join(QStringLiteral(" | ")) + QLatin1Char('\n');
    return text + ganttText(gantt_->gantt());
}

QString SharingView::toCsv() const {
    QStringList header;
    for (int column = 0; column < SharingModel::ColumnCount; ++column)
        header << csvField(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    QString text = header.join(u',') + QLatin1Char('\n');
    for (const QStringList& row : visibleRows()) {
        QStringList fields;
        for (const QString& field : row)
            fields << csvField(field);
        text += fields.join(u',') + QLatin1Char('\n');
    }
    return text;
}

QString SharingView::toMarkdown() const {
    QString text = QStringLiteral("|");
    QString rule = QStringLiteral("|");
    for (int column = 0; column < SharingModel::ColumnCount; ++column) {
        text += QStringLiteral(" %1 |").arg(
            model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        rule += QStringLiteral("---|");
    }
    text += QLatin1Char('\n') + rule + QLatin1Char('\n');
    for (const QStringList& row : visibleRows()) {
        text += QStringLiteral("|");
        for (const QString& field : row)
            text += QStringLiteral(" %1 |").arg(markdownField(field));
        text += QLatin1Char('\n');
    }
    return text;
}

Status SharingView::exportTo(const QString& path, double scale) const {
    const QString suffix = QFileInfo(path).suffix();
    if (suffix == QLatin1String("svg"))
        return saveSvg(picture(), path);
    if (suffix == QLatin1String("csv"))
        return saveText(toCsv(), path);
    if (suffix == QLatin1String("md"))
        return saveText(toMarkdown(), path);
    if (suffix == QLatin1String("txt"))
        return saveText(toText(), path);
    return savePng(picture(), path, scale);
}

} // namespace marquetry::widgets
