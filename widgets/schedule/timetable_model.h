// TimetableModel: the steps of a timetable, a row each, in the order of the schedule.
//
// The columns are those of engine/design/timetable_table.h with their definitions as tool tips.
// Waits that are none are "–". Roles: SortRole gives a number or lower-case text per column,
// PlainRole what files hold. A new timetable updates, inserts and removes rows and never resets the
// model. Complexity: O(steps). Thread rule: window's thread.
#pragma once

#include "engine/design/timetable.h"

#include <QAbstractTableModel>

#include <memory>
#include <string>

namespace marquetry::widgets {

class TimetableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { SortRole = Qt::UserRole, PlainRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null, or one without steps: nothing to show.
    void setTimetable(const std::shared_ptr<const design::Timetable>& timetable);
    const design::TimedStep& step(int row) const;
    /// The first step of the layer that is no transfer; −1: none.
    int rowOf(const std::string& layer) const;
    /// Whether some step has something in the column.
    bool isUsed(int column) const;
    /// In files: the titles of all columns.
    static QStringList titles();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const design::Timetable> timetable_; ///< of which `rows_` steps are shown
    int rows_ = 0;
};

} // namespace marquetry::widgets
