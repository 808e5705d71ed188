// ViewMenu: every menu of a view ends alike, and no place of a view is without one.
//
// A view adds what it knows about what is under the pointer, and shows its menu by show(); there
// the rows that are selected can be copied, and then comes what whoever has the view offers for all
// of it. Where a view shows no menu of its own, one with that alone opens. Texts keep the entries
// of Qt's own menu, and fields of text that whole menu. Thread rule: window's thread.
#pragma once

#include <QObject>
#include <QString>

#include <functional>

class QAbstractItemView;
class QMenu;
class QPoint;
class QWidget;

namespace marquetry::widgets {

class ViewMenu : public QObject {
    Q_OBJECT
public:
    using Fill = std::function<void(QMenu&)>;

    /// For as long as the view lives. What is inside of it is there already.
    ViewMenu(QWidget* view, Fill fill);

    /// Ends the menu, and shows it; closed, it is gone. `over`: the part of the view that it is of.
    static void show(QMenu* menu, QWidget* over, QPoint place);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    template <class Text>
    void followTexts();

    QWidget* view_ = nullptr;
    Fill fill_;
};

/// The selected rows, in their order, with the columns that are shown: tabs between fields, a line
/// for each row. Empty: none is selected.
QString selectedRows(const QAbstractItemView& table);

} // namespace marquetry::widgets
