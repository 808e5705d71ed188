#include "engine/ir/stream_op.h"

#include "engine/ir/op.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>

namespace marquetry::ir {

namespace {

using Kind = StreamType::Kind;
using StreamTypes = std::span<const StreamType>;
using Typed = Result<StreamType>;

Diagnostic typeMismatch(const std::string& expected, const StreamType& found,
                        std::string hint = {}) {
    return makeError("type-mismatch", "expected " + expected + ", but found " + toString(found),
                     std::move(hint));
}

Diagnostic different(const StreamType& a, const StreamType& b) {
    return makeError("type-mismatch",
                     "the operands have different types: " + toString(a) + " and " + toString(b));
}

bool isInteger(const StreamType& type) {
    return type.is(Kind::Scalar) && type.scalar != Scalar::Bit;
}

bool isBit(const StreamType& type) {
    return type.is(Kind::Scalar) && type.scalar == Scalar::Bit;
}

std::string liftHint(const StreamType& type) {
    return type.is(Kind::Seq) ? "apply it to every element with map or map2" : "";
}

Typed sameIntegers(StreamTypes t, const StreamParams&, const StreamType*) {
    for (const StreamType& type : t) {
        if (!isInteger(type))
            return typeMismatch("an integer", type, liftHint(type));
    }
    if (t.size() == 2 && t[0] != t[1])
        return different(t[0], t[1]);
    return t[0];
}

Typed signedInteger(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!isInteger(t[0]) || !info(t[0].scalar).isSigned)
        return typeMismatch("a signed integer", t[0], liftHint(t[0]));
    return t[0];
}

Typed bitwise(StreamTypes t, const StreamParams&, const StreamType*) {
    for (const StreamType& type : t) {
        if (!type.is(Kind::Scalar))
            return typeMismatch("bit or an integer", type, liftHint(type));
    }
    if (t.size() == 2 && t[0] != t[1])
        return different(t[0], t[1]);
    return t[0];
}

template <Scalar To>
Typed cast(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!t[0].is(Kind::Scalar))
        return typeMismatch("bit or an integer", t[0], liftHint(t[0]));
    return scalarStream(To);
}

template <Scalar To>
std::int64_t convert(Scalar, std::int64_t a, std::int64_t) {
    return wrap(To, a);
}

/// Between two bounds.
Typed clamped(StreamTypes t, const StreamParams& params, const StreamType* body) {
    for (const std::size_t bound : {std::size_t{1}, std::size_t{2}}) {
        const std::array<StreamType, 2> both = {t[0], t[bound]};
        if (const Typed fitting = sameIntegers(both, params, body); !fitting)
            return fitting;
    }
    return t[0];
}

Typed signedShift(StreamTypes t, const StreamParams& params, const StreamType* body) {
    const Typed type = signedInteger(t.first(1), params, body);
    if (!type)
        return typeMismatch("a signed integer", t[0],
                            isInteger(t[0]) ? "lsr shifts unsigned ones" : liftHint(t[0]));
    return t[1] == scalarStream(Scalar::U8) ? type : typeMismatch("a u8 amount", t[1]);
}

Typed division(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!isInteger(t[0]) || info(t[0].scalar).isSigned)
        return typeMismatch("an unsigned integer", t[0], liftHint(t[0]));
    if (!t[1].is(Kind::Fixed))
        return typeMismatch("a fix1_7 factor", t[1], "43 means 43/128");
    return t[0];
}

Typed bitShift(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!isInteger(t[0]))
        return typeMismatch("an integer", t[0], liftHint(t[0]));
    if (t[1] != scalarStream(Scalar::U8))
        return typeMismatch("a u8 amount", t[1]);
    return t[0];
}

Typed comparison(StreamTypes t, const StreamParams&, const StreamType*) {
    for (const StreamType& type : t) {
        if (!type.is(Kind::Scalar) && !type.is(Kind::Fixed))
            return typeMismatch("a scalar", type, liftHint(type));
    }
    if (t[0] != t[1])
        return different(t[0], t[1]);
    return scalarStream(Scalar::Bit);
}

