#include "widgets/rules/rules_view.h"

#include "widgets/canvas/export_menu.h"
#include "widgets/canvas/picture.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/number_text.h"
#include "widgets/text/table_text.h"
#include "widgets/text/view_menu.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace marquetry::widgets {

RulesView::RulesView(SelectionModel* selection, QWidget* parent)
    : QWidget(parent),
      selection_(selection),
      model_(new RuleModel(this)),
      sorted_(new QSortFilterProxyModel(this)),
      tree_(new QTreeView(this)) {
    setObjectName(QStringLiteral("rulesView"));
    setAccessibleName(tr("Rules"));
    sorted_->setSourceModel(model_);
    sorted_->setSortRole(Qt::UserRole);
    sorted_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    sorted_->setRecursiveFilteringEnabled(true);
    createTree();
    createLayout();
    connect(model_, &RuleModel::groupSwitched, this, &RulesView::groupSwitched);
    connect(sorted_, &QAbstractItemModel::modelReset, this, &RulesView::expandGroups);
    connect(selection_, &SelectionModel::changed, this, &RulesView::onSelection);
}

void RulesView::createTree() {
    tree_->setModel(sorted_);
    tree_->setAccessibleName(tr("Rules by group"));
    tree_->setUniformRowHeights(true);
    tree_->setAlternatingRowColors(true);
    tree_->setSortingEnabled(true);
    tree_->sortByColumn(-1, Qt::AscendingOrder);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setIndentation(14);
    tree_->header()->setStretchLastSection(true);
    tree_->header()->setMinimumSectionSize(36);
    constexpr std::array<int, RuleModel::ColumnCount> kWidths{176, 50, 54, 50, 44, 50};
    for (int column = 0; column < RuleModel::ColumnCount; ++column)
        tree_->setColumnWidth(column, kWidths[static_cast<std::size_t>(column)]);
    connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& place) {
        const std::string rule = model_->ruleAt(sorted_->mapToSource(place));
        if (!rule.empty())
            Q_EMIT cardRequested(QString::fromStdString(rule));
    });
    tree_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RulesView::onCurrent);
    connect(tree_, &QTreeView::customContextMenuRequested, this, [this](QPoint place) {
        ViewMenu::show(createMenu(tree_->currentIndex()), tree_,
                       tree_->viewport()->mapToGlobal(place));
    });
}

void RulesView::createLayout() {
    filter_ = new QLineEdit(this);
    filter_->setPlaceholderText(tr("Filter (Ctrl+F)"));
    filter_->setAccessibleName(tr("Filter the rules"));
    filter_->setClearButtonEnabled(true);
    connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
        sorted_->setFilterFixedString(text);
        expandGroups();
    });
    auto* find = new QAction(tr("Filter the rules"), this);
    find->setShortcut(QKeySequence::Find);
    find->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] { filter_->setFocus(); });
    addAction(find);
    auto* save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setAccessibleName(tr("Export the rules"));
    save->setAutoRaise(true);
    save->setFocusPolicy(Qt::TabFocus);
    save->setPopupMode(QToolButton::InstantPopup);
    save->setMenu(createExportMenu());
    summary_ = new ElidedLabel(this);
    summary_->setAccessibleName(tr("How many rules are at work"));
    summary_->setContentsMargins(6, 0, 6, 2);
    summary_->setForegroundRole(QPalette::PlaceholderText);

    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(4, 2, 4, 2);
    bar->addWidget(filter_, 1);
    bar->addWidget(save);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addWidget(tree_, 1);
    column->addWidget(summary_);
    setFocusProxy(tree_);
}

void RulesView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    if (!snapshot)
        return;
    snapshot_ = snapshot;
    selection_->setSnapshot(snapshot);
    model_->setSnapshot(*snapshot);
    nameCommands();
    summary_->showText(summary());
    onSelection();
}

void RulesView::expandGroups() {
    tree_->expandToDepth(0);
}

