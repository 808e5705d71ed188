#include "engine/lower_design/slot_wiring.h"

#include "engine/cost/buffer_cost.h"
#include "engine/lower_design/ring_address.h"

#include <algorithm>

namespace marquetry::hdl {

namespace {

bool contains(const std::vector<std::size_t>& list, std::size_t item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

} // namespace

void SlotWiring::write(std::size_t s) {
    const SlotPlan& p = plan_.slots[s];
    m_.blank();
    describe(s);
    const Expr we = m_.wire(p.name + "_we", writeEnables(s));
    Alternatives address;
    Alternatives data;
    const std::vector<const StreamPlan*> loads = plan_.loaders();
    for (std::size_t k = 0; k < loads.size(); ++k) {
        if (loads[k]->slot != s)
            continue;
        address.emplace_back(wires_.loads[k].we, wires_.loads[k].waddr);
        data.emplace_back(wires_.loads[k].we, wires_.loads[k].wdata);
    }
    for (const MoveWires& move : wires_.moves) {
        if (move.to != design::SlotId(s))
            continue;
        const Expr writes = rtl::anyOf(move.we);
        address.emplace_back(writes, move.waddr.resized(p.addressBits));
        data.emplace_back(writes, move.wdata);
    }
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
        if (!contains(plan_.units[u].outSlots, s))
            continue;
        const Expr writes = control_.writes(u, s);
        const Expr at = control_.of(u, "out_address");
        address.emplace_back(writes, at.slice(plan_.units[u].groupBits, p.addressBits));
        data.emplace_back(writes, resultWord(u, s));
    }
    const int width = storedLanes(s) * schedule_.slots[s].elementBits;
    const Expr to = firstOf(address, rtl::constant(0, p.addressBits));
    const Expr waddr = m_.wire(p.name + "_waddr", ringAddress(m_, p.name + "_to", to, p.wraps));
    const Expr wdata = m_.wire(p.name + "_wdata", firstOf(data, rtl::zeros(width)));
    if (p.turns > 1)
        return turns(s, {m_.wire(p.name + "_raddr", readAddress(s)), we, waddr, wdata});
    const Expr from = ringAddress(m_, p.name + "_from", readAddress(s), p.wraps);
    const Expr raddr = m_.wire(p.name + "_raddr", from);
    instance(s, p.name, {raddr, we, waddr, wdata}, wires_.words[s]);
    operands(s);
}

/// What was read, before a unit chooses among slots.
void SlotWiring::operands(std::size_t s) {
    const std::vector<Expr>& operands = wires_.operands[s];
    if (operands.empty())
        return;
    const int width = operands.front().width();
    m_.clocked(wires_.clock, [&](rtl::Block& b) {
        for (std::size_t k = 0; k < operands.size(); ++k)
            b.set(operands[k], wires_.words[s].slice(static_cast<std::int64_t>(k) * width, width));
    });
}

void SlotWiring::describe(std::size_t s) {
    const SlotPlan& p = plan_.slots[s];
    const design::Slot& form = schedule_.slots[s];
    m_.note(cat("Slot \"", form.name, "\": ", form.depth, " words of ", p.storedLanes,
                " elements of ", form.elementBits, " bits; ", p.banks, " banks of ",
                form.writeLanes, " neighbouring lanes, ", p.memoriesPerBank, " memories of ",
                p.memoryBits, " bits each."));
    for (const design::StoredTensor& tensor : schedule_.tensors)
        if (tensor.slot.index() == s)
            m_.note(cat("Holds ", tensor.name, ": words ", tensor.base, " to ",
                        tensor.base + schedule_.storedWords(tensor.id) - 1,
                        plan_.frames > 1 ? cat(", ", plan_.frames, " frames.") : "."));
}

void SlotWiring::instance(std::size_t s, const std::string& name, const Request& request,
                          const Expr& words) {
    const SlotPlan& p = plan_.slots[s];
    const std::int64_t rest = p.bankBits % p.memoryBits;
    rtl::Module::Arguments sizes = {{"BANKS", p.turnBanks},
                                    {"MEMORIES", p.bankBits / p.memoryBits},
                                    {"WIDTH", p.memoryBits},
                                    {"DEPTH", schedule_.slots[s].bankDepth()},
                                    {"ADDRESS", request.raddr.width()}};
    if (rest > 0)
        sizes.emplace_back("REST", rest);
    m_.instance(library_.buffer(p.lutRam, rest > 0), name,
                {{"aclk", wires_.clock},
                 {"re", wires_.reads[s]},
                 {"raddr", request.raddr},
                 {"q", words},
                 {"we", request.we},
                 {"waddr", request.waddr},
                 {"wdata", request.wdata}},
                sizes);
}

/// Rounds of a turn behind that of the first word. Turns before the first one's hold words of the
/// next round; rows of a window lie in turns one behind the other, and in later rounds. A bit of
/// it is looked up by the first turn, which is faster than to subtract and compare.
Expr SlotWiring::roundsAt(const SlotPlan& p, const Expr& first, std::int64_t turn, int bits,
                          std::int64_t less) {
    std::vector<std::int64_t> bitsOf(static_cast<std::size_t>(bits)); // by first turn
    for (std::int64_t f = 0; f < p.turns; ++f) {
        std::int64_t rounds = f > turn ? 1 : 0;
        if (p.window)
            rounds += std::min((turn - f + p.turns) % p.turns / p.window->run, p.window->rows - 1) *
                      p.rounds;
        rounds -= less;
        for (int k = 0; k < bits; ++k)
            bitsOf[static_cast<std::size_t>(k)] |= (rounds >> k & 1) << f;
    }
    std::vector<Expr> word; // the last bit first
    for (int k = bits; k-- > 0;) {
        const std::int64_t ofFirst = bitsOf[static_cast<std::size_t>(k)];
        const Expr table = rtl::constant(ofFirst, static_cast<int>(p.turns));
        word.push_back(
            ofFirst == 0
                ? rtl::constant(0, 1)
                : m_.wire(cat(p.name, "_turn_", turn, less > 0 ? "_again_" : "_rounds_", k), table)
                      .at(first));
    }
    return rtl::join(word);
}

/// Where a ring wraps, the place and that of the ring before are summed up at once.
Expr SlotWiring::turnAddress(const SlotPlan& p, std::int64_t turn, const Expr& first,
                             const Expr& round) {
    const int bits = round.width();
    if (p.wraps == 0)
        return round + roundsAt(p, first, turn, bits, 0);
    // Of a bit more than a place: a word of the ring is behind its end or lies below zero here.
    const std::int64_t places = p.wraps / p.turns;
    const Expr again = m_.wire(cat(p.name, "_turn_", turn, "_again"),
                               round + roundsAt(p, first, turn, bits, places));
    const int kept = bits - 1;
    return choose(again.bit(kept), round.slice(0, kept) + roundsAt(p, first, turn, kept, 0),
                  again.slice(0, kept));
}

/// Words at neighbouring addresses lie in neighbouring turns. What was read is turned until the
/// first word comes first.
void SlotWiring::turns(std::size_t s, const Request& request) {
    const SlotPlan& p = plan_.slots[s];
    const int low = bitsFor(p.turns);
    const int high = p.addressBits - low;
    const int bankHigh = p.wordBits - low;
    const Expr first = m_.wire(p.name + "_first", request.raddr.slice(0, low));
    const Expr round = m_.wire(p.name + "_round", request.raddr.slice(low, high));
    const int width = storedLanes(s) * schedule_.slots[s].elementBits;
    std::vector<Expr> words; // the last turn first
    for (std::int64_t t = p.turns; t-- > 0;) {
        const std::string name = cat(p.name, "_turn_", t);
        const Expr enable = m_.wire(name + "_writes", request.waddr.slice(0, low) == t);
        words.push_back(m_.wire(name + "_q", rtl::bits(width)));
        instance(s, name,
                 {m_.wire(name + "_raddr", turnAddress(p, t, first, round)),
                  m_.wire(name + "_we", request.we & enable.repeated(p.turnBanks)),
                  request.waddr.slice(low, bankHigh), request.wdata},
                 words.back());
    }
    const Expr turn = m_.reg(p.name + "_turn", rtl::bits(low));
    m_.clocked(wires_.clock, [&](rtl::Block& b) {
        b.when(wires_.reads[s], [&](rtl::Block& then) { then.set(turn, first); });
    });
    const Expr read = m_.wire(p.name + "_turned", rtl::join(words));
    if (cost::lateHalvings(p.turns) > 0)
        return turnsLate(s, turn, read);
    m_.assign(wires_.words[s],
              turnedBy(p.name + "_turned", turn, read, 0, low).slice(0, wires_.words[s].width()));
    operands(s);
}

/// Turned by those bits of `turn`.
Expr SlotWiring::turnedBy(const std::string& name, const Expr& turn, Expr words, int begin,
                          int end) {
    const int width = words.width() >> turn.width();
    for (int k = begin; k < end; ++k) {
        const int by = width << k;
        const Expr rotated = rtl::join({words.slice(0, by), words.slice(by, words.width() - by)});
        words = m_.wire(cat(name, "_", k), choose(turn.bit(k), rotated, words));
    }
    return words;
}

/// Many turns: the words for units are turned half in the clock after the one in which they were
/// read. All else takes the first word alone.
void SlotWiring::turnsLate(std::size_t s, const Expr& turn, const Expr& words) {
    const SlotPlan& p = plan_.slots[s];
    const int low = turn.width();
    Expr first = words;
    for (int k = low; k-- > 0;) {
        const int half = first.width() / 2;
        first = m_.wire(cat(p.name, "_first_", k),
                        choose(turn.bit(k), first.slice(half, half), first.slice(0, half)));
    }
    m_.assign(wires_.words[s], first);
    if (wires_.operands[s].empty())
        return;
    const int early = cost::earlyHalvings(p.turns);
    const Expr lateTurn = m_.reg(p.name + "_late_turn", turn.type());
    const Expr read = m_.reg(p.name + "_late", words.type());
    const Expr turnedEarly = turnedBy(p.name + "_turned", turn, words, 0, early);
    m_.clocked(wires_.clock, [&](rtl::Block& b) {
        b.set(lateTurn, turn);
        b.set(read, turnedEarly);
    });
    const Expr turned = turnedBy(p.name + "_late", lateTurn, read, early, low);
    const int width = wires_.operands[s].front().width();
    for (std::size_t k = 0; k < wires_.operands[s].size(); ++k)
        m_.assign(wires_.operands[s][k], turned.slice(static_cast<std::int64_t>(k) * width, width));
}

Expr SlotWiring::readAddress(std::size_t s) const {
    const int width = plan_.slots[s].addressBits;
    const SlotPlan& p = plan_.slots[s];
    Alternatives address;
    const std::vector<const StreamPlan*> stores = plan_.storers();
    for (std::size_t k = 0; k < stores.size(); ++k)
        if (stores[k]->slot == s)
            address.emplace_back(wires_.stores[k].active, wires_.stores[k].raddr);
    for (const MoveWires& move : wires_.moves)
        if (move.from == design::SlotId(s))
            address.emplace_back(move.active, move.raddr.resized(width));
    for (const SecondRead& read : wires_.seconds)
        if (read.slot == design::SlotId(s))
            address.emplace_back(read.active, read.raddr.resized(width));
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
        const auto& addends = plan_.units[u].addends;
        if (std::ranges::any_of(addends, [&](const auto& source) { return source.slot == s; }))
            address.emplace_back(addsFrom(u, s), wires_.units[u].addendReadAddress.slice(0, width));
    }
    for (const std::size_t k : p.followerReads)
        address.emplace_back(control_.follower(k, "active") &
                                 UnitControl::isSlot(control_.follower(k, "in_slot"), s),
                             control_.follower(k, "in_address").slice(0, width));
    if (p.computeReads)
        address.emplace_back(rtl::constant(1, 1), control_.leader("in_address").slice(0, width));
    return firstOf(address, rtl::constant(0, width));
}

