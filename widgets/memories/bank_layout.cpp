#include "widgets/memories/bank_layout.h"

#include <QStringList>

#include <algorithm>
#include <utility>

namespace marquetry::widgets {

BankLayout::BankLayout(std::vector<std::int64_t> dims) : dims_(std::move(dims)) {
    if (dims_.empty())
        return;
    wrapped_ = dims_.size() == 1 && dims_[0] > kWrap;
    if (wrapped_) {
        rows_ = (dims_[0] + kWrap - 1) / kWrap;
        columns_ = kWrap;
    } else {
        rows_ = columns_ = 1;
        for (std::size_t d = 0; d < dims_.size(); ++d)
            (alongRows(d) ? rows_ : columns_) *= dims_[d];
    }
    planeColumns_ = wrapped_ ? columns_ : dims_.back();
    planeRows_ = dims_.size() < 2 ? rows_ : dims_[dims_.size() - 2];
}

bool BankLayout::alongRows(std::size_t dim) const {
    return (dims_.size() - 1 - dim) % 2 == 1;
}

BankCell BankLayout::cellOf(const std::vector<std::int64_t>& address) const {
    if (wrapped_)
        return {address[0] / kWrap, address[0] % kWrap};
    BankCell cell;
    for (std::size_t d = 0; d < dims_.size(); ++d) {
        std::int64_t& at = alongRows(d) ? cell.row : cell.column;
        at = at * dims_[d] + address[d];
    }
    return cell;
}

std::optional<std::vector<std::int64_t>> BankLayout::addressOf(BankCell cell) const {
    if (cell.row < 0 || cell.column < 0 || cell.row >= rows_ || cell.column >= columns_)
        return std::nullopt;
    if (wrapped_) {
        const std::int64_t at = cell.row * kWrap + cell.column;
        return at < dims_[0] ? std::optional(std::vector{at}) : std::nullopt;
    }
    std::vector<std::int64_t> address(dims_.size());
    for (std::size_t d = dims_.size(); d-- > 0;) {
        std::int64_t& at = alongRows(d) ? cell.row : cell.column;
        address[d] = at % dims_[d];
        at /= dims_[d];
    }
    return address;
}

QString BankLayout::label(std::int64_t at, bool rows) const {
    QStringList parts;
    for (std::size_t d = dims_.size(); d-- > 0;) {
        if (alongRows(d) != rows)
            continue;
        parts.prepend(QString::number(at % dims_[d]));
        at /= dims_[d];
    }
    return parts.join(u',');
}

QString BankLayout::rowLabel(std::int64_t row) const {
    if (wrapped_)
        return QString::number(row * kWrap);
    return label(row, true);
}

QString BankLayout::columnLabel(std::int64_t column) const {
    return wrapped_ ? QStringLiteral("+%1").arg(column) : label(column, false);
}

} // namespace marquetry::widgets
