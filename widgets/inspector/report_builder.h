// ReportBuilder: the sections that reports about different subjects have in common.
//
// begin() opens a section and row() adds to it; a row without a value is left out, and so is a
// section without rows. Thread rule: pure but for the report under construction.
#pragma once

#include "widgets/inspector/report.h"
#include "widgets/rules/rule_facts.h"

namespace marquetry::widgets {

QString text(const std::string& value);
QString count(std::size_t value);

class ReportBuilder {
public:
    explicit ReportBuilder(const SnapshotIndex& index) : index_(index) {}

    void begin(const QString& title);
    void row(const QString& name, const QString& value, const Subject& link = {},
             const QString& note = {});
    Report finish();

    // ---- rows of the open section ----

    void resources(const device::Resources& used);
    void classRow(egraph::EClassId id);
    void callRow(design::CallId id);
    void bufferRow(const design::DesignBuffer& buffer);
    void nodeRow(egraph::ENodeId node);
    void reachedBy(egraph::EClassId eclass);

    // ---- whole sections ----

    /// What the layer is in the file that the program was imported from.
    void importSection(const std::string& layer);

    void relatedUnits(const Subject& subject);
    /// The design's terms, or those that speak of one of `names`.
    void costSection(const std::vector<std::string>& names = {});
    void reasonSection(egraph::EClassId id);
    /// What the opposite choice would cost or break; a row of the open section.
    void oppositeRow(const design::DesignUnit& unit);
    /// For every chosen e-node the rule that made it and what that rule matched, back to the
    /// program.
    void originSection(const std::vector<egraph::ENodeId>& nodes);
    /// From the term as written to the chosen one, step by step; the origin chain until it is here.
    void proofSection(const std::string& layer, const std::vector<egraph::ENodeId>& chosen);
    void alternatives(const std::vector<std::string>& names);

    // ---- rule_report.cpp ----

    /// Everything about a rule.
    void ruleCard(const std::string& rule);

protected:
    QString originNote(const egraph::Origin& origin) const;

private:
    void ruleSection(const std::string& rule);
    void ruleWork(const RuleFacts& facts, egraph::RuleId rule);
    void ruleMatches(const std::vector<RuleMatch>& matches);
    void ruleWorth(const std::string& rule);
    void ruleIterations(egraph::RuleId rule);
    QString unitOrTerm(egraph::EClassId eclass) const;

protected:
    const SnapshotIndex& index_;
    Report report_;
};

} // namespace marquetry::widgets