/// The unit adds what this slot holds. Where nobody else reads, nobody asks.
Expr SlotWiring::addsFrom(std::size_t u, std::size_t s) const {
    const UnitPlan& unit = plan_.units[u];
    if (!plan_.choosesAddend)
        return rtl::constant(1, 1);
    Expr adds = rtl::constant(0, 1);
    if (unit.leads)
        adds = (plan_.ordered() ? control_.leader("computes") : rtl::constant(1, 1)) &
               control_.leader("adding") & UnitControl::isSlot(control_.leader("add_slot"), s) &
               control_.isUnit(u, {});
    if (const auto k = unit.follower)
        adds = adds |
               (control_.follower(*k, "active") & control_.follower(*k, "adding") &
                UnitControl::isSlot(control_.follower(*k, "add_slot"), s) & control_.isUnit(u, k));
    return adds;
}

Expr SlotWiring::unitWrites(std::size_t u, std::size_t s, std::int64_t group) const {
    const UnitPlan& unit = plan_.units[u];
    Expr writes = wires_.units[u].valid & UnitControl::isSlot(control_.of(u, "out_slot"), s);
    if (plan_.trims)
        writes = writes & ~control_.of(u, "out_beyond");
    if (unit.groupBits == 0)
        return writes;
    const Expr at = control_.of(u, "out_address").slice(0, unit.groupBits);
    return writes & (at == group * schedule_.slots[s].writeLanes / unit.writeLanes);
}

