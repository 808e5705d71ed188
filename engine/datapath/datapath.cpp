#include "engine/datapath/datapath.h"

#include "engine/datapath/cell_value.h"
#include "engine/device/rom.h"
#include "engine/support/assert.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace marquetry::datapath {

namespace {

bool commutes(CellKind kind) {
    return kind == CellKind::Add || kind == CellKind::Mul || kind == CellKind::Equal ||
           kind == CellKind::And || kind == CellKind::Or || kind == CellKind::Xor;
}

bool isBit(CellKind kind) {
    return kind == CellKind::Less || kind == CellKind::LessSigned || kind == CellKind::Equal;
}

/// The operand with which the result is the other one.
std::optional<Word> neutralOf(const Cell& cell) {
    switch (cell.kind) {
    case CellKind::Add:
    case CellKind::Or:
    case CellKind::Xor:
        return 0;
    case CellKind::And:
        return mask(cell.width);
    default:
        return std::nullopt;
    }
}

/// The greatest result of operands that are at most a, b and c.
Word mostOf(const Cell& cell, Word a, Word b, Word c) {
    const Word within = mask(cell.width);
    const auto by = static_cast<int>(std::min<std::int64_t>(cell.number, 64));
    switch (cell.kind) {
    case CellKind::Add:
        return a <= within && b <= within - a ? a + b : within;
    case CellKind::Mul:
        return a == 0 || b <= within / a ? a * b : within;
    case CellKind::Left:
        return static_cast<int>(std::bit_width(a)) + by <= cell.width ? a << by : within;
    case CellKind::Right:
        return by >= 64 ? 0 : std::min(a >> by, within);
    case CellKind::RightBy:
    case CellKind::Sample:
        return a;
    case CellKind::And:
        return std::min(a, b);
    case CellKind::Or:
    case CellKind::Xor:
        return std::bit_ceil(std::max(a, b) + 1) - 1;
    case CellKind::Choose:
        return std::max(b, c);
    default:
        return isBit(cell.kind) ? 1 : within;
    }
}

Used merged(const Used& a, const Used& b) {
    const std::int64_t stride =
        std::gcd(std::gcd(a.stride, b.stride), std::abs(a.offset - b.offset));
    return {stride, modulo(a.offset, stride)};
}

void addKey(CellKey& key, const Cell& cell) {
    key.insert(key.end(), {static_cast<std::int64_t>(cell.kind), cell.width, cell.number,
                           cell.period, cell.first, cell.end});
    key.push_back(std::ssize(cell.operands));
    for (const Tap& tap : cell.operands)
        key.insert(key.end(), {static_cast<std::int64_t>(tap.cell.value()), tap.distance});
    key.push_back(std::ssize(cell.table));
    key.insert(key.end(), cell.table.begin(), cell.table.end());
    const Restart restart = cell.restart.value_or(Restart{0, 0}); // no restart has period 0
    key.insert(key.end(), {restart.period, restart.first});
    // What is sampled at other steps is another word.
    if (cell.kind == CellKind::Sample)
        key.insert(key.end(), {cell.used.stride, cell.used.offset});
    key.push_back(std::ssize(cell.parts));
    for (const Cell& part : cell.parts)
        addKey(key, part);
}

CellKey cellKey(const Cell& cell) {
    CellKey key;
    addKey(key, cell);
    return key;
}

} // namespace

int Cell::bits() const {
    return std::max(1, static_cast<int>(std::bit_width(most)));
}

bool Cell::isBlockRom() const {
    return kind == CellKind::Lookup && device::romOf(std::ssize(table), bits()).isBlock();
}

bool isGenerator(CellKind kind) {
    return kind == CellKind::Constant || kind == CellKind::Undefined || kind == CellKind::Phase ||
           kind == CellKind::Index || kind == CellKind::Table || kind == CellKind::Pattern;
}

bool isView(CellKind kind) {
    return kind == CellKind::Left || kind == CellKind::Right || kind == CellKind::Extend;
}

Tap DatapathBuilder::constant(int width, std::int64_t value) {
    Cell cell{CellKind::Constant, width};
    cell.periodic = true;
    cell.most = static_cast<Word>(value) & mask(width);
    cell.number = static_cast<std::int64_t>(cell.most);
    return intern(std::move(cell), 0);
}

