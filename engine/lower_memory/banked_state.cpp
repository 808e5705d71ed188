// Residues and box numbers: counted in registers along with the loops, or decoded.
#include "engine/lower_memory/banked_address.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

using banking::Address;

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

std::int64_t floorMod(std::int64_t a, std::int64_t b) {
    return a - floorDiv(a, b) * b;
}

} // namespace

AddressLogic::Move AddressLogic::moveBy(const Address& distance) const {
    const banking::Scheme& scheme = memory_.scheme;
    Move move;
    for (std::size_t m = 0; m < scheme.maps.size(); ++m) {
        std::int64_t u = 0;
        for (std::size_t d = 0; d < distance.size(); ++d)
            u += scheme.maps[m].alpha[d] * floorMod(distance[d], modulus(m)) % modulus(m);
        move.residues.push_back(u % modulus(m));
    }
    for (std::size_t d = 0; d < distance.size(); ++d) {
        move.inBox.push_back(scheme.boxes[d] > 1 ? floorMod(distance[d], scheme.box[d]) : 0);
        if (scheme.boxes[d] > 1)
            move.chunk += floorDiv(distance[d], scheme.box[d]) * stride(d);
    }
    return move;
}

AddressLogic::State AddressLogic::moved(const State& state, const Move& move) {
    const banking::Scheme& scheme = memory_.scheme;
    State result;
    for (std::size_t m = 0; m < scheme.maps.size(); ++m)
        result.residues.push_back(
            logic_
                .addModulo(state.residues[m],
                           rtl::constant(move.residues[m], selectBits(modulus(m))), modulus(m))
                .value);
    result.chunk = logic_.add(state.chunk, rtl::constant(move.chunk, offsetBits()), offsetBits());
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        const auto sum = logic_.addModulo(
            state.inBox[d], rtl::constant(move.inBox[d], state.inBox[d].width()), scheme.box[d]);
        result.inBox.push_back(sum.value);
        if (scheme.boxes[d] > 1)
            result.chunk = logic_.add(
                result.chunk, logic_.times(sum.carry, stride(d), offsetBits()), offsetBits());
    }
    return result;
}

AddressLogic::State AddressLogic::emptyState() const {
    return constantState(Address(memory_.scheme.box.size()));
}

AddressLogic::State AddressLogic::constantState(const Address& x) const {
    const Move move = moveBy(x);
    State state;
    for (std::size_t m = 0; m < memory_.scheme.maps.size(); ++m)
        state.residues.push_back(rtl::constant(move.residues[m], selectBits(modulus(m))));
    for (std::size_t d = 0; d < x.size(); ++d)
        state.inBox.push_back(rtl::constant(
            move.inBox[d], memory_.scheme.boxes[d] > 1 ? selectBits(memory_.scheme.box[d]) : 0));
    state.chunk = rtl::constant(move.chunk, offsetBits());
    return state;
}

// --- counted

AddressLogic::State AddressLogic::registersFor(const std::string& name) {
    State now = emptyState();
    const auto declare = [&](Expr& word, const std::string& ending) {
        word = logic_.module().reg(name + ending, rtl::bits(word.size()));
    };
    for (std::size_t m = 0; m < now.residues.size(); ++m)
        declare(now.residues[m], cat("_u", m));
    for (std::size_t d = 0; d < now.inBox.size(); ++d)
        declare(now.inBox[d], cat("_x", d));
    declare(now.chunk, "_box");
    return now;
}

const AddressLogic::State& AddressLogic::counted(const BankedLane& lane) {
    const auto [entry, isNew] = sets_.try_emplace({lane.hardware.group, source(lane).matrix});
    auto& [state, first] = entry->second;
    if (!isNew)
        return state;
    first = lane.hardware.lane;
    state = registersFor(cat("g", lane.hardware.group, "_", lane.name));
    const State next = stepped(state, lane);
    writeRegisters(state, constantState(source(lane).offset), next, nestOf(lane));
    return state;
}

void AddressLogic::writeRegisters(const State& now, const State& start, const State& next,
                                  std::size_t nest) {
    const auto setAll = [&](rtl::Block& block, const State& to) {
        for (std::size_t m = 0; m < now.residues.size(); ++m)
            block.set(now.residues[m], to.residues[m]);
        for (std::size_t d = 0; d < now.inBox.size(); ++d)
            block.set(now.inBox[d], to.inBox[d]);
        block.set(now.chunk, to.chunk);
    };
    const auto none = [](const Expr& word) { return word.width() == 0; };
    if (std::ranges::all_of(now.residues, none) && std::ranges::all_of(now.inBox, none) &&
        none(now.chunk))
        return;
    logic_.module().clocked(ports_.clock, [&](rtl::Block& block) {
        block.when(~ports_.reset, [&](rtl::Block& then) { setAll(then, start); });
        block.orWhen(ports_.steps[nest], [&](rtl::Block& then) { setAll(then, next); });
    });
}

Expr AddressLogic::chosen(const std::vector<Level>& levels, const std::vector<Expr>& values,
                          int width) {
    std::vector<std::pair<Expr, Expr>> distinct; // value, when
    for (std::size_t k = 0; k < levels.size(); ++k) {
        if (values[k].constant() == 0)
            continue;
        const auto known = std::ranges::find_if(
            distinct, [&](const auto& entry) { return entry.first.same(values[k]); });
        if (known == distinct.end())
            distinct.emplace_back(values[k], levels[k].when);
        else
            known->second = known->second | levels[k].when;
    }
    Expr result = rtl::constant(0, width);
    for (const auto& [value, when] : distinct)
        result = result | (when.repeated(width) & value);
    return logic_.named(result);
}

