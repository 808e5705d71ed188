// How EGraphView moves: search, expansion in place, back and forward.
#include "widgets/canvas/scene_painter.h"
#include "widgets/egraph/egraph_view.h"
#include "widgets/egraph/search_panel.h"

#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>

namespace marquetry::widgets {

using egraph::EClassId;
using egraph::ENodeId;

namespace {

constexpr std::size_t kStops = 100; ///< that Back remembers
constexpr int kSearchDelayMs = 150; ///< after the last letter

} // namespace

std::uint32_t EGraphView::keyInPicture(const Subject& subject) const {
    const egraph::FrozenEGraph* view = index().egraph();
    const auto* node = std::get_if<ENodeId>(&subject);
    const auto* given = std::get_if<EClassId>(&subject);
    if (view == nullptr || !index().exists(subject) || (node == nullptr && given == nullptr))
        return kNoKey;
    const EClassId eclass = node != nullptr ? view->eclassOf(*node) : view->find(*given);
    const Scene& scene = canvas_->scene();
    if (mode_ == Mode::Overview) {
        const std::vector<std::uint32_t>& bundles = bundled_.made.of;
        const std::uint32_t key =
            eclass.index() < bundles.size() ? keyOfBundle(bundles[eclass.index()]) : keyOf(eclass);
        return scene.boxOf(key) != nullptr ? key : kNoKey;
    }
    if (node != nullptr && scene.boxOf(keyOf(*node)) != nullptr)
        return keyOf(*node);
    const std::vector<std::size_t>* block = focus_.blockOf(eclass);
    return block == nullptr ? kNoKey : keyOf(focus_.classes[block->front()].id);
}

EGraphView::Stop EGraphView::here() const {
    return {mode_,     hops_->value(),      seeds_,           expanded_,
            unfolded_, canvas_->viewport(), canvas_->fitted()};
}

/// Called before something else is shown.
void EGraphView::remember() {
    if (index().egraph() == nullptr)
        return;
    back_.push_back(here());
    if (back_.size() > kStops)
        back_.erase(back_.begin());
    forward_.clear();
    updateLabels();
}

void EGraphView::goBack() {
    if (back_.empty())
        return;
    forward_.push_back(here());
    const Stop stop = std::move(back_.back());
    back_.pop_back();
    returnTo(stop);
}

void EGraphView::goForward() {
    if (forward_.empty())
        return;
    back_.push_back(here());
    const Stop stop = std::move(forward_.back());
    forward_.pop_back();
    returnTo(stop);
}

void EGraphView::returnTo(const Stop& stop) {
    modeChosen_ = true;
    applyMode(stop.mode);
    {
        const QSignalBlocker quiet(hops_);
        hops_->setValue(stop.hops);
    }
    seeds_ = stop.seeds;
    expanded_ = stop.expanded;
    unfolded_ = stop.unfolded;
    anchor_.reset();
    zoomTo_ = kNoKey;
    returning_ = stop;
    layout_->cancel();
    updateLabels();
    schedule(0);
}

/// After the picture has changed to what was asked for.
void EGraphView::settleCamera() {
    if (returning_) {
        const QPointF middle(canvas_->width() / 2.0, canvas_->height() / 2.0);
        if (returning_->fitted)
            canvas_->fit();
        else
            canvas_->showAt(returning_->viewport.centre, middle, returning_->viewport.scale);
    } else if (anchor_) {
        const SceneBox* box = canvas_->scene().boxOf(keyInPicture(anchor_->eclass));
        const bool readable =
            canvas_->scene().fontSize * canvas_->viewport().scale >= kSmallestText;
        if (box != nullptr && !(canvas_->fitted() && readable))
            canvas_->showAt(box->rect.center(), anchor_->pixel, anchor_->scale);
    }
    if (zoomTo_ != kNoKey)
        canvas_->reveal(keyInPicture(subjectOf(zoomTo_)), true);
    returning_.reset();
    anchor_.reset();
    zoomTo_ = kNoKey;
}

bool EGraphView::foldsAgain(EClassId eclass) const {
    return expanded_.contains(eclass) || unfolded_.contains(eclass);
}

void EGraphView::expandOrFold(EClassId eclass) {
    const egraph::FrozenEGraph* view = index().egraph();
    if (view == nullptr || mode_ != Mode::Focus)
        return;
    const EClassId id = view->find(eclass);
    const std::vector<std::size_t>* block = focus_.blockOf(id);
    const SceneBox* box = canvas_->scene().boxOf(keyInPicture(id));
    if (block == nullptr || box == nullptr)
        return;
    remember();
    anchor_ =
        Anchor{id, canvas_->viewport().toScreen(box->rect.center()), canvas_->viewport().scale};
    if (block->size() > 1) {
        for (const std::size_t c : *block)
            unfolded_.insert(focus_.classes[c].id);
    } else if (expanded_.contains(id)) {
        expanded_.erase(id);
    } else if (focus_.classes[block->front()].hidden > 0) {
        expanded_.insert(id);
    } else {
        unfolded_.erase(id);
    }
    schedule(0);
}

void EGraphView::onDoubleClick(std::uint32_t key) {
    if (const auto bundle = bundleOfKey(key); bundle && *bundle < bundled_.made.bundles.size())
        return focusOn(bundled_.made.bundles[*bundle].first);
    const Subject subject = subjectOf(key);
    const auto* eclass = std::get_if<EClassId>(&subject);
    const std::vector<std::size_t>* block =
        eclass != nullptr && mode_ == Mode::Focus ? focus_.blockOf(*eclass) : nullptr;
    if (isStub(key) || (block != nullptr && block->size() > 1))
        expandOrFold(*eclass);
    else if (!isEmpty(subject))
        focusOn(subject);
}

void EGraphView::createSearch() {
    search_ = new QLineEdit(this);
    search_->setPlaceholderText(tr("Find: n40, c12 or a name (Ctrl+F)"));
    search_->setAccessibleName(tr("Find in the e-graph"));
    search_->setToolTip(tr("An id like n40 or c12, or part of the name of an operator, a unit or a "
                           "layer; Return goes to the next hit"));
    search_->setClearButtonEnabled(true);
    search_->setMinimumWidth(160);
    found_ = new SearchPanel(this);
    found_->hide();
    searchTimer_.setSingleShot(true);
    searchTimer_.setInterval(kSearchDelayMs);
    connect(&searchTimer_, &QTimer::timeout, this, &EGraphView::onSearchText);
    connect(search_, &QLineEdit::textChanged, &searchTimer_, qOverload<>(&QTimer::start));
    connect(search_, &QLineEdit::returnPressed, this, [this] { search(search_->text()); });
    connect(found_, &SearchPanel::chosen, this, &EGraphView::showHit);
}

/// The list follows the text and the e-graph; nothing is selected by that.
void EGraphView::onSearchText() {
    searchTimer_.stop();
    found_->setHits(findIn(index(), filters_->filter(), search_->text()));
    found_->setVisible(!search_->text().trimmed().isEmpty());
}

bool EGraphView::search(const QString& text) {
    if (text != search_->text())
        search_->setText(text);
    onSearchText();
    if (text.trimmed().isEmpty())
        return false;
    if (found_->hits().keys.empty()) {
        Q_EMIT message(tr("no e-node or e-class matches \"%1\"").arg(text));
        return false;
    }
    showHit(found_->next());
    Q_EMIT message(tr("hit %1 of %2").arg(found_->current() + 1).arg(found_->hits().keys.size()));
    return true;
}

void EGraphView::showHit(std::uint32_t key) {
    const Subject subject = subjectOf(key);
    const bool seen = canvas_->scene().boxOf(key) != nullptr ||
                      (mode_ == Mode::Overview && keyInPicture(subject) != kNoKey);
    if (mode_ == Mode::Focus && !seen) {
        focusOn(subject);
        zoomTo_ = key;
        return;
    }
    selection_->select(subject);
    canvas_->reveal(keyInPicture(subject), true);
}

} // namespace marquetry::widgets
