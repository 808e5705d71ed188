#include "widgets/schedule/timetable_filter.h"

#include "engine/design/timetable_table.h"
#include "widgets/schedule/timetable_model.h"

namespace marquetry::widgets {

namespace {

/// A step that is only handed to its queue keeps the run for that one clock.
constexpr std::int64_t kLeastCritical = 2;

bool isAmong(const design::TimedStep& step, StepsShown shown) {
    switch (shown) {
    case StepsShown::All:
        return true;
    case StepsShown::Calls:
        return step.queue == design::Queue::Calls;
    case StepsShown::Second:
        return design::isBeside(step.queue);
    case StepsShown::Transfers:
        return step.queue == design::Queue::Transfers;
    case StepsShown::Critical:
        return step.critical >= kLeastCritical;
    }
    return true;
}

} // namespace

TimetableFilter::TimetableFilter(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(TimetableModel::SortRole);
    setDynamicSortFilter(true);
}

void TimetableFilter::setText(const QString& text) {
    text_ = text.trimmed();
    invalidateRowsFilter();
}

void TimetableFilter::setShown(StepsShown shown) {
    shown_ = shown;
    invalidateRowsFilter();
}

bool TimetableFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto& model = *static_cast<const TimetableModel*>(sourceModel());
    if (!isAmong(model.step(row), shown_))
        return false;
    if (text_.isEmpty())
        return true;
    for (const design::TimetableColumn& column : design::timetableColumns())
        if (!column.number && model.index(row, static_cast<int>(column.field), parent)
                                  .data()
                                  .toString()
                                  .contains(text_, Qt::CaseInsensitive))
            return true;
    return false;
}

} // namespace marquetry::widgets
