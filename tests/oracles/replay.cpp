#include "tests/oracles/replay.h"

#include "engine/egraph/hash_cons.h"
#include "engine/support/assert.h"

#include <unordered_set>

namespace marquetry::egraph {

namespace {

class Replayer {
public:
    Replayer(const FrozenEGraph& view, Moment moment) : view_(view), moment_(moment) {}

    PastGraph run() {
        makeClasses();
        past_.live.assign(moment_.enodes, 1);
        // Congruent e-nodes are one; the oldest stays.
        const auto hash = [this](std::uint32_t n) {
            const auto children = childrenOf(ENodeId{n});
            return std::size_t{hashENode(label(n), children)};
        };
        const auto same = [this](std::uint32_t a, std::uint32_t b) {
            return label(a) == label(b) && childrenOf(ENodeId{a}) == childrenOf(ENodeId{b});
        };
        std::unordered_set<std::uint32_t, decltype(hash), decltype(same)> seen(moment_.enodes, hash,
                                                                               same);
        for (std::uint32_t n = 0; n < moment_.enodes; ++n)
            past_.live[n] = seen.insert(n).second ? 1 : 0;
        past_.enodeCount = seen.size();
        return std::move(past_);
    }

private:
    void makeClasses() {
        auto& eclassOf = past_.eclassOf;
        for (std::size_t i = 0; i < moment_.enodes; ++i)
            eclassOf.push_back(EClassId{i});
        const auto find = [&](ENodeId n) {
            EClassId c{n.value()};
            while (eclassOf[c.index()] != c) {
                eclassOf[c.index()] = eclassOf[eclassOf[c.index()].index()];
                c = eclassOf[c.index()];
            }
            return c;
        };
        for (std::size_t i = 0; i < moment_.unions; ++i) {
            const UnionEntry entry = view_.unionLog()[i];
            const EClassId a = find(entry.left), b = find(entry.right);
            eclassOf[std::max(a, b).index()] = std::min(a, b);
        }
        for (EClassId& c : eclassOf) // smaller ids are canonical already
            c = eclassOf[c.index()];
        past_.eclassCount = moment_.enodes - moment_.unions;
    }

    LabelId label(std::uint32_t n) const { return view_.store().label(ENodeId{n}); }

    std::vector<EClassId> childrenOf(ENodeId n) const {
        const ChildSpan original = view_.originalChildren(n);
        std::vector<EClassId> children(original.begin(), original.end());
        for (EClassId& child : children)
            child = past_.eclassOf[child.index()];
        return children;
    }

    const FrozenEGraph& view_;
    Moment moment_;
    PastGraph past_;
};

} // namespace

Moment momentOf(const FrozenEGraph& view) {
    return {view.totalEnodes(), view.unionCount()};
}

PastGraph replay(const FrozenEGraph& view, Moment moment) {
    ENGINE_ASSERT(view.keepsProvenance(), "a replay needs the union log");
    ENGINE_ASSERT(moment.enodes <= view.totalEnodes() && moment.unions <= view.unionCount(),
                  "the moment is in the view's past");
    return Replayer(view, moment).run();
}

Delta deltaBetween(Moment earlier, Moment later) {
    return {ENodeId{earlier.enodes}, ENodeId{later.enodes}, earlier.unions, later.unions};
}

std::size_t recordBytes(Moment moment) {
    constexpr std::size_t kPerEnode = 12, kPerUnion = 8;
    return moment.enodes * kPerEnode + moment.unions * kPerUnion;
}

} // namespace marquetry::egraph
