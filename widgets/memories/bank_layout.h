// BankLayout: an array of any rank on a plane of rows and columns.
//
// The last dimension runs along the columns, the one before along the rows, the next ones by turns
// again: a 3-d array is a row of planes, a 4-d array a table of them, with a gap between planes. A
// long 1-d array is wrapped into rows of kWrap words. Rows and columns count from 0.
// Complexity: O(rank) per question; nothing depends on the array's size. Thread rule: values.
#pragma once

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace marquetry::widgets {

struct BankCell {
    std::int64_t row = 0;
    std::int64_t column = 0;
    auto operator<=>(const BankCell&) const = default;
};

class BankLayout {
public:
    static constexpr std::int64_t kWrap = 32;

    BankLayout() = default;
    explicit BankLayout(std::vector<std::int64_t> dims);

    std::int64_t rows() const { return rows_; }
    std::int64_t columns() const { return columns_; }
    /// Rows and columns of one plane.
    std::int64_t planeRows() const { return planeRows_; }
    std::int64_t planeColumns() const { return planeColumns_; }

    BankCell cellOf(const std::vector<std::int64_t>& address) const;
    /// Nothing where a wrapped array has ended.
    std::optional<std::vector<std::int64_t>> addressOf(BankCell cell) const;
    /// Indices of the dimensions that a row (or column) stands for: "2" or "1,2".
    QString rowLabel(std::int64_t row) const;
    QString columnLabel(std::int64_t column) const;

private:
    bool alongRows(std::size_t dim) const;
    QString label(std::int64_t at, bool rows) const;

    std::vector<std::int64_t> dims_;
    bool wrapped_ = false;
    std::int64_t rows_ = 0;
    std::int64_t columns_ = 0;
    std::int64_t planeRows_ = 1;
    std::int64_t planeColumns_ = 1;
};

} // namespace marquetry::widgets
