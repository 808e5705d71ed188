// ActionList: every action of the window and of the views in it, as they are now, with their keys.
//
// There is no other list: the command palette and the sheet of keys are made of it. Left out are
// actions without words, those that open a menu, and those of a widget that is gone. An action of a
// view belongs to it by the accessible name of the view; one of the window by the menu it is in.
// Thread rule: window's thread.
#pragma once

#include <QPointer>
#include <QString>

#include <optional>
#include <string_view>
#include <vector>

class QAction;
class QWidget;

namespace marquetry::app {

struct ListedAction {
    QPointer<QAction> action;
    QString text;  ///< without mnemonics: "Open…"
    QString place; ///< "File", "Sharing"
    QString keys;  ///< "Ctrl+O"; of several the first; empty: none
    QString tip;   ///< what it does
};

/// By place, those of the window first, in the order of the menus; then by text.
std::vector<ListedAction> actionsOf(const QWidget& window);

/// How well the letters of `typed` stand in this order in `text`, whatever their case: the less,
/// the better, beginnings of words and runs of letters first. Nothing: they do not. Spaces that
/// were typed are left out. Complexity: O(length of both multiplied).
std::optional<int> fuzzyCost(const QString& typed, const QString& text);

} // namespace marquetry::app
