#include "engine/datapath/cell_value.h"
#include "engine/datapath/datapath.h"

#include <algorithm>

namespace marquetry::datapath {

namespace {

/// Longer periods are not looked at.
constexpr std::int64_t kLongestPeriod = 1 << 13;
/// Words computed of all cells together: a fraction of a second.
constexpr std::int64_t kMostComputed = 1 << 21;

/// The least number of steps after which the words repeat.
std::size_t leastPeriod(const std::vector<Word>& words) {
    for (std::size_t period = 1; period < words.size(); ++period) {
        if (words.size() % period == 0 &&
            std::equal(words.begin() + static_cast<std::ptrdiff_t>(period), words.end(),
                       words.begin()))
            return period;
    }
    return words.size();
}

} // namespace

std::optional<std::vector<Word>> DatapathBuilder::wordsOver(const Cell& cell) {
    if (cell.period > kLongestPeriod || computedWords_ + cell.period > kMostComputed)
        return std::nullopt;
    computedWords_ += cell.period;
    std::vector<Word> words;
    for (std::int64_t step = 0; step < cell.period; ++step) {
        Word in[3] = {0, 0, 0};
        for (std::size_t k = 0; k < cell.operands.size(); ++k) {
            const Tap& tap = cell.operands[k];
            const Cell& operand = this->cell(tap);
            const std::int64_t at = step - tap.distance;
            const auto kept = periodicWords_.find(tap.cell);
            if (isGenerator(operand.kind))
                in[k] = static_cast<Word>(valueAt(operand, at)) & mask(operand.width);
            else if (kept != periodicWords_.end())
                in[k] = kept->second[static_cast<std::size_t>(modulo(at, operand.period))];
            else
                return std::nullopt;
        }
        words.push_back(compute(cell, in[0], in[1], in[2]));
    }
    return words;
}

std::optional<Tap> DatapathBuilder::phaseOf(const std::vector<Word>& bits) {
    const std::size_t period = leastPeriod(bits);
    const auto end = bits.begin() + static_cast<std::ptrdiff_t>(period);
    const auto runOf = [&](Word value) -> std::optional<std::pair<std::int64_t, std::int64_t>> {
        const auto first = std::find(bits.begin(), end, value);
        const auto last = std::find(first, end, 1 - value);
        if (std::find(last, end, value) != end)
            return std::nullopt;
        return std::pair<std::int64_t, std::int64_t>(first - bits.begin(), last - bits.begin());
    };
    for (const Word value : {Word{1}, Word{0}}) {
        const auto run = runOf(value);
        if (!run)
            continue;
        Cell phase{CellKind::Phase, 1};
        phase.periodic = true;
        phase.period = static_cast<std::int64_t>(period);
        phase.first = run->first;
        phase.end = run->second;
        const Tap in = intern(std::move(phase), 0);
        if (value == 1)
            return in;
        Cell inverse{CellKind::Not, 1, {in}};
        inverse.periodic = true;
        inverse.period = static_cast<std::int64_t>(period);
        return intern(std::move(inverse), 0);
    }
    return std::nullopt;
}

std::optional<Tap> DatapathBuilder::pattern(const Cell& cell) {
    const auto words = wordsOver(cell);
    if (!words)
        return std::nullopt;
    if (std::ranges::all_of(*words, [&](Word word) { return word == words->front(); }))
        return constant(cell.width, static_cast<std::int64_t>(words->front()));
    const bool isCondition = cell.width == 1 || cell.kind == CellKind::Less ||
                             cell.kind == CellKind::LessSigned || cell.kind == CellKind::Equal;
    std::optional<Tap> tap = isCondition ? phaseOf(*words) : std::nullopt;
    if (!tap)
        tap = intern(cell, 0);
    if (!isGenerator(this->cell(*tap).kind))
        periodicWords_.emplace(tap->cell, *words);
    return tap;
}

} // namespace marquetry::datapath
