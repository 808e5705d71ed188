#include "engine/egraph/ematch.h"

#include "engine/egraph/matcher.h"

namespace marquetry::egraph {

void MatchList::push(const Match& match) {
    eclasses_.push_back(match.eclass);
    roots_.push_back(match.root);
    classes_.insert(classes_.end(), match.classes.begin(), match.classes.end());
    params_.insert(params_.end(), match.params.begin(), match.params.end());
}

void MatchList::clear() {
    eclasses_.clear();
    roots_.clear();
    classes_.clear();
    params_.clear();
}

std::size_t MatchList::bytes() const {
    return (eclasses_.capacity() + classes_.capacity()) * sizeof(EClassId) +
           roots_.capacity() * sizeof(ENodeId) + params_.capacity() * sizeof(Param);
}

namespace {

constexpr std::size_t kPollInterval = 256;

MatchList matchEveryClass(const EGraph& egraph, const Pattern& pattern, const SearchStop& stop) {
    MatchList found(pattern);
    const SortId wanted = pattern.classVarSorts[0];
    std::size_t tried = 0;
    for (EClassId id : egraph.eclasses()) {
        if (++tried % kPollInterval == 0 && stop && stop(found))
            break;
        if (!wanted.valid() || egraph.sort(id) == wanted)
            found.push({id, ENodeId{id.value()}, {&id, 1}, {}});
    }
    return found;
}

} // namespace

MatchList ematch(const EGraph& egraph, const Pattern& pattern, const SearchStop& stop) {
    ENGINE_ASSERT(egraph.clean(), "a search needs a rebuilt e-graph");
    ENGINE_ASSERT(!pattern.nodes.empty(), "a pattern has a root");
    if (pattern.root().isVar)
        return matchEveryClass(egraph, pattern, stop);
    const MatchProgram program(egraph.store().labels(), {pattern}, 1);
    const std::size_t classes = pattern.classVars.size(), params = pattern.paramVars.size();
    MatchList found(pattern);
    auto sink = [&](const RawMatch& match) {
        found.push({egraph.eclassOf(match.root),
                    match.root,
                    {match.classes, classes},
                    {match.params, params}});
        return true;
    };
    auto poll = [&] { return !stop || !stop(found); };
    Matcher(egraph, program, sink, poll).all();
    return found;
}

} // namespace marquetry::egraph