/// `element` is that of the table.
Typed lookedUp(StreamTypes t, const StreamParams&, const StreamType* element) {
    if (!isInteger(t[0]))
        return typeMismatch("an integer as index of the table", t[0], liftHint(t[0]));
    return *element;
}

Typed choice(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!isBit(t[0]))
        return typeMismatch("a bit as condition", t[0], liftHint(t[0]));
    if (!isAtom(t[1]))
        return typeMismatch("an atom", t[1], liftHint(t[1]));
    if (t[1] != t[2])
        return different(t[1], t[2]);
    return t[1];
}

Typed pairing(StreamTypes t, const StreamParams&, const StreamType*) {
    for (const StreamType& type : t) {
        if (!isAtom(type))
            return typeMismatch("an atom", type, liftHint(type));
    }
    return pairOf(t[0], t[1]);
}

template <std::size_t Which>
Typed component(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!t[0].is(Kind::Pair))
        return typeMismatch("a pair", t[0], liftHint(t[0]));
    return t[0].parts[Which];
}

Typed tupleOfTwo(StreamTypes t, const StreamParams&, const StreamType*) {
    if (t[0] != t[1])
        return different(t[0], t[1]);
    return tupleOf(2, t[0]);
}

Typed longerTuple(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!t[0].is(Kind::STuple))
        return typeMismatch("an STuple to append to", t[0], "stuple(a, b) makes the first one");
    if (t[0].element() != t[1])
        return makeError("type-mismatch", "cannot append " + toString(t[1]) + " to " +
                                              toString(t[0]) + ": the parts must be equal");
    return tupleOf(t[0].length + 1, t[1]);
}

Typed tupleToSeq(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!t[0].is(Kind::Seq) || t[0].length != 1 || !t[0].element().is(Kind::STuple))
        return typeMismatch("Seq 1 STuple n t", t[0],
                            t[0].is(Kind::STuple) ? "partition(n, 1, …) puts a Seq 1 around it"
                                                  : "");
    return seqOf(t[0].element().length, t[0].element().element());
}

Typed seqToTuple(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!t[0].is(Kind::Seq))
        return typeMismatch("a sequence", t[0]);
    return seqOf(1, tupleOf(t[0].length, t[0].element()));
}

Typed shifted(StreamTypes t, const StreamParams& params, const StreamType*) {
    if (!t[0].is(Kind::Seq))
        return typeMismatch("a sequence", t[0]);
    if (params[0] == 0)
        return makeError("bad-parameter", "a sequence is not shifted by 0",
                         "by 1 or more to later elements, by -1 or less to earlier ones");
    return t[0];
}

Typed repeated(StreamTypes t, const StreamParams& params, const StreamType*) {
    if (!t[0].is(Kind::Seq) || t[0].length != 1)
        return typeMismatch("Seq 1 t", t[0], "partition(n, 1, …) makes sequences of one element");
    if (params[0] < 1)
        return makeError("bad-parameter", "an element is repeated at least once");
    return seqOf(params[0], t[0].element());
}

Typed selected(StreamTypes t, const StreamParams& params, const StreamType*) {
    if (!t[0].is(Kind::Seq))
        return typeMismatch("a sequence", t[0]);
    if (params[0] < 0 || params[0] >= t[0].length)
        return makeError("bad-parameter",
                         "there is no element " + std::to_string(params[0]) + " in " +
                             toString(t[0]),
                         "elements count from 0 to " + std::to_string(t[0].length - 1));
    return seqOf(1, t[0].element());
}

Typed partitioned(StreamTypes t, const StreamParams& params, const StreamType*) {
    if (!t[0].is(Kind::Seq))
        return typeMismatch("a sequence", t[0]);
    const auto product = checkedMul(params[0], params[1]);
    if (params[0] < 1 || params[1] < 1 || product != t[0].length)
        return makeError("bad-parameter",
                         "a sequence of " + std::to_string(t[0].length) +
                             " elements has no partition into " + std::to_string(params[0]) +
                             " times " + std::to_string(params[1]),
                         "the product of the two lengths must be " + std::to_string(t[0].length));
    return seqOf(params[0], seqOf(params[1], t[0].element()));
}

