#include "widgets/program/program_view.h"

#include "widgets/program/mq_highlighter.h"
#include "widgets/text/code_view.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMouseEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace marquetry::widgets {

namespace {

const QColor kError = categoryColour(5);
const QColor kWarning = categoryColour(0);
const QColor kNote = categoryColour(1);

QColor colourOf(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return kError;
    case Severity::Warning:
        return kWarning;
    case Severity::Note:
        return kNote;
    }
    return kError;
}

QChar letterOf(Severity severity) {
    switch (severity) {
    case Severity::Error:
        return u'E';
    case Severity::Warning:
        return u'W';
    case Severity::Note:
        return u'N';
    }
    return u'E';
}

QString messageOf(const Diagnostic& diagnostic) {
    QString text = QString::fromStdString(diagnostic.message) +
                   QStringLiteral(" [%1]").arg(QString::fromStdString(diagnostic.code));
    for (const std::string& note : diagnostic.notes)
        text += QStringLiteral("\n") + QString::fromStdString(note);
    if (!diagnostic.hint.empty())
        text += QObject::tr("\nHint: %1").arg(QString::fromStdString(diagnostic.hint));
    return text;
}

/// Diagnostics count code points, the document UTF-16 units.
int utf16Column(const QString& line, int column) {
    int units = 0;
    for (int point = 1; point < column && units < line.size(); ++point)
        units += line[units].isHighSurrogate() && units + 1 < line.size() ? 2 : 1;
    return units;
}

int positionOf(const QTextDocument* document, int line, int column) {
    const QTextBlock block = document->findBlockByNumber(line - 1);
    return block.isValid() ? block.position() + utf16Column(block.text(), column) : -1;
}

} // namespace

ProgramView::ProgramView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("programView"));
    title_ = new ElidedLabel(this);
    title_->setContentsMargins(8, 4, 8, 2);
    title_->setAccessibleName(tr("Program"));
    code_ = new CodeView(this);
    code_->setAccessibleName(tr("Source of the program"));
    code_->setPlaceholderText(tr("Open a program (Ctrl+O) or an example to see its source."));
    code_->installEventFilter(this);
    code_->viewport()->installEventFilter(this);
    connect(code_, &CodeView::marginClicked, this, &ProgramView::pickStatement);
    highlighter_ = new MqHighlighter(code_->document());
    highlighter_->setDark(palette().color(QPalette::Base).lightness() < 128);
    list_ = new QListWidget(this);
    list_->setAccessibleName(tr("Diagnostics of the program"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setWordWrap(true);
    list_->hide();
    connect(list_, &QListWidget::itemClicked, this,
            [this](QListWidgetItem* item) { jumpTo(list_->row(item)); });
    connect(list_, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { jumpTo(list_->row(item)); });

    auto* splitter = new QSplitter(Qt::Vertical, this);
    for (QWidget* widget : std::initializer_list<QWidget*>{code_, list_, createLayerTable()})
        splitter->addWidget(widget);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setStretchFactor(2, 2);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(title_);
    layout->addWidget(splitter, 1);
}

QWidget* ProgramView::createLayerTable() {
    layers_ = new LayerTableModel(this);
    table_ = new QTreeView(this);
    table_->setModel(layers_);
    table_->setRootIsDecorated(false);
    table_->setUniformRowHeights(true);
    table_->setAlternatingRowColors(true);
    table_->setAccessibleName(tr("Layers"));
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setFrameShape(QFrame::NoFrame);
    table_->header()->setSectionResizeMode(QHeaderView::Interactive);
    table_->header()->setDefaultSectionSize(84);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { onLayerRow(current.row()); });
    return table_;
}

void ProgramView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    const bool newSource = !snapshot_ || snapshot_->source != snapshot->source;
    const bool newDesign = !snapshot_ || snapshot_->design != snapshot->design;
    snapshot_ = snapshot;
    if (newSource)
        code_->setPlainText(snapshot->source ? QString::fromStdString(*snapshot->source)
                                             : QString());
    layers_->setSnapshot(*snapshot);
    if (newSource || newDesign)
        fitColumns();
    QString title = QString::fromStdString(snapshot->file).section(u'/', -1);
    if (snapshot->program)
        title += tr(" · %1 · %2 MACs")
                     .arg(QString::fromStdString(snapshot->program->name),
                          scaled(static_cast<double>(snapshot->program->macs())));
    title_->showText(title);
    title_->setVisible(!title.isEmpty());
    showDiagnostics();
}

void ProgramView::fitColumns() {
    table_->setColumnHidden(LayerTableModel::Node, !layers_->isImported());
    for (int column = 0; column < LayerTableModel::ColumnCount; ++column)
        table_->resizeColumnToContents(column);
}

void ProgramView::showDiagnostics() {
    QVector<LineMark> marks;
    QList<QTextEdit::ExtraSelection> underlines;
    list_->clear();
    for (const Diagnostic& diagnostic : snapshot_->diagnostics) {
        const QString text = messageOf(diagnostic);
        const QString place =
            diagnostic.range.known()
                ? QStringLiteral("%1:%2  ").arg(diagnostic.range.line).arg(diagnostic.range.column)
                : QString();
        auto* item = new QListWidgetItem(
            QStringLiteral("%1  ").arg(letterOf(diagnostic.severity)) + place + text, list_);
        item->setForeground(palette().color(QPalette::Text));
        if (!diagnostic.range.known())
            continue;
        marks.append({diagnostic.range.line, letterOf(diagnostic.severity),
                      colourOf(diagnostic.severity), text});
        underlines.append(underline(diagnostic));
    }
    code_->setMarks(marks);
    code_->setUnderlines(underlines);
    list_->setVisible(list_->count() > 0);
}

