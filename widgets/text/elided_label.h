// ElidedLabel: one line of text that gives way with "…" instead of widening what it is in.
//
// The whole text is the tooltip and the accessible description. Thread rule: window's thread.
#pragma once

#include <QLabel>
#include <QPaintEvent>
#include <QPainter>

namespace marquetry::widgets {

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr) : QLabel(parent) {
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        setMinimumWidth(80);
    }

    void showText(const QString& text) {
        setText(text);
        setToolTip(text);
        setAccessibleDescription(text);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(contentsRect(), static_cast<int>(alignment()),
                         fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
    }
};

} // namespace marquetry::widgets
