#include "widgets/inspector/report.h"

#include "widgets/text/number_text.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <ranges>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

constexpr std::size_t kMaxRows = 40;  ///< of one section; the rest is counted
constexpr std::size_t kMaxChain = 24; ///< steps of one origin chain

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString count(std::size_t value) {
    return grouped(static_cast<std::int64_t>(value));
}

class Reporter {
public:
    Reporter(const SnapshotIndex& index, const Subject& subject)
        : index_(index), subject_(subject) {}

    Report run() {
        if (isEmpty(subject_))
            return summary();
        report_.title = describe(subject_, index_.snapshot());
        if (!index_.exists(subject_)) {
            begin(QStringLiteral("What"));
            row(QStringLiteral("State"), QStringLiteral("not part of the present snapshot"));
            return finish();
        }
        std::visit([this](const auto& id) { describeSubject(id); }, subject_);
        return finish();
    }

private:
    // ---- building ----

    void begin(const QString& title) { report_.sections.push_back({title, {}}); }

    void row(const QString& name, const QString& value, const Subject& link = {},
             const QString& note = {}) {
        if (!value.isEmpty())
            report_.sections.back().rows.push_back({name, value, link, note});
    }

    Report finish() {
        std::erase_if(report_.sections, [](const ReportSection& s) { return s.rows.empty(); });
        for (ReportSection& section : report_.sections)
            if (section.rows.size() > kMaxRows) {
                const std::size_t more = section.rows.size() - kMaxRows;
                section.rows.resize(kMaxRows);
                section.rows.push_back(
                    {QString(), QStringLiteral("and %1 more").arg(more), {}, {}});
            }
        return std::move(report_);
    }

    // ---- kinds ----

    void describeSubject(std::monostate) {}

    void describeSubject(const LayerName& layer) {
        report_.kind = QStringLiteral("layer");
        if (const auto call = index_.callOf(layer.name)) {
            callBody(index_.design()->call(*call));
            return;
        }
        begin(QStringLiteral("What"));
        row(QStringLiteral("Layer"), text(layer.name));
        if (const auto node = index_.callNode(layer.name))
            row(QStringLiteral("Call"), QStringLiteral("e-node n%1").arg(node->value()), *node);
        row(QStringLiteral("Design"), QStringLiteral("none yet"));
    }

    void describeSubject(design::CallId id) {
        report_.kind = QStringLiteral("call");
        callBody(index_.design()->call(id));
    }

    void describeSubject(design::UnitId id) {
        report_.kind = QStringLiteral("unit");
        const design::DesignUnit& unit = index_.design()->unit(id);
        begin(QStringLiteral("What"));
        row(QStringLiteral("Function"), text(toString(unit.shape)));
        row(QStringLiteral("Term"), text(unit.term));
        row(QStringLiteral("State"),
            unit.shared ? QStringLiteral("● shared") : QStringLiteral("○ not shared"));
        row(QStringLiteral("Rows at once"), grouped(unit.parallelism));
        row(QStringLiteral("Products per row"), grouped(unit.lanes));
        row(QStringLiteral("Multipliers"), grouped(unit.multipliers), {},
            QStringLiteral("%1 × %2").arg(unit.parallelism).arg(unit.lanes));
        resources(unit.resources);
        row(QStringLiteral("Busy"),
            QStringLiteral("%1 % of all cycles").arg(std::lround(100 * unit.utilisation)));
        classRow(unit.eclass);
        costSection({unit.name});
        reasonSection(unit.eclass);
        originSection(unit.chosen);
        alternatives({unit.name});
        begin(QStringLiteral("Calls"));
        for (const design::CallId call : unit.callSites)
            callRow(call);
    }

