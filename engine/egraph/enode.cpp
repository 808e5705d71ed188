#include "engine/egraph/enode.h"

#include "engine/support/assert.h"

namespace marquetry::egraph {

SortId Language::addSort(std::string name) {
    const SortId id{sorts_.size()};
    ENGINE_ASSERT(sortByName_.emplace(name, id).second, "a sort name is used once");
    sorts_.push_back(std::move(name));
    return id;
}

OpId Language::addOp(OpSpec spec) {
    const OpId id{ops_.size()};
    ENGINE_ASSERT(spec.result.index() < sorts_.size(), "the result sort is declared first");
    for (SortId child : spec.children)
        ENGINE_ASSERT(child.index() < sorts_.size(), "a child sort is declared first");
    ENGINE_ASSERT(!spec.variadicChildren || !spec.children.empty(),
                  "variadic children need a sort to repeat");
    ENGINE_ASSERT(opByName_.emplace(spec.name, id).second, "an operator name is used once");
    ops_.push_back(std::move(spec));
    return id;
}

std::optional<OpId> Language::findOp(std::string_view name) const {
    const auto it = opByName_.find(name);
    return it == opByName_.end() ? std::nullopt : std::optional{it->second};
}

std::optional<SortId> Language::findSort(std::string_view name) const {
    const auto it = sortByName_.find(name);
    return it == sortByName_.end() ? std::nullopt : std::optional{it->second};
}

bool Language::acceptsParamCount(OpId id, std::size_t count) const {
    const OpSpec& spec = op(id);
    return spec.variadicParams ? count >= spec.params : count == spec.params;
}

bool Language::acceptsChildCount(OpId id, std::size_t count) const {
    const OpSpec& spec = op(id);
    return spec.variadicChildren ? count + 1 >= spec.children.size()
                                 : count == spec.children.size();
}

SortId Language::childSort(OpId id, std::size_t position) const {
    const OpSpec& spec = op(id);
    if (position < spec.children.size())
        return spec.children[position];
    ENGINE_ASSERT(spec.variadicChildren, "the operator has no such child");
    return spec.children.back();
}

} // namespace marquetry::egraph
