#include "app/perspectives.h"

#include <QDockWidget>
#include <QMainWindow>
#include <QSettings>

namespace marquetry::app {

namespace {

const QString kCurrentKey = QStringLiteral("layout/current");

QString nameOf(Perspective perspective) {
    switch (perspective) {
    case Perspective::Explore:
        return QStringLiteral("explore");
    case Perspective::Inspect:
        return QStringLiteral("inspect");
    case Perspective::Export:
        return QStringLiteral("export");
    }
    return QStringLiteral("explore");
}

} // namespace

Perspectives::Perspectives(QMainWindow& window, const WindowDocks& docks, QSettings& settings)
    : QObject(&window), window_(window), docks_(docks), settings_(settings) {}

QString Perspectives::key(Perspective perspective) const {
    return QStringLiteral("layout/%1/%2").arg(kVersion).arg(nameOf(perspective));
}

void Perspectives::enter(Perspective perspective) {
    if (perspective != current_)
        settings_.setValue(key(current_), window_.saveState(kVersion));
    current_ = perspective;
    if (!restoreState())
        arrange();
    Q_EMIT entered(current_);
}

void Perspectives::reset() {
    settings_.remove(key(current_));
    arrange();
}

void Perspectives::save() {
    settings_.setValue(key(current_), window_.saveState(kVersion));
    settings_.setValue(kCurrentKey, nameOf(current_));
}

void Perspectives::restore() {
    const QString name = settings_.value(kCurrentKey).toString();
    current_ = Perspective::Explore;
    for (const Perspective perspective : {Perspective::Inspect, Perspective::Export})
        if (name == nameOf(perspective))
            current_ = perspective;
    if (!restoreState())
        arrange();
    Q_EMIT entered(current_);
}

bool Perspectives::restoreState() {
    const QByteArray state = settings_.value(key(current_)).toByteArray();
    return !state.isEmpty() && window_.restoreState(state, kVersion);
}

void Perspectives::arrange() {
    for (QDockWidget* dock : docks_.all()) {
        dock->setFloating(false);
        window_.removeDockWidget(dock);
    }
    for (QDockWidget* dock : {docks_.program, docks_.rules})
        window_.addDockWidget(Qt::LeftDockWidgetArea, dock);
    window_.addDockWidget(Qt::RightDockWidgetArea, docks_.inspector);
    for (QDockWidget* dock : {docks_.pareto, docks_.progress, docks_.pins, docks_.log})
        window_.addDockWidget(Qt::BottomDockWidgetArea, dock);
    switch (current_) {
    case Perspective::Explore:
        arrangeExplore();
        break;
    case Perspective::Inspect:
        arrangeInspect();
        break;
    case Perspective::Export:
        arrangeExport();
        break;
    }
}

void Perspectives::arrangeExplore() {
    for (QDockWidget* dock : docks_.all())
        dock->show();
    window_.splitDockWidget(docks_.pareto, docks_.progress, Qt::Horizontal);
    window_.tabifyDockWidget(docks_.progress, docks_.pins);
    window_.tabifyDockWidget(docks_.pins, docks_.log);
    docks_.progress->raise();
    window_.resizeDocks({docks_.program, docks_.inspector}, {400, 340}, Qt::Horizontal);
    window_.resizeDocks({docks_.pareto, docks_.progress}, {560, 1040}, Qt::Horizontal);
    window_.resizeDocks({docks_.pareto}, {280}, Qt::Vertical);
    window_.resizeDocks({docks_.program, docks_.rules}, {380, 280}, Qt::Vertical);
}

void Perspectives::arrangeInspect() {
    for (QDockWidget* dock : docks_.all())
        dock->setVisible(dock != docks_.progress && dock != docks_.log && dock != docks_.rules);
    window_.splitDockWidget(docks_.pareto, docks_.pins, Qt::Horizontal);
    window_.resizeDocks({docks_.program, docks_.inspector}, {300, 470}, Qt::Horizontal);
    window_.resizeDocks({docks_.pareto, docks_.pins}, {800, 800}, Qt::Horizontal);
    window_.resizeDocks({docks_.pareto}, {220}, Qt::Vertical);
}

void Perspectives::arrangeExport() {
    for (QDockWidget* dock : docks_.all())
        dock->setVisible(dock == docks_.log || dock == docks_.inspector);
    window_.resizeDocks({docks_.inspector}, {330}, Qt::Horizontal);
    window_.resizeDocks({docks_.log}, {190}, Qt::Vertical);
}

} // namespace marquetry::app
