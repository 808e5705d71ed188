// TimetableFilter: steps whose texts hold a text, of one queue or of those that the run waits for.
//
// Sorting goes by TimetableModel::SortRole, ties by the order of the schedule. Thread rule:
// window's thread.
#pragma once

#include "engine/design/timetable.h"

#include <QSortFilterProxyModel>

namespace marquetry::widgets {

enum class StepsShown : std::uint8_t { All, Calls, Second, Transfers, Critical };

class TimetableFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit TimetableFilter(QObject* parent = nullptr);
    void setText(const QString& text);
    void setShown(StepsShown shown);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString text_;
    StepsShown shown_ = StepsShown::All;
};

} // namespace marquetry::widgets
