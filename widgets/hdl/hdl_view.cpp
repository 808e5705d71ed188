#include "widgets/hdl/hdl_view.h"

#include "widgets/hdl/verify_panel.h"
#include "widgets/hdl/verilog_highlighter.h"
#include "widgets/text/code_view.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSplitter>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

namespace marquetry::widgets {

namespace {

constexpr int kPathRole = Qt::UserRole;
constexpr int kModuleRole = Qt::UserRole + 1; ///< its place in the modules
constexpr int kLineRole = Qt::UserRole + 2;   ///< of the instance, in the module that has it
constexpr int kMostDepth = 32;

} // namespace

HdlView::HdlView(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("hdlView"));
    code_ = new CodeView(this);
    code_->setAccessibleName(tr("Generated file"));
    code_->setPlaceholderText(tr("The Verilog of the current design appears here. A design that "
                                 "keeps buffers in external memory has none yet."));
    highlighter_ = new VerilogHighlighter(code_->document());
    highlighter_->setDark(palette().color(QPalette::Base).lightness() < 128);
    verify_ = new VerifyPanel(this);
    connect(verify_, &VerifyPanel::verifyRequested, this, &HdlView::verifyRequested);
    connect(verify_, &VerifyPanel::exportRequested, this, &HdlView::exportRequested);

    auto* right = new QWidget(this);
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(createFindBar());
    column->addWidget(code_, 1);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    auto* trees = new QSplitter(Qt::Vertical, this);
    trees->addWidget(createTree());
    trees->addWidget(createModuleTree());
    trees->setChildrenCollapsible(false);
    splitter->addWidget(trees);
    splitter->addWidget(right);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({260, 600});
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(splitter, 1);
    layout->addWidget(verify_);
}

QWidget* HdlView::createTree() {
    tree_ = new QTreeWidget(this);
    tree_->setHeaderLabels({tr("File"), tr("Unit")});
    tree_->setAccessibleName(tr("Generated files"));
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setUniformRowHeights(true);
    tree_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(tree_, &QTreeWidget::currentItemChanged, this, &HdlView::onItemChanged);
    return tree_;
}

QWidget* HdlView::createModuleTree() {
    moduleTree_ = new QTreeWidget(this);
    moduleTree_->setHeaderLabels({tr("Instance"), tr("Module"), tr("Unit")});
    moduleTree_->setAccessibleName(tr("Modules and their instances"));
    moduleTree_->setFrameShape(QFrame::NoFrame);
    moduleTree_->setUniformRowHeights(true);
    moduleTree_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(moduleTree_, &QTreeWidget::currentItemChanged, this, &HdlView::onModule);
    connect(moduleTree_, &QTreeWidget::itemActivated, this, &HdlView::onInstance);
    return moduleTree_;
}

QWidget* HdlView::createFindBar() {
    auto* bar = new QWidget(this);
    find_ = new QLineEdit(bar);
    find_->setPlaceholderText(tr("Find in the file (Return next, Shift+Return previous)"));
    find_->setAccessibleName(tr("Find in the generated file"));
    find_->setClearButtonEnabled(true);
    matches_ = new QLabel(bar);
    matches_->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 4, 6, 4);
    row->addWidget(find_, 1);
    row->addWidget(matches_);
    const auto button = [&](const QString& text, const QString& name, bool backwards) {
        auto* b = new QToolButton(bar);
        b->setText(text);
        b->setAccessibleName(name);
        b->setToolTip(name);
        b->setAutoRaise(true);
        connect(b, &QToolButton::clicked, this, [this, backwards] { find(backwards); });
        row->addWidget(b);
    };
    button(QStringLiteral("▲"), tr("Previous match"), true);
    button(QStringLiteral("▼"), tr("Next match"), false);
    connect(find_, &QLineEdit::returnPressed, this, [this] { find(false); });
    auto* previous = new QAction(tr("Previous match"), find_);
    previous->setShortcut(QKeySequence(Qt::SHIFT | Qt::Key_Return));
    previous->setShortcutContext(Qt::WidgetShortcut);
    find_->addAction(previous);
    connect(previous, &QAction::triggered, this, [this] { find(true); });
    connect(find_, &QLineEdit::textChanged, this, &HdlView::countMatches);
    return bar;
}

void HdlView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    verify_->setSnapshot(*snapshot);
    if (snapshot->hdl == files_)
        return;
    files_ = snapshot->hdl;
    fillModules();
    fillTree();
}

QTreeWidgetItem* HdlView::folderItem(const QString& folder) {
    for (int k = 0; k < tree_->topLevelItemCount(); ++k)
        if (tree_->topLevelItem(k)->text(0) == folder &&
            tree_->topLevelItem(k)->data(0, kPathRole).isNull())
            return tree_->topLevelItem(k);
    auto* item = new QTreeWidgetItem(tree_, {folder, QString()});
    item->setExpanded(true);
    return item;
}

void HdlView::fillTree() {
    const QString wanted = current_;
    const QSignalBlocker quiet(tree_);
    tree_->clear();
    current_.clear();
    code_->clear();
    if (!files_)
        return;
    for (const session::HdlFile& generated : *files_) {
        const QString path = QString::fromStdString(generated.path);
        const qsizetype slash = path.lastIndexOf(u'/');
        const QStringList columns{path.mid(slash + 1), QString::fromStdString(generated.unit)};
        QTreeWidgetItem* item = slash < 0
                                    ? new QTreeWidgetItem(tree_, columns)
                                    : new QTreeWidgetItem(folderItem(path.left(slash)), columns);
        item->setData(0, kPathRole, path);
        item->setToolTip(0, path);
    }
    if (!files_->empty())
        showFile(file(wanted) ? wanted : QString::fromStdString(files_->front().path));
}

