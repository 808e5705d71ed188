#include "engine/algebra/rebuild.h"

#include "engine/algebra/map_writer.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace marquetry::algebra {

using ir::StreamGraph;
using ir::StreamNode;
using ir::StreamNodeId;
using ir::StreamOp;
using ir::StreamType;
using Kind = StreamType::Kind;

namespace {

const StreamType& withoutSequences(const StreamType& type) {
    return type.is(Kind::Seq) ? withoutSequences(type.element()) : type;
}

/// Streams of atoms, under layers of Seq only.
bool isBuildable(const FlatGraph& flat, StreamNodeId id) {
    const auto& value = flat.values[id.index()];
    const StreamNode& node = flat.graph->node(id);
    if (!value || value->layers == 0 || !ir::isAtom(withoutSequences(node.type)))
        return false;
    const std::size_t leaves = ir::leaves(ir::atomOf(node.type)).size();
    return value->leaves.size() == leaves && std::ranges::all_of(value->leaves, [&](TermId leaf) {
               return flat.terms[leaf].length > 0;
           });
}

/// Marks what outputs need: values to build, and operators as they are.
class NeedFinder {
public:
    explicit NeedFinder(const FlatGraph& flat)
        : flat_(flat), built_(flat.graph->nodes.size()), kept_(flat.graph->nodes.size()) {}

    Needs find() && {
        for (const ir::StreamOutput& output : flat_.graph->outputs)
            need(output.node);
        Needs needs;
        for (std::size_t k = 0; k < built_.size(); ++k) {
            if (!built_[k])
                continue;
            needs.values.push_back({StreamNodeId(k), needs.roots.size()});
            const auto& leaves = flat_.values[k]->leaves;
            needs.roots.insert(needs.roots.end(), leaves.begin(), leaves.end());
        }
        return needs;
    }

private:
    void need(StreamNodeId id) {
        if (flat_.opaque[id.index()] || !isBuildable(flat_, id)) {
            keep(id);
        } else if (!built_[id.index()]) {
            built_[id.index()] = true;
            for (const TermId leaf : flat_.values[id.index()]->leaves)
                needSources(leaf);
        }
    }

    void keep(StreamNodeId id) {
        if (kept_[id.index()])
            return;
        kept_[id.index()] = true;
        for (const StreamNodeId operand : flat_.graph->node(id).operands)
            need(operand);
    }

    void needSources(TermId id) {
        if (!seen_.insert(id).second)
            return;
        const Term& term = flat_.terms[id];
        if (term.op == StreamOp::Input) {
            const LeafSource& source = flat_.sources[static_cast<std::size_t>(term.number)];
            if (source.node.valid())
                keep(source.node);
        }
        for (const TermId operand : term.operands)
            needSources(operand);
    }

    const FlatGraph& flat_;
    std::vector<bool> built_;
    std::vector<bool> kept_;
    std::set<TermId> seen_;
};

class Writer {
public:
    Writer(const FlatGraph& flat, const Needs& needs, const DataflowGraph& dataflow,
           const OnFunction& onFunction)
        : flat_(flat), dataflow_(dataflow), onFunction_(onFunction), regions_(dataflow) {
        for (const BuiltValue& value : needs.values)
            firstRoot_[value.node] = value.firstRoot;
        const std::vector<bool> needed = neededBy(dataflow);
        for (std::size_t k = 0; k < needed.size(); ++k) {
            const Term& term = dataflow.terms[TermId(k)];
            if (needed[k] && term.op == StreamOp::Shift)
                taps_[term.operands[0]].insert(term.number);
        }
    }

    std::optional<StreamGraph> write() && {
        for (const StreamNodeId input : flat_.graph->inputs) {
            nodes_[input] = appendInput(result_, flat_.graph->node(input).type);
            result_.nodes.back() = flat_.graph->node(input);
        }
        for (const ir::StreamOutput& output : flat_.graph->outputs)
            result_.outputs.push_back({output.name, value(output.node)});
        return failed_ ? std::nullopt : std::optional(std::move(result_));
    }

private:
    /// A value of the old graph.
    StreamNodeId value(StreamNodeId id) {
        if (const auto known = nodes_.find(id); known != nodes_.end())
            return known->second;
        const auto root = firstRoot_.find(id);
        const StreamNodeId made =
            root == firstRoot_.end() ? kept(id) : built(flat_.graph->node(id).type, root->second);
        return nodes_[id] = made;
    }

