#include "widgets/text/failure_text.h"

#include <QObject>
#include <QStringList>

namespace marquetry::widgets {

QString failureText(const Diagnostics& failure) {
    QStringList lines;
    for (const Diagnostic& diagnostic : failure) {
        lines << QObject::tr("✕ %1").arg(QString::fromStdString(diagnostic.message));
        for (const std::string& note : diagnostic.notes)
            lines << QString::fromStdString(note);
        if (!diagnostic.hint.empty())
            lines << QObject::tr("Try: %1").arg(QString::fromStdString(diagnostic.hint));
    }
    return lines.join(u'\n');
}

} // namespace marquetry::widgets
