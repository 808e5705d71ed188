// SharingFilter: rows whose unit, call sites or reason hold a text, and whose state is wanted.
//
// Sorting goes by SharingModel::SortRole, ties by the order of the model. Thread rule: window's
// thread.
#pragma once

#include <QSortFilterProxyModel>

namespace marquetry::widgets {

class SharingFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    enum class State { Any, Shared, NotShared, Forbidden };

    explicit SharingFilter(QObject* parent = nullptr);
    void setText(const QString& text);
    void setState(State state);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString text_;
    State state_ = State::Any;
};

} // namespace marquetry::widgets
