#include "widgets/schedule/timetable_model.h"

#include "engine/design/timetable_table.h"
#include "widgets/models/column_title.h"
#include "widgets/text/number_text.h"

#include <algorithm>

namespace marquetry::widgets {

namespace {

using design::TimetableCell;
using design::TimetableField;

const design::TimetableColumn& timetableColumn(int column) {
    return design::timetableColumns()[static_cast<std::size_t>(column)];
}

/// Of these, nothing is no number.
bool isOfWaits(TimetableField field) {
    return field == TimetableField::Critical || field == TimetableField::QueueWaits ||
           field == TimetableField::MemoryWaits;
}

QString shownCell(const TimetableCell& cell, TimetableField field) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    const auto* number = std::get_if<std::int64_t>(&cell);
    if (number == nullptr)
        return {};
    return *number == 0 && isOfWaits(field) ? QStringLiteral("–") : grouped(*number);
}

QString plainCell(const TimetableCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    const auto* number = std::get_if<std::int64_t>(&cell);
    return number != nullptr ? QString::number(*number) : QString();
}

QVariant sortKey(const TimetableCell& cell) {
    if (const auto* number = std::get_if<std::int64_t>(&cell))
        return static_cast<qlonglong>(*number);
    return plainCell(cell).toLower();
}

} // namespace

void TimetableModel::setTimetable(const std::shared_ptr<const design::Timetable>& timetable) {
    const int wanted = timetable ? static_cast<int>(timetable->steps.size()) : 0;
    const int common = std::min(rows_, wanted);
    if (common < rows_) {
        beginRemoveRows({}, common, rows_ - 1);
        rows_ = common;
        endRemoveRows();
    }
    const bool other = common > 0 && !(*timetable == *timetable_);
    timetable_ = timetable;
    if (other)
        Q_EMIT dataChanged(index(0, 0), index(common - 1, columnCount() - 1));
    if (common < wanted) {
        beginInsertRows({}, common, wanted - 1);
        rows_ = wanted;
        endInsertRows();
    }
}

const design::TimedStep& TimetableModel::step(int row) const {
    return timetable_->steps[static_cast<std::size_t>(row)];
}

int TimetableModel::rowOf(const std::string& layer) const {
    for (int row = 0; row < rows_; ++row)
        if (!step(row).isTransfer() && step(row).name == layer)
            return row;
    return -1;
}

bool TimetableModel::isUsed(int column) const {
    const TimetableField field = timetableColumn(column).field;
    for (int row = 0; row < rows_; ++row) {
        const QString text =
            shownCell(cellOf(*timetable_, static_cast<std::size_t>(row), field), field);
        if (!text.isEmpty() && text != QStringLiteral("–"))
            return true;
    }
    return false;
}

QStringList TimetableModel::titles() {
    QStringList titles;
    for (const design::TimetableColumn& column : design::timetableColumns())
        titles << tr(column.title);
    return titles;
}

int TimetableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int TimetableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(design::timetableColumns().size());
}

QVariant TimetableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const design::TimetableColumn& column = timetableColumn(index.column());
    if (role == Qt::TextAlignmentRole)
        return int((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != SortRole && role != PlainRole)
        return {};
    const TimetableCell cell =
        cellOf(*timetable_, static_cast<std::size_t>(index.row()), column.field);
    switch (role) {
    case Qt::ToolTipRole:
        return tr("%1: %2\n%3")
            .arg(tr(column.title), shownCell(cell, column.field), tr(column.tip));
    case SortRole:
        return sortKey(cell);
    case PlainRole:
        return plainCell(cell);
    default:
        return shownCell(cell, column.field);
    }
}

QVariant TimetableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((timetableColumn(section).number ? Qt::AlignRight : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    return columnTitle(design::timetableColumns(), metaObject()->className(), section, role);
}

} // namespace marquetry::widgets
