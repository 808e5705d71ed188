#include "engine/datapath/lower_words.h"

#include "engine/datapath/cell_value.h"
#include "engine/datapath/lower_datapath.h"
#include "engine/spacetime/layer_places.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <bit>

namespace marquetry::datapath {

using spacetime::LayerPlaces;
using spacetime::SeqType;

using ir::StreamOp;

std::vector<int> wordBits(const SeqType& type) {
    std::vector<int> bits;
    for (std::int64_t lane = 0; lane < lanes(type); ++lane) {
        for (const ir::Scalar scalar : ir::leaves(atomOf(type)))
            bits.push_back(ir::info(scalar).bits);
    }
    return bits;
}

std::vector<Tap> WordLowering::atom(StreamOp op, const std::vector<SeqType>& types,
                                    const std::vector<std::vector<Tap>>& in, Used used) {
    switch (op) {
    case StreamOp::Tuple: {
        std::vector<Tap> all = in[0];
        all.insert(all.end(), in[1].begin(), in[1].end());
        return all;
    }
    case StreamOp::Fst:
    case StreamOp::Snd: {
        const auto first = static_cast<std::ptrdiff_t>(ir::leaves(types[0].atom.parts[0]).size());
        return op == StreamOp::Fst ? std::vector<Tap>(in[0].begin(), in[0].begin() + first)
                                   : std::vector<Tap>(in[0].begin() + first, in[0].end());
    }
    case StreamOp::If: {
        const auto scalars = ir::leaves(types[1].atom);
        std::vector<Tap> all;
        for (std::size_t k = 0; k < scalars.size(); ++k)
            all.push_back(
                cells_.choose(ir::info(scalars[k]).bits, in[0][0], in[1][k], in[2][k], used));
        return all;
    }
    default:
        return {scalar(op, ir::leaves(types[0].atom)[0], in[0][0], in.back()[0], used)};
    }
}

Tap WordLowering::lookedUp(const ir::StreamTable& table, Tap index, Used used) {
    return cells_.lookedUp(ir::atomBits(table.element), index, table.words, used);
}

Tap WordLowering::less(ir::Scalar type, Tap a, Tap b, Used used) {
    const bool isSigned = ir::info(type).isSigned;
    return cells_.binary(isSigned ? CellKind::LessSigned : CellKind::Less, ir::info(type).bits, a,
                         b, used);
}

Tap WordLowering::scalar(StreamOp op, ir::Scalar type, Tap a, Tap b, Used used) {
    const int width = ir::info(type).bits;
    switch (op) {
    case StreamOp::Abs: {
        const Tap sign = cells_.shifted(CellKind::Right, width, a, width - 1, used);
        return cells_.choose(
            width, sign, cells_.binary(CellKind::Sub, width, cells_.constant(width, 0), a, used), a,
            used);
    }
    case StreamOp::Add:
        return cells_.binary(CellKind::Add, width, a, b, used);
    case StreamOp::Sub:
        return cells_.binary(CellKind::Sub, width, a, b, used);
    case StreamOp::Lt:
        return less(type, a, b, used);
    case StreamOp::Eq:
        return cells_.binary(CellKind::Equal, width, a, b, used);
    case StreamOp::Min:
        return cells_.choose(width, less(type, a, b, used), a, b, used);
    case StreamOp::Max:
        return cells_.choose(width, less(type, a, b, used), b, a, used);
    case StreamOp::Lsr:
    case StreamOp::Lsl: {
        const bool right = op == StreamOp::Lsr;
        if (cells_.isConstant(b))
            return cells_.shifted(right ? CellKind::Right : CellKind::Left, width, a,
                                  cells_.cell(b).number, used);
        return cells_.binary(right ? CellKind::RightBy : CellKind::LeftBy, width, a, b, used);
    }
    case StreamOp::Mul:
    case StreamOp::Div:
        return product(op, width, a, b, used);
    default:
        return bits(op, type, a, b, used);
    }
}

Tap WordLowering::bits(StreamOp op, ir::Scalar type, Tap a, Tap b, Used used) {
    const int width = ir::info(type).bits;
    switch (op) {
    case StreamOp::Not: {
        Cell cell{CellKind::Not, width, {a}};
        cell.used = used;
        cell.most = mask(width);
        return cells_.make(std::move(cell));
    }
    case StreamOp::And:
        return cells_.binary(CellKind::And, width, a, b, used);
    case StreamOp::Or:
        return cells_.binary(CellKind::Or, width, a, b, used);
    case StreamOp::Xor:
        return cells_.binary(CellKind::Xor, width, a, b, used);
    case StreamOp::Asr:
        return signedShift(width, a, b, used);
    default:
        ENGINE_ASSERT(ir::isCast(op), "an operator on scalars");
        return cast(op, type, a, used);
    }
}

/// Of more bits: with the sign before it. Of fewer: the lowest.
Tap WordLowering::cast(StreamOp op, ir::Scalar from, Tap a, Used used) {
    const ir::StreamType operand = ir::scalarStream(from);
    const int width = ir::atomBits(*ir::info(op).type({&operand, 1}, {}, nullptr));
    const ir::ScalarInfo& before = ir::info(from);
    return before.isSigned && before.bits < width
               ? cells_.extended(width, a, before.bits, used)
               : cells_.shifted(CellKind::Right, width, a, 0, used);
}

/// Where the number of bits changes, a negative word is shifted as what its bits are not.
Tap WordLowering::signedShift(int width, Tap a, Tap b, Used used) {
    if (cells_.isConstant(b)) {
        const auto by = static_cast<int>(std::min<std::int64_t>(cells_.cell(b).number, width - 1));
        return cells_.extended(width, cells_.shifted(CellKind::Right, width - by, a, by, used),
                               width - by, used);
    }
    const Tap signs =
        cells_.extended(width, cells_.shifted(CellKind::Right, 1, a, width - 1, used), 1, used);
    const Tap positive = cells_.binary(CellKind::Xor, width, a, signs, used);
    const Tap moved = cells_.binary(CellKind::RightBy, width, positive, b, used);
    return cells_.binary(CellKind::Xor, width, moved, signs, used);
}

Tap WordLowering::product(StreamOp op, int width, Tap a, Tap b, Used used) {
    if (op == StreamOp::Mul && cells_.isConstant(a))
        std::swap(a, b);
    // A fixed-point factor has 8 bits, 7 of them behind the point.
    const int whole = op == StreamOp::Div ? width + 8 : width;
    const Tap result = cells_.isConstant(b) ? cells_.scaled(whole, a, cells_.cell(b).number, used)
                                            : cells_.binary(CellKind::Mul, whole, a, b, used);
    return op == StreamOp::Div ? cells_.shifted(CellKind::Right, width, result, 7, used) : result;
}

namespace {

/// Words a·⌊step / spread⌋ + b.
struct Line {
    std::int64_t spread = 1;
    std::int64_t a = 0;
    std::int64_t b = 0;
};

std::optional<Line> lineThrough(const RepeatedWords& words) {
    const auto& known = words.known;
    if (known.size() < 2 || known[0].step != 0)
        return std::nullopt;
    const Line line{known[1].step, known[1].word - known[0].word, known[0].word};
    if (words.period % line.spread != 0)
        return std::nullopt;
    for (const auto& [step, word] : known) {
        if (step % line.spread != 0 || word != line.a * (step / line.spread) + line.b)
            return std::nullopt;
    }
    return line;
}

/// A word in every step: where any will do, the one before.
std::vector<std::int64_t> tableOf(const RepeatedWords& words, std::uint64_t mask) {
    std::vector<std::int64_t> table(static_cast<std::size_t>(words.period));
    std::size_t next = 0;
    std::int64_t last = words.known[0].word;
    for (std::size_t step = 0; step < table.size(); ++step) {
        if (next < words.known.size() && words.known[next].step == static_cast<std::int64_t>(step))
            last = words.known[next++].word;
        table[step] = static_cast<std::int64_t>(static_cast<std::uint64_t>(last) & mask);
    }
    return table;
}

} // namespace

std::optional<Tap> WordLowering::sequence(const RepeatedWords& words, int width) {
    if (words.known.empty())
        return cells_.undefined();
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    const auto pattern = [&](std::int64_t word) { return static_cast<std::uint64_t>(word) & mask; };
    const std::int64_t first = words.known[0].word;
    if (std::ranges::all_of(words.known,
                            [&](const auto& w) { return pattern(w.word) == pattern(first); }))
        return cells_.constant(width, first);
    if (const auto line = lineThrough(words)) {
        Cell cell{CellKind::Index, width};
        cell.number = line->spread;
        cell.period = words.period;
        cell.most = static_cast<std::uint64_t>((cell.period - 1) / cell.number) & mask;
        const bool fits = (cell.period - 1) / cell.number <= static_cast<std::int64_t>(mask);
        if (fits) {
            const Tap index = cells_.make(std::move(cell));
            const Tap steps = cells_.scaled(width, index, line->a, {});
            return cells_.binary(CellKind::Add, width, steps, cells_.constant(width, line->b), {});
        }
    }
    if (words.period > kLongestTable)
        return std::nullopt;
    Cell cell{CellKind::Table, width};
    cell.period = words.period;
    cell.table = tableOf(words, mask);
    cell.most = static_cast<std::uint64_t>(*std::ranges::max_element(cell.table));
    return cells_.make(std::move(cell));
}

std::optional<std::vector<Tap>> WordLowering::columns(const SeqType& type,
                                                      const std::vector<std::int64_t>& words,
                                                      std::int64_t unit) {
    const LayerPlaces places(type);
    const std::vector<int> bits = wordBits(type);
    const std::size_t leaves = bits.size() / static_cast<std::size_t>(lanes(type));
    std::vector<RepeatedWords> columns(bits.size(), RepeatedWords{clocks(type) / unit});
    for (std::size_t k = 0; k < words.size(); ++k) {
        const auto atom = static_cast<std::int64_t>(k / leaves);
        const auto lane = static_cast<std::size_t>(places.laneOf(atom));
        columns[lane * leaves + k % leaves].known.push_back(
            {places.clockOf(atom) / unit, words[k]});
    }
    std::vector<Tap> all;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const auto tap = sequence(columns[k], bits[k]);
        if (!tap)
            return std::nullopt;
        all.push_back(*tap);
    }
    return all;
}

