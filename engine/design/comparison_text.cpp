#include "engine/design/comparison_text.h"

#include "engine/support/numbers.h"
#include "engine/support/quote.h"
#include "engine/support/text_columns.h"
#include "engine/support/text_stream.h"

#include <iomanip>

namespace marquetry::design {

namespace {

std::string fixedText(double value, int digits) {
    TextOut text;
    text << std::fixed << std::setprecision(digits) << value;
    return text.str();
}

/// A difference carries its sign.
std::string shownNumber(const std::string& number, double value, CellForm form) {
    return form == CellForm::Difference && value > 0 ? "+" + number : number;
}

std::string comparedText(const LedgerCell& cell, CellForm form) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return printable(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return shownNumber(std::to_string(*whole), static_cast<double>(*whole), form);
    const auto* number = std::get_if<double>(&cell);
    if (number == nullptr)
        return {};
    constexpr int kRatioDigits = 3;
    return form == CellForm::Ratio ? fixedText(*number, kRatioDigits)
                                   : shownNumber(roundedText(*number), *number, form);
}

std::string tableText(const Comparison& comparison, ComparisonRows rows) {
    std::vector<TextRow> lines(1);
    std::vector<bool> toTheRight;
    const auto columns = comparisonColumns(rows);
    for (const ComparisonColumn& column : columns) {
        lines.front().emplace_back(column.title);
        toTheRight.push_back(column.form != CellForm::Text);
    }
    for (std::size_t row = 0; row < comparisonRowCount(comparison, rows); ++row) {
        TextRow& line = lines.emplace_back();
        for (std::size_t column = 0; column < columns.size(); ++column)
            line.push_back(
                comparedText(cellOf(comparison, rows, row, column), columns[column].form));
    }
    return textColumns(lines, toTheRight);
}

std::string csvOfCell(const LedgerCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return csvText(*text);
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return std::to_string(*whole);
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? numberText(*number) : std::string();
}

} // namespace

std::string comparisonText(const Comparison& comparison) {
    TextOut text;
    text << "comparison of two designs of " << printable(comparison.program) << "\n"
         << "A: " << comparison.wordsA << " (" << printable(comparison.nameA) << ")\n"
         << "B: " << comparison.wordsB << " (" << printable(comparison.nameB) << ")\n";
    for (const std::string& note : comparison.notes)
        text << "note: " << note << "\n";
    for (const ComparisonRows rows : kComparisonRows)
        text << toString(rows) << ":\n" << tableText(comparison, rows);
    return text.str();
}

std::string comparisonCsv(const Comparison& comparison, ComparisonRows rows) {
    std::string text;
    const auto columns = comparisonColumns(rows);
    for (const ComparisonColumn& column : columns)
        text += (text.empty() ? "" : ",") + std::string(column.key);
    text += "\n";
    for (std::size_t row = 0; row < comparisonRowCount(comparison, rows); ++row) {
        for (std::size_t column = 0; column < columns.size(); ++column)
            text += (column == 0 ? "" : ",") + csvOfCell(cellOf(comparison, rows, row, column));
        text += "\n";
    }
    return text;
}

} // namespace marquetry::design
