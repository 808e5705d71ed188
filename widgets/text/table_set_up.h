// How tables of whole rows look and are walked everywhere: one row is selected at a time, and Tab
// leaves the table. Thread rule: window's thread.
#pragma once

#include <QTableView>

class QAbstractItemModel;

namespace marquetry::widgets {

/// `name` is for screen readers; rows are `height` pixels high.
void setUpTable(QTableView& table, QAbstractItemModel* model, const QString& name, int height);

} // namespace marquetry::widgets
