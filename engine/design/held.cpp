#include "engine/design/held.h"

#include "engine/cost/move_cost.h"
#include "engine/design/make_move.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <numeric>

namespace marquetry::design {

namespace {

/// Rows that lie alike: loops over rows, of the elements of the stored tensor and of lanes.
struct Rows {
    std::int64_t element = 0; ///< where the first row begins
    std::int64_t lane = 0;
    std::int64_t columns = 1; ///< of each row
    std::vector<WalkLoop> elements{}, lanes{};

    bool alike(const Rows& other) const {
        return columns == other.columns && elements == other.elements && lanes == other.lanes;
    }
    void repeat(std::int64_t count, std::int64_t elementStep, std::int64_t laneStep) {
        elements.insert(elements.begin(), {count, elementStep});
        lanes.insert(lanes.begin(), {count, laneStep});
    }
};

/// Neighbours at one distance become a loop over them.
std::vector<Rows> gathered(const std::vector<Rows>& rows) {
    std::vector<Rows> result;
    for (std::size_t k = 0; k < rows.size();) {
        const auto step = [&](std::size_t to) {
            return std::pair(rows[to].element - rows[to - 1].element,
                             rows[to].lane - rows[to - 1].lane);
        };
        std::size_t end = k + 1;
        while (end < rows.size() && rows[end].alike(rows[k]) && step(end) == step(k + 1) &&
               step(end).first >= 0 && step(end).second >= 0)
            ++end;
        result.push_back(rows[k]);
        if (end > k + 1)
            result.back().repeat(static_cast<std::int64_t>(end - k), step(k + 1).first,
                                 step(k + 1).second);
        k = end;
    }
    return result;
}

class HeldMaker {
public:
    HeldMaker(const HeldMatrix& matrix, const HeldPlace& place, std::int64_t lanes)
        : matrix_(matrix),
          place_(place),
          lanes_(lanes),
          rowStep_(matrix.repeated ? 0 : matrix.columns) {}

    std::vector<Move> run() {
        if (matrix_.lanewise) {
            const std::int64_t blocks = matrix_.rows / lanes_;
            addLanes(0, blocks, lanes_);
            addLanes(blocks, 1, matrix_.rows % lanes_);
        } else if (matrix_.lane) {
            addStencil(*matrix_.lane);
        } else {
            const std::int64_t ofGroup = matrix_.rows / matrix_.groups;
            addRows(0, matrix_.rows,
                    matrix_.groups == 1 ? place_.parallel : std::lcm(place_.parallel, ofGroup));
        }
        return std::move(moves_);
    }

private:
    std::int64_t channelsOfGroup() const { return matrix_.dataChannels / matrix_.groups; }

    /// Those that are cut have columns of their own.
    void addStencil(std::int64_t lane) {
        const std::int64_t rows = matrix_.rows;
        const std::int64_t whole = std::clamp<std::int64_t>(-lane, 0, rows);
        const std::int64_t cut = matrix_.dataChannels - matrix_.columns - lane + 1;
        addAlone(0, whole);
        addRows(whole, std::clamp(cut, whole, rows), place_.parallel);
        addAlone(std::clamp(cut, whole, rows), rows);
    }

    /// After `period` of them, rows lie in blocks and groups as before.
    void addRows(std::int64_t from, std::int64_t to, std::int64_t period) {
        const std::int64_t first = std::min(to, roundUp(from, period));
        const std::int64_t periods = (to - first) / period;
        const std::int64_t step = period / place_.parallel * place_.reduction * lanes_;
        const std::int64_t further =
            matrix_.lane ? period : period / (matrix_.rows / matrix_.groups) * channelsOfGroup();
        addAlone(from, first);
        for (Rows& rows : rowsOf(first, periods > 0 ? first + period : first)) {
            if (periods > 1)
                rows.repeat(periods, period * rowStep_, step + further);
            add(rows);
        }
        addAlone(first + periods * period, to);
    }

    void addAlone(std::int64_t from, std::int64_t to) {
        for (const Rows& rows : rowsOf(from, to))
            add(rows);
    }

    std::vector<Rows> rowsOf(std::int64_t from, std::int64_t to) const {
        std::vector<Rows> rows;
        for (std::int64_t row = from; row < to; ++row)
            if (const Rows one = rowAt(row); one.columns > 0)
                rows.push_back(one);
        for (std::size_t before = rows.size() + 1; rows.size() < before;) {
            before = rows.size();
            rows = gathered(rows);
        }
        return rows;
    }

    Rows rowAt(std::int64_t row) const {
        const std::int64_t parallel = place_.parallel;
        Rows one{matrix_.first + row * rowStep_,
                 (place_.firstWord + row / parallel * place_.reduction) * lanes_ +
                     row % parallel * kHeldRow,
                 matrix_.columns};
        if (!matrix_.lane) {
            one.lane += row / (matrix_.rows / matrix_.groups) * channelsOfGroup();
            return one;
        }
        const std::int64_t first = *matrix_.lane + row;
        const std::int64_t cut = std::max<std::int64_t>(0, -first);
        one.element += cut;
        one.lane += first + cut;
        one.columns = std::min(matrix_.columns, matrix_.dataChannels - first) - cut;
        return one;
    }

    void add(const Rows& rows) {
        Walk source{rows.element, rows.elements};
        source.loops.push_back({rows.columns, 1});
        Walk target{rows.lane, rows.lanes};
        if (matrix_.lane) {
            target.loops.push_back({rows.columns, 1});
            return addMove(source, target, 1); // however far a row that is alone begins
        }
        const std::int64_t channels = channelsOfGroup();
        target.loops.push_back(
            {rows.columns / channels, layoutOf(matrix_.dataChannels, lanes_).lanes});
        target.loops.push_back({channels, 1});
        addMove(source, target, lanes_);
    }

    /// A word has one column of as many rows as there are lanes.
    void addLanes(std::int64_t block, std::int64_t blocks, std::int64_t rows) {
        if (blocks == 0 || rows == 0)
            return;
        const Walk source{matrix_.first + block * lanes_ * rowStep_,
                          {{blocks, lanes_ * rowStep_}, {matrix_.columns, 1}, {rows, rowStep_}}};
        const Walk target{
            (place_.firstWord + block * place_.reduction) * lanes_,
            {{blocks, place_.reduction * lanes_}, {matrix_.columns, lanes_}, {rows, 1}}};
        addMove(source, target, 1); // columns lie side by side, rows do not
    }

    void addMove(const Walk& source, const Walk& target, std::int64_t lanes) {
        const auto stored = storedWalk(source, layoutOf(matrix_.channels, lanes_));
        ENGINE_ASSERT(stored, "views of operands keep pixels (ir/views.h)");
        moves_.push_back(alignedMove(*stored, target, lanes));
    }

    const HeldMatrix& matrix_;
    const HeldPlace& place_;
    std::int64_t lanes_;
    std::int64_t rowStep_; ///< elements of the stored tensor
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
