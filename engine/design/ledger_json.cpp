#include "engine/design/ledger_table.h"
#include "engine/design/ledger_text.h"
#include "engine/support/json.h"

namespace marquetry::design {

namespace {

using LedgerJson = nlohmann::ordered_json;

LedgerJson clocksJson(const LedgerClocks& clocks) {
    LedgerJson json = {{"cycles", clocks.cycles()}};
    for (std::size_t k = 0; k < kClockParts; ++k) {
        const auto part = static_cast<ClockPart>(k);
        const bool shared = part == ClockPart::Multiplying || part == ClockPart::Padding;
        json[toString(part)] = shared ? LedgerJson(clocks.of(part))
                                      : LedgerJson(static_cast<std::int64_t>(clocks.of(part)));
    }
    json["overlap"] = clocks.overlap;
    json["multiplications"] = clocks.multiplications;
    return json;
}

LedgerJson rowJson(const LedgerRow& row) {
    LedgerJson json = {{"name", row.name},
                       {"what", toString(row.kind)},
                       {"unit", row.unit ? LedgerJson(row.unitName) : LedgerJson()},
                       {"bound_by", boundName(row.bound)},
                       {"begin", row.begin},
                       {"clocks", clocksJson(row.clocks)}};
    json["weights"] = row.weights ? LedgerJson{{"external", row.weights->external},
                                               {"words", row.weights->words},
                                               {"bits", row.weights->bits},
                                               {"why", row.weights->why}}
                                  : LedgerJson();
    return json;
}

LedgerJson rowsJson(const std::vector<LedgerRow>& rows) {
    LedgerJson json = LedgerJson::array();
    for (const LedgerRow& row : rows)
        json.push_back(rowJson(row));
    return json;
}

LedgerJson resourceJson(const LedgerResource& resource) {
    LedgerJson json = {{"name", resource.name},
                       {"used", resource.used},
                       {"limit", resource.limit},
                       {"device", resource.device},
                       {"users", LedgerJson::array()}};
    for (const ResourceUser& user : resource.users)
        json["users"].push_back({{"name", user.name}, {"amount", user.amount}});
    return json;
}

} // namespace

std::string ledgerJson(const Ledger& ledger) {
    LedgerJson json = {{"program", ledger.program},         {"cycles", ledger.cycles},
                       {"frames", ledger.frames},           {"missing", ledger.missing},
                       {"total", clocksJson(ledger.total)}, {"layers", rowsJson(ledger.layers)},
                       {"steps", rowsJson(ledger.steps)},   {"units", LedgerJson::array()},
                       {"resources", LedgerJson::array()}};
    for (const LedgerUnit& unit : ledger.units)
        json["units"].push_back({{"name", unit.name},
                                 {"multipliers", unit.multipliers},
                                 {"clocks", clocksJson(unit.clocks)}});
    for (const LedgerResource& resource : ledger.resources)
        json["resources"].push_back(resourceJson(resource));
    json["binding"] = {{"part", toString(ledger.binding.part)},
                       {"row", ledger.binding.row},
                       {"text", ledger.binding.text}};
    return json.dump(2, ' ', false, LedgerJson::error_handler_t::replace);
}

} // namespace marquetry::design
