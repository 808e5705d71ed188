#include "engine/design/held.h"

#include "engine/cost/move_cost.h"
#include "engine/design/make_move.h"
#include "engine/support/assert.h"

namespace marquetry::design {

namespace {

class HeldMaker {
public:
    HeldMaker(const HeldMatrix& matrix, const HeldPlace& place, std::int64_t lanes)
        : matrix_(matrix), place_(place), lanes_(lanes) {}

    std::vector<Move> run() {
        const std::int64_t parallel = place_.parallel;
        const std::int64_t blocks = matrix_.rows / parallel;
        if (blocks > 0)
            add(0, {{blocks, place_.reduction * lanes_}, {parallel, kHeldRow}});
        if (matrix_.rows % parallel > 0)
            add(blocks, {{matrix_.rows % parallel, kHeldRow}});
        return std::move(moves_);
    }

private:
    /// `rows`: loops over rows, from block `block` on.
    void add(std::int64_t block, std::vector<WalkLoop> rows) {
        const std::int64_t first = block * place_.parallel;
        std::int64_t count = 1;
        for (const WalkLoop& loop : rows)
            count *= loop.count;
        const auto source =
            storedWalk({matrix_.first + first * matrix_.columns, {{count * matrix_.columns, 1}}},
                       layoutOf(matrix_.channels, lanes_));
        const auto row =
            storedWalk({0, {{matrix_.columns, 1}}}, layoutOf(matrix_.dataChannels, lanes_));
        ENGINE_ASSERT(source && row, "views of operands keep pixels (ir/views.h)");
        Walk target{(place_.firstWord + block * place_.reduction) * lanes_, std::move(rows)};
        target.loops.insert(target.loops.end(), row->loops.begin(), row->loops.end());
        moves_.push_back(alignedMove(*source, target, lanes_));
    }

    const HeldMatrix& matrix_;
    const HeldPlace& place_;
    std::int64_t lanes_;
    std::vector<Move> moves_;
};

} // namespace

std::vector<Move> heldMoves(const HeldMatrix& matrix, const HeldPlace& place, std::int64_t lanes) {
    return HeldMaker(matrix, place, lanes).run();
}

std::int64_t heldCycles(const HeldMatrix& matrix, std::int64_t parallel, std::int64_t lanes) {
    std::int64_t cycles = 0;
    constexpr std::int64_t kAnyReduction = 1024;
    for (const Move& move : heldMoves(matrix, {parallel, 0, kAnyReduction}, lanes))
        cycles += cost::moveCycles(move.source.iterations());
    return cycles;
}

} // namespace marquetry::design
