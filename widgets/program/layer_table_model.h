// LayerTableModel: the program's layers in order of execution — name, result shape (H × W ×
// C), MACs, once there is a design the unit and cycles of each, the operations, and of an
// imported network the nodes of its file (their scales and multipliers are in the tool tip).
//
// Rows are calls' layers by name; a layer without a call (a pass that no unit does yet) keeps empty
// unit and cycles. Complexity: O(layers) per change of program or design. Thread rule: window's
// thread.
#pragma once

#include "engine/session/snapshot.h"

#include <QAbstractTableModel>

#include <utility>
#include <vector>

namespace marquetry::widgets {

class LayerTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, ResultShape, Macs, Unit, Cycles, Operation, Node, ColumnCount };

    struct Row {
        QString name;
        QString operation;
        QString shape;
        std::int64_t macs = 0;
        int line = 0; ///< of its result in the source; 0 unknown
        /// First and last of each of its statements.
        std::vector<std::pair<int, int>> statements;
        QString unit;
        std::int64_t cycles = -1; ///< -1: no call
        bool shared = false;
        QString node;     ///< of an imported network
        QString imported; ///< what its tensors mean, a line each
        bool operator==(const Row&) const = default;
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setSnapshot(const session::Snapshot& snapshot);
    const std::vector<Row>& rows() const { return rows_; }
    bool isImported() const { return program_ && !program_->imported.empty(); }
    /// -1 when there is none.
    int rowOf(const QString& layer) const;
    /// Of the layer that a line of the source is a statement of; -1 when it is of none.
    int rowAt(int line) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const ir::Program> program_;
    std::shared_ptr<const design::Design> design_;
    std::vector<Row> rows_;
};

} // namespace marquetry::widgets
