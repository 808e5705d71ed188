#include "engine/design/make_move.h"

#include "engine/support/assert.h"
#include "engine/support/checked_math.h"

#include <algorithm>
#include <numeric>

namespace marquetry::design {

namespace {

/// Loops of one iteration vanish, and those that go on where the one inside them ends are one.
Walk merged(const Walk& walk) {
    Walk result{walk.start, {}};
    for (std::size_t k = walk.loops.size(); k-- > 0;) {
        const WalkLoop& outer = walk.loops[k];
        if (outer.count == 1)
            continue;
        if (!result.loops.empty() &&
            outer.stride == result.loops.front().count * result.loops.front().stride)
            result.loops.front().count *= outer.count;
        else
            result.loops.insert(result.loops.begin(), outer);
    }
    return result;
}

/// Takes the innermost loop off where it visits neighbours; how many.
std::int64_t takeRun(Walk& walk) {
    if (walk.loops.empty() || walk.loops.back().stride != 1)
        return 1;
    const std::int64_t count = walk.loops.back().count;
    walk.loops.pop_back();
    return count;
}

bool aligned(const Walk& walk, std::int64_t to) {
    return walk.start % to == 0 &&
           std::ranges::all_of(walk.loops, [to](const WalkLoop& l) { return l.stride % to == 0; });
}

/// Lanes that no write of the target parts: runs begin at multiples of some number, and end at a
/// multiple, too, unless behind them the pixel has no more channels.
std::int64_t writtenTogether(const Move& move, const PixelLayout& layout, std::int64_t lanes) {
    std::int64_t together = std::gcd(lanes, move.target.start);
    Walk outer = move.target;
    std::int64_t length = move.run;
    if (!outer.loops.empty() && outer.loops.back().stride == move.run) {
        length *= outer.loops.back().count;
        outer.loops.pop_back();
    }
    for (const WalkLoop& loop : outer.loops)
        together = std::gcd(together, loop.stride);
    const std::int64_t behind = length % layout.lanes;
    const bool endsPixel =
        aligned(outer, layout.lanes) && (behind == 0 || behind >= layout.channels);
    return endsPixel ? together : std::gcd(together, length);
}

/// `layout`: of the target; lanes behind the last channel of its pixels may be written.
Move align(const Walk& source, const Walk& target, const PixelLayout& layout, std::int64_t lanes) {
    Move move{lanes, 1, merged(source), merged(target)};
    const std::int64_t ofSource = takeRun(move.source);
    const std::int64_t ofTarget = takeRun(move.target);
    const std::int64_t run = std::gcd(ofSource, ofTarget);
    move.source.loops.push_back({ofSource / run, run});
    move.target.loops.push_back({ofTarget / run, run});
    const bool endsPixel = run == layout.channels && aligned(merged(move.target), layout.lanes);
    move.source = merged(move.source);
    move.target = merged(move.target);
    while (move.run > 1 && (!aligned(move.source, move.run) || !aligned(move.target, move.run) ||
                            (run % move.run != 0 && !endsPixel)))
        move.run /= 2;
    for (Walk* walk : {&move.source, &move.target}) {
        walk->loops.push_back({ceilDiv(run, move.run), move.run});
        *walk = merged(*walk);
    }
    move.together = writtenTogether(move, layout, lanes);
    return move;
}

} // namespace

std::optional<Walk> storedWalk(const Walk& visited, const PixelLayout& layout) {
    const Walk elements = merged(visited);
    const std::int64_t channels = layout.channels;
    if (channels == layout.lanes)
        return elements;
    std::int64_t channel = elements.start % channels; // the furthest one
    Walk walk{elements.start / channels * layout.lanes + channel, {}};
    for (const WalkLoop& loop : elements.loops) {
        if (loop.stride % channels == 0) {
            walk.loops.push_back({loop.count, loop.stride / channels * layout.lanes});
            continue;
        }
        std::int64_t count = loop.count;
        if ((count - 1) * loop.stride >= channels) {
            const std::int64_t ofPixel = channels / loop.stride;
            if (channels % loop.stride != 0 || count % ofPixel != 0)
                return std::nullopt;
            walk.loops.push_back({count / ofPixel, layout.lanes});
            count = ofPixel;
        }
        walk.loops.push_back({count, loop.stride});
        channel += (count - 1) * loop.stride;
    }
    return channel < channels ? std::optional(walk) : std::nullopt;
}

std::optional<Move> makeMove(const Walk& source, const PixelLayout& sourceLayout,
                             const Walk& target, const PixelLayout& targetLayout,
                             std::int64_t lanes) {
    ENGINE_ASSERT(source.iterations() == target.iterations(), "as many elements leave as arrive");
    const auto from = storedWalk(source, sourceLayout);
    const auto to = storedWalk(target, targetLayout);
    if (!from || !to)
        return std::nullopt;
    return align(*from, *to, targetLayout, lanes);
}

Move alignedMove(const Walk& source, const Walk& target, std::int64_t lanes) {
    return align(source, target, {0, 1}, lanes); // nothing lies behind a run
}

} // namespace marquetry::design
