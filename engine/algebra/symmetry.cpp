#include "engine/algebra/symmetry.h"

#include <algorithm>
#include <cstdlib>
#include <set>

namespace marquetry::algebra {

namespace {

/// Operators of two words: for the places, for what has equal weights, and for digits.
std::int64_t additionsOf(const std::vector<EqualRows>& all) {
    std::map<std::int64_t, std::int64_t> taps;
    std::int64_t sum = -1;
    for (const EqualRows& each : all) {
        sum += std::ssize(each.places) - 1;
        for (const auto& [exponent, weight] : each.row)
            ++taps[std::abs(weight)];
    }
    for (const auto& [weight, count] : taps)
        sum += count - 1 + std::ssize(signedDigits(weight));
    return sum;
}

std::set<std::int64_t> distancesOf(const Polynomial& polynomial) {
    std::set<std::int64_t> all;
    for (const auto& [exponent, weight] : polynomial) {
        all.insert(exponent - polynomial.begin()->first);
        all.insert(polynomial.rbegin()->first - exponent);
    }
    all.erase(0);
    return all;
}

/// Where rows begin, modulo their distance: behind the largest gap.
std::int64_t startOfRows(const Polynomial& polynomial, std::int64_t distance) {
    std::set<std::int64_t> columns;
    for (const auto& [exponent, weight] : polynomial)
        columns.insert(exponent % distance);
    std::int64_t start = 0;
    std::int64_t widest = -1;
    std::int64_t before = *columns.rbegin() - distance;
    for (const std::int64_t column : columns) {
        if (column - before > widest) {
            widest = column - before;
            start = column;
        }
        before = column;
    }
    return start;
}

std::vector<EqualRows> rowsAt(const Polynomial& polynomial, std::int64_t distance) {
    const std::int64_t start = startOfRows(polynomial, distance);
    std::map<std::int64_t, Polynomial> rows;
    for (const auto& [exponent, weight] : polynomial) {
        // Not before row -1, as exponents are 0 at least.
        const std::int64_t row = (exponent - start + distance) / distance - 1;
        rows[row][exponent - row * distance] = weight;
    }
    struct Group {
        std::int64_t first; ///< row
        std::size_t place;
        bool negative;
    };
    std::map<Polynomial, Group> known;
    std::vector<EqualRows> all;
    for (auto& [index, row] : rows) {
        const bool negative = row.begin()->second < 0;
        Polynomial positive = row;
        for (auto& [column, weight] : positive)
            weight = negative ? -weight : weight;
        const auto [entry, fresh] =
            known.try_emplace(std::move(positive), Group{index, all.size(), negative});
        const Group& group = entry->second;
        if (fresh) {
            Polynomial placed;
            for (const auto& [column, weight] : row)
                placed[column + index * distance] = weight;
            all.push_back({{{0, 1}}, std::move(placed)});
        } else {
            all[group.place].places[(index - group.first) * distance] =
                negative == group.negative ? 1 : -1;
        }
    }
    return all;
}

} // namespace

std::vector<EqualRows> equalRows(const Polynomial& polynomial) {
    std::vector<EqualRows> best = {{{{0, 1}}, polynomial}};
    std::int64_t least = additionsOf(best);
    for (const std::int64_t distance : distancesOf(polynomial)) {
        std::vector<EqualRows> rows = rowsAt(polynomial, distance);
        const std::int64_t additions = additionsOf(rows);
        if (additions < least) {
            least = additions;
            best = std::move(rows);
        }
    }
    return best;
}

} // namespace marquetry::algebra
