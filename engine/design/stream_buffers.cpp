#include "engine/design/stream_buffers.h"

#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <map>
#include <set>

namespace marquetry::design {

namespace {

using spacetime::Graph;
using spacetime::Node;
using spacetime::NodeId;
using spacetime::Op;
using spacetime::SeqType;
using Distances = std::vector<std::int64_t>;

// ---- the ring

/// How far the columns lie apart at most, around the end of a line.
std::int64_t spread(const std::set<std::int64_t>& columns, std::int64_t line) {
    std::int64_t gap = *columns.begin() + line - *columns.rbegin();
    for (auto next = std::next(columns.begin()); next != columns.end(); ++next)
        gap = std::max(gap, *next - *std::prev(next));
    return line - gap;
}

/// The line under which the distances have the fewest columns, the longest of those; 0 when no line
/// gives fewer columns than there are distances.
std::int64_t lineOf(const Distances& distances, std::int64_t lanes) {
    std::set<std::int64_t> candidates(distances.begin(), distances.end());
    for (const std::int64_t a : distances)
        for (const std::int64_t b : distances)
            if (a < b)
                candidates.insert(b - a);
    std::int64_t line = 0;
    std::size_t fewest = distances.size();
    for (const std::int64_t candidate : candidates) {
        std::set<std::int64_t> columns;
        for (const std::int64_t r : distances)
            columns.insert(r % candidate);
        const bool narrow = 2 * (spread(columns, candidate) + lanes) <= candidate;
        const bool better =
            columns.size() < fewest || (line > 0 && columns.size() == fewest && candidate > line);
        if (candidate % lanes != 0 || !narrow || !better)
            continue;
        line = candidate;
        fewest = columns.size();
    }
    return line;
}

class Ring {
public:
    Ring(std::string name, std::int64_t lanes, const Distances& distances)
        : name_(std::move(name)), lanes_(lanes) {
        line_ = lineOf(distances, lanes);
        if (line_ > 0)
            rows_ = ceilDiv(distances.back(), line_);
        else
            line_ = ceilDiv(distances.back(), lanes) * lanes;
        std::set<std::int64_t> before;
        for (const std::int64_t r : distances)
            for (std::int64_t lane = 0; lane < std::min(lanes, r); ++lane)
                before.insert(lane - r);
        reads_.assign(before.begin(), before.end());
    }

    ir::Shape dims() const { return rows_ > 1 ? ir::Shape{rows_, line_} : ir::Shape{line_}; }

    std::vector<ir::MemoryNest> nests() const {
        std::vector<ir::MemoryNest> all;
        for (std::int64_t row = 0; row < rows_; ++row) {
            const std::set<std::int64_t> ends = stretches();
            std::int64_t begin = 0;
            for (const std::int64_t end : ends) {
                all.push_back(nest(row, begin, end));
                begin = end;
            }
        }
        return all;
    }

private:
    /// Where in a line some reference passes its end, and the end of the line itself.
    std::set<std::int64_t> stretches() const {
        std::set<std::int64_t> ends = {line_};
        for (const std::int64_t from : reads_) {
            const std::int64_t first = ceilDiv((-from) % line_, lanes_) * lanes_;
            if (first > 0)
                ends.insert(first);
        }
        return ends;
    }

    ir::MemoryNest nest(std::int64_t row, std::int64_t begin, std::int64_t end) const {
        ir::MemoryNest nest;
        nest.loops.push_back({name_ == "k" ? "j" : "k", begin, end, lanes_, 1});
        for (const std::int64_t from : reads_)
            nest.references.push_back(reference(nest, false, row, from));
        for (std::int64_t lane = 0; lane < lanes_; ++lane)
            nest.references.push_back(reference(nest, true, row, lane));
        return nest;
    }

    /// Element x + from, while x runs through `row`.
    ir::MemoryReference reference(const ir::MemoryNest& nest, bool write, std::int64_t row,
                                  std::int64_t from) const {
        // No read is further back than the ring is long.
        const std::int64_t turn = (nest.loops[0].begin + from + rows_ * line_) / line_ - rows_;
        ir::MemoryReference reference;
        reference.write = write;
        if (rows_ > 1)
            reference.index.push_back({(row + turn + rows_) % rows_, {0}, {}});
        reference.index.push_back({from - turn * line_, {1}, {}});
        reference.text = name_ + "[";
        for (const ir::AffineForm& form : reference.index)
            reference.text +=
                (&form == &reference.index.front() ? "" : ", ") + toString(form, nest);
        reference.text += "]";
        return reference;
    }