    void callBody(const design::DesignCall& call) {
        const design::DesignUnit& unit = index_.design()->unit(call.unit);
        begin(QStringLiteral("What"));
        row(QStringLiteral("Layer"), text(call.layer), LayerName{call.layer});
        row(QStringLiteral("Unit"), text(unit.name), unit.id,
            unit.shared ? QStringLiteral("shared") : QString());
        row(QStringLiteral("Cycles"), grouped(call.cycles), {},
            call.memoryBound ? QStringLiteral("bound by memory")
                             : QStringLiteral("bound by compute"));
        row(QStringLiteral("Starts at"), grouped(call.start));
        row(QStringLiteral("Multiply–accumulates"), grouped(call.macs));
        if (call.cycles > 0)
            row(QStringLiteral("Per cycle"),
                amount(static_cast<double>(call.macs) / static_cast<double>(call.cycles)), {},
                QStringLiteral("of %1 multipliers").arg(unit.multipliers));
        classRow(call.eclass);
        begin(QStringLiteral("Schedule"));
        for (const design::Loop& loop : call.loops)
            row(loop.parallel ? QStringLiteral("Par") : QStringLiteral("For"), text(loop.term), {},
                QStringLiteral("× %1").arg(loop.count));
        std::vector<std::string> costs{call.layer, unit.name};
        for (const design::BufferId id : index_.linked(call.id).buffers)
            costs.push_back(index_.design()->buffers[id.index()].name);
        costSection(costs);
        reasonSection(unit.eclass);
        originSection(call.chosen.empty() ? unit.chosen : call.chosen);
        alternatives({call.layer, unit.name});
        begin(QStringLiteral("Buffers"));
        for (const design::BufferId id : index_.linked(call.id).buffers)
            bufferRow(index_.design()->buffers[id.index()]);
    }

    void describeSubject(EClassId id) {
        report_.kind = QStringLiteral("e-class");
        const egraph::EGraphView& view = *index_.egraph();
        const EClassId eclass = view.find(id);
        begin(QStringLiteral("What"));
        row(QStringLiteral("Sort"), text(view.language().sortName(view.sort(eclass))));
        row(QStringLiteral("Unit"), text(index_.unitName(eclass)));
        row(QStringLiteral("E-nodes"), count(view.enodes(eclass).size()));
        row(QStringLiteral("Used by"),
            count(view.parents(eclass).size()) + QStringLiteral(" e-nodes"));
        reachedBy(eclass);
        reasonSection(eclass);
        begin(QStringLiteral("Members"));
        for (const ENodeId node : view.enodes(eclass))
            nodeRow(node);
        begin(QStringLiteral("Users"));
        for (const ENodeId node : view.parents(eclass))
            nodeRow(node);
        relatedUnits();
    }

    void describeSubject(ENodeId node) {
        report_.kind = QStringLiteral("e-node");
        const egraph::EGraphView& view = *index_.egraph();
        const EClassId eclass = view.eclassOf(node);
        begin(QStringLiteral("What"));
        row(QStringLiteral("Operator"), text(view.opName(node)));
        row(QStringLiteral("Term"), text(termName(view, node)));
        row(QStringLiteral("E-class"), QStringLiteral("c%1").arg(eclass.value()), eclass,
            text(index_.unitName(eclass)));
        row(QStringLiteral("Chosen"),
            index_.chosen(node) ? QStringLiteral("yes") : QStringLiteral("no"));
        if (!view.live(node))
            row(QStringLiteral("State"), QStringLiteral("absorbed by an equal e-node"));
        for (const EClassId child : view.children(node))
            row(QStringLiteral("Child"), QStringLiteral("c%1").arg(child.value()), child,
                text(index_.unitName(child)));
        reachedBy(eclass);
        reasonSection(eclass);
        originSection({node});
        relatedUnits();
    }

    void describeSubject(design::BufferId id) {
        report_.kind = QStringLiteral("buffer");
        const design::DesignBuffer& buffer = index_.design()->buffers[id.index()];
        begin(QStringLiteral("What"));
        row(QStringLiteral("Holds"),
            buffer.weights ? QStringLiteral("weights") : QStringLiteral("activations"));
        row(QStringLiteral("Kind"), text(toString(buffer.kind)));
        row(QStringLiteral("Size"),
            QStringLiteral("%1 words of %2 bits").arg(grouped(buffer.words)).arg(buffer.width));
        row(QStringLiteral("Banks"), grouped(buffer.banks), {}, text(buffer.scheme));
        row(QStringLiteral("Block RAM"), amount(buffer.bram));
        row(QStringLiteral("LUT"), amount(buffer.lut));
        costSection({buffer.name});
        begin(QStringLiteral("Calls"));
        for (const design::CallId call : index_.linked(id).calls)
            callRow(call);
    }

