#include "widgets/text/view_menu.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QTableView>
#include <QTextEdit>
#include <QTreeView>

#include <algorithm>
#include <utility>
#include <vector>

namespace marquetry::widgets {

namespace {

/// Null: lists have none.
const QHeaderView* headerOf(const QAbstractItemView& table) {
    if (const auto* const tree = qobject_cast<const QTreeView*>(&table))
        return tree->header();
    if (const auto* const grid = qobject_cast<const QTableView*>(&table))
        return grid->horizontalHeader();
    return nullptr;
}

std::vector<int> shownColumns(const QAbstractItemView& table) {
    const QHeaderView* const header = headerOf(table);
    if (!header)
        return {0};
    std::vector<int> columns;
    for (int place = 0; place < header->count(); ++place)
        if (const int column = header->logicalIndex(place); !header->isSectionHidden(column))
            columns.push_back(column);
    return columns;
}

/// From the outermost to the row itself, so that rows of trees are in the order of the picture.
std::vector<int> pathOf(const QModelIndex& row) {
    std::vector<int> path;
    for (QModelIndex at = row; at.isValid(); at = at.parent())
        path.push_back(at.row());
    std::ranges::reverse(path);
    return path;
}

QAbstractItemView* tableAround(QWidget* widget, const QWidget* view) {
    for (QWidget* at = widget; at && at != view; at = at->parentWidget())
        if (auto* const table = qobject_cast<QAbstractItemView*>(at))
            return table;
    return nullptr;
}

void addCopy(QMenu& menu, const QAbstractItemView& table) {
    const QString rows = selectedRows(table);
    if (rows.isEmpty())
        return;
    menu.addSeparator();
    QObject::connect(menu.addAction(QObject::tr("Copy")), &QAction::triggered, &menu,
                     [rows] { QGuiApplication::clipboard()->setText(rows); });
}

} // namespace

QString selectedRows(const QAbstractItemView& table) {
    if (!table.selectionModel())
        return {};
    std::vector<QModelIndex> rows;
    for (const QModelIndex& cell : table.selectionModel()->selectedIndexes())
        if (const QModelIndex row = cell.siblingAtColumn(0);
            std::ranges::find(rows, row) == rows.end())
            rows.push_back(row);
    std::ranges::sort(rows, {}, pathOf);
    QString text;
    for (const QModelIndex& row : rows) {
        QStringList fields;
        for (const int column : shownColumns(table))
            fields << row.siblingAtColumn(column).data().toString().simplified();
        text += fields.join(u'\t') + u'\n';
    }
    return text;
}

ViewMenu::ViewMenu(QWidget* view, Fill fill) : QObject(view), view_(view), fill_(std::move(fill)) {
    view->installEventFilter(this);
    followTexts<QPlainTextEdit>();
    followTexts<QTextEdit>();
}

template <class Text>
void ViewMenu::followTexts() {
    for (Text* const text : view_->findChildren<Text*>()) {
        text->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(text, &QWidget::customContextMenuRequested, this, [text](QPoint place) {
            const QPoint scrolled(text->horizontalScrollBar()->value(),
                                  text->verticalScrollBar()->value());
            QMenu* const standard = text->createStandardContextMenu(place + scrolled);
            show(standard ? standard : new QMenu(text), text, text->viewport()->mapToGlobal(place));
        });
    }
}

void ViewMenu::show(QMenu* menu, QWidget* over, QPoint place) {
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    const ViewMenu* of = nullptr;
    for (QWidget* at = over; at && !of; at = at->parentWidget())
        of = at->findChild<ViewMenu*>(QString(), Qt::FindDirectChildrenOnly);
    if (const QAbstractItemView* const table = tableAround(over, of ? of->view_ : nullptr))
        addCopy(*menu, *table);
    if (of) {
        menu->addSeparator();
        of->fill_(*menu);
    }
    menu->popup(place);
}

// The view's own menu comes first: it has accepted the event.
bool ViewMenu::eventFilter(QObject* watched, QEvent* event) {
    if (watched != view_ || event->type() != QEvent::ContextMenu)
        return false;
    watched->event(event);
    if (event->isAccepted())
        return true;
    const auto* const asked = static_cast<QContextMenuEvent*>(event);
    const bool byMouse = asked->reason() == QContextMenuEvent::Mouse;
    QWidget* const inner = byMouse ? view_->childAt(asked->pos()) : QApplication::focusWidget();
    QWidget* const over = inner && view_->isAncestorOf(inner) ? inner : view_;
    auto* const menu = new QMenu(view_);
    if (const QAbstractItemView* const table = tableAround(over, view_))
        menu->addActions(table->actions());
    show(menu, over, asked->globalPos());
    event->accept();
    return true;
}

} // namespace marquetry::widgets
