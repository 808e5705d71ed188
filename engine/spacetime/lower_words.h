// The words of lower_datapath.h: operators on atoms, sequences of constants, and words that come
// from other lanes and steps. Thread rule: one writer.
#pragma once

#include "engine/spacetime/datapath.h"
#include "engine/spacetime/seq_type.h"

#include <map>
#include <optional>

namespace marquetry::spacetime {

/// The lane (of one word for each atom) that element `k` is in.
std::int64_t laneOf(const SeqType& type, std::int64_t k);
/// Bits of each word of one clock.
std::vector<int> wordBits(const SeqType& type);

/// Where the elements of a value come from, in the clocks of a period.
struct Moves {
    struct Source {
        std::int64_t lane = 0;
        std::int64_t distance = 0; ///< clocks
        auto operator<=>(const Source&) const = default;
    };

    std::int64_t period = 1;
    /// By lane, then clock.
    std::map<std::int64_t, std::map<std::int64_t, Source>> sources{};

    /// Element `to` of a value of one type is element `from` of a value of the other.
    void add(const SeqType& toType, std::int64_t to, const SeqType& fromType, std::int64_t from);
};

class WordLowering {
public:
    explicit WordLowering(DatapathBuilder& cells) : cells_(cells) {}

    /// The leaves of the result of an atom operator.
    std::vector<Tap> atom(ir::StreamOp op, const std::vector<SeqType>& types,
                          const std::vector<std::vector<Tap>>& in, Used used);

    /// Words one after the other, again and again; nothing where any will do. Nothing when they
    /// follow no rule and are too many for a table.
    std::optional<Tap> sequence(const std::vector<std::optional<std::int64_t>>& words, int width);

    /// Words of a value of type `to`; `unit`: clocks of a step.
    std::vector<Tap> moved(const Moves& moves, const SeqType& to, const std::vector<Tap>& in,
                           std::int64_t unit, Used used);

private:
    Tap scalar(ir::StreamOp op, ir::Scalar type, Tap a, Tap b, Used used);
    Tap product(ir::StreamOp op, int width, Tap a, Tap b, Used used);
    Tap less(ir::Scalar type, Tap a, Tap b, Used used);
    /// One of `sources` in each step of a period.
    Tap selected(const std::vector<Tap>& sources, const std::vector<std::int64_t>& which, int width,
                 Used used);

    DatapathBuilder& cells_;
};

} // namespace marquetry::spacetime