QString RulesView::summary() const {
    if (!snapshot_ || !snapshot_->program)
        return tr("no program");
    double seconds = 0;
    for (const egraph::Iteration& iteration : snapshot_->iterations)
        for (const egraph::RuleStats& rule : iteration.rules)
            seconds += rule.seconds;
    const auto& without = snapshot_->settings.without;
    const auto off = std::ranges::count_if(without, [&](const std::string& name) {
        return std::ranges::find(snapshot_->ruleSwitches, name) != snapshot_->ruleSwitches.end();
    });
    const auto rulesOff = std::ssize(without) - off;
    return tr("%1 rules · %2 iterations · %3 ms in rules%4%5")
        .arg(snapshot_->ruleNames.size())
        .arg(snapshot_->iterations.size())
        .arg(QString::number(1000 * seconds, 'f', 1),
             off == 0 ? QString() : tr(" · %1 groups off").arg(off),
             rulesOff == 0 ? QString() : tr(" · %1 rules off").arg(rulesOff));
}

void RulesView::onCurrent(const QModelIndex& current) {
    if (following_ || !current.isValid())
        return;
    const std::string rule = model_->ruleAt(sorted_->mapToSource(current));
    if (!rule.empty())
        selection_->select(RuleName{rule});
}

/// The rule selected, or the one that made the selected e-node.
void RulesView::onSelection() {
    std::string rule;
    const SnapshotIndex& index = *selection_->index();
    if (const auto* name = std::get_if<RuleName>(&selection_->subject())) {
        rule = name->name;
    } else if (const auto* node = std::get_if<egraph::ENodeId>(&selection_->subject());
               node != nullptr && index.exists(*node)) {
        const egraph::RuleId id = index.egraph()->origin(*node).rule;
        if (id.index() < index.snapshot().ruleNames.size())
            rule = index.snapshot().ruleNames[id.index()];
    }
    const QModelIndex wanted = sorted_->mapFromSource(model_->indexOf(rule));
    const QModelIndex current = tree_->currentIndex();
    if (model_->ruleAt(sorted_->mapToSource(current)) == rule)
        return;
    following_ = true;
    tree_->setCurrentIndex(wanted);
    following_ = false;
}

QMenu* RulesView::createMenu(const QModelIndex& place) {
    auto* menu = new QMenu(this);
    const QModelIndex source = sorted_->mapToSource(place);
    const std::string rule = model_->ruleAt(source);
    const std::string group = model_->groupAt(source);
    if (!rule.empty())
        addRuleEntries(menu, source);
    if (!group.empty()) {
        const bool on = source.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        const QString name = QString::fromStdString(group);
        connect(menu->addAction(on ? tr("Switch %1 off").arg(name) : tr("Switch %1 on").arg(name)),
                &QAction::triggered, this, [this, name, on] { Q_EMIT groupSwitched(name, !on); });
    }
    if (!menu->isEmpty())
        menu->addSeparator();
    QMenu* exports = createExportMenu();
    exports->setParent(menu, exports->windowFlags());
    menu->addMenu(exports);
    return menu;
}

/// `rule`: of the model; the rule, or an iteration of it.
void RulesView::addRuleEntries(QMenu* menu, const QModelIndex& rule) {
    const std::string named = model_->ruleAt(rule);
    const QString name = QString::fromStdString(named);
    connect(menu->addAction(tr("Show the card of %1").arg(name)), &QAction::triggered, this,
            [this, name] { Q_EMIT cardRequested(name); });
    const bool on = model_->indexOf(named).data(Qt::CheckStateRole).toInt() == Qt::Checked;
    QAction* const nodes = menu->addAction(tr("Show its e-nodes in the e-graph"));
    nodes->setEnabled(on);
    connect(nodes, &QAction::triggered, this,
            [this, named] { Q_EMIT focusRequested(RuleName{named}); });
    QAction* const without = menu->addAction(tr("What if without it"));
    without->setEnabled(on && snapshot_->design && snapshot_->phase == session::Phase::Ready);
    connect(without, &QAction::triggered, this, [this, name] {
        Q_EMIT cardRequested(name);
        Q_EMIT withoutRuleRequested(name);
    });
    connect(menu->addAction(on ? tr("Switch %1 off").arg(name) : tr("Switch %1 on").arg(name)),
            &QAction::triggered, this, [this, name, on] { Q_EMIT groupSwitched(name, !on); });
}

