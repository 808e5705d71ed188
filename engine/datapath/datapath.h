// The datapath of a scheduled stream: words, the operators on them, and how far apart in time they
// are used (background/aetherling.md, "Hardware"). It is what is left of an L_st circuit when the
// layers of its types are gone.
//
// A cell has one word in every step. Step k of a cell depends on step k − distance of its operands;
// a distance is negative where an operand comes later. Steps count from the first slot of the
// inputs, and frames follow each other every `period` steps. A step is `unit` clocks: clocks in
// which no value of the whole circuit is valid are not steps.
//
// Words are bit patterns without sign; arithmetic is modulo 2^width. A generator (constant, phase,
// index, table, pattern) has no operands: it is made for the step in which it is used. Feedback
// cells are resolved in a finished datapath.
//
// Cells that compute the same at different times are one cell. That merges windows, columns that
// lanes share, and registers behind equal values. Cells that depend on the phase of a period as
// well as on inputs are not moved in time: at an earlier time their first words, which the phase
// may define, would have to be there before the first step.
//
// Thread rule: value types; the builder has one writer.
#pragma once

#include "engine/ir/stream_op.h"
#include "engine/support/strong_id.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace marquetry::datapath {

using CellId = StrongId<struct CellTag>;

enum class CellKind : std::uint8_t {
    Input,     ///< bits of an input port
    Constant,  ///< `number`
    Undefined, ///< shifted in: any value will do
    Phase,     ///< 1 in the steps [first, end) of each period
    Index,     ///< step of the period, over `number`
    Table,     ///< one word for each step of the period
    Pattern,   ///< a condition on the `parts`, as `number` says
    Add,       ///< operands in any order
    Sub,
    Mul,    ///< of two words that change
    Left,   ///< by `number` bits
    Right,  ///< by `number` bits, zeros shifted in
    LeftBy, ///< by the second operand
    RightBy,
    Less,
    LessSigned, ///< both of `width` bits
    Equal,
    And,
    Or,
    Xor,
    Not,
    Extend,   ///< the lowest `number` bits as a number with a sign
    Lookup,   ///< word number `operand` of `table`
    Choose,   ///< the second operand where the first is 1, else the third
    Sample,   ///< the operand, used in fewer steps
    Store,    ///< into FIFO `number`: the operand, in steps in which the second one is 1
    Fetch,    ///< from a Store, in steps before which the second operand is 1
    Feedback, ///< while building: a cell that is not there yet
};

/// The word of `cell`, `distance` steps ago; of a periodic cell modulo its period.
struct Tap {
    CellId cell;
    std::int64_t distance = 0;
    auto operator<=>(const Tap&) const = default;
};

/// Steps in which a word is used: those equal to `offset` modulo `stride`.
struct Used {
    std::int64_t stride = 1;
    std::int64_t offset = 0;
};

/// Conditions of a Pattern: 1 where all, any, or none of its parts are.
enum : std::int64_t { kAllParts, kAnyPart, kNoPart };

/// The steps of a generator are counted anew from step `first` of each longer period, which its own
/// need not divide. Of parts of a Pattern only.
struct Restart {
    std::int64_t period = 1;
    std::int64_t first = 0;
};

struct Cell {
    CellKind kind = CellKind::Constant;
    int width = 1;
    std::vector<Tap> operands{};
    std::int64_t number =
        0; ///< Constant, Left, Right, Extend; Index: steps of each value; Input: port
    bool periodic = false;             ///< made of generators alone: no step depends on an input
    std::int64_t period = 1;           ///< of a periodic cell
    std::int64_t first = 0;            ///< Phase; Input: lowest bit
    std::int64_t end = 0;              ///< Phase
    std::vector<std::int64_t> table{}; ///< Table, Lookup: words without sign
    std::uint64_t most = 1; ///< no value is above; of the bits that are kept (word_widths.h)
    bool isSigned = false;  ///< what is above the kept bits repeats the highest of them
    int operandBits = 0; ///< of comparisons and products whose words are kept: the longer operand's
    Used used{};
    std::vector<Cell> parts{}; ///< Pattern: generators of one bit
    std::optional<Restart> restart{};

    int bits() const; ///< that are kept: those above are 0, or the sign; at least 1
    /// A lookup that block RAM serves when a register is behind it.
    bool isBlockRom() const;
};