    Report summary() {
        const design::Design* design = index_.design();
        report_.title = QStringLiteral("Nothing selected");
        begin(QStringLiteral("What"));
        if (design == nullptr) {
            row(QString(), QStringLiteral("Select a layer, a unit, a call, an e-class or an e-node "
                                          "in any view."));
            for (const Diagnostic& reason : index_.snapshot().infeasible)
                row(QStringLiteral("No design"), text(reason.message), {}, text(reason.hint));
            return finish();
        }
        report_.title = QStringLiteral("Design of %1").arg(text(design->program));
        row(QStringLiteral("Device"), text(design->device));
        row(QStringLiteral("Cycles"), grouped(design->cycles), {},
            QStringLiteral("cost model %1").arg(text(toString(design->model))));
        row(QStringLiteral("Throughput"), amount(design->gops) + QStringLiteral(" GOPS"), {},
            QStringLiteral("at %1 MHz").arg(amount(design->clockMhz)));
        resources(design->resources);
        row(QStringLiteral("Export"), text(design->notExportable));
        costSection();
        begin(QStringLiteral("Units"));
        for (const design::DesignUnit& unit : design->units)
            row(unit.shared ? QStringLiteral("● shared") : QStringLiteral("○"), text(unit.name),
                unit.id, QStringLiteral("%1 calls").arg(unit.callSites.size()));
        return finish();
    }

    // ---- parts ----

    void resources(const device::Resources& used) {
        row(QStringLiteral("DSP blocks"), amount(used.dsp));
        row(QStringLiteral("Block RAM"), amount(used.bram));
        row(QStringLiteral("LUT"), amount(used.lut));
        row(QStringLiteral("FF"), amount(used.ff));
    }

    void classRow(EClassId id) {
        if (index_.exists(id)) {
            const EClassId eclass = index_.egraph()->find(id);
            row(QStringLiteral("E-class"), QStringLiteral("c%1").arg(eclass.value()), eclass);
        }
    }

    void callRow(design::CallId id) {
        const design::DesignCall& call = index_.design()->call(id);
        row(QStringLiteral("%1").arg(id.value()), text(call.layer), id,
            QStringLiteral("%1 cycles").arg(grouped(call.cycles)));
    }

    void bufferRow(const design::DesignBuffer& buffer) {
        row(text(toString(buffer.kind)), text(buffer.name), buffer.id,
            QStringLiteral("%1 × %2 bits").arg(grouped(buffer.words)).arg(buffer.width));
    }

    void nodeRow(ENodeId node) {
        const egraph::EGraphView& view = *index_.egraph();
        row(index_.chosen(node) ? QStringLiteral("● n%1").arg(node.value())
                                : QStringLiteral("n%1").arg(node.value()),
            text(termName(view, node)), node, originNote(view.origin(node)));
    }

    void reachedBy(EClassId eclass) {
        if (index_.unitName(eclass).empty() && !index_.chosen(eclass))
            return;
        for (const std::string& layer : index_.layersReaching(eclass))
            row(QStringLiteral("Reached by"), text(layer), LayerName{layer});
    }

    void relatedUnits() {
        if (index_.design() == nullptr)
            return;
        begin(QStringLiteral("Part of"));
        const Linked linked = index_.linked(subject_);
        for (const design::UnitId unit : linked.units)
            row(QStringLiteral("Unit"), text(index_.design()->unit(unit).name), unit);
        for (const design::CallId call : linked.calls)
            row(QStringLiteral("Call"), text(index_.design()->call(call).layer), call);
    }

