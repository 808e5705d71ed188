// Report: what the Inspector says about a subject, before it becomes HTML, Markdown or text.
//
// Sections, in this order and only when there is something to say: what (properties), cost (terms
// with the formula and its numbers), why (the reason), origin (the chain of rules from the program
// as written, one step per e-node chosen), alternatives, related. A row's value may be a link to
// another subject. A rule has a card instead: what it says, where it matched, what it made, and the
// best design without it, once somebody has asked.
// Errors: none; a subject that is gone gives a report that says so. Complexity: O(size of the
// report · depth of the origin chain). Thread rule: pure.
#pragma once

#include "widgets/models/snapshot_index.h"

#include <QSize>
#include <QString>

#include <vector>

namespace marquetry::widgets {

struct ReportRow {
    QString name;
    QString value;
    Subject link;       ///< of the value
    QString note;       ///< formula, rule, …
    bool zooms = false; ///< who follows the link sees it in the e-graph
};

struct ReportSection {
    QString title;
    std::vector<ReportRow> rows;
};

struct Report {
    QString title;
    QString kind;       ///< "unit", "e-class", …; empty when nothing is selected
    QString equation{}; ///< of a rule; drawn above the sections
    std::vector<ReportSection> sections;
};

Report makeReport(const SnapshotIndex& index, const Subject& subject);

/// The resource that a rule's picture is.
inline const QString kRulePicture = QStringLiteral("picture:rule");
/// What a link to be shown in the e-graph begins with, before that of the subject.
inline const QString kZoomPrefix = QStringLiteral("zoom:");

/// `picture`: pixels that a rule's picture takes.
QString toHtml(const Report& report, QSize picture = {});
QString toMarkdown(const Report& report);
QString toText(const Report& report);

} // namespace marquetry::widgets
