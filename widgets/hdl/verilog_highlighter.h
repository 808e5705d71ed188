// VerilogHighlighter: colours for Verilog-2001 and the SystemVerilog words our files use.
//
// Categories, found left to right by one scanner: comments (line and block, across lines), strings,
// compiler directives (`define), system tasks ($display), numbers (8'hFF, 1_000), keywords, types,
// module instance ports (.clk). Complexity: linear in the line. Thread rule: window's thread.
#pragma once

#include <QSyntaxHighlighter>
#include <QTextCharFormat>

#include <array>
#include <vector>

namespace marquetry::widgets {

enum class VerilogToken {
    Comment,
    String,
    Directive,
    SystemTask,
    Number,
    Keyword,
    Type,
    Port,
    Count
};

struct VerilogSpan {
    VerilogToken token;
    int start = 0;
    int length = 0;
    bool operator==(const VerilogSpan&) const = default;
};

/// One line. `inComment` says whether a block comment is open, before and (changed) after it.
std::vector<VerilogSpan> scanVerilog(const QString& line, bool& inComment);

class VerilogHighlighter : public QSyntaxHighlighter {
    Q_OBJECT
public:
    explicit VerilogHighlighter(QTextDocument* document);

    /// Light or dark paper: picks legible colours and colours everything anew.
    void setDark(bool dark);

protected:
    void highlightBlock(const QString& text) override;

private:
    std::array<QTextCharFormat, static_cast<std::size_t>(VerilogToken::Count)> formats_;
};

} // namespace marquetry::widgets
