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
    bool scales = false;         ///< else every row has a lane that only shifts
    std::int64_t leastWords = 1; ///< of the shortest reduction of all calls
    std::int64_t passLanes = 8;  ///< of a pass: the schedule's
    std::int64_t passUnits = 0;  ///< built: passes of one function and type of operand share one
    cost::WriteBackForm units, passes;

    std::int64_t lanes(std::int64_t parallel) const;
    /// Clocks in which the results of a reduction leave.
    std::int64_t groups(std::int64_t parallel) const { return parallel / lanes(parallel); }
    /// DSP blocks of the lanes of a unit, of a pass, and of all passes.
    double dsp(std::int64_t parallel) const;
    double passDsp() const;
    double allPassesDsp() const;
    /// None where no results are scaled.
    std::optional<design::WriteBack> of(bool pass, std::int64_t parallel) const;
};

WriteBacks writeBacksOf(const rules::Lowered& lowered, const std::vector<CallInfo>& calls);

} // namespace marquetry::extract