/// A bit for each bank.
Expr SlotWiring::writeEnables(std::size_t s) {
    const std::vector<const StreamPlan*> loads = plan_.loaders();
    std::vector<Expr> banks; // highest first
    for (std::int64_t g = plan_.slots[s].turnBanks; g-- > 0;) {
        std::vector<Expr> writers;
        for (std::size_t k = 0; k < loads.size(); ++k)
            if (loads[k]->slot == s)
                writers.push_back(wires_.loads[k].we);
        for (const MoveWires& move : wires_.moves)
            if (move.to == design::SlotId(s))
                writers.push_back(move.we.bit(g));
        for (std::size_t u = 0; u < plan_.units.size(); ++u)
            if (contains(plan_.units[u].outSlots, s))
                writers.push_back(unitWrites(u, s, g));
        banks.push_back(eitherOf(writers));
    }
    return rtl::join(banks);
}

/// A unit's results as a word of the slot: repeated in every run of `writeLanes` lanes; those past
/// the slot's lanes are left out.
Expr SlotWiring::resultWord(std::size_t u, std::size_t s) {
    const UnitPlan& unit = plan_.units[u];
    const int bits = schedule_.slots[s].elementBits;
    const int kept = std::min(static_cast<int>(unit.writeLanes), storedLanes(s));
    const Elements run{wires_.units[u].result, kept, unit.resultBits, bits, false, bits};
    return elements(m_, cat(unit.name, "_to_", plan_.slots[s].name), run)
        .repeated(storedLanes(s) / kept);
}

} // namespace marquetry::hdl
