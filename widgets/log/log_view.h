// LogView: what happened, one line each — the session's own lines, the command line of every
// action, and what went wrong.
//
// Lines are never edited; the oldest leave after kMaxLines. Commands start with "$ " and can be
// pasted into a shell. Thread rule: window's thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QWidget>

#include <memory>

class QLineEdit;
class QPlainTextEdit;

namespace marquetry::widgets {

enum class LogKind { Message, Command, Error };

class LogView : public QWidget {
    Q_OBJECT
public:
    static constexpr int kMaxLines = 10000;

    explicit LogView(QWidget* parent = nullptr);

    void append(LogKind kind, const QString& text);
    /// Adds the session's lines that are newer than the last one shown.
    void setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot);
    QString toText() const;
    /// Letters, digits and hyphens around the text cursor, such as a rule's name.
    QString nameAtCursor() const;

Q_SIGNALS:
    void nameDoubleClicked(const QString& name);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void appendSessionLine(const session::LogLine& line);
    void find();

    QPlainTextEdit* text_ = nullptr;
    QLineEdit* find_ = nullptr;
    std::uint64_t nextNumber_ = 0;
};

} // namespace marquetry::widgets
