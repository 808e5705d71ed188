#include "engine/datapath/permute.h"

#include "engine/datapath/step_pattern.h"
#include "engine/device/lut6.h"
#include "engine/spacetime/layer_places.h"
#include "engine/support/assert.h"
#include "engine/support/checked_math.h"
#include "engine/support/limits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <span>

namespace marquetry::datapath {

using spacetime::LayerPlaces;

namespace {

/// A line this much longer than a FIFO's words is still less than its addresses.
constexpr std::int64_t kShortLine = 16;

/// Steps in which what is in a passage is stored, or fetched, and in no others.
StepBits exactly(const std::vector<std::int64_t>& steps, std::int64_t period) {
    StepBits bits(static_cast<std::size_t>(period), 0);
    for (const std::int64_t step : steps)
        bits[static_cast<std::size_t>(step)] = 1;
    return bits;
}

class Permutation {
public:
    Permutation(DatapathBuilder& cells, const Passages& passages, const std::vector<int>& leafBits,
                const std::vector<Tap>& in, Used used, const std::stop_token& stop)
        : cells_(cells),
          passages_(passages),
          leafBits_(leafBits),
          in_(in),
          used_(used),
          stop_(stop) {
        for (const Passage& passage : passages.all)
            least_ = std::min(least_, passage.fifo.distance());
    }

    std::optional<std::vector<Tap>> run() {
        std::vector<Tap> all;
        auto passage = passages_.all.begin();
        for (std::int64_t lane = 0; lane < passages_.lanes; ++lane) {
            std::vector<const Passage*> sources;
            for (; passage != passages_.all.end() && passage->toLane == lane; ++passage)
                sources.push_back(&*passage);
            if (!addLane(sources, all))
                return std::nullopt;
        }
        return all;
    }

private:
    bool addLane(const std::vector<const Passage*>& sources, std::vector<Tap>& all) {
        std::vector<std::vector<Tap>> words; // by source, then leaf
        for (const Passage* passage : sources) {
            auto passed = throughPassage(*passage);
            if (!passed)
                return false;
            words.push_back(*std::move(passed));
        }
        if (words.empty()) {
            all.insert(all.end(), leafBits_.size(), cells_.undefined());
            return true;
        }
        const auto chosen = choose(sources, words);
        if (chosen)
            all.insert(all.end(), chosen->begin(), chosen->end());
        return chosen.has_value();
    }

    std::optional<Tap> condition(const StepBits& bits) {
        auto found = stepPattern(bits, stop_);
        if (!found)
            return std::nullopt;
        return cells_.make(*std::move(found));
    }

    bool isLine(const Passage& passage) const {
        const std::int64_t wait = passage.fifo.distance() - least_;
        return passage.isSteady() && wait <= kShortLine + 2 * passage.fifo.words(1 - least_);
    }

    std::optional<std::vector<Tap>> throughPassage(const Passage& passage) {
        const Fifo& fifo = passage.fifo;
        const bool line = isLine(passage);
        std::optional<Tap> stored, fetched;
        std::vector<Tap> words;
        for (std::size_t leaf = 0; leaf < leafBits_.size(); ++leaf) {
            const auto lane = static_cast<std::size_t>(passage.fromLane);
            const Tap word = in_[lane * leafBits_.size() + leaf];
            if (cells_.isConstant(word) || cells_.isUndefined(word)) {
                words.push_back(word);
                continue;
            }
            if (line) {
                words.push_back({word.cell, word.distance + fifo.distance()});
                continue;
            }
            // What is made anew in each period has no step to be stored in.
            if (cells_.cell(word).periodic)
                return std::nullopt;
            if (!stored) {
                stored = condition(exactly(fifo.stores, fifo.period));
                fetched = condition(exactly(fifo.fetches, fifo.period));
            }
            if (!stored || !fetched)
                return std::nullopt;
            words.push_back(cells_.throughFifo(fifo, word, *stored, *fetched, used_));
        }
        return words;
    }

    /// Words of one of `sources` in each step.
    std::optional<std::vector<Tap>> choose(std::span<const Passage* const> sources,
                                           std::span<const std::vector<Tap>> words) {
        if (sources.size() == 1)
            return words[0];
        const std::size_t half = std::bit_floor(sources.size() - 1);
        StepBits upper(static_cast<std::size_t>(passages_.period), kAnyBit);
        for (std::size_t k = 0; k < sources.size(); ++k) {
            for (const std::int64_t step : sources[k]->fifo.fetches)
                upper[static_cast<std::size_t>(step)] = k < half ? 0 : 1;
        }
        const auto isUpper = condition(upper);
        const auto low = choose(sources.first(half), words.first(half));
        const auto high = choose(sources.subspan(half), words.subspan(half));
        if (!isUpper || !low || !high)
            return std::nullopt;
        std::vector<Tap> chosen;
        for (std::size_t leaf = 0; leaf < leafBits_.size(); ++leaf)
            chosen.push_back(
                cells_.choose(leafBits_[leaf], *isUpper, (*high)[leaf], (*low)[leaf], used_));
        return chosen;
    }