Typed unpartitioned(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!t[0].is(Kind::Seq) || !t[0].element().is(Kind::Seq))
        return typeMismatch("a sequence of sequences", t[0]);
    return seqOf(t[0].length * t[0].element().length, t[0].element().element());
}

Typed mapped(StreamTypes t, const StreamParams&, const StreamType* body) {
    for (const StreamType& type : t) {
        if (!type.is(Kind::Seq))
            return typeMismatch("a sequence", type);
    }
    if (t.size() == 2 && t[0].length != t[1].length)
        return makeError("type-mismatch", "the sequences have different lengths: " +
                                              toString(t[0]) + " and " + toString(t[1]));
    return body ? Typed(seqOf(t[0].length, *body)) : Typed(t[0]);
}

Typed reduced(StreamTypes t, const StreamParams&, const StreamType* body) {
    if (!t[0].is(Kind::Seq))
        return typeMismatch("a sequence", t[0]);
    if (body && *body != t[0].element())
        return makeError("type-mismatch", "a function to reduce " + toString(t[0]) +
                                              " with yields " + toString(t[0].element()) +
                                              ", not " + toString(*body));
    return seqOf(1, t[0].element());
}

/// The states; `state` is what the function yields.
Typed scanned(StreamTypes t, const StreamParams&, const StreamType* state) {
    if (!t[0].is(Kind::Seq))
        return typeMismatch("a sequence", t[0]);
    return state ? Typed(seqOf(t[0].length, *state)) : Typed(t[0]);
}

Typed zipped(StreamTypes t, const StreamParams& params, const StreamType*) {
    if (Typed fitting = mapped(t, params, nullptr); !fitting)
        return fitting;
    if (t[0] != t[1])
        return different(t[0], t[1]);
    return seqOf(t[0].length, tupleOf(2, t[0].element()));
}

std::string sizeText(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
}

bool isPicture(const StreamType& type) {
    return type.is(Kind::Seq) && type.element().is(Kind::Seq);
}

Diagnostic notAPicture(const StreamType& found) {
    return typeMismatch("a picture, Seq rows Seq columns t", found,
                        found.is(Kind::Seq) && isAtom(found.element())
                            ? "partition(rows, columns, x) makes one of a sequence"
                            : "");
}

/// Windows exist side by side for each pixel.
constexpr std::int64_t kMostWindowPixels = 512;

Typed windowed(StreamTypes t, const StreamParams& params, const StreamType*) {
    if (!isPicture(t[0]) || !isAtom(t[0].element().element()))
        return notAPicture(t[0]);
    const auto [rows, columns] = params;
    if (rows < 1 || columns < 1)
        return makeError("bad-parameter", "a window has at least one row and one column, not " +
                                              sizeText(rows, columns));
    const StreamType& line = t[0].element();
    if (rows > t[0].length || columns > line.length)
        return makeError("bad-parameter",
                         "a window of " + sizeText(rows, columns) +
                             " is larger than its picture of " + sizeText(t[0].length, line.length),
                         "rows come first, then columns");
    const auto pixels = checkedMul(rows, columns);
    if (!pixels || *pixels > kMostWindowPixels)
        return makeError("too-large",
                         "a window of " + sizeText(rows, columns) + " has more than " +
                             std::to_string(kMostWindowPixels) + " pixels",
                         "a sum of rows, and then of those sums, takes fewer");
    const StreamType window = seqOf(rows, seqOf(columns, line.element()));
    return seqOf(t[0].length, seqOf(line.length, window));
}

