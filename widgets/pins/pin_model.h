// PinModel: the session's pins as rows — what it does, to what, for which layer, and whether it is
// in force.
//
// The model shows the last snapshot and changes nothing itself: ticking a box emits
// enableRequested, and the row follows when the session has answered. Rows keep their identity by
// pin id, so selection survives an update. Columns: Kind (with the check box), Target, Layer.
// Complexity: O(pins) per update. Thread rule: window's thread.
#pragma once

#include "widgets/models/pin_text.h"

#include <QAbstractTableModel>

#include <vector>

namespace marquetry::widgets {

class PinModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Kind, Target, Layer, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setPins(const std::vector<design::Pin>& pins);
    const design::Pin& pin(int row) const { return pins_[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void enableRequested(int id, bool enabled);

private:
    std::vector<design::Pin> pins_;
};

} // namespace marquetry::widgets