std::vector<Tap> WordLowering::counted(const SeqType& type, std::int64_t by, std::int64_t unit) {
    const SeqType normal = normalize(type);
    const int width = wordBits(type)[0];
    std::vector<Tap> all;
    for (std::int64_t lane = 0; lane < lanes(type); ++lane) {
        std::int64_t first = 0;
        std::int64_t beside = lanes(type);
        Tap sum = cells_.constant(width, 0);
        for (const SeqType* t = &normal; !t->is(SeqType::Kind::Atom); t = &t->element()) {
            const std::int64_t weight = by * atomCount(t->element());
            if (!t->is(SeqType::Kind::TSeq)) {
                beside /= t->length;
                first += lane / beside % t->length * weight;
            } else if (t->length > 1) {
                const Tap digit = index(clocks(*t) / unit, clocks(t->element()) / unit);
                sum = cells_.binary(CellKind::Add, width, sum,
                                    cells_.scaled(width, digit, weight, {}), {});
            }
        }
        all.push_back(cells_.binary(CellKind::Add, width, sum, cells_.constant(width, first), {}));
    }
    return all;
}

Tap WordLowering::index(std::int64_t period, std::int64_t spread) {
    Cell cell{CellKind::Index, bitsFor(period / spread)};
    cell.number = spread;
    cell.period = period;
    cell.most = static_cast<std::uint64_t>(period / spread - 1);
    return cells_.make(std::move(cell));
}

