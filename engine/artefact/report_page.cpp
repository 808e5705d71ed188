#include "engine/artefact/report_page.h"

#include "engine/support/quote.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace marquetry::hdl {

namespace {

/// What printable() leaves and pages must not hold: marks of direction, and what is no character
/// of XML.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kShown = {{
    {"\xd8\x9c", "\\xd8\\x9c"},
    {"\xe2\x80\x8e", "\\xe2\\x80\\x8e"},
    {"\xe2\x80\x8f", "\\xe2\\x80\\x8f"},
    {"\xef\xbf\xbe", "\\xef\\xbf\\xbe"},
    {"\xef\xbf\xbf", "\\xef\\xbf\\xbf"},
}};

std::string shown(const std::string& text, bool lines) {
    std::string out = printable(text, lines);
    for (const auto& [bytes, escape] : kShown)
        for (std::size_t at = out.find(bytes); at != std::string::npos; at = out.find(bytes, at))
            out.replace(at, bytes.size(), escape);
    return out;
}

std::string entities(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (c == '\'')
            out += "&#39;";
        else
            out += c;
    }
    return out;
}

std::string base64(const std::string& bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 |
                    (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += at + k <= bytes.size() ? kDigits[group >> (18 - 6 * k) & 63] : '=';
    }
    return out;
}

/// "26641", "-3", "12.5 %", "0x1c".
bool isNumber(const std::string& cell) {
    const bool hex = cell.starts_with("0x");
    return !cell.empty() &&
           cell.find_first_not_of(hex ? "0123456789abcdefx" : "0123456789.+-% ") == cell.npos;
}

/// Columns of numbers line up on the right.
bool holdsNumbers(const ReportTable& table, std::size_t column) {
    return std::ranges::all_of(table.rows, [column](const auto& row) {
        return column < row.size() && isNumber(row[column]);
    });
}

constexpr const char* kStyle = R"(
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2430; max-width: 62em; margin: 2em auto;
  padding: 0 1.5em; }
