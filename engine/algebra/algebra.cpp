#include "engine/algebra/algebra.h"

#include "engine/algebra/constant_multiplication.h"
#include "engine/algebra/rebuild.h"
#include "engine/algebra/rematerialise.h"
#include "engine/algebra/retiming.h"
#include "engine/ir/stream_simplify.h"

namespace marquetry::algebra {

using ir::StreamGraph;

namespace {

std::vector<SumParams> waysToWriteSums(const Rewrites& on) {
    std::vector<SumParams> all;
    for (const bool fold : {false, true}) {
        for (const bool separate : {true, false}) {
            for (const bool share : {true, false}) {
                const bool allowed = (!fold || on.has(KernelRewrite::Symmetry)) &&
                                     (!separate || on.has(KernelRewrite::Separable)) &&
                                     (!share || on.has(KernelRewrite::Sums));
                if (!allowed || !(fold || separate || share))
                    continue;
                all.push_back({separate, share, true, fold});
                if (share && !fold)
                    all.push_back({separate, share, false, fold});
            }
        }
    }
    return all;
}

/// The least of the dataflow graph and its rewritten forms.
DataflowGraph lightest(DataflowGraph dataflow, const std::vector<Repetition>& repetitions,
                       std::int64_t lanes) {
    // A word that is moved to a later element is lost at the end of the sequence. Where nothing
    // looks ahead, its users have no use for it there.
    const Rewrites all = dataflow.terms.rewrites();
    const Rewrites on = looksAhead(dataflow) ? all.without(KernelRewrite::Recompute) : all;
    const auto placed = [&](DataflowGraph each) {
        return on.has(KernelRewrite::Stores) && !looksAheadInside(each) ? retimed(each) : each;
    };
    DataflowGraph best = placed(dataflow);
    for (const SumParams& params : waysToWriteSums(on)) {
        DataflowGraph candidate = placed(withFewerSums(dataflow, params));
        if (weightOf(candidate, lanes) < weightOf(best, lanes))
            best = std::move(candidate);
    }
    if (on.has(KernelRewrite::Recompute)) {
        DataflowGraph candidate = placed(rematerialised(best, repetitions));
        if (weightOf(candidate, lanes) < weightOf(best, lanes))
            best = std::move(candidate);
    }
    return best;
}

std::vector<Repetition> repetitionsOf(const FlatGraph& flat) {
    std::vector<Repetition> all;
    for (const LeafSource& source : flat.sources) {
        const bool counts = source.generator && source.generator->op == ir::StreamOp::Counter;
        all.push_back({source.generator ? source.generator->type.length : 0,
                       counts ? source.generator->params[1] : 0});
    }
    return all;
}

StreamGraph simplified(StreamGraph graph, Rewrites rewrites) {
    return rewrites.has(KernelRewrite::Common) ? ir::withSharedValues(graph) : graph;
}

} // namespace

StreamGraph rewritten(const StreamGraph& graph, Rewrites rewrites, std::int64_t lanes) {
    StreamGraph shared = simplified(graph, rewrites);
    const FlatGraph flat = flattened(shared, rewrites);
    const Needs needs = needsOf(flat);
    const DataflowGraph best = lightest({flat.terms, needs.roots}, repetitionsOf(flat), lanes);
    const auto inner = [&](const StreamGraph& function) {
        return std::make_shared<const StreamGraph>(rewritten(function, rewrites));
    };
    auto result = rebuilt(flat, needs, best, inner);
    return result ? simplified(*std::move(result), rewrites) : shared;
}

} // namespace marquetry::algebra
