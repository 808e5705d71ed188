#include "widgets/memories/memories_view.h"

#include "widgets/canvas/export_menu.h"
#include "widgets/text/elided_label.h"
#include "widgets/text/failure_text.h"
#include "widgets/text/number_text.h"
#include "widgets/text/table_text.h"

#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

#include <algorithm>

namespace marquetry::widgets {

namespace {

QString proofText(const banking::SearchResult& found) {
    const auto count = found.bound.addresses.size();
    if (!found.proved())
        return QObject::tr("not proven, at least %1").arg(found.bound.banks);
    if (found.proof == banking::BoundProof::Lanes)
        return QObject::tr("proven: %1 addresses in one cycle").arg(count);
    if (found.proof == banking::BoundProof::Exhausted)
        return QObject::tr("proven among %1: every smaller number was searched")
            .arg(QString::fromStdString(provedAmong(found)));
    return QObject::tr("proven by %1: %2 addresses")
        .arg(QString::fromStdString(toString(found.proof)))
        .arg(count);
}

QString schemeText(const session::SchemeDetail& detail) {
    const banking::Scheme& scheme = detail.priced.scheme;
    const device::Resources& cost = detail.priced.cost.total;
    return QObject::tr("%1 · %2 words per bank, %3 in all · %4 LUT, %5 FF, %6 block RAM, %7 DSP")
        .arg(QString::fromStdString(scheme.text()), grouped(scheme.depth), grouped(scheme.words),
             amount(cost.lut), amount(cost.ff), amount(cost.bram), amount(cost.dsp));
}

QString nestText(const banking::AccessPattern& pattern, std::size_t nest) {
    QStringList loops;
    for (const ir::MemoryLoop& loop : pattern.loops[nest])
        loops << QString::fromStdString(loop.name);
    QStringList kinds;
    for (const banking::Group& group : pattern.groups)
        if (group.nest == nest)
            kinds << (group.write ? QObject::tr("write") : QObject::tr("read"));
    return QObject::tr("loop %1, %2: %3")
        .arg(nest)
        .arg(kinds.join(QStringLiteral(" + ")), loops.join(QStringLiteral(", ")));
}

std::vector<QStringList> textsOf(const QStringList& header, const std::vector<TableRow>& rows) {
    std::vector<QStringList> texts{header};
    for (const TableRow& row : rows)
        texts.push_back(row.texts);
    return texts;
}

} // namespace

// ---- the snapshot

void MemoriesView::setSnapshot(const std::shared_ptr<const session::Snapshot>& snapshot) {
    snapshot_ = snapshot;
    showItems();
    askForPlan();
    const session::MemoryItem* now = item();
    const bool simulating = snapshot && (snapshot->phase == session::Phase::Exporting ||
                                         snapshot->phase == session::Phase::Verifying);
    for (QToolButton* button : {hardware_, verify_})
        button->setEnabled(now && now->ready() && !simulating);
    const session::MemoryItem next = now ? *now : session::MemoryItem();
    if (sameAsBefore(next))
        return;
    const bool otherItem = next.program != shown_.program;
    const bool otherPattern = next.pattern != shown_.pattern;
    shown_ = next;
    if (otherItem || otherPattern) {
        nest_ = 0;
        point_.clear();
        witnessed_.reset();
        filled_ = false;
        QStringList nests;
        for (std::size_t n = 0; shown_.pattern && n < shown_.pattern->nests.size(); ++n)
            nests << nestText(*shown_.pattern, n);
        iterations_->setNests(nests);
    }
    showItem();
}

/// Items are planned when they are looked at; this one is.
void MemoriesView::askForPlan() {
    const session::MemoryItem* now = item();
    const bool open = now && !now->plan && !now->planning && now->failure.empty();
    if (!open || asked_ == now->program)
        return;
    asked_ = now->program;
    Q_EMIT showRequested(QString::fromStdString(now->program->name));
}

const session::MemoryItem* MemoriesView::item() const {
    return snapshot_ && snapshot_->memory < snapshot_->memories.size()
               ? &snapshot_->memories[snapshot_->memory]
               : nullptr;
}

QString MemoriesView::itemName() const {
    return nameOf(shown_);
}

bool MemoriesView::sameAsBefore(const session::MemoryItem& now) const {
    const auto attempt = [](const session::MemoryItem& of) {
        return of.attempt ? std::optional(std::tuple(of.attempt->name, of.attempt->running,
                                                     of.attempt->detail))
                          : std::nullopt;
    };
    return now.program == shown_.program && now.pattern == shown_.pattern &&
           now.plan == shown_.plan && now.detail == shown_.detail &&
           now.planning == shown_.planning && now.choice == shown_.choice &&
           now.owner == shown_.owner && now.failure.size() == shown_.failure.size() &&
           attempt(now) == attempt(shown_);
}

void MemoriesView::showItems() {
    items_->setItems(namesOf(snapshot_->memories), snapshot_->memory);
}

// ---- what is shown

const session::SchemeDetail* MemoriesView::shownDetail() const {
    if (shown_.attempt && !shown_.attempt->running)
        return shown_.attempt->detail.get();
    return shown_.detail.get();
}

const banking::Scheme* MemoriesView::shownScheme() const {
    if (shown_.attempt && !shown_.attempt->running)
        return &shown_.attempt->scheme;
    return shown_.detail ? &shown_.detail->priced.scheme : nullptr;
}

void MemoriesView::showItem() {
    if (shown_.pattern && point_.empty())
        point_ = shown_.iterations->pointOf(nest_, 0);
    goToWitness();
    showPicture();
    showTables();
    showTexts();
    if (shown_.program)
        try_->setItem(shown_);
    if (shown_.detail && !filled_) {
        try_->setScheme(shown_.detail->priced.scheme);
        filled_ = true;
    }
    try_->setEnabled(shown_.program != nullptr);
    pin_->setEnabled(shown_.pattern != nullptr);
    bound_->setEnabled(shown_.plan != nullptr);
}

/// The moment at which the scheme tried fails is shown as soon as it is known.
void MemoriesView::goToWitness() {
    if (!shown_.attempt || !shown_.attempt->witness) {
        witnessed_.reset();
        return;
    }
    const banking::Witness& witness = *shown_.attempt->witness;
    if (witnessed_ == witness.iteration)
        return;
    witnessed_ = witness.iteration;
    nest_ = shown_.pattern->groups[witness.group].nest;
    point_ = witness.iteration;
    iterations_->playButton()->setChecked(false);
}

void MemoriesView::showPicture() {
    BankPicture picture;
    const banking::Scheme* scheme = shownScheme();
    std::vector<std::int64_t> dims;
    if (scheme && shown_.pattern) {
        dims = shown_.pattern->dims;
        picture.layout = BankLayout(dims);
        picture.scheme = *scheme;
        const bool below = shown_.attempt && shown_.attempt->belowBound;
        if (shown_.plan && (bound_->isChecked() || below))
            picture.proof = shown_.plan->found.bound.addresses;
        crossbar_->setCrossbar(shownDetail() ? crossbarOf(*shown_.pattern, *shownDetail())
                                             : crossbarOf(*shown_.pattern, *shown_.attempt));
    } else {
        picture.message = shown_.planning ? tr("Searching banks …")
                          : shown_.program
                              ? tr("There is no scheme to show.")
                              : tr("The banks of an array appear here. Open a file with a memory "
                                   "item, such as examples/memories.");
        crossbar_->setCrossbar({});
    }
    grid_->setArrayName(shown_.program ? QString::fromStdString(shown_.program->array) : QString());
    grid_->setPicture(std::move(picture), dims);
    detail_->showText(scheme ? detailText(grid_->view()) : QString());
    showWindow();
    grid_->followWindow();
}

void MemoriesView::showWindow() {
    const banking::Scheme* scheme = shownScheme();
    iterations_->setEnabled(scheme && shown_.pattern);
    if (!scheme || !shown_.pattern) {
        grid_->setWindow({});
        crossbar_->setWindow({});
        iterations_->show(0, 0, 1, {});
        return;
    }
    const banking::AccessWindow window = shown_.iterations->windowAt(*scheme, nest_, point_);
    crossbar_->setWindow(window);
    const std::int64_t count = shown_.iterations->count(nest_);
    const std::int64_t at = shown_.iterations->iterationOf(nest_, point_);
    iterations_->show(
        static_cast<int>(nest_), at, count,
        tr("%1 of %2: %3")
            .arg(grouped(at + 1), grouped(count), pointText(*shown_.pattern, nest_, point_)));
    grid_->setWindow(window);
}

void MemoriesView::showIteration(qint64 iteration) {
    if (!shown_.pattern)
        return;
    point_ = shown_.iterations->pointOf(nest_, iteration);
    showWindow();
    grid_->followWindow();
}

void MemoriesView::showTables() {
    const QString chosen = tr("Schemes (%1)");
    frontModel_->setHeader(frontHeader(snapshot_ ? snapshot_->device : device::Device()));
    costModel_->setHeader(costHeader(snapshot_ ? snapshot_->device : device::Device()));
    frontModel_->setRows(frontRows(shown_));
    costModel_->setRows(shownDetail() ? costRows(shownDetail()->priced.cost)
                                      : std::vector<TableRow>());
    pages_->setTabText(0, chosen.arg(frontModel_->rowCount()));
    front_->resizeColumnsToContents();
    cost_->resizeColumnsToContents();
    constexpr int kFormula = 420;
    cost_->setColumnWidth(1, std::min(cost_->columnWidth(1), kFormula));
    if (frontModel_->rowCount() > 0)
        front_->selectRow(
            frontOrder_->mapFromSource(frontModel_->index(static_cast<int>(shown_.chosen), 0))
                .row());
}

void MemoriesView::showTexts() {
    QStringList parts;
    if (shown_.buffer)
        parts << QString::fromStdString(shown_.owner);
    if (shown_.program)
        parts << QStringLiteral("%1 : %2").arg(
            QString::fromStdString(shown_.program->array),
            QString::fromStdString(ir::toString(shown_.program->type)));
    if (shown_.plan) {
        const banking::SearchResult& found = shown_.plan->found;
        parts << (found.minBanks > 0
                      ? tr("fewest %1 banks, %2").arg(found.minBanks).arg(proofText(found))
                      : tr("no scheme with one copy, at least %1 banks").arg(found.bound.banks));
        if (found.outcome != banking::SearchOutcome::Complete)
            parts
                << tr("search stopped by: %1").arg(QString::fromStdString(toString(found.outcome)));
    }
    if (!shown_.choice.pins.free())
        parts << tr("⌾ %1").arg(QString::fromStdString(text(shown_.choice.pins)));
    summary_->showText(parts.join(QStringLiteral(" · ")));
    verdict_->setText(shown_.attempt            ? verdictText(shown_)
                      : shown_.planning         ? tr("searching banks …")
                      : !shown_.failure.empty() ? failureText(shown_.failure)
                      : shown_.detail           ? schemeText(*shown_.detail)
                                                : QString());
    verdict_->setVisible(!verdict_->text().isEmpty());
}

// ---- texts and exports

QString MemoriesView::summary() const {
    return summary_->text();
}

QString MemoriesView::verdict() const {
    return verdict_->text();
}

QString MemoriesView::toText() const {
    QString text = QStringLiteral("memories\n") + itemName() + QStringLiteral(": ") + summary() +
                   u'\n' + verdict() + u'\n' + iterations_->text() + u'\n';
    const BankPicture& picture = grid_->picture();
    for (const banking::LaneAt& lane : picture.window.lanes)
        text +=
            QStringLiteral("%1 %2%3\n")
                .arg(lane.write ? QStringLiteral("write") : QStringLiteral("read"),
                     lane.happens
                         ? grid_->tipOf(picture.layout.cellOf(lane.address)).section(u'\n', 0, 0)
                         : QStringLiteral("outside"),
                     lane.conflict ? QStringLiteral(" conflict") : QString());
    text += crossbarText(crossbar_->crossbar());
    for (const TableRow& row : frontModel_->rows())
        text += row.texts.join(QStringLiteral(" | ")) + u'\n';
    for (const TableRow& row : costModel_->rows())
        text += row.texts.join(QStringLiteral(" | ")) + u'\n';
    return text;
}

QString MemoriesView::toCsv() const {
    return csvText(textsOf(frontHeader(snapshot_ ? snapshot_->device : device::Device()),
                           frontModel_->rows()));
}

QString MemoriesView::toMarkdown() const {
    const device::Device device = snapshot_ ? snapshot_->device : device::Device();
    return summary() + QStringLiteral("\n\n") + verdict() + QStringLiteral("\n\n") +
           markdownText(textsOf(frontHeader(device), frontModel_->rows())) + u'\n' +
           markdownText(textsOf(costHeader(device), costModel_->rows()));
}

Picture MemoriesView::exported() const {
    return grid_->exported();
}

Status MemoriesView::exportTo(const QString& path, double scale) const {
    return saveShown(*this, path, scale);
}

} // namespace marquetry::widgets
