#include "widgets/hdl/verilog_highlighter.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace marquetry::widgets {

namespace {

const QSet<QString>& keywords() {
    static const QSet<QString> words = [] {
        const QString text = QStringLiteral(
            "always always_comb always_ff always_latch and assert assign automatic begin buf case "
            "casex casez default defparam disable else end endcase endfunction endgenerate "
            "endmodule "
            "endpackage endprimitive endspecify endtable endtask final for force forever fork "
            "function "
            "generate if iff import initial inside join localparam macromodule module nand negedge "
            "nor "
            "not or package parameter posedge primitive release repeat return signed specify "
            "specparam "
            "table task typedef unique unsigned wait while xnor xor");
        const QStringList list = text.split(u' ');
        return QSet<QString>(list.begin(), list.end());
    }();
    return words;
}

const QSet<QString>& types() {
    static const QSet<QString> words = [] {
        const QString text = QStringLiteral(
            "bit byte enum event genvar inout input int integer logic longint output "
            "packed real reg shortint string struct supply0 supply1 time tri union "
            "void wand wire wor");
        const QStringList list = text.split(u' ');
        return QSet<QString>(list.begin(), list.end());
    }();
    return words;
}

bool isWordStart(QChar c) {
    return c.isLetter() || c == u'_';
}

bool isWord(QChar c) {
    return c.isLetterOrNumber() || c == u'_' || c == u'$';
}

/// Walks one line and collects spans.
class Scanner {
public:
    explicit Scanner(const QString& line) : line_(line) {}

    std::vector<VerilogSpan> scan(bool& inComment) {
        if (inComment)
            inComment = !blockComment(0);
        while (at_ < line_.size() && !inComment)
            inComment = !token();
        return std::move(spans_);
    }

private:
    QChar peek(qsizetype ahead = 0) const {
        return at_ + ahead < line_.size() ? line_[at_ + ahead] : QChar();
    }
    void add(VerilogToken token, qsizetype from) {
        spans_.push_back({token, static_cast<int>(from), static_cast<int>(at_ - from)});
    }
    template <class Test>
    void skip(Test test) {
        while (at_ < line_.size() && test(line_[at_]))
            ++at_;
    }

    /// Whether the comment that began at `from` ends on this line.
    bool blockComment(qsizetype from) {
        const qsizetype end = line_.indexOf(QStringLiteral("*/"), at_);
        at_ = end < 0 ? line_.size() : end + 2;
        add(VerilogToken::Comment, from);
        return end >= 0;
    }

    void string() {
        const qsizetype from = at_++;
        while (at_ < line_.size() && line_[at_] != u'"')
            at_ += line_[at_] == u'\\' ? 2 : 1;
        at_ = std::min(at_ + 1, line_.size());
        add(VerilogToken::String, from);
    }

    void number() {
        const qsizetype from = at_;
        const auto digit = [](QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'?'; };
        skip([](QChar c) { return c.isDigit() || c == u'_'; });
        if (peek() == u'\'') {
            ++at_;
            skip(digit);
        } else if (peek() == u'.' && peek(1).isDigit()) {
            ++at_;
            skip([](QChar c) { return c.isDigit() || c == u'_'; });
        }
        add(VerilogToken::Number, from);
    }

    void marked(VerilogToken token) {
        const qsizetype from = at_++;
        skip(isWord);
        add(token, from);
    }

    void word() {
        const qsizetype from = at_;
        skip(isWord);
        const QString text = line_.mid(from, at_ - from);
        if (keywords().contains(text))
            add(VerilogToken::Keyword, from);
        else if (types().contains(text))
            add(VerilogToken::Type, from);
    }

    /// False when a block comment stays open at the end of the line.
    bool token() {
        const QChar c = peek();
        if (c == u'/' && peek(1) == u'*') {
            const qsizetype from = at_;
            at_ += 2;
            return blockComment(from);
        }
        if (c == u'/' && peek(1) == u'/') {
            const qsizetype from = at_;
            at_ = line_.size();
            add(VerilogToken::Comment, from);
        } else if (c == u'"') {
            string();
        } else if (c == u'`') {
            marked(VerilogToken::Directive);
        } else if (c == u'$' && isWordStart(peek(1))) {
            marked(VerilogToken::SystemTask);
        } else if (c == u'.' && isWordStart(peek(1))) {
            marked(VerilogToken::Port);
        } else if (c.isDigit() || (c == u'\'' && peek(1).isLetterOrNumber())) {
            number();
        } else if (isWordStart(c)) {
            word();
        } else {
            ++at_;
        }
        return true;
    }

    const QString& line_;
    qsizetype at_ = 0;
    std::vector<VerilogSpan> spans_;
};

} // namespace

std::vector<VerilogSpan> scanVerilog(const QString& line, bool& inComment) {
    return Scanner(line).scan(inComment);
}

VerilogHighlighter::VerilogHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {
    setDark(false);
}

void VerilogHighlighter::setDark(bool dark) {
    struct Ink {
        VerilogToken token;
        QRgb light;
        QRgb dark;
    };
    constexpr Ink kInks[] = {
        {VerilogToken::Comment, 0xFF6A737D, 0xFF8B949E},
        {VerilogToken::String, 0xFF00735A, 0xFF4FD1A5},
        {VerilogToken::Directive, 0xFF8A4B00, 0xFFE69F00},
        {VerilogToken::SystemTask, 0xFF8A4B00, 0xFFE69F00},
        {VerilogToken::Number, 0xFFB34700, 0xFFF0A36B},
        {VerilogToken::Keyword, 0xFF005A8F, 0xFF56B4E9},
        {VerilogToken::Type, 0xFF9A3F77, 0xFFE09AC4},
        {VerilogToken::Port, 0xFF444C56, 0xFFADBAC7},
    };
    for (const Ink& ink : kInks) {
        QTextCharFormat& format = formats_[static_cast<std::size_t>(ink.token)];
        format.setForeground(QColor::fromRgb(dark ? ink.dark : ink.light));
        format.setFontItalic(ink.token == VerilogToken::Comment);
        format.setFontWeight(ink.token == VerilogToken::Keyword ? QFont::DemiBold : QFont::Normal);
    }
    rehighlight();
}

void VerilogHighlighter::highlightBlock(const QString& text) {
    bool inComment = previousBlockState() == 1;
    for (const VerilogSpan& span : scanVerilog(text, inComment))
        setFormat(span.start, span.length, formats_[static_cast<std::size_t>(span.token)]);
    setCurrentBlockState(inComment ? 1 : 0);
}

} // namespace marquetry::widgets