/// A memory that words pass in order: what is stored as n-th is fetched as n-th.
struct Fifo {
    std::int64_t period = 1;             ///< steps
    std::vector<std::int64_t> stores{};  ///< steps of the period, ascending
    std::vector<std::int64_t> fetches{}; ///< of the same words, in a count of their own
    auto operator<=>(const Fifo&) const = default;

    /// The greatest distance at which every word is fetched no earlier than it is stored.
    std::int64_t distance() const;
    /// Words that it holds when step 0 of the fetches is `later` steps behind that of the stores,
    /// and a word may come in the step in which the one in its place is fetched.
    std::int64_t words(std::int64_t later) const;
    /// Steps of `steps` before step `before` of periods without beginning, those before step 0
    /// negative.
    std::int64_t countBefore(const std::vector<std::int64_t>& steps, std::int64_t before) const;
};

bool isGenerator(CellKind kind);
/// Shifted by a number, or with a sign before it: other wires of the same word, never stored
/// themselves.
bool isView(CellKind kind);

/// Everything that tells one cell from another, lists after their lengths.
using CellKey = std::vector<std::int64_t>;

/// Builds cells, each once; folds what is constant.
class DatapathBuilder {
public:
    /// The cell, or the equal one that is there, at the distance it is used at.
    Tap make(Cell cell);
    Tap constant(int width, std::int64_t value);
    Tap undefined();
    Tap binary(CellKind kind, int width, Tap a, Tap b, Used used);
    Tap shifted(CellKind kind, int width, Tap a, std::int64_t by, Used used);
    /// The lowest `bits` bits as a number with a sign, in `width` bits.
    Tap extended(int width, Tap a, int bits, Used used);
    Tap choose(int width, Tap condition, Tap yes, Tap no, Used used);
    /// A product with a constant, of sums and differences of shifted words.
    Tap scaled(int width, Tap a, std::int64_t factor, Used used);
    /// A word of a table, of which `width` bits count.
    Tap lookedUp(int width, Tap index, const std::vector<std::int64_t>& words, Used used);
    /// The same word, used in fewer steps.
    Tap sample(Tap a, Used used);

    /// The word through a FIFO; two conditions of its period: in which steps it is stored,
    /// fetched.
    Tap throughFifo(const Fifo& fifo, Tap word, Tap stored, Tap fetched, Used used);

    /// A word that `close` defines later.
    Tap feedback(int width);
    void close(Tap feedback, Tap value);

    std::int64_t size() const { return static_cast<std::int64_t>(cells_.size()); }
    const Cell& cell(Tap tap) const { return cells_[tap.cell.index()]; }
    bool isConstant(Tap tap) const { return cell(tap).kind == CellKind::Constant; }
    bool isUndefined(Tap tap) const { return cell(tap).kind == CellKind::Undefined; }

    /// Cells that `outputs` need, in an order of their own, feedback resolved; `outputs` follow.
    std::vector<Cell> finish(std::vector<Tap>& outputs) &&;
    /// By the numbers of Store and Fetch.
    const std::vector<Fifo>& fifos() const { return fifos_; }

private:
    Tap intern(Cell cell, std::int64_t distance);
    Tap folded(const Cell& cell, bool& done);
    /// A periodic cell whose words, over its period, are one constant or, if it is a bit, a phase.
    std::optional<Tap> pattern(const Cell& cell);
    std::optional<std::vector<std::uint64_t>> wordsOver(const Cell& cell);
    std::optional<Tap> phaseOf(const std::vector<std::uint64_t>& bits);
    /// a·2^i + b·2^j as (a + b·2^(j−i))·2^i: equal weights at another scale become one sum.
    std::optional<Tap> scaledSum(CellKind kind, int width, Tap a, Tap b, Used used);
    /// x when the word is 0 − x.
    std::optional<Tap> negated(Tap tap) const;
    Tap resolve(Tap tap) const;

    std::vector<Cell> cells_;
    std::vector<Fifo> fifos_;
    std::map<CellKey, CellId> known_;
    std::map<CellId, Tap> closed_;
    std::map<CellId, std::vector<std::uint64_t>> periodicWords_; ///< of operators, as far as kept
    std::int64_t computedWords_ = 0;
};

} // namespace marquetry::datapath