    DatapathBuilder& cells_;
    const Passages& passages_;
    const std::vector<int>& leafBits_;
    const std::vector<Tap>& in_;
    const Used used_;
    const std::stop_token& stop_;
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

} // namespace

bool Passage::isSteady() const {
    for (std::size_t n = 1; n < fifo.stores.size(); ++n) {
        if (fifo.fetches[n] - fifo.stores[n] != fifo.fetches[0] - fifo.stores[0])
            return false;
    }
    return true;
}

Passages passagesOf(const LayoutChange& change, std::int64_t unit) {
    ENGINE_ASSERT(atomCount(change.from) <= kMaxListedWords,
                  "a change of layout that is looked at");
    const std::int64_t lanesFrom = lanes(change.from);
    const std::int64_t period = clocks(change.to) / unit;
    std::map<std::int64_t, Passage> between; // by lane of the result, then of the value
    const LayerPlaces from(change.from);
    const LayerPlaces to(change.to);
    for (std::int64_t k = change.later; k < to.atoms(); ++k) {
        const std::int64_t fromLane = from.laneOf(k - change.later);
        const std::int64_t toLane = to.laneOf(k);
        Passage& passage = between[toLane * lanesFrom + fromLane];
        passage.fromLane = fromLane;
        passage.toLane = toLane;
        passage.fifo.period = period;
        passage.fifo.stores.push_back(from.clockOf(k - change.later) / unit);
        passage.fifo.fetches.push_back(to.clockOf(k) / unit);
    }
    Passages passages{period, lanes(change.to), {}};
    for (auto& [place, passage] : between)
        passages.all.push_back(std::move(passage));
    return passages;
}

namespace {

/// LUTs that a register, and a whole block RAM, weigh on the 7 series: as many as there are for
/// each.
constexpr double kLutsOfRegister = 0.5;
constexpr double kLutsOfBlock = 310;
/// Of a memory with two addresses, by groups of 64 words.
constexpr double kLutsOfMemoryBit =
    static_cast<double>(device::kRamGroupLuts) / static_cast<double>(device::kRamGroupBits);
constexpr std::int64_t kBlockBits = 18 * 1024;
constexpr double kLutsOfCondition = 3; ///< and of its register

double registersToChoose(const Passages& passages, double bits) {
    std::map<std::int64_t, std::set<std::int64_t>> stages; // of each lane
    std::map<std::int64_t, std::size_t> sources;           // to each lane
    for (const Passage& passage : passages.all) {
        std::set<std::int64_t> distances;
        for (std::size_t n = 0; n < passage.fifo.stores.size(); ++n)
            distances.insert(passage.fifo.fetches[n] - passage.fifo.stores[n]);
        stages[passage.fromLane].insert(distances.begin(), distances.end());
        sources[passage.toLane] += distances.size();
    }
    double luts = 0;
    for (const auto& [lane, distances] : stages)
        luts += kLutsOfRegister * bits * static_cast<double>(distances.size());
    const auto table = static_cast<double>(ceilDiv(passages.period, device::kLutRows));
    for (const auto& [lane, count] : sources)
        luts += static_cast<double>(count - 1) * (bits / 2 + table);
    return luts;
}

double fifoWeight(const Fifo& fifo, double bits) {
    const std::int64_t words = fifo.words(1 - fifo.distance());
    const auto pointer = static_cast<double>(bitsFor(words));
    const double luts =
        bits * kLutsOfMemoryBit * static_cast<double>(ceilDiv(words, device::kRamGroupWords));
    const double blocks =
        kLutsOfBlock / 2 * std::ceil(bits * static_cast<double>(words) / kBlockBits);
    return std::min(luts, blocks) + 2 * (pointer * (1 + kLutsOfRegister) + kLutsOfCondition);
}

} // namespace

bool fifosAreSmaller(const Passages& passages, const std::vector<int>& leafBits) {
    const double bits = std::accumulate(leafBits.begin(), leafBits.end(), 0);
    double luts = 0;
    bool steady = true;
    for (const Passage& passage : passages.all) {
        luts += bits / 2;
        if (passage.isSteady())
            continue;
        luts += fifoWeight(passage.fifo, bits);
        steady = false;
    }
    return !steady && luts < registersToChoose(passages, bits);
}

std::optional<std::vector<Tap>> permuted(DatapathBuilder& cells, const Passages& passages,
                                         const std::vector<int>& leafBits,
                                         const std::vector<Tap>& in, Used used,
                                         const std::stop_token& stop) {
    const auto count = static_cast<std::int64_t>(passages.all.size());
    if (passages.all.size() > kMostPassages || passages.period > kMaxConditionSteps ||
        count > kMostConditionSteps / passages.period)
        return std::nullopt;
    return Permutation(cells, passages, leafBits, in, used, stop).run();
}

} // namespace marquetry::datapath
