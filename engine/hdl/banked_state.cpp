// Residues and box numbers: counted in registers along with the loops, or decoded.
#include "engine/hdl/banked_address.h"

namespace marquetry::hdl {

namespace {

using banking::Address;

std::int64_t floorDiv(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

std::int64_t floorMod(std::int64_t a, std::int64_t b) {
    return a - floorDiv(a, b) * b;
}

std::string masked(const std::string& condition, const Signal& value) {
    return value.width == 1 ? cat("(", condition, " & ", value.text, ")")
                            : cat("({", value.width, "{", condition, "}} & ", value.text, ")");
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
                           Logic::constant(move.residues[m], selectBits(modulus(m))), modulus(m))
                .value);
    result.chunk = logic_.add(state.chunk, Logic::constant(move.chunk, offsetBits()), offsetBits());
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        const auto sum = logic_.addModulo(
            state.inBox[d], Logic::constant(move.inBox[d], state.inBox[d].width), scheme.box[d]);
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
        state.residues.push_back(Logic::constant(move.residues[m], selectBits(modulus(m))));
    for (std::size_t d = 0; d < x.size(); ++d)
        state.inBox.push_back(Logic::constant(
            move.inBox[d], memory_.scheme.boxes[d] > 1 ? selectBits(memory_.scheme.box[d]) : 0));
    state.chunk = Logic::constant(move.chunk, offsetBits());
    return state;
}

// --- counted

AddressLogic::State AddressLogic::registersFor(const std::string& name) const {
    State now = emptyState();
    const auto named = [](Signal& signal, const std::string& text) {
        if (signal.width > 0)
            signal = {text, signal.width, -1};
    };
    for (std::size_t m = 0; m < now.residues.size(); ++m)
        named(now.residues[m], cat(name, "_u", m));
    for (std::size_t d = 0; d < now.inBox.size(); ++d)
        named(now.inBox[d], cat(name, "_x", d));
    named(now.chunk, name + "_box");
    return now;
}

const AddressLogic::State& AddressLogic::counted(const BankedLane& lane) {
    const auto [entry, isNew] = sets_.try_emplace({lane.hardware.group, source(lane).matrix});
    auto& [state, first] = entry->second;
    if (!isNew)
        return state;
    first = lane.hardware.lane;
    state = registersFor(cat("g", lane.hardware.group, "_", lane.name));
    const auto declare = [&](const Signal& signal) {
        if (signal.width > 0)
            logic_.body().line("reg  ", range(signal.width), signal.text, ";");
    };
    for (const Signal& signal : state.residues)
        declare(signal);
    for (const Signal& signal : state.inBox)
        declare(signal);
    declare(state.chunk);
    const State next = stepped(state, lane);
    writeRegisters(state, constantState(source(lane).offset), next, nestOf(lane));
    return state;
}

void AddressLogic::writeRegisters(const State& now, const State& start, const State& next,
                                  std::size_t nest) {
    std::string resets;
    std::string steps;
    const auto assign = [&](const Signal& to, const Signal& reset, const Signal& step) {
        if (to.width == 0)
            return;
        resets += cat("            ", to.text, " <= ", reset.text, ";\n");
        steps += cat("            ", to.text, " <= ", step.text, ";\n");
    };
    for (std::size_t m = 0; m < now.residues.size(); ++m)
        assign(now.residues[m], start.residues[m], next.residues[m]);
    for (std::size_t d = 0; d < now.inBox.size(); ++d)
        assign(now.inBox[d], start.inBox[d], next.inBox[d]);
    assign(now.chunk, start.chunk, next.chunk);
    if (steps.empty())
        return;
    logic_.body()
        .line("always @(posedge aclk)")
        .line("    if (!aresetn) begin\n", resets, "        end")
        .line("    else if (step", nest, ") begin\n", steps, "        end");
}

/// One of the values: that of the level that is high.
Signal AddressLogic::chosen(const std::vector<std::pair<std::string, Signal>>& byLevel, int width) {
    if (width == 0)
        return Logic::constant(0, 0);
    std::map<std::string, std::string> levelsOf; // value → levels at which it is chosen
    std::vector<Signal> values;
    for (const auto& [level, value] : byLevel) {
        if (value.constant() && value.value == 0)
            continue;
        std::string& levels = levelsOf[value.text];
        if (levels.empty())
            values.push_back(value);
        levels += (levels.empty() ? "" : " | ") + level;
    }
    std::string expression;
    for (const Signal& value : values)
        expression +=
            (expression.empty() ? "" : " | ") + masked("(" + levelsOf.at(value.text) + ")", value);
    if (expression.empty())
        return Logic::constant(0, width);
    return logic_.wire(width, expression);
}

/// The state after a step: one addition of a constant per part, chosen by the loop that moves.
AddressLogic::State AddressLogic::stepped(const State& now, const BankedLane& lane) {
    const banking::Scheme& scheme = memory_.scheme;
    const std::size_t nest = nestOf(lane);
    const std::vector<std::size_t> loops = loopsOf(nest);
    // Level k: loop k moves on, those inside it start again; the last level: all start again.
    std::vector<std::pair<std::string, Move>> levels;
    Address back(scheme.box.size());
    for (std::size_t k = loops.size() + 1; k-- > 0;) {
        Address distance = back;
        std::string name = cat("n", nest, "_wraps");
        if (k > 0) {
            const std::size_t g = loops[k - 1];
            const std::string counter = counterName(nest, g);
            name = cat("(", counter, "_moves & ~", counter, "_last)");
            for (std::size_t d = 0; d < distance.size(); ++d) {
                distance[d] += source(lane).matrix[d][g];
                back[d] -= source(lane).matrix[d][g] *
                           (memory_.pattern.nests[nest].generators[g].trips - 1);
            }
        }
        levels.emplace_back(name, moveBy(distance));
    }
    const auto choose = [&](auto amount, int width) {
        std::vector<std::pair<std::string, Signal>> values;
        for (const auto& [name, move] : levels)
            values.emplace_back(name, Logic::constant(amount(move), width));
        return chosen(values, width);
    };
    const auto step = [&](const Signal& from, auto amount, std::int64_t of) {
        const int width = from.width;
        if (width == 0 || width > 6)
            return logic_.addModulo(from, choose(amount, width), of);
        std::vector<std::pair<std::string, Signal>> values;
        std::vector<std::pair<std::string, Signal>> carries;
        for (const auto& [name, move] : levels) {
            const auto sum = logic_.addModulo(from, Logic::constant(amount(move), width), of);
            values.emplace_back(name, sum.value);
            carries.emplace_back(name, sum.carry);
        }
        return Logic::Reduced{chosen(values, width), chosen(carries, 1)};
    };
    State next;
    for (std::size_t m = 0; m < scheme.maps.size(); ++m)
        next.residues.push_back(
            step(
                now.residues[m], [m](const Move& move) { return move.residues[m]; }, modulus(m))
                .value);
    next.chunk = logic_.add(
        now.chunk, choose([](const Move& move) { return move.chunk; }, offsetBits()), offsetBits());
    for (std::size_t d = 0; d < scheme.box.size(); ++d) {
        const auto sum = step(
            now.inBox[d], [d](const Move& move) { return move.inBox[d]; }, scheme.box[d]);
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
        const Signal x{cat(lane.name, "_x", d), selectBits(extent), -1};
        for (std::size_t m = 0; m < scheme.maps.size(); ++m) {
            const std::int64_t alpha = scheme.maps[m].alpha[d] % modulus(m);
            if (alpha == 0)
                continue;
            const int width = selectBits(modulus(m));
            if ((modulus(m) & (modulus(m) - 1)) == 0) {
                sum.residues[m] = logic_.add(sum.residues[m], logic_.times(x, alpha, width), width);
                continue;
            }
            for (int low = 0; low < x.width; low += 6) {
                const int bits = std::min(6, x.width - low);
                const Signal piece = logic_.wire(bits, slice(x.text, x.width, low + bits - 1, low));
                std::vector<std::int64_t> rows;
                for (std::int64_t v = 0; v < std::int64_t{1} << bits; ++v)
                    rows.push_back((v << low) % modulus(m) * alpha % modulus(m));
                sum.residues[m] =
                    logic_.addModulo(sum.residues[m], logic_.table(piece, rows, width), modulus(m))
                        .value;
            }
        }
        if (scheme.boxes[d] > 1) {
            const auto box = logic_.divide(x, scheme.box[d], extent);
            sum.chunk = logic_.add(sum.chunk, logic_.times(box.quotient, stride(d), offsetBits()),
                                   offsetBits());
        }
    }
    return sum;
}

} // namespace marquetry::hdl
