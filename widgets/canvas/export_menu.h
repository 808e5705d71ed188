// Menu entries that write what a view shows into a file the user names.
//
// The view has exportTo(path, scale), which writes by the path's suffix, and the signal message().
// Views of a picture and tables have exported(), toCsv(), toMarkdown() and toText() as well.
// Thread rule: window's thread.
#pragma once

#include "engine/support/result.h"
#include "widgets/canvas/picture.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
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

/// By the ending of the name: svg, csv, md, txt, and png for every other.
template <class View>
Status saveShown(const View& view, const QString& path, double scale) {
    const QString ending = QFileInfo(path).suffix();
    if (ending == QLatin1String("svg"))
        return saveSvg(view.exported(), path);
    if (ending == QLatin1String("csv"))
        return saveText(view.toCsv(), path);
    if (ending == QLatin1String("md"))
        return saveText(view.toMarkdown(), path);
    if (ending == QLatin1String("txt"))
        return saveText(view.toText(), path);
    return savePng(view.exported(), path, scale);
}

/// The menu of a view that is saved by saveShown().
template <class View>
QMenu* makeExportMenu(View* view, const QString& title, const QString& stem) {
    auto* menu = new QMenu(View::tr("Export"), view);
    addExports(menu, view, title, stem,
               {{View::tr("PNG…"), "png"},
                {View::tr("PNG, 2×…"), "png", 2},
                {View::tr("SVG…"), "svg"},
                {View::tr("CSV…"), "csv"},
                {View::tr("Markdown…"), "md"},
                {View::tr("Text…"), "txt"}});
    QObject::connect(menu->addAction(View::tr("Copy picture")), &QAction::triggered, view,
                     [view] { copyImage(view->exported(), 2); });
    QObject::connect(menu->addAction(View::tr("Copy as Markdown")), &QAction::triggered, view,
                     [view] { QGuiApplication::clipboard()->setText(view->toMarkdown()); });
    return menu;
}

} // namespace marquetry::widgets