Tap DatapathBuilder::undefined() {
    Cell cell{CellKind::Undefined};
    cell.periodic = true;
    return intern(std::move(cell), 0);
}

Tap DatapathBuilder::intern(Cell cell, std::int64_t distance) {
    const auto [entry, isNew] = known_.emplace(cellKey(cell), CellId(cells_.size()));
    if (isNew) {
        cells_.push_back(std::move(cell));
    } else {
        Cell& there = cells_[entry->second.index()];
        there.used = merged(there.used, cell.used);
    }
    return {entry->second, distance};
}

Tap DatapathBuilder::make(Cell cell) {
    bool done = false;
    const Tap simple = folded(cell, done);
    if (done)
        return simple;
    std::optional<std::int64_t> common;
    bool phased = false;
    cell.periodic = cell.kind != CellKind::Input;
    for (const Tap& tap : cell.operands) {
        const Cell& operand = this->cell(tap);
        if (operand.periodic) {
            phased = phased || operand.period > 1;
            cell.period = std::lcm(cell.period, operand.period);
        } else {
            cell.periodic = false;
            common = std::min(common.value_or(tap.distance), tap.distance);
        }
    }
    if (isGenerator(cell.kind))
        return intern(std::move(cell), 0);
    if (!cell.periodic)
        cell.period = 1;
    else
        cell.used = {};
    const std::int64_t distance = phased ? 0 : common.value_or(0);
    for (Tap& tap : cell.operands) {
        tap.distance = this->cell(tap).periodic ? modulo(tap.distance, this->cell(tap).period)
                                                : tap.distance - distance;
    }
    if (commutes(cell.kind))
        std::ranges::sort(cell.operands);
    cell.used.offset = modulo(cell.used.offset - distance, cell.used.stride);
    if (cell.periodic) {
        if (const auto known = pattern(cell))
            return *known;
    }
    return intern(std::move(cell), distance);
}

Tap DatapathBuilder::folded(const Cell& cell, bool& done) {
    done = true;
    const auto& in = cell.operands;
    const auto at = [&](std::size_t k) { return in.size() > k ? this->cell(in[k]).most : 0; };
    if (cell.kind == CellKind::Choose) {
        if (isUndefined(in[0]) || isUndefined(in[1]))
            return isUndefined(in[0]) ? in[0] : in[2];
        if (isUndefined(in[2]) || in[1] == in[2])
            return in[1];
        if (isConstant(in[0]))
            return at(0) != 0 ? in[1] : in[2];
    } else if (std::ranges::any_of(in, [&](Tap tap) { return isUndefined(tap); })) {
        return undefined();
    }
    if (std::ranges::all_of(in, [&](Tap tap) { return isConstant(tap); }) && !in.empty())
        return constant(cell.width, static_cast<std::int64_t>(compute(cell, at(0), at(1), at(2))));
    const auto isZero = [&](std::size_t k) { return isConstant(in[k]) && at(k) == 0; };
    const std::optional<Word> neutral = neutralOf(cell);
    for (std::size_t k = 0; neutral && k < in.size(); ++k) {
        if (isConstant(in[k]) && at(k) == *neutral)
            return in[1 - k];
    }
    switch (cell.kind) {
    case CellKind::Sub:
    case CellKind::LeftBy:
    case CellKind::RightBy:
        if (isZero(1))
            return in[0];
        break;
    case CellKind::And:
        if (isZero(0) || isZero(1))
            return in[isZero(0) ? 0 : 1];
        break;
    case CellKind::Less:
        if (isConstant(in[1]) && at(0) < at(1))
            return constant(1, 1);
        if (isConstant(in[0]) && at(1) <= at(0))
            return constant(1, 0);
        break;
    case CellKind::Equal:
        if ((isConstant(in[0]) && at(1) < at(0)) || (isConstant(in[1]) && at(0) < at(1)))
            return constant(1, 0);
        break;
    default:
        break;
    }
    done = false;
    return {};
}

std::optional<Tap> DatapathBuilder::negated(Tap tap) const {
    const Cell& sub = cell(tap);
    if (sub.kind != CellKind::Sub || !isConstant(sub.operands[0]) ||
        cell(sub.operands[0]).number != 0)
        return std::nullopt;
    return Tap{sub.operands[1].cell, sub.operands[1].distance + tap.distance};
}

