#include "widgets/text/table_set_up.h"

#include <QHeaderView>

namespace marquetry::widgets {

void setUpTable(QTableView& table, QAbstractItemModel* model, const QString& name, int height) {
    table.setModel(model);
    table.setAccessibleName(name);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setAlternatingRowColors(true);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(height);
    table.horizontalHeader()->setStretchLastSection(true);
    table.horizontalHeader()->setHighlightSections(false);
}

} // namespace marquetry::widgets
