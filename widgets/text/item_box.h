// The box in which a view's item is picked, one of those a file has.
// Thread rule: window's thread.
#pragma once

#include <QComboBox>

namespace marquetry::widgets {

class ItemBox : public QComboBox {
    Q_OBJECT
public:
    /// `name`: what an item is, for screen readers.
    ItemBox(const QString& name, const QString& tip, QWidget* parent);

    /// Enabled when there is a choice. No signal.
    void setItems(const QStringList& names, std::size_t current);

Q_SIGNALS:
    void picked(const QString& item);
};

/// Of a memory or a stream of a file; empty while there is none.
template <class Item>
QString nameOf(const Item& item) {
    return item.program ? QString::fromStdString(item.program->name) : QString();
}

template <class Items>
QStringList namesOf(const Items& items) {
    QStringList names;
    for (const auto& item : items)
        names << nameOf(item);
    return names;
}

} // namespace marquetry::widgets
