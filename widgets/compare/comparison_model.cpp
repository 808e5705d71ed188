#include "widgets/compare/comparison_model.h"

#include "widgets/models/column_title.h"
#include "widgets/text/number_text.h"

#include <cmath>

namespace marquetry::widgets {

namespace {

using design::CellForm;
using design::ComparisonRows;
using design::LedgerCell;

std::optional<double> numberOf(const LedgerCell& cell) {
    if (const auto* whole = std::get_if<std::int64_t>(&cell))
        return static_cast<double>(*whole);
    const auto* number = std::get_if<double>(&cell);
    return number != nullptr ? std::optional(*number) : std::nullopt;
}

QString shownText(const LedgerCell& cell, CellForm form) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    const auto number = numberOf(cell);
    if (!number)
        return form == CellForm::Text ? QString() : QStringLiteral("–");
    if (form == CellForm::Ratio)
        return QString::number(*number, 'f', 2);
    constexpr double kWhole = 1000; // from here on, fractions say nothing to people
    const double shown = std::abs(*number);
    const QString size = shown >= kWhole ? grouped(std::llround(shown)) : amount(shown);
    if (form == CellForm::Difference && *number > 0)
        return u'+' + size;
    return *number < 0 ? QStringLiteral("−") + size : size;
}

QString plainCell(const LedgerCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell))
        return QString::fromStdString(*text);
    const auto number = numberOf(cell);
    return number ? QString::number(*number, 'g', 12) : QString();
}

} // namespace

void ComparisonModel::setComparison(const std::shared_ptr<const design::Comparison>& comparison) {
    beginResetModel();
    comparison_ = comparison;
    endResetModel();
}

void ComparisonModel::setTheme(const Theme& theme) {
    theme_ = &theme;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                           {Qt::ForegroundRole});
}

const design::ComparisonColumn& ComparisonModel::column(int at) const {
    return design::comparisonColumns(rows_)[static_cast<std::size_t>(at)];
}

QStringList ComparisonModel::titles() const {
    QStringList titles;
    for (const design::ComparisonColumn& each : design::comparisonColumns(rows_))
        titles << tr(each.title);
    return titles;
}

int ComparisonModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !comparison_
               ? 0
               : static_cast<int>(design::comparisonRowCount(*comparison_, rows_));
}

int ComparisonModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(design::comparisonColumns(rows_).size());
}

/// The whole text of what may be cut, and what the figure or the column means.
QString ComparisonModel::toolTip(const QModelIndex& index) const {
    const QString name = index.siblingAtColumn(0).data().toString();
    const QString text = index.data(PlainRole).toString();
    const bool figure = rows_ == ComparisonRows::Figures;
    const QString about = figure && index.column() == 0
                              ? QString::fromStdString(
                                    comparison_->figures[static_cast<std::size_t>(index.row())].tip)
                              : tr(column(index.column()).tip);
    return tr("%1, %2: %3\n%4")
        .arg(name, tr(column(index.column()).title), text.isEmpty() ? QStringLiteral("–") : text,
             about);
}

widgets::Role ComparisonModel::ink(const QModelIndex& index) const {
    const CellForm form = column(index.column()).form;
    const bool speaks = form == CellForm::Difference || form == CellForm::Ratio ||
                        std::string_view(column(index.column()).key) == "better";
    const auto favoured =
        design::favouredOf(*comparison_, rows_, static_cast<std::size_t>(index.row()));
    if (!speaks || favoured == design::Favoured::Neither)
        return widgets::Role::Ink;
    return favoured == design::Favoured::A ? widgets::Role::InkOfA : widgets::Role::InkOfB;
}

/// A unit is the same where both designs have it.
bool ComparisonModel::isEqual(std::size_t row) const {
    if (rows_ == ComparisonRows::Figures)
        return comparison_->figures[row].value.difference() == 0;
    if (rows_ == ComparisonRows::Layers) {
        const design::ComparedLayer& layer = comparison_->layers[row];
        return layer.a && layer.b && layer.a->isLike(*layer.b);
    }
    if (rows_ == ComparisonRows::Buffers)
        return comparison_->buffers[row].a == comparison_->buffers[row].b;
    return comparison_->units[row].a && comparison_->units[row].b;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const CellForm form = column(index.column()).form;
    const LedgerCell cell = cellOf(*comparison_, rows_, static_cast<std::size_t>(index.row()),
                                   static_cast<std::size_t>(index.column()));
    switch (role) {
    case Qt::DisplayRole:
        return shownText(cell, form);
    case Qt::ToolTipRole:
        return toolTip(index);
    case Qt::TextAlignmentRole:
        return int((form == CellForm::Text ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return ink(index) == widgets::Role::Ink ? QVariant() : (*theme_)[ink(index)];
    case InkRole:
        return static_cast<int>(ink(index));
    case SortRole:
        if (form == CellForm::Text)
            return plainCell(cell).toLower();
        return numberOf(cell) ? QVariant(*numberOf(cell)) : QVariant();
    case PlainRole:
        return plainCell(cell);
    case EqualRole:
        return isEqual(static_cast<std::size_t>(index.row()));
    default:
        return {};
    }
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((column(section).form == CellForm::Text ? Qt::AlignLeft : Qt::AlignRight) |
                   Qt::AlignVCenter);
    return columnTitle(design::comparisonColumns(rows_), metaObject()->className(), section, role);
}

} // namespace marquetry::widgets
