// The order of the steps of bands, and the rows that rings hold then.
#include "engine/design/band_order.h"
#include "engine/support/rng.h"
#include "tests/support/cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace marquetry {

using design::BandItem;
using design::Queue;
using design::RowRange;

namespace {

struct RandomLayer {
    Queue queue = Queue::Calls;
    std::int64_t halo = 0, clocks = 1; ///< rows beside those that it makes; of a row
    bool adds = false;                 ///< rows of the tensor before its input
};

/// A chain of layers, each of windows over the one before; the first rows are loaded, the last ones
/// stored. Tensor k + 1 is what layer k makes.
class RandomChain {
public:
    explicit RandomChain(std::uint64_t seed) {
        SplitMix64 rng(seed);
        height_ = rng.range(4, 30);
        rows_ = rng.range(1, 6);
        const auto layers = static_cast<std::size_t>(rng.range(1, 6));
        for (std::size_t k = 0; k < layers; ++k) {
            layers_.push_back({rng.range(0, 2) == 0 ? Queue::Second : Queue::Calls, rng.range(0, 1),
                               rng.range(1, 40), false});
            layers_.back().adds = k > 1 && rng.range(0, 3) == 0;
        }
        tensors = layers + 1;
        chains = layers + 2;
        made_.assign(tensors, 0);
        for (std::size_t band = 0; made_.back() < height_; ++band)
            addBand(band);
        for (BandItem& item : items)
            for (const design::TensorRows& read : item.reads)
                item.ports.push_back(read.tensor);
    }

    std::vector<BandItem> items;
    std::size_t tensors = 0, chains = 0;

private:
    void addBand(std::size_t band) {
        const RowRange loaded{made_[0], std::min(height_, made_[0] + rows_)};
        if (!loaded.empty())
            items.push_back({band, 0, Queue::Transfers, {}, 2 * loaded.size(), {}, {{0, loaded}}});
        made_[0] = loaded.end;
        for (std::size_t k = 0; k < layers_.size(); ++k)
            addLayer(band, k);
    }

    void addLayer(std::size_t band, std::size_t k) {
        const RandomLayer& layer = layers_[k];
        const std::int64_t there = made_[k] == height_ ? height_ : made_[k] - layer.halo;
        const RowRange rows{made_[k + 1], std::max(made_[k + 1], there)};
        if (rows.empty())
            return;
        made_[k + 1] = rows.end;
        const RowRange read{std::max<std::int64_t>(rows.begin - layer.halo, 0),
                            std::min(rows.end + layer.halo, height_)};
        items.push_back({band,
                         k + 1,
                         layer.queue,
                         design::UnitId(k % 3),
                         layer.clocks * rows.size(),
                         {{k, read}},
                         {{k + 1, rows}}});
        if (layer.adds)
            items.back().reads.push_back({k - 1, rows});
        if (k + 1 == layers_.size())
            items.push_back({band, k + 2, Queue::Transfers, {}, rows.size(), {{k + 1, rows}}, {}});
    }

    std::int64_t height_ = 1, rows_ = 1;
    std::vector<RandomLayer> layers_;
    std::vector<std::int64_t> made_; ///< rows of each tensor
};

std::vector<BandItem> inOrder(const std::vector<BandItem>& items, std::size_t ahead) {
    std::vector<BandItem> ordered;
    for (const std::size_t item : design::orderBands(items, ahead).items)
        ordered.push_back(items[item]);
    return ordered;
}

} // namespace

TEST(BandOrder, BeginsWhatIsThere) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RandomChain chain(seed);
        const std::size_t ahead = 1 + seed % 3;
        const std::vector<std::size_t> order =
            design::orderBands(chain.items, ahead, static_cast<std::int64_t>(seed % 5 * 20)).items;
        ASSERT_EQ(std::set(order.begin(), order.end()).size(), chain.items.size()) << seed;
        std::vector<std::int64_t> made(chain.tensors, 0);
        std::vector<std::size_t> bands(chain.chains, 0);
        std::multiset<std::size_t> left;
        for (const BandItem& item : chain.items)
            left.insert(item.band);
        for (const std::size_t k : order) {
            const BandItem& item = chain.items[k];
            for (const design::TensorRows& read : item.reads)
                EXPECT_LE(read.rows.end, made[read.tensor]) << seed;
            EXPECT_GE(item.band, bands[item.chain]) << seed;
            bands[item.chain] = item.band;
            EXPECT_LE(item.band, *left.begin() + ahead) << seed;
            left.erase(left.find(item.band));
            if (item.makes) {
                EXPECT_EQ(item.makes->rows.begin, made[item.makes->tensor]) << seed;
                made[item.makes->tensor] = item.makes->rows.end;
            }
        }
    }
}

// Calls that run in one queue come band by band where nothing else is to be begun.
TEST(BandOrder, IsThatOfTheBandsInOneQueue) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        RandomChain chain(seed);
        for (BandItem& item : chain.items)
            item.queue = Queue::Calls;
        std::size_t band = 0;
        for (const BandItem& item : inOrder(chain.items, 2)) {
            EXPECT_GE(item.band, band) << seed;
            band = item.band;
        }
    }
}

namespace {

/// One of the items behind it awaits its end: of its queue, or of its unit, or a reader of what it
/// reads.
bool isAwaited(const BandItem& item, const BandItem& by) {
    const auto readsToo = [&](const design::TensorRows& read) {
        return std::ranges::any_of(
            by.reads, [&](const design::TensorRows& other) { return other.tensor == read.tensor; });
    };
    return item.queue == Queue::Calls || item.queue == by.queue ||
           (item.unit && item.unit == by.unit) || std::ranges::any_of(item.reads, readsToo);
}

} // namespace

// A row is there from its maker on until the last step that reads it has ended.
TEST(BandOrder, RingsHoldTheRowsThatAreRead) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const RandomChain chain(seed);
        const std::vector<BandItem> items = inOrder(chain.items, 1 + seed % 3);
        const std::vector<std::int64_t> kept = design::ringRows(items, chain.tensors);
        for (std::size_t m = 0; m < items.size(); ++m)
            for (std::size_t r = 0; r < items.size(); ++r) {
                bool ended = false;
                for (std::size_t k = r + 1; k <= m; ++k)
                    ended |= isAwaited(items[r], items[k]);
                for (const design::TensorRows& read : items[r].reads)
                    if (items[m].makes && items[m].makes->tensor == read.tensor && !ended) {
                        EXPECT_LE(items[m].makes->rows.end - read.rows.begin, kept[read.tensor])
                            << seed;
                    }
            }
    }
}

} // namespace marquetry
