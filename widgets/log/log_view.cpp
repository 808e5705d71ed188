#include "widgets/log/log_view.h"

#include "widgets/theme/theme.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QTextBlock>
#include <QTextCharFormat>
#include <QVBoxLayout>

namespace marquetry::widgets {

LogView::LogView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("logView"));
    text_ = new QPlainTextEdit(this);
    text_->setReadOnly(true);
    text_->setMaximumBlockCount(kMaxLines);
    text_->setFont(monoFont(9.5));
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setAccessibleName(tr("Log"));
    text_->setTabChangesFocus(true);
    text_->setFrameShape(QFrame::NoFrame);
    text_->viewport()->installEventFilter(this);
    find_ = new QLineEdit(this);
    find_->setPlaceholderText(tr("Find in the log"));
    find_->setAccessibleName(tr("Find in the log"));
    find_->setClearButtonEnabled(true);
    connect(find_, &QLineEdit::returnPressed, this, &LogView::find);

    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 4, 6, 0);
    row->addWidget(find_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(text_, 1);
}

void LogView::append(LogKind kind, const QString& text) {
    const bool atEnd = text_->textCursor().atEnd();
    QTextCursor cursor(text_->document());
    cursor.movePosition(QTextCursor::End);
    if (!text_->document()->isEmpty())
        cursor.insertBlock();
    QTextCharFormat format;
    if (kind == LogKind::Command)
        format.setFontWeight(QFont::DemiBold);
    const QString mark = kind == LogKind::Command ? QStringLiteral("$ ")
                         : kind == LogKind::Error ? QStringLiteral("! ")
                                                  : QStringLiteral("  ");
    cursor.insertText(mark + text, format);
    if (atEnd) {
        text_->moveCursor(QTextCursor::End);
        text_->moveCursor(QTextCursor::StartOfLine);
    }
}

void LogView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    for (const session::LogLine& line : snapshot->log) {
        if (line.number < nextNumber_)
            continue;
        appendSessionLine(line);
        nextNumber_ = line.number + 1;
    }
}

void LogView::appendSessionLine(const session::LogLine& line) {
    constexpr qsizetype kPrompt = 2; ///< "$ ", which the view writes itself
    const QString text = QString::fromStdString(line.text);
    switch (line.kind) {
    case session::LineKind::Command:
        return append(LogKind::Command, text.mid(kPrompt));
    case session::LineKind::Refusal:
        return append(LogKind::Error, text);
    case session::LineKind::Message:
        return append(LogKind::Message, text);
    }
}

QString LogView::toText() const {
    return text_->toPlainText();
}

QString LogView::nameAtCursor() const {
    const QTextCursor cursor = text_->textCursor();
    const QString line = cursor.block().text();
    const auto named = [&](qsizetype at) {
        return at >= 0 && at < line.size() && (line[at].isLetterOrNumber() || line[at] == u'-');
    };
    qsizetype begin = cursor.positionInBlock();
    qsizetype end = begin;
    while (named(begin - 1))
        --begin;
    while (named(end))
        ++end;
    return line.mid(begin, end - begin);
}

bool LogView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonDblClick) {
        const auto* const click = static_cast<QMouseEvent*>(event);
        text_->setTextCursor(text_->cursorForPosition(click->position().toPoint()));
        if (const QString name = nameAtCursor(); !name.isEmpty())
            Q_EMIT nameDoubleClicked(name);
    }
    return QWidget::eventFilter(watched, event);
}

void LogView::find() {
    if (text_->find(find_->text()))
        return;
    text_->moveCursor(QTextCursor::Start);
    text_->find(find_->text());
}

} // namespace marquetry::widgets
