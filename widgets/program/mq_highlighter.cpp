#include "widgets/program/mq_highlighter.h"

#include <QRegularExpression>
#include <QSet>

#include <optional>

namespace marquetry::widgets {

namespace {

const QSet<QString>& keywords() {
    static const QSet<QString> words{
        QStringLiteral("design"), QStringLiteral("stream"), QStringLiteral("memory"),
        QStringLiteral("input"),  QStringLiteral("weight"), QStringLiteral("let"),
        QStringLiteral("output"), QStringLiteral("array"),  QStringLiteral("for"),
        QStringLiteral("in"),     QStringLiteral("step"),   QStringLiteral("par"),
        QStringLiteral("ports"),  QStringLiteral("bank"),   QStringLiteral("copies"),
        QStringLiteral("read"),   QStringLiteral("write"),  QStringLiteral("fn"),
        QStringLiteral("assoc"),  QStringLiteral("Seq"),    QStringLiteral("STuple")};
    return words;
}

const QSet<QString>& scalars() {
    static const QSet<QString> words{
        QStringLiteral("i8"),  QStringLiteral("u8"),  QStringLiteral("i16"), QStringLiteral("u16"),
        QStringLiteral("i32"), QStringLiteral("u32"), QStringLiteral("bit")};
    return words;
}

std::optional<MqToken> wordToken(const QString& word, const QString& line, qsizetype after) {
    if (keywords().contains(word))
        return MqToken::Keyword;
    if (scalars().contains(word))
        return MqToken::Scalar;
    while (after < line.size() && line[after].isSpace())
        ++after;
    if (after < line.size() && line[after] == u'(')
        return MqToken::Call;
    // "pad: 1" is a label; the colon of "input x : i8" stands apart.
    if (after < line.size() && line[after] == u':' && line[after - 1].isLetterOrNumber() &&
        line.indexOf(u'(') >= 0 && line.indexOf(u'(') < after)
        return MqToken::Label;
    return std::nullopt;
}

} // namespace

std::vector<MqSpan> scanMq(const QString& line) {
    static const QRegularExpression token(QStringLiteral(
        R"((?<comment>//.*)|(?<string>"(?:\\.|[^"\\])*"?)|(?<word>[A-Za-z_]\w*)|(?<number>-?(?:0x[0-9A-Fa-f]+|\d+)))"));
    std::vector<MqSpan> spans;
    auto matches = token.globalMatch(line);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        std::optional<MqToken> kind;
        if (match.hasCaptured(u"comment"))
            kind = MqToken::Comment;
        else if (match.hasCaptured(u"string"))
            kind = MqToken::String;
        else if (match.hasCaptured(u"number"))
            kind = MqToken::Number;
        else
            kind = wordToken(match.captured(), line, match.capturedEnd());
        if (kind)
            spans.push_back({*kind, static_cast<int>(match.capturedStart()),
                             static_cast<int>(match.capturedLength())});
    }
    return spans;
}

MqHighlighter::MqHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    setDark(false);
}

void MqHighlighter::setDark(bool dark) {
    struct Ink {
        MqToken token;
        QRgb light;
        QRgb dark;
    };
    constexpr Ink kInks[] = {
        {MqToken::Comment, 0xFF6A737D, 0xFF8B949E}, {MqToken::String, 0xFF00735A, 0xFF4FD1A5},
        {MqToken::Number, 0xFFB34700, 0xFFF0A36B},  {MqToken::Keyword, 0xFF005A8F, 0xFF56B4E9},
        {MqToken::Scalar, 0xFF9A3F77, 0xFFE09AC4},  {MqToken::Call, 0xFF8A4B00, 0xFFE6B450},
        {MqToken::Label, 0xFF444C56, 0xFFADBAC7},
    };
    for (const Ink& ink : kInks) {
        QTextCharFormat& format = formats_[static_cast<std::size_t>(ink.token)];
        format.setForeground(QColor::fromRgb(dark ? ink.dark : ink.light));
        format.setFontItalic(ink.token == MqToken::Comment);
        format.setFontWeight(ink.token == MqToken::Keyword ? QFont::DemiBold : QFont::Normal);
    }
    rehighlight();
}

void MqHighlighter::highlightBlock(const QString& text) {
    for (const MqSpan& span : scanMq(text))
        setFormat(span.start, span.length, formats_[static_cast<std::size_t>(span.token)]);
}

} // namespace marquetry::widgets
