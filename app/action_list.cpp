#include "app/action_list.h"

#include <QAbstractButton>
#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QWidget>

#include <algorithm>
#include <limits>
#include <map>

namespace marquetry::app {

namespace {

QString withoutMnemonic(QString text) {
    text.replace(QStringLiteral("&&"), QString(QChar(1)));
    text.remove(u'&');
    text.replace(QChar(1), u'&');
    return text;
}

void collect(const QMenu& menu, const QString& place, std::map<const QAction*, QString>& places,
             std::vector<QAction*>& order) {
    for (QAction* const action : menu.actions())
        if (const QMenu* const inner = action->menu()) {
            collect(*inner, place, places, order);
        } else if (!places.contains(action)) {
            places[action] = place;
            order.push_back(action);
        }
}

/// Of the nearest widget around it that has a name for people, and is not what it is reached by.
QString placeOf(const QAction& action) {
    for (const QObject* at = action.parent(); at; at = at->parent()) {
        const auto* widget = qobject_cast<const QWidget*>(at);
        const bool way = qobject_cast<const QMainWindow*>(widget) ||
                         qobject_cast<const QMenu*>(widget) ||
                         qobject_cast<const QAbstractButton*>(widget);
        if (!widget || way)
            continue;
        if (!widget->accessibleName().isEmpty())
            return widget->accessibleName();
    }
    return QObject::tr("Window");
}

bool isListed(const QAction& action) {
    return !action.isSeparator() && !action.menu() && action.isVisible() &&
           !action.text().isEmpty();
}

ListedAction listed(QAction* action, const QString& place) {
    const QString text = withoutMnemonic(action->text());
    const QString tip = action->statusTip().isEmpty() ? text : action->statusTip();
    return {action, text, place, action->shortcut().toString(QKeySequence::NativeText), tip};
}

bool beginsWord(const QString& text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

} // namespace

std::vector<ListedAction> actionsOf(const QWidget& window) {
    std::map<const QAction*, QString> places;
    std::vector<QAction*> order;
    if (const auto* bar = window.findChild<QMenuBar*>())
        for (const QAction* const menu : bar->actions())
            if (menu->menu())
                collect(*menu->menu(), withoutMnemonic(menu->text()), places, order);
    std::vector<ListedAction> list;
    for (QAction* const action : order)
        if (isListed(*action))
            list.push_back(listed(action, places[action]));
    std::vector<ListedAction> others;
    for (QAction* const action : window.findChildren<QAction*>())
        if (isListed(*action) && !places.contains(action))
            others.push_back(listed(action, placeOf(*action)));
    std::ranges::stable_sort(others, [](const ListedAction& one, const ListedAction& other) {
        return std::pair(one.place, one.text) < std::pair(other.place, other.text);
    });
    list.insert(list.end(), others.begin(), others.end());
    return list;
}

std::optional<int> fuzzyCost(const QString& typed, const QString& text) {
    constexpr int kNever = std::numeric_limits<int>::max() / 2;
    QString letters = typed.toCaseFolded();
    letters.remove(u' ');
    const QString among = text.toCaseFolded();
    const auto length = static_cast<std::size_t>(among.size());
    // costs[k]: of the letters so far, the last of which is at k.
    std::vector<int> costs;
    for (qsizetype letter = 0; letter < letters.size(); ++letter) {
        std::vector<int> next(length, kNever);
        int before = letter == 0 ? 0 : kNever; // the least of those that end further left
        for (std::size_t k = 0; k < length; ++k) {
            const auto at = static_cast<qsizetype>(k);
            const bool run = letter > 0 && k > 0 && costs[k - 1] < kNever;
            if (among[at] == letters[letter]) {
                next[k] = before < kNever ? before + (beginsWord(among, at) ? 1 : 4) : kNever;
                if (run)
                    next[k] = std::min(next[k], costs[k - 1]);
            }
            if (letter > 0)
                before = std::min(before, costs[k]);
        }
        costs = std::move(next);
    }
    if (letters.isEmpty())
        return 0;
    const int least = costs.empty() ? kNever : *std::ranges::min_element(costs);
    return least < kNever ? std::optional(least) : std::nullopt;
}

} // namespace marquetry::app