void HdlView::fillModules() {
    const QSignalBlocker quiet(moduleTree_);
    moduleTree_->clear();
    modules_ = files_ ? modulesOf(*files_) : HdlModules();
    for (const std::size_t top : topModules(modules_)) {
        auto* item = new QTreeWidgetItem(moduleTree_, {modules_[top].name});
        addInstance(item, top, 0);
        item->setExpanded(true);
    }
}

/// Of a module that another one has inside, too, the same below each instance.
void HdlView::addInstance(QTreeWidgetItem* item, std::size_t module, int depth) {
    const HdlModule& is = modules_[module];
    item->setText(1, is.name);
    item->setText(2, is.unit);
    item->setData(0, kModuleRole, static_cast<qulonglong>(module));
    item->setToolTip(0, tr("%1: module %2 in %3").arg(item->text(0), is.name, is.file));
    if (depth == kMostDepth)
        return;
    for (const HdlInstance& instance : is.instances) {
        auto* inner = new QTreeWidgetItem(item, {instance.name});
        inner->setData(0, kLineRole, instance.line);
        addInstance(inner, instance.module, depth + 1);
    }
}

void HdlView::onModule(QTreeWidgetItem* item) {
    if (item == nullptr)
        return;
    const HdlModule& module = modules_[item->data(0, kModuleRole).toULongLong()];
    showFile(module.file);
    code_->goTo(module.line);
    code_->setHighlightedLines({module.line});
    if (!module.unit.isEmpty())
        Q_EMIT unitPicked(module.unit);
}

/// Where it is made; of a module at the top, the module.
void HdlView::onInstance(QTreeWidgetItem* item) {
    if (item->parent() == nullptr)
        return onModule(item);
    const int line = item->data(0, kLineRole).toInt();
    showFile(modules_[item->parent()->data(0, kModuleRole).toULongLong()].file);
    code_->goTo(line);
    code_->setHighlightedLines({line});
}

/// The first instance of a module of the file is current, if none is.
void HdlView::followFile() {
    const auto isHere = [this](const QTreeWidgetItem* item) {
        return item != nullptr &&
               modules_[item->data(0, kModuleRole).toULongLong()].file == current_;
    };
    if (isHere(moduleTree_->currentItem()))
        return;
    const QSignalBlocker quiet(moduleTree_);
    for (QTreeWidgetItemIterator it(moduleTree_); *it; ++it)
        if (isHere(*it))
            return moduleTree_->setCurrentItem(*it);
    moduleTree_->setCurrentItem(nullptr);
}

const session::HdlFile* HdlView::file(const QString& path) const {
    if (!files_)
        return nullptr;
    for (const session::HdlFile& generated : *files_)
        if (QString::fromStdString(generated.path) == path)
            return &generated;
    return nullptr;
}

void HdlView::showFile(const QString& path) {
    const session::HdlFile* generated = file(path);
    if (!generated || path == current_)
        return;
    current_ = path;
    code_->setPlainText(QString::fromStdString(generated->text));
    code_->setHighlightedLines({});
    countMatches();
    const QSignalBlocker quiet(tree_);
    for (QTreeWidgetItemIterator it(tree_); *it; ++it)
        if ((*it)->data(0, kPathRole).toString() == path)
            tree_->setCurrentItem(*it);
    followFile();
}

void HdlView::showUnit(const QString& unit) {
    const session::HdlFile* shown = file(current_);
    if (!files_ || unit.isEmpty() || (shown && QString::fromStdString(shown->unit) == unit))
        return; // of the files of a unit the one at hand stays
    for (const session::HdlFile& generated : *files_)
        if (QString::fromStdString(generated.unit) == unit) {
            showFile(QString::fromStdString(generated.path));
            return;
        }
}

void HdlView::onItemChanged(QTreeWidgetItem* item) {
    if (!item)
        return;
    const session::HdlFile* generated = file(item->data(0, kPathRole).toString());
    if (!generated)
        return;
    showFile(QString::fromStdString(generated->path));
    if (!generated->unit.empty())
        Q_EMIT unitPicked(QString::fromStdString(generated->unit));
}

void HdlView::find(bool backwards) {
    code_->findNext(find_->text(), backwards);
}

void HdlView::countMatches() {
    const int count = code_->countMatches(find_->text());
    matches_->setText(find_->text().isEmpty() ? QString() : tr("%n match(es)", nullptr, count));
}

void HdlView::focusFind() {
    find_->setFocus(Qt::ShortcutFocusReason);
    find_->selectAll();
}

void HdlView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && highlighter_)
        highlighter_->setDark(palette().color(QPalette::Base).lightness() < 128);
    QWidget::changeEvent(event);
}

QString HdlView::toText() const {
    QString out;
    if (files_)
        for (const session::HdlFile& generated : *files_)
            out += QString::fromStdString(generated.path) + u' ' +
                   QString::fromStdString(generated.unit) + u'\n';
    for (QTreeWidgetItemIterator it(moduleTree_); *it; ++it) {
        int depth = 0;
        for (const QTreeWidgetItem* above = (*it)->parent(); above; above = above->parent())
            ++depth;
        out += QStringLiteral("%1%2: %3 %4\n")
                   .arg(QStringLiteral("  ").repeated(depth), (*it)->text(0), (*it)->text(1),
                        (*it)->text(2));
    }
    return out + verify_->toText();
}

} // namespace marquetry::widgets