    StreamNodeId kept(StreamNodeId id) {
        StreamNode node = flat_.graph->node(id);
        for (StreamNodeId& operand : node.operands)
            operand = value(operand);
        if (node.function)
            node.function = onFunction_(*node.function);
        result_.nodes.push_back(std::move(node));
        return StreamNodeId(result_.nodes.size() - 1);
    }

    StreamNodeId built(const StreamType& type, std::size_t root) {
        const std::int64_t length = ir::atoms(type);
        StreamNodeId stream = atoms(ir::atomOf(type), length, root);
        std::vector<std::int64_t> layers;
        for (const StreamType* t = &type; t->is(Kind::Seq); t = &t->element())
            layers.push_back(t->length);
        std::int64_t outer = length;
        for (std::size_t k = layers.size(); k-- > 1;) {
            outer /= layers[k];
            stream = append(result_, StreamOp::Partition, {stream}, {outer, layers[k]});
        }
        return stream;
    }

    /// A stream of atoms from the roots of its leaves.
    StreamNodeId atoms(const StreamType& atom, std::int64_t length, std::size_t root) {
        if (!atom.is(Kind::Pair))
            return stream(dataflow_.roots[root], length);
        const std::size_t first = ir::leaves(atom.parts[0]).size();
        const StreamNodeId a = atoms(atom.parts[0], length, root);
        return appendPairs(result_, a, atoms(atom.parts[1], length, root + first));
    }

    StreamNodeId stream(TermId id, std::int64_t length) {
        if (const auto known = streams_.find({id, length}); known != streams_.end())
            return known->second;
        const Term& term = dataflow_.terms[id];
        StreamNodeId made;
        if (term.length == 0)
            made = steady(id, length);
        else if (term.op == StreamOp::Input)
            made = source(flat_.sources[static_cast<std::size_t>(term.number)], length);
        else if (term.op == StreamOp::Shift)
            made = shifted(term.operands[0], term.number);
        else
            made = mapped(regions_.regionOf(id), length);
        return streams_[{id, length}] = made;
    }

    /// From tap to tap, later words and earlier ones each by themselves: what is shifted out at an
    /// end does not come back.
    StreamNodeId shifted(TermId base, std::int64_t distance) {
        std::vector<std::int64_t> taps;
        for (const std::int64_t each : taps_[base]) {
            if ((each < 0) == (distance < 0) && std::abs(each) <= std::abs(distance))
                taps.push_back(each);
        }
        std::ranges::sort(taps, {}, [](std::int64_t each) { return std::abs(each); });
        std::int64_t before = 0;
        StreamNodeId tap = stream(base, dataflow_.terms[base].length);
        for (const std::int64_t each : taps) {
            auto [known, fresh] = tapped_.try_emplace({base, each});
            if (fresh)
                known->second = append(result_, StreamOp::Shift, {tap}, {each - before, 0});
            tap = known->second;
            before = each;
        }
        return tap;
    }

    StreamNodeId mapped(const KernelRegion& region, std::int64_t length) {
        std::vector<StreamNodeId> streams;
        for (const TermId input : region.inputs)
            streams.push_back(stream(input, length));
        // Pairs of the first half and of the second.
        const std::size_t half = (streams.size() + 1) / 2;
        std::vector<StreamNodeId> operands = {paired(streams, 0, half)};
        if (streams.size() > 1)
            operands.push_back(paired(streams, half, streams.size()));
        StreamGraph function;
        std::vector<StreamNodeId> inputs;
        for (const StreamNodeId operand : operands) {
            const StreamType type = result_.node(operand).type.element();
            const StreamNodeId input = appendInput(function, type);
            for (std::size_t k = 0; k < ir::leaves(type).size(); ++k)
                inputs.push_back(appendLeaf(function, input, k));
        }
        function.outputs.push_back({"", regions_.write(function, region, inputs)});
        return append(result_, operands.size() == 2 ? StreamOp::Map2 : StreamOp::Map,
                      std::move(operands), {}, std::make_shared<StreamGraph>(std::move(function)));
    }

    StreamNodeId paired(const std::vector<StreamNodeId>& streams, std::size_t begin,
                        std::size_t end) {
        if (end - begin == 1)
            return streams[begin];
        const std::size_t middle = (begin + end + 1) / 2;
        const StreamNodeId first = paired(streams, begin, middle);
        return appendPairs(result_, first, paired(streams, middle, end));
    }

    /// A stream whose elements are those of a value in their order.
    StreamNodeId flat(StreamNodeId id) {
        StreamNodeId stream = value(id);
        while (result_.node(stream).type.element().is(Kind::Seq))
            stream = append(result_, StreamOp::Unpartition, {stream});
        return stream;
    }

