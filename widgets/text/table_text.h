// Tables as text that other programs read: comma-separated values and Markdown.
//
// The first row is the header. Thread rule: pure.
#pragma once

#include <QStringList>

#include <vector>

namespace marquetry::widgets {

/// Every field quoted, lines end in "\n".
QString csvText(const std::vector<QStringList>& rows);
QString markdownText(const std::vector<QStringList>& rows);

} // namespace marquetry::widgets
