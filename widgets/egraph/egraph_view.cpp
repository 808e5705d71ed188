#include "widgets/egraph/egraph_view.h"

#include "widgets/egraph/search_panel.h"
#include "widgets/models/pin_menu.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace marquetry::widgets {

using egraph::EClassId;
using egraph::ENodeId;

namespace {

constexpr int kPromptMs = 20; ///< selections made at once end in one layout
constexpr int kRestShare = 8; ///< time between overviews, in times of making one

bool working(session::Phase phase) {
    return phase == session::Phase::Saturating || phase == session::Phase::Extracting;
}

} // namespace

EGraphView::EGraphView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      canvas_(new CanvasView(this)),
      layout_(new LayoutClient(this)) {
    setAccessibleName(tr("E-graph"));
    canvas_->setAccessibleName(tr("E-graph picture"));
    createToolbar();
    createActions();
    connectCanvas();
    renewTimer_.setSingleShot(true);
    connect(&renewTimer_, &QTimer::timeout, this, &EGraphView::renew);
    connect(selection_, &SelectionModel::changed, this, &EGraphView::onSelection);
    connect(layout_, &LayoutClient::finished, this, &EGraphView::onDrawing);
    connect(layout_, &LayoutClient::failed, this, [this](const Diagnostic& diagnostic) {
        Q_EMIT message(QString::fromStdString(format(diagnostic)));
        showDrawing(askedFocus_, quickDrawing(clusterGraph(index(), askedFocus_, canvas_->size())));
        settleCamera();
    });
    followEGraph();
    renew();
}

int EGraphView::hops() const {
    return hops_->value();
}

void EGraphView::setHops(int hops) {
    hops_->setValue(hops);
}

void EGraphView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    const bool otherProgram = index().snapshot().program != snapshot->program;
    const bool settled = working(shownPhase_) && !working(snapshot->phase);
    shownPhase_ = snapshot->phase;
    selection_->setSnapshot(snapshot);
    if (otherProgram)
        modeChosen_ = false;
    filters_->setIndex(index(), snapshot->iterations.size());
    chooseMode();
    const bool grown = shownGraph_ != snapshot->egraph;
    if (grown && found_->isVisibleTo(this) && !searchTimer_.isActive())
        searchTimer_.start();
    const bool otherDesign = shownDesign_ != snapshot->design.get();
    if (!grown && !otherDesign && !settled)
        return;
    if (settled || otherDesign || !shownGraph_)
        schedule(kPromptMs);
    else
        schedule(mode_ == Mode::Overview ? kOverviewIntervalMs : kFocusIntervalMs);
}

/// Nothing that was kept by id, nor a layout under way, fits another e-graph.
void EGraphView::followEGraph() {
    const auto before = std::exchange(idsOf_, index().snapshot().egraph);
    if (sameEGraph(before, idsOf_))
        return;
    layout_->cancel();
    canvas_->setHighlights({});
    canvas_->setScene(std::make_shared<Scene>());
    canvas_->fit();
    seeds_.clear();
    expanded_.clear();
    unfolded_.clear();
    back_.clear();
    forward_.clear();
    returning_.reset();
    anchor_.reset();
    zoomTo_ = kNoKey;
    overviewMemory_ = {};
    bundlePlaces_ = {};
    bundled_ = {};
    overviewEnodes_ = overviewEclasses_ = 0;
    askedFocus_ = focus_ = {};
    drawing_ = {};
    shownGraph_.reset();
}

/// A design is looked at closely, growth from afar.
void EGraphView::chooseMode() {
    if (modeChosen_)
        return;
    applyMode(index().design() != nullptr ? Mode::Focus : Mode::Overview);
}

void EGraphView::setMode(Mode mode) {
    if (mode != mode_)
        remember();
    modeChosen_ = true;
    applyMode(mode);
}

void EGraphView::applyMode(Mode mode) {
    overviewButton_->setChecked(mode == Mode::Overview);
    focusButton_->setChecked(mode == Mode::Focus);
    if (mode == mode_)
        return;
    mode_ = mode;
    layout_->cancel();
    canvas_->fit();
    shownGraph_.reset();
    schedule(0);
}

/// A longer wait never puts off a renewal that is due earlier.
void EGraphView::schedule(int milliseconds) {
    const qint64 rest = kRestShare * renewalMs_;
    const qint64 wait = std::max<qint64>(milliseconds, milliseconds > kPromptMs ? rest : 0);
    if (!renewTimer_.isActive() || renewTimer_.remainingTime() > wait)
        renewTimer_.start(static_cast<int>(wait));
}

void EGraphView::onSelection() {
    followEGraph();
    const std::vector<EClassId>& linked = selection_->linked().eclasses;
    const bool moved =
        mode_ == Mode::Focus && !linked.empty() && linked != seeds_ &&
        std::ranges::any_of(linked, [&](EClassId id) { return keyInPicture(id) == kNoKey; });
    if (moved) {
        remember();
        seeds_ = linked;
        schedule(kPromptMs);
    }
    if (shownGraph_ == index().snapshot().egraph)
        restyle();
    updateHighlights();
    canvas_->reveal(canvas_->highlights().selected);
    updateLabels();
}

