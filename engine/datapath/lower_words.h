// The words of lower_datapath.h: operators on atoms, sequences of constants, and words that come
// from other lanes and steps. Thread rule: one writer.
#pragma once

#include "engine/datapath/datapath.h"
#include "engine/datapath/permute.h"
#include "engine/ir/stream_table.h"
#include "engine/spacetime/seq_type.h"

#include <optional>

#include <stop_token>

namespace marquetry::datapath {

/// Bits of each word of one clock.
std::vector<int> wordBits(const spacetime::SeqType& type);

/// Words of one place, again and again in each period; any word will do in steps that have none.
struct RepeatedWords {
    std::int64_t period = 1; ///< steps
    struct Word {
        std::int64_t step = 0;
        std::int64_t word = 0;
    };
    std::vector<Word> known{}; ///< by step, ascending
};

class WordLowering {
public:
    explicit WordLowering(DatapathBuilder& cells, std::stop_token stop = {})
        : cells_(cells), stop_(std::move(stop)) {}

    /// The leaves of the result of an atom operator.
    std::vector<Tap> atom(ir::StreamOp op, const std::vector<spacetime::SeqType>& types,
                          const std::vector<std::vector<Tap>>& in, Used used);

    /// The word of a table at an index.
    Tap lookedUp(const ir::StreamTable& table, Tap index, Used used);

    /// Nothing when the words follow no rule and the period is too long for a table.
    std::optional<Tap> sequence(const RepeatedWords& words, int width);

    /// Words of a value, by lane and leaf; nothing when those of one are too many for a table.
    std::optional<std::vector<Tap>> columns(const spacetime::SeqType& type,
                                            const std::vector<std::int64_t>& words,
                                            std::int64_t unit);
    /// 0, `by`, 2 · `by`, …: layers in time are digits of the step, those in space of the lane.
    std::vector<Tap> counted(const spacetime::SeqType& type, std::int64_t by, std::int64_t unit);

    /// Words in another layout, chosen among those that came at other times; `leafBits` of an atom.
    /// The period is at most kLongestTable steps, and kMaxListedWords are all of all lanes. Fewer
    /// words once `stop` has fired.
    std::vector<Tap> moved(const Passages& passages, const std::vector<int>& leafBits,
                           const std::vector<Tap>& in, Used used);

private:
    Tap scalar(ir::StreamOp op, ir::Scalar type, Tap a, Tap b, Used used);
    Tap product(ir::StreamOp op, int width, Tap a, Tap b, Used used);
    Tap bits(ir::StreamOp op, ir::Scalar type, Tap a, Tap b, Used used);
    Tap cast(ir::StreamOp op, ir::Scalar from, Tap a, Used used);
    Tap signedShift(int width, Tap a, Tap b, Used used);
    Tap less(ir::Scalar type, Tap a, Tap b, Used used);
    /// The step of a period, over `spread`.
    Tap index(std::int64_t period, std::int64_t spread);
    /// One of `sources` in each step of a period.
    Tap selected(const std::vector<Tap>& sources, const std::vector<std::int64_t>& which, int width,
                 Used used);

    DatapathBuilder& cells_;
    std::stop_token stop_;
};

} // namespace marquetry::datapath
