#include "widgets/text/table_text.h"

namespace marquetry::widgets {

QString csvText(const std::vector<QStringList>& rows) {
    QString text;
    for (const QStringList& row : rows) {
        QStringList fields;
        for (QString field : row)
            fields << u'"' + field.replace(u'"', QStringLiteral("\"\"")) + u'"';
        text += fields.join(u',') + u'\n';
    }
    return text;
}

QString markdownText(const std::vector<QStringList>& rows) {
    QString text;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        text += u'|';
        for (QString field : rows[k])
            text += u' ' + field.replace(u'|', QStringLiteral("\\|")) + QStringLiteral(" |");
        text += u'\n';
        if (k == 0)
            text += u'|' + QStringLiteral("---|").repeated(rows[k].size()) + u'\n';
    }
    return text;
}

} // namespace marquetry::widgets