Typed tapped(StreamTypes t, const StreamParams& params, const StreamType*) {
    if (!isPicture(t[0]))
        return typeMismatch("a window, Seq rows Seq columns t", t[0]);
    const auto [row, column] = params;
    const std::int64_t rows = t[0].length;
    const std::int64_t columns = t[0].element().length;
    if (row < 0 || row >= rows || column < 0 || column >= columns)
        return makeError("bad-parameter",
                         "there is no pixel (" + std::to_string(row) + ", " +
                             std::to_string(column) + ") in a window of " + sizeText(rows, columns),
                         "rows count from 0 to " + std::to_string(rows - 1) + ", columns to " +
                             std::to_string(columns - 1));
    return seqOf(1, t[0].element().element());
}

/// Of rows or columns: both fit.
Typed pixelNumbers(StreamTypes t, const StreamParams&, const StreamType*) {
    if (!isPicture(t[0]))
        return notAPicture(t[0]);
    const StreamType number = scalarStream(Scalar::U16);
    const std::int64_t most = info(Scalar::U16).max + 1;
    if (t[0].length > most || t[0].element().length > most)
        return makeError("too-large",
                         "the coordinates of a picture of " +
                             sizeText(t[0].length, t[0].element().length) +
                             " pixels do not fit into u16",
                         "at most " + std::to_string(most) + " rows and columns have one");
    return seqOf(t[0].length, seqOf(t[0].element().length, number));
}

using Int = std::int64_t;

std::uint64_t pattern(Scalar s, Int a) {
    return static_cast<std::uint64_t>(a) & ((std::uint64_t{1} << info(s).bits) - 1);
}

Int lsr(Scalar s, Int a, Int b) {
    return b >= info(s).bits ? 0 : wrap(s, static_cast<Int>(pattern(s, a) >> b));
}

Int lsl(Scalar s, Int a, Int b) {
    return b >= info(s).bits ? 0 : wrap(s, static_cast<Int>(pattern(s, a) << b));
}

/// The product of two 32-bit numbers needs more than 63 bits only when both are unsigned.
Int mul(Scalar s, Int a, Int b) {
    return wrap(s, static_cast<Int>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b)));
}

/// By the width or more: the sign everywhere.
Int asr(Scalar s, Int a, Int b) {
    return a >> std::min<Int>(b, info(s).bits - 1);
}

