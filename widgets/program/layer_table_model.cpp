#include "widgets/program/layer_table_model.h"

#include "engine/ir/layer.h"
#include "widgets/text/number_text.h"

#include <QStringList>

#include <algorithm>
#include <map>
#include <string>

namespace marquetry::widgets {

namespace {

QString shapeText(const ir::Type& type) {
    QStringList dims;
    for (const std::int64_t dim : type.dims)
        dims << QString::number(dim);
    const std::string_view scalar = ir::info(type.scalar).name;
    const QString name = QString::fromUtf8(scalar.data(), static_cast<qsizetype>(scalar.size()));
    return dims.isEmpty() ? name : dims.join(QStringLiteral("×")) + u' ' + name;
}

QString operationText(const ir::Program& program, const ir::Layer& layer) {
    const auto name = [&](ir::ValueId id) {
        const std::string_view text = ir::info(program.value(id).op).name;
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    QStringList parts;
    if (!layer.pass || layer.epilogue.empty())
        parts << name(layer.anchor);
    for (const ir::EpilogueOp& op : layer.epilogue)
        parts << name(op.value);
    return parts.join(QStringLiteral(" → "));
}

std::int64_t macsOf(const ir::Program& program, const ir::Layer& layer) {
    std::int64_t macs =
        layer.pass && !layer.epilogue.empty() ? 0 : program.value(layer.anchor).macs;
    for (const ir::EpilogueOp& op : layer.epilogue)
        macs += program.value(op.value).macs;
    return macs;
}

void describeImport(const ir::Program& program, const ir::Layer& layer, LayerTableModel::Row& row) {
    QStringList nodes;
    QStringList lines;
    for (const ir::ImportedValue* part : ir::importedValues(program, layer)) {
        nodes << QString::fromStdString(part->node);
        lines << QStringLiteral("%1 (%2): %3")
                     .arg(QString::fromStdString(part->tensor), QString::fromStdString(part->op),
                          QString::fromStdString(part->scale));
        if (!part->factor.empty())
            lines << QString::fromStdString(part->factor) << QString::fromStdString(part->proof);
    }
    row.node = nodes.join(QStringLiteral(" → "));
    row.imported = lines.join(u'\n');
}

std::vector<std::pair<int, int>> statementsOf(const ir::Program& program, const ir::Layer& layer) {
    std::vector<ir::ValueId> values{layer.anchor, layer.result};
    for (const ir::EpilogueOp& op : layer.epilogue)
        values.push_back(op.value);
    std::vector<std::pair<int, int>> statements;
    for (const ir::ValueId value : values)
        if (const SourceRange& place = program.value(value).place; place.known())
            statements.emplace_back(place.line, std::max(place.line, place.endLine));
    return statements;
}

std::vector<LayerTableModel::Row> rowsOf(const session::Snapshot& snapshot) {
    std::vector<LayerTableModel::Row> rows;
    if (!snapshot.program)
        return rows;
    const ir::Program& program = *snapshot.program;
    for (const ir::Layer& layer : ir::planLayers(program).layers) {
        LayerTableModel::Row row;
        row.name = QString::fromStdString(layer.name);
        row.operation = operationText(program, layer);
        row.shape = shapeText(program.value(layer.result).type);
        row.macs = macsOf(program, layer);
        row.line = program.value(layer.result).place.line;
        row.statements = statementsOf(program, layer);
        describeImport(program, layer, row);
        rows.push_back(row);
    }
    if (!snapshot.design)
        return rows;
    std::map<std::string, const design::DesignCall*> calls;
    for (const design::DesignCall& call : snapshot.design->calls)
        calls.emplace(call.layer, &call);
    for (LayerTableModel::Row& row : rows) {
        const auto call = calls.find(row.name.toStdString());
        if (call == calls.end())
            continue;
        const design::DesignUnit& unit = snapshot.design->unit(call->second->unit);
        row.unit = QString::fromStdString(unit.name);
        row.shared = unit.shared;
        row.cycles = call->second->cycles;
    }
    return rows;
}

} // namespace

void LayerTableModel::setSnapshot(const session::Snapshot& snapshot) {
    if (snapshot.program == program_ && snapshot.design == design_)
        return;
    const bool sameProgram = snapshot.program == program_;
    program_ = snapshot.program;
    design_ = snapshot.design;
    std::vector<Row> fresh = rowsOf(snapshot);
    if (!sameProgram || fresh.size() != rows_.size()) {
        beginResetModel();
        rows_ = std::move(fresh);
        endResetModel();
        return;
    }
    for (std::size_t k = 0; k < fresh.size(); ++k)
        if (!(fresh[k] == rows_[k])) {
            rows_[k] = fresh[k];
            const int row = static_cast<int>(k);
            Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
        }
}

int LayerTableModel::rowOf(const QString& layer) const {
    const auto at =
        std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.name == layer; });
    return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

int LayerTableModel::rowAt(int line) const {
    const auto holds = [line](const std::pair<int, int>& statement) {
        return statement.first <= line && line <= statement.second;
    };
    const auto at = std::ranges::find_if(
        rows_, [&](const Row& row) { return std::ranges::any_of(row.statements, holds); });
    return at == rows_.end() ? -1 : static_cast<int>(at - rows_.begin());
}

int LayerTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int LayerTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LayerTableModel::data(const QModelIndex& index, int role) const {
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    if (role == Qt::TextAlignmentRole)
        return int(
            Qt::AlignVCenter |
            (index.column() == Macs || index.column() == Cycles ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::ToolTipRole) {
        const QString what =
            tr("%1: %2\n%3, %4 MACs").arg(row.name, row.operation, row.shape, grouped(row.macs));
        return row.imported.isEmpty() ? what : what + u'\n' + row.imported;
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case Name:
        return row.name;
    case Operation:
        return row.operation;
    case ResultShape:
        return row.shape;
    case Macs:
        return scaled(static_cast<double>(row.macs));
    case Unit:
        return row.shared ? tr("%1 (shared)").arg(row.unit) : row.unit;
    case Cycles:
        return row.cycles < 0 ? QString() : grouped(row.cycles);
    case Node:
        return row.node;
    default:
        return {};
    }
}

QVariant LayerTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::TextAlignmentRole && orientation == Qt::Horizontal)
        return int(Qt::AlignVCenter |
                   (section == Macs || section == Cycles ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal)
        return {};
    switch (section) {
    case Name:
        return tr("Layer");
    case Operation:
        return tr("Operation");
    case ResultShape:
        return tr("Result");
    case Macs:
        return tr("MACs");
    case Unit:
        return tr("Unit");
    case Cycles:
        return tr("Cycles");
    case Node:
        return tr("Node of the file");
    default:
        return {};
    }
}

} // namespace marquetry::widgets
