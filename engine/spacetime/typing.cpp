#include "engine/spacetime/typing.h"

#include "engine/spacetime/drawing.h"
#include "engine/spacetime/scan_node.h"

#include <algorithm>

namespace marquetry::spacetime {

namespace {

using Kind = SeqType::Kind;
using Types = std::span<const SeqType>;
using Typed = Result<SeqType>;

Diagnostic mismatch(const Node& node, const SeqType& found, const SeqType& expected) {
    Diagnostic error =
        makeError("type-mismatch", "'" + toString(node) + "' expects " + toString(expected) +
                                       ", not " + toString(found));
    error.notes = drawBoth(found, expected);
    return error;
}

Diagnostic badParameter(const Node& node, const std::string& why) {
    return makeError("bad-parameter", "'" + toString(node) + "': " + why);
}

/// The judgement "an operand of type `expected` gives `result`".
Typed given(const Node& node, const SeqType& found, const SeqType& expected, SeqType result) {
    if (found != expected)
        return mismatch(node, found, expected);
    return result;
}

/// What the layers of the expected type enclose: the operand's element `depth` layers down, as far
/// as it has them.
const SeqType& inside(const SeqType& type, int depth) {
    return depth == 0 || type.is(Kind::Atom) ? type : inside(type.element(), depth - 1);
}

Typed atom(const Node& node, Types in) {
    std::vector<ir::StreamType> atoms;
    for (const SeqType& type : in) {
        if (!type.is(Kind::Atom))
            return mismatch(node, type, atomType(atomOf(type)));
        atoms.push_back(type.atom);
    }
    const auto type =
        ir::info(node.atom).type(atoms, {}, node.table ? &node.table->element : nullptr);
    if (!type)
        return type.error();
    return atomType(*type);
}

Typed tuple(const Node& node, Types in) {
    if (node.op == Op::STuple)
        return given(node, in[1], in[0], stuple(2, in[0]));
    const std::int64_t length = in[0].is(Kind::STuple) ? in[0].length : 2;
    return given(node, in[0], stuple(length, in[1]), stuple(length + 1, in[1]));
}

Typed sameLanes(const Node& node, Types in) {
    const bool toSeq = node.op == Op::TupleToSSeq;
    const SeqType& t = inside(in[0], 1);
    const std::int64_t n = in[0].length;
    return toSeq ? given(node, in[0], stuple(n, t), sseq(n, t))
                 : given(node, in[0], sseq(n, t), stuple(n, t));
}

SeqType layer(const Node& node, SeqType element) {
    const bool inSpace = info(node.op).name.back() == 's';
    return inSpace ? sseq(node.params[0], std::move(element))
                   : tseq(node.params[0], node.params[1], std::move(element));
}

Typed map(const Node& node, Types in) {
    const auto types = check(*node.function);
    if (!types)
        return types.error();
    for (std::size_t k = 0; k < in.size(); ++k) {
        const SeqType& input = (*types)[node.function->inputs[k].index()];
        if (in[k] != layer(node, input))
            return mismatch(node, in[k], layer(node, input));
    }
    return layer(node, (*types)[node.function->output.index()]);
}

Typed reduce(const Node& node, Types in) {
    const auto types = check(*node.function);
    if (!types)
        return types.error();
    const SeqType& result = (*types)[node.function->output.index()];
    for (const NodeId input : node.function->inputs) {
        if ((*types)[input.index()] != result)
            return mismatch(node, (*types)[input.index()], result);
    }
    const SeqType reduced = node.op == Op::ReduceS
                                ? sseq(1, result)
                                : tseq(1, node.params[0] + node.params[1] - 1, result);
    return given(node, in[0], layer(node, result), reduced);
}

/// Every element leaves the state behind it; the function takes a state and an element.
Typed scan(const Node& node, Types in) {
    const auto types = check(*node.function);
    if (!types)
        return types.error();
    const SeqType& state = (*types)[node.function->inputs[0].index()];
    const SeqType& element = (*types)[node.function->inputs[1].index()];
    const SeqType& next = (*types)[node.function->output.index()];
    if (next != state)
        return mismatch(node, next, state);
    if (std::ssize(node.literal) != ir::words(erase(state)))
        return badParameter(node, "the first state has not the words of its type");
    const auto layers = [&](const SeqType& of) {
        const SeqType beside = node.op == Op::ScanT ? of : sseq(lanesOfScan(node), of);
        return node.op == Op::ScanS ? beside : tseq(node.params[0], node.params[1], beside);
    };
    return given(node, in[0], layers(element), layers(state));
}

Typed shift(const Node& node, Types in) {
    const auto& p = node.params;
    if (node.op == Op::ShiftS)
        return given(node, in[0], sseq(p[0], inside(in[0], 1)), in[0]);
    if (node.op == Op::ShiftT)
        return given(node, in[0], tseq(p[0], p[1], inside(in[0], 1)), in[0]);
    if (node.op == Op::ShiftTS)
        return given(node, in[0], tseq(p[0], p[1], sseq(p[2], inside(in[0], 2))), in[0]);
    const std::size_t layers = (p.size() - 1) / 2;
    SeqType expected = inside(in[0], static_cast<int>(layers));
    for (std::size_t k = layers; k-- > 0;)
        expected = tseq(p[1 + 2 * k], p[2 + 2 * k], std::move(expected));
    return given(node, in[0], expected, in[0]);
}

Typed upOrSelect(const Node& node, Types in) {
    const SeqType& t = inside(in[0], 1);
    const bool inSpace = node.op == Op::UpS || node.op == Op::SelectS;
    const SeqType one = inSpace ? sseq(1, t) : tseq(1, node.params[0] - 1 + node.params[1], t);
    const bool up = node.op == Op::UpS || node.op == Op::UpT;
    if (!up && node.params.back() >= node.params[0])
        return badParameter(node, "there is no element " + std::to_string(node.params.back()));
    return up ? given(node, in[0], one, layer(node, t)) : given(node, in[0], layer(node, t), one);
}

Typed partition(const Node& node, Types in) {
    const auto& p = node.params;
    const bool inSpace = node.op == Op::PartitionS || node.op == Op::UnpartitionS;
    const bool apart = node.op == Op::PartitionS || node.op == Op::PartitionT;
    const SeqType& t = inside(in[0], apart ? 1 : 2);
    const SeqType flat =
        inSpace ? sseq(p[0] * p[1], t) : tseq(p[0] * p[1], p[0] * p[3] + p[2] * (p[1] + p[3]), t);
    const SeqType nested =
        inSpace ? sseq(p[0], sseq(p[1], t)) : tseq(p[0], p[2], tseq(p[1], p[3], t));
    return apart ? given(node, in[0], flat, nested) : given(node, in[0], nested, flat);
}

Typed serialize(const Node& node, Types in) {
    const auto& p = node.params;
    const bool apart = node.op == Op::Serialize;
    const SeqType& t = inside(in[0], apart ? 2 : 1);
    const SeqType parallel = tseq(1, p[0] - 1 + p[1], stuple(p[0], t));
    const SeqType serial = tseq(p[0], p[1], t);
    return apart ? given(node, in[0], parallel, serial) : given(node, in[0], serial, parallel);
}

Typed unitLayer(const Node& node, Types in) {
    const bool inSpace = node.op == Op::Add1S || node.op == Op::Remove1S;
    const bool wraps = node.op == Op::Add1S || node.op == Op::Add1T;
    const auto one = [&](const SeqType& t) { return inSpace ? sseq(1, t) : tseq(1, 0, t); };
    if (wraps)
        return one(in[0]);
    const SeqType& t = inside(in[0], 1);
    return given(node, in[0], one(t), t);
}

Typed reshape(const Node& node, Types in) {
    const bool fits = clocks(in[0]) == clocks(node.type) &&
                      atomCount(in[0]) == atomCount(node.type) &&
                      atomOf(in[0]) == atomOf(node.type);
    if (fits)
        return node.type;
    Diagnostic error = makeError(
        "type-mismatch", "a reshape keeps the elements, their number and the time: not from " +
                             toString(in[0]) + " to " + toString(node.type));
    error.notes = drawBoth(in[0], node.type);
    return error;
}

Typed constant(const Node& node, Types) {
    if (static_cast<std::int64_t>(node.literal.size()) != ir::words(erase(node.type)))
        return badParameter(node, "the constant has not the words of its type");
    return node.type;
}

Typed counter(const Node& node, Types) {
    const ir::StreamType& atom = atomOf(node.type);
    if (!atom.is(ir::StreamType::Kind::Scalar) || atom.scalar == ir::Scalar::Bit)
        return badParameter(node, "a counter counts in an integer");
    return node.type;
}

Status checkForm(const Node& node, Types in) {
    const OperatorInfo& op = info(node.op);
    const int operands = node.op == Op::Atom ? ir::info(node.atom).operands : op.operands;
    const bool layers = node.op == Op::ShiftTN
                            ? node.params.size() >= 3 && node.params.size() % 2 == 1
                            : static_cast<int>(node.params.size()) == op.params;
    const bool function =
        op.functionArity == 0
            ? !node.function
            : node.function && static_cast<int>(node.function->inputs.size()) == op.functionArity;
    const bool looksUp = node.op == Op::Atom && node.atom == ir::StreamOp::Lookup;
    const bool table = looksUp == (node.table != nullptr);
    if (static_cast<int>(in.size()) != operands || !layers || !function || !table)
        return makeError("operand-count", "'" + toString(node) +
                                              "' has not the operands, numbers, function and "
                                              "table of its operator");
    return ok();
}

/// The indices in params of numbers that must be at least 1: lengths and distances.
std::vector<std::size_t> positiveParams(const Node& node) {
    switch (node.op) {
    case Op::Counter:
        return {};
    case Op::Fifo:
    case Op::MapS:
    case Op::MapT:
    case Op::Map2S:
    case Op::Map2T:
    case Op::ReduceS:
    case Op::ReduceT:
    case Op::ScanS:
    case Op::ScanT:
    case Op::UpS:
    case Op::UpT:
    case Op::SelectS:
    case Op::SelectT:
    case Op::Serialize:
    case Op::Deserialize:
        return {0};
    case Op::ShiftS:
    case Op::ShiftT:
        return {0};
    case Op::ShiftTS:
    case Op::ScanTS:
        return {0, 2};
    case Op::ShiftTN: {
        std::vector<std::size_t> indices = {0};
        for (std::size_t k = 1; k < node.params.size(); k += 2)
            indices.push_back(k);
        return indices;
    }
    default:
        return node.params.size() >= 2 ? std::vector<std::size_t>{0, 1}
                                       : std::vector<std::size_t>{};
    }
}

Status checkParams(const Node& node) {
    if (node.op == Op::Counter)
        return ok();
    const bool isShift = node.op == Op::ShiftS || node.op == Op::ShiftT || node.op == Op::ShiftTS;
    for (std::size_t k = 0; k < node.params.size(); ++k) {
        const bool isDistance = isShift && k + 1 == node.params.size();
        if (node.params[k] < 0 && !isDistance)
            return badParameter(node, "numbers are not negative");
        if (node.params[k] == 0 && isDistance)
            return badParameter(node, "a distance is not 0");
    }
    for (const std::size_t k : positiveParams(node)) {
        if (node.params[k] < 1)
            return badParameter(node, "lengths and distances are at least 1");
    }
    return ok();
}

Typed judgement(const Node& node, Types in) {
    switch (node.op) {
    case Op::Input:
        return node.type;
    case Op::Const:
        return constant(node, in);
    case Op::Counter:
        return counter(node, in);
    case Op::Atom:
        return atom(node, in);
    case Op::STuple:
    case Op::Append:
        return tuple(node, in);
    case Op::TupleToSSeq:
    case Op::SSeqToTuple:
        return sameLanes(node, in);
    case Op::ShiftS:
    case Op::ShiftT:
    case Op::ShiftTS:
    case Op::ShiftTN:
        return shift(node, in);
    case Op::UpS:
    case Op::UpT:
    case Op::SelectS:
    case Op::SelectT:
        return upOrSelect(node, in);
    case Op::PartitionS:
    case Op::UnpartitionS:
    case Op::PartitionT:
    case Op::UnpartitionT:
        return partition(node, in);
    case Op::Serialize:
    case Op::Deserialize:
        return serialize(node, in);
    case Op::Add1S:
    case Op::Add1T:
    case Op::Remove1S:
    case Op::Remove1T:
        return unitLayer(node, in);
    case Op::Fifo:
        return in[0];
    case Op::Reshape:
        return reshape(node, in);
    default:
        return badParameter(node, "unknown operator");
    }
}

/// Of operators that apply a function.
Typed applied(const Node& node, Types in) {
    if (isScan(node.op))
        return scan(node, in);
    return node.op == Op::ReduceS || node.op == Op::ReduceT ? reduce(node, in) : map(node, in);
}

} // namespace

Result<SeqType> judge(const Node& node, std::span<const SeqType> operands) {
    if (Status form = checkForm(node, operands); !form)
        return form.error();
    if (Status params = checkParams(node); !params)
        return params.error();
    return node.function ? applied(node, operands) : judgement(node, operands);
}

Result<std::vector<SeqType>> check(const Graph& graph) {
    std::vector<SeqType> types;
    for (const Node& node : graph.nodes) {
        std::vector<SeqType> operands;
        for (const NodeId operand : node.operands)
            operands.push_back(types[operand.index()]);
        auto type = judge(node, operands);
        if (!type)
            return type.error();
        types.push_back(*std::move(type));
        if (clocks(types.back()) != clocks(types.front())) {
            Diagnostic error = makeError(
                "time-mismatch",
                "'" + toString(node) + "' takes " + std::to_string(clocks(types.back())) +
                    " clocks where the program takes " + std::to_string(clocks(types.front())));
            error.notes = drawBoth(types.back(), types.front());
            return error;
        }
    }
    return types;
}

} // namespace marquetry::spacetime
