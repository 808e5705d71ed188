#include "widgets/sharing/sharing_filter.h"

#include "widgets/sharing/sharing_model.h"

namespace marquetry::widgets {

SharingFilter::SharingFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(SharingModel::SortRole);
    setDynamicSortFilter(true);
}

void SharingFilter::setText(const QString& text) {
    text_ = text.trimmed();
    invalidateRowsFilter();
}

void SharingFilter::setState(State state) {
    state_ = state;
    invalidateRowsFilter();
}

bool SharingFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const design::SharingCandidate& candidate =
        static_cast<const SharingModel*>(sourceModel())->candidate(row);
    const State state = candidate.forbidden ? State::Forbidden
                        : candidate.shared  ? State::Shared
                                            : State::NotShared;
    if (state_ != State::Any && state != state_)
        return false;
    if (text_.isEmpty())
        return true;
    for (const int column : {SharingModel::Unit, SharingModel::Sites, SharingModel::Reason})
        if (sourceModel()
                ->index(row, column, parent)
                .data()
                .toString()
                .contains(text_, Qt::CaseInsensitive))
            return true;
    return false;
}

} // namespace marquetry::widgets
