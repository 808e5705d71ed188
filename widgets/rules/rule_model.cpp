#include "widgets/rules/rule_model.h"

#include "widgets/models/column_title.h"
#include "widgets/text/number_text.h"

#include <algorithm>
#include <array>

namespace marquetry::widgets {

namespace {

// The internal id of an index names its parent: nothing, group g as 1 + g, rule r as kRules + r.
constexpr quintptr kNoParent = 0;
constexpr quintptr kRules = 1'000'000;

struct ColumnInfo {
    const char* title;
    const char* tip;
};

constexpr std::array<ColumnInfo, RuleModel::ColumnCount> kColumns{{
    {QT_TR_NOOP("Rule"), QT_TR_NOOP("Rewrite rule, named as in its paper, by group; the check box "
                                    "switches the group")},
    {QT_TR_NOOP("Hits"), QT_TR_NOOP("Matches found")},
    {QT_TR_NOOP("Applied"), QT_TR_NOOP("Matches that made an e-node or a union")},
    {QT_TR_NOOP("Made"), QT_TR_NOOP("E-nodes that came from the rule")},
    {QT_TR_NOOP("ms"), QT_TR_NOOP("Search and application, milliseconds")},
    {QT_TR_NOOP("State"), QT_TR_NOOP("What the scheduler does with it")},
}};

bool contains(const std::vector<std::string>& list, const std::string& word) {
    return std::ranges::find(list, word) != list.end();
}

} // namespace

// ---- following the session ----

void RuleModel::setSnapshot(const session::Snapshot& snapshot) {
    searching_ = snapshot.phase == session::Phase::Saturating;
    const bool sameRules = snapshot.ruleNames == ruleNames_ &&
                           snapshot.settings.without == without_ &&
                           groups_.size() >= snapshot.ruleSwitches.size();
    const bool startedOver = snapshot.iterations.size() < iterations_.size();
    if (startedOver || !sameRules)
        countedEnodes_ = 0;
    if (sameRules && !startedOver) {
        update(snapshot);
        return;
    }
    beginResetModel();
    build(snapshot);
    countMade(snapshot);
    endResetModel();
}

void RuleModel::build(const session::Snapshot& snapshot) {
    ruleNames_ = snapshot.ruleNames;
    without_ = snapshot.settings.without;
    iterations_ = snapshot.iterations;
    equations_.clear();
    for (const rules::RuleText& text : snapshot.ruleTexts)
        equations_[text.name] = text.equation;
    groups_.clear();
    rules_.clear();
    for (const std::string& name : snapshot.ruleSwitches)
        groups_.push_back({name, !contains(without_, name), {}});
    for (std::size_t k = 0; k < ruleNames_.size(); ++k) {
        const std::string group = k < snapshot.ruleGroups.size() ? snapshot.ruleGroups[k] : "";
        auto found = std::ranges::find(groups_, group, &Group::name);
        if (found == groups_.end())
            found = groups_.insert(groups_.end(), Group{group, true, {}});
        rules_.push_back({ruleNames_[k], static_cast<int>(found - groups_.begin()),
                          static_cast<int>(found->rules.size()),
                          static_cast<int>(iterations_.size())});
        found->rules.push_back(static_cast<int>(k));
    }
    for (std::size_t k = ruleNames_.size(); k < snapshot.ruleTexts.size(); ++k) {
        const rules::RuleText& text = snapshot.ruleTexts[k];
        const auto group = std::ranges::find(groups_, text.group, &Group::name);
        if (group == groups_.end() || !group->on)
            continue;
        rules_.push_back({text.name, static_cast<int>(group - groups_.begin()),
                          static_cast<int>(group->rules.size()), 0, false});
        group->rules.push_back(static_cast<int>(rules_.size()) - 1);
    }
}

void RuleModel::update(const session::Snapshot& snapshot) {
    const int before = static_cast<int>(iterations_.size());
    const int now = static_cast<int>(snapshot.iterations.size());
    iterations_ = snapshot.iterations;
    countMade(snapshot);
    for (Rule& rule : rules_) {
        if (now == before || !rule.on)
            continue;
        beginInsertRows(index(rule.place, 0, index(rule.group, 0)), before, now - 1);
        rule.shown = now;
        endInsertRows();
    }
    for (int group = 0; group < rowCount(); ++group) {
        const QModelIndex at = index(group, 0);
        Q_EMIT dataChanged(at, index(group, ColumnCount - 1));
        if (const int rows = rowCount(at); rows > 0)
            Q_EMIT dataChanged(index(0, 0, at), index(rows - 1, ColumnCount - 1, at));
    }
}

/// E-nodes keep their origin, so only new ones need to be looked at.
void RuleModel::countMade(const session::Snapshot& snapshot) {
    if (countedEnodes_ == 0)
        made_.assign(ruleNames_.size(), 0);
    if (!snapshot.egraph)
        return;
    for (; countedEnodes_ < snapshot.egraph->totalEnodes(); ++countedEnodes_) {
        const egraph::RuleId rule = snapshot.egraph->origin(egraph::ENodeId{countedEnodes_}).rule;
        if (rule != egraph::kGiven && rule != egraph::kCongruence && rule.index() < made_.size())
            ++made_[rule.index()];
    }
}

// ---- the tree ----

RuleModel::Level RuleModel::levelOf(const QModelIndex& index) {
    if (index.internalId() == kNoParent)
        return Level::Group;
    return index.internalId() < kRules ? Level::Rule : Level::Iteration;
}

int RuleModel::ruleOf(const QModelIndex& index) const {
    switch (levelOf(index)) {
    case Level::Group:
        return -1;
    case Level::Rule:
        return groups_[index.internalId() - 1].rules[static_cast<std::size_t>(index.row())];
    case Level::Iteration:
        return static_cast<int>(index.internalId() - kRules);
    }
    return -1;
}

QModelIndex RuleModel::indexOf(const std::string& rule) const {
    const auto found = std::ranges::find(rules_, rule, &Rule::name);
    return found == rules_.end() ? QModelIndex() : index(found->place, 0, index(found->group, 0));
}

std::string RuleModel::ruleAt(const QModelIndex& index) const {
    const int rule = index.isValid() ? ruleOf(index) : -1;
    return rule < 0 ? std::string() : rules_[static_cast<std::size_t>(rule)].name;
}

bool RuleModel::isOn(const QModelIndex& index) const {
    return levelOf(index) == Level::Group ? groups_[static_cast<std::size_t>(index.row())].on
                                          : rules_[static_cast<std::size_t>(ruleOf(index))].on;
}

std::string RuleModel::groupAt(const QModelIndex& index) const {
    const bool group = index.isValid() && levelOf(index) == Level::Group;
    return group ? groups_[static_cast<std::size_t>(index.row())].name : std::string();
}

QModelIndex RuleModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return createIndex(row, column, kNoParent);
    if (levelOf(parent) == Level::Group)
        return createIndex(row, column, 1 + static_cast<quintptr>(parent.row()));
    return createIndex(row, column, kRules + static_cast<quintptr>(ruleOf(parent)));
}