void EGraphView::renew() {
    QElapsedTimer clock;
    clock.start();
    renewTimer_.stop();
    const session::Snapshot& snapshot = index().snapshot();
    shownGraph_ = snapshot.egraph;
    shownDesign_ = snapshot.design.get();
    if (!shownGraph_) {
        auto empty = std::make_shared<Scene>();
        empty->message = tr("Nothing to show yet.\nOpen a program: its e-graph appears here and "
                            "grows while the engine runs.");
        focus_ = {};
        canvas_->setScene(empty);
    } else if (mode_ == Mode::Overview) {
        renewOverview();
    } else {
        renewFocus();
    }
    updateHighlights();
    updateLabels();
    renewalMs_ = clock.elapsed();
}

void EGraphView::renewOverview() {
    const ShownPart part(index(), filters_->filter());
    overviewEnodes_ = part.enodeCount();
    overviewEclasses_ = part.eclasses().size();
    bundled_ = {};
    if (overviewEclasses_ > kMostBlocks)
        bundled_ = bundledOverview(index(), part, bundlePlaces_);
    canvas_->setScene(bundled_.scene
                          ? bundled_.scene
                          : overviewScene(index(), overviewMemory_, filters_->filter()).scene);
    updateHighlights();
    settleCamera();
    Q_EMIT layoutChanged();
}

FocusParams EGraphView::focusParams(const ShownPart* part) const {
    FocusParams params;
    params.seeds = seeds_;
    params.hops = hops_->value();
    params.budget = kFocusBudget;
    params.expanded = expanded_;
    params.unfolded = unfolded_;
    if (const auto* node = std::get_if<ENodeId>(&selection_->subject()))
        params.first = *node;
    params.part = part;
    return params;
}

void EGraphView::renewFocus() {
    const ShownPart part(index(), filters_->filter());
    const bool filtered = !filters_->filter().empty();
    Focus wanted = chooseFocus(index(), focusParams(filtered ? &part : nullptr));
    if (wanted.sameShape(focus_) && drawing_.clusters.size() == wanted.blocks.size() &&
        wanted.edges == focus_.edges && !layout_->busy()) {
        showDrawing(wanted, drawing_);
        settleCamera();
        Q_EMIT layoutChanged();
        return;
    }
    askedFocus_ = std::move(wanted);
    const ClusterGraph graph = clusterGraph(index(), askedFocus_, canvas_->size());
    if (canvas_->scene().empty() ||
        canvas_->scene().boxOf(canvas_->highlights().selected) == nullptr)
        showDrawing(askedFocus_, quickDrawing(graph));
    layout_->request(graph);
}

void EGraphView::onDrawing(const ClusterDrawing& drawing) {
    if (mode_ != Mode::Focus || index().egraph() == nullptr)
        return;
    showDrawing(askedFocus_, drawing);
    settleCamera();
    Q_EMIT layoutChanged();
}

void EGraphView::showDrawing(const Focus& focus, const ClusterDrawing& drawing) {
    focus_ = focus;
    drawing_ = drawing;
    canvas_->setScene(focusScene(index(), focus_, drawing_));
    updateHighlights();
    updateLabels();
}

/// The same places, new colours and pins.
void EGraphView::restyle() {
    if (mode_ == Mode::Focus && index().egraph() != nullptr && !focus_.classes.empty())
        canvas_->setScene(focusScene(index(), focus_, drawing_));
}

void EGraphView::updateHighlights() {
    Highlights highlights;
    highlights.hovered = canvas_->highlights().hovered;
    highlights.selected = keyInPicture(selection_->subject());
    for (const EClassId eclass : selection_->linked().eclasses)
        if (const std::uint32_t key = keyInPicture(eclass);
            highlights.linked.empty() || highlights.linked.back() != key)
            highlights.linked.push_back(key);
    canvas_->setHighlights(std::move(highlights));
}

QString EGraphView::countText() const {
    const egraph::FrozenEGraph* view = index().egraph();
    if (view == nullptr)
        return tr("showing 0 of 0 e-nodes");
    const auto count = [](std::size_t n) { return grouped(static_cast<std::int64_t>(n)); };
    if (mode_ == Mode::Focus)
        return tr("showing %1 of %2 e-nodes · %3 of %4 e-classes")
            .arg(count(focus_.enodes), count(view->enodeCount()), count(focus_.classes.size()),
                 count(view->eclassCount()));
    QString text = tr("showing %1 of %2 e-nodes as %3 e-classes");
    text = text.arg(count(overviewEnodes_), count(view->enodeCount()), count(overviewEclasses_));
    if (bundled_.scene)
        text += tr(" in %1 blocks").arg(count(bundled_.blocks));
    if (canvas_->paintStats().edgesLeftOut > 0)
        text += tr(" · %1 of %2 edges")
                    .arg(count(canvas_->paintStats().edges),
                         count(canvas_->paintStats().edges + canvas_->paintStats().edgesLeftOut));
    return text;
}

void EGraphView::focusOn(const Subject& subject) {
    remember();
    modeChosen_ = true;
    applyMode(Mode::Focus);
    selection_->select(subject);
    if (selection_->linked().eclasses.empty())
        return;
    seeds_ = selection_->linked().eclasses;
    canvas_->fit();
    schedule(0);
}

void EGraphView::pinSelected() {
    const std::vector<PinChoice> choices = pinChoices(index(), selection_->subject());
    if (choices.empty())
        Q_EMIT message(tr("%1 cannot be pinned: pins name units and their terms")
                           .arg(describe(selection_->subject(), index().snapshot())));
    else
        requestPin(this, choices.front());
}

void EGraphView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Space:
        pinSelected();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        focusOn(Subject(selection_->subject()));
        return;
    case Qt::Key_Escape:
        selection_->clear();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace marquetry::widgets