std::vector<AddressLogic::Level> AddressLogic::levelsOf(const BankedLane& lane) const {
    const std::size_t nest = nestOf(lane);
    const std::vector<std::size_t> loops = loopsOf(nest);
    std::vector<Level> levels;
    Address back(memory_.scheme.box.size());
    for (std::size_t k = loops.size() + 1; k-- > 0;) {
        Address distance = back;
        Expr when = wraps_[nest];
        if (k > 0) {
            const std::size_t g = loops[k - 1];
            const Counter& counter = counters_.at({nest, g});
            when = counter.moves & ~counter.last;
            for (std::size_t d = 0; d < distance.size(); ++d) {
                distance[d] += source(lane).matrix[d][g];
                back[d] -= source(lane).matrix[d][g] *
                           (memory_.pattern.nests[nest].generators[g].trips - 1);
            }
        }
        levels.push_back({when, moveBy(distance)});
    }
    return levels;
}

Logic::Reduced AddressLogic::steppedModulo(const Expr& from, const std::vector<Level>& levels,
                                           const std::vector<std::int64_t>& amounts,
                                           std::int64_t modulus) {
    const int width = from.width();
    std::vector<Expr> values;
    std::vector<Expr> carries;
    for (const std::int64_t amount : amounts)
        values.push_back(rtl::constant(amount, width));
    if (width == 0 || width > 6)
        return logic_.addModulo(from, chosen(levels, values, width), modulus);
    for (Expr& value : values) {
        const auto sum = logic_.addModulo(from, value, modulus);
        value = sum.value;
        carries.push_back(sum.carry);
    }
    return {chosen(levels, values, width), chosen(levels, carries, 1)};
}

/// The state after a step: one addition of a constant per part, chosen by the loop that moves.
AddressLogic::State AddressLogic::stepped(const State& now, const BankedLane& lane) {
    const banking::Scheme& scheme = memory_.scheme;
    const std::vector<Level> levels = levelsOf(lane);
    const auto amounts = [&](auto amountOf) {
        std::vector<std::int64_t> all;
        for (const Level& level : levels)
            all.push_back(amountOf(level.move));
        return all;
    };
    State next;
    for (std::size_t m = 0; m < scheme.maps.size(); ++m) {
        const auto all = amounts([m](const Move& move) { return move.residues[m]; });
        next.residues.push_back(steppedModulo(now.residues[m], levels, all, modulus(m)).value);
    }
    std::vector<Expr> chunks;
    for (const Level& level : levels)
        chunks.push_back(rtl::constant(level.move.chunk, offsetBits()));
    next.chunk = logic_.add(now.chunk, chosen(levels, chunks, offsetBits()), offsetBits());
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        const auto all = amounts([d](const Move& move) { return move.inBox[d]; });
        const auto sum = steppedModulo(now.inBox[d], levels, all, scheme.box[d]);
        next.inBox.push_back(sum.value);
        if (scheme.boxes[d] > 1)
            next.chunk = logic_.add(next.chunk, logic_.times(sum.carry, stride(d), offsetBits()),
                                    offsetBits());
    }
    return next;
}

// --- decoded

AddressLogic::State AddressLogic::decoded(const BankedLane& lane) {
    const banking::Scheme& scheme = memory_.scheme;
    State sum = emptyState();
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        const std::int64_t extent = memory_.pattern.dims[d];
        if (extent == 1)
            continue;
        const Expr& x = ports_.lanes.at(lane.name).at[d];
        for (std::size_t m = 0; m < scheme.maps.size(); ++m)
            sum.residues[m] = decodedResidue(sum.residues[m], x, m, d);
        if (scheme.boxes[d] > 1) {
            const auto box = logic_.divide(x, scheme.box[d], extent);
            sum.chunk = logic_.add(sum.chunk, logic_.times(box.quotient, stride(d), offsetBits()),
                                   offsetBits());
        }
    }
    return sum;
}

/// A sum modulo N·B, and alpha · x to it: six bits of x at a time.
Expr AddressLogic::decodedResidue(Expr sum, const Expr& x, std::size_t map, std::size_t dim) {
    const std::int64_t alpha = memory_.scheme.maps[map].alpha[dim] % modulus(map);
    const int width = selectBits(modulus(map));
    if (alpha == 0)
        return sum;
    if ((modulus(map) & (modulus(map) - 1)) == 0)
        return logic_.add(sum, logic_.times(x, alpha, width), width);
    for (int low = 0; low < x.width(); low += 6) {
        const int count = std::min(6, x.width() - low);
        const Expr piece = logic_.bitsOf(x, low, count);
        std::vector<std::int64_t> rows;
        for (std::int64_t v = 0; v < std::int64_t{1} << count; ++v)
            rows.push_back((v << low) % modulus(map) * alpha % modulus(map));
        sum = logic_.addModulo(sum, logic_.table(piece, rows, width), modulus(map)).value;
    }
    return sum;
}

} // namespace marquetry::hdl
