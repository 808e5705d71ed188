#include "engine/spacetime/loop_length.h"

#include "engine/spacetime/area.h"
#include "engine/spacetime/delay.h"
#include "engine/spacetime/scan_node.h"
#include "engine/spacetime/table_rom.h"
#include "engine/spacetime/typing.h"
#include "engine/support/assert.h"

#include <algorithm>
#include <map>
#include <optional>

namespace marquetry::spacetime {

using ir::StreamOp;

namespace {

/// When a word is there, counted from the state.
struct Arrival {
    std::int64_t clocks = 0;    ///< registers before it
    double ps = kRegisterDelay; ///< behind the last one
    bool isSum = false;         ///< made by one in this clock
    double all = 0;             ///< ps of all operators on the longest way
};

/// Nothing: it does not depend on the state.
using MaybeArrival = std::optional<Arrival>;

bool isLater(const Arrival& a, const Arrival& b) {
    return std::pair(a.clocks, a.ps) > std::pair(b.clocks, b.ps);
}

MaybeArrival latest(const std::vector<MaybeArrival>& operands) {
    MaybeArrival last;
    double all = 0;
    for (const MaybeArrival& each : operands) {
        if (!each)
            continue;
        all = std::max(all, each->all);
        if (!last || isLater(*each, *last))
            last = each;
    }
    if (last)
        last->all = all;
    return last;
}

class LoopPath {
public:
    explicit LoopPath(double limit) : limit_(limit) {}

    MaybeArrival through(const Graph& graph, const std::vector<MaybeArrival>& inputs) const {
        const auto types = check(graph);
        ENGINE_ASSERT(types.has_value(), "only well-typed functions have a length");
        const auto constants = constantsOf(graph, *types, {}, 1);
        std::vector<MaybeArrival> arrivals;
        std::size_t nextInput = 0;
        for (const Node& node : graph.nodes) {
            if (node.op == Op::Input) {
                arrivals.push_back(inputs[nextInput++]);
                continue;
            }
            Operands in;
            for (const NodeId operand : node.operands) {
                in.arrivals.push_back(arrivals[operand.index()]);
                in.types.push_back((*types)[operand.index()]);
                in.known.push_back(constants[operand.index()]);
            }
            const MaybeArrival last = latest(in.arrivals);
            arrivals.push_back(last ? behind(node, in, *last) : std::nullopt);
        }
        return arrivals[graph.output.index()];
    }

private:
    struct Operands {
        std::vector<MaybeArrival> arrivals;
        std::vector<SeqType> types;
        std::vector<MaybeConstants> known;
    };

    /// Behind a register where it is too late otherwise.
    Arrival after(Arrival before, double ps, bool isSum = false) const {
        before.all += ps;
        const bool isTooLate = before.ps + ps > limit_;
        before.clocks += isTooLate ? 1 : 0;
        before.ps = (isTooLate ? kRegisterDelay : before.ps) + ps;
        before.isSum = isSum;
        return before;
    }

    static Arrival later(Arrival before, std::int64_t clocks, double ps) {
        if (clocks == 0)
            return before;
        return {before.clocks + clocks, ps, false, before.all};
    }

    Arrival sum(const Arrival& before, int bits) const {
        const Arrival beside = after(before, kOneMoreSum, true);
        return before.isSum && beside.clocks == before.clocks
                   ? beside
                   : after(before, carryDelay(bits), true);
    }

    MaybeArrival behind(const Node& node, const Operands& in, const Arrival& last) const {
        if (node.op == Op::Atom)
            return atom(node, in, last);
        if (node.op == Op::UpT)
            return after(last, kLutDelay);
        MaybeArrival result = last;
        if (node.function) {
            const bool inTree = node.op == Op::ReduceS;
            const bool maps = info(node.op).functionArity == info(node.op).operands;
            const std::int64_t times = inTree            ? treeLevels(node.params[0])
                                       : isScan(node.op) ? lanesOfScan(node)
                                                         : 1;
            for (std::int64_t k = 0; k < times && result; ++k)
                result = through(*node.function,
                                 maps ? in.arrivals : std::vector<MaybeArrival>(2, result));
        }
        const bool isMap = node.op == Op::MapS || node.op == Op::MapT || node.op == Op::Map2S ||
                           node.op == Op::Map2T;
        const auto own = isMap || isScan(node.op) || node.op == Op::ReduceS
                             ? Result<std::int64_t>(0)
                             : ownDelay(node, in.types, in.known, DelayModel::Ours);
        return result ? later(*result, own.value_or(0), kRegisterDelay) : result;
    }