Tap WordLowering::selected(const std::vector<Tap>& sources, const std::vector<std::int64_t>& which,
                           int width, Used used) {
    if (sources.size() == 1)
        return sources[0];
    const std::size_t half = std::bit_floor(sources.size() - 1);
    RepeatedWords upper{std::ssize(which)};
    std::vector<std::int64_t> inLower, inUpper;
    for (const std::int64_t k : which) {
        const bool high = k >= static_cast<std::int64_t>(half);
        if (k >= 0)
            upper.known.push_back({std::ssize(inLower), high ? 1 : 0});
        inLower.push_back(high ? -1 : k);
        inUpper.push_back(high ? k - static_cast<std::int64_t>(half) : -1);
    }
    const auto middle = sources.begin() + static_cast<std::ptrdiff_t>(half);
    const auto bit = sequence(upper, 1);
    ENGINE_ASSERT(bit.has_value(), "periods of changes of layout are short");
    return cells_.choose(width, *bit, selected({middle, sources.end()}, inUpper, width, used),
                         selected({sources.begin(), middle}, inLower, width, used), used);
}

namespace {

/// Where a word comes from.
struct Source {
    std::int64_t lane = 0;
    std::int64_t distance = 0; ///< steps
    bool operator==(const Source&) const = default;
};

/// Of each lane: its sources in each step.
std::vector<std::vector<std::optional<Source>>> sourcesOf(const Passages& passages) {
    std::vector<std::vector<std::optional<Source>>> sources(
        static_cast<std::size_t>(passages.lanes),
        std::vector<std::optional<Source>>(static_cast<std::size_t>(passages.period)));
    for (const Passage& passage : passages.all) {
        auto& lane = sources[static_cast<std::size_t>(passage.toLane)];
        for (std::size_t n = 0; n < passage.fifo.fetches.size(); ++n) {
            const std::int64_t step = passage.fifo.fetches[n];
            lane[static_cast<std::size_t>(step)] = {passage.fromLane,
                                                    step - passage.fifo.stores[n]};
        }
    }
    return sources;
}

} // namespace

std::vector<Tap> WordLowering::moved(const Passages& passages, const std::vector<int>& leafBits,
                                     const std::vector<Tap>& in, Used used) {
    std::vector<Tap> all;
    for (const auto& steps : sourcesOf(passages)) {
        if (stop_.stop_requested())
            return all;
        std::vector<Source> sources;
        std::vector<std::int64_t> which(steps.size(), -1);
        for (std::size_t step = 0; step < steps.size(); ++step) {
            if (!steps[step])
                continue;
            auto place = std::ranges::find(sources, *steps[step]);
            if (place == sources.end())
                place = sources.insert(sources.end(), *steps[step]);
            which[step] = place - sources.begin();
        }
        for (std::size_t leaf = 0; leaf < leafBits.size(); ++leaf) {
            std::vector<Tap> words;
            for (const Source& source : sources) {
                const Tap& tap = in[static_cast<std::size_t>(source.lane) * leafBits.size() + leaf];
                words.push_back({tap.cell, tap.distance + source.distance});
            }
            all.push_back(words.empty() ? cells_.undefined()
                                        : selected(words, which, leafBits[leaf], used));
        }
    }
    return all;
}

} // namespace marquetry::datapath
