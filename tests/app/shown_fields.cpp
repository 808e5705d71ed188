#include "shown_fields.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/text/elided_label.h"

#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QPushButton>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QToolButton>

#include <algorithm>

namespace marquetry::test {

namespace {

constexpr int kSmallestPixels = 9;

/// In sight as a whole: what scrolls is cut by its scroll area.
bool isWhole(const QWidget& widget) {
    return widget.isVisible() && !widget.visibleRegion().isEmpty() &&
           widget.visibleRegion().boundingRect() == widget.rect();
}

QString fieldText(const QWidget& widget) {
    if (const auto* const label = qobject_cast<const QLabel*>(&widget))
        return label->text();
    if (const auto* const button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text();
    if (const auto* const box = qobject_cast<const QComboBox*>(&widget))
        return box->currentText();
    if (const auto* const spin = qobject_cast<const QAbstractSpinBox*>(&widget))
        return spin->text();
    return {};
}

/// Someone has made what it is in lower than its texts are.
bool isSqueezed(const QLabel& label) {
    for (const QWidget* at = label.parentWidget(); at && !at->isWindow(); at = at->parentWidget())
        if (const QLayout* const layout = at->layout();
            layout && layout->hasHeightForWidth() &&
            at->height() < layout->minimumHeightForWidth(at->width()))
            return true;
    return false;
}

bool isCut(const QWidget& widget) {
    if (const auto* const label = qobject_cast<const QLabel*>(&widget)) {
        if (const auto* const elided = dynamic_cast<const widgets::ElidedLabel*>(label))
            return elided->toolTip() != elided->text();
        if (label->wordWrap())
            return !isSqueezed(*label) && label->height() < label->heightForWidth(label->width());
        return label->width() < label->sizeHint().width();
    }
    if (const auto* const box = qobject_cast<const QComboBox*>(&widget)) {
        QStyleOptionComboBox form;
        form.initFrom(box);
        const int room =
            box->style()
                ->subControlRect(QStyle::CC_ComboBox, &form, QStyle::SC_ComboBoxEditField, box)
                .width();
        return box->fontMetrics().horizontalAdvance(box->currentText()) > room &&
               box->toolTip().isEmpty();
    }
    const bool field = qobject_cast<const QAbstractSpinBox*>(&widget) ||
                       qobject_cast<const QToolButton*>(&widget) ||
                       qobject_cast<const QPushButton*>(&widget) ||
                       qobject_cast<const QCheckBox*>(&widget);
    return field && widget.width() < widget.minimumSizeHint().width();
}

} // namespace

QStringList cutFields(const QWidget& window) {
    QStringList cut;
    for (const QWidget* const widget : window.findChildren<QWidget*>()) {
        const QString text = fieldText(*widget);
        if (widget->window() != &window || text.isEmpty() || !isWhole(*widget) ||
            widget->objectName().startsWith(QStringLiteral("qt_")))
            continue;
        if (isCut(*widget))
            cut << QStringLiteral("cut in %1 (%2 wide): %3")
                       .arg(QLatin1String(widget->metaObject()->className()))
                       .arg(widget->width())
                       .arg(text);
        if (QFontInfo(widget->font()).pixelSize() < kSmallestPixels)
            cut << QStringLiteral("too small: ") + text;
    }
    return cut;
}

QStringList emptyPictures(const QWidget& window) {
    QStringList empty;
    for (const auto* const canvas : window.findChildren<widgets::CanvasView*>()) {
        if (!canvas->isVisible() || canvas->scene().empty())
            continue;
        const QRectF seen = canvas->viewport().visible();
        const auto inSight = [&](const widgets::SceneBox& box) {
            return box.rect.intersects(seen);
        };
        if (std::ranges::none_of(canvas->scene().boxes, inSight) &&
            std::ranges::none_of(canvas->scene().frames, inSight))
            empty << canvas->accessibleName();
    }
    return empty;
}

} // namespace marquetry::test
