// A ledger as text: for people, as comma-separated values, and as JSON.
//
// CSV has the columns of ledger_table.h under their keys, a row each, and the sum in the last one;
// text fields are quoted. JSON holds everything. Thread rule: pure.
#pragma once

#include "engine/design/ledger.h"

#include <string>

namespace marquetry::design {

/// Rows with the columns in which something is, the units, the resources, what binds.
std::string ledgerText(const Ledger& ledger, LedgerRows rows);
std::string ledgerCsv(const Ledger& ledger, LedgerRows rows);
/// One object, indented.
std::string ledgerJson(const Ledger& ledger);

} // namespace marquetry::design
