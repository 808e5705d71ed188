#include "engine/design/ledger_text.h"

#include "engine/design/ledger_table.h"
#include "engine/support/numbers.h"
#include "engine/support/text_columns.h"
#include "engine/support/text_stream.h"

#include <algorithm>
#include <iomanip>

namespace marquetry::design {

namespace {

std::string tenths(double value) {
    TextOut text;
    text << std::fixed << std::setprecision(1) << value;
    return text.str();
}

std::string shownCell(const LedgerCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return std::to_string(*whole);
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? tenths(*number) : std::string();
}

std::string rowsText(const Ledger& ledger, LedgerRows rows) {
    std::vector<TextRow> lines(1);
    std::vector<bool> toTheRight;
    for (const LedgerColumn& column : ledgerColumns()) {
        lines.front().emplace_back(column.title);
        toTheRight.push_back(column.number);
    }
    const auto add = [&](const LedgerRow& row) {
        TextRow& line = lines.emplace_back();
        for (const LedgerColumn& column : ledgerColumns())
            line.push_back(shownCell(cellOf(ledger, row, column.field)));
    };
    for (const LedgerRow& row : ledger.rows(rows))
        add(row);
    add(totalRow(ledger));
    return textColumns(lines, toTheRight);
}

std::string unitsText(const Ledger& ledger) {
    std::vector<TextRow> lines{{"Unit", "Multipliers", "Clocks", "Multiplying", "Used %"}};
    for (const LedgerUnit& unit : ledger.units) {
        const auto clocks = static_cast<double>(unit.clocks.alone());
        lines.push_back({unit.name, std::to_string(unit.multipliers),
                         std::to_string(unit.clocks.alone()), tenths(unit.clocks.multiplying),
                         unit.multipliers > 0 && clocks > 0
                             ? tenths(100 * unit.clocks.multiplying / clocks)
                             : std::string()});
    }
    return textColumns(lines, {false, true, true, true, true});
}

std::string resourcesText(const Ledger& ledger) {
    constexpr std::size_t kShown = 4;
    TextOut text;
    for (const LedgerResource& resource : ledger.resources) {
        text << "  " << resource.name << " " << roundedText(resource.used) << " of "
             << roundedText(resource.limit) << " (" << tenths(100 * resource.share()) << " %";
        if (resource.limit != resource.device)
            text << "; the device has " << roundedText(resource.device);
        text << ")";
        for (std::size_t k = 0; k < std::min(kShown, resource.users.size()); ++k)
            text << (k == 0 ? ": " : ", ") << resource.users[k].name << " "
                 << roundedText(resource.users[k].amount);
        if (resource.users.size() > kShown)
            text << ", and " << resource.users.size() - kShown << " more";
        text << "\n";
    }
    return text.str();
}

std::string csvField(const LedgerCell& cell) {
    const auto* text = std::get_if<std::string>(&cell);
    if (text == nullptr) {
        const auto* number = std::get_if<double>(&cell);
        return number != nullptr ? numberText(*number) : shownCell(cell);
    }
    return csvText(*text);
}

} // namespace

std::string ledgerText(const Ledger& ledger, LedgerRows rows) {
    TextOut text;
    text << "ledger of " << ledger.program << ": " << ledger.cycles << " cycles";
    if (ledger.frames > 1)
        text << " of a run of " << ledger.frames << " frames";
    text << "\n";
    if (!ledger.missing.empty()) {
        text << "no rows: " << ledger.missing << "\n";
        return text.str();
    }
    text << rowsText(ledger, rows) << "units:\n"
         << unitsText(ledger) << "resources:\n"
         << resourcesText(ledger) << ledger.binding.text << "\n";
    return text.str();
}

std::string ledgerCsv(const Ledger& ledger, LedgerRows rows) {
    std::string text;
    for (const LedgerColumn& column : ledgerColumns())
        text += (text.empty() ? "" : ",") + std::string(column.key);
    text += "\n";
    const auto add = [&](const LedgerRow& row) {
        std::string line;
        for (const LedgerColumn& column : ledgerColumns())
            line += (column.field == LedgerField::Name ? "" : ",") +
                    csvField(cellOf(ledger, row, column.field));
        text += line + "\n";
    };
    for (const LedgerRow& row : ledger.rows(rows))
        add(row);
    if (ledger.missing.empty())
        add(totalRow(ledger));
    return text;
}

} // namespace marquetry::design
