// The rows of a comparison as tables: what each column is called, means and holds. The command
// line, its files and the window have the same columns.
//
// Numbers are of the measure that their row or column names; differences are B − A, and ratios
// B ÷ A. Complexity: that of the cells asked for. Thread rule: pure.
#pragma once

#include "engine/design/comparison.h"
#include "engine/design/ledger_table.h"

#include <array>
#include <span>

namespace marquetry::design {

enum class ComparisonRows : std::uint8_t { Figures, Layers, Units, Buffers };
/// In the order in which they are shown.
inline constexpr std::array kComparisonRows{ComparisonRows::Figures, ComparisonRows::Layers,
                                            ComparisonRows::Units, ComparisonRows::Buffers};
std::string toString(ComparisonRows rows);

enum class CellForm : std::uint8_t { Text, Number, Difference, Ratio };

struct ComparisonColumn {
    const char* key = "";   ///< in files
    const char* title = ""; ///< for people
    const char* tip = "";   ///< what it means
    CellForm form = CellForm::Text;
};

std::span<const ComparisonColumn> comparisonColumns(ComparisonRows rows);
std::size_t comparisonRowCount(const Comparison& comparison, ComparisonRows rows);

/// Nothing where there is no such thing.
LedgerCell cellOf(const Comparison& comparison, ComparisonRows rows, std::size_t row,
                  std::size_t column);

/// The design in which the number of a row is the one that is preferred.
enum class Favoured : std::uint8_t { Neither, A, B };
/// "A", "B", or nothing.
std::string toString(Favoured favoured);
Favoured favouredOf(const Comparison& comparison, ComparisonRows rows, std::size_t row);

/// "both", "only A", "only B": who has a layer, a unit or a buffer.
std::string holdersOf(bool inA, bool inB);

} // namespace marquetry::design
