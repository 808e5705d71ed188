#include "widgets/models/pin_choices.h"

namespace marquetry::widgets {

namespace {

using design::PinKind;

constexpr std::string_view kUnitSort = "unit";

class Choices {
public:
    explicit Choices(const SnapshotIndex& index) : index_(index) {}

    void add(PinKind kind, const std::string& target, const std::string& layer,
             const QString& text) {
        design::Pin pin;
        pin.kind = kind;
        pin.target = target;
        pin.layer = layer;
        const design::Pin* existing = index_.pin(kind, target, layer);
        if (existing != nullptr)
            pin.id = existing->id;
        list_.push_back({existing != nullptr ? QStringLiteral("Unpin: ") + text : text, pin});
    }

    void addTerm(egraph::ENodeId node) {
        const egraph::FrozenEGraph& view = *index_.egraph();
        const egraph::EClassId eclass = view.eclassOf(node);
        if (view.language().sortName(view.sort(eclass)) != kUnitSort)
            return;
        const std::string term = termName(view, node);
        const QString shown = QString::fromStdString(term);
        std::vector<std::string> layers = index_.layersReaching(eclass);
        const std::string own = index_.onlyLayerOf(node);
        if (!own.empty()) {
            std::erase(layers, own);
            layers.insert(layers.begin(), own);
        }
        for (std::size_t k = 0; k < layers.size() && k < kMaxForceLayers; ++k)
            add(PinKind::ForceTerm, term, layers[k],
                QStringLiteral("Force %1 in %2").arg(shown, QString::fromStdString(layers[k])));
        if (!layers.empty())
            add(PinKind::ForbidTerm, term, "", QStringLiteral("Forbid %1").arg(shown));
    }

    void addUnit(egraph::EClassId eclass, const std::string& name) {
        const bool known = eclass.valid() || !name.empty();
        if (!known || name.empty())
            return;
        const QString shown = QString::fromStdString(name);
        add(PinKind::Share, name, "", QStringLiteral("Share unit %1").arg(shown));
        add(PinKind::NeverShare, name, "", QStringLiteral("Never share %1").arg(shown));
    }

    std::vector<PinChoice> take() { return std::move(list_); }

private:
    const SnapshotIndex& index_;
    std::vector<PinChoice> list_;
};

/// The unit of a subject that names one directly or through its call.
const design::DesignUnit* unitOf(const SnapshotIndex& index, const Subject& subject) {
    if (index.design() == nullptr || !index.exists(subject))
        return nullptr;
    if (const auto* unit = std::get_if<design::UnitId>(&subject))
        return &index.design()->unit(*unit);
    if (const auto* call = std::get_if<design::CallId>(&subject))
        return &index.design()->unit(index.design()->call(*call).unit);
    if (const auto* layer = std::get_if<LayerName>(&subject))
        if (const auto call = index.callOf(layer->name))
            return &index.design()->unit(index.design()->call(*call).unit);
    return nullptr;
}

} // namespace

egraph::EClassId unitClassOf(const SnapshotIndex& index, const Subject& subject) {
    if (index.egraph() == nullptr || !index.exists(subject))
        return {};
    if (const auto* eclass = std::get_if<egraph::EClassId>(&subject))
        return index.egraph()->find(*eclass);
    if (const auto* node = std::get_if<egraph::ENodeId>(&subject))
        return index.egraph()->eclassOf(*node);
    const design::DesignUnit* unit = unitOf(index, subject);
    if (unit == nullptr || !unit->eclass.valid() ||
        unit->eclass.index() >= index.egraph()->totalEnodes())
        return {};
    return index.egraph()->find(unit->eclass);
}

std::vector<PinChoice> pinChoices(const SnapshotIndex& index, const Subject& subject) {
    Choices choices(index);
    if (!index.snapshot().program || !index.exists(subject))
        return {}; // the states of a stream are pinned by the output's type
    if (const auto* node = std::get_if<egraph::ENodeId>(&subject))
        choices.addTerm(*node);
    const egraph::EClassId eclass = unitClassOf(index, subject);
    std::string name = eclass.valid() ? index.unitName(eclass) : std::string();
    if (const design::DesignUnit* unit = unitOf(index, subject); unit != nullptr && name.empty())
        name = toString(unit->shape);
    choices.addUnit(eclass, name);
    return choices.take();
}

} // namespace marquetry::widgets
