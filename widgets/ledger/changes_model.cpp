#include "widgets/ledger/changes_model.h"

#include "widgets/models/column_title.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <array>

namespace marquetry::widgets {

using session::ChangeFigures;
using session::NextChange;

namespace {

struct ChangeColumn {
    const char* title;
    const char* tip;
    bool number;
};

constexpr std::array<ChangeColumn, ChangesModel::ColumnCount> kChangeColumns{{
    {"Change", "Of the settings, alone; pins and all other settings stay", false},
    {"Gain", "Frames a second then ÷ now, at the clocks of the devices", true},
    {"Cycles a frame", "Now → then, as an exploration of its own found it", true},
    {"DSP", "Blocks that the design uses, now → then", true},
}};

QString nowThen(double now, double then) {
    return QStringLiteral("%1 → %2").arg(amount(now), amount(then));
}

QString gainText(const ChangeFigures& now, const NextChange& tried) {
    if (!tried.then)
        return ChangesModel::tr("no design");
    const auto gain = gainOf(now, tried.then);
    if (!gain)
        return ChangesModel::tr("other costs");
    if (*gain == 1 && now.resources == tried.then->resources)
        return ChangesModel::tr("the same");
    return QStringLiteral("×%1").arg(QString::number(*gain, 'f', 2));
}

QString changeCell(const ChangeFigures& now, const NextChange& tried, int column) {
    switch (column) {
    case ChangesModel::Change:
        return QString::fromStdString(tried.change.text);
    case ChangesModel::Gain:
        return gainText(now, tried);
    case ChangesModel::Cycles:
        return tried.then ? nowThen(now.cyclesPerFrame(), tried.then->cyclesPerFrame()) : QString();
    default:
        return tried.then ? nowThen(now.resources.dsp, tried.then->resources.dsp) : QString();
    }
}

QString changeTip(const ChangeFigures& now, const NextChange& tried) {
    const QString text = QString::fromStdString(tried.change.text);
    if (!tried.then)
        return tried.problem.empty()
                   ? text
                   : text + u'\n' + QString::fromStdString(tried.problem.front().message);
    const ChangeFigures& then = *tried.then;
    QString tip = ChangesModel::tr("%1\n%2 at %3 MHz\nblock RAM %4\nLUT %5")
                      .arg(text, frameCyclesText(then.cycles, then.frames), amount(then.clockMhz),
                           nowThen(now.resources.bram, then.resources.bram),
                           nowThen(now.resources.lut, then.resources.lut));
    if (then.outOfTime)
        tip += ChangesModel::tr("\nThe limit on time ended this search");
    return tip;
}

} // namespace

void ChangesModel::setChanges(const std::shared_ptr<const session::NextChanges>& changes) {
    beginResetModel();
    changes_ = changes;
    endResetModel();
}

const NextChange& ChangesModel::change(int row) const {
    return changes_->tried[static_cast<std::size_t>(row)];
}

int ChangesModel::rowOf(const std::string& text) const {
    for (int row = 0; row < rowCount(); ++row)
        if (change(row).change.text == text)
            return row;
    return -1;
}

int ChangesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !changes_ ? 0 : static_cast<int>(changes_->tried.size());
}

int ChangesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ChangesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const NextChange& tried = change(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return changeCell(changes_->now, tried, index.column());
    case Qt::ToolTipRole:
        return changeTip(changes_->now, tried);
    case Qt::TextAlignmentRole:
        return int((kChangeColumns[static_cast<std::size_t>(index.column())].number
                        ? Qt::AlignRight
                        : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ChangesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    return columnTitle(kChangeColumns, metaObject()->className(), section, role);
}

} // namespace marquetry::widgets
