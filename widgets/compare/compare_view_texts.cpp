// What a CompareView says of the two designs, and what it exports.
#include "widgets/canvas/export_menu.h"
#include "widgets/compare/compare_view.h"
#include "widgets/compare/comparison_filter.h"
#include "widgets/compare/comparison_picture.h"
#include "widgets/compare/gantt_pair.h"
#include "widgets/compare/hdl_difference_panel.h"
#include "widgets/text/table_text.h"

namespace marquetry::widgets {

using design::ComparisonRows;

namespace {

constexpr char kTextStart[] = "compare\n";

} // namespace

QString CompareView::wordsOfA() const {
    const ShownDesign& a = designs_.atHand();
    if (!a.design)
        return tr("A: there is no design yet");
    const bool held = snapshot_->heldAtHand && snapshot_->held->design == a.design;
    const QString file = held ? QString::fromStdString(snapshot_->held->path) : QString();
    return held ? tr("A, %1: %2").arg(FileOrigin{file, {}, {}}.title(), designWords(a))
                : tr("A, shown now: %1").arg(designWords(a));
}

QString CompareView::wordsOfB() const {
    if (b_.shown.design)
        return tr("B, %1: %2").arg(b_.name, designWords(b_.shown));
    const bool named = b_.point || b_.file.isFile();
    return named ? tr("B, %1").arg(b_.text) : tr("B: none is chosen");
}

QString CompareView::noteText() const {
    if (!designs_.atHand().design)
        return tr("When a design is found, it can be compared with another one here.");
    if (const QString& why = problem_.isEmpty() ? refused_ : problem_; !why.isEmpty())
        return tr("✕ There is no comparison: %1").arg(why);
    if (asked_)
        return b_.point ? tr("Looking for design B …")
                        : tr("Reading design B from %1 …").arg(b_.file.path);
    if (!comparison_ || !b_.shown.design)
        return tr("Choose above which design to compare with.");
    QStringList notes;
    for (const QString& note : {b_.file.change(), b_.file.note})
        if (!note.isEmpty())
            notes << note;
    if (!b_.file.isFile() && !designs_.isFound(*b_.shown.design))
        notes << tr("B is not among the designs found now: the settings, the pins or the search "
                    "have changed since.");
    for (const std::string& note : comparison_->notes)
        notes << QString::fromStdString(note);
    return notes.join(u' ');
}

/// The figures that the filter lets through, in the order shown.
Picture CompareView::exported() const {
    PaintedComparison shown{{wordsOfA(), wordsOfB()}, {}, gantt_->exported()};
    if (const QString note = noteText(); !note.isEmpty())
        shown.words << note;
    const QAbstractItemModel& figures = *table_[0].filter;
    const auto columns = design::comparisonColumns(ComparisonRows::Figures);
    const auto isRight = [&](int column) {
        return columns[static_cast<std::size_t>(column)].form != design::CellForm::Text;
    };
    auto& header = shown.rows.emplace_back();
    for (int column = 0; column < figures.columnCount(); ++column)
        header.push_back({table_[0].model->titles()[column], isRight(column), Role::Ink});
    for (int row = 0; row < figures.rowCount(); ++row) {
        auto& cells = shown.rows.emplace_back();
        for (int column = 0; column < figures.columnCount(); ++column) {
            const QModelIndex index = figures.index(row, column);
            cells.push_back({index.data().toString(), isRight(column),
                             static_cast<Role>(index.data(ComparisonModel::InkRole).toInt())});
        }
    }
    return comparisonPicture(shown, themeOf(palette()));
}

/// The header and what the filter lets through, in the order shown.
std::vector<QStringList> CompareView::tableRows(const Page& page, int role) const {
    std::vector<QStringList> rows{page.model->titles()};
    for (int row = 0; row < page.filter->rowCount(); ++row) {
        QStringList& cells = rows.emplace_back();
        for (int column = 0; column < page.filter->columnCount(); ++column)
            cells << page.filter->index(row, column).data(role).toString();
    }
    return rows;
}

bool CompareView::isText(std::string_view bytes) {
    const std::vector<QStringList> header{ComparisonModel(ComparisonRows::Figures).titles()};
    return bytes.starts_with(kTextStart) || bytes.starts_with(csvText(header).toStdString()) ||
           bytes.starts_with(markdownText(header).toStdString());
}

QString CompareView::toText() const {
    QString text = QLatin1String(kTextStart) + wordsOfA() + u'\n' + wordsOfB() + u'\n';
    if (const QString note = noteText(); !note.isEmpty())
        text += note + u'\n';
    if (!comparison_)
        return text;
    for (const Page& page : table_)
        for (const QStringList& row : tableRows(page, Qt::DisplayRole))
            text += row.join(QStringLiteral(" | ")) + u'\n';
    return text + gantt_->toText() + verilog_->toText();
}

/// Numbers as they are, not as they are read.
QString CompareView::toCsv() const {
    return csvText(tableRows(pageInFront(), ComparisonModel::PlainRole));
}

QString CompareView::toMarkdown() const {
    return markdownText(tableRows(pageInFront(), Qt::DisplayRole));
}

Status CompareView::exportTo(const QString& path, double scale) const {
    return saveShown(*this, path, scale);
}

} // namespace marquetry::widgets
