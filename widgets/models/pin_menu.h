// Menus that pin: the same entries wherever a subject is shown.
//
// `View` has the signals pinRequested(design::Pin) and unpinRequested(int). Thread rule: window's
// thread.
#pragma once

#include "widgets/models/pin_choices.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

namespace marquetry::widgets {

/// Asks for the choice: for its pin, or to take that away.
template <class View>
void requestPin(View* view, const PinChoice& choice) {
    if (choice.pinned())
        Q_EMIT view->unpinRequested(choice.pin.id);
    else
        Q_EMIT view->pinRequested(choice.pin);
}

/// One entry per choice for the subject, and a line below them.
template <class View>
void addPinActions(QMenu* menu, View* view, const SnapshotIndex& index, const Subject& subject) {
    for (const PinChoice& choice : pinChoices(index, subject))
        QObject::connect(menu->addAction(choice.text), &QAction::triggered, view,
                         [view, choice] { requestPin(view, choice); });
    if (!menu->isEmpty())
        menu->addSeparator();
}

inline void addCopyId(QMenu* menu, const Subject& subject) {
    QObject::connect(menu->addAction(QObject::tr("Copy id")), &QAction::triggered, menu,
                     [subject] { QGuiApplication::clipboard()->setText(toLink(subject)); });
}

} // namespace marquetry::widgets
