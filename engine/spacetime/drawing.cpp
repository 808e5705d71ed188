#include "engine/spacetime/drawing.h"

#include <algorithm>

namespace marquetry::spacetime {

using Kind = SeqType::Kind;

namespace {

/// Columns on a screen: bytes that start a UTF-8 character.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string pad(std::string text, std::size_t columns) {
    text.append(columns - std::min(columns, width(text)), ' ');
    return text;
}

std::string slotText(const SeqType& type, std::int64_t clock, std::int64_t lane) {
    const std::int64_t element = elementAt(type, clock, lane);
    return element < 0 ? "." : std::to_string(element);
}

} // namespace

std::int64_t elementAt(const SeqType& type, std::int64_t clock, std::int64_t lane) {
    if (type.is(Kind::Atom))
        return 0;
    const bool inTime = type.is(Kind::TSeq);
    const SeqType& element = type.element();
    const std::int64_t size = inTime ? clocks(element) : lanes(element);
    const std::int64_t k = (inTime ? clock : lane) / size;
    if (k >= type.length)
        return -1;
    const std::int64_t inner =
        inTime ? elementAt(element, clock % size, lane) : elementAt(element, clock, lane % size);
    return inner < 0 ? -1 : k * atomCount(element) + inner;
}

std::vector<std::string> draw(const SeqType& type) {
    const std::int64_t time = std::min(clocks(type), kDrawnClocks);
    const std::int64_t rows = std::min(lanes(type), kDrawnLanes);
    std::size_t cell = 1;
    for (std::int64_t lane = 0; lane < rows; ++lane) {
        for (std::int64_t clock = 0; clock < time; ++clock)
            cell = std::max(cell, slotText(type, clock, lane).size());
    }
    std::vector<std::string> lines = {toString(type)};
    for (std::int64_t lane = 0; lane < rows; ++lane) {
        std::string line = "lane " + std::to_string(lane) + " ";
        for (std::int64_t clock = 0; clock < time; ++clock) {
            line += " " + pad(slotText(type, clock, lane), cell);
        }
        lines.push_back(line + (clocks(type) > time ? " …" : ""));
    }
    if (lanes(type) > rows)
        lines.emplace_back("…");
    return lines;
}

std::vector<std::string> drawBoth(const SeqType& found, const SeqType& expected) {
    std::vector<std::string> left = draw(found);
    std::vector<std::string> right = draw(expected);
    left.insert(left.begin(), "found");
    right.insert(right.begin(), "expected");
    std::size_t columns = 0;
    for (const std::string& line : left)
        columns = std::max(columns, width(line));
    std::vector<std::string> lines;
    for (std::size_t k = 0; k < std::max(left.size(), right.size()); ++k) {
        std::string line = pad(k < left.size() ? left[k] : "", columns + 2);
        line += k < right.size() ? right[k] : "";
        line.erase(line.find_last_not_of(' ') + 1);
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace marquetry::spacetime
