// What-if questions about sharing: the best solution with one choice turned round.
//
// Each question is another pool search on the same entries, a small one: its step limit is low, and
// an answer says whether it is exact. So many different questions are answered by search and no
// more (large programs have thousands of candidates). Answers are kept.
// Thread rule: belongs to one thread.
#pragma once

#include "engine/extract/problem.h"

#include <map>
#include <optional>

namespace marquetry::extract {

struct PoolAnswer {
    std::optional<PoolSolution> solution; ///< fastest under the limits, if there is one
    bool exact = true;                    ///< proven; otherwise the best found
    bool asked = true;                    ///< false: too many questions
};

class PoolQuestions {
public:
    /// `exactPrices`: those of the hardware, without which no answer is proven.
    PoolQuestions(const PoolProblem& pool, std::stop_token stop, bool exactPrices);

    /// The unit class is outlined and used by two calls at least.
    const PoolAnswer& sharing(int eclass);
    /// None of the entries is built.
    const PoolAnswer& without(const std::vector<int>& entries);

private:
    PoolAnswer ask();

    PoolProblem pool_;
    std::stop_token stop_;
    bool exactPrices_;
    std::size_t asked_ = 0;
    std::map<int, PoolAnswer> sharing_;
    std::map<std::vector<int>, PoolAnswer> without_;
};

} // namespace marquetry::extract
