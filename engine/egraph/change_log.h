// Which old e-nodes changed, and when. With this log a search can look at new matches only.
//
// Time is counted in epochs; a search begins one and gets a Mark. An e-node has changed since a
// mark when it was made after it. It has also changed when, since the mark, one of its children or
// its own class was absorbed by another class or got another fact. Each old e-node is logged at
// most once per epoch.
// Complexity: O(1) to log; a visit is linear in the changes since the mark.
// Thread rule: the e-graph's owner.
#pragma once

#include "engine/egraph/enode.h"

#include <algorithm>
#include <limits>

namespace marquetry::egraph {

/// A moment of an e-graph's life. The default one is its beginning: everything changed since.
struct Mark {
    std::uint32_t enodes = 0;
    std::uint32_t epoch = 0;
};

class ChangeLog {
public:
    struct Entry {
        ENodeId node;
        std::uint32_t epoch;
    };

    std::uint32_t epoch() const { return epoch_; }
    /// E-nodes older than this are logged when they change; younger ones are new to every mark.
    std::uint32_t epochStart() const { return epochStart_; }

    Mark begin(std::size_t enodes) {
        epochStart_ = static_cast<std::uint32_t>(enodes);
        return {epochStart_, ++epoch_};
    }
    void add(OpId op, ENodeId n) {
        if (byOp_.size() <= op.index())
            byOp_.resize(op.index() + 1);
        byOp_[op.index()].push_back({n, epoch_});
    }
    /// Entries of the epochs of `mark` and later.
    std::span<const Entry> since(OpId op, Mark mark) const {
        if (byOp_.size() <= op.index())
            return {};
        const auto& entries = byOp_[op.index()];
        const auto from = std::ranges::lower_bound(entries, mark.epoch, {}, &Entry::epoch);
        return {from, entries.end()};
    }
    /// A mark the log no longer reaches back to becomes the beginning.
    Mark reachable(Mark mark) const { return mark.epoch >= firstEpoch_ ? mark : Mark{}; }
    void forgetBefore(std::uint32_t epoch) {
        firstEpoch_ = std::max(firstEpoch_, epoch);
        for (auto& entries : byOp_)
            entries.erase(entries.begin(),
                          std::ranges::lower_bound(entries, epoch, {}, &Entry::epoch));
    }
    std::size_t bytes() const {
        std::size_t sum = byOp_.capacity() * sizeof(std::vector<Entry>);
        for (const auto& entries : byOp_)
            sum += entries.capacity() * sizeof(Entry);
        return sum;
    }

private:
    std::vector<std::vector<Entry>> byOp_; ///< epochs never decrease
    std::uint32_t epoch_ = 0;
    std::uint32_t epochStart_ = 0;
    std::uint32_t firstEpoch_ = 1;
};

} // namespace marquetry::egraph
