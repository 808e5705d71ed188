// Menu entries that write what a view shows into a file the user names.
//
// The view has exportTo(path, scale), which writes by the path's suffix, and the signal message().
// Thread rule: window's thread.
#pragma once

#include "engine/support/result.h"

#include <QFileDialog>
#include <QMenu>

#include <initializer_list>

namespace marquetry::widgets {

struct ExportFormat {
    QString text;       ///< of the entry, "PNG, 2×…"
    const char* suffix; ///< "png"
    double scale = 1;
};

/// Asks where to, writes, and says how it went. `stem`: of the file name that is offered.
template <class View>
void askExport(View* view, const QString& title, const QString& stem, const ExportFormat& format) {
    const QString ending = u'.' + QLatin1String(format.suffix);
    const QString path = QFileDialog::getSaveFileName(view, title, stem + ending, u'*' + ending);
    if (path.isEmpty())
        return;
    const Status saved = view->exportTo(path, format.scale);
    Q_EMIT view->message(saved ? View::tr("saved %1").arg(path)
                               : QString::fromStdString(marquetry::format(saved.error())));
}

template <class View>
void addExports(QMenu* menu, View* view, const QString& title, const QString& stem,
                std::initializer_list<ExportFormat> formats) {
    for (const ExportFormat& format : formats)
        QObject::connect(menu->addAction(format.text), &QAction::triggered, view,
                         [=] { askExport(view, title, stem, format); });
}

} // namespace marquetry::widgets
