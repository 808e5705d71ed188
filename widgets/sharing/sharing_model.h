// SharingModel: the sharing candidates of the current design, one row each.
//
// A candidate is known by its name: a new design updates, moves, inserts and removes rows and never
// resets the model. The state is written in words with a mark of its own; its check box is the
// what-if switch: setting it asks (toggled) and changes nothing by itself.
// Roles: SortRole gives a number or lower-case text per column, CandidateRole the link of its
// e-class ("class:12").
// Units: DSP blocks, cycles of the design's cost model, per cent. Thread rule: window's thread.
#pragma once

#include "widgets/models/snapshot_index.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace marquetry::widgets {

class SharingModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Unit, Sites, State, SavedDsp, ExtraCycles, Utilisation, Reason, ColumnCount };
    enum Role { SortRole = Qt::UserRole, CandidateRole };

    explicit SharingModel(QObject* parent = nullptr);

    /// The unit (as pins name it) a question is open about; its row says so. Empty: none.
    void setQuestion(const std::string& target);
    const std::string& question() const { return question_; }
    void setIndex(const std::shared_ptr<const SnapshotIndex>& index);
    const design::SharingCandidate& candidate(int row) const {
        return rows_[static_cast<std::size_t>(row)].candidate;
    }
    int rowOf(egraph::EClassId eclass) const; ///< −1: none
    /// The pin on the candidate's unit that is switched on, or null.
    const design::Pin* pin(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// Of the columns, in their order.
    static QStringList titles();
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

    /// "● shared", "○ not shared", "⊘ forbidden".
    static QString stateText(const design::SharingCandidate& candidate);

Q_SIGNALS:
    void toggled(int row, bool share);

private:
    struct Row {
        design::SharingCandidate candidate;
        design::Pin pin; ///< id 0: none
    };

    std::vector<Row> rowsOf(const SnapshotIndex& index) const;
    QVariant text(const Row& row, int column) const;
    QVariant sortKey(const Row& row, int column) const;
    QString toolTip(const Row& row, int column) const;

    std::vector<Row> rows_;
    std::string question_;
};

/// Name of the unit a candidate is about, as pins write it.
std::string pinTarget(const design::SharingCandidate& candidate);

} // namespace marquetry::widgets
