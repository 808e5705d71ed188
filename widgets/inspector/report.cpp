#include "widgets/inspector/report_builder.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <cmath>

namespace marquetry::widgets {

namespace {

using egraph::EClassId;
using egraph::ENodeId;

/// One report: a function per kind of subject.
class Reporter : private ReportBuilder {
public:
    Reporter(const SnapshotIndex& index, const Subject& subject)
        : ReportBuilder(index), subject_(subject) {}

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
        importSection(layer.name);
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
        if (unit.writeLanes > 0)
            row(QStringLiteral("Results per clock"), grouped(unit.writeLanes));
        row(QStringLiteral("Multipliers"), grouped(unit.multipliers), {},
            QStringLiteral("%1 × %2").arg(unit.parallelism).arg(unit.lanes));
        resources(unit.resources);
        row(QStringLiteral("Busy"),
            QStringLiteral("%1 % of all cycles").arg(std::lround(100 * unit.busy)));
        if (unit.multipliers > 0)
            row(QStringLiteral("Utilisation"),
                QStringLiteral("%1 %").arg(100 * unit.utilisation, 0, 'f', 1), {},
                QStringLiteral("multiplications done ÷ (multipliers × all cycles)"));
        classRow(unit.eclass);
        costSection({unit.name});
        reasonSection(unit.eclass);
        oppositeRow(unit);
        if (unit.callSites.empty())
            originSection(unit.chosen);
        else
            proofSection(index_.design()->call(unit.callSites.front()).layer, unit.chosen);
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
        const std::int64_t frames = index_.design()->frames;
        row(QStringLiteral("Multiply–accumulates"), grouped(call.macs), {},
            frames > 1 ? QStringLiteral("of each of %1 frames").arg(frames) : QString());
        if (call.cycles > 0)
            row(QStringLiteral("Per cycle"),
                amount(static_cast<double>(frames * call.macs) / static_cast<double>(call.cycles)),
                {}, QStringLiteral("of %1 multipliers").arg(unit.multipliers));
        classRow(call.eclass);
        importSection(call.layer);
        begin(QStringLiteral("Schedule"));
        for (const design::Loop& loop : call.loops)
            row(loop.parallel ? QStringLiteral("Par") : QStringLiteral("For"), text(loop.term), {},
                QStringLiteral("× %1").arg(loop.count));
        std::vector<std::string> costs{call.layer, unit.name};
        for (const design::BufferId id : index_.linked(call.id).buffers)
            costs.push_back(index_.design()->buffers[id.index()].name);
        costSection(costs);
        reasonSection(unit.eclass);
        oppositeRow(unit);
        proofSection(call.layer, call.chosen.empty() ? unit.chosen : call.chosen);
        alternatives({call.layer, unit.name});
        begin(QStringLiteral("Buffers"));
        for (const design::BufferId id : index_.linked(call.id).buffers)
            bufferRow(index_.design()->buffers[id.index()]);
    }

    void describeSubject(EClassId id) {
        report_.kind = QStringLiteral("e-class");
        const egraph::FrozenEGraph& view = *index_.egraph();
        const EClassId eclass = view.find(id);
        begin(QStringLiteral("What"));
        row(QStringLiteral("Sort"), text(view.language().sortName(view.sort(eclass))));
        row(QStringLiteral("Unit"), text(index_.unitName(eclass)));
        row(QStringLiteral("E-nodes"), count(view.enodes(eclass).size()));
        row(QStringLiteral("Used by"),
            count(view.parents(eclass).size()) + QStringLiteral(" e-nodes"));
        reasonSection(eclass);
        if (const design::DesignUnit* unit = unitOf(eclass)) {
            oppositeRow(*unit);
            costSection({unit->name});
            if (!unit->callSites.empty())
                proofSection(index_.design()->call(unit->callSites.front()).layer, unit->chosen);
            alternatives({unit->name});
        }
        begin(QStringLiteral("Layers"));
        reachedBy(eclass);
        begin(QStringLiteral("Members"));
        for (const ENodeId node : view.enodes(eclass))
            nodeRow(node);
        begin(QStringLiteral("Users"));
        for (const ENodeId node : view.parents(eclass))
            nodeRow(node);
        relatedUnits(subject_);
    }

    /// The unit of the design that was built for the class, if there is one.
    const design::DesignUnit* unitOf(EClassId eclass) const {
        if (index_.design() == nullptr)
            return nullptr;
        for (const design::DesignUnit& unit : index_.design()->units)
            if (index_.exists(unit.eclass) && index_.egraph()->find(unit.eclass) == eclass)
                return &unit;
        return nullptr;
    }

    void describeSubject(ENodeId node) {
        report_.kind = QStringLiteral("e-node");
        const egraph::FrozenEGraph& view = *index_.egraph();
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
        if (const egraph::Origin origin = view.origin(node);
            origin.rule.index() < index_.snapshot().ruleNames.size())
            row(QStringLiteral("Made by"), text(index_.snapshot().ruleNames[origin.rule.index()]),
                RuleName{index_.snapshot().ruleNames[origin.rule.index()]},
                QStringLiteral("iteration %1").arg(origin.iteration));
        reachedBy(eclass);
        reasonSection(eclass);
        originSection({node});
        relatedUnits(subject_);
    }

    void describeSubject(const RuleName& rule) {
        report_.kind = QStringLiteral("rule");
        ruleCard(rule.name);
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
        row(QStringLiteral("Memories"),
            QStringLiteral("%1 of %2 bits").arg(grouped(buffer.memories)).arg(buffer.memoryBits));
        row(QStringLiteral("Block RAM"), amount(buffer.bram));
        row(QStringLiteral("LUT"), amount(buffer.lut));
        row(QStringLiteral("FF"), amount(buffer.ff));
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
        if (design->frames > 1)
            row(QStringLiteral("Cycles per frame"), amount(design->cyclesPerFrame()), {},
                QStringLiteral("a run takes %1 frames%2")
                    .arg(design->frames)
                    .arg(design->schedule && design->schedule->groups > 1
                             ? QStringLiteral(", in %1 groups: one begins before the one before "
                                              "has ended")
                                   .arg(design->schedule->groups)
                             : QString()));
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

    const Subject& subject_;
};

} // namespace

Report makeReport(const SnapshotIndex& index, const Subject& subject) {
    return Reporter(index, subject).run();
}

} // namespace marquetry::widgets