h1 { margin-bottom: 0; }
h2 { margin-top: 2em; border-bottom: 1px solid #c9d1dc; }
table { border-collapse: collapse; margin: 1em 0; font-size: 14px; }
th, td { border: 1px solid #c9d1dc; padding: 3px 9px; text-align: left; vertical-align: top;
  unicode-bidi: isolate; overflow-wrap: anywhere; }
th { background: #eef2f7; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { background: #f4f6f9; border: 1px solid #dde3eb; padding: 8px 12px; overflow-x: auto; }
figure { margin: 1.2em 0; }
figure svg, figure img { max-width: 100%; height: auto; }
figcaption { color: #566072; font-size: 14px; }
@media print { body { max-width: none; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
)";

class HtmlWriter {
public:
    std::string page(const ReportPage& page) {
        out_ = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
        out_ += element("title", page.title);
        out_ += "<style>";
        out_ += kStyle;
        out_ += "</style>\n</head>\n<body>\n";
        out_ += element("h1", page.title) + element("p", page.summary);
        for (const PageSection& section : page.sections) {
            out_ += "<section>\n" + element("h2", section.title);
            for (const ReportPart& part : section.parts)
                std::visit(*this, part);
            out_ += "</section>\n";
        }
        return std::move(out_) + "</body>\n</html>\n";
    }

    void operator()(const ReportText& paragraph) { out_ += element("p", paragraph.text); }
    void operator()(const ReportList& list) {
        out_ += "<ul>\n";
        for (const std::string& entry : list.entries)
            out_ += element("li", entry);
        out_ += "</ul>\n";
    }
    void operator()(const ReportTable& table) {
        out_ += "<table>\n";
        if (std::ranges::any_of(table.head, [](const auto& cell) { return !cell.empty(); })) {
            out_ += "<tr>";
            for (const std::string& cell : table.head)
                out_ += "<th>" + htmlText(cell) + "</th>";
            out_ += "</tr>\n";
        }
        std::vector<std::string> open;
        for (std::size_t k = 0; k < table.head.size(); ++k)
            open.push_back(holdsNumbers(table, k) ? "<td class=\"n\">" : "<td>");
        for (const auto& row : table.rows) {
            out_ += "<tr>";
            for (std::size_t k = 0; k < row.size() && k < open.size(); ++k)
                out_ += open[k] + htmlText(row[k]) + "</td>";
            out_ += "</tr>\n";
        }
        out_ += "</table>\n";
    }
    void operator()(const ReportCode& code) {
        out_ += "<pre>" + entities(shown(code.text, true)) + "</pre>\n";
    }
    void operator()(const ReportDrawing& drawing) {
        figure(drawing.svg, drawing.title, drawing.caption);
    }
    void operator()(const ReportPicture& picture) {
        figure("<img alt=\"" + htmlText(picture.title) + "\" src=\"data:image/svg+xml;base64," +
                   base64(picture.svg) + "\"/>",
               picture.title, picture.caption);
    }

private:
    static std::string element(const std::string& name, const std::string& text) {
        return "<" + name + ">" + htmlText(text) + "</" + name + ">\n";
    }

    void figure(const std::string& content, const std::string& title, const std::string& caption) {
        out_ += "<figure>\n" + content + "\n<figcaption><b>" + htmlText(title) + ".</b> " +
                htmlText(caption) + "</figcaption>\n</figure>\n";
    }

    std::string out_;
};

/// On one line, with what Markdown would read as markup behind backslashes.
std::string markdownText(const std::string& text) {
    const std::string plain = shown(text, false);
    const auto isWord = [&](std::size_t at) {
        const auto c = static_cast<unsigned char>(at < plain.size() ? plain[at] : ' ');
        return c >= 0x80 || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z');
    };
    std::string out;
    for (std::size_t k = 0; k < plain.size(); ++k) {
        const char c = plain[k];
        const bool inWord = c == '_' && k > 0 && isWord(k - 1) && isWord(k + 1);
        const bool link = c == ':' && plain.compare(k, 3, "://") == 0;
        if (link || (!inWord && std::string_view("\\`*_[]<>#|&~").find(c) != std::string::npos))
            out += '\\';
        out += c;
    }
    return out;
}

class MarkdownWriter {
public:
    std::string page(const ReportPage& page) {
        out_ = "# " + markdownText(page.title) + "\n\n" + markdownText(page.summary) + "\n";
        for (const PageSection& section : page.sections) {
            out_ += "\n## " + markdownText(section.title) + "\n";
            for (const ReportPart& part : section.parts) {
                out_ += "\n";
                std::visit(*this, part);
            }
        }
        return std::move(out_);
    }

    void operator()(const ReportText& paragraph) { out_ += markdownText(paragraph.text) + "\n"; }
    void operator()(const ReportList& list) {
        for (const std::string& entry : list.entries)
            out_ += "* " + markdownText(entry) + "\n";
    }
    void operator()(const ReportTable& table) {
        row(table.head);
        out_ += "|";
        for (std::size_t k = 0; k < table.head.size(); ++k)
            out_ += "---|";
        out_ += "\n";
        for (const auto& cells : table.rows)
            row(cells);
    }
    void operator()(const ReportCode& code) {
        const std::string text = shown(code.text, true);
        std::string fence = "```";
        while (text.find(fence) != std::string::npos)
            fence += '`';
        out_ += fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
    }
    void operator()(const ReportDrawing& drawing) {
        title(drawing.title, drawing.caption);
        out_ += "\n";
        (*this)(ReportCode{drawing.text});
    }
    void operator()(const ReportPicture& picture) {
        title(picture.title, picture.caption + " The picture is in report.html.");
    }

private:
    void title(const std::string& text, const std::string& caption) {
        out_ += "**" + markdownText(text) + ".** " + markdownText(caption) + "\n";
    }
    void row(const std::vector<std::string>& cells) {
        out_ += "|";
        for (const std::string& cell : cells)
            out_ += " " + markdownText(cell) + " |";
        out_ += "\n";
    }

    std::string out_;
};

} // namespace

std::string htmlText(const std::string& text) {
    return entities(shown(text, false));
}

std::string html(const ReportPage& page) {
    return HtmlWriter().page(page);
}

std::string markdown(const ReportPage& page) {
    return MarkdownWriter().page(page);
}

} // namespace marquetry::hdl