/// "Rule R-TILE-MV": found by its name where commands are listed.
void RulesView::nameCommands() {
    const std::size_t rules = snapshot_->ruleTexts.size();
    const bool same = cards_.size() == rules &&
                      std::ranges::equal(cards_, snapshot_->ruleTexts, {}, &QAction::data,
                                         [](const rules::RuleText& text) {
                                             return QVariant(QString::fromStdString(text.name));
                                         });
    if (same)
        return;
    qDeleteAll(cards_);
    cards_.clear();
    for (const rules::RuleText& text : snapshot_->ruleTexts) {
        const QString name = QString::fromStdString(text.name);
        auto* card = new QAction(tr("Rule %1").arg(name), this);
        card->setData(name);
        card->setStatusTip(QString::fromStdString(text.equation));
        connect(card, &QAction::triggered, this, [this, name] { Q_EMIT cardRequested(name); });
        cards_.push_back(card);
    }
}

QMenu* RulesView::createExportMenu() {
    auto* menu = new QMenu(tr("Export"), this);
    addExports(menu, this, tr("Export the rules"), QStringLiteral("rules"),
               {{tr("CSV…"), "csv"}, {tr("Markdown…"), "md"}});
    connect(menu->addAction(tr("Copy as Markdown")), &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(toMarkdown()); });
    return menu;
}

Status RulesView::exportTo(const QString& path, double) const {
    return saveText(path.endsWith(QLatin1String(".csv")) ? toCsv() : toMarkdown(), path);
}

/// Group, then the columns of each rule, then those of its iterations.
std::vector<QStringList> RulesView::rows() const {
    std::vector<QStringList> rows;
    QStringList header{tr("Group"), tr("Rule"), tr("Iteration")};
    for (int column = 1; column < RuleModel::ColumnCount; ++column)
        header << model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    rows.push_back(header);
    const auto add = [&](QStringList line, const QModelIndex& first) {
        for (int column = 1; column < RuleModel::ColumnCount; ++column)
            line << first.siblingAtColumn(column).data().toString();
        rows.push_back(line);
    };
    for (int g = 0; g < model_->rowCount(); ++g) {
        const QModelIndex group = model_->index(g, 0);
        add({group.data().toString(), {}, {}}, group);
        for (int r = 0; r < model_->rowCount(group); ++r) {
            const QModelIndex rule = model_->index(r, 0, group);
            add({group.data().toString(), rule.data().toString(), {}}, rule);
            for (int k = 0; k < model_->rowCount(rule); ++k) {
                const QModelIndex iteration = model_->index(k, 0, rule);
                add({group.data().toString(), rule.data().toString(), QString::number(k + 1)},
                    iteration);
            }
        }
    }
    return rows;
}

QString RulesView::toText() const {
    QString text = summary() + u'\n';
    for (int g = 0; g < model_->rowCount(); ++g) {
        const QModelIndex group = model_->index(g, 0);
        const bool on = group.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        text += (on ? QStringLiteral("[x] ") : QStringLiteral("[ ] ")) + group.data().toString() +
                u'\n';
        for (int r = 0; r < model_->rowCount(group); ++r) {
            const QModelIndex rule = model_->index(r, 0, group);
            text += QStringLiteral("    %1 hits %2 applied %3 made %4\n")
                        .arg(rule.data().toString(),
                             rule.siblingAtColumn(RuleModel::Matches).data().toString(),
                             rule.siblingAtColumn(RuleModel::Applied).data().toString(),
                             rule.siblingAtColumn(RuleModel::Made).data().toString());
        }
    }
    return text;
}

QString RulesView::toCsv() const {
    return csvText(rows());
}

QString RulesView::toMarkdown() const {
    return markdownText(rows());
}

} // namespace marquetry::widgets
