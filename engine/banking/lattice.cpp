#include "engine/banking/lattice.h"

#include <algorithm>
#include <numeric>

namespace marquetry::banking {

namespace {

using Matrix = HermiteForm;

class Enumeration {
public:
    Enumeration(std::size_t rank, const std::function<bool(const HermiteForm&)>& visit)
        : visit_(visit), form_(rank, std::vector<std::int64_t>(rank)) {}

    bool diagonal(std::size_t d, std::int64_t rest) {
        if (d + 1 == form_.size()) {
            form_[d][d] = rest;
            return entries(0, 1);
        }
        for (std::int64_t divisor = 1; divisor <= rest; ++divisor) {
            if (rest % divisor != 0)
                continue;
            form_[d][d] = divisor;
            if (!diagonal(d + 1, rest / divisor))
                return false;
        }
        return true;
    }

private:
    bool entries(std::size_t row, std::size_t column) {
        if (column >= form_.size())
            return row + 2 >= form_.size() ? visit_(form_) : entries(row + 1, row + 2);
        for (std::int64_t h = 0; h < form_[column][column]; ++h) {
            form_[row][column] = h;
            if (!entries(row, column + 1))
                return false;
        }
        form_[row][column] = 0;
        return true;
    }

    const std::function<bool(const HermiteForm&)>& visit_;
    HermiteForm form_;
};

/// Smith's normal form by row and column operations; the column operations are kept in V:
/// x is in the lattice iff (x V)_m ≡ 0 modulo the m-th diagonal entry.
struct Smith {
    Matrix form;
    Matrix v;

    explicit Smith(const HermiteForm& lattice) : form(lattice), v(lattice.size()) {
        for (std::size_t k = 0; k < v.size(); ++k) {
            v[k].assign(v.size(), 0);
            v[k][k] = 1;
        }
        for (std::size_t k = 0; k < form.size(); ++k) {
            while (!reduced(k))
                step(k);
        }
    }

private:
    void addColumn(std::size_t to, std::size_t from, std::int64_t factor) {
        for (auto* matrix : {&form, &v}) {
            for (auto& row : *matrix)
                row[to] += factor * row[from];
        }
    }
    void swapColumns(std::size_t a, std::size_t b) {
        for (auto* matrix : {&form, &v}) {
            for (auto& row : *matrix)
                std::swap(row[a], row[b]);
        }
    }

    bool reduced(std::size_t k) const {
        for (std::size_t j = k + 1; j < form.size(); ++j) {
            if (form[k][j] != 0 || form[j][k] != 0)
                return false;
            for (std::size_t i = k + 1; i < form.size(); ++i) {
                if (form[i][j] % form[k][k] != 0)
                    return false;
            }
        }
        return form[k][k] != 0;
    }

    /// Brings the smallest entry to the corner and reduces its row and column by it.
    void step(std::size_t k) {
        std::size_t bestRow = k;
        std::size_t bestColumn = k;
        for (std::size_t i = k; i < form.size(); ++i) {
            for (std::size_t j = k; j < form.size(); ++j) {
                const std::int64_t best = std::abs(form[bestRow][bestColumn]);
                if (form[i][j] != 0 && (best == 0 || std::abs(form[i][j]) < best)) {
                    bestRow = i;
                    bestColumn = j;
                }
            }
        }
        std::swap(form[k], form[bestRow]);
        swapColumns(k, bestColumn);
        bool clean = true;
        for (std::size_t j = k + 1; j < form.size(); ++j) {
            addColumn(j, k, -(form[k][j] / form[k][k]));
            const std::int64_t q = form[j][k] / form[k][k];
            for (std::size_t e = 0; e < form.size(); ++e)
                form[j][e] -= q * form[k][e];
            clean = clean && form[k][j] == 0 && form[j][k] == 0;
        }
        if (!clean)
            return;
        for (std::size_t i = k + 1; i < form.size(); ++i) {
            for (std::size_t j = k + 1; j < form.size(); ++j) {
                if (form[i][j] % form[k][k] == 0)
                    continue;
                for (std::size_t e = 0; e < form.size(); ++e)
                    form[k][e] += form[i][e];
                return;
            }
        }
    }
};

/// α and its multiples by units name the same map: the lexicographically least one.
ir::FlatMap leastMultiple(ir::FlatMap map) {
    constexpr std::int64_t kMostBanks = 1024;
    if (map.banks > kMostBanks)
        return map;
    std::vector<std::int64_t> best = map.alpha;
    for (std::int64_t u = 2; u < map.banks; ++u) {
        if (std::gcd(u, map.banks) != 1)
            continue;
        std::vector<std::int64_t> multiple = map.alpha;
        for (std::int64_t& a : multiple)
            a = a * u % map.banks;
        best = std::min(best, multiple);
    }
    map.alpha = best;
    return map;
}

} // namespace

bool forEachSublattice(std::size_t rank, std::int64_t index,
                       const std::function<bool(const HermiteForm&)>& visit) {
    return Enumeration(rank, visit).diagonal(0, index);
}

bool contains(const HermiteForm& lattice, const std::vector<std::int64_t>& vector) {
    std::vector<std::int64_t> x = vector;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] % lattice[i][i] != 0)
            return false;
        const std::int64_t q = x[i] / lattice[i][i];
        for (std::size_t j = i + 1; q != 0 && j < x.size(); ++j)
            x[j] -= q * lattice[i][j];
    }
    return true;
}

std::vector<ir::FlatMap> mapsOf(const HermiteForm& lattice) {
    const Smith smith(lattice);
    std::vector<ir::FlatMap> maps;
    for (std::size_t m = 0; m < lattice.size(); ++m) {
        const std::int64_t modulus = std::abs(smith.form[m][m]);
        if (modulus == 1)
            continue;
        ir::FlatMap map{{}, 1, modulus};
        for (const auto& row : smith.v)
            map.alpha.push_back((row[m] % modulus + modulus) % modulus);
        maps.push_back(leastMultiple(std::move(map)));
    }
    if (maps.empty())
        maps.push_back({std::vector<std::int64_t>(lattice.size()), 1, 1});
    return maps;
}

bool isDiagonal(const HermiteForm& lattice) {
    for (std::size_t i = 0; i < lattice.size(); ++i) {
        for (std::size_t j = i + 1; j < lattice.size(); ++j) {
            if (lattice[i][j] != 0)
                return false;
        }
    }
    return true;
}

std::vector<ir::FlatMap> hierarchicalMaps(const HermiteForm& lattice) {
    std::vector<ir::FlatMap> maps;
    for (std::size_t d = 0; d < lattice.size(); ++d) {
        ir::FlatMap map{std::vector<std::int64_t>(lattice.size()), 1, lattice[d][d]};
        map.alpha[d] = lattice[d][d] == 1 ? 0 : 1;
        maps.push_back(std::move(map));
    }
    return maps;
}

} // namespace marquetry::banking
