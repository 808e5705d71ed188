// Writes terms that are operators as maps of a stream program: one term, with the operators that
// only it uses, as one function. Thread rule: one writer.
#pragma once

#include "engine/algebra/dataflow_graph.h"

namespace marquetry::algebra {

/// A node whose type follows from its operands.
ir::StreamNodeId append(ir::StreamGraph& graph, ir::StreamOp op,
                        std::vector<ir::StreamNodeId> operands, ir::StreamParams params = {},
                        std::shared_ptr<const ir::StreamGraph> function = nullptr);
/// A word of a table.
ir::StreamNodeId appendLookup(ir::StreamGraph& graph, ir::StreamNodeId index,
                              ir::StreamTablePtr table);
ir::StreamNodeId appendInput(ir::StreamGraph& graph, const ir::StreamType& type);
ir::StreamNodeId appendConstant(ir::StreamGraph& graph, const ir::StreamType& type,
                                std::vector<std::int64_t> words);
/// Leaf `leaf` of an atom.
ir::StreamNodeId appendLeaf(ir::StreamGraph& graph, ir::StreamNodeId atom, std::size_t leaf);
/// Two streams as one of pairs.
ir::StreamNodeId appendPairs(ir::StreamGraph& graph, ir::StreamNodeId first,
                             ir::StreamNodeId second);

/// A term and what is computed in its function; the streams that the function takes.
struct KernelRegion {
    TermId result;
    std::vector<TermId> inputs; ///< in order of first use; none when all is constant
};

/// Regions of a dataflow graph.
class Regions {
public:
    explicit Regions(const DataflowGraph& dataflow);

    KernelRegion regionOf(TermId result) const;
    /// The result of the region, in `graph`; `inputs` are the nodes of the region's inputs there.
    ir::StreamNodeId write(ir::StreamGraph& graph, const KernelRegion& region,
                           const std::vector<ir::StreamNodeId>& inputs) const;

private:
    bool mayJoin(TermId id) const;

    const Terms& terms_;
    std::vector<int> uses_;
};

} // namespace marquetry::algebra
