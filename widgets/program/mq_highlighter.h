// MqHighlighter: colours for the .mq language — item words, scalars, operators of the op table's
// form (a name before a parenthesis), numbers, strings, comments.
//
// Complexity: linear in the line. Thread rule: window's thread.
#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

#include <array>
#include <vector>

namespace marquetry::widgets {

enum class MqToken { Comment, String, Number, Keyword, Scalar, Call, Label, Count };

struct MqSpan {
    MqToken token;
    int start = 0;
    int length = 0;
    bool operator==(const MqSpan&) const = default;
};

std::vector<MqSpan> scanMq(const QString& line);

class MqHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    explicit MqHighlighter(QTextDocument* document);
    void setDark(bool dark);

protected:
    void highlightBlock(const QString& text) override;

private:
    std::array<QTextCharFormat, static_cast<std::size_t>(MqToken::Count)> formats_;
};

} // namespace marquetry::widgets
