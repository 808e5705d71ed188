// The rows of a ledger as a table: what each column is called, means and holds. The command line,
// its files and the window have the same columns.
//
// Clocks are whole numbers but those of multiplying and padding, which are shares of clocks; shares
// are per cent. Thread rule: pure.
#pragma once

#include "engine/design/ledger.h"

#include <span>
#include <variant>

namespace marquetry::design {

using LedgerCell = std::variant<std::monostate, std::string, std::int64_t, double>;

enum class LedgerField : std::uint8_t {
    Name,
    What,
    Unit,
    Bound,
    Cycles,
    Share,
    Multiplying,
    Padding,
    Elements,
    Transfer,
    Move,
    WriteBack,
    Waiting,
    Drain,
    Overlap,
    Multiplications,
    Use,
    Weights,
    Why,
};

struct LedgerColumn {
    LedgerField field = LedgerField::Name;
    const char* key = "";   ///< in files
    const char* title = ""; ///< for people
    const char* tip = "";   ///< what it means
    bool number = true;
};

/// By LedgerField.
std::span<const LedgerColumn> ledgerColumns();

/// Nothing where the row has no such thing.
LedgerCell cellOf(const Ledger& ledger, const LedgerRow& row, LedgerField field);

/// All rows together; its name is "total".
LedgerRow totalRow(const Ledger& ledger);

} // namespace marquetry::design
