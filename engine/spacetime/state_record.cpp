#include "engine/spacetime/state_record.h"

#include "engine/spacetime/implementation.h"

#include <algorithm>

namespace marquetry::spacetime {

using ir::StreamOp;

namespace {

/// "add", "add lsr"; the first few operators of a function.
std::string operatorsOf(const ir::StreamGraph& function) {
    constexpr std::size_t kNamed = 4;
    std::string names;
    std::size_t count = 0;
    for (const ir::StreamNode& node : function.nodes) {
        if (node.op == StreamOp::Input || node.op == StreamOp::Const || node.op == StreamOp::Fst ||
            node.op == StreamOp::Snd)
            continue;
        if (++count <= kNamed)
            names += (names.empty() ? "" : " ") + std::string(ir::info(node.op).name);
    }
    return count > kNamed ? names + " …" : names;
}

std::string nameOf(const ir::StreamNode& node) {
    std::string name(ir::info(node.op).name);
    if (node.op == StreamOp::Input)
        return name + " " + node.name;
    if (node.function)
        return name + "(" + operatorsOf(*node.function) + ")";
    for (int k = 0; k < ir::info(node.op).params; ++k)
        name += " " + std::to_string(node.params[static_cast<std::size_t>(k)]);
    return name;
}

double resourceCount(const device::Resources& area) {
    return area.lut + area.ff + area.bram + area.dsp;
}

} // namespace

void StateRecord::root(ir::StreamNodeId value, LayoutId layout) {
    roots_.insert({value, layout});
}

bool StateRecord::keep(const Place& place, Way way, const device::Resources& area, bool chosen) {
    auto& ways = ways_[place];
    const auto known = ways.find(way);
    if (known != ways.end()) {
        Kept& kept = known->second;
        if (chosen || (!kept.chosen && resourceCount(area) < resourceCount(kept.area)))
            kept.area = area;
        kept.chosen = kept.chosen || chosen;
        return true;
    }
    if (count_ >= kMostWays && !chosen) {
        full_ = true;
        return false;
    }
    ++count_;
    ways.emplace(std::move(way), Kept{area, chosen});
    return true;
}

void StateRecord::way(ir::StreamNodeId value, LayoutId layout, const std::vector<Place>& operands,
                      const device::Resources& area) {
    keep({value, layout}, {nameOf(graph_.node(value)), operands}, area, false);
}

void StateRecord::change(ir::StreamNodeId value, LayoutId from, LayoutId to) {
    if (from != to)
        keep({value, to}, {"reshape", {{value, from}}}, layouts_.change(from, to), false);
}

void StateRecord::chooseChange(ir::StreamNodeId value, LayoutId from, LayoutId to) {
    if (from != to)
        keep({value, to}, {"reshape", {{value, from}}}, layouts_.change(from, to), true);
}

void StateRecord::choose(const Implementation& implementation) {
    std::map<ir::StreamNodeId, LayoutId> produced;
    for (std::size_t k = 0; k < graph_.inputs.size(); ++k)
        produced[graph_.inputs[k]] = implementation.inputs[k];
    for (const Decision* d = implementation.decisions.get(); d; d = d->later.get())
        produced[d->node] = d->layout;
    const auto use = [&](ir::StreamNodeId user, LayoutId layout) {
        const ir::StreamNodeId id = withoutRegrouping(graph_, user);
        const ir::StreamNode& node = graph_.node(id);
        const auto made = produced.find(id);
        if (made != produced.end())
            chooseChange(id, made->second, layout);
        if (made == produced.end() || node.op == StreamOp::Input)
            keep({id, made == produced.end() ? layout : made->second}, {nameOf(node), {}}, {},
                 true);
        return Place{id, layout};
    };
    for (const Decision* d = implementation.decisions.get(); d; d = d->later.get()) {
        const std::vector<LayoutId> layouts = operandLayouts(graph_, *d, layouts_);
        std::vector<Place> operands;
        for (std::size_t k = 0; k < layouts.size(); ++k)
            operands.push_back(use(graph_.node(d->node).operands[k], layouts[k]));
        auto& ways = ways_[{d->node, d->layout}];
        const auto known = ways.find({nameOf(graph_.node(d->node)), operands});
        const device::Resources area =
            known != ways.end() ? known->second.area : device::Resources();
        keep({d->node, d->layout}, {nameOf(graph_.node(d->node)), operands}, area, true);
    }
    chosenRoot_ = use(graph_.outputs[0].node, implementation.output);
    roots_.insert(chosenRoot_);
}

/// Places with a term; a value's operands come before it, changes may go in circles.
std::set<StateRecord::Place> StateRecord::finite() const {
    std::set<Place> found;
    for (bool grows = true; grows;) {
        grows = false;
        for (const auto& [place, ways] : ways_) {
            if (found.contains(place))
                continue;
            const bool has = std::ranges::any_of(ways, [&](const auto& way) {
                return std::ranges::all_of(way.first.operands, [&](const Place& operand) {
                    return found.contains(operand);
                });
            });
            if (has) {
                found.insert(place);
                grows = true;
            }
        }
    }
    return found;
}

bool StateRecord::isAmong(const Way& way, const std::set<Place>& known) {
    return std::ranges::all_of(way.operands,
                               [&](const Place& place) { return known.contains(place); });
}

std::set<StateRecord::Place> StateRecord::needed(const std::set<Place>& known) const {
    std::set<Place> found;
    std::vector<Place> open;
    const auto need = [&](const Place& place) {
        if (known.contains(place) && found.insert(place).second)
            open.push_back(place);
    };
    for (const Place& root : roots_)
        need(root);
    while (!open.empty()) {
        const Place place = open.back();
        open.pop_back();
        for (const auto& [way, kept] : ways_.at(place)) {
            if (isAmong(way, known))
                std::ranges::for_each(way.operands, need);
        }
    }
    return found;
}

StateGraph StateRecord::finish(bool complete) const {
    const std::set<Place> known = finite();
    std::map<std::pair<ir::StreamNodeId, std::string>, Place> ordered;
    for (const Place& place : needed(known))
        ordered[{place.first, toString(layouts_.type(place.second))}] = place;
    StateGraph result;
    std::map<Place, std::size_t> numbers;
    for (const auto& [key, place] : ordered) {
        numbers[place] = result.classes.size();
        result.classes.push_back({place.first, layouts_.type(place.second)});
        if (roots_.contains(place))
            result.roots.push_back(numbers[place]);
    }
    for (const auto& [key, place] : ordered) {
        for (const auto& [way, kept] : ways_.at(place)) {
            if (!isAmong(way, known))
                continue;
            StateWay each{numbers[place], way.op, {}, kept.area, kept.chosen};
            for (const Place& operand : way.operands)
                each.operands.push_back(numbers[operand]);
            result.ways.push_back(std::move(each));
        }
    }
    result.chosenRoot = numbers.at(chosenRoot_);
    result.complete = complete && !full_;
    return result;
}

} // namespace marquetry::spacetime
