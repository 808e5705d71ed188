#include "widgets/memories/bank_tables.h"

#include "widgets/text/number_text.h"

#include <QFont>

#include <utility>

namespace marquetry::widgets {

using banking::Scheme;

BankTableModel::BankTableModel(QStringList header, int firstNumber, QObject* parent)
    : QAbstractTableModel(parent), header_(std::move(header)), firstNumber_(firstNumber) {}

void BankTableModel::setHeader(QStringList header) {
    if (header == header_)
        return;
    header_ = std::move(header);
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

void BankTableModel::setRows(std::vector<TableRow> rows) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
}

int BankTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int BankTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(header_.size());
}

QVariant BankTableModel::data(const QModelIndex& index, int role) const {
    const TableRow& row = rows_[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return row.texts.value(index.column());
    case kSortRole:
        return column < row.values.size() ? QVariant(row.values[column])
                                          : QVariant(row.texts.value(index.column()));
    case Qt::ToolTipRole:
        return row.tip;
    case Qt::TextAlignmentRole:
        return QVariant(index.column() >= firstNumber_ ? Qt::AlignRight | Qt::AlignVCenter
                                                       : Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::FontRole:
        if (row.bold) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    default:
        return {};
    }
}

QVariant BankTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    return header_.value(section);
}

// ---- texts of a scheme

QString listText(const std::vector<std::int64_t>& numbers) {
    QStringList parts;
    for (const std::int64_t n : numbers)
        parts << QString::number(n);
    return u'(' + parts.join(QStringLiteral(", ")) + u')';
}

QString banksText(const Scheme& scheme) {
    if (scheme.maps.size() == 1 || scheme.kind() == banking::Kind::Xor)
        return QString::number(scheme.banks());
    std::vector<std::int64_t> numbers;
    for (const ir::FlatMap& map : scheme.maps)
        numbers.push_back(map.banks);
    return listText(numbers);
}

QString blocksText(const Scheme& scheme) {
    if (scheme.maps.size() == 1 || scheme.kind() == banking::Kind::Xor)
        return QString::number(scheme.maps[0].block);
    std::vector<std::int64_t> numbers;
    for (const ir::FlatMap& map : scheme.maps)
        numbers.push_back(map.block);
    return listText(numbers);
}

QString alphaText(const Scheme& scheme) {
    if (scheme.kind() == banking::Kind::Hierarchical) {
        std::vector<std::int64_t> diagonal;
        for (std::size_t m = 0; m < scheme.maps.size(); ++m)
            diagonal.push_back(scheme.maps[m].alpha[m]);
        return listText(diagonal);
    }
    QStringList lists;
    for (const ir::FlatMap& map : scheme.maps)
        lists << listText(map.alpha);
    return lists.join(QStringLiteral("; "));
}

QString kindText(banking::Kind kind) {
    return QString::fromStdString(toString(kind));
}

QString pointText(const banking::AccessPattern& pattern, std::size_t nest,
                  const std::vector<std::int64_t>& point) {
    QStringList parts;
    for (std::size_t g = 0; g < point.size(); ++g) {
        const ir::Generator& generator = pattern.nests[nest].generators[g];
        if (generator.split)
            continue;
        parts << QStringLiteral("%1 = %2%3")
                     .arg(QString::fromStdString(generator.name))
                     .arg(generator.valueAt(point[g]))
                     .arg(generator.unknown() ? QStringLiteral("?") : QString());
    }
    return parts.join(QStringLiteral(", "));
}

// ---- rows

QStringList frontHeader(const device::Device& device) {
    return {QString(),
            QObject::tr("Kind"),
            QObject::tr("N"),
            QObject::tr("B"),
            QObject::tr("α"),
            QObject::tr("Box P"),
            QObject::tr("Banks"),
            QObject::tr("Copies"),
            QObject::tr("Words"),
            QObject::tr("LUT"),
            QObject::tr("FF"),
            QString::fromStdString(device.ramKind),
            QObject::tr("DSP")};
}

std::vector<TableRow> frontRows(const session::MemoryItem& item) {
    std::vector<TableRow> rows;
    if (!item.plan)
        return rows;
    for (std::size_t k = 0; k < item.plan->front.size(); ++k) {
        const banking::PricedScheme& priced = item.plan->front[k];
        const Scheme& scheme = priced.scheme;
        const device::Resources& cost = priced.cost.total;
        const bool chosen = k == item.chosen;
        const bool pinned = !item.choice.pins.maps.empty() && meets(scheme, item.choice.pins);
        TableRow row;
        row.texts = {QString(chosen ? QStringLiteral("✓") : QString()) +
                         (pinned ? QStringLiteral("⌾") : QString()),
                     kindText(scheme.kind()),
                     banksText(scheme),
                     blocksText(scheme),
                     alphaText(scheme),
                     listText(scheme.box),
                     QString::number(scheme.banks()),
                     QString::number(scheme.copies),
                     grouped(scheme.words),
                     amount(cost.lut),
                     amount(cost.ff),
                     amount(cost.bram),
                     amount(cost.dsp)};
        const auto number = static_cast<double>(k);
        row.values = {number,
                      static_cast<double>(scheme.kind()),
                      static_cast<double>(scheme.banks()),
                      number,
                      number,
                      number,
                      static_cast<double>(scheme.banks()),
                      static_cast<double>(scheme.copies),
                      static_cast<double>(scheme.words),
                      cost.lut,
                      cost.ff,
                      cost.bram,
                      cost.dsp};
        row.bold = chosen;
        row.tip = QObject::tr("%1\n%2 words per bank, %3 padding, %4 dark\nEnter chooses it, Space "
                              "pins it")
                      .arg(QString::fromStdString(scheme.text()))
                      .arg(grouped(scheme.depth), grouped(scheme.padding), grouped(scheme.dark));
        rows.push_back(std::move(row));
    }
    return rows;
}

QStringList costHeader(const device::Device& device) {
    return {QObject::tr("Term"),
            QObject::tr("Formula"),
            QObject::tr("LUT"),
            QObject::tr("FF"),
            QString::fromStdString(device.ramKind),
            QObject::tr("DSP")};
}

std::vector<TableRow> costRows(const banking::SchemeCost& cost) {
    std::vector<TableRow> rows;
    const auto add = [&](const QString& name, const QString& formula, const device::Resources& used,
                         bool bold) {
        TableRow row;
        row.texts = {
            name, formula, amount(used.lut), amount(used.ff), amount(used.bram), amount(used.dsp)};
        row.tip = formula;
        row.bold = bold;
        rows.push_back(std::move(row));
    };
    for (const banking::SchemeCostTerm& term : cost.terms)
        add(QString::fromStdString(term.name), QString::fromStdString(term.formula), term.resources,
            false);
    add(QObject::tr("sum"), QString(), cost.total, true);
    return rows;
}

} // namespace marquetry::widgets
