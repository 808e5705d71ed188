// CommandPalette: every action of the window by its name, with its keys — typed letters filter, the
// arrows move, Enter does it.
//
// It is made of the actions that exist when it opens (action_list.h); what cannot be done now is
// grey. Escape, or a click elsewhere, closes it. Thread rule: window's thread.
#pragma once

#include "app/action_list.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace marquetry::app {

class CommandPalette : public QDialog {
    Q_OBJECT
public:
    /// Of an item's first column: its command can be done now.
    static constexpr int kPossibleRole = Qt::UserRole + 1;

    explicit CommandPalette(QWidget& window);

    QLineEdit* field() const { return field_; }
    QTreeWidget* list() const { return list_; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& typed);
    void perform(const QTreeWidgetItem* item);

    std::vector<ListedAction> actions_;
    QLineEdit* field_ = nullptr;
    QTreeWidget* list_ = nullptr;
    QLabel* tip_ = nullptr; ///< of the current command
};

/// A sheet with every key of the window and its views, by where it works.
QDialog* makeKeySheet(QWidget& window);

} // namespace marquetry::app