QModelIndex RuleModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || levelOf(child) == Level::Group)
        return {};
    if (levelOf(child) == Level::Rule)
        return createIndex(static_cast<int>(child.internalId()) - 1, 0, kNoParent);
    const Rule& rule = rules_[static_cast<std::size_t>(ruleOf(child))];
    return createIndex(rule.place, 0, 1 + static_cast<quintptr>(rule.group));
}

int RuleModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid())
        return static_cast<int>(groups_.size());
    if (parent.column() != 0)
        return 0;
    switch (levelOf(parent)) {
    case Level::Group:
        return static_cast<int>(groups_[static_cast<std::size_t>(parent.row())].rules.size());
    case Level::Rule:
        return rules_[static_cast<std::size_t>(ruleOf(parent))].shown;
    case Level::Iteration:
        return 0;
    }
    return 0;
}

int RuleModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

// ---- what the cells say ----

RuleModel::Figures RuleModel::ruleFigures(int rule) const {
    const std::size_t k = static_cast<std::size_t>(rule);
    Figures sum;
    sum.made = k < made_.size() ? made_[k] : 0;
    for (const egraph::Iteration& iteration : iterations_) {
        if (k >= iteration.rules.size())
            continue;
        const egraph::RuleStats& stats = iteration.rules[k];
        sum.matches += stats.matches;
        sum.applied += stats.applied;
        sum.seconds += stats.seconds;
        sum.resting = stats.banned;
        sum.rests += stats.banned ? 1 : 0;
    }
    return sum;
}

