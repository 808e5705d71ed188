#include "engine/support/text_diff.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace marquetry {

namespace {

using Lines = std::vector<std::string_view>;
using Index = std::ptrdiff_t;

Lines linesIn(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

struct Part {
    Index a0, a1; ///< of the first text
    Index b0, b1; ///< of the second
};

struct Place {
    Index a, b;
};

class LineComparison {
public:
    LineComparison(const Lines& a, const Lines& b)
        : removed(a.size(), false), added(b.size(), false), a_(numbered(a)), b_(numbered(b)) {
        open_.push_back({0, std::ssize(a_), 0, std::ssize(b_)});
        while (!open_.empty()) {
            const Part part = open_.back();
            open_.pop_back();
            split(part);
        }
    }

    std::vector<bool> removed;
    std::vector<bool> added;

private:
    /// Equal lines have equal numbers.
    std::vector<int> numbered(const Lines& lines) {
        std::vector<int> numbers;
        for (const std::string_view line : lines)
            numbers.push_back(
                numbers_.try_emplace(line, static_cast<int>(numbers_.size())).first->second);
        return numbers;
    }

    bool same(Index a, Index b) const {
        return a_[static_cast<std::size_t>(a)] == b_[static_cast<std::size_t>(b)];
    }

    void split(Part part) {
        while (part.a0 < part.a1 && part.b0 < part.b1 && same(part.a0, part.b0))
            ++part.a0, ++part.b0;
        while (part.a0 < part.a1 && part.b0 < part.b1 && same(part.a1 - 1, part.b1 - 1))
            --part.a1, --part.b1;
        const bool both = part.a0 < part.a1 && part.b0 < part.b1;
        const std::optional<Place> middle = both ? middleOf(part) : std::nullopt;
        if (!middle) {
            std::fill(removed.begin() + part.a0, removed.begin() + part.a1, true);
            std::fill(added.begin() + part.b0, added.begin() + part.b1, true);
            return;
        }
        open_.push_back({part.a0, middle->a, part.b0, middle->b});
        open_.push_back({middle->a, part.a1, middle->b, part.b1});
    }

    /// A place on a least path, from which both ends are half of it away. The paths from either end
    /// reach it at the same time; `step` lines differ on each of them.
    std::optional<Place> middleOf(const Part& part) {
        const Index n = part.a1 - part.a0;
        const Index m = part.b1 - part.b0;
        forward_.assign(static_cast<std::size_t>(n + m + 3), 0);
        backward_.assign(static_cast<std::size_t>(n + m + 3), 0);
        for (Index step = 0; step <= (n + m + 1) / 2; ++step) {
            steps_ += step;
            if (steps_ > kMostSteps)
                return std::nullopt;
            if (const auto met = advance(part, step, true))
                return met;
            if (const auto met = advance(part, step, false))
                return met;
        }
        return std::nullopt;
    }

    /// One more line that differs; diagonals that lie outside of the part are left out.
    std::optional<Place> advance(const Part& part, Index step, bool ahead) {
        const Index n = part.a1 - part.a0;
        const Index m = part.b1 - part.b0;
        const Index odd = (n + m) % 2;
        std::vector<Index>& mine = ahead ? forward_ : backward_;
        const std::vector<Index>& others = ahead ? backward_ : forward_;
        const auto at = [&](Index k) { return static_cast<std::size_t>(k + m + 1); };
        const Index reach = ahead ? step - 1 : step; // of the other side
        for (Index k = -(step - 2 * std::max<Index>(0, step - m));
             k <= step - 2 * std::max<Index>(0, step - n); k += 2) {
            const bool down = k == -step || (k != step && mine[at(k - 1)] < mine[at(k + 1)]);
            const Index begin = step == 0 ? 0 : down ? mine[at(k + 1)] : mine[at(k - 1)] + 1;
            Index x = begin;
            while (x < n && x - k < m &&
                   (ahead ? same(part.a0 + x, part.b0 + x - k)
                          : same(part.a1 - 1 - x, part.b1 - 1 - (x - k))))
                ++x;
            mine[at(k)] = x;
            const Index other = (n - m) - k;
            if (odd == (ahead ? 1 : 0) && other >= -reach && other <= reach &&
                x + others[at(other)] >= n)
                return ahead ? Place{part.a0 + begin, part.b0 + begin - k}
                             : Place{part.a1 - begin, part.b1 - (begin - k)};
        }
        return std::nullopt;
    }

    static constexpr Index kMostSteps = 30'000'000;

    std::unordered_map<std::string_view, int> numbers_; ///< looked up, never gone through
    std::vector<int> a_;
    std::vector<int> b_;
    std::vector<Part> open_;
    std::vector<Index> forward_;  ///< by diagonal: how far in the first text
    std::vector<Index> backward_; ///< the same from the ends
    Index steps_ = 0;
};

std::string range(std::size_t begin, std::size_t count) {
    return std::to_string(count == 0 ? begin : begin + 1) + "," + std::to_string(count);
}

} // namespace

std::vector<DiffLine> lineDiff(std::string_view first, std::string_view second) {
    const Lines a = linesIn(first);
    const Lines b = linesIn(second);
    const LineComparison compared(a, b);
    std::vector<DiffLine> lines;
    std::size_t j = 0;
    for (std::size_t i = 0; i <= a.size(); ++i) {
        if (i < a.size() && compared.removed[i]) {
            lines.push_back({LineOrigin::First, a[i]});
            continue;
        }
        for (; j < b.size() && compared.added[j]; ++j)
            lines.push_back({LineOrigin::Second, b[j]});
        if (i == a.size())
            break;
        lines.push_back({LineOrigin::Both, a[i]});
        ++j;
    }
    return lines;
}

UnifiedDiff unifiedDiff(std::string_view first, std::string_view second, std::size_t context) {
    const std::vector<DiffLine> lines = lineDiff(first, second);
    std::vector<bool> shown(lines.size(), false);
    for (std::size_t k = 0; k < lines.size(); ++k)
        if (lines[k].origin != LineOrigin::Both)
            for (std::size_t near = k - std::min(k, context);
                 near < std::min(lines.size(), k + context + 1); ++near)
                shown[near] = true;
    UnifiedDiff diff;
    std::size_t a = 0; // lines of either text before the one that is looked at
    std::size_t b = 0;
    for (std::size_t k = 0; k < lines.size();) {
        if (!shown[k]) {
            ++k, ++a, ++b;
            continue;
        }
        std::size_t ofA = 0;
        std::size_t ofB = 0;
        std::string hunk;
        for (; k < lines.size() && shown[k]; ++k) {
            const DiffLine& line = lines[k];
            ofA += line.origin != LineOrigin::Second ? 1 : 0;
            ofB += line.origin != LineOrigin::First ? 1 : 0;
            diff.removed += line.origin == LineOrigin::First ? 1 : 0;
            diff.added += line.origin == LineOrigin::Second ? 1 : 0;
            hunk += static_cast<char>(line.origin);
            hunk.append(line.text) += '\n';
        }
        diff.text += "@@ -" + range(a, ofA) + " +" + range(b, ofB) + " @@\n" + hunk;
        a += ofA;
        b += ofB;
    }
    return diff;
}

} // namespace marquetry
