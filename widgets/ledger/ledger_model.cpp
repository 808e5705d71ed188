#include "widgets/ledger/ledger_model.h"

#include "engine/design/ledger_table.h"
#include "widgets/models/column_title.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

using design::LedgerCell;
using design::LedgerField;
using design::LedgerRow;

const design::LedgerColumn& columnAt(int column) {
    return design::ledgerColumns()[static_cast<std::size_t>(column)];
}

bool isPercent(LedgerField field) {
    return field == LedgerField::Share || field == LedgerField::Use;
}

/// What a row has none of is not written as a number.
QString shownText(const LedgerCell& cell, LedgerField field) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return *whole == 0 ? QStringLiteral("–") : grouped(*whole);
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr)
        return {};
    if (isPercent(field))
        return QString::number(*number, 'f', 1);
    const std::int64_t rounded = std::llround(*number);
    return rounded == 0 ? QStringLiteral("–") : grouped(rounded);
}

QString plainText(const LedgerCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return QString::number(*whole);
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? QString::number(*number, 'f', 2) : QString();
}

QVariant sortKeyOf(const LedgerCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text).toLower();
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return static_cast<qlonglong>(*whole);
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? *number : -1.0;
}

} // namespace

void LedgerModel::setLedger(const std::shared_ptr<const design::Ledger>& ledger,
                            design::LedgerRows which) {
    std::vector<LedgerRow> wanted;
    if (ledger && ledger->missing.empty()) {
        wanted = ledger->rows(which);
        wanted.push_back(totalRow(*ledger));
    }
    const bool otherWhole = !ledger_ || !ledger || ledger_->cycles != ledger->cycles;
    const int common = std::min(rowCount(), static_cast<int>(wanted.size()));
    if (common < rowCount()) {
        beginRemoveRows({}, common, rowCount() - 1);
        rows_.resize(static_cast<std::size_t>(common));
        endRemoveRows();
    }
    ledger_ = ledger;
    for (int k = 0; k < common; ++k) {
        LedgerRow& shown = rows_[static_cast<std::size_t>(k)];
        LedgerRow& fresh = wanted[static_cast<std::size_t>(k)];
        if (shown == fresh && !otherWhole) // shares are of the whole
            continue;
        shown = std::move(fresh);
        Q_EMIT dataChanged(index(k, 0), index(k, columnCount() - 1));
    }
    if (common < static_cast<int>(wanted.size())) {
        beginInsertRows({}, common, static_cast<int>(wanted.size()) - 1);
        rows_.insert(rows_.end(), std::make_move_iterator(wanted.begin() + common),
                     std::make_move_iterator(wanted.end()));
        endInsertRows();
    }
}

int LedgerModel::rowOf(const std::string& layer) const {
    const auto found = std::ranges::find_if(rows_, [&](const LedgerRow& row) {
        return !row.isTransfer() && row.unit && row.name == layer;
    });
    return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

bool LedgerModel::isUsed(int column) const {
    const LedgerField field = columnAt(column).field;
    return std::ranges::any_of(rows_, [&](const LedgerRow& row) {
        const QString text = shownText(cellOf(*ledger_, row, field), field);
        return !text.isEmpty() && text != QStringLiteral("–");
    });
}

QStringList LedgerModel::titles() {
    QStringList titles;
    for (const design::LedgerColumn& column : design::ledgerColumns())
        titles << tr(column.title);
    return titles;
}

int LedgerModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LedgerModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(design::ledgerColumns().size());
}

QString LedgerModel::toolTip(const LedgerRow& row, int column) const {
    const design::LedgerColumn& about = columnAt(column);
    const QString text = plainText(cellOf(*ledger_, row, about.field));
    const QString name = QString::fromStdString(row.name);
    return tr("%1, %2: %3\n%4")
        .arg(name, tr(about.title), text.isEmpty() ? QStringLiteral("–") : text, tr(about.tip));
}

QVariant LedgerModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const LedgerRow& shown = row(index.row());
    const design::LedgerColumn& column = columnAt(index.column());
    const LedgerCell cell = cellOf(*ledger_, shown, column.field);
    switch (role) {
    case Qt::DisplayRole:
        return shownText(cell, column.field);
    case Qt::ToolTipRole:
        return toolTip(shown, index.column());
    case Qt::TextAlignmentRole:
        return int((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return sortKeyOf(cell);
    case PlainRole:
        return plainText(cell);
    case TotalRole:
        return isTotal(index.row());
    default:
        return {};
    }
}

QVariant LedgerModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((columnAt(section).number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return columnTitle(design::ledgerColumns(), metaObject()->className(), section, role);
}

} // namespace marquetry::widgets
