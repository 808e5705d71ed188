// Titles and tips of a model's columns, which are in a table. Thread rule: window's thread.
#pragma once

#include <QCoreApplication>
#include <QVariant>

#include <cstddef>

namespace marquetry::widgets {

/// Title or tip of a section, in the words of the model `context`; nothing for other roles.
template <class Columns>
QVariant columnTitle(const Columns& columns, const char* context, int section, int role) {
    const auto& column = columns[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return QCoreApplication::translate(context, column.title);
    if (role == Qt::ToolTipRole)
        return QCoreApplication::translate(context, column.tip);
    return {};
}

} // namespace marquetry::widgets
