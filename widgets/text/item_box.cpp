#include "widgets/text/item_box.h"

namespace marquetry::widgets {

ItemBox::ItemBox(const QString& name, const QString& tip, QWidget* parent) : QComboBox(parent) {
    setAccessibleName(name);
    setToolTip(tip);
    setMinimumContentsLength(12);
    connect(this, &QComboBox::activated, this, [this](int row) { Q_EMIT picked(itemText(row)); });
}

void ItemBox::setItems(const QStringList& names, std::size_t current) {
    QStringList shown;
    for (int row = 0; row < count(); ++row)
        shown << itemText(row);
    if (names != shown) {
        clear();
        addItems(names);
    }
    if (!names.isEmpty())
        setCurrentIndex(static_cast<int>(current));
    setEnabled(names.size() > 1);
}

} // namespace marquetry::widgets