    Arrival atom(const Node& node, const Operands& in, const Arrival& last) const {
        if (node.table)
            return tableRom(*node.table).isBlock()
                       ? later(after(last, kMemorySetup), 1, kMemoryDelay)
                       : after(last, tableDelay(std::ssize(node.table->words)));
        const int bits = ir::atomBits(in.types[0].atom);
        switch (node.atom) {
        case StreamOp::Add:
        case StreamOp::Sub:
            return sum(last, bits);
        case StreamOp::Abs:
            return after(sum(last, bits), kLutDelay);
        case StreamOp::Min:
        case StreamOp::Max:
            return after(after(last, carryDelay(bits) + kLutDelay), kLutDelay);
        case StreamOp::Lt:
            return after(last, carryDelay(bits) + kLutDelay);
        case StreamOp::Eq:
            return after(last, kEqualDelay);
        case StreamOp::And:
        case StreamOp::Or:
        case StreamOp::Xor:
        case StreamOp::Not:
        case StreamOp::If:
            return after(last, kLutDelay);
        case StreamOp::Lsr:
        case StreamOp::Lsl:
            return in.known[1] ? last : after(last, kShifterDelay);
        case StreamOp::Asr: // what is negative is turned over before and behind
            return in.known[1] ? last
                               : after(after(after(last, kLutDelay), kShifterDelay), kLutDelay);
        case StreamOp::Mul:
        case StreamOp::Div:
            return product(node, in, last, bits);
        default: // wires
            return last;
        }
    }

    Arrival product(const Node& node, const Operands& in, const Arrival& last, int bits) const {
        const std::size_t first = node.atom == StreamOp::Mul ? 0 : 1;
        for (std::size_t k = first; k < in.known.size(); ++k) {
            const auto factor = in.known[k] ? in.known[k]->steady(0) : std::nullopt;
            if (!factor)
                continue;
            // A factor of 8 bits makes a quotient that much longer before it is cut.
            const int width = bits + (node.atom == StreamOp::Div ? 8 : 0);
            Arrival product = last;
            for (double sums = constantProductArea(*factor, 1).lut; sums > 0; --sums)
                product = sum(product, width);
            return product;
        }
        const auto own = ownDelay(node, in.types, in.known, DelayModel::Ours);
        return later(after(last, kProductDelay), own.value_or(0), kRegisterDelay);
    }

    double limit_;
};

} // namespace

double loopLimit(const device::Device& device) {
    // The usual limit leaves as much of a clock of 200 MHz.
    constexpr double kOfClock = 0.98e6;
    return std::max(kPathLimit, kOfClock / device.clockMhz);
}

LoopLength loopLength(const Graph& function, std::int64_t lanes, double limit) {
    const LoopPath path(limit);
    MaybeArrival state = Arrival{0, kRegisterDelay + kLutDelay, false, kLutDelay}; // it may restart
    // By where in its clock the state is: from there on all goes as it did before.
    std::map<std::pair<double, bool>, std::pair<std::int64_t, Arrival>> before;
    for (std::int64_t lane = 0; lane < lanes && state; ++lane) {
        const auto [known, fresh] =
            before.try_emplace({state->ps, state->isSum}, std::pair(lane, *state));
        const auto& [then, at] = known->second;
        const std::int64_t rounds = fresh ? 0 : (lanes - lane) / (lane - then);
        state->clocks += rounds * (state->clocks - at.clocks);
        state->all += static_cast<double>(rounds) * (state->all - at.all);
        lane += fresh ? 0 : rounds * (lane - then);
        if (lane < lanes)
            state = path.through(function, {state, std::nullopt});
    }
    return state ? LoopLength{state->all, state->clocks + 1} : LoopLength();
}

} // namespace marquetry::spacetime
