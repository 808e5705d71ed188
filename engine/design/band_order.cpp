#include "engine/design/band_order.h"

#include "engine/design/cycle_model.h"

#include <algorithm>
#include <array>
#include <limits>

namespace marquetry::design {

namespace {

/// A step of another queue goes first if the calls lose no more than this part of either.
constexpr std::int64_t kPatience = 8;

/// They would meet at a unit, or at a port.
bool meetAtPort(const BandItem& a, const BandItem& b) {
    if (a.unit && a.unit == b.unit)
        return true;
    return std::ranges::any_of(a.ports, [&](std::size_t port) {
        return std::ranges::find(b.ports, port) != b.ports.end();
    });
}

class BandScheduler {
public:
    BandScheduler(const std::vector<BandItem>& items, std::size_t ahead, std::int64_t interval)
        : items_(items), ahead_(ahead), interval_(interval), ready_(items.size()) {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].chain >= chains_.size())
                chains_.resize(items[i].chain + 1);
            chains_[items[i].chain].push_back(i);
            for (const TensorRows& read : items[i].reads)
                made_.resize(std::max(made_.size(), read.tensor + 1));
            if (items[i].makes)
                made_.resize(std::max(made_.size(), items[i].makes->tensor + 1));
        }
        next_.assign(chains_.size(), 0);
    }

    BandOrder run() {
        BandOrder order;
        order.begins.assign(items_.size(), 0);
        while (order.items.size() < items_.size()) {
            const Candidate next = choose();
            begin(next);
            order.items.push_back(next.item);
            order.begins[next.item] = next.begin;
        }
        order.clocks = end();
        return order;
    }

    std::optional<std::int64_t> run(const std::vector<std::size_t>& order) {
        for (const std::size_t item : order) {
            const Candidate next{item, beginOf(item)};
            if (next.begin == Candidate{}.begin)
                return std::nullopt;
            begin(next);
        }
        return end();
    }

private:
    struct Candidate {
        std::size_t item = 0;
        std::int64_t begin = std::numeric_limits<std::int64_t>::max(); ///< none can begin
    };
    struct Made {
        std::int64_t rows; ///< up to this one
        std::int64_t clock;
    };

    std::int64_t end() const {
        std::int64_t clocks = clock_;
        for (const Running& running : running_)
            clocks = std::max(clocks, running.end);
        return clocks;
    }

    /// The first item that can begin of calls and of the others.
    Candidate choose() const {
        Candidate call, other;
        const std::size_t last = oldest() + ahead_;
        for (std::size_t chain = 0; chain < chains_.size(); ++chain) {
            if (next_[chain] == chains_[chain].size())
                continue;
            const std::size_t item = chains_[chain][next_[chain]];
            if (items_[item].band > last)
                continue;
            Candidate& best = items_[item].queue == Queue::Calls ? call : other;
            const std::int64_t begin = beginOf(item);
            if (begin < best.begin ||
                (begin == best.begin && items_[item].band < items_[best.item].band))
                best = {item, begin};
        }
        if (other.begin == Candidate{}.begin)
            return call;
        if (call.begin == Candidate{}.begin)
            return other;
        const std::int64_t patience =
            std::min(items_[call.item].clocks, items_[other.item].clocks) / kPatience;
        return other.begin <= call.begin + patience ? other : call;
    }

    std::size_t oldest() const {
        std::size_t band = std::numeric_limits<std::size_t>::max() - ahead_;
        for (std::size_t chain = 0; chain < chains_.size(); ++chain)
            if (next_[chain] < chains_[chain].size())
                band = std::min(band, items_[chains_[chain][next_[chain]]].band);
        return band;
    }

    std::int64_t beginOf(std::size_t item) const {
        const BandItem& step = items_[item];
        const std::int64_t ready = readyAt(item);
        if (ready == Candidate{}.begin)
            return ready;
        std::int64_t begin =
            std::max({clock_, ready, static_cast<std::int64_t>(step.band) * interval_});
        for (std::size_t k = indexOf(Queue::Transfers); k < kMostQueues; ++k)
            if (const Running& running = running_[k];
                running.end > begin &&
                (k == indexOf(step.queue) || meetAtPort(items_[running.item], step)))
                begin = running.end;
        return begin;
    }

    /// The clock from which on all that it reads is there, once that is known.
    std::int64_t readyAt(std::size_t item) const {
        std::optional<std::int64_t>& known = ready_[item];
        if (known)
            return *known;
        std::int64_t ready = 0;
        for (const TensorRows& read : items_[item].reads) {
            const std::int64_t there = madeAt(read);
            if (there == Candidate{}.begin)
                return there;
            ready = std::max(ready, there);
        }
        known = ready;
        return ready;
    }

    /// The clock from which on the rows are there.
    std::int64_t madeAt(const TensorRows& read) const {
        const std::vector<Made>& made = made_[read.tensor];
        const auto there = std::ranges::lower_bound(made, read.rows.end, {}, &Made::rows);
        return there == made.end() ? Candidate{}.begin : there->clock;
    }

    void begin(const Candidate& next) {
        const BandItem& step = items_[next.item];
        const bool calls = step.queue == Queue::Calls;
        const std::int64_t end = next.begin + step.clocks + (calls ? 0 : kHandOver);
        clock_ = calls ? end : next.begin + kHandOver;
        if (!calls)
            running_[indexOf(step.queue)] = {next.item, end};
        if (step.makes)
            made_[step.makes->tensor].push_back({step.makes->rows.end, end});
        ++next_[step.chain];
    }

    struct Running {
        std::size_t item = 0;
        std::int64_t end = 0;
    };
    const std::vector<BandItem>& items_;
    std::size_t ahead_;
    std::int64_t interval_;
    std::vector<std::vector<std::size_t>> chains_;           ///< items
    std::vector<std::size_t> next_;                          ///< of each chain, that is begun
    std::vector<std::vector<Made>> made_;                    ///< by tensor
    mutable std::vector<std::optional<std::int64_t>> ready_; ///< by item
    std::array<Running, kMostQueues> running_{};             ///< by queue
    std::int64_t clock_ = 0;                                 ///< when the next item may begin
};