Tap DatapathBuilder::binary(CellKind kind, int width, Tap a, Tap b, Used used) {
    if (kind == CellKind::Add && cell(a).width <= width && cell(b).width <= width) {
        const auto minusA = cell(a).width == width ? negated(a) : std::nullopt;
        const auto minusB = cell(b).width == width ? negated(b) : std::nullopt;
        if (minusA && minusB)
            return binary(CellKind::Sub, width, constant(width, 0),
                          binary(CellKind::Add, width, *minusA, *minusB, used), used);
        if (minusA || minusB)
            return binary(CellKind::Sub, width, minusA ? b : a, minusA ? *minusA : *minusB, used);
    }
    const bool same = a == b && !isUndefined(a);
    if (same && kind == CellKind::Add)
        return shifted(CellKind::Left, width, a, 1, used);
    if (same && (kind == CellKind::Sub || kind == CellKind::Xor))
        return constant(width, 0);
    if (same && (kind == CellKind::And || kind == CellKind::Or))
        return a;
    if (same && (kind == CellKind::Less || kind == CellKind::LessSigned || kind == CellKind::Equal))
        return constant(1, kind == CellKind::Equal ? 1 : 0);
    if (kind == CellKind::Add || kind == CellKind::Sub) {
        if (const auto sum = scaledSum(kind, width, a, b, used))
            return *sum;
    }
    Cell made{kind, width, {a, b}};
    made.used = used;
    made.most = mostOf(made, cell(a).most, cell(b).most, 0);
    return make(std::move(made));
}

std::optional<Tap> DatapathBuilder::scaledSum(CellKind kind, int width, Tap a, Tap b, Used used) {
    const auto scale = [&](Tap tap) {
        const bool left = cell(tap).kind == CellKind::Left && cell(tap).width == width;
        return left ? cell(tap).number : 0;
    };
    const std::int64_t common = std::min(scale(a), scale(b));
    if (common == 0)
        return std::nullopt;
    const auto without = [&](Tap tap) {
        const Cell& left = cell(tap);
        const Tap inner{left.operands[0].cell, left.operands[0].distance + tap.distance};
        return shifted(CellKind::Left, width, inner, left.number - common, used);
    };
    const Tap first = without(a);
    const Tap second = without(b);
    return shifted(CellKind::Left, width, binary(kind, width, first, second, used), common, used);
}

Tap DatapathBuilder::shifted(CellKind kind, int width, Tap a, std::int64_t by, Used used) {
    const Cell& in = cell(a);
    if (by == 0 && in.most <= mask(width))
        return a;
    Cell made{kind, width, {a}};
    made.used = used;
    made.number = by;
    // What was shifted left without loss comes back.
    const bool lossless =
        in.kind == CellKind::Left && (in.most >> in.number) == cell(in.operands[0]).most;
    if (kind == CellKind::Right && lossless) {
        const Tap inner{in.operands[0].cell, in.operands[0].distance + a.distance};
        const std::int64_t net = in.number - by;
        return net >= 0 ? shifted(CellKind::Left, width, inner, net, used)
                        : shifted(CellKind::Right, width, inner, -net, used);
    }
    const bool twice = in.kind == kind && (kind == CellKind::Left || in.width >= in.bits());
    if (twice && in.width == width && kind == CellKind::Left)
        return shifted(kind, width, {in.operands[0].cell, in.operands[0].distance + a.distance},
                       by + in.number, used);
    made.most = mostOf(made, in.most, 0, 0);
    if (made.most == 0)
        return constant(width, 0);
    return make(std::move(made));
}

Tap DatapathBuilder::extended(int width, Tap a, int bits, Used used) {
    if (isUndefined(a) || cell(a).most <= mask(bits - 1))
        return a;
    Cell made{CellKind::Extend, width, {a}};
    made.used = used;
    made.number = bits;
    made.most = mask(width);
    return make(std::move(made));
}

Tap DatapathBuilder::choose(int width, Tap condition, Tap yes, Tap no, Used used) {
    Cell made{CellKind::Choose, width, {condition, yes, no}};
    made.used = used;
    made.most = mostOf(made, 1, cell(yes).most, cell(no).most);
    return make(std::move(made));
}

