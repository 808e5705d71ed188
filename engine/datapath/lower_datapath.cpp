#include "engine/datapath/lower_datapath.h"

#include "engine/datapath/lower_words.h"
#include "engine/datapath/permute.h"
#include "engine/datapath/strides.h"
#include "engine/spacetime/regroup.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <numeric>

namespace marquetry::datapath {

using spacetime::Graph;
using spacetime::Node;
using spacetime::NodeId;
using spacetime::Op;
using spacetime::SeqType;

namespace {

using Taps = std::vector<Tap>;

class Lowering {
public:
    Lowering(std::int64_t unit, Rearranging rearranging, std::stop_token stop)
        : words_(cells_, stop), unit_(unit), rearranging_(rearranging), stop_(std::move(stop)) {}

    Result<Datapath> run(const Graph& graph) && {
        const auto types = check(graph);
        Datapath result;
        result.unit = unit_;
        const SeqType& output = (*types)[graph.output.index()];
        result.period = clocks(output) / unit_;
        std::vector<Taps> inputs;
        for (const NodeId id : graph.inputs) {
            const DatapathPort port = portOf((*types)[id.index()]);
            const auto words = saturatingMul(port.lanes, std::ssize(port.leafBits));
            if (words > kMaxDatapathWords)
                return tooManyWords(words);
            result.inputs.push_back(port);
            inputs.push_back(inputWords(port, result.inputs.size() - 1, clocks(output)));
        }
        result.output = portOf(output);
        result.outputs = evaluate(graph, inputs, clocks(output));
        if (stop_.stop_requested())
            return makeError("cancelled", "the lowering of a circuit was stopped");
        if (cells_.size() > kMaxDatapathWords)
            return tooManyWords(cells_.size());
        if (!errors_.empty())
            return errors_;
        result.fifos = cells_.fifos();
        result.cells = std::move(cells_).finish(result.outputs);
        return result;
    }

private:
    static Diagnostic tooManyWords(std::int64_t words) {
        return tooLarge("the datapath of the circuit has", words, kMaxDatapathWords,
                        "words or more", "a lower throughput has fewer lanes side by side");
    }

    static DatapathPort portOf(const SeqType& type) {
        DatapathPort port{type, {}, lanes(type)};
        for (const ir::Scalar scalar : ir::leaves(atomOf(type)))
            port.leafBits.push_back(ir::info(scalar).bits);
        return port;
    }

    Taps inputWords(const DatapathPort& port, std::size_t number, std::int64_t frame) {
        Taps words;
        int low = 0;
        for (std::int64_t lane = 0; lane < port.lanes; ++lane) {
            for (const int bits : port.leafBits) {
                Cell cell{CellKind::Input, bits};
                cell.number = static_cast<std::int64_t>(number);
                cell.first = low;
                cell.most = (std::uint64_t{1} << bits) - 1;
                cell.used = used(port.type, frame);
                words.push_back(cells_.make(std::move(cell)));
                low += bits;
            }
        }
        return words;
    }

    Used used(const SeqType& type, std::int64_t stride) const {
        return {strideOf(type, stride) / unit_, 0};
    }

    Taps evaluate(const Graph& graph, const std::vector<Taps>& inputs, std::int64_t stride) {
        const auto types = check(graph);
        ENGINE_ASSERT(types.has_value(), "only well-typed programs are circuits");
        std::vector<Taps> values;
        std::size_t next = 0;
        for (std::size_t k = 0; k < graph.nodes.size(); ++k) {
            const Node& node = graph.nodes[k];
            if (node.op == Op::Input) {
                values.push_back(inputs[next++]);
                continue;
            }
            std::vector<Taps> in;
            std::vector<SeqType> inTypes;
            for (const NodeId operand : node.operands) {
                in.push_back(values[operand.index()]);
                inTypes.push_back((*types)[operand.index()]);
            }
            values.push_back(lower(node, inTypes, in, (*types)[k], stride));
        }
        return values[graph.output.index()];
    }

    /// Nobody waits for the rest, or it would be refused.
    bool ended() const { return stop_.stop_requested() || cells_.size() > kMaxDatapathWords; }

    Taps lower(const Node& node, const std::vector<SeqType>& types, const std::vector<Taps>& in,
               const SeqType& type, std::int64_t stride) {
        Taps taps = ended()           ? Taps()
                    : isScan(node.op) ? scanned(node, types[0], type, in[0], stride)
                                      : lowered(node, types, in, type, stride);
        return ended() ? undefined(type) : taps;
    }

