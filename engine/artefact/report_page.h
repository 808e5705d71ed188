// The report of an export as a value, and as text: one HTML page that needs nothing beside it, and
// the same in Markdown.
//
// Every text may hold names of users: markup in it, control characters and marks that change the
// direction of text are shown, never obeyed. The page is well-formed XML too, without scripts,
// fonts or references to other places. Pictures from elsewhere are images of their own inside it,
// so whatever they hold does not touch the page; in Markdown they are named alone. Drawings are
// made by the engine (report_drawing.h) and are put in as they are.
//
// Same value, same bytes. Complexity: linear. Thread rule: value types, pure functions.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace marquetry::hdl {

/// What a view shows, drawn by whoever has views.
struct ReportPicture {
    std::string title;
    std::string caption;
    std::string svg; ///< a whole document
};

struct ReportText {
    std::string text; ///< a paragraph
};
struct ReportList {
    std::vector<std::string> entries;
};
/// Rows are as long as the head; one whose names are all empty is not shown.
struct ReportTable {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};
/// As it is typed or written to a file.
struct ReportCode {
    std::string text;
};
/// Made by the engine, its texts escaped already.
struct ReportDrawing {
    std::string title;
    std::string caption;
    std::string svg;  ///< one <svg> element
    std::string text; ///< the same in characters of one width
};

using ReportPart =
    std::variant<ReportText, ReportList, ReportTable, ReportCode, ReportDrawing, ReportPicture>;

struct PageSection {
    std::string title;
    std::vector<ReportPart> parts;
};

struct ReportPage {
    std::string title;
    std::string summary; ///< one sentence
    std::vector<PageSection> sections;
};

std::string html(const ReportPage& page);
std::string markdown(const ReportPage& page);

/// The text as content of an element or value of an attribute, of HTML and of XML.
std::string htmlText(const std::string& text);

} // namespace marquetry::hdl
