// Tables of the Memories view: the front of schemes, and the terms of one scheme's cost.
//
// Rows are texts with a value to sort by; the first column of the front marks the chosen scheme ✓
// and a pinned one ⌾. Thread rule: window's thread; the row functions are pure.
#pragma once

#include "engine/session/snapshot.h"

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace marquetry::widgets {

struct TableRow {
    QStringList texts;
    std::vector<double> values; ///< to sort by; empty: by the texts
    QString tip;
    bool bold = false;
};

class BankTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    static constexpr int kSortRole = Qt::UserRole;

    /// `firstNumber`: columns from there on are right-aligned.
    BankTableModel(QStringList header, int firstNumber, QObject* parent = nullptr);

    void setHeader(QStringList header);
    void setRows(std::vector<TableRow> rows);
    const std::vector<TableRow>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QStringList header_;
    int firstNumber_;
    std::vector<TableRow> rows_;
};

/// "9", "(2, 3)": a number per map.
QString banksText(const banking::Scheme& scheme);
QString blocksText(const banking::Scheme& scheme);
/// "(3, 2)"; of hierarchical schemes one number per dimension, of lattices one list per map.
QString alphaText(const banking::Scheme& scheme);
QString listText(const std::vector<std::int64_t>& numbers);
QString kindText(banking::Kind kind);
/// "i = 2, j = 3"; unknown values with a question mark: "row(0) = 5?".
QString pointText(const banking::AccessPattern& pattern, std::size_t nest,
                  const std::vector<std::int64_t>& point);

QStringList frontHeader(const device::Device& device);
std::vector<TableRow> frontRows(const session::MemoryItem& item);
QStringList costHeader(const device::Device& device);
std::vector<TableRow> costRows(const banking::SchemeCost& cost);

} // namespace marquetry::widgets