    StreamNodeId leafOf(StreamNodeId stream, std::size_t leaf) {
        const StreamType& atom = result_.node(stream).type.element();
        if (!atom.is(Kind::Pair))
            return stream;
        StreamGraph function;
        const StreamNodeId input = appendInput(function, atom);
        function.outputs.push_back({"", appendLeaf(function, input, leaf)});
        return append(result_, StreamOp::Map, {stream}, {},
                      std::make_shared<StreamGraph>(std::move(function)));
    }

    StreamNodeId source(const LeafSource& source, std::int64_t length) {
        if (source.node.valid())
            return leafOf(flat(source.node), source.leaf);
        if (source.repeats == 1) {
            result_.nodes.push_back(*source.generator);
            return leafOf(StreamNodeId(result_.nodes.size() - 1), source.leaf);
        }
        return repeated(source, length);
    }

    /// Some stream of so many elements: it lends its layers, not its values.
    StreamNodeId anyStream(std::int64_t length) {
        for (std::size_t k = 0; k < flat_.graph->nodes.size(); ++k) {
            const StreamNode& node = flat_.graph->nodes[k];
            if (node.op == StreamOp::Input && ir::isAtom(withoutSequences(node.type)) &&
                node.type.is(Kind::Seq) && ir::atoms(node.type) == length)
                return flat(StreamNodeId(k));
        }
        for (const LeafSource& source : flat_.sources) {
            const bool fits = source.node.valid() && nodes_.contains(source.node) &&
                              ir::atoms(flat_.graph->node(source.node).type) == length;
            if (fits)
                return flat(source.node);
        }
        return StreamNodeId();
    }

    StreamNodeId failure() {
        failed_ = true;
        return appendInput(result_, ir::seqOf(1, ir::scalarStream(ir::Scalar::U8)));
    }

    /// map(fn group -> map2(fn _ word -> leaf(word), group, generator), groups)
    StreamNodeId repeated(const LeafSource& source, std::int64_t length) {
        const StreamNodeId beside = anyStream(length);
        if (!beside.valid())
            return failure();
        const StreamType& sequence = source.generator->type;
        StreamGraph inner;
        appendInput(inner, result_.node(beside).type.element());
        const StreamNodeId word = appendInput(inner, sequence.element());
        inner.outputs.push_back({"", appendLeaf(inner, word, source.leaf)});
        StreamGraph outer;
        const StreamNodeId groups =
            append(result_, StreamOp::Partition, {beside}, {source.repeats, sequence.length});
        const StreamNodeId group = appendInput(outer, result_.node(groups).type.element());
        outer.nodes.push_back(*source.generator);
        const StreamNodeId generator(outer.nodes.size() - 1);
        outer.outputs.push_back({"", append(outer, StreamOp::Map2, {group, generator}, {},
                                            std::make_shared<StreamGraph>(std::move(inner)))});
        const StreamNodeId rows = append(result_, StreamOp::Map, {groups}, {},
                                         std::make_shared<StreamGraph>(std::move(outer)));
        return append(result_, StreamOp::Unpartition, {rows});
    }

    /// The same word for every element.
    StreamNodeId steady(TermId id, std::int64_t length) {
        const StreamNodeId beside = anyStream(length);
        if (!beside.valid())
            return failure();
        StreamGraph function;
        appendInput(function, result_.node(beside).type.element());
        function.outputs.push_back({"", regions_.write(function, {id, {}}, {})});
        return append(result_, StreamOp::Map, {beside}, {},
                      std::make_shared<StreamGraph>(std::move(function)));
    }

    const FlatGraph& flat_;
    const DataflowGraph& dataflow_;
    const OnFunction& onFunction_;
    Regions regions_;
    std::map<StreamNodeId, std::size_t> firstRoot_;
    std::map<TermId, std::set<std::int64_t>> taps_;
    std::map<std::pair<TermId, std::int64_t>, StreamNodeId> tapped_;
    std::map<StreamNodeId, StreamNodeId> nodes_; ///< old to new
    std::map<std::pair<TermId, std::int64_t>, StreamNodeId> streams_;
    StreamGraph result_;
    bool failed_ = false;
};

} // namespace

Needs needsOf(const FlatGraph& flat) {
    return NeedFinder(flat).find();
}

std::optional<StreamGraph> rebuilt(const FlatGraph& flat, const Needs& needs,
                                   const DataflowGraph& dataflow, const OnFunction& onFunction) {
    return Writer(flat, needs, dataflow, onFunction).write();
}

} // namespace marquetry::algebra
