#include "widgets/text/code_view.h"

#include "widgets/theme/theme.h"

#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>

#include <algorithm>

namespace marquetry::widgets {

class CodeMargin : public QWidget {
public:
    explicit CodeMargin(CodeView* view) : QWidget(view), view_(view) {}
    QSize sizeHint() const override { return {view_->marginWidth(), 0}; }

protected:
    void paintEvent(QPaintEvent* event) override { view_->paintMargin(event); }
    void mousePressEvent(QMouseEvent* event) override {
        Q_EMIT view_->marginClicked(view_->lineAt(event->pos().y()));
    }
    bool event(QEvent* event) override {
        if (event->type() != QEvent::ToolTip)
            return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), view_->markTip(help->pos().y()), this);
        return true;
    }

private:
    CodeView* view_;
};

CodeView::CodeView(QWidget* parent) : QPlainTextEdit(parent), margin_(new CodeMargin(this)) {
    setReadOnly(true);
    setFont(monoFont(9.5));
    setLineWrapMode(NoWrap);
    setTabChangesFocus(true);
    setFrameShape(QFrame::NoFrame);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &CodeView::placeMargin);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            margin_->scroll(0, dy);
        else
            margin_->update(0, rect.y(), margin_->width(), rect.height());
    });
    placeMargin();
}

int CodeView::marginWidth() const {
    const int digits = std::max<int>(2, static_cast<int>(QString::number(blockCount()).size()));
    const int mark = fontMetrics().height() + 2;
    return mark + fontMetrics().horizontalAdvance(u'9') * digits + 8;
}

void CodeView::placeMargin() {
    setViewportMargins(marginWidth(), 0, 0, 0);
    const QRect area = contentsRect();
    margin_->setGeometry(area.left(), area.top(), marginWidth(), area.height());
}

void CodeView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    placeMargin();
}

void CodeView::paintMargin(QPaintEvent* event) {
    QPainter painter(margin_);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), palette().color(QPalette::AlternateBase));
    QTextBlock block = firstVisibleBlock();
    qreal top = blockBoundingGeometry(block).translated(contentOffset()).top();
    const int height = fontMetrics().height();
    while (block.isValid() && top <= event->rect().bottom()) {
        const int line = block.blockNumber() + 1;
        const int y = qRound(top);
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(0, y, margin_->width() - 6, height, Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(line));
        if (const auto mark = marks_.find(line); mark != marks_.end()) {
            const QRectF disc(2, y + 1, height - 2, height - 2);
            painter.setPen(Qt::NoPen);
            painter.setBrush(mark->second.colour);
            painter.drawEllipse(disc);
            painter.setPen(qGray(mark->second.colour.rgb()) > 140 ? Qt::black : Qt::white);
            painter.drawText(disc, Qt::AlignCenter, mark->second.letter);
        }
        top += blockBoundingRect(block).height();
        block = block.next();
    }
}

int CodeView::lineAt(int y) const {
    return cursorForPosition(QPoint(0, y)).blockNumber() + 1;
}

QString CodeView::markTip(int y) const {
    const auto mark = marks_.find(lineAt(y));
    return mark == marks_.end() ? QString() : mark->second.tip;
}

void CodeView::setMarks(const QVector<LineMark>& marks) {
    marks_.clear();
    for (const LineMark& mark : marks)
        marks_.emplace(mark.line, mark);
    margin_->update();
}

void CodeView::setHighlightedLines(const QVector<int>& lines) {
    highlighted_ = lines;
    refreshSelections();
}

void CodeView::setUnderlines(const QList<QTextEdit::ExtraSelection>& underlines) {
    underlines_ = underlines;
    refreshSelections();
}

void CodeView::refreshSelections() {
    QList<QTextEdit::ExtraSelection> all;
    QColor tint = palette().color(QPalette::Highlight);
    tint.setAlphaF(0.25F);
    for (const int line : highlighted_) {
        const QTextBlock block = document()->findBlockByNumber(line - 1);
        if (!block.isValid())
            continue;
        QTextEdit::ExtraSelection selection;
        selection.cursor = QTextCursor(block);
        selection.format.setBackground(tint);
        selection.format.setProperty(QTextFormat::FullWidthSelection, true);
        all.append(selection);
    }
    setExtraSelections(all + underlines_);
}

void CodeView::goTo(int line, int column) {
    const QTextBlock block = document()->findBlockByNumber(line - 1);
    if (!block.isValid())
        return;
    QTextCursor cursor(block);
    cursor.setPosition(block.position() + std::clamp(column - 1, 0, block.length() - 1));
    setTextCursor(cursor);
    centerCursor();
}

int CodeView::currentLine() const {
    return textCursor().blockNumber() + 1;
}

bool CodeView::findNext(const QString& text, bool backwards) {
    if (text.isEmpty())
        return false;
    const QTextDocument::FindFlags flags =
        backwards ? QTextDocument::FindBackward : QTextDocument::FindFlags();
    if (find(text, flags))
        return true;
    const QTextCursor before = textCursor();
    moveCursor(backwards ? QTextCursor::End : QTextCursor::Start);
    if (find(text, flags))
        return true;
    setTextCursor(before);
    return false;
}

int CodeView::countMatches(const QString& text) const {
    return text.isEmpty()
               ? 0
               : static_cast<int>(document()->toPlainText().count(text, Qt::CaseInsensitive));
}

bool CodeView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), markTip(help->pos().y()), this);
        return true;
    }
    return QPlainTextEdit::viewportEvent(event);
}

} // namespace marquetry::widgets