/// By item and tensor: the first row that an item behind it reads; the largest number where none.
class RowsReadBehind {
public:
    RowsReadBehind(const std::vector<BandItem>& items, std::size_t tensors) : tensors_(tensors) {
        rows_.assign((items.size() + 1) * tensors, std::numeric_limits<std::int64_t>::max());
        for (std::size_t i = items.size(); i-- > 0;) {
            std::copy_n(rows_.begin() + at(i + 1, 0), tensors, rows_.begin() + at(i, 0));
            for (const TensorRows& read : items[i].reads) {
                std::int64_t& first = rows_[static_cast<std::size_t>(at(i, read.tensor))];
                first = std::min(first, read.rows.begin);
            }
        }
    }

    std::int64_t first(std::size_t item, std::size_t tensor) const {
        return rows_[static_cast<std::size_t>(at(item + 1, tensor))];
    }

private:
    std::ptrdiff_t at(std::size_t item, std::size_t tensor) const {
        return static_cast<std::ptrdiff_t>(item * tensors_ + tensor);
    }

    std::size_t tensors_;
    std::vector<std::int64_t> rows_;
};

} // namespace

BandOrder orderBands(const std::vector<BandItem>& items, std::size_t ahead, std::int64_t interval) {
    return BandScheduler(items, ahead, interval).run();
}

std::optional<std::int64_t> clocksInOrder(const std::vector<BandItem>& items,
                                          const std::vector<std::size_t>& order) {
    return BandScheduler(items, items.size(), 0).run(order);
}

std::vector<std::int64_t> ringRows(const std::vector<BandItem>& items, std::size_t tensors) {
    std::vector<std::int64_t> kept(tensors, 0);
    const RowsReadBehind reads(items, tensors);
    std::array<const BandItem*, kMostQueues> running{}; // by queue: may not have ended
    for (std::size_t i = 0; i < items.size(); ++i) {
        const BandItem& item = items[i];
        for (const BandItem*& other : running)
            if (other != nullptr && (other->queue == item.queue || meetAtPort(*other, item)))
                other = nullptr;
        if (item.makes) {
            const auto [tensor, rows] = *item.makes;
            std::int64_t first = std::min(rows.begin, reads.first(i, tensor));
            for (const BandItem* other : running)
                if (other != nullptr)
                    for (const TensorRows& read : other->reads)
                        if (read.tensor == tensor)
                            first = std::min(first, read.rows.begin);
            kept[tensor] = std::max(kept[tensor], rows.end - first);
        }
        if (item.queue != Queue::Calls)
            running[indexOf(item.queue)] = &item;
    }
    return kept;
}

} // namespace marquetry::design
