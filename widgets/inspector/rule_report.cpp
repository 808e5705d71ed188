// The card of a rewrite rule.
#include "widgets/inspector/report_builder.h"

#include "engine/session/next_change.h"
#include "widgets/text/number_text.h"

#include <algorithm>

namespace marquetry::widgets {

namespace {

using egraph::ENodeId;

/// "conv1 and 3 more".
QString layersText(const std::vector<std::string>& layers) {
    if (layers.empty())
        return QStringLiteral("no layer");
    const QString first = text(layers.front());
    return layers.size() == 1 ? first
                              : QStringLiteral("%1 and %2 more").arg(first).arg(layers.size() - 1);
}

QString iterationsText(int first, int last) {
    return first == last ? QStringLiteral("iteration %1").arg(first)
                         : QStringLiteral("iterations %1–%2").arg(first).arg(last);
}

QString figuresText(const session::ChangeFigures& figures) {
    QString words = QStringLiteral("%1 cycles").arg(amount(figures.cyclesPerFrame()));
    if (figures.frames > 1)
        words += QStringLiteral(" per frame, in runs of %1").arg(figures.frames);
    return words + QStringLiteral(" · %1 DSP · %2 block RAM · %3 LUT")
                       .arg(amount(figures.resources.dsp), amount(figures.resources.bram),
                            amount(figures.resources.lut));
}

/// "the same figures: the design does not need it", "8.3 % more cycles".
QString worthText(const session::WithoutRule& without) {
    const double now = without.now.cyclesPerFrame();
    const double then = without.then->cyclesPerFrame();
    if (then == now && without.then->resources == without.now.resources)
        return QStringLiteral("the same figures: this design does not need the rule");
    if (then == now)
        return QStringLiteral("as fast, with other resources");
    return QStringLiteral("%1 % %2 cycles")
        .arg(100 * std::abs(then - now) / now, 0, 'f', 1)
        .arg(then > now ? u"more" : u"fewer");
}

} // namespace

void ReportBuilder::ruleCard(const std::string& rule) {
    const egraph::RuleId id = index_.ruleId(rule);
    const RuleFacts facts = ruleFacts(index_, id);
    ruleSection(rule);
    ruleWork(facts, id);
    ruleWorth(rule);
    ruleMatches(facts.matches);
    if (id.valid())
        ruleIterations(id);
    begin(QStringLiteral("Chosen"));
    for (const ENodeId node : index_.linked(RuleName{rule}).enodes)
        if (index_.chosen(node))
            nodeRow(node);
}

void ReportBuilder::ruleSection(const std::string& rule) {
    begin(QStringLiteral("What"));
    const session::Snapshot& snapshot = index_.snapshot();
    const std::size_t id = index_.ruleId(rule).index();
    if (const rules::RuleText* says = index_.ruleText(rule)) {
        report_.equation = text(says->equation);
        row(QStringLiteral("Equality"), report_.equation);
        row(QStringLiteral("Where"), text(says->condition));
        row(QStringLiteral("Source"), text(says->source));
    }
    if (id < snapshot.ruleGroups.size())
        row(QStringLiteral("Group"), text(snapshot.ruleGroups[id]));
    if (!index_.ruleId(rule).valid())
        row(QStringLiteral("State"), QStringLiteral("switched off"));
}

void ReportBuilder::ruleWork(const RuleFacts& facts, egraph::RuleId rule) {
    if (index_.egraph() == nullptr || !rule.valid())
        return;
    begin(QStringLiteral("What it did"));
    const Linked live = index_.linked(RuleName{index_.snapshot().ruleNames[rule.index()]});
    row(QStringLiteral("E-nodes it made"), count(facts.made), {},
        QStringLiteral("%1 of them still apart, in %2 e-classes")
            .arg(count(live.enodes.size()), count(live.eclasses.size())));
    row(QStringLiteral("Unions"), count(facts.unions));
    row(QStringLiteral("Matched in"), count(facts.matches.size()) + QStringLiteral(" e-classes"));
    if (facts.example)
        row(QStringLiteral("First"), text(termName(*index_.egraph(), facts.example->first)),
            facts.example->first,
            QStringLiteral("from n%1 %2")
                .arg(facts.example->second.value())
                .arg(text(termName(*index_.egraph(), facts.example->second))));
    if (index_.design() == nullptr)
        return;
    row(QStringLiteral("In the design"), count(facts.chosen) + QStringLiteral(" e-nodes"), {},
        QStringLiteral("%1 were made by it, or from what it made").arg(count(facts.derived)));
}

/// The answer to a question that whoever reads the card asks.
void ReportBuilder::ruleWorth(const std::string& rule) {
    const auto& without = index_.snapshot().withoutRule;
    if (!index_.ruleId(rule).valid() || index_.design() == nullptr)
        return;
    begin(QStringLiteral("Without it"));
    if (!without || without->rule != rule) {
        row(QString(), QStringLiteral("Not known: \"What if without it\" searches for the best "
                                      "design without this rule, and changes nothing."));
        return;
    }
    row(QStringLiteral("With it"), figuresText(without->now), {},
        without->now.outOfTime ? QStringLiteral("the search ended at its time limit") : QString());
    if (without->running)
        return row(QStringLiteral("Without it"), QStringLiteral("is being searched for …"));
    if (without->then) {
        row(QStringLiteral("Without it"), figuresText(*without->then), {},
            without->then->outOfTime ? QStringLiteral("the search ended at its time limit")
                                     : QString());
        return row(QStringLiteral("It is worth"), worthText(*without));
    }
    for (const Diagnostic& reason : without->problem)
        row(QStringLiteral("Without it"), QStringLiteral("no design: ") + text(reason.message));
}

void ReportBuilder::ruleMatches(const std::vector<RuleMatch>& matches) {
    begin(QStringLiteral("Where it matched"));
    for (const RuleMatch& match : matches) {
        QString note = QStringLiteral("%1 e-nodes, %2 unions, %3")
                           .arg(count(match.made), count(match.unions),
                                iterationsText(match.first, match.last));
        if (match.chosen > 0)
            note += QStringLiteral(", %1 in the design").arg(count(match.chosen));
        row(layersText(match.layers),
            QStringLiteral("c%1 %2").arg(match.eclass.value()).arg(unitOrTerm(match.eclass)),
            match.eclass, note);
        report_.sections.back().rows.back().zooms = true;
    }
}

QString ReportBuilder::unitOrTerm(egraph::EClassId eclass) const {
    const std::string unit = index_.unitName(eclass);
    return text(unit.empty() ? termName(*index_.egraph(), index_.egraph()->enodes(eclass).front())
                             : unit);
}

void ReportBuilder::ruleIterations(egraph::RuleId rule) {
    begin(QStringLiteral("Iterations"));
    for (const egraph::Iteration& iteration : index_.snapshot().iterations) {
        if (rule.index() >= iteration.rules.size())
            continue;
        const egraph::RuleStats& stats = iteration.rules[rule.index()];
        row(grouped(iteration.index),
            QStringLiteral("%1 hits, %2 applied").arg(count(stats.matches), count(stats.applied)),
            {},
            stats.banned ? QStringLiteral("rested")
                         : QStringLiteral("%1 ms").arg(1000 * stats.seconds, 0, 'f', 1));
    }
}

} // namespace marquetry::widgets
