// ComparisonFilter: rows in which some text holds what is looked for, and, if that is wanted, only
// those in which the two designs differ.
//
// Sorting goes by ComparisonModel::SortRole, ties by the order of the model. Thread rule: window's
// thread.
#pragma once

#include "widgets/compare/comparison_model.h"

#include <QSortFilterProxyModel>

namespace marquetry::widgets {

class ComparisonFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit ComparisonFilter(ComparisonModel* model, QObject* parent = nullptr);
    void setText(const QString& text);
    void setOnlyDifferent(bool only);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString text_;
    bool onlyDifferent_ = false;
};

} // namespace marquetry::widgets