    /// The design's terms, or those that speak of one of `names`.
    void costSection(const std::vector<std::string>& names = {}) {
        begin(names.empty() ? QStringLiteral("Cost of the design") : QStringLiteral("Cost"));
        const auto spoken = [&](const design::CostTerm& term) {
            return names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
                       return term.name == name || term.name.ends_with(" " + name);
                   });
        };
        for (const design::CostTerm& term : index_.design()->terms | std::views::filter(spoken))
            row(text(term.name), amount(term.value) + u' ' + text(term.unit), {},
                text(term.formula));
    }

    void reasonSection(EClassId id) {
        if (!index_.exists(id))
            return;
        const EClassId eclass = index_.egraph()->find(id);
        begin(QStringLiteral("Why"));
        const std::string name = index_.unitName(eclass);
        for (const design::Pin& pin : index_.snapshot().pins)
            if (pin.enabled && !name.empty() && pin.target == name)
                row(QStringLiteral("Pin"), text(toString(pin)));
        const design::SharingCandidate* candidate = index_.candidate(eclass);
        if (candidate == nullptr)
            return;
        row(candidate->forbidden ? QStringLiteral("⊘ forbidden")
            : candidate->shared  ? QStringLiteral("● shared")
                                 : QStringLiteral("○ not shared"),
            text(candidate->reason));
        row(QStringLiteral("Saves"), amount(candidate->savedDsp) + QStringLiteral(" DSP"), {},
            QStringLiteral("for %1 more cycles").arg(grouped(candidate->extraCycles)));
    }

    QString originNote(const egraph::Origin& origin) const {
        return originText(index_.snapshot(), origin);
    }

    /// For every chosen e-node the rule that made it and what that rule matched, back to the
    /// program.
    void originSection(const std::vector<ENodeId>& nodes) {
        const egraph::EGraphView* view = index_.egraph();
        if (view == nullptr)
            return;
        begin(QStringLiteral("Origin"));
        for (const ENodeId node : nodes) {
            if (node.index() >= view->totalEnodes())
                continue;
            const auto chain = egraph::originChain(*view, node);
            for (std::size_t k = 0; k < chain.size() && k < kMaxChain; ++k)
                row(k == 0 ? QStringLiteral("n%1").arg(node.value()) : QStringLiteral("  from"),
                    text(termName(*view, chain[k].node)), chain[k].node,
                    originNote(chain[k].origin));
        }
    }

    void alternatives(const std::vector<std::string>& names) {
        begin(QStringLiteral("Alternatives"));
        const auto& all = index_.snapshot().alternatives;
        for (const std::string& name : names)
            if (const auto found = all.find(name); found != all.end())
                for (const std::string& line : found->second)
                    row(QString(), text(line));
    }

    const SnapshotIndex& index_;
    const Subject& subject_;
    Report report_;
};

QString linkHtml(const ReportRow& row) {
    const QString value = row.value.toHtmlEscaped();
    return isEmpty(row.link) ? value
                             : QStringLiteral("<a href=\"%1\">%2</a>")
                                   .arg(toLink(row.link).toHtmlEscaped(), value);
}

QString markdownValue(const ReportRow& row) {
    QString value = row.value;
    value.replace(u'|', QStringLiteral("\\|"));
    return isEmpty(row.link) ? value : QStringLiteral("%1 (`%2`)").arg(value, toLink(row.link));
}

} // namespace

Report makeReport(const SnapshotIndex& index, const Subject& subject) {
    return Reporter(index, subject).run();
}

QString toHtml(const Report& report) {
    QString html = QStringLiteral("<h2>%1</h2>").arg(report.title.toHtmlEscaped());
    for (const ReportSection& section : report.sections) {
        html += QStringLiteral("<h3>%1</h3><table cellspacing=\"0\" cellpadding=\"2\" "
                               "width=\"100%\">")
                    .arg(section.title.toHtmlEscaped());
        for (const ReportRow& row : section.rows) {
            html += row.name.isEmpty()
                        ? QStringLiteral("<tr><td colspan=\"2\">%1").arg(linkHtml(row))
                        : QStringLiteral("<tr><td class=\"name\" width=\"34%\">%1</td><td>%2")
                              .arg(row.name.toHtmlEscaped(), linkHtml(row));
            if (!row.note.isEmpty())
                html += QStringLiteral("<br><span class=\"note\">%1</span>")
                            .arg(row.note.toHtmlEscaped());
            html += QStringLiteral("</td></tr>");
        }
        html += QStringLiteral("</table>");
    }
    return html;
}

QString toMarkdown(const Report& report) {
    QString markdown = QStringLiteral("## %1\n").arg(report.title);
    for (const ReportSection& section : report.sections) {
        markdown += QStringLiteral("\n### %1\n\n| | | |\n|---|---|---|\n").arg(section.title);
        for (const ReportRow& row : section.rows) {
            QString note = row.note;
            note.replace(u'|', QStringLiteral("\\|"));
            markdown += QStringLiteral("| %1 | %2 | %3 |\n")
                            .arg(row.name.trimmed(), markdownValue(row), note);
        }
    }
    return markdown;
}

QString toText(const Report& report) {
    QString out = report.title + QLatin1Char('\n');
    for (const ReportSection& section : report.sections) {
        out += QStringLiteral("[%1]\n").arg(section.title);
        for (const ReportRow& row : section.rows) {
            QStringList parts{row.name.trimmed(), row.value};
            if (!isEmpty(row.link))
                parts << QStringLiteral("→ ") + toLink(row.link);
            if (!row.note.isEmpty())
                parts << QStringLiteral("(%1)").arg(row.note);
            parts.removeAll(QString());
            out += QStringLiteral("  ") + parts.join(QStringLiteral("  ")) + QLatin1Char('\n');
        }
    }
    return out;
}

} // namespace marquetry::widgets
