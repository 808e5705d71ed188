#include "widgets/inspector/report_builder.h"

#include "engine/ir/layer.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <ranges>

namespace marquetry::widgets {

using egraph::EClassId;
using egraph::ENodeId;

namespace {

constexpr std::size_t kMaxRows = 40;  ///< of one section; the rest is counted
constexpr std::size_t kMaxChain = 24; ///< steps of one origin chain

} // namespace

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString count(std::size_t value) {
    return grouped(static_cast<std::int64_t>(value));
}

void ReportBuilder::begin(const QString& title) {
    report_.sections.push_back({title, {}});
}

void ReportBuilder::row(const QString& name, const QString& value, const Subject& link,
                        const QString& note) {
    if (!value.isEmpty())
        report_.sections.back().rows.push_back({name, value, link, note});
}

Report ReportBuilder::finish() {
    std::erase_if(report_.sections, [](const ReportSection& s) { return s.rows.empty(); });
    for (ReportSection& section : report_.sections)
        if (section.rows.size() > kMaxRows) {
            const std::size_t more = section.rows.size() - kMaxRows;
            section.rows.resize(kMaxRows);
            section.rows.push_back({QString(), QStringLiteral("and %1 more").arg(more), {}, {}});
        }
    return std::move(report_);
}

// ---- parts ----

void ReportBuilder::resources(const device::Resources& used) {
    row(QStringLiteral("DSP blocks"), amount(used.dsp));
    row(QStringLiteral("Block RAM"), amount(used.bram));
    row(QStringLiteral("LUT"), amount(used.lut));
    row(QStringLiteral("FF"), amount(used.ff));
}

void ReportBuilder::classRow(EClassId id) {
    if (index_.exists(id)) {
        const EClassId eclass = index_.egraph()->find(id);
        row(QStringLiteral("E-class"), QStringLiteral("c%1").arg(eclass.value()), eclass);
    }
}

void ReportBuilder::callRow(design::CallId id) {
    const design::DesignCall& call = index_.design()->call(id);
    row(QStringLiteral("%1").arg(id.value()), text(call.layer), id,
        QStringLiteral("%1 cycles").arg(grouped(call.cycles)));
}

void ReportBuilder::bufferRow(const design::DesignBuffer& buffer) {
    row(text(toString(buffer.kind)), text(buffer.name), buffer.id,
        QStringLiteral("%1 × %2 bits").arg(grouped(buffer.words)).arg(buffer.width));
}

void ReportBuilder::nodeRow(ENodeId node) {
    const egraph::FrozenEGraph& view = *index_.egraph();
    row(index_.chosen(node) ? QStringLiteral("● n%1").arg(node.value())
                            : QStringLiteral("n%1").arg(node.value()),
        text(termName(view, node)), node, originNote(view.origin(node)));
}

void ReportBuilder::reachedBy(EClassId eclass) {
    if (index_.unitName(eclass).empty() && !index_.chosen(eclass))
        return;
    for (const std::string& layer : index_.layersReaching(eclass))
        row(QStringLiteral("Reached by"), text(layer), LayerName{layer});
}

void ReportBuilder::relatedUnits(const Subject& subject) {
    if (index_.design() == nullptr)
        return;
    begin(QStringLiteral("Part of"));
    const Linked linked = index_.linked(subject);
    for (const design::UnitId unit : linked.units)
        row(QStringLiteral("Unit"), text(index_.design()->unit(unit).name), unit);
    for (const design::CallId call : linked.calls)
        row(QStringLiteral("Call"), text(index_.design()->call(call).layer), call);
}

void ReportBuilder::importSection(const std::string& layer) {
    const auto& program = index_.snapshot().program;
    if (!program || program->imported.empty())
        return;
    begin(QStringLiteral("In the imported file"));
    const std::vector<ir::Layer> layers = ir::planLayers(*program).layers;
    const auto found = std::ranges::find(layers, layer, &ir::Layer::name);
    if (found == layers.end())
        return;
    for (const ir::ImportedValue* part : ir::importedValues(*program, *found)) {
        row(text(part->op), text(part->node), {}, text(part->tensor));
        row(QStringLiteral("Reads as"), text(part->scale));
        row(QStringLiteral("Multiplier"), text(part->factor), {}, text(part->proof));
    }
}

/// The design's terms, or those that speak of one of `names`.
void ReportBuilder::costSection(const std::vector<std::string>& names) {
    begin(names.empty() ? QStringLiteral("Cost of the design") : QStringLiteral("Cost"));
    const auto spoken = [&](const design::CostTerm& term) {
        return names.empty() || std::ranges::any_of(names, [&](const std::string& name) {
                   return term.name == name || term.name.ends_with(" " + name);
               });
    };
    for (const design::CostTerm& term : index_.design()->terms | std::views::filter(spoken))
        row(text(term.name), amount(term.value) + u' ' + text(term.unit), {}, text(term.formula));
}

void ReportBuilder::reasonSection(EClassId id) {
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

void ReportBuilder::oppositeRow(const design::DesignUnit& unit) {
    if (!unit.why.counterfactual.empty())
        row(QStringLiteral("If not shared"), text(unit.why.counterfactual));
}

QString ReportBuilder::originNote(const egraph::Origin& origin) const {
    return originText(index_.snapshot(), origin);
}

/// For every chosen e-node the rule that made it and what that rule matched, back to the
/// program.
void ReportBuilder::originSection(const std::vector<ENodeId>& nodes) {
    const egraph::FrozenEGraph* view = index_.egraph();
    if (view == nullptr)
        return;
    begin(QStringLiteral("Origin"));
    for (const ENodeId node : nodes) {
        if (node.index() >= view->totalEnodes())
            continue;
        const auto chain = egraph::originChain(*view, node);
        for (std::size_t k = 0; k < chain.size() && k < kMaxChain; ++k)
            row(k == 0 ? QStringLiteral("n%1").arg(node.value()) : QStringLiteral("  from"),
                text(termName(*view, chain[k].node)), chain[k].node, originNote(chain[k].origin));
    }
}

void ReportBuilder::proofSection(const std::string& layer, const std::vector<ENodeId>& chosen) {
    const auto found = index_.snapshot().proofs.find(layer);
    if (found == index_.snapshot().proofs.end() || !found->second->failure.empty()) {
        originSection(chosen);
        return;
    }
    const session::LayerProof& proof = *found->second;
    begin(QStringLiteral("Proof for layer %1").arg(text(layer)));
    row(QStringLiteral("As written"), text(proof.from));
    int number = 0;
    for (const session::ProofLine& line : proof.lines)
        row(QStringLiteral("%1 %2%3").arg(++number).arg(text(line.rule),
                                                        line.forward ? u"" : u" ←"),
            text(line.before) + QStringLiteral(" = ") + text(line.after), RuleName{line.rule},
            line.place.empty() ? QString() : QStringLiteral("at %1").arg(text(line.place)));
    row(QStringLiteral("Chosen"),
        proof.lines.empty() ? QStringLiteral("the same term") : text(proof.to));
}

void ReportBuilder::alternatives(const std::vector<std::string>& names) {
    begin(QStringLiteral("Alternatives"));
    const auto& all = index_.snapshot().alternatives;
    for (const std::string& name : names)
        if (const auto found = all.find(name); found != all.end())
            for (const std::string& line : found->second)
                row(QString(), text(line));
}

} // namespace marquetry::widgets
