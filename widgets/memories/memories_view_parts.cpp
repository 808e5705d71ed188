// How the Memories view is put together.
#include "widgets/canvas/export_menu.h"
#include "widgets/memories/memories_view.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/table_set_up.h"
#include "widgets/text/view_menu.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace marquetry::widgets {

MemoriesView::MemoriesView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("memoriesView"));
    setAccessibleName(tr("Memories"));
    auto* split = new QSplitter(Qt::Vertical, this);
    split->addWidget(createPicture());
    split->addWidget(createPages());
    split->setStretchFactor(0, 1);
    split->setSizes({460, 190});
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(createBar());
    column->addWidget(split, 1);
    connectParts();
    setFocusProxy(grid_);
    showItem();
}

QLayout* MemoriesView::createBar() {
    items_ = new ItemBox(tr("Memory"), tr("The array whose banks are shown"), this);
    summary_ = new ElidedLabel(this);
    summary_->setAccessibleName(tr("What was found"));
    bound_ = new QToolButton(this);
    bound_->setText(tr("Why so many?"));
    bound_->setCheckable(true);
    bound_->setAccessibleName(tr("Mark the addresses that need a bank each"));
    bound_->setToolTip(tr("Marks the addresses that prove how many banks are needed"));
    pinMenu_ = new QMenu(tr("Pin"), this);
    pin_ = new QToolButton(this);
    pin_->setText(tr("⌾ Pin"));
    pin_->setAccessibleName(tr("Pin parts of the scheme"));
    pin_->setToolTip(tr("Fix kind, N, B, α or copies and search again"));
    pin_->setPopupMode(QToolButton::InstantPopup);
    pin_->setMenu(pinMenu_);
    hardware_ = new QToolButton(this);
    hardware_->setText(tr("Verilog…"));
    hardware_->setAccessibleName(tr("Export this memory as Verilog"));
    hardware_->setToolTip(tr("Write the chosen scheme as Verilog with a testbench"));
    verify_ = new QToolButton(this);
    verify_->setText(tr("Verify"));
    verify_->setAccessibleName(tr("Verify this memory"));
    verify_->setToolTip(tr("Simulate the chosen scheme beside a flat memory"));
    auto* save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setAccessibleName(tr("Export this view"));
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(makeExportMenu(this, tr("Export banks"), QStringLiteral("banks")));
    for (QToolButton* button : {bound_, pin_, hardware_, verify_, save})
        button->setFocusPolicy(Qt::TabFocus);
    for (QToolButton* button : {hardware_, verify_})
        button->setEnabled(false);
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 8, 2);
    bar->addWidget(items_);
    bar->addWidget(summary_, 1);
    bar->addWidget(bound_);
    bar->addWidget(pin_);
    bar->addWidget(hardware_);
    bar->addWidget(verify_);
    bar->addWidget(save);
    return bar;
}

QWidget* MemoriesView::createPicture() {
    grid_ = new BankGrid(this);
    iterations_ = new IterationBar(this);
    verdict_ = new QLabel(this);
    verdict_->setWordWrap(true);
    verdict_->setAccessibleName(tr("Verdict on the scheme shown"));
    verdict_->setContentsMargins(8, 2, 8, 2);
    verdict_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    detail_ = new ElidedLabel(this);
    detail_->setForegroundRole(QPalette::PlaceholderText);
    detail_->setContentsMargins(8, 0, 8, 2);
    detail_->setAccessibleName(tr("What the picture leaves out"));
    auto* left = new QWidget(this);
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(verdict_);
    column->addWidget(grid_, 1);
    column->addWidget(detail_);
    column->addWidget(iterations_);
    crossbar_ = new CrossbarWidget;
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(crossbar_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::TabFocus);
    scroll->setAccessibleName(tr("Lanes and banks, scrolled"));
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(left);
    split->addWidget(scroll);
    split->setStretchFactor(0, 1);
    split->setSizes({560, 330});
    split->setChildrenCollapsible(false);
    return split;
}

QTableView* MemoriesView::createTable(QAbstractItemModel* model, const QString& name) {
    auto* table = new QTableView(this);
    setUpTable(*table, model, name, 22);
    table->setFrameShape(QFrame::NoFrame);
    return table;
}

QWidget* MemoriesView::createPages() {
    const device::Device none;
    frontModel_ = new BankTableModel(frontHeader(none), 6, this);
    frontOrder_ = new QSortFilterProxyModel(this);
    frontOrder_->setSourceModel(frontModel_);
    frontOrder_->setSortRole(BankTableModel::kSortRole);
    front_ = createTable(frontOrder_, tr("Schemes worth their cost"));
    front_->setSortingEnabled(true);
    front_->horizontalHeader()->setStretchLastSection(false);
    front_->sortByColumn(0, Qt::AscendingOrder);
    front_->installEventFilter(this);
    costModel_ = new BankTableModel(costHeader(none), 2, this);
    cost_ = createTable(costModel_, tr("Terms of the cost"));
    try_ = new TryPanel(this);
    pages_ = new QTabWidget(this);
    pages_->setDocumentMode(true);
    pages_->setAccessibleName(tr("Schemes, cost, try"));
    pages_->addTab(front_, tr("Schemes"));
    pages_->addTab(cost_, tr("Cost"));
    pages_->addTab(try_, tr("Try a scheme"));
    return pages_;
}

void MemoriesView::connectParts() {
    connect(items_, &ItemBox::picked, this, &MemoriesView::showRequested);
    connect(bound_, &QToolButton::toggled, this, &MemoriesView::showPicture);
    connect(hardware_, &QToolButton::clicked, this,
            [this] { Q_EMIT hardwareRequested(itemName()); });
    connect(verify_, &QToolButton::clicked, this, [this] { Q_EMIT verifyRequested(itemName()); });
    connect(pinMenu_, &QMenu::aboutToShow, this, &MemoriesView::fillPinMenu);
    connect(grid_, &BankGrid::viewChanged, this,
            [this] { detail_->showText(detailText(grid_->view())); });
    connect(grid_, &BankGrid::cursorMoved, this, &MemoriesView::message);
    connect(grid_, &BankGrid::menuRequested, this, [this](QPoint place) {
        fillPinMenu();
        auto* const menu = new QMenu(grid_);
        menu->addActions(pinMenu_->actions());
        ViewMenu::show(menu, grid_, place);
    });
    connect(iterations_, &IterationBar::iterationPicked, this, &MemoriesView::showIteration);
    connect(iterations_, &IterationBar::nestPicked, this, [this](int nest) {
        nest_ = static_cast<std::size_t>(nest);
        showIteration(0);
    });
    connect(front_, &QTableView::doubleClicked, this, &MemoriesView::chooseRow);
    connect(try_, &TryPanel::tried, this, &MemoriesView::ask);
    connect(try_, &TryPanel::dropped, this, [this] { ask({}); });
    connect(try_, &TryPanel::pinned, this, [this](const session::SchemeName& scheme) {
        banking::SchemePins pins;
        pins.maps = scheme.maps;
        pins.copies = scheme.copies;
        requestPins(pins);
        ask({});
    });
}

} // namespace marquetry::widgets
