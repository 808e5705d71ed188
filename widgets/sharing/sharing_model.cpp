#include "widgets/sharing/sharing_model.h"

#include "widgets/models/column_title.h"
#include "widgets/models/selection.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace marquetry::widgets {

namespace {

struct ColumnInfo {
    const char* title;
    const char* tip;
    bool number;
};

constexpr std::array<ColumnInfo, SharingModel::ColumnCount> kColumns{{
    {"Unit", "The hardware block that could be built once", false},
    {"Call sites", "Layers that can use it", false},
    {"State", "What became of it; the check box asks \"what if?\"", false},
    {"Saved DSP", "DSP blocks saved against one copy per call site", true},
    {"Extra cycles", "Cycles the sharing costs", true},
    {"Busy", "Share of all cycles in which the unit works", true},
    {"Why", "Why it is shared, or why not", false},
}};

QString joined(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names)
        list << QString::fromStdString(name);
    return list.join(QStringLiteral(", "));
}

int rank(const design::SharingCandidate& candidate) {
    return candidate.forbidden ? 2 : candidate.shared ? 0 : 1;
}

} // namespace

std::string pinTarget(const design::SharingCandidate& candidate) {
    const std::size_t mark = candidate.name.rfind(" #");
    return mark == std::string::npos ? candidate.name : candidate.name.substr(0, mark);
}

SharingModel::SharingModel(QObject* parent) : QAbstractTableModel(parent) {}

std::vector<SharingModel::Row> SharingModel::rowsOf(const SnapshotIndex& index) const {
    std::vector<Row> rows;
    if (index.design() == nullptr)
        return rows;
    for (const design::SharingCandidate& candidate : index.design()->candidates) {
        Row row{candidate, {}};
        if (index.exists(candidate.eclass))
            row.candidate.eclass = index.egraph()->find(candidate.eclass);
        for (const design::PinKind kind : {design::PinKind::Share, design::PinKind::NeverShare})
            if (const design::Pin* pin = index.pin(kind, pinTarget(candidate), ""))
                row.pin = *pin;
        rows.push_back(std::move(row));
    }
    return rows;
}

void SharingModel::setQuestion(const std::string& target) {
    if (target == question_)
        return;
    question_ = target;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, State), index(rowCount() - 1, State));
}

void SharingModel::setIndex(const std::shared_ptr<const SnapshotIndex>& index) {
    std::vector<Row> wanted = rowsOf(*index);
    const auto nameOf = [](const Row& row) -> const std::string& { return row.candidate.name; };
    for (int k = rowCount(); k-- > 0;)
        if (std::ranges::find(wanted, candidate(k).name, nameOf) == wanted.end()) {
            beginRemoveRows({}, k, k);
            rows_.erase(rows_.begin() + k);
            endRemoveRows();
        }
    for (int k = 0; k < static_cast<int>(wanted.size()); ++k) {
        Row& row = wanted[static_cast<std::size_t>(k)];
        const auto found = std::find_if(rows_.begin() + k, rows_.end(), [&](const Row& other) {
            return other.candidate.name == row.candidate.name;
        });
        const int at = static_cast<int>(found - rows_.begin());
        if (found == rows_.end()) {
            beginInsertRows({}, k, k);
            rows_.insert(rows_.begin() + k, std::move(row));
            endInsertRows();
            continue;
        }
        if (at != k) {
            beginMoveRows({}, at, at, {}, k);
            std::rotate(rows_.begin() + k, found, found + 1);
            endMoveRows();
        }
        rows_[static_cast<std::size_t>(k)] = std::move(row);
        Q_EMIT dataChanged(this->index(k, 0), this->index(k, ColumnCount - 1));
    }
}

int SharingModel::rowOf(egraph::EClassId eclass) const {
    const auto found =
        std::ranges::find(rows_, eclass, [](const Row& row) { return row.candidate.eclass; });
    return found == rows_.end() || !eclass.valid() ? -1 : static_cast<int>(found - rows_.begin());
}

const design::Pin* SharingModel::pin(int row) const {
    const design::Pin& pin = rows_[static_cast<std::size_t>(row)].pin;
    return pin.id != 0 ? &pin : nullptr;
}

int SharingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int SharingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString SharingModel::stateText(const design::SharingCandidate& candidate) {
    if (candidate.forbidden)
        return tr("⊘ forbidden");
    return candidate.shared ? tr("● shared") : tr("○ not shared");
}

QVariant SharingModel::text(const Row& row, int column) const {
    const design::SharingCandidate& candidate = row.candidate;
    switch (column) {
    case Unit:
        return QString::fromStdString(candidate.name);
    case Sites:
        if (candidate.callSites.empty())
            return QStringLiteral("–");
        return QStringLiteral("%1: %2")
            .arg(candidate.callSites.size())
            .arg(joined(candidate.callSites));
    case State:
        return stateText(candidate) + (row.pin.id != 0 ? QStringLiteral(" ⌾") : QString()) +
               (pinTarget(candidate) == question_ ? tr(" · what if?") : QString());
    case SavedDsp:
        return amount(candidate.savedDsp);
    case ExtraCycles:
        return grouped(candidate.extraCycles);
    case Utilisation:
        return candidate.shared
                   ? QStringLiteral("%1 %").arg(std::lround(100 * candidate.utilisation))
                   : QStringLiteral("–");
    default:
        return QString::fromStdString(candidate.reason);
    }
}

QVariant SharingModel::sortKey(const Row& row, int column) const {
    const design::SharingCandidate& candidate = row.candidate;
    switch (column) {
    case Sites:
        return static_cast<int>(candidate.callSites.size());
    case State:
        return rank(candidate);
    case SavedDsp:
        return candidate.savedDsp;
    case ExtraCycles:
        return static_cast<qlonglong>(candidate.extraCycles);
    case Utilisation:
        return candidate.shared ? candidate.utilisation : -1.0;
    default:
        return text(row, column).toString().toLower();
    }
}

QString SharingModel::toolTip(const Row& row, int column) const {
    if (column != State)
        return text(row, column).toString();
    if (row.pin.id != 0)
        return tr("pinned: %1").arg(QString::fromStdString(toString(row.pin)));
    return tr("Switch to see the design with the opposite (W); Space pins it");
}

QVariant SharingModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::CheckStateRole:
        if (column == State)
            return row.candidate.shared ? Qt::Checked : Qt::Unchecked;
        return {};
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(
            (kColumns[static_cast<std::size_t>(column)].number ? Qt::AlignRight : Qt::AlignLeft) |
            Qt::AlignVCenter));
    case SortRole:
        return sortKey(row, column);
    case CandidateRole:
        return row.candidate.eclass.valid() ? toLink(row.candidate.eclass) : QString();
    default:
        return {};
    }
}

QStringList SharingModel::titles() {
    QStringList titles;
    for (const ColumnInfo& column : kColumns)
        titles << tr(column.title);
    return titles;
}

QVariant SharingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    return columnTitle(kColumns, metaObject()->className(), section, role);
}

Qt::ItemFlags SharingModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren;
    if (index.column() == State)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool SharingModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != State)
        return false;
    Q_EMIT toggled(index.row(), value.toInt() == Qt::Checked);
    return true;
}

} // namespace marquetry::widgets
