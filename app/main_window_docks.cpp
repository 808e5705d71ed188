#include "app/main_window.h"

#include "app/gallery.h"
#include "app/offer_bar.h"
#include "app/snapshot_fan.h"
#include "widgets/compare/compare_view.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/hdl/hdl_view.h"
#include "widgets/inspector/inspector_view.h"
#include "widgets/ledger/ledger_view.h"
#include "widgets/log/log_view.h"
#include "widgets/memories/memories_view.h"
#include "widgets/models/selection_model.h"
#include "widgets/pareto/pareto_view.h"
#include "widgets/pins/pins_view.h"
#include "widgets/program/program_view.h"
#include "widgets/progress/progress_view.h"
#include "widgets/rules/rules_view.h"
#include "widgets/schedule/schedule_view.h"
#include "widgets/sharing/sharing_view.h"
#include "widgets/streams/streams_view.h"

#include <QAction>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QShortcut>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace marquetry::app {

void MainWindow::createDocks() {
    selection_ = new widgets::SelectionModel(this);
    createCentral();
    setDockNestingEnabled(true);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
    program_ = new widgets::ProgramView(this);
    inspector_ = new widgets::InspectorView(selection_, this);
    pareto_ = new widgets::ParetoView(this);
    progress_ = new widgets::ProgressView(this);
    pins_ = new widgets::PinsView(this);
    log_ = new widgets::LogView(this);
    rules_ = new widgets::RulesView(selection_, this);
    docks_.program = addDock(QStringLiteral("programDock"), tr("Program"), program_);
    docks_.rules = addDock(QStringLiteral("rulesDock"), tr("Rules"), rules_);
    docks_.inspector = addDock(QStringLiteral("inspectorDock"), tr("Inspector"), inspector_);
    docks_.pareto = addDock(QStringLiteral("paretoDock"), tr("Pareto"), pareto_);
    docks_.progress = addDock(QStringLiteral("progressDock"), tr("Progress"), progress_);
    docks_.pins = addDock(QStringLiteral("pinsDock"), tr("Pins"), pins_);
    docks_.log = addDock(QStringLiteral("logDock"), tr("Log"), log_);
    perspectives_ = new Perspectives(*this, docks_, *settings_);
    connect(perspectives_, &Perspectives::entered, this, &MainWindow::onPerspective);
    createViewMenu();
    perspectives_->restore();
}

void MainWindow::createCentral() {
    auto* centre = new QWidget(this);
    stack_ = new QStackedWidget(centre);
    gallery_ = new Gallery(stack_);
    gallery_->readExamples(examplesFolder_);
    tabs_ = new QTabWidget(stack_);
    tabs_->setObjectName(QStringLiteral("views"));
    tabs_->setAccessibleName(tr("Views"));
    tabs_->setDocumentMode(true);
    createTabs();
    stack_->addWidget(gallery_);
    stack_->addWidget(tabs_);
    notice_ = createNotice();
    offer_ = new OfferBar(centre);
    offer_->setObjectName(QStringLiteral("offer"));
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(offer_);
    layout->addWidget(notice_);
    layout->addWidget(stack_, 1);
    setCentralWidget(centre);

    connect(gallery_, &Gallery::exampleChosen, this, &MainWindow::openFile);
    connect(gallery_, &Gallery::openRequested, this, &MainWindow::chooseFile);
    auto* back = new QShortcut(QKeySequence(Qt::Key_Escape), gallery_);
    back->setContext(Qt::WidgetWithChildrenShortcut);
    connect(back, &QShortcut::activated, this, [this] { showGallery(false); });
}

void MainWindow::createTabs() {
    ledger_ = new widgets::LedgerView(selection_, tabs_);
    tabs_->addTab(ledger_, tr("Ledger"));
    schedule_ = new widgets::ScheduleView(selection_, tabs_);
    tabs_->addTab(schedule_, tr("Schedule"));
    egraphView_ = new widgets::EGraphView(selection_, tabs_);
    tabs_->addTab(egraphView_, tr("E-graph"));
    sharing_ = new widgets::SharingView(selection_, tabs_);
    tabs_->addTab(sharing_, tr("Sharing"));
    compare_ = new widgets::CompareView(selection_, tabs_);
    tabs_->addTab(compare_, tr("Compare"));
    streams_ = new widgets::StreamsView(tabs_);
    tabs_->addTab(streams_, tr("Streams"));
    memories_ = new widgets::MemoriesView(tabs_);
    tabs_->addTab(memories_, tr("Memories"));
    hdl_ = new widgets::HdlView(tabs_);
    tabs_->addTab(hdl_, tr("HDL"));
}

QFrame* MainWindow::createNotice() {
    auto* frame = new QFrame(this);
    frame->setObjectName(QStringLiteral("notice"));
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAutoFillBackground(true);
    frame->setBackgroundRole(QPalette::ToolTipBase);
    noticeText_ = new QLabel(frame);
    noticeText_->setWordWrap(true);
    noticeText_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    noticeText_->setAccessibleName(tr("Notice"));
    auto* close = new QToolButton(frame);
    close->setText(QStringLiteral("✕"));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Close the notice"));
    connect(close, &QToolButton::clicked, frame, &QWidget::hide);
    auto* row = new QHBoxLayout(frame);
    row->setContentsMargins(10, 4, 4, 4);
    row->addWidget(noticeText_, 1);
    row->addWidget(close, 0, Qt::AlignTop);
    frame->hide();
    return frame;
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* view) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(view);
    dock->setAllowedAreas(Qt::AllDockWidgetAreas);
    QAction* toggle = dock->toggleViewAction();
    toggle->setObjectName(name + QStringLiteral("Toggle"));
    toggle->setStatusTip(tr("Show or hide the dock %1").arg(title));
    return dock;
}

void MainWindow::showGallery(bool shown) {
    galleryWanted_ = shown;
    updateCentre();
    if (stack_->currentWidget() == gallery_)
        gallery_->list()->setFocus(Qt::OtherFocusReason);
}

void MainWindow::updateCentre() {
    const bool empty = bridge_->snapshot()->phase == session::Phase::Empty;
    stack_->setCurrentWidget(galleryWanted_ || empty ? static_cast<QWidget*>(gallery_) : tabs_);
}

void MainWindow::onPerspective(Perspective perspective) {
    const Act act = perspective == Perspective::Explore   ? Act::Explore
                    : perspective == Perspective::Inspect ? Act::Inspect
                                                          : Act::ExportView;
    (*actions_)[act]->setChecked(true);
    if (perspective == Perspective::Export)
        tabs_->setCurrentWidget(hdl_);
    else if (perspective == Perspective::Inspect)
        tabs_->setCurrentWidget(sharing_);
    else
        tabs_->setCurrentWidget(egraphView_);
}

} // namespace marquetry::app
