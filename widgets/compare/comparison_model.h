// ComparisonModel: one table of a comparison — its figures, its layers, its units, or its buffers.
//
// The columns are those of engine/design/comparison_table.h with their definitions as tool tips.
// A difference carries its sign; it is coloured by the design that it speaks for, and the column
// "Better" says the same in letters. What a design has none of is "–". Roles: SortRole gives a
// number or lower-case text per column, PlainRole what files hold, EqualRole whether both designs
// have the same there, InkRole the colour as a role of the theme. A new comparison resets the
// model. Complexity: that of the cells asked for. Thread rule: window's thread.
#pragma once

#include "engine/design/comparison_table.h"
#include "widgets/theme/theme.h"

#include <QAbstractTableModel>

#include <memory>

namespace marquetry::widgets {

class ComparisonModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { SortRole = Qt::UserRole, PlainRole, EqualRole, InkRole };

    explicit ComparisonModel(design::ComparisonRows rows, QObject* parent = nullptr)
        : QAbstractTableModel(parent), rows_(rows) {}

    /// Null: nothing to show.
    void setComparison(const std::shared_ptr<const design::Comparison>& comparison);
    void setTheme(const Theme& theme);
    design::ComparisonRows rows() const { return rows_; }
    QStringList titles() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const design::ComparisonColumn& column(int at) const;
    QString toolTip(const QModelIndex& index) const;
    widgets::Role ink(const QModelIndex& index) const;
    bool isEqual(std::size_t row) const;

    design::ComparisonRows rows_;
    std::shared_ptr<const design::Comparison> comparison_;
    const Theme* theme_ = &lightTheme();
};

} // namespace marquetry::widgets