RuleModel::Figures RuleModel::figures(const QModelIndex& index) const {
    if (levelOf(index) == Level::Rule)
        return ruleFigures(ruleOf(index));
    Figures sum;
    if (levelOf(index) == Level::Iteration) {
        const auto& rules = iterations_[static_cast<std::size_t>(index.row())].rules;
        const std::size_t k = static_cast<std::size_t>(ruleOf(index));
        if (k < rules.size())
            sum = {rules[k].matches, rules[k].applied, 0,
                   rules[k].seconds, rules[k].banned,  rules[k].banned};
        return sum;
    }
    for (const int rule : groups_[static_cast<std::size_t>(index.row())].rules) {
        const Figures one = ruleFigures(rule);
        sum.matches += one.matches;
        sum.applied += one.applied;
        sum.made += one.made;
        sum.seconds += one.seconds;
        sum.rests += one.rests;
    }
    return sum;
}

QString RuleModel::name(const QModelIndex& index) const {
    switch (levelOf(index)) {
    case Level::Group:
        return QString::fromStdString(groups_[static_cast<std::size_t>(index.row())].name);
    case Level::Rule:
        return QString::fromStdString(ruleAt(index));
    case Level::Iteration:
        return tr("iteration %1").arg(iterations_[static_cast<std::size_t>(index.row())].index);
    }
    return {};
}

/// A rule's is what it says.
QString RuleModel::tip(const QModelIndex& index) const {
    const QString named = name(index);
    const std::string rule = levelOf(index) == Level::Rule ? ruleAt(index) : std::string();
    const auto equation = equations_.find(rule);
    return equation == equations_.end() ? named
                                        : named + u'\n' + QString::fromStdString(equation->second);
}

QString RuleModel::state(const QModelIndex& index) const {
    const Figures row = figures(index);
    if (levelOf(index) == Level::Group)
        return groups_[static_cast<std::size_t>(index.row())].on ? tr("on") : tr("off");
    if (levelOf(index) == Level::Iteration)
        return row.resting ? tr("rested") : QString();
    if (!rules_[static_cast<std::size_t>(ruleOf(index))].on)
        return tr("off");
    if (row.resting && searching_)
        return tr("resting, %1×").arg(row.rests);
    return row.rests > 0 ? tr("rested %1×").arg(row.rests) : QString();
}

QVariant RuleModel::number(const QModelIndex& index) const {
    const Figures row = figures(index);
    switch (index.column()) {
    case Matches:
        return static_cast<qulonglong>(row.matches);
    case Applied:
        return static_cast<qulonglong>(row.applied);
    case Made:
        return static_cast<qulonglong>(row.made);
    case Seconds:
        return row.seconds;
    default:
        return {};
    }
}

QVariant RuleModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int column = index.column();
    const bool text = column == Name || column == State;
    const bool perIteration = levelOf(index) == Level::Iteration;
    switch (role) {
    case Qt::DisplayRole:
        if (column == Name)
            return name(index);
        if (column == State)
            return state(index);
        if (column == Made && perIteration)
            return QString();
        if (column == Seconds)
            return QString::number(1000 * number(index).toDouble(), 'f', 1);
        return grouped(number(index).toLongLong());
    case Qt::UserRole:
        return text ? data(index, Qt::DisplayRole) : number(index);
    case Qt::TextAlignmentRole:
        return int(Qt::AlignVCenter | (text ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::ToolTipRole:
        return column == Name ? tip(index) : QVariant();
    case Qt::CheckStateRole:
        if (column == Name && !perIteration)
            return isOn(index) ? Qt::Checked : Qt::Unchecked;
        return {};
    default:
        return {};
    }
}

bool RuleModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid) ||
        index.column() != Name || levelOf(index) == Level::Iteration)
        return false;
    Q_EMIT groupSwitched(name(index), value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags RuleModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractItemModel::flags(index);
    if (index.isValid() && index.column() == Name && levelOf(index) != Level::Iteration)
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

QVariant RuleModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignVCenter |
                   (section == Name || section == State ? Qt::AlignLeft : Qt::AlignRight));
    return columnTitle(kColumns, metaObject()->className(), section, role);
}

} // namespace marquetry::widgets