constexpr std::array<StreamOpInfo, 58> kOps = {{
    {StreamOp::Abs, "abs", 0, 0, 1, false, signedInteger,
     [](Scalar s, Int a, Int) { return wrap(s, a < 0 ? -a : a); }},
    {StreamOp::Not, "not", 0, 0, 1, false, bitwise,
     [](Scalar s, Int a, Int) { return wrap(s, ~a); }},
    {StreamOp::And, "and", 0, 0, 2, true, bitwise, [](Scalar, Int a, Int b) { return a & b; }},
    {StreamOp::Or, "or", 0, 0, 2, true, bitwise, [](Scalar, Int a, Int b) { return a | b; }},
    {StreamOp::Add, "add", 0, 0, 2, true, sameIntegers,
     [](Scalar s, Int a, Int b) { return wrap(s, a + b); }},
    {StreamOp::Sub, "sub", 0, 0, 2, false, sameIntegers,
     [](Scalar s, Int a, Int b) { return wrap(s, a - b); }},
    {StreamOp::Mul, "mul", 0, 0, 2, true, sameIntegers, mul},
    {StreamOp::Div, "div", 0, 0, 2, false, division,
     [](Scalar s, Int a, Int b) { return wrap(s, (a * b) >> 7); }},
    {StreamOp::Lsr, "lsr", 0, 0, 2, false, bitShift, lsr},
    {StreamOp::Lsl, "lsl", 0, 0, 2, false, bitShift, lsl},
    {StreamOp::Lt, "lt", 0, 0, 2, false, comparison,
     [](Scalar, Int a, Int b) -> Int { return a < b ? 1 : 0; }},
    {StreamOp::Eq, "eq", 0, 0, 2, false, comparison,
     [](Scalar, Int a, Int b) -> Int { return a == b ? 1 : 0; }},
    {StreamOp::If, "if", 0, 0, 3, false, choice, nullptr},
    {StreamOp::Min, "min", 0, 0, 2, true, sameIntegers,
     [](Scalar, Int a, Int b) { return std::min(a, b); }},
    {StreamOp::Max, "max", 0, 0, 2, true, sameIntegers,
     [](Scalar, Int a, Int b) { return std::max(a, b); }},
    {StreamOp::Tuple, "tuple", 0, 0, 2, false, pairing, nullptr},
    {StreamOp::Fst, "fst", 0, 0, 1, false, component<0>, nullptr},
    {StreamOp::Snd, "snd", 0, 0, 1, false, component<1>, nullptr},
    {StreamOp::STuple, "stuple", 0, 0, 2, false, tupleOfTwo, nullptr},
    {StreamOp::Append, "append", 0, 0, 2, false, longerTuple, nullptr},
    {StreamOp::TupleToSeq, "tuple_to_seq", 0, 0, 1, false, tupleToSeq, nullptr},
    {StreamOp::SeqToTuple, "seq_to_tuple", 0, 0, 1, false, seqToTuple, nullptr},
    {StreamOp::Shift, "shift", 1, 0, 1, false, shifted, nullptr},
    {StreamOp::Up, "up", 1, 0, 1, false, repeated, nullptr},
    {StreamOp::Select, "select", 1, 0, 1, false, selected, nullptr},
    {StreamOp::Partition, "partition", 2, 0, 1, false, partitioned, nullptr},
    {StreamOp::Unpartition, "unpartition", 0, 0, 1, false, unpartitioned, nullptr},
    {StreamOp::Map, "map", 0, 1, 1, false, mapped, nullptr},
    {StreamOp::Map2, "map2", 0, 2, 2, false, mapped, nullptr},
    {StreamOp::Reduce, "reduce", 0, 2, 1, false, reduced, nullptr},
    {StreamOp::Xor, "xor", 0, 0, 2, true, bitwise, [](Scalar, Int a, Int b) { return a ^ b; }},
    {StreamOp::Asr, "asr", 0, 0, 2, false, signedShift, asr},
    {StreamOp::AsBit, "as_bit", 0, 0, 1, false, cast<Scalar::Bit>, convert<Scalar::Bit>},
    {StreamOp::AsI8, "as_i8", 0, 0, 1, false, cast<Scalar::I8>, convert<Scalar::I8>},
    {StreamOp::AsU8, "as_u8", 0, 0, 1, false, cast<Scalar::U8>, convert<Scalar::U8>},
    {StreamOp::AsI16, "as_i16", 0, 0, 1, false, cast<Scalar::I16>, convert<Scalar::I16>},
    {StreamOp::AsU16, "as_u16", 0, 0, 1, false, cast<Scalar::U16>, convert<Scalar::U16>},
    {StreamOp::AsI32, "as_i32", 0, 0, 1, false, cast<Scalar::I32>, convert<Scalar::I32>},
    {StreamOp::AsU32, "as_u32", 0, 0, 1, false, cast<Scalar::U32>, convert<Scalar::U32>},
    {StreamOp::Scan, "scan", 0, 2, 1, false, scanned, nullptr},
    {StreamOp::Le, "le", 0, 0, 2, false, comparison, nullptr},
    {StreamOp::Ge, "ge", 0, 0, 2, false, comparison, nullptr},
    {StreamOp::Gt, "gt", 0, 0, 2, false, comparison, nullptr},
    {StreamOp::Ne, "ne", 0, 0, 2, false, comparison, nullptr},
    {StreamOp::Clamp, "clamp", 0, 0, 3, false, clamped, nullptr},
    {StreamOp::AddSat, "add_sat", 0, 0, 2, false, sameIntegers, nullptr},
    {StreamOp::SubSat, "sub_sat", 0, 0, 2, false, sameIntegers, nullptr},
    {StreamOp::SatI8, "sat_i8", 0, 0, 1, false, cast<Scalar::I8>, nullptr},
    {StreamOp::SatU8, "sat_u8", 0, 0, 1, false, cast<Scalar::U8>, nullptr},
    {StreamOp::SatI16, "sat_i16", 0, 0, 1, false, cast<Scalar::I16>, nullptr},
    {StreamOp::SatU16, "sat_u16", 0, 0, 1, false, cast<Scalar::U16>, nullptr},
    {StreamOp::SatI32, "sat_i32", 0, 0, 1, false, cast<Scalar::I32>, nullptr},
    {StreamOp::SatU32, "sat_u32", 0, 0, 1, false, cast<Scalar::U32>, nullptr},
    {StreamOp::Zip, "zip", 0, 0, 2, false, zipped, nullptr},
    {StreamOp::Window, "window", 2, 0, 1, false, windowed, nullptr},
    {StreamOp::Tap, "tap", 2, 0, 1, false, tapped, nullptr},
    {StreamOp::PixelX, "pixel_x", 0, 0, 1, false, pixelNumbers, nullptr},
    {StreamOp::PixelY, "pixel_y", 0, 0, 1, false, pixelNumbers, nullptr},
}};

