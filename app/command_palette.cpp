#include "app/command_palette.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTextBrowser>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace marquetry::app {

namespace {

constexpr int kPaletteWidth = 640;
constexpr int kPaletteHeight = 420;
enum PaletteColumn { Name, Place, Keys, PaletteColumns };

void setUpList(QTreeWidget& list) {
    list.setObjectName(QStringLiteral("commands"));
    list.setAccessibleName(QObject::tr("Commands"));
    list.setHeaderLabels({QObject::tr("Command"), QObject::tr("Where"), QObject::tr("Keys")});
    list.setRootIsDecorated(false);
    list.setUniformRowHeights(true);
    list.setAllColumnsShowFocus(true);
    list.setFocusPolicy(Qt::NoFocus); // the field has the keys
    list.header()->setStretchLastSection(false);
    list.header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    list.header()->setSectionResizeMode(Place, QHeaderView::ResizeToContents);
    list.header()->setSectionResizeMode(Keys, QHeaderView::ResizeToContents);
}

} // namespace

CommandPalette::CommandPalette(QWidget& window)
    : QDialog(&window),
      actions_(actionsOf(window)),
      field_(new QLineEdit(this)),
      list_(new QTreeWidget(this)),
      tip_(new QLabel(this)) {
    setObjectName(QStringLiteral("commandPalette"));
    setWindowTitle(tr("Commands"));
    setAttribute(Qt::WA_DeleteOnClose);
    field_->setObjectName(QStringLiteral("commandFilter"));
    field_->setAccessibleName(tr("Filter the commands"));
    field_->setPlaceholderText(tr("Type letters of a command"));
    field_->installEventFilter(this);
    setUpList(*list_);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(field_, &QLineEdit::returnPressed, this, [this] { perform(list_->currentItem()); });
    connect(list_, &QTreeWidget::itemClicked, this, &CommandPalette::perform);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this](const QTreeWidgetItem* item) {
        tip_->setText(item ? item->toolTip(Name) : tr("No command has these letters."));
    });
    tip_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->addWidget(field_);
    column->addWidget(list_);
    column->addWidget(tip_);
    resize(kPaletteWidth, kPaletteHeight);
    filter({});
    field_->setFocus();
}

/// The best first; of equals those that come first in the menus.
void CommandPalette::filter(const QString& typed) {
    std::vector<std::pair<int, std::size_t>> shown;
    for (std::size_t k = 0; k < actions_.size(); ++k) {
        const ListedAction& each = actions_[k];
        const auto name = fuzzyCost(typed, each.text);
        const auto whole = fuzzyCost(typed, each.place + u' ' + each.text);
        if (name || whole)
            shown.emplace_back(name ? 2 * *name : 2 * *whole + 1, k);
    }
    std::ranges::sort(shown);
    list_->clear();
    for (const auto& [cost, k] : shown) {
        const ListedAction& each = actions_[k];
        auto* item = new QTreeWidgetItem(list_, {each.text, each.place, each.keys});
        item->setData(Name, Qt::UserRole, QVariant::fromValue(static_cast<qulonglong>(k)));
        const bool possible = each.action && each.action->isEnabled();
        item->setData(Name, kPossibleRole, possible);
        item->setToolTip(Name, possible ? each.tip : tr("%1 (not possible now)").arg(each.tip));
        // Not disabled: the list would pass over it, and Enter would do the next best command.
        for (int column = 0; !possible && column < PaletteColumns; ++column)
            item->setForeground(column, palette().brush(QPalette::Disabled, QPalette::Text));
    }
    if (!shown.empty())
        list_->setCurrentItem(list_->topLevelItem(0));
}

/// After the palette has gone, so that what opens is in front.
void CommandPalette::perform(const QTreeWidgetItem* item) {
    if (!item || !item->data(Name, kPossibleRole).toBool())
        return;
    const auto index = item->data(Name, Qt::UserRole).toULongLong();
    const QPointer<QAction> action = actions_[static_cast<std::size_t>(index)].action;
    close();
    if (action)
        QTimer::singleShot(0, action, [action] { action->trigger(); });
}

/// The keys that move in a list move in this one while letters go to the field.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched != field_ || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto& pressed = static_cast<const QKeyEvent&>(*event);
    const int rows = list_->topLevelItemCount();
    int row = list_->indexOfTopLevelItem(list_->currentItem());
    constexpr int kPage = 10;
    switch (pressed.key()) {
    case Qt::Key_Up:
        row -= 1;
        break;
    case Qt::Key_Down:
        row += 1;
        break;
    case Qt::Key_PageUp:
        row -= kPage;
        break;
    case Qt::Key_PageDown:
        row += kPage;
        break;
    default:
        return QDialog::eventFilter(watched, event);
    }
    if (rows > 0)
        list_->setCurrentItem(list_->topLevelItem(std::clamp(row, 0, rows - 1)));
    return true;
}

QDialog* makeKeySheet(QWidget& window) {
    auto* sheet = new QDialog(&window);
    sheet->setObjectName(QStringLiteral("keySheet"));
    sheet->setWindowTitle(QObject::tr("Keyboard Shortcuts"));
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    QString html;
    QString place;
    for (const ListedAction& each : actionsOf(window)) {
        if (each.keys.isEmpty())
            continue;
        if (std::exchange(place, each.place) != each.place)
            html += QStringLiteral("<tr><td colspan=2><b>%1</b></td></tr>")
                        .arg(each.place.toHtmlEscaped());
        html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(each.keys.toHtmlEscaped(), each.tip.toHtmlEscaped());
    }
    auto* text = new QTextBrowser(sheet);
    text->setAccessibleName(QObject::tr("Every key"));
    text->setHtml(QStringLiteral("<table cellspacing=4>%1</table>").arg(html));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, sheet);
    QObject::connect(buttons, &QDialogButtonBox::rejected, sheet, &QDialog::reject);
    auto* column = new QVBoxLayout(sheet);
    column->addWidget(text);
    column->addWidget(buttons);
    sheet->resize(kPaletteWidth, kPaletteHeight + 160);
    return sheet;
}

} // namespace marquetry::app
