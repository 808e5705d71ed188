// The write-backs of a program that scales its results, as extraction prices and builds them.
//
// Thread rule: pure.
#pragma once

#include "engine/design/write_back.h"
#include "engine/extract/call_info.h"

#include <optional>
#include <set>

namespace marquetry::extract {

struct WriteBacks {
    bool scales = false;          ///< else every row has a lane that only shifts
    std::int64_t leastWords = 1;  ///< clocks of the shortest reduction of all calls, with its wait
    std::int64_t leastWindow = 1; ///< of the smallest window of all pools on lane units
    std::int64_t passLanes = 8;   ///< of a tensor-wise pass: the schedule's
    /// Built: passes of one function and type of operand share one.
    std::int64_t passUnits = 0, poolUnits = 0;
    cost::WriteBackForm units, passes;

    /// Of the rows of a unit, or of all lanes of a pass.
    std::int64_t lanes(std::int64_t parallel) const;
    std::int64_t lanesOfPass(bool lanewise) const;
    /// Clocks in which the results of a reduction leave.
    std::int64_t groups(const CallInfo& call, std::int64_t parallel) const;
    /// DSP blocks of the lanes of a unit, and of all passes.
    double dsp(std::int64_t parallel) const;
    double allPassesDsp() const;
    /// None where no results are scaled.
    std::optional<design::WriteBack> of(bool pass, bool lanewise, std::int64_t parallel) const;
};

WriteBacks writeBacksOf(const rules::Lowered& lowered, const std::vector<CallInfo>& calls);

} // namespace marquetry::extract
