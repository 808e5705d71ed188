#include "engine/egraph/past_match.h"

#include <algorithm>

namespace marquetry::egraph {

bool SearchBudget::spend(std::size_t amount) {
    used += amount;
    left -= std::min(left, amount);
    if (stop.stop_requested())
        left = 0;
    return left > 0;
}

void PastMatcher::search(const Pattern& pattern, ENodeId anchor, bool anywhere,
                         std::span<const ENodeId> fixed, const Found& found) {
    pattern_ = &pattern;
    match_ = {{fixed.begin(), fixed.end()}, std::vector<Param>(pattern.paramVars.size()), {}};
    match_.classes.resize(pattern.classVars.size());
    paramBound_.assign(pattern.paramVars.size(), 0);
    classTrail_.clear();
    paramTrail_.clear();
    if (pattern.root().isVar) {
        if (bindClass(pattern.root().var, anchor, {}))
            found(match_);
        return;
    }
    arrange(pattern);
    enter(0, anchor, anywhere);
    for (std::size_t depth = 1; depth > 0;) {
        if (!advance(depth - 1)) {
            --depth;
        } else if (depth == levels_.size()) {
            if (found(match_))
                return;
        } else {
            const Level& level = levels_[depth];
            const ENodeId outer = cursors_[level.parent].chosen;
            enter(depth, ENodeId{egraph_.originalChildren(outer)[level.child].value()}, true);
            ++depth;
        }
    }
}

void PastMatcher::arrange(const Pattern& pattern) {
    levels_.clear();
    std::vector<Level> todo{{static_cast<std::uint32_t>(pattern.nodes.size() - 1), 0, 0, {}}};
    while (!todo.empty()) {
        const Level level = std::move(todo.back());
        todo.pop_back();
        const PatternNode& node = pattern.nodes[level.node];
        for (std::size_t k = node.children.size(); k-- > 0;) {
            if (pattern.nodes[node.children[k]].isVar)
                continue;
            const auto child = static_cast<std::uint32_t>(k);
            Place place = level.place;
            place.push_back(child);
            todo.push_back({node.children[k], levels_.size(), child, std::move(place)});
        }
        levels_.push_back(level);
    }
    cursors_.assign(levels_.size(), {});
}

void PastMatcher::enter(std::size_t level, ENodeId anchor, bool anywhere) {
    if (!anywhere)
        self_ = {anchor};
    cursors_[level] = {anywhere ? &equalTo(anchor) : &self_,
                       0,
                       classTrail_.size(),
                       paramTrail_.size(),
                       match_.replacements.size(),
                       {},
                       anchor};
}

void PastMatcher::undo(const Cursor& to) {
    for (; classTrail_.size() > to.boundClasses; classTrail_.pop_back())
        match_.classes[classTrail_.back().index()] = {};
    for (; paramTrail_.size() > to.boundParams; paramTrail_.pop_back())
        paramBound_[paramTrail_.back().index()] = 0;
    match_.replacements.resize(to.replacements);
}

/// The next candidate of a level that fits what the outer levels bound.
bool PastMatcher::advance(std::size_t level) {
    Cursor& cursor = cursors_[level];
    while (true) {
        undo(cursor);
        if (cursor.next == cursor.candidates->size() || !budget_.spend(1))
            return false;
        cursor.chosen = (*cursor.candidates)[cursor.next++];
        if (egraph_.op(cursor.chosen) != pattern_->nodes[levels_[level].node].op)
            continue;
        if (cursor.chosen != cursor.anchor)
            match_.replacements.push_back({levels_[level].place, cursor.anchor, cursor.chosen});
        if (bind(levels_[level], cursor.chosen))
            return true;
    }
}

bool PastMatcher::bind(const Level& level, ENodeId n) {
    const PatternNode& node = pattern_->nodes[level.node];
    const ParamSpan params = egraph_.params(n);
    const ChildSpan children = egraph_.originalChildren(n);
    if (params.size() != node.params.size() || children.size() != node.children.size())
        return false;
    for (std::size_t k = 0; k < params.size(); ++k)
        if (!bindParam(node.params[k], params[k]))
            return false;
    Place place = level.place;
    place.push_back(0);
    for (std::size_t k = 0; k < children.size(); ++k) {
        const PatternNode& child = pattern_->nodes[node.children[k]];
        place.back() = static_cast<std::uint32_t>(k);
        if (child.isVar && !bindClass(child.var, ENodeId{children[k].value()}, place))
            return false;
    }
    return true;
}

bool PastMatcher::bindClass(VarId var, ENodeId n, const Place& place) {
    ENodeId& value = match_.classes[var.index()];
    if (!value.valid()) {
        value = n;
        classTrail_.push_back(var);
        return true;
    }
    if (!history_.equalAt(value, n, time_))
        return false;
    if (value != n)
        match_.replacements.push_back({place, n, value});
    return true;
}

bool PastMatcher::bindParam(const ParamPattern& pattern, Param value) {
    if (!pattern.isVar)
        return pattern.literal == value;
    Param& bound = match_.params[pattern.var.index()];
    if (paramBound_[pattern.var.index()])
        return bound == value;
    bound = value;
    paramBound_[pattern.var.index()] = 1;
    paramTrail_.push_back(pattern.var);
    return true;
}

const std::vector<ENodeId>& PastMatcher::equalTo(ENodeId n) {
    const auto [entry, added] = members_.try_emplace(n);
    if (added) {
        entry->second = history_.equalTo(n, time_);
        budget_.spend(entry->second.size());
    }
    return entry->second;
}

} // namespace marquetry::egraph