    Taps lowered(const Node& node, const std::vector<SeqType>& types, const std::vector<Taps>& in,
                 const SeqType& type, std::int64_t stride) {
        switch (node.op) {
        case Op::Const:
            return tables(node.type, node.literal);
        case Op::Counter:
            return counter(node);
        case Op::Atom:
            return atom(node, types, in, used(type, stride));
        case Op::STuple:
        case Op::Append:
            return concatenated({in[0], in[1]});
        case Op::MapS:
        case Op::Map2S:
            return mapInSpace(node, in, stride);
        case Op::MapT:
        case Op::Map2T:
            return evaluate(*node.function, in, innerStride(node, types[0], stride));
        case Op::ReduceS:
            return reduceInSpace(node, in[0], 0, node.params[0], stride);
        case Op::ReduceT:
            return reduceInTime(node, types[0], type, in[0], stride);
        case Op::ShiftS:
            return shifted(in[0], type.length, 1, node.params[1], 0);
        case Op::ShiftT:
            return shifted(in[0], 1, node.params[0], node.params[2], clocks(type.element()));
        case Op::ShiftTS:
            return shifted(in[0], node.params[2], node.params[0], node.params[3],
                           clocks(type.element()));
        case Op::ShiftTN:
            return shiftedThrough(node, type, in[0], stride);
        case Op::UpS:
            return concatenated(std::vector<Taps>(static_cast<std::size_t>(node.params[0]), in[0]));
        case Op::UpT:
            return repeatedInTime(type, in[0], stride);
        case Op::SelectS:
            return part(in[0], node.params[0], node.params[1]);
        case Op::SelectT:
            return sampled(later(in[0], node.params[2] * clocks(types[0].element())),
                           used(type, stride));
        case Op::PartitionT:
        case Op::UnpartitionT:
        case Op::Serialize:
        case Op::Deserialize:
        case Op::Reshape:
            return reshaped(types[0], type, in[0], stride);
        default: // other names of the same words
            return in[0];
        }
    }

    static Taps concatenated(const std::vector<Taps>& parts) {
        Taps all;
        for (const Taps& taps : parts)
            all.insert(all.end(), taps.begin(), taps.end());
        return all;
    }

    static Taps part(const Taps& taps, std::int64_t of, std::int64_t k) {
        const auto size = static_cast<std::ptrdiff_t>(taps.size()) / of;
        return {taps.begin() + k * size, taps.begin() + (k + 1) * size};
    }

    Taps later(Taps taps, std::int64_t clocks) const {
        ENGINE_ASSERT(clocks % unit_ == 0, "values are valid in whole steps");
        for (Tap& tap : taps)
            tap.distance -= clocks / unit_;
        return taps;
    }

    Taps atom(const Node& node, const std::vector<SeqType>& types, const std::vector<Taps>& in,
              Used used) {
        return node.table ? Taps{words_.lookedUp(*node.table, in[0][0], used)}
                          : words_.atom(node.atom, types, in, used);
    }

    Taps sampled(Taps taps, Used used) {
        for (Tap& tap : taps)
            tap = cells_.sample(tap, used);
        return taps;
    }

    Taps mapInSpace(const Node& node, const std::vector<Taps>& in, std::int64_t stride) {
        Taps all;
        for (std::int64_t k = 0; k < node.params[0] && !ended(); ++k) {
            std::vector<Taps> arguments;
            for (const Taps& operand : in)
                arguments.push_back(part(operand, node.params[0], k));
            const Taps one = evaluate(*node.function, arguments, stride);
            all.insert(all.end(), one.begin(), one.end());
        }
        return all;
    }

    /// Parts [from, to) of the operand, as a balanced tree.
    Taps reduceInSpace(const Node& node, const Taps& in, std::int64_t from, std::int64_t to,
                       std::int64_t stride) {
        if (to - from == 1)
            return part(in, node.params[0], from);
        const std::int64_t middle = from + (to - from + 1) / 2;
        return evaluate(*node.function,
                        {reduceInSpace(node, in, from, middle, stride),
                         reduceInSpace(node, in, middle, to, stride)},
                        stride);
    }

