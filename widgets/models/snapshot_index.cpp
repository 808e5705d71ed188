#include "widgets/models/snapshot_index.h"

#include <algorithm>
#include <deque>

namespace marquetry::widgets {

namespace {

using design::BufferId;
using design::CallId;
using design::UnitId;
using egraph::EClassId;
using egraph::ENodeId;

constexpr std::string_view kCallPrefix = "call ";

/// Blocks that repeat a shape are numbered ("Mv 64×576 #2"); pins name the shape.
std::string withoutNumber(const std::string& name) {
    const std::size_t mark = name.rfind(" #");
    return mark == std::string::npos ? name : name.substr(0, mark);
}

template <class T>
void tidy(std::vector<T>& list) {
    std::ranges::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

} // namespace

SnapshotIndex::SnapshotIndex(std::shared_ptr<const session::Snapshot> snapshot)
    : snapshot_(std::move(snapshot)) {
    indexCalls();
    indexDesign();
    indexPins();
}

bool SnapshotIndex::hasClass(EClassId id) const {
    return egraph() != nullptr && id.valid() && id.index() < egraph()->totalEnodes();
}

std::optional<ENodeId> SnapshotIndex::liveNode(ENodeId node) const {
    const egraph::FrozenEGraph* view = egraph();
    if (view == nullptr || !node.valid() || node.index() >= view->totalEnodes())
        return std::nullopt;
    if (view->live(node))
        return node;
    for (const ENodeId twin : view->enodes(view->eclassOf(node)))
        if (view->op(twin) == view->op(node) &&
            std::ranges::equal(view->params(twin), view->params(node)) &&
            std::ranges::equal(view->children(twin), view->children(node)))
            return twin;
    return std::nullopt;
}

void SnapshotIndex::indexCalls() {
    const egraph::FrozenEGraph* view = egraph();
    if (view == nullptr)
        return;
    std::vector<std::string> layerOfOp(view->language().opCount());
    for (std::size_t k = 0; k < layerOfOp.size(); ++k) {
        const std::string& name = view->language().name(egraph::OpId{k});
        if (name.starts_with(kCallPrefix))
            layerOfOp[k] = name.substr(kCallPrefix.size());
    }
    for (const EClassId eclass : view->eclasses())
        for (const ENodeId node : view->enodes(eclass))
            if (const std::string& layer = layerOfOp[view->op(node).index()]; !layer.empty())
                callNodes_.emplace(layer, node);
}

void SnapshotIndex::addChosen(const std::vector<ENodeId>& nodes) {
    for (const ENodeId node : nodes)
        if (const auto live = liveNode(node)) {
            chosen_.insert(*live);
            chosenClasses_.insert(egraph()->eclassOf(*live));
        }
}

void SnapshotIndex::indexDesign() {
    if (egraph() == nullptr)
        return;
    if (const session::StreamItem* stream = snapshot_->exportedStream())
        addChosen(stream->states->chosen);
    if (design() == nullptr)
        return;
    for (const design::DesignUnit& unit : design()->units) {
        addChosen(unit.chosen);
        if (!hasClass(unit.eclass))
            continue;
        const EClassId eclass = egraph()->find(unit.eclass);
        unitNames_.emplace(eclass, toString(unit.shape));
        if (unit.shared)
            sharedClasses_.insert(eclass);
    }
    for (const design::DesignCall& call : design()->calls) {
        addChosen(call.chosen);
        if (const auto node = callNode(call.layer))
            addChosen({*node});
    }
    for (const design::SharingCandidate& entry : design()->candidates)
        if (hasClass(entry.eclass))
            unitNames_.emplace(egraph()->find(entry.eclass), withoutNumber(entry.name));
}

void SnapshotIndex::indexPins() {
    const egraph::FrozenEGraph* view = egraph();
    if (view == nullptr)
        return;
    std::set<std::string> terms;
    std::set<std::string> units;
    for (const design::Pin& pin : snapshot_->pins)
        if (pin.enabled)
            (pin.kind == design::PinKind::Share || pin.kind == design::PinKind::NeverShare ? units
                                                                                           : terms)
                .insert(pin.target);
    for (const auto& [eclass, name] : unitNames_)
        if (units.contains(name))
            pinnedClasses_.insert(eclass);
    if (terms.empty())
        return;
    std::set<std::string, std::less<>> opNames;
    for (const std::string& term : terms)
        opNames.insert(term.substr(0, term.find('[')));
    for (const EClassId eclass : view->eclasses())
        for (const ENodeId node : view->enodes(eclass))
            if (opNames.contains(view->opName(node)) && terms.contains(termName(*view, node)))
                pinnedNodes_.insert(node);
}

bool SnapshotIndex::exists(const Subject& subject) const {
    if (const auto* layer = std::get_if<LayerName>(&subject))
        return callOf(layer->name).has_value() || callNode(layer->name).has_value();
    if (const auto* eclass = std::get_if<EClassId>(&subject))
        return hasClass(*eclass);
    if (const auto* node = std::get_if<ENodeId>(&subject))
        return hasClass(EClassId{node->value()});
    if (const auto* rule = std::get_if<RuleName>(&subject))
        return ruleId(rule->name).valid() || ruleText(rule->name) != nullptr;
    if (isEmpty(subject) || design() == nullptr)
        return false;
    if (const auto* unit = std::get_if<UnitId>(&subject))
        return unit->index() < design()->units.size();
    if (const auto* call = std::get_if<CallId>(&subject))
        return call->index() < design()->calls.size();
    return std::get<BufferId>(subject).index() < design()->buffers.size();
}

std::set<EClassId> SnapshotIndex::unitClasses(const design::DesignUnit& unit) const {
    std::set<EClassId> eclasses;
    if (hasClass(unit.eclass))
        eclasses.insert(egraph()->find(unit.eclass));
    for (const ENodeId node : unit.chosen)
        if (const auto live = liveNode(node))
            eclasses.insert(egraph()->eclassOf(*live));
    return eclasses;
}

std::set<EClassId> SnapshotIndex::callClasses(const design::DesignCall& call) const {
    std::set<EClassId> eclasses;
    if (hasClass(call.eclass))
        eclasses.insert(egraph()->find(call.eclass));
    for (const ENodeId node : call.chosen)
        if (const auto live = liveNode(node))
            eclasses.insert(egraph()->eclassOf(*live));
    if (const auto node = callNode(call.layer))
        eclasses.insert(egraph()->eclassOf(*node));
    return eclasses;
}

namespace {

/// What a step of a layer reads and writes.
std::vector<design::TensorId> tensorsOf(const design::Step& step) {
    if (const auto* compute = std::get_if<design::ComputeStep>(&step))
        return {compute->input, compute->output};
    if (const auto* rows = std::get_if<design::RowStep>(&step))
        return rows->other ? std::vector{rows->input, *rows->other, rows->output}
                           : std::vector{rows->input, rows->output};
    const auto* move = std::get_if<design::MoveStep>(&step);
    if (move == nullptr)
        return {};
    std::vector<design::TensorId> tensors = {move->source};
    if (move->target)
        tensors.push_back(*move->target);
    return tensors;
}

} // namespace

std::vector<std::string> SnapshotIndex::storedNames(const design::DesignCall& call) const {
    std::vector<std::string> names;
    if (design()->schedule)
        for (const design::Step& step : design()->schedule->steps)
            if (const std::string* layer = design::layerOf(step);
                layer != nullptr && *layer == call.layer)
                for (const design::TensorId tensor : tensorsOf(step)) {
                    const design::StoredTensor& stored = design()->schedule->tensor(tensor);
                    names.push_back(design()->schedule->slot(stored.slot).name);
                    names.push_back(stored.name);
                }
    if (!snapshot_->program)
        return names;
    const ir::Program& program = *snapshot_->program;
    std::set<ir::ValueId> ends;
    for (const design::DesignCall& other : design()->calls)
        ends.insert(other.result);
    std::deque<ir::ValueId> open{call.result};
    std::set<ir::ValueId> seen{call.result};
    while (!open.empty()) {
        const ir::ValueId id = open.front();
        open.pop_front();
        if (id.index() >= program.values.size())
            continue;
        const ir::Value& value = program.value(id);
        names.push_back(value.name);
        if (ends.contains(id) && id != call.result)
            continue;
        for (const ir::ValueId operand : value.operands)
            if (seen.insert(operand).second)
                open.push_back(operand);
    }
    return names;
}

std::vector<BufferId> SnapshotIndex::buffersOf(const design::DesignCall& call) const {
    const std::vector<std::string> names = storedNames(call);
    std::vector<BufferId> buffers;
    for (const design::DesignBuffer& buffer : design()->buffers)
        if (std::ranges::find(names, buffer.name) != names.end())
            buffers.push_back(buffer.id);
    return buffers;
}

void SnapshotIndex::addCall(Linked& linked, CallId id) const {
    const design::DesignCall& call = design()->call(id);
    linked.calls.push_back(id);
    linked.layers.push_back(call.layer);
    linked.units.push_back(call.unit);
    const design::DesignUnit& unit = design()->unit(call.unit);
    for (const auto& eclasses : {callClasses(call), unitClasses(unit)})
        linked.eclasses.insert(linked.eclasses.end(), eclasses.begin(), eclasses.end());
    for (const auto* chosen : {&call.chosen, &unit.chosen})
        for (const ENodeId node : *chosen)
            if (const auto live = liveNode(node))
                linked.enodes.push_back(*live);
    if (const auto node = callNode(call.layer))
        linked.enodes.push_back(*node);
    const std::vector<BufferId> buffers = buffersOf(call);
    linked.buffers.insert(linked.buffers.end(), buffers.begin(), buffers.end());
}

void SnapshotIndex::addUnit(Linked& linked, UnitId id) const {
    const design::DesignUnit& unit = design()->unit(id);
    linked.units.push_back(id);
    for (const EClassId eclass : unitClasses(unit))
        linked.eclasses.push_back(eclass);
    for (const CallId call : unit.callSites)
        addCall(linked, call);
}

void SnapshotIndex::addClass(Linked& linked, EClassId id) const {
    const EClassId eclass = egraph()->find(id);
    linked.eclasses.push_back(eclass);
    if (design() == nullptr)
        return;
    for (const design::DesignUnit& unit : design()->units)
        if (unitClasses(unit).contains(eclass)) {
            linked.units.push_back(unit.id);
            for (const CallId call : unit.callSites) {
                linked.calls.push_back(call);
                linked.layers.push_back(design()->call(call).layer);
            }
        }
    for (const design::DesignCall& call : design()->calls)
        if (callClasses(call).contains(eclass)) {
            linked.calls.push_back(call.id);
            linked.layers.push_back(call.layer);
            linked.units.push_back(call.unit);
        }
}

void SnapshotIndex::addBuffer(Linked& linked, BufferId id) const {
    linked.buffers.push_back(id);
    for (const design::DesignCall& call : design()->calls) {
        const std::vector<BufferId> buffers = buffersOf(call);
        if (std::ranges::find(buffers, id) == buffers.end())
            continue;
        linked.calls.push_back(call.id);
        linked.layers.push_back(call.layer);
        linked.units.push_back(call.unit);
    }
}

egraph::RuleId SnapshotIndex::ruleId(const std::string& name) const {
    const auto& names = snapshot_->ruleNames;
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? egraph::RuleId()
                                : egraph::RuleId{static_cast<int>(found - names.begin())};
}

const rules::RuleText* SnapshotIndex::ruleText(const std::string& name) const {
    const auto& texts = snapshot_->ruleTexts;
    const auto found = std::ranges::find(texts, name, &rules::RuleText::name);
    return found == texts.end() ? nullptr : &*found;
}

/// The live e-nodes the rule made, and their classes.
void SnapshotIndex::addRule(Linked& linked, egraph::RuleId rule) const {
    if (egraph() == nullptr || !rule.valid())
        return;
    for (const EClassId eclass : egraph()->eclasses())
        for (const ENodeId node : egraph()->enodes(eclass))
            if (egraph()->origin(node).rule == rule) {
                linked.enodes.push_back(node);
                linked.eclasses.push_back(eclass);
            }
}

Linked SnapshotIndex::linked(const Subject& subject) const {
    Linked linked;
    if (!exists(subject))
        return linked;
    if (const auto* layer = std::get_if<LayerName>(&subject)) {
        if (const auto call = callOf(layer->name))
            addCall(linked, *call);
        else
            addClass(linked, egraph()->eclassOf(*callNode(layer->name)));
        linked.layers.push_back(layer->name);
    } else if (const auto* unit = std::get_if<UnitId>(&subject)) {
        addUnit(linked, *unit);
    } else if (const auto* call = std::get_if<CallId>(&subject)) {
        addCall(linked, *call);
    } else if (const auto* eclass = std::get_if<EClassId>(&subject)) {
        addClass(linked, *eclass);
    } else if (const auto* node = std::get_if<ENodeId>(&subject)) {
        addClass(linked, egraph()->eclassOf(*node));
        if (const auto live = liveNode(*node))
            linked.enodes.push_back(*live);
    } else if (const auto* rule = std::get_if<RuleName>(&subject)) {
        addRule(linked, ruleId(rule->name));
    } else {
        addBuffer(linked, std::get<BufferId>(subject));
    }
    tidy(linked.layers);
    tidy(linked.units);
    tidy(linked.calls);
    tidy(linked.eclasses);
    tidy(linked.enodes);
    tidy(linked.buffers);
    return linked;
}

std::string SnapshotIndex::unitName(EClassId eclass) const {
    const auto found = unitNames_.find(eclass);
    return found == unitNames_.end() ? std::string() : found->second;
}

const design::SharingCandidate* SnapshotIndex::candidate(EClassId eclass) const {
    if (design() == nullptr)
        return nullptr;
    for (const design::SharingCandidate& entry : design()->candidates)
        if (hasClass(entry.eclass) && egraph()->find(entry.eclass) == eclass)
            return &entry;
    return nullptr;
}

std::vector<std::string> SnapshotIndex::layersReaching(EClassId eclass) const {
    std::vector<std::string> layers;
    if (!hasClass(eclass))
        return layers;
    const egraph::FrozenEGraph& view = *egraph();
    std::vector<EClassId> open{view.find(eclass)};
    std::set<EClassId> seen(open.begin(), open.end());
    while (!open.empty()) {
        const EClassId current = open.back();
        open.pop_back();
        for (const ENodeId parent : view.parents(current)) {
            const std::string& name = view.opName(parent);
            if (name.starts_with(kCallPrefix))
                layers.push_back(name.substr(kCallPrefix.size()));
            else if (view.sort(view.eclassOf(parent)) == view.sort(current) &&
                     seen.insert(view.eclassOf(parent)).second)
                open.push_back(view.eclassOf(parent));
        }
    }
    tidy(layers);
    return layers;
}

std::vector<std::string> SnapshotIndex::layers() const {
    std::vector<std::string> names;
    for (const auto& [layer, node] : callNodes_)
        names.push_back(layer);
    return names;
}

std::optional<ENodeId> SnapshotIndex::callNode(const std::string& layer) const {
    const auto found = callNodes_.find(layer);
    return found == callNodes_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<CallId> SnapshotIndex::callOf(const std::string& layer) const {
    if (design() != nullptr)
        for (const design::DesignCall& call : design()->calls)
            if (call.layer == layer)
                return call.id;
    return std::nullopt;
}

std::string SnapshotIndex::onlyLayerOf(ENodeId node) const {
    std::set<std::string> layers;
    const auto holds = [&](const std::vector<ENodeId>& chosen) {
        return std::ranges::any_of(chosen, [&](ENodeId other) { return liveNode(other) == node; });
    };
    if (design() != nullptr)
        for (const design::DesignCall& call : design()->calls)
            if (holds(call.chosen) || holds(design()->unit(call.unit).chosen))
                layers.insert(call.layer);
    return layers.size() == 1 ? *layers.begin() : std::string();
}

const design::Pin* SnapshotIndex::pin(design::PinKind kind, const std::string& target,
                                      const std::string& layer) const {
    for (const design::Pin& pin : snapshot_->pins)
        if (pin.enabled && pin.kind == kind && pin.target == target && pin.layer == layer)
            return &pin;
    return nullptr;
}

} // namespace marquetry::widgets