Tap DatapathBuilder::lookedUp(int width, Tap index, const std::vector<std::int64_t>& words,
                              Used used) {
    Cell made{CellKind::Lookup, width, {index}};
    made.used = used;
    for (const std::int64_t word : words)
        made.table.push_back(static_cast<std::int64_t>(static_cast<Word>(word) & mask(width)));
    const auto [least, most] = std::ranges::minmax(made.table);
    if (least == most)
        return isUndefined(index) ? index : constant(width, most);
    made.most = static_cast<Word>(most);
    return make(std::move(made));
}

Tap DatapathBuilder::scaled(int width, Tap a, std::int64_t factor, Used used) {
    if (isUndefined(a))
        return a;
    std::optional<Tap> sum;
    const Word bits = static_cast<Word>(factor) & mask(width);
    // A factor whose upper half is ones is a small negative one.
    const std::int64_t wanted = signedValue(bits, width);
    const bool negative = wanted < 0 && -wanted <= static_cast<std::int64_t>(bits);
    Word rest = negative ? static_cast<Word>(-wanted) : bits;
    std::vector<std::pair<int, bool>> digits; // place, whether it is subtracted
    for (int place = 0; rest != 0; ++place, rest >>= 1) {
        if ((rest & 1) == 0)
            continue;
        const bool minus = (rest & 3) == 3 && rest != 3;
        digits.emplace_back(place, minus);
        rest = minus ? rest + 1 : rest - 1;
    }
    std::ranges::stable_sort(digits,
                             [](const auto& x, const auto& y) { return x.second < y.second; });
    for (const auto& [place, minus] : digits) {
        const Tap term = shifted(CellKind::Left, width, a, place, used);
        sum = !sum ? term : binary(minus ? CellKind::Sub : CellKind::Add, width, *sum, term, used);
    }
    const Tap product = sum.value_or(constant(width, 0));
    return negative ? binary(CellKind::Sub, width, constant(width, 0), product, used) : product;
}

Tap DatapathBuilder::sample(Tap a, Used used) {
    const Cell& source = cell(a);
    if (source.periodic || used.stride <= source.used.stride)
        return a;
    Cell made{CellKind::Sample, source.width, {a}};
    made.used = used;
    made.most = source.most;
    made.used.offset = modulo(used.offset - a.distance, used.stride);
    made.operands[0].distance = 0;
    return intern(std::move(made), a.distance);
}

Tap DatapathBuilder::feedback(int width) {
    Cell cell{CellKind::Feedback, width};
    cell.most = mask(width);
    cell.number = static_cast<std::int64_t>(cells_.size());
    return intern(std::move(cell), 0);
}

void DatapathBuilder::close(Tap feedback, Tap value) {
    // What only ever depends on itself never gets a value.
    const Tap end = resolve(value);
    closed_[feedback.cell] = end.cell == feedback.cell ? undefined() : value;
}

Tap DatapathBuilder::resolve(Tap tap) const {
    for (auto it = closed_.find(tap.cell); it != closed_.end(); it = closed_.find(tap.cell))
        tap = {it->second.cell, it->second.distance + tap.distance};
    return tap;
}

std::vector<Cell> DatapathBuilder::finish(std::vector<Tap>& outputs) && {
    std::vector<bool> needed(cells_.size(), false);
    std::vector<CellId> open;
    const auto need = [&](Tap& tap) {
        tap = resolve(tap);
        if (!needed[tap.cell.index()])
            open.push_back(tap.cell);
        needed[tap.cell.index()] = true;
    };
    for (Tap& tap : outputs)
        need(tap);
    while (!open.empty()) {
        Cell& cell = cells_[open.back().index()];
        ENGINE_ASSERT(cell.kind != CellKind::Feedback, "every feedback is closed");
        open.pop_back();
        for (Tap& tap : cell.operands)
            need(tap);
    }
    std::vector<CellId> places(cells_.size());
    std::vector<Cell> kept;
    for (std::size_t k = 0; k < cells_.size(); ++k) {
        if (!needed[k])
            continue;
        places[k] = CellId(kept.size());
        kept.push_back(std::move(cells_[k]));
    }
    for (Cell& cell : kept) {
        for (Tap& tap : cell.operands)
            tap.cell = places[tap.cell.index()];
    }
    for (Tap& tap : outputs)
        tap.cell = places[tap.cell.index()];
    return kept;
}

} // namespace marquetry::datapath
