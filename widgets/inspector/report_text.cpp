#include "widgets/inspector/report.h"

#include <QStringList>

namespace marquetry::widgets {

namespace {

QString linkHtml(const ReportRow& row) {
    const QString value = row.value.toHtmlEscaped();
    return isEmpty(row.link) ? value
                             : QStringLiteral("<a href=\"%1%2\">%3</a>")
                                   .arg(row.zooms ? kZoomPrefix : QString(),
                                        toLink(row.link).toHtmlEscaped(), value);
}

QString markdownValue(const ReportRow& row) {
    QString value = row.value;
    value.replace(u'|', QStringLiteral("\\|"));
    return isEmpty(row.link) ? value : QStringLiteral("%1 (`%2`)").arg(value, toLink(row.link));
}

} // namespace

QString toHtml(const Report& report, QSize picture) {
    QString html = QStringLiteral("<h2>%1</h2>").arg(report.title.toHtmlEscaped());
    if (!report.equation.isEmpty() && !picture.isEmpty())
        html += QStringLiteral("<p><img src=\"%1\" width=\"%2\" height=\"%3\"></p>")
                    .arg(kRulePicture)
                    .arg(picture.width())
                    .arg(picture.height());
    for (const ReportSection& section : report.sections) {
        html += QStringLiteral("<h3>%1</h3><table cellspacing=\"0\" cellpadding=\"2\" "
                               "width=\"100%\">")
                    .arg(section.title.toHtmlEscaped());
        for (const ReportRow& row : section.rows) {
            html += row.name.isEmpty()
                        ? QStringLiteral("<tr><td colspan=\"2\">%1").arg(linkHtml(row))
                        : QStringLiteral("<tr><td class=\"name\" width=\"34%\">%1</td><td>%2")
                              .arg(row.name.toHtmlEscaped(), linkHtml(row));
            if (!row.note.isEmpty())
                html += QStringLiteral("<br><span class=\"note\">%1</span>")
                            .arg(row.note.toHtmlEscaped());
            html += QStringLiteral("</td></tr>");
        }
        html += QStringLiteral("</table>");
    }
    return html;
}

QString toMarkdown(const Report& report) {
    QString markdown = QStringLiteral("## %1\n").arg(report.title);
    for (const ReportSection& section : report.sections) {
        markdown += QStringLiteral("\n### %1\n\n| | | |\n|---|---|---|\n").arg(section.title);
        for (const ReportRow& row : section.rows) {
            QString note = row.note;
            note.replace(u'|', QStringLiteral("\\|"));
            markdown += QStringLiteral("| %1 | %2 | %3 |\n")
                            .arg(row.name.trimmed(), markdownValue(row), note);
        }
    }
    return markdown;
}

QString toText(const Report& report) {
    QString out = report.title + QLatin1Char('\n');
    for (const ReportSection& section : report.sections) {
        out += QStringLiteral("[%1]\n").arg(section.title);
        for (const ReportRow& row : section.rows) {
            QStringList parts{row.name.trimmed(), row.value};
            if (!isEmpty(row.link))
                parts << QStringLiteral("→ ") + toLink(row.link);
            if (!row.note.isEmpty())
                parts << QStringLiteral("(%1)").arg(row.note);
            parts.removeAll(QString());
            out += QStringLiteral("  ") + parts.join(QStringLiteral("  ")) + QLatin1Char('\n');
        }
    }
    return out;
}

} // namespace marquetry::widgets
