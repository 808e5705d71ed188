#include "engine/extract/stream_plans.h"

#include "engine/support/numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

namespace marquetry::extract {

namespace {

double cyclesOf(const StreamChoices& call, const StreamOption* option) {
    return option == nullptr ? call.own : static_cast<double>(option->cycles);
}

/// The ways of a call that have room, null for not streamed.
std::vector<const StreamOption*> waysOf(const StreamChoices& call) {
    std::vector<const StreamOption*> ways;
    if (call.mayNot && call.own < kInfinity)
        ways.push_back(nullptr);
    ways.insert(ways.end(), call.options.begin(), call.options.end());
    return ways;
}

/// Plans by the sum of their calls' cycles, least first, one at a time.
class Enumeration {
public:
    Enumeration(const std::vector<StreamChoices>& calls, const device::Resources& limits)
        : calls_(calls), limits_(limits), rest_(calls.size() + 1, 0.0) {
        for (std::size_t c = calls.size(); c-- > 0;) {
            ways_.insert(ways_.begin(), waysOf(calls[c]));
            double least = kInfinity;
            for (const StreamOption* way : ways_.front())
                least = std::min(least, cyclesOf(calls[c], way));
            rest_[c] = rest_[c + 1] + least;
        }
        if (rest_[0] < kInfinity)
            push({0, 0, nullptr, 0, {}});
    }

    /// No plan that has not been given takes less. Infinity: there is none.
    double least() const { return open_.empty() ? kInfinity : open_.top().bound; }

    std::optional<StreamPlan> next() {
        while (!open_.empty()) {
            const Entry entry = open_.top();
            if (nodes_[entry.node].depth < calls_.size() && nodes_.size() >= kMaxStreamNodes)
                return std::nullopt;
            open_.pop();
            if (nodes_[entry.node].depth == calls_.size())
                return planOf(entry.node);
            expand(entry.node);
        }
        return std::nullopt;
    }

private:
    struct Node {
        std::size_t depth = 0;
        std::size_t parent = 0;
        const StreamOption* way = nullptr; ///< of the call before `depth`
        double cycles = 0;
        device::Resources used;
    };
    struct Entry {
        double bound = 0;
        std::size_t depth = 0;
        std::size_t node = 0;
        /// Of equal bounds the longer plan, then the earlier one, is on top.
        bool operator<(const Entry& other) const {
            return std::tuple(other.bound, depth, other.node) <
                   std::tuple(bound, other.depth, node);
        }
    };

    void push(Node node) {
        open_.push({node.cycles + rest_[node.depth], node.depth, nodes_.size()});
        nodes_.push_back(node);
    }

    void expand(std::size_t index) {
        const Node node = nodes_[index];
        for (const StreamOption* way : ways_[node.depth]) {
            device::Resources used = node.used;
            if (way != nullptr)
                used += way->resources;
            if (used.fits(limits_))
                push({node.depth + 1, index, way, node.cycles + cyclesOf(calls_[node.depth], way),
                      used});
        }
    }

    StreamPlan planOf(std::size_t index) const {
        StreamPlan plan(calls_.size(), nullptr);
        for (; nodes_[index].depth > 0; index = nodes_[index].parent)
            plan[nodes_[index].depth - 1] = nodes_[index].way;
        return plan;
    }

    const std::vector<StreamChoices>& calls_;
    device::Resources limits_;
    std::vector<std::vector<const StreamOption*>> ways_; ///< by call
    std::vector<double> rest_; ///< by call: least cycles of it and those behind it
    std::vector<Node> nodes_;
    std::priority_queue<Entry> open_;
};

/// The calls that `part` streams, `whole` streams as well.
bool isPart(const StreamPlan& part, const StreamPlan& whole) {
    for (std::size_t c = 0; c < part.size(); ++c)
        if (part[c] != nullptr && whole[c] == nullptr)
            return false;
    return true;
}

/// Without options that take at least what another one does.
void keepSmallest(std::vector<const StreamOption*>& options) {
    std::vector<const StreamOption*> kept;
    for (const StreamOption* option : options) {
        const auto noLarger = [&](const StreamOption* other) {
            return other->resources.fits(option->resources);
        };
        if (std::ranges::any_of(kept, noLarger))
            continue;
        std::erase_if(kept, [&](const StreamOption* other) {
            return option->resources.fits(other->resources);
        });
        kept.push_back(option);
    }
    options = std::move(kept);
}

} // namespace

bool StreamPlans::complete() const {
    return std::isinf(open);
}

std::size_t countStreamPlans(const std::vector<StreamChoices>& calls, std::size_t most) {
    std::size_t count = 1;
    for (const StreamChoices& call : calls)
        count = std::min(most, count * (call.options.size() + (call.mayNot ? 1 : 0)));
    return count;
}

std::vector<StreamPlan> allStreamPlans(const std::vector<StreamChoices>& calls) {
    std::vector<StreamPlan> plans = {StreamPlan(calls.size(), nullptr)};
    for (std::size_t c = 0; c < calls.size(); ++c) {
        std::vector<StreamPlan> longer;
        if (calls[c].mayNot)
            longer = plans;
        for (const StreamOption* option : calls[c].options)
            for (StreamPlan plan : plans) {
                plan[c] = option;
                longer.push_back(std::move(plan));
            }
        plans = std::move(longer);
    }
    return plans;
}

StreamPlans fastestStreamPlans(const std::vector<StreamChoices>& calls,
                               const device::Resources& limits) {
    constexpr std::size_t kFastest = 96;
    constexpr double kParts[] = {0.75, 0.5, 0.25, 0.125};
    constexpr std::size_t kOfPart = (kMaxStreamPlans - kFastest) / std::size(kParts);
    StreamPlans result;
    std::set<StreamPlan> known;
    const auto add = [&](Enumeration& from, std::size_t most) {
        while (most > 0) {
            auto plan = from.next();
            if (!plan)
                return;
            if (!known.insert(*plan).second)
                continue;
            result.plans.push_back(*std::move(plan));
            --most;
        }
    };
    const auto notStreamed = [](const StreamChoices& call) {
        return call.mayNot && call.own < kInfinity;
    };
    if (std::ranges::all_of(calls, notStreamed)) {
        result.plans.emplace_back(calls.size(), nullptr);
        known.insert(result.plans.front());
    }
    Enumeration all(calls, limits);
    add(all, kFastest - result.plans.size());
    result.open = all.least();
    for (const double part : kParts) {
        if (result.complete())
            break;
        Enumeration smaller(calls, part * limits);
        add(smaller, kOfPart);
    }
    return result;
}

device::Resources streamResources(const StreamPlan& plan) {
    device::Resources sum;
    for (const StreamOption* option : plan)
        if (option != nullptr)
            sum += option->resources;
    return sum;
}

StreamPlans largestStreamPlans(std::vector<StreamChoices> calls, const device::Resources& limits) {
    // The order is that of cycles: a call that is not streamed is the worst of them.
    StreamPlan everything;
    for (StreamChoices& call : calls) {
        call.own = 1e13;
        keepSmallest(call.options);
        everything.push_back(call.options.empty() ? nullptr : call.options.front());
    }
    Enumeration all(calls, limits);
    StreamPlans result;
    while (result.plans.size() < kMaxStreamPlans) {
        const auto plan = all.next();
        if (!plan)
            break;
        const auto covers = [&](const StreamPlan& known) { return isPart(*plan, known); };
        if (std::ranges::any_of(result.plans, covers))
            continue;
        result.plans.push_back(*plan);
        if (isPart(everything, *plan))
            return result;
    }
    result.open = all.least();
    return result;
}

} // namespace marquetry::extract
