#include "engine/support/text_columns.h"

#include <algorithm>

namespace marquetry {

namespace {

std::size_t widthOf(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

} // namespace

std::string textColumns(const std::vector<TextRow>& rows, const std::vector<bool>& toTheRight) {
    std::vector<std::size_t> widths(toTheRight.size(), 0);
    std::vector<bool> used(toTheRight.size(), false);
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t c = 0; c < rows[r].size(); ++c) {
            widths[c] = std::max(widths[c], widthOf(rows[r][c]));
            used[c] = used[c] ||
                      (r > 0 && !rows[r][c].empty() && rows[r][c] != "0" && rows[r][c] != "0.0");
        }
    std::string text;
    for (const TextRow& row : rows) {
        std::string line;
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (!used[c])
                continue;
            const std::string gap(widths[c] - widthOf(row[c]), ' ');
            line += "  " + (toTheRight[c] ? gap + row[c] : row[c] + gap);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string csvText(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"')
            quoted += c;
    }
    return quoted + "\"";
}

} // namespace marquetry