    /// 1 in the first element of each run of `whole`.
    Tap firstElement(const SeqType& whole) {
        Cell cell{CellKind::Phase, 1};
        cell.period = clocks(whole) / unit_;
        cell.end = ceilOf(clocks(whole.element()));
        return cells_.make(std::move(cell));
    }

    std::int64_t ceilOf(std::int64_t clocks) const { return (clocks + unit_ - 1) / unit_; }

    /// The sum so far, with the first element instead in the first.
    Taps reduceInTime(const Node& node, const SeqType& whole, const SeqType& type, const Taps& in,
                      std::int64_t stride) {
        if (whole.length == 1)
            return in;
        const std::int64_t inner = innerStride(node, whole, stride);
        const Tap first = firstElement(whole);
        const Used each = used(whole.element(), inner);
        const std::vector<int> bits = wordBits(whole);
        Taps before;
        for (const int width : bits)
            before.push_back(cells_.feedback(width));
        Taps sum = startingWith(node, first, before, in, bits, each, inner);
        for (std::size_t k = 0; k < sum.size(); ++k)
            cells_.close(before[k],
                         {sum[k].cell, sum[k].distance + ceilOf(clocks(whole.element()))});
        return sampled(later(sum, (whole.length - 1) * clocks(whole.element())),
                       used(type, stride));
    }

    Taps startingWith(const Node& node, Tap first, const Taps& before, const Taps& in,
                      const std::vector<int>& bits, Used each, std::int64_t stride) {
        // With an identity in front the choice is one of the sum so far alone, which costs less.
        for (const std::int64_t identity : {0, -1}) {
            Taps start;
            for (const int width : bits)
                start.push_back(cells_.constant(width, identity));
            if (evaluate(*node.function, {start, in}, stride) != in)
                continue;
            for (std::size_t k = 0; k < in.size(); ++k)
                start[k] = cells_.choose(bits[k], first, start[k], before[k], each);
            return evaluate(*node.function, {start, in}, stride);
        }
        Taps sum = evaluate(*node.function, {before, in}, stride);
        for (std::size_t k = 0; k < in.size(); ++k)
            sum[k] = cells_.choose(bits[k], first, in[k], sum[k], each);
        return sum;
    }

    /// The state behind each element of a group; the first group has the one before all elements.
    Taps scanned(const Node& scan, const SeqType& whole, const SeqType& type, const Taps& in,
                 std::int64_t stride) {
        const Graph& function = *scan.function;
        const SeqType& stateType = function.node(function.inputs[0]).type;
        const std::int64_t inner = innerStride(scan, whole, stride);
        const std::vector<int> bits = wordBits(stateType);
        Taps state = tables(stateType, scan.literal);
        Taps before;
        if (groupsOfScan(scan) > 1) {
            const Tap first = firstElement(whole);
            for (std::size_t k = 0; k < bits.size(); ++k) {
                before.push_back(cells_.feedback(bits[k]));
                state[k] =
                    cells_.choose(bits[k], first, state[k], before[k], used(type.element(), inner));
            }
        }
        Taps all;
        const std::int64_t lanes = lanesOfScan(scan);
        for (std::int64_t lane = 0; lane < lanes && !ended(); ++lane) {
            state = evaluate(function, {state, part(in, lanes, lane)}, inner);
            all.insert(all.end(), state.begin(), state.end());
        }
        for (std::size_t k = 0; k < before.size(); ++k)
            cells_.close(before[k],
                         {state[k].cell, state[k].distance + ceilOf(clocks(whole.element()))});
        return all;
    }

    Taps repeatedInTime(const SeqType& type, const Taps& in, std::int64_t stride) {
        if (type.length == 1)
            return in;
        const Tap first = firstElement(type);
        const std::vector<int> bits = wordBits(type);
        Taps all;
        for (std::size_t k = 0; k < in.size(); ++k) {
            const Tap before = cells_.feedback(bits[k]);
            const Tap value = cells_.choose(bits[k], first, in[k], before, used(type, stride));
            cells_.close(before, {value.cell, value.distance + ceilOf(clocks(type.element()))});
            all.push_back(value);
        }
        return all;
    }

