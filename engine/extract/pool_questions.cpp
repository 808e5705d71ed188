#include "engine/extract/pool_questions.h"

#include <algorithm>

namespace marquetry::extract {

namespace {

constexpr std::size_t kMaxQuestions = 48;
/// Entries × demands × nodes that one question may look at.
constexpr double kWork = 4e6;

} // namespace

PoolQuestions::PoolQuestions(const PoolProblem& pool, std::stop_token stop, bool exactPrices)
    : pool_(pool), stop_(std::move(stop)), exactPrices_(exactPrices) {
    const auto size = static_cast<double>(pool.entries.size() * pool.demands.size());
    pool_.wholeFront = false;
    pool_.maxNodes = static_cast<std::size_t>(std::clamp(kWork / (size + 1), 20.0, 2000.0));
}

PoolAnswer PoolQuestions::ask() {
    PoolAnswer answer;
    if (++asked_ > kMaxQuestions || stop_.stop_requested()) {
        answer.exact = answer.asked = false;
        return answer;
    }
    PoolResult result = searchPools(pool_, stop_);
    answer.exact = result.complete && exactPrices_;
    if (!result.front.empty())
        answer.solution = std::move(result.front.front());
    return answer;
}

const PoolAnswer& PoolQuestions::sharing(int eclass) {
    const auto known = sharing_.find(eclass);
    if (known != sharing_.end())
        return known->second;
    const bool pinned = std::ranges::find(pool_.mustShare, eclass) != pool_.mustShare.end();
    if (!pinned)
        pool_.mustShare.push_back(eclass);
    const PoolAnswer& answer = sharing_.emplace(eclass, ask()).first->second;
    if (!pinned)
        pool_.mustShare.pop_back();
    return answer;
}

const PoolAnswer& PoolQuestions::without(const std::vector<int>& entries) {
    const auto known = without_.find(entries);
    if (known != without_.end())
        return known->second;
    pool_.mustNotBuild = entries;
    const PoolAnswer& answer = without_.emplace(entries, ask()).first->second;
    pool_.mustNotBuild.clear();
    return answer;
}

} // namespace marquetry::extract
