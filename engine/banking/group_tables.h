// The contents of the tables that address a tabulated group of lanes (hardware_plan.h), one table
// per output, as the cost model counts them. Internal to the module. Thread rule: pure.
#pragma once

#include "engine/banking/hardware_plan.h"

#include <map>
#include <set>
#include <tuple>

namespace marquetry::banking {

struct GroupTables {
    using PortKey = std::tuple<std::int64_t, std::int64_t, int>; ///< copy, bank, port
    struct PortRows {
        std::vector<std::int64_t> offsets; ///< per row of the counters, or kAnyValue
        std::vector<std::int64_t> writer;
        std::set<std::size_t> writers;
    };
    std::map<PortKey, PortRows> ports;
    std::vector<std::vector<std::int64_t>> selects; ///< per lane: which port, numbered
    std::vector<std::int64_t> choices;              ///< per lane: how many of them
};

/// Banks that are not `written` hold nothing and are left out.
GroupTables groupTables(const AccessPattern& pattern, const Scheme& scheme,
                        const GroupHardware& group, const std::vector<bool>& written);

/// The values numbered in the order in which they come.
std::vector<std::int64_t> ranked(std::vector<std::int64_t> rows);

} // namespace marquetry::banking
