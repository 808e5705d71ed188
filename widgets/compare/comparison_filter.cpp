#include "widgets/compare/comparison_filter.h"

namespace marquetry::widgets {

ComparisonFilter::ComparisonFilter(ComparisonModel* model, QObject* parent)
    : QSortFilterProxyModel(parent) {
    setSortRole(ComparisonModel::SortRole);
    setDynamicSortFilter(true);
    setSourceModel(model);
}

void ComparisonFilter::setText(const QString& text) {
    text_ = text.trimmed();
    invalidateRowsFilter();
}

void ComparisonFilter::setOnlyDifferent(bool only) {
    onlyDifferent_ = only;
    invalidateRowsFilter();
}

bool ComparisonFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    const auto& model = *static_cast<const ComparisonModel*>(sourceModel());
    if (onlyDifferent_ && model.index(row, 0, parent).data(ComparisonModel::EqualRole).toBool())
        return false;
    const auto columns = design::comparisonColumns(model.rows());
    for (int column = 0; column < model.columnCount(); ++column)
        if (columns[static_cast<std::size_t>(column)].form == design::CellForm::Text &&
            model.index(row, column, parent).data().toString().contains(text_, Qt::CaseInsensitive))
            return true;
    return text_.isEmpty();
}

} // namespace marquetry::widgets
