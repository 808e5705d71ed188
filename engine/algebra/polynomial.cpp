#include "engine/algebra/polynomial.h"

#include "engine/support/checked_math.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

namespace marquetry::algebra {

std::vector<Digit> signedDigits(std::int64_t number) {
    std::vector<Digit> digits;
    for (int shift = 0; number != 0; ++shift, number /= 2) {
        if (number % 2 == 0)
            continue;
        const std::int64_t digit = ((number % 4) + 4) % 4 == 1 ? 1 : -1;
        digits.push_back({shift, digit < 0});
        number -= digit;
    }
    return digits;
}

int additions(const Polynomial& polynomial) {
    int digits = 0;
    for (const auto& [exponent, coefficient] : polynomial)
        digits += static_cast<int>(signedDigits(coefficient).size());
    return digits - 1;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [i, x] : a) {
        for (const auto& [j, y] : b)
            result[i + j] += x * y;
    }
    std::erase_if(result, [](const auto& term) { return term.second == 0; });
    return result;
}

namespace {

using Pair = std::pair<Polynomial, Polynomial>;

/// Longer quotients are not smaller than what is divided.
constexpr std::size_t kMostPolynomialTerms = 128;

/// The quotient by a + b z^d, if it has one.
std::optional<Polynomial> quotient(Polynomial rest, std::int64_t a, std::int64_t b,
                                   std::int64_t distance) {
    const std::int64_t end = rest.rbegin()->first;
    Polynomial result;
    while (!rest.empty()) {
        const auto [exponent, coefficient] = *rest.begin();
        if (coefficient % a != 0 || exponent + distance > end ||
            result.size() > kMostPolynomialTerms)
            return std::nullopt;
        const std::int64_t term = coefficient / a;
        result[exponent] = term;
        rest.erase(rest.begin());
        const auto times = checkedMul(term, b);
        std::int64_t& next = rest[exponent + distance];
        if (!times || __builtin_sub_overflow(next, *times, &next))
            return std::nullopt;
        if (next == 0)
            rest.erase(exponent + distance);
    }
    return result;
}

/// A polynomial in z^d times one with exponents below d.
std::optional<Pair> rankOne(const Polynomial& polynomial, std::int64_t distance) {
    std::map<std::int64_t, Polynomial> rows;
    for (const auto& [exponent, coefficient] : polynomial)
        rows[exponent / distance][exponent % distance] = coefficient;
    if (rows.size() < 2)
        return std::nullopt;
    const Polynomial& first = rows.begin()->second;
    std::int64_t content = 0;
    for (const auto& [exponent, coefficient] : first)
        content = std::gcd(content, coefficient);
    Polynomial row = first;
    for (auto& [exponent, coefficient] : row)
        coefficient /= content;
    Polynomial column;
    for (const auto& [index, each] : rows) {
        if (each.size() != row.size() || each.begin()->first != row.begin()->first ||
            each.begin()->second % row.begin()->second != 0)
            return std::nullopt;
        const std::int64_t factor = each.begin()->second / row.begin()->second;
        for (const auto& [exponent, coefficient] : row) {
            const auto found = each.find(exponent);
            if (found == each.end() || found->second != factor * coefficient)
                return std::nullopt;
        }
        column[index * distance] = factor;
    }
    if (column.size() < 2 || row.size() < 2)
        return std::nullopt;
    return Pair(column, row);
}

class Factoring {
public:
    /// The factors of the cheapest product found.
    const std::vector<Polynomial>& best(const Polynomial& polynomial) {
        const auto [entry, fresh] = known_.try_emplace(polynomial, std::vector{polynomial});
        if (!fresh || additions(polynomial) < 2)
            return entry->second;
        std::vector<Polynomial> found = {polynomial};
        for (const std::int64_t distance : distances(polynomial)) {
            if (const auto pair = rankOne(polynomial, distance))
                consider(*pair, found);
            for (const std::int64_t b : {1, -1, 2, -2}) {
                if (const auto rest = quotient(polynomial, 1, b, distance))
                    consider({{{0, 1}, {distance, b}}, *rest}, found);
            }
            if (const auto rest = quotient(polynomial, 2, 1, distance))
                consider({{{0, 2}, {distance, 1}}, *rest}, found);
        }
        return known_[polynomial] = std::move(found);
    }

private:
    static std::set<std::int64_t, std::greater<>> distances(const Polynomial& polynomial) {
        std::set<std::int64_t, std::greater<>> all;
        for (const auto& [exponent, coefficient] : polynomial) {
            if (exponent > polynomial.begin()->first)
                all.insert(exponent - polynomial.begin()->first);
        }
        return all;
    }

    static int sum(const std::vector<Polynomial>& factors) {
        int all = 0;
        for (const Polynomial& factor : factors)
            all += additions(factor);
        return all;
    }

    void consider(const Pair& pair, std::vector<Polynomial>& found) {
        if (pair.second.size() >= kMostPolynomialTerms || additions(pair.second) < 0)
            return;
        if (++looked_ > kMostLooked)
            return;
        std::vector<Polynomial> all = best(pair.first);
        const std::vector<Polynomial> rest = best(pair.second);
        all.insert(all.end(), rest.begin(), rest.end());
        if (sum(all) < sum(found))
            found = std::move(all);
    }

    static constexpr int kMostLooked = 4000;
    int looked_ = 0;
    std::map<Polynomial, std::vector<Polynomial>> known_;
};

} // namespace

std::vector<Polynomial> factors(const Polynomial& polynomial) {
    std::vector<Polynomial> all = Factoring().best(polynomial);
    std::ranges::stable_sort(all, [](const Polynomial& a, const Polynomial& b) {
        return a.rbegin()->first > b.rbegin()->first;
    });
    return all;
}

} // namespace marquetry::algebra
