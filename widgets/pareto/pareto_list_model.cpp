#include "widgets/pareto/pareto_list_model.h"

#include "widgets/models/column_title.h"
#include "widgets/pareto/pareto_data.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <array>

namespace marquetry::widgets {

using design::DesignPoint;

namespace {

struct PointColumn {
    const char* title;
    const char* tip;
};

constexpr std::array<PointColumn, ParetoListModel::ColumnCount> kPointColumns{{
    {QT_TR_NOOP("Cycles"), QT_TR_NOOP("Of a frame, as the cost model has them")},
    {QT_TR_NOOP("DSP"), QT_TR_NOOP("DSP blocks")},
    {QT_TR_NOOP("Block RAM"), QT_TR_NOOP("Blocks of memory")},
    {QT_TR_NOOP("LUT"), QT_TR_NOOP("Look-up tables")},
    {QT_TR_NOOP("FF"), QT_TR_NOOP("Flip-flops")},
    {QT_TR_NOOP("Standing"), QT_TR_NOOP("On the front no other design has less of one thing "
                                        "without more of another")},
    {QT_TR_NOOP("Design"), QT_TR_NOOP("What its units share")},
}};

double numberOf(const DesignPoint& point, int column) {
    switch (column) {
    case ParetoListModel::Cycles:
        return point.cyclesPerFrame();
    case ParetoListModel::Dsp:
        return point.resources.dsp;
    case ParetoListModel::Bram:
        return point.resources.bram;
    case ParetoListModel::Lut:
        return point.resources.lut;
    default:
        return point.resources.ff;
    }
}

QString cellText(const DesignPoint& point, int column) {
    if (column == ParetoListModel::Design)
        return QString::fromStdString(point.label);
    if (column != ParetoListModel::Standing)
        return amount(numberOf(point, column));
    return standingText(point);
}

} // namespace

void ParetoListModel::setPoints(const session::SharedList<DesignPoint>& points,
                                std::vector<std::size_t> rows) {
    beginResetModel();
    points_ = points;
    rows_ = std::move(rows);
    endResetModel();
}

int ParetoListModel::rowOf(std::size_t point) const {
    const auto found = std::ranges::find(rows_, point);
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

int ParetoListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ParetoListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ParetoListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const std::size_t place = rows_[static_cast<std::size_t>(index.row())];
    const DesignPoint& point = points_[place];
    const bool words = index.column() >= Standing;
    switch (role) {
    case Qt::DisplayRole:
        return cellText(point, index.column());
    case Qt::UserRole:
        return words ? QVariant(cellText(point, index.column()))
                     : QVariant(numberOf(point, index.column()));
    case kIndexRole:
        return QVariant::fromValue(static_cast<qulonglong>(place));
    case Qt::ToolTipRole:
        return pointText(point);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (words ? Qt::AlignLeft : Qt::AlignRight));
    default:
        return {};
    }
}

QVariant ParetoListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    return columnTitle(kPointColumns, metaObject()->className(), section, role);
}

} // namespace marquetry::widgets
