// One output of a table, reduced to the inputs on which it depends; rows that cannot occur may have
// any value. The generator writes such outputs and the cost model counts them. Complexity: rows ·
// inputs. Thread rule: value type.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace marquetry::banking {

/// A row of a table that may be anything.
inline constexpr std::int64_t kAnyValue = -1;

enum class Ternary : std::uint8_t { Zero, One, Any };

struct TruthTable {
    std::vector<int> inputs; ///< bits of the table's input, highest first
    std::vector<Ternary> values;

    TruthTable(int width, const std::vector<std::int64_t>& rows, int bit)
        : values(std::size_t{1} << width, Ternary::Any) {
        for (int at = width; at-- > 0;)
            inputs.push_back(at);
        for (std::size_t row = 0; row < values.size() && row < rows.size(); ++row) {
            if (rows[row] != kAnyValue)
                values[row] = (rows[row] >> bit & 1) != 0 ? Ternary::One : Ternary::Zero;
        }
    }

    /// Leaves out inputs whose two halves of the table agree where both are given.
    void dropInputs() {
        for (std::size_t place = 0; place < inputs.size();) {
            const std::size_t weight = std::size_t{1} << (inputs.size() - 1 - place);
            if (halvesAgree(weight))
                drop(place, weight);
            else
                ++place;
        }
    }

    /// What is left when the first `known` inputs have the value `part`.
    TruthTable part(int known, std::size_t part) const {
        TruthTable rest = *this;
        rest.inputs.erase(rest.inputs.begin(), rest.inputs.begin() + known);
        const std::size_t size = std::size_t{1} << rest.inputs.size();
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(part * size);
        rest.values.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
        return rest;
    }

private:
    bool halvesAgree(std::size_t weight) const {
        for (std::size_t row = 0; row < values.size(); ++row) {
            const Ternary a = values[row];
            const Ternary b = values[row | weight];
            if ((row & weight) == 0 && a != b && a != Ternary::Any && b != Ternary::Any)
                return false;
        }
        return true;
    }

    void drop(std::size_t place, std::size_t weight) {
        std::vector<Ternary> half;
        half.reserve(values.size() / 2);
        for (std::size_t row = 0; row < values.size(); ++row) {
            if ((row & weight) == 0)
                half.push_back(values[row] == Ternary::Any ? values[row | weight] : values[row]);
        }
        values = std::move(half);
        inputs.erase(inputs.begin() + static_cast<std::ptrdiff_t>(place));
    }
};

/// Counts the LUTs of tables with common inputs: equal ones are built once; a wire takes none.
class TableCount {
public:
    explicit TableCount(int inputs) : inputs_(inputs) {}

    /// LUTs that the low `width` bits of the rows add.
    std::int64_t add(const std::vector<std::int64_t>& rows, std::int64_t width);

private:
    std::int64_t small(const std::vector<std::int64_t>& rows, int bit);
    std::int64_t large(TruthTable table);

    int inputs_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> small_;        ///< inputs and ones
    std::set<std::pair<std::vector<int>, std::vector<bool>>> large_; ///< likewise
};

} // namespace marquetry::banking
