#include "widgets/compare/hdl_difference_panel.h"

#include "widgets/text/number_text.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QSyntaxHighlighter>
#include <QTreeWidget>

namespace marquetry::widgets {

/// By the first letter of a line.
class DifferenceHighlighter : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void setTheme(const Theme& theme) {
        theme_ = &theme;
        rehighlight();
    }

protected:
    void highlightBlock(const QString& text) override {
        if (text.isEmpty() || text[0] == u' ')
            return;
        const widgets::Role role = text[0] == u'-'   ? Role::InkOfA
                                   : text[0] == u'+' ? Role::InkOfB
                                                     : Role::Muted;
        setFormat(0, static_cast<int>(text.size()), (*theme_)[role]);
    }

private:
    const Theme* theme_ = &lightTheme();
};

namespace {

constexpr int kFileRole = Qt::UserRole; ///< of an item: its place in the difference

QString stateOf(const session::HdlFileDifference& file) {
    if (!file.inA || !file.inB)
        return file.inA ? QObject::tr("only A") : QObject::tr("only B");
    return file.text.empty() ? QObject::tr("equal") : QObject::tr("differs");
}

/// Modules begin with the name of the program; their ends tell them apart.
QString nameOf(const session::HdlFileDifference& file) {
    return QFileInfo(QString::fromStdString(file.path)).fileName();
}

QString summaryOf(const session::HdlFileDifference& file) {
    return QObject::tr("%1: %2; lines of A alone: %3, of B alone: %4")
        .arg(QString::fromStdString(file.path), stateOf(file))
        .arg(file.removed)
        .arg(file.added);
}

} // namespace

HdlDifferencePanel::HdlDifferencePanel(QWidget* parent) : QWidget(parent) {
    createModules();
    lines_ = new QPlainTextEdit(this);
    lines_->setReadOnly(true);
    lines_->setLineWrapMode(QPlainTextEdit::NoWrap);
    lines_->setTabChangesFocus(true);
    lines_->setFont(monoFont(10));
    lines_->setAccessibleName(tr("Lines of the module that differ"));
    highlighter_ = new DifferenceHighlighter(lines_->document());
    highlighter_->setTheme(themeOf(palette()));
    message_ = new QLabel(this);
    message_->setWordWrap(true);
    message_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    message_->setContentsMargins(8, 8, 8, 8);
    message_->setTextFormat(Qt::PlainText);
    message_->setAccessibleName(tr("What is known of the Verilog"));
    auto* both = new QSplitter(this);
    both->setChildrenCollapsible(false);
    both->addWidget(modules_);
    both->addWidget(lines_);
    both->setStretchFactor(0, 2);
    both->setStretchFactor(1, 5);
    stack_ = new QStackedWidget(this);
    stack_->addWidget(message_);
    stack_->addWidget(both);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(stack_);
}

void HdlDifferencePanel::createModules() {
    modules_ = new QTreeWidget(this);
    modules_->setAccessibleName(tr("Modules of both designs"));
    modules_->setRootIsDecorated(false);
    modules_->setUniformRowHeights(true);
    modules_->setTextElideMode(Qt::ElideLeft);
    modules_->setHeaderLabels({tr("Module"), tr("State"), tr("− A"), tr("+ B")});
    const char* const tips[] = {
        QT_TR_NOOP("A file of the export; memories are compared by name, as exports write them"),
        QT_TR_NOOP("Whether the file is equal in both designs, or which of them has it"),
        QT_TR_NOOP("Lines of A that B does not have"),
        QT_TR_NOOP("Lines of B that A does not have")};
    for (int column = 0; column < modules_->columnCount(); ++column)
        modules_->headerItem()->setToolTip(column, tr(tips[column]));
    constexpr int kWidths[] = {176, 56, 44, 44};
    for (int column = 0; column < modules_->columnCount(); ++column)
        modules_->setColumnWidth(column, kWidths[column]);
    modules_->header()->setStretchLastSection(false);
    modules_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(modules_, &QTreeWidget::customContextMenuRequested, this, [this](QPoint place) {
        Q_EMIT menuRequested(modules_->viewport()->mapToGlobal(place));
    });
    connect(modules_, &QTreeWidget::currentItemChanged, this, &HdlDifferencePanel::showModule);
}

void HdlDifferencePanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && highlighter_)
        highlighter_->setTheme(themeOf(palette()));
    QWidget::changeEvent(event);
}

QString HdlDifferencePanel::message() const {
    return stack_->currentIndex() == 0 ? message_->text() : QString();
}

void HdlDifferencePanel::showMessage(const QString& text) {
    difference_.reset();
    modules_->clear();
    message_->setText(text);
    stack_->setCurrentIndex(0);
}

void HdlDifferencePanel::setText(const QString& text) {
    text_ = text.trimmed();
    filter();
}

void HdlDifferencePanel::setOnlyDifferent(bool only) {
    onlyDifferent_ = only;
    filter();
}

/// The first module that differs is the one to see, unless another one was looked at.
void HdlDifferencePanel::showDifference(
    const std::shared_ptr<const session::HdlDifference>& difference) {
    if (difference == difference_)
        return;
    const QString wanted = module_;
    difference_ = difference;
    modules_->clear();
    QTreeWidgetItem* current = nullptr;
    for (std::size_t k = 0; k < difference->files.size(); ++k) {
        const session::HdlFileDifference& file = difference->files[k];
        auto* item = new QTreeWidgetItem(modules_, {nameOf(file), stateOf(file),
                                                    grouped(static_cast<qint64>(file.removed)),
                                                    grouped(static_cast<qint64>(file.added))});
        item->setData(0, kFileRole, static_cast<int>(k));
        for (int column = 0; column < modules_->columnCount(); ++column) {
            item->setToolTip(column, summaryOf(file));
            if (column >= 2)
                item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        if (item->text(0) == wanted || (!current && !file.text.empty()))
            current = item;
    }
    stack_->setCurrentIndex(1);
    filter();
    modules_->setCurrentItem(current ? current : modules_->topLevelItem(0));
    showModule();
}

void HdlDifferencePanel::filter() {
    if (!difference_)
        return;
    for (int row = 0; row < modules_->topLevelItemCount(); ++row) {
        QTreeWidgetItem* const item = modules_->topLevelItem(row);
        const auto& file =
            difference_->files[static_cast<std::size_t>(item->data(0, kFileRole).toInt())];
        const bool named = item->text(0).contains(text_, Qt::CaseInsensitive) ||
                           item->text(1).contains(text_, Qt::CaseInsensitive);
        item->setHidden(!named || (onlyDifferent_ && file.text.empty()));
    }
}

void HdlDifferencePanel::showModule() {
    const QTreeWidgetItem* const item = modules_->currentItem();
    if (!item || !difference_)
        return lines_->clear();
    module_ = item->text(0);
    const auto& file =
        difference_->files[static_cast<std::size_t>(item->data(0, kFileRole).toInt())];
    lines_->setPlainText(file.text.empty() ? tr("%1 is equal in both designs.").arg(item->text(0))
                                           : QString::fromStdString(file.text));
}

QString HdlDifferencePanel::toText() const {
    if (!difference_)
        return {};
    QString text;
    for (const session::HdlFileDifference& file : difference_->files)
        text += summaryOf(file) + u'\n' + QString::fromStdString(file.text);
    return text;
}

} // namespace marquetry::widgets
