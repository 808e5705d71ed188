#include "engine/banking/group_tables.h"

#include "engine/banking/truth_table.h"

#include <algorithm>

namespace marquetry::banking {

std::vector<std::int64_t> ranked(std::vector<std::int64_t> rows) {
    std::vector<std::int64_t> seen;
    for (std::int64_t& row : rows) {
        if (row == kAnyValue)
            continue;
        const auto rank = std::ranges::find(seen, row) - seen.begin();
        if (rank == std::ssize(seen))
            seen.push_back(row);
        row = rank;
    }
    return rows;
}

GroupTables groupTables(const AccessPattern& pattern, const Scheme& scheme,
                        const GroupHardware& group, const std::vector<bool>& written) {
    const BankTable table = bankTable(pattern, scheme, group);
    const std::size_t rows = table.rows.size();
    GroupTables tables;
    tables.selects.resize(group.lanes.size());
    for (std::size_t row = 0; row < rows; ++row) {
        for (const BankTable::Hit& hit : table.rows[row]) {
            if (!written[static_cast<std::size_t>(hit.bank)])
                continue;
            GroupTables::PortRows& port = tables.ports[{hit.copy, hit.bank, hit.port}];
            port.offsets.resize(rows, kAnyValue);
            port.offsets[row] = hit.offset;
            if (hit.copy < 0) {
                port.writer.resize(rows, kAnyValue);
                port.writer[row] = static_cast<std::int64_t>(hit.lane);
                port.writers.insert(hit.lane);
            }
            tables.selects[hit.lane].resize(rows, kAnyValue);
            tables.selects[hit.lane][row] = hit.bank * pattern.ports + hit.port;
        }
    }
    for (std::vector<std::int64_t>& select : tables.selects) {
        select = ranked(std::move(select));
        tables.choices.push_back(select.empty() ? 0 : std::ranges::max(select) + 1);
    }
    return tables;
}

} // namespace marquetry::banking