    /// Elements `of` side by side, in `groups` groups of `time` clocks; of later elements a
    /// negative distance.
    Taps shifted(const Taps& in, std::int64_t of, std::int64_t groups, std::int64_t distance,
                 std::int64_t time) {
        Taps all;
        for (std::int64_t lane = 0; lane < of; ++lane) {
            const std::int64_t from = ((lane - distance) % of + of) % of;
            const std::int64_t back = (from + distance - lane) / of;
            Taps words = later(part(in, of, from), -back * time);
            if (back >= groups || -back >= groups)
                std::ranges::fill(words, cells_.undefined());
            all.insert(all.end(), words.begin(), words.end());
        }
        return all;
    }

    Taps shiftedThrough(const Node& node, const SeqType& type, const Taps& in,
                        std::int64_t stride) {
        std::int64_t moved = node.params[0];
        const SeqType* element = &type;
        for (std::size_t k = 1; k < node.params.size(); k += 2)
            element = &element->element();
        moved *= atomCount(*element);
        return rearranged({type, type, moved}, in, used(type, stride),
                          "a shift through the layers of " + toString(type));
    }

    Taps reshaped(const SeqType& from, const SeqType& to, const Taps& in, std::int64_t stride) {
        if (equivalent(from, to))
            return in;
        spacetime::Regrouping change = withoutCommonLayers(from, to);
        if (clocks(from) % clocks(change.from) != 0)
            change = {normalize(from), normalize(to), 1};
        Taps all;
        for (std::int64_t copy = 0; copy < change.copies; ++copy) {
            const Taps words = rearranged(
                {change.from, change.to}, part(in, change.copies, copy), used(to, stride),
                "a change of layout from " + toString(from) + " to " + toString(to));
            all.insert(all.end(), words.begin(), words.end());
        }
        return all;
    }

    Taps rearranged(const LayoutChange& change, const Taps& in, Used used,
                    const std::string& what) {
        if (atomCount(change.to) > kMaxListedWords)
            return refused(what, change.to);
        const Passages passages = passagesOf(change, unit_);
        std::vector<int> leafBits;
        for (const ir::Scalar scalar : ir::leaves(atomOf(change.to)))
            leafBits.push_back(ir::info(scalar).bits);
        const bool fifos =
            passages.period > kLongestTable || passages.period > kMaxListedWords / passages.lanes ||
            rearranging_ == Rearranging::Fifos || fifosAreSmaller(passages, leafBits);
        if (!fifos)
            return words_.moved(passages, leafBits, in, used);
        const auto words = permuted(cells_, passages, leafBits, in, used, stop_);
        return words ? *words : refused(what, change.to);
    }

    Taps tables(const SeqType& type, const std::vector<std::int64_t>& words) {
        const auto all = words_.columns(type, words, unit_);
        return all ? *all : refused("a constant " + toString(type), type);
    }

    Taps counter(const Node& node) {
        if (atomCount(node.type) > kMaxListedWords)
            return words_.counted(node.type, node.params[0], unit_);
        std::vector<std::int64_t> words;
        for (std::int64_t k = 0; k < atomCount(node.type); ++k)
            words.push_back(k * node.params[0]);
        const auto all = words_.columns(node.type, words, unit_);
        return all ? *all : words_.counted(node.type, node.params[0], unit_);
    }

    Taps refused(const std::string& what, const SeqType& type) {
        errors_.push_back(makeError("hdl-unsupported", what + " follows no rule the hardware knows",
                                    "another throughput may do without it"));
        return undefined(type);
    }

    Taps undefined(const SeqType& type) {
        const auto leaves = static_cast<std::int64_t>(ir::leaves(atomOf(type)).size());
        return Taps(static_cast<std::size_t>(lanes(type) * leaves), cells_.undefined());
    }

    DatapathBuilder cells_;
    WordLowering words_;
    const std::int64_t unit_;
    const Rearranging rearranging_;
    const std::stop_token stop_;
    Diagnostics errors_;
};

} // namespace

int DatapathPort::bits() const {
    return static_cast<int>(lanes) * std::accumulate(leafBits.begin(), leafBits.end(), 0);
}

Result<Datapath> lowerDatapath(const Graph& graph, Rearranging rearranging, std::stop_token stop) {
    const auto types = check(graph);
    ENGINE_ASSERT(types.has_value(), "only well-typed programs are circuits");
    const std::int64_t frame = clocks((*types)[graph.output.index()]);
    return Lowering(commonStride(graph, frame), rearranging, std::move(stop)).run(graph);
}

} // namespace marquetry::datapath