constexpr std::array<StreamOpInfo, 4> kUnnamed = {{
    {StreamOp::Input, "input", 0, 0, 0, false, nullptr, nullptr},
    {StreamOp::Const, "const", 0, 0, 0, false, nullptr, nullptr},
    {StreamOp::Counter, "counter", 2, 0, 0, false, nullptr, nullptr},
    {StreamOp::Lookup, "table", 0, 0, 1, false, lookedUp, nullptr},
}};

} // namespace

std::span<const StreamOpInfo> streamOpTable() {
    return kOps;
}

const StreamOpInfo* streamOpNamed(std::string_view name) {
    const auto found = std::find_if(kOps.begin(), kOps.end(),
                                    [&](const StreamOpInfo& op) { return op.name == name; });
    return found == kOps.end() ? nullptr : &*found;
}

const StreamOpInfo& info(StreamOp op) {
    const auto index = static_cast<std::size_t>(op);
    return index < kUnnamed.size() ? kUnnamed[index] : kOps[index - kUnnamed.size()];
}

bool isDerived(StreamOp op) {
    return op >= StreamOp::Le;
}

bool mayBeRedefined(StreamOp op) {
    return op > StreamOp::Reduce;
}

bool takesMore(StreamOp op) {
    return op == StreamOp::STuple || op == StreamOp::Zip;
}

bool isCast(StreamOp op) {
    return op >= StreamOp::AsBit && op <= StreamOp::AsU32;
}

StreamOp castTo(Scalar scalar) {
    switch (scalar) {
    case Scalar::Bit:
        return StreamOp::AsBit;
    case Scalar::I8:
        return StreamOp::AsI8;
    case Scalar::U8:
        return StreamOp::AsU8;
    case Scalar::I16:
        return StreamOp::AsI16;
    case Scalar::U16:
        return StreamOp::AsU16;
    case Scalar::I32:
        return StreamOp::AsI32;
    default:
        ENGINE_ASSERT(scalar == Scalar::U32, "streams have words of 1, 8, 16 and 32 bits");
        return StreamOp::AsU32;
    }
}

const StreamType* literalType(StreamOp op, std::size_t k) {
    static const StreamType kFixed = fixedStream();
    static const StreamType kAmount = scalarStream(Scalar::U8);
    static const StreamType kBit = scalarStream(Scalar::Bit);
    if (op == StreamOp::Div && k == 1)
        return &kFixed;
    if ((op == StreamOp::Lsr || op == StreamOp::Lsl || op == StreamOp::Asr) && k == 1)
        return &kAmount;
    return op == StreamOp::If && k == 0 ? &kBit : nullptr;
}

const StreamType* literalTypeAlone(StreamOp op) {
    static const StreamType kBit = scalarStream(Scalar::Bit);
    return info(op).type == bitwise ? &kBit : nullptr;
}

bool takesLiteral(StreamOp op, std::size_t k) {
    const auto type = info(op).type;
    return literalType(op, k) != nullptr || type == sameIntegers || type == comparison ||
           type == bitwise || type == clamped || (op == StreamOp::If && k > 0);
}

} // namespace marquetry::ir
