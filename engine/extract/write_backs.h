// The write-backs of a program that scales its results, as extraction prices and builds them.
//
// Thread rule: pure.
#pragma once

#include "engine/design/write_back.h"
#include "engine/extract/call_info.h"

#include <optional>
#include <set>
#include <vector>

namespace marquetry::extract {

struct WriteBacks {
    bool scales = false; ///< else lanes only shift, and take no DSP blocks
    /// Of all calls that multiply, but for lane units, and of those.
    std::vector<cost::WindowWords> windows;
    std::int64_t leastLaneWords = 1;
    std::int64_t leastWindow = 1; ///< of the smallest window of all pools on lane units
    std::int64_t passLanes = 8;   ///< of a tensor-wise pass: the schedule's
    /// Built: passes of one function and type of operand share one.
    std::int64_t passUnits = 0, poolUnits = 0;
    cost::WriteBackForm units, passes; ///< the widest
    /// DSP blocks of a lane as it is priced, and of the narrowest that a unit may have.
    std::int64_t unitLane = 0, passLane = 0;
    std::int64_t leastUnitLane = 0, leastPassLane = 0;

    /// A unit of narrower numbers than the widest may take fewer DSP blocks than its price.
    bool exact() const { return unitLane == leastUnitLane && passLane == leastPassLane; }
    /// Prices that no unit is below.
    WriteBacks least() const;

    /// Numbers of lanes that a unit of so many rows may have, fewest first: powers of two that
    /// divide the rows and the schedule's lanes, up to the first with which no call's reductions
    /// wait for the results of the one before. Where nothing is scaled, the most.
    std::vector<std::int64_t> choices(std::int64_t parallel, std::int64_t span) const;
    /// Of the shortest reduction of all calls that multiply.
    std::int64_t leastWords(std::int64_t span) const;
    std::int64_t lanesOfPass(bool lanewise) const;
    /// Clocks in which the results of a reduction leave, by so many lanes of a unit.
    std::int64_t groups(const CallInfo& call, std::int64_t parallel, std::int64_t lanes) const;
    /// DSP blocks of the lanes of a unit, and of all passes.
    double dsp(std::int64_t lanes) const;
    double allPassesDsp() const;
    /// None where no results are scaled. `lanes`: of a unit.
    std::optional<design::WriteBack> of(bool pass, bool lanewise, std::int64_t lanes) const;
};

WriteBacks writeBacksOf(const rules::Lowered& lowered, const std::vector<CallInfo>& calls);

} // namespace marquetry::extract
