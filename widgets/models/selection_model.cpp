#include "widgets/models/selection_model.h"

#include <algorithm>
#include <utility>

namespace marquetry::widgets {

namespace {

constexpr std::size_t kHistory = 200;

bool sameThings(const session::Snapshot& a, const session::Snapshot& b) {
    return a.egraph == b.egraph && a.design == b.design && a.pins == b.pins &&
           a.program == b.program && a.proofs == b.proofs && a.withoutRule == b.withoutRule &&
           a.ruleTexts == b.ruleTexts;
}

template <class List, class Id>
Subject byName(const List& before, const List& now, Id id) {
    for (const auto& entry : now)
        if (entry.name == before[id.index()].name)
            return entry.id;
    return {};
}

} // namespace

SelectionModel::SelectionModel(QObject* parent)
    : QObject(parent),
      index_(std::make_shared<SnapshotIndex>(std::make_shared<session::Snapshot>())),
      history_{Subject{}} {}

Subject SelectionModel::carriedOver(const SnapshotIndex& before, const SnapshotIndex& now) const {
    const bool ofEGraph = std::holds_alternative<egraph::EClassId>(subject_) ||
                          std::holds_alternative<egraph::ENodeId>(subject_);
    if (ofEGraph && !sameEGraph(before.snapshot().egraph, now.snapshot().egraph))
        return {};
    if (std::holds_alternative<LayerName>(subject_) || std::holds_alternative<RuleName>(subject_) ||
        ofEGraph)
        return now.exists(subject_) ? subject_ : Subject{};
    if (before.snapshot().design == now.snapshot().design || !before.exists(subject_))
        return subject_;
    if (now.design() == nullptr)
        return {};
    if (const auto* unit = std::get_if<design::UnitId>(&subject_))
        return byName(before.design()->units, now.design()->units, *unit);
    if (const auto* buffer = std::get_if<design::BufferId>(&subject_))
        return byName(before.design()->buffers, now.design()->buffers, *buffer);
    if (const auto* call = std::get_if<design::CallId>(&subject_))
        if (const auto found = now.callOf(before.design()->call(*call).layer))
            return *found;
    return {};
}

void SelectionModel::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot || (snapshot.get() == &index_->snapshot()))
        return;
    const bool same = sameThings(index_->snapshot(), *snapshot);
    if (same)
        return;
    const auto before = std::exchange(index_, std::make_shared<SnapshotIndex>(snapshot));
    if (!sameEGraph(before->snapshot().egraph, snapshot->egraph))
        forgetEGraph();
    apply(carriedOver(*before, *index_));
}

/// Ids of another e-graph name other things, if anything.
void SelectionModel::forgetEGraph() {
    for (Subject& past : history_)
        if (std::holds_alternative<egraph::EClassId>(past) ||
            std::holds_alternative<egraph::ENodeId>(past))
            past = {};
}

void SelectionModel::apply(const Subject& subject) {
    subject_ = subject;
    linked_ = index_->linked(subject_);
    Q_EMIT changed();
}

void SelectionModel::select(const Subject& subject) {
    const Subject wanted = isEmpty(subject) || index_->exists(subject) ? subject : Subject{};
    if (wanted == subject_)
        return;
    history_.resize(at_ + 1);
    history_.push_back(wanted);
    if (history_.size() > kHistory)
        history_.erase(history_.begin());
    at_ = history_.size() - 1;
    apply(wanted);
}

void SelectionModel::back() {
    if (!canGoBack())
        return;
    --at_;
    apply(index_->exists(history_[at_]) ? history_[at_] : Subject{});
}

void SelectionModel::forward() {
    if (!canGoForward())
        return;
    ++at_;
    apply(index_->exists(history_[at_]) ? history_[at_] : Subject{});
}

} // namespace marquetry::widgets
