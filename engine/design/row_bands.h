// Bands of rows: layers that are computed a part of their rows at a time, one after another for
// each band, so that what lies between them is never there as a whole.
//
// In a band the first tensor gets `rows` more rows, and each layer makes all that it can of what is
// there then; rows that are read again stay. Nothing is computed twice, so the bands of a layer
// take the clocks of the whole one and those to begin and to end each of them. A tensor between two
// of the layers lies in a ring of rows (design/schedule.h): it has room for the rows that are there
// at once.
//
// Tensors are numbered in the order in which they are made: what the first layer reads, where that
// comes with the bands, or its result is the first. Others that come with the bands come as the
// layers that read them need their rows.
// Complexity: O(bands · uses). Thread rule: value types, pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace marquetry::design {

/// Rows begin … end − 1.
struct RowRange {
    std::int64_t begin = 0;
    std::int64_t end = 0;

    std::int64_t size() const { return end - begin; }
    bool empty() const { return end <= begin; }
    bool operator==(const RowRange&) const = default;
};

/// A source that is there as a whole: said only where the first tensor repeats its rows.
inline constexpr std::size_t kThere = std::numeric_limits<std::size_t>::max();

/// A tensor is made of another: rows of windows, of which a pool takes `pool` together, or
/// `repeat` rows of each row.
struct RowUse {
    std::size_t source = 0, result = 0; ///< tensors
    std::int64_t kernel = 1, stride = 1, pad = 0, pool = 1;
    std::int64_t repeat = 1; ///< 1 where any of the others is not as here

    /// Rows of windows behind those of the result.
    RowRange windows(RowRange rows) const { return {rows.begin * pool, rows.end * pool}; }
    /// Rows of a source of that height that rows of the result are made of.
    RowRange reads(RowRange rows, std::int64_t height) const;
    /// Rows of the result, of that height, that can be made when so many rows of the source are
    /// there; of a source that is there, all of them.
    std::int64_t makes(std::int64_t rows, std::int64_t height) const;
};

struct BandedTensor {
    std::int64_t height = 1;
    std::vector<RowRange> made; ///< by band, one behind the other
    std::int64_t kept = 0;      ///< rows that are there at once
    bool brought = false;       ///< made of no other, and not the first: comes as it is read
};

/// Fills in `made` and `kept` of all tensors; of those that are brought all rows are. Of the first
/// one a band has more rows where a row of what it is made of makes several.
void planBands(std::vector<BandedTensor>& tensors, const std::vector<RowUse>& uses,
               std::int64_t rows);

} // namespace marquetry::design