QTextEdit::ExtraSelection ProgramView::underline(const Diagnostic& diagnostic) const {
    const SourceRange& range = diagnostic.range;
    QTextEdit::ExtraSelection selection;
    QTextDocument* document = code_->document();
    selection.cursor = QTextCursor(document);
    const int from = positionOf(document, range.line, range.column);
    int to = positionOf(document, std::max(range.endLine, range.line), range.endColumn);
    const int last = document->characterCount() - 1;
    if (to <= from)
        to = from + 1;
    selection.cursor.setPosition(std::clamp(from, 0, last));
    selection.cursor.setPosition(std::clamp(to, 0, last), QTextCursor::KeepAnchor);
    selection.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    selection.format.setUnderlineColor(colourOf(diagnostic.severity));
    selection.format.setToolTip(messageOf(diagnostic));
    return selection;
}

void ProgramView::jumpTo(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= snapshot_->diagnostics.size())
        return;
    const SourceRange& range = snapshot_->diagnostics[static_cast<std::size_t>(row)].range;
    if (!range.known())
        return;
    const QString line = code_->document()->findBlockByNumber(range.line - 1).text();
    code_->goTo(range.line, utf16Column(line, range.column) + 1);
    code_->setFocus(Qt::OtherFocusReason);
}

void ProgramView::onLayerRow(int row) {
    if (row < 0 || row >= layers_->rowCount())
        return;
    const LayerTableModel::Row& layer = layers_->rows()[static_cast<std::size_t>(row)];
    if (layer.line > 0) {
        code_->setHighlightedLines({layer.line});
        code_->goTo(layer.line);
    }
    Q_EMIT layerPicked(layer.name);
}

void ProgramView::showLayers(const QStringList& layers) {
    QVector<int> lines;
    QItemSelection rows;
    for (const QString& layer : layers) {
        const int row = layers_->rowOf(layer);
        if (row < 0)
            continue;
        rows.select(layers_->index(row, 0), layers_->index(row, LayerTableModel::ColumnCount - 1));
        const int line = layers_->rows()[static_cast<std::size_t>(row)].line;
        if (line > 0)
            lines.append(line);
    }
    const QSignalBlocker quiet(this);
    table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    const int current = table_->currentIndex().row();
    if (!rows.isEmpty() && !table_->selectionModel()->isRowSelected(current))
        table_->selectionModel()->setCurrentIndex(rows.indexes().front(),
                                                  QItemSelectionModel::NoUpdate);
    code_->setHighlightedLines(lines);
    if (std::exchange(shownLines_, lines) == lines)
        return; // where the user has scrolled to stays in sight
    const auto isSeen = [this](int line) {
        const QTextCursor cursor(code_->document()->findBlockByNumber(line - 1));
        return code_->viewport()->rect().intersects(code_->cursorRect(cursor));
    };
    if (!lines.empty() && std::ranges::none_of(lines, isSeen))
        code_->goTo(lines.front());
}

void ProgramView::showValue(const QString& name) {
    QVector<int> lines;
    if (snapshot_ && snapshot_->program)
        for (const ir::Value& value : snapshot_->program->values)
            if (value.place.known() && QString::fromStdString(value.name) == name)
                lines.append(value.place.line);
    code_->setHighlightedLines(lines);
    if (!lines.empty())
        code_->goTo(lines.front());
}

void ProgramView::pickStatement(int line) {
    const int row = layers_->rowAt(line);
    if (row >= 0)
        Q_EMIT layerPicked(layers_->rows()[static_cast<std::size_t>(row)].name);
}

/// A click that marks no text, and Enter: what the cursor has been moved to.
bool ProgramView::eventFilter(QObject* watched, QEvent* event) {
    const bool clicked = watched == code_->viewport() &&
                         event->type() == QEvent::MouseButtonRelease &&
                         static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton &&
                         !code_->textCursor().hasSelection();
    const bool entered = watched == code_ && event->type() == QEvent::KeyPress &&
                         (static_cast<QKeyEvent*>(event)->key() == Qt::Key_Return ||
                          static_cast<QKeyEvent*>(event)->key() == Qt::Key_Enter);
    if (clicked || entered)
        pickStatement(code_->currentLine());
    return QWidget::eventFilter(watched, event);
}

void ProgramView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && highlighter_)
        highlighter_->setDark(palette().color(QPalette::Base).lightness() < 128);
    if (event->type() == QEvent::StyleChange && table_)
        fitColumns();
    QWidget::changeEvent(event);
}

QString ProgramView::toText() const {
    QString out;
    for (int row = 0; row < list_->count(); ++row)
        out += list_->item(row)->text() + u'\n';
    for (const LayerTableModel::Row& row : layers_->rows()) {
        out += QStringLiteral("%1 | %2 | %3 | %4")
                   .arg(row.name, row.operation, row.shape)
                   .arg(row.macs);
        out += row.node.isEmpty() ? QStringLiteral("\n")
                                  : QStringLiteral(" | %1\n%2\n").arg(row.node, row.imported);
    }
    return out;
}

} // namespace marquetry::widgets
