#include "widgets/pins/pin_model.h"

#include <algorithm>

namespace marquetry::widgets {

using design::Pin;

// Pins leave and join one at a time in practice; the smallest set of row operations that turns the
// old list into the new one keeps selections and the current row in place.
void PinModel::setPins(const std::vector<Pin>& pins) {
    const auto contains = [](const std::vector<Pin>& list, int id) {
        return std::any_of(list.begin(), list.end(), [id](const Pin& p) { return p.id == id; });
    };
    for (int row = rowCount() - 1; row >= 0; --row)
        if (!contains(pins, pin(row).id)) {
            beginRemoveRows({}, row, row);
            pins_.erase(pins_.begin() + row);
            endRemoveRows();
        }
    for (std::size_t k = 0; k < pins.size(); ++k) {
        const int row = static_cast<int>(k);
        if (k >= pins_.size() || pins_[k].id != pins[k].id) {
            if (contains(pins_, pins[k].id)) { // reordered: no row operation is worth it
                beginResetModel();
                pins_ = pins;
                endResetModel();
                return;
            }
            beginInsertRows({}, row, row);
            pins_.insert(pins_.begin() + row, pins[k]);
            endInsertRows();
        } else if (!(pins_[k] == pins[k])) {
            pins_[k] = pins[k];
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
        }
    }
}

int PinModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(pins_.size());
}

int PinModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant PinModel::data(const QModelIndex& index, int role) const {
    const Pin& p = pin(index.row());
    if (role == Qt::CheckStateRole && index.column() == Kind)
        return p.enabled ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return p.enabled ? pinText(p) : tr("%1 (switched off)").arg(pinText(p));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Kind:
        return pinVerb(p.kind);
    case Target:
        return QString::fromStdString(p.target);
    case Layer:
        return p.layer.empty() ? tr("all") : QString::fromStdString(p.layer);
    default:
        return {};
    }
}

bool PinModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || index.column() != Kind)
        return false;
    Q_EMIT enableRequested(pin(index.row()).id, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags PinModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Kind ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant PinModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case Kind:
        return tr("Pin");
    case Target:
        return tr("Unit or term");
    case Layer:
        return tr("Layer");
    default:
        return {};
    }
}

} // namespace marquetry::widgets