    std::string name_;
    std::int64_t lanes_;
    std::int64_t line_ = 0;
    std::int64_t rows_ = 1;
    Distances reads_; ///< first elements of each read, relative to the step's first element
};

// ---- the circuit

/// Whether elements come in order, `lanes` of them in each clock that has any.
bool inOrder(const SeqType& type) {
    if (type.is(SeqType::Kind::Atom))
        return true;
    if (!type.is(SeqType::Kind::TSeq))
        return clocks(type) == 1;
    return inOrder(type.element());
}

/// Atoms that a shift in time moves a value by; 0 for every other operator.
std::int64_t shiftOf(const Node& node, const SeqType& type) {
    const auto& p = node.params;
    const std::int64_t atoms = atomCount(type);
    if (!inOrder(type))
        return 0;
    if (node.op == Op::ShiftT)
        return p[2] * (atoms / p[0]);
    if (node.op == Op::ShiftTS)
        return p[3] * (atoms / (p[0] * p[2]));
    if (node.op != Op::ShiftTN)
        return 0;
    std::int64_t elements = 1;
    for (std::size_t k = 1; k < p.size(); k += 2)
        elements *= p[k];
    return p[0] * (atoms / elements);
}

class Collector {
public:
    std::vector<ir::MemoryProgram> run(const Graph& circuit,
                                       const std::vector<std::string>& inputs) && {
        reserved_ = inputs;
        collect(circuit, "v", inputs);
        return std::move(memories_);
    }

private:
    /// A value at a distance.
    struct Source {
        std::size_t node = 0;
        std::int64_t distance = 0;
    };

    void collect(const Graph& graph, const std::string& prefix,
                 const std::vector<std::string>& inputs) {
        const auto types = spacetime::check(graph);
        ENGINE_ASSERT(types.has_value(), "only well-typed programs are circuits");
        std::vector<Source> sources;
        std::map<std::size_t, std::set<std::int64_t>> reads;
        const auto read = [&](NodeId id) {
            const Source& source = sources[id.index()];
            if (source.distance < atomCount((*types)[id.index()]))
                reads[source.node].insert(source.distance);
        };
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const Node& node = graph.nodes[k];
            const std::int64_t shift = shiftOf(node, (*types)[k]);
            if (shift > 0 || isAlias(node, *types, k)) {
                sources.push_back(sources[node.operands[0].index()]);
                sources.back().distance += shift;
                continue;
            }
            sources.push_back({k, 0});
            for (const NodeId operand : node.operands)
                read(operand);
        }
        read(graph.output);
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const std::string name = nameOf(graph, k, prefix, inputs);
            if (reads.contains(k))
                add(name, (*types)[k], reads.at(k));
            if (graph.nodes[k].function)
                collect(*graph.nodes[k].function, name + "_", {});
        }
    }

    /// Whether the node has the words of its operand, at the same time but for matched delays.
    static bool isAlias(const Node& node, const std::vector<SeqType>& types, std::size_t k) {
        switch (node.op) {
        case Op::Fifo:
            return true;
        case Op::PartitionS:
        case Op::UnpartitionS:
        case Op::PartitionT:
        case Op::UnpartitionT:
        case Op::Add1S:
        case Op::Add1T:
        case Op::Remove1S:
        case Op::Remove1T:
        case Op::Reshape:
            return equivalent(types[node.operands[0].index()], types[k]);
        default:
            return false;
        }
    }

    std::string nameOf(const Graph& graph, std::size_t node, const std::string& prefix,
                       const std::vector<std::string>& inputs) const {
        for (std::size_t k = 0; k < inputs.size(); ++k)
            if (graph.inputs[k].index() == node)
                return inputs[k];
        std::string name = prefix + std::to_string(node);
        while (std::ranges::find(reserved_, name) != reserved_.end())
            name += "_"; // an input has it
        return name;
    }

    void add(const std::string& name, const SeqType& type, std::set<std::int64_t> distances) {
        distances.erase(0);
        if (distances.empty())
            return;
        const auto leaves = ir::leaves(atomOf(type));
        for (std::size_t k = 0; k < leaves.size(); ++k)
            memories_.push_back(
                ringAccesses(leaves.size() == 1 ? name : name + "_" + std::to_string(k), leaves[k],
                             lanes(type), {distances.begin(), distances.end()}));
    }

    std::vector<std::string> reserved_;
    std::vector<ir::MemoryProgram> memories_;
};

} // namespace

ir::MemoryProgram ringAccesses(const std::string& name, ir::Scalar scalar, std::int64_t lanes,
                               const Distances& distances) {
    const Ring ring(name, lanes, distances);
    ir::MemoryProgram memory;
    memory.name = memory.array = name;
    memory.type = {scalar, ring.dims()};
    memory.nests = ring.nests();
    return memory;
}

std::vector<ir::MemoryProgram> streamBuffers(const Graph& circuit,
                                             const std::vector<std::string>& inputs) {
    return Collector().run(circuit, inputs);
}

} // namespace marquetry::design
