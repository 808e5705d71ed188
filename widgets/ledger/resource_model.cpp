#include "widgets/ledger/resource_model.h"

#include "widgets/models/column_title.h"
#include "widgets/text/number_text.h"

#include <QStringList>

#include <algorithm>

namespace marquetry::widgets {

namespace {

struct ResourceColumn {
    const char* title;
    const char* tip;
    bool number;
};

constexpr std::array<ResourceColumn, ResourceModel::ColumnCount> kResourceColumns{{
    {"Resource", "Of the device", false},
    {"Used", "By the design; LUT and FF are estimates", true},
    {"Limit", "In force: the device's, or a smaller one of the settings", true},
    {"Share %", "Used ÷ limit", true},
    {"Device", "What the device has", true},
    {"Used by",
     "Units and memories, the greatest first; weights are in the memories of their units", false},
}};

QString usersText(const design::LedgerResource& resource, const QString& between) {
    QStringList users;
    for (const design::ResourceUser& user : resource.users)
        users << QStringLiteral("%1 %2").arg(QString::fromStdString(user.name),
                                             amount(user.amount));
    return users.join(between);
}

QString cellText(const design::LedgerResource& resource, int column) {
    switch (column) {
    case ResourceModel::Resource:
        return QString::fromStdString(resource.name);
    case ResourceModel::Used:
        return amount(resource.used);
    case ResourceModel::Limit:
        return amount(resource.limit);
    case ResourceModel::Share:
        return QString::number(100 * resource.share(), 'f', 1);
    case ResourceModel::Device:
        return amount(resource.device);
    default:
        return usersText(resource, QStringLiteral(", "));
    }
}

} // namespace

void ResourceModel::setLedger(const std::shared_ptr<const design::Ledger>& ledger) {
    std::vector<design::LedgerResource> wanted;
    if (ledger)
        wanted = ledger->resources;
    if (wanted.size() < rows_.size()) {
        beginRemoveRows({}, static_cast<int>(wanted.size()), rowCount() - 1);
        rows_.resize(wanted.size());
        endRemoveRows();
    }
    const std::size_t common = rows_.size();
    std::copy_n(wanted.begin(), common, rows_.begin());
    if (common > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    if (common < wanted.size()) {
        beginInsertRows({}, static_cast<int>(common), static_cast<int>(wanted.size()) - 1);
        rows_ = std::move(wanted);
        endInsertRows();
    }
}

int ResourceModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ResourceModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ResourceModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const design::LedgerResource& resource = rows_[static_cast<std::size_t>(index.row())];
    const bool number = kResourceColumns[static_cast<std::size_t>(index.column())].number;
    switch (role) {
    case Qt::DisplayRole:
        return cellText(resource, index.column());
    case Qt::ToolTipRole:
        return index.column() == Users ? usersText(resource, QStringLiteral("\n"))
                                       : headerData(index.column(), Qt::Horizontal, role);
    case Qt::TextAlignmentRole:
        return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ResourceModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    return columnTitle(kResourceColumns, metaObject()->className(), section, role);
}

} // namespace marquetry::widgets
