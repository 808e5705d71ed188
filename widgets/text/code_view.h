// CodeView: read-only source text with line numbers, marks in the margin and find.
//
// Lines count from 1. A mark is a letter in a coloured disc beside its line (never colour alone)
// with a tooltip; two marks on one line: the first given wins. Thread rule: window's thread.
#pragma once

#include <QColor>
#include <QPlainTextEdit>
#include <QVector>

#include <map>

namespace marquetry::widgets {

struct LineMark {
    int line = 0;
    QChar letter;
    QColor colour;
    QString tip;
};

class CodeView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit CodeView(QWidget* parent = nullptr);

    void setMarks(const QVector<LineMark>& marks);
    /// Tints these lines (a selected layer's statement, a unit's instance).
    void setHighlightedLines(const QVector<int>& lines);
    /// Kept above the tinted lines.
    void setUnderlines(const QList<QTextEdit::ExtraSelection>& underlines);
    /// Puts the cursor there and shows it.
    void goTo(int line, int column = 1);
    int currentLine() const;
    /// The next match after the cursor, wrapping round; false when there is none.
    bool findNext(const QString& text, bool backwards = false);
    int countMatches(const QString& text) const;

    int marginWidth() const;
    void paintMargin(QPaintEvent* event);
    QString markTip(int y) const;

Q_SIGNALS:
    void marginClicked(int line);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void placeMargin();
    void refreshSelections();
    int lineAt(int y) const;
    friend class CodeMargin;

    QWidget* margin_ = nullptr;
    std::map<int, LineMark> marks_;
    QVector<int> highlighted_;
    QList<QTextEdit::ExtraSelection> underlines_;
};

} // namespace marquetry::widgets
