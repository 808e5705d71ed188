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

} // namespace marquetry::widgets
