#include "engine/design/timetable_table.h"
#include "widgets/canvas/export_menu.h"
#include "widgets/schedule/queue_lanes_widget.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/schedule/timetable_filter.h"
#include "widgets/schedule/timetable_model.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/table_set_up.h"
#include "widgets/text/view_menu.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QTextBrowser>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace marquetry::widgets {

namespace {

constexpr int kStepHeight = 24;
constexpr int kFewRows = 4;   ///< in a low window
constexpr int kTitleRoom = 8; ///< beside a title

int widthOf(design::TimetableField field) {
    switch (field) {
    case design::TimetableField::Number:
    case design::TimetableField::What:
        return 56;
    case design::TimetableField::Name:
    case design::TimetableField::Unit:
    case design::TimetableField::Loops:
        return 150;
    case design::TimetableField::After:
    case design::TimetableField::Tokens:
        return 220;
    case design::TimetableField::Reads:
    case design::TimetableField::Writes:
        return 300;
    default:
        return 92;
    }
}

} // namespace

ScheduleView::ScheduleView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new TimetableModel(this)),
      filter_(new TimetableFilter(this)),
      table_(new QTableView(this)),
      lanes_(new QueueLanesWidget) {
    setAccessibleName(tr("Schedule"));
    filter_->setSourceModel(model_);
    createTable();
    createDetails();
    createLayout();
    connect(lanes_, &QueueLanesWidget::stepPicked, this,
            [this](int step) { pick(static_cast<std::size_t>(step)); });
    connect(lanes_, &QueueLanesWidget::stepActivated, this, [this](int step) {
        pick(static_cast<std::size_t>(step));
        askForSource();
    });
    connect(lanes_, &QueueLanesWidget::menuRequested, this,
            [this](QPoint place) { ViewMenu::show(createMenu(), lanes_, place); });
    connect(selection_, &SelectionModel::changed, this, &ScheduleView::onSelection);
    showTimetable();
}

void ScheduleView::createTable() {
    setUpTable(*table_, filter_, tr("Steps of the schedule"), kStepHeight);
    table_->setSortingEnabled(true);
    table_->setMinimumHeight((kFewRows + 1) * kStepHeight);
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    for (const design::TimetableColumn& column : design::timetableColumns()) {
        const int number = static_cast<int>(column.field);
        const int title = table_->horizontalHeader()->sectionSizeHint(number);
        table_->setColumnWidth(number, std::max(widthOf(column.field), title + kTitleRoom));
    }
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ScheduleView::onCurrentRow);
    connect(table_, &QTableView::activated, this, &ScheduleView::askForSource);
    connect(table_, &QTableView::customContextMenuRequested, this,
            [this](QPoint place) { showMenu(table_->viewport(), place); });
}

void ScheduleView::createDetails() {
    details_ = new QTextBrowser(this);
    details_->setAccessibleName(tr("The step at hand"));
    details_->setOpenLinks(false);
    details_->setFrameShape(QFrame::NoFrame);
    details_->setMinimumWidth(220);
    connect(details_, &QTextBrowser::anchorClicked, this, &ScheduleView::onLink);
}

void ScheduleView::createFilters() {
    filterText_ = new QLineEdit(this);
    filterText_->setPlaceholderText(tr("Filter (Ctrl+F)"));
    filterText_->setAccessibleName(tr("Filter the steps"));
    filterText_->setClearButtonEnabled(true);
    filterShown_ = new QComboBox(this);
    filterShown_->setAccessibleName(tr("Which steps are shown"));
    filterShown_->addItems({tr("all steps"), tr("first queue"), tr("calls beside others"),
                            tr("transfers"), tr("what the run waits for")});
    connect(filterText_, &QLineEdit::textChanged, this, [this](const QString& text) {
        filter_->setText(text);
        count_->showText(countText());
    });
    connect(filterShown_, &QComboBox::currentIndexChanged, this, [this](int index) {
        filter_->setShown(static_cast<StepsShown>(index));
        count_->showText(countText());
    });
    auto* find = new QAction(tr("Filter the steps"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] { filterText_->setFocus(); });
    addAction(find);
}

QLayout* ScheduleView::createBar() {
    createFilters();
    auto* save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setAccessibleName(tr("Export"));
    save->setAutoRaise(true);
    save->setFocusPolicy(Qt::TabFocus);
    save->setPopupMode(QToolButton::InstantPopup);
    QMenu* const menu = makeExportMenu(this, tr("Export the schedule"), QStringLiteral("schedule"));
    addExports(menu, this, tr("Export the schedule"), QStringLiteral("schedule"),
               {{tr("JSON…"), "json"}});
    save->setMenu(menu);
    count_ = new ElidedLabel(this);
    count_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    count_->setAccessibleName(tr("How many steps are shown"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 8, 2);
    for (QWidget* widget : std::initializer_list<QWidget*>{filterText_, filterShown_, save})
        bar->addWidget(widget);
    bar->addWidget(count_, 1);
    return bar;
}

void ScheduleView::createLayout() {
    summary_ = new QLabel(this);
    summary_->setWordWrap(true);
    summary_->setContentsMargins(8, 4, 8, 4);
    summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    summary_->setAccessibleName(tr("How the queues run"));
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(lanes_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* below = new QSplitter(Qt::Horizontal, this);
    below->addWidget(table_);
    below->addWidget(details_);
    below->setStretchFactor(0, 1);
    below->setSizes({640, 320});
    below->setChildrenCollapsible(false);
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(scroll);
    split->addWidget(below);
    split->setStretchFactor(1, 1);
    split->setSizes({240, 400});
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(createBar());
    column->addWidget(summary_);
    column->addWidget(split, 1);
    setFocusProxy(table_);
}

} // namespace marquetry::widgets
