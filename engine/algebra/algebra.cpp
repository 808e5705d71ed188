#include "engine/algebra/algebra.h"

#include "engine/algebra/rebuild.h"
#include "engine/algebra/recompute.h"
#include "engine/algebra/stores.h"
#include "engine/algebra/sums.h"
#include "engine/ir/stream_simplify.h"

namespace marquetry::algebra {

using ir::StreamGraph;

namespace {

/// The least of the forest and its rewritten forms.
Forest lightest(Forest forest, const std::vector<Repetition>& repetitions, std::int64_t lanes) {
    const Rewrites on = forest.terms.rewrites();
    const auto placed = [&](Forest each) {
        return on.has(Rewrite::Stores) ? withFewestStores(each) : each;
    };
    Forest best = placed(forest);
    for (const bool separate : {true, false}) {
        for (const bool share : {true, false}) {
            for (const bool farFirst : {true, false}) {
                const bool allowed = (!separate || on.has(Rewrite::Separable)) &&
                                     (!share || on.has(Rewrite::Sums)) && (separate || share);
                if (!allowed || (!share && !farFirst))
                    continue;
                Forest candidate = placed(withFewerSums(forest, {separate, share, farFirst}));
                if (weightOf(candidate, lanes) < weightOf(best, lanes))
                    best = std::move(candidate);
            }
        }
    }
    if (on.has(Rewrite::Recompute)) {
        Forest candidate = placed(withRecomputed(best, repetitions));
        if (weightOf(candidate, lanes) < weightOf(best, lanes))
            best = std::move(candidate);
    }
    return best;
}

std::vector<Repetition> repetitionsOf(const FlatGraph& flat) {
    std::vector<Repetition> all;
    for (const Source& source : flat.sources) {
        const bool counts = source.generator && source.generator->op == ir::StreamOp::Counter;
        all.push_back({source.generator ? source.generator->type.length : 0,
                       counts ? source.generator->params[1] : 0});
    }
    return all;
}

StreamGraph simplified(StreamGraph graph, Rewrites rewrites) {
    return rewrites.has(Rewrite::Common) ? ir::withSharedValues(graph) : graph;
}

} // namespace

StreamGraph rewritten(const StreamGraph& graph, Rewrites rewrites, std::int64_t lanes) {
    StreamGraph shared = simplified(graph, rewrites);
    const FlatGraph flat = flattened(shared, rewrites);
    const Needs needs = needsOf(flat);
    const Forest best = lightest({flat.terms, needs.roots}, repetitionsOf(flat), lanes);
    const auto inner = [&](const StreamGraph& function) {
        return std::make_shared<const StreamGraph>(rewritten(function, rewrites));
    };
    auto result = rebuilt(flat, needs, best, inner);
    return result ? simplified(*std::move(result), rewrites) : shared;
}

} // namespace marquetry::algebra
